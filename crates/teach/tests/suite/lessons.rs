//! Every lesson can be given to its end, and what it states is what the program computes.

use std::collections::BTreeSet;

use bellwether_ask::Election;
use bellwether_teach::lessons::{Attempt, Goal, LESSONS, Lesson, Wanted};
use bellwether_teach::{Held, Language, Request, Text};
use serde_json::{Map, Value, json};

/// All texts of a lesson.
fn texts(lesson: &Lesson) -> Vec<&Text> {
    let question = &lesson.question;
    let steps = lesson.step.iter().map(|step| &step.text);
    [&lesson.title, &question.text, &question.why].into_iter().chain(steps).collect()
}

/// The whole numbers in a text.
fn numbers(text: &str) -> BTreeSet<u64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

fn ask(request: Value) -> Value {
    serde_json::from_value::<Request>(request).unwrap().answer().unwrap()
}

#[test]
fn there_are_lessons_for_all_that_a_course_needs() {
    let names: Vec<_> = LESSONS.iter().map(|lesson| &lesson.name[..]).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 16);
    assert_eq!(names[..3], ["chang-roberts", "best-and-worst", "peterson"]);
    assert_eq!(names.last(), Some(&"cluster"));
}

/// A language that is missing is an error of the reader. This is about texts that were left empty, or not translated.
#[test]
fn every_text_is_there_in_every_language() {
    for lesson in LESSONS.iter() {
        for text in texts(lesson) {
            let all: BTreeSet<&str> = Language::ALL.iter().map(|language| text.to(*language)).collect();
            assert!(!all.contains(""), "{}: a text is empty", lesson.name);
            assert_eq!(all.len(), Language::ALL.len(), "{}: a text is not translated: {all:?}", lesson.name);
            let told = Language::ALL.map(|language| numbers(text.to(language)));
            let same = told.iter().all(|numbers| *numbers == told[0]);
            assert!(same, "{}: languages tell different numbers: {all:?}", lesson.name);
        }
    }
}

#[test]
fn every_fact_is_what_the_program_computes() {
    for lesson in LESSONS.iter() {
        let said: BTreeSet<u64> = texts(lesson).iter().flat_map(|text| numbers(text.to(Language::English))).collect();
        for fact in &lesson.fact {
            let value = lesson.value(&fact.of, &fact.change).unwrap();
            assert_eq!(value, fact.says, "{}: {} of {:?}", lesson.name, fact.of, fact.change);
            assert!(said.contains(&fact.says), "{}: no text says {}", lesson.name, fact.says);
        }
    }
}

/// A number in a text is a fact, or it is a part of an election: a node, an id, a size, a moment.
#[test]
fn every_number_in_a_text_is_known() {
    for lesson in LESSONS.iter() {
        let mut known: BTreeSet<u64> = lesson.fact.iter().map(|fact| fact.says).collect();
        let mut changes: Vec<&Map<String, Value>> = lesson.step.iter().map(|step| &step.change).collect();
        match &lesson.question.wants {
            Wanted::Number { change, .. } | Wanted::Node { change, .. } => changes.push(change),
            Wanted::Try { goal, solution, .. } => {
                changes.push(solution);
                known.extend(goal.iter().filter_map(|goal| match goal {
                    Goal::Is { value, .. } => Some(*value),
                    _ => None,
                }));
            }
        }
        for change in changes {
            let election = lesson.with(change).unwrap();
            known.extend(numbers(&serde_json::to_string(&election).unwrap()));
            let scenario = Held::new(election).unwrap().prepared.scenario;
            known.extend(scenario.ids.iter().map(|id| id.0));
            known.extend(
                0..u64::from(
                    scenario
                        .topology
                        .to_string()
                        .split(':')
                        .nth(1)
                        .map_or(0, |size| size.split('x').map(|part| part.parse::<u32>().unwrap()).product()),
                ),
            );
        }
        // The formulas n(n + 1)/2, 2n - 1 and n + (n - 1), the units of a timeout, and the year of Angluin's proof.
        known.extend([1, 2, 1980]);
        for text in texts(lesson) {
            let strange: Vec<_> = numbers(text.to(Language::English)).difference(&known).copied().collect();
            assert_eq!(strange, [] as [u64; 0], "{}: {}", lesson.name, text.to(Language::English));
        }
    }
}

#[test]
fn every_step_shows_a_moment_of_its_run() {
    let told = ask(json!({"ask": "lessons", "language": "en"}));
    assert_eq!(told["ok"], true);
    let lessons = told["lessons"].as_array().unwrap();
    assert_eq!(lessons.len(), LESSONS.len());
    let mut positions = vec![];
    for lesson in lessons {
        let name = lesson["name"].as_str().unwrap();
        assert!(lesson["steps"].as_array().unwrap().len() >= 3, "{name}");
        for step in lesson["steps"].as_array().unwrap() {
            let election: Election = serde_json::from_value(step["election"].clone()).unwrap();
            let held = Held::new(election).unwrap();
            let position = step["position"].as_u64().unwrap() as usize;
            assert!(position <= held.events.len(), "{name}: {step}");
            positions.push(position);
            if let Some(message) = step["message"].as_object() {
                let received = &held.events[position - 1].received[0];
                assert_eq!(
                    (json!(received.from), json!(received.n)),
                    (message["from"].clone(), message["number"].clone())
                );
            }
        }
    }
    assert!(positions.iter().any(|position| *position > 0));
    // In the first lesson: all six have started; node 1 swallows 3; node 2 passes 6 on; node 1 leads.
    let first = lessons[0]["steps"].as_array().unwrap();
    let shown: Vec<_> = first.iter().map(|step| (step["position"].as_u64().unwrap(), step["node"].as_u64())).collect();
    assert_eq!(shown, [(6, None), (8, Some(1)), (9, Some(2)), (22, Some(1))]);
}

#[test]
fn every_question_has_a_right_answer_and_wrong_ones() {
    for lesson in LESSONS.iter() {
        let name = &lesson.name;
        for language in Language::ALL {
            let solution = ask(json!({"ask": "attempt", "lesson": name, "language": language}));
            let (key, wrong) = match &lesson.question.wants {
                Wanted::Number { .. } | Wanted::Node { .. } => ("answer", json!("777")),
                Wanted::Try { .. } => ("election", json!(lesson.with(&Map::new()).unwrap())),
            };
            let judged =
                |value: &Value| ask(json!({"ask": "attempt", "lesson": name, "language": language, key: value}));
            let right = judged(&solution[key]);
            assert_eq!(right["right"], true, "{name} {language}: {solution} {right}");
            assert_eq!(right["why"], lesson.question.why.to(language));
            let refused = judged(&wrong);
            assert_eq!(refused["right"], false, "{name} {language}: as it is shown, it must not be solved");
            assert!(refused["why"].as_str().is_some_and(|why| !why.is_empty()), "{name} {language}");
        }
    }
}

#[test]
fn only_what_the_question_is_about_may_be_changed() {
    let lesson = Lesson::named("best-and-worst").unwrap();
    let judged = |change: Value| {
        let Value::Object(change) = change else { unreachable!() };
        let election = Box::new(lesson.with(&change).unwrap());
        let judged = lesson.judge(&Attempt::Election(election), Language::English).unwrap();
        (judged["right"] == true, judged["why"].as_str().unwrap().to_string())
    };
    assert!(judged(json!({"ids": "2,3,4,5,6,7,8,1"})).0, "a rotation is as good");
    assert!(judged(json!({"ids": "ascending", "initiators": "all", "timing": "unit", "elections": 1})).0, "as usual");
    assert!(!judged(json!({"ids": "same"})).0);
    let (right, why) = judged(json!({"initiators": "0", "ids": "ascending"}));
    assert_eq!(
        (right, &why[..]),
        (false, "Put this back as it is in the lesson: who starts. The question is about something else.")
    );
    for network in ["ring:3", "ring:4e9"] {
        let (right, why) = judged(json!({"topology": network, "ids": "ascending"}));
        assert!(!right && why.contains("in the lesson: the network."), "{why}");
    }
    assert!(!judged(json!({"fault": ["lose=0#0"], "ids": "ascending"})).0);
    // 8 goes round, 7 travels 7 links, and the others one each.
    assert_eq!(judged(json!({"ids": "1,2,3,4,5,6,8,7"})).1, "Messages to elect: 21. Wanted: 15.");

    let lesson = Lesson::named("false-delay").unwrap();
    let judged = |faults: Value| {
        let election = Box::new(lesson.with(json!({"fault": faults}).as_object().unwrap()).unwrap());
        lesson.judge(&Attempt::Election(election), Language::English).unwrap()["right"] == true
    };
    assert!(judged(json!(["hold=2#1:5"])) && !judged(json!(["hold=2#0:5"])));
    assert!(!judged(json!(["slow=2:9"])), "the question asks for a single message");
}

#[test]
fn bad_requests_say_what_would_be_right() {
    let refused = |request: Value| match serde_json::from_value::<Request>(request) {
        Ok(request) => request.answer().unwrap_err().0,
        Err(error) => error.to_string(),
    };
    assert!(
        refused(json!({"ask": "attempt", "lesson": "nonsense"})).contains("there is no lesson 'nonsense': there are")
    );
    assert!(refused(json!({"ask": "lessons", "language": "xx"})).contains("take en, de, fr or ro"));
    let words = json!({"ask": "attempt", "lesson": "best-and-worst", "answer": "15"});
    assert!(refused(words).contains("send it as 'election'"));
    let election = json!({"algorithm": "chang-roberts", "topology": "ring:1e9"});
    let huge = json!({"ask": "attempt", "lesson": "chang-roberts", "election": election});
    assert!(refused(huge).contains("answered in words"));
}
