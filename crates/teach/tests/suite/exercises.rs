//! Exercises: the key is right, students differ, and the same seed gives the same bytes.

use bellwether_core::Span;
use bellwether_teach::exercise::sheet::Class;
use bellwether_teach::exercise::{Exercise, TEMPLATES};
use bellwether_teach::{Held, Language, Request};
use bellwether_world::trace::{Event, EventKind};
use serde_json::{Value, json};

const SEED: u64 = 2026;

fn ask(request: Value) -> Value {
    serde_json::from_value::<Request>(request).unwrap().answer().unwrap()
}

fn names() -> impl Iterator<Item = &'static str> {
    TEMPLATES.iter().map(|template| template.name)
}

#[test]
fn the_right_answer_is_graded_right_in_every_language() {
    for name in names() {
        for student in 1..=3 {
            for language in Language::ALL {
                let exercise = Exercise::new(SEED, student, name).unwrap();
                let answer = exercise.answer(language);
                let grade = |answer: &str| {
                    let whole = json!({"ask": "grade", "seed": SEED, "student": student, "template": name,
                        "answer": answer, "language": language});
                    ask(whole)
                };
                let graded = grade(&answer);
                assert_eq!(graded["right"], true, "{name} {student} {language}: {answer}");
                assert_eq!(graded["answer"], answer);
                assert_eq!(grade("nonsense")["right"], false, "{name}");
                assert_eq!(grade("")["right"], false, "{name}");
                let told = ask(json!({"ask": "exercise", "seed": SEED, "student": student, "template": name,
                    "language": language}));
                let texts = [&told["question"], &graded["why"]].map(|text| text.as_str().unwrap());
                assert!(texts.iter().all(|text| !text.contains(['{', '@'])), "a place is not filled: {texts:?}");
            }
        }
    }
}

/// The closed forms and rules of the lectures, by hand.
#[test]
fn the_program_answers_what_theory_says() {
    for student in 1..=40 {
        let exercise = |name: &str| Exercise::new(SEED, student, name).unwrap();
        let scenario = |exercise: &Exercise| Held::new(exercise.election.clone()).unwrap().prepared.scenario;

        let messages = exercise("messages");
        let ids: Vec<u64> = scenario(&messages).ids.iter().map(|id| id.0).collect();
        let way = |from: usize| {
            (1..=ids.len()).find(|far| *far == ids.len() || ids[(from + far) % ids.len()] > ids[from]).unwrap()
        };
        let sum: usize = (0..ids.len()).map(way).sum();
        assert_eq!(messages.answer(Language::English), sum.to_string());

        let active = exercise("active");
        let ids: Vec<u64> = scenario(&active).ids.iter().map(|id| id.0).collect();
        let (n, before) = (ids.len(), |node: usize, far: usize| ids[(node + ids.len() - far) % ids.len()]);
        let stays = (0..n).filter(|node| before(*node, 1) > ids[*node] && before(*node, 1) > before(*node, 2));
        let stays = stays.map(|node| node.to_string()).collect::<Vec<_>>().join(",");
        assert_eq!(active.answer(Language::English), stays);

        let leader = exercise("leader");
        let scenario_of = scenario(&leader);
        let starts: Vec<u32> = leader
            .election
            .initiators
            .as_ref()
            .unwrap()
            .to_string()
            .split(',')
            .map(|node| node.parse().unwrap())
            .collect();
        let all: Vec<u32> = (0..scenario_of.ids.len() as u32).collect();
        let race = if leader.election.algorithm == "peterson" { &starts } else { &all };
        let winner = race.iter().max_by_key(|node| scenario_of.ids[**node as usize]).unwrap();
        assert_eq!(leader.answer(Language::English), winner.to_string());

        let is_of_initiators = leader.why(Language::English).contains("largest id of the initiators");
        assert_eq!(is_of_initiators, leader.election.algorithm == "peterson");

        let mean = exercise("mean");
        if mean.election.algorithm == "chang-roberts" {
            let n: u64 = mean.election.topology.as_ref().unwrap().to_string()[5..].parse().unwrap();
            // n H(n), as a fraction over n!
            let factorial: u64 = (1..=n).product();
            let top: u64 = (1..=n).map(|k| n * factorial / k).sum();
            assert!(mean.is_right(&format!("{top}/{factorial}"), Language::English).unwrap());
        }

        let round = exercise("round");
        let text = round.why(Language::English);
        let numbers: Vec<u64> =
            text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
        let [n, smallest, .., away, _, answer] = numbers[..] else { panic!("{text}") };
        assert_eq!(answer, smallest * n + 1 + away, "{text}");

        let echo = exercise("echo");
        use bellwether_net::Wiring as _;
        assert_eq!(echo.answer(Language::English), (2 * scenario(&echo).topology.links()).to_string());
    }
}

#[test]
fn any_worst_order_is_right_and_no_other() {
    let exercise = Exercise::new(SEED, 1, "worst-ids").unwrap();
    let ids: Vec<String> = exercise.answer(Language::English).split(',').map(String::from).collect();
    let is_right = |ids: &[String]| exercise.is_right(&ids.join(" "), Language::English).unwrap();
    for turn in 0..ids.len() {
        let mut turned = ids.clone();
        turned.rotate_left(turn);
        assert!(is_right(&turned), "{turned:?}");
    }
    let mut swapped = ids.clone();
    swapped.swap(1, 2);
    assert!(!is_right(&swapped));
    assert!(!is_right(&ids[1..]), "an id is missing");
    let mut foreign = ids.clone();
    foreign[0] = "99".into();
    assert!(!is_right(&foreign), "99 was not given");
    // What is shown must not be the answer.
    assert_ne!(exercise.election.ids.as_ref().unwrap().to_string(), ids.join(","));
}

#[test]
fn every_assumption_and_both_answers_come_up() {
    let answers = |name: &str| {
        let all = (1..=60).map(|student| Exercise::new(SEED, student, name).unwrap().answer(Language::English));
        all.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(answers("assumption").len(), 5);
    assert_eq!(answers("schedules").len(), 2);
}

/// Every question about schedules can be answered, whatever is drawn: no search is given up before it knows.
#[test]
fn every_question_about_schedules_has_an_answer() {
    let lines: std::collections::BTreeSet<String> = (1..=250)
        .map(|student| {
            let exercise = Exercise::new(SEED, student, "schedules").unwrap();
            let options = exercise.repeat.split(' ').filter(|word| !word.contains(','));
            options
                .chain([exercise.question(Language::English).rsplit(' ').next().unwrap()])
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    assert_eq!(lines.len(), 3 * 4 * 2, "three algorithms, four adversaries, two questions: {lines:?}");
}

/// A loss and a crash look different: after a loss its receiver goes on, and a crashed node misses more, or all.
#[test]
fn a_loss_is_not_taken_for_a_crash() {
    let (mut alike, mut losses_alike) = (0, 0);
    for student in 1..=60 {
        let exercise = Exercise::new(SEED, student, "assumption").unwrap();
        let held = Held::new(exercise.election.clone()).unwrap();
        let is_step = |event: &&Event| matches!(event.kind, EventKind::Start | EventKind::Receive);
        let is_right = |letter: &str| exercise.is_right(letter, Language::English).unwrap();
        let drops: Vec<&Event> = held.events.iter().filter(|event| event.kind == EventKind::Drop).collect();
        match exercise.election.fault.first().map(|fault| &fault[..4]) {
            Some("lose") => {
                let to = drops[0].sent[0].to;
                let last = held.events.iter().filter(is_step).rfind(|event| event.node == to).unwrap();
                assert!(last.t >= drops[0].t && drops.len() == 1, "{:?}", exercise.election);
                // If it receives nothing that was sent later, a crash explains the run as well.
                let receives = |event: &&Event| event.kind == EventKind::Receive && event.node == to;
                let goes_on = held.events.iter().filter(receives).any(|event| event.t > drops[0].t + Span::UNIT);
                assert_eq!(["b", "d"].map(is_right), [true, !goes_on], "{:?}", exercise.election);
                losses_alike += usize::from(!goes_on);
            }
            Some("cras") => {
                let node = held.report.crashed[0];
                let starts = held.events.iter().filter(is_step).any(|event| event.node == node);
                assert!(drops.len() > 1 || !starts, "{:?}", exercise.election);
                // If it has acted before, the loss of all that it should receive explains the run as well.
                assert_eq!(["b", "d"].map(is_right), [starts, true], "{:?}", exercise.election);
                alike += usize::from(starts);
            }
            _ => assert!(drops.is_empty()),
        }
    }
    assert!(alike > 0 && losses_alike > 0, "no crash looks like losses, or no loss like a crash");
}

/// What is shown must not name the fault.
#[test]
fn the_broken_assumption_is_not_told() {
    for student in 1..=30 {
        let told = ask(json!({"ask": "exercise", "seed": SEED, "student": student, "template": "assumption"}));
        assert_eq!(told["election"], Value::Null);
        let story = told["story"].to_string();
        assert!(["lost", "crash", "lose", "repeat", "n="].iter().all(|word| !story.contains(word)), "{story}");
        assert!(story.contains("●"), "{story}");
    }
}

#[test]
fn students_differ_and_a_seed_gives_the_same_bytes() {
    let files = |seed, language| Class::new(seed, 3, &[], language).unwrap().files().unwrap();
    let english = files(SEED, Language::English);
    assert_eq!(english, files(SEED, Language::English));
    assert_ne!(english, files(SEED + 1, Language::English));
    let named = |name: &str| &english.iter().find(|(known, _)| known == name).unwrap().1;
    let names: Vec<_> = english.iter().map(|(name, _)| &name[..]).collect();
    let sheets =
        ["student-001", "student-002", "student-003"].map(|name| [format!("{name}.md"), format!("{name}.html")]);
    assert_eq!(names, [&sheets.concat()[..], &["key.md".into(), "key.json".into()]].concat());
    let body = |text: &str| text.split_once("\n## ").unwrap().1.to_string();
    assert_ne!(body(named("student-001.md")), body(named("student-002.md")));
    for language in Language::ALL {
        for (name, text) in files(SEED, language) {
            let is_filled = !name.ends_with(".md") || !text.contains(['{', '@']);
            assert!(is_filled || name == "key.md", "{name} in {language}: a place is not filled");
            if name.ends_with(".html") {
                assert_eq!(text.matches("<img").count(), 9, "{name}: one network for each exercise but the mean");
                assert!(!text.contains("src=\"http") && !text.contains("<script"), "{name} loads nothing");
                assert!(!text.contains("bellwether run"), "{name} does not give the command away");
            }
        }
    }
}

#[test]
fn a_class_may_have_few_templates() {
    let wanted = ["leader".to_string(), "mean".into()];
    let class = Class::new(1, 2, &wanted, Language::German).unwrap();
    let key = class.key_json();
    let templates: Vec<_> =
        key["students"][1]["exercises"].as_array().unwrap().iter().map(|one| &one["template"]).collect();
    assert_eq!(templates, ["leader", "mean"]);
    let refused = Class::new(1, 2, &["nonsense".into()], Language::English).err().unwrap();
    assert!(refused.0.contains("there is no template 'nonsense': take one of messages, leader"));
}

/// What a page asks, one question after the other, is the sheet of that student: heading, question, facts and choices.
#[test]
fn a_page_asks_what_the_sheet_asks() {
    for language in Language::ALL {
        let files = Class::new(7, 3, &[], language).unwrap().files().unwrap();
        for student in 1..=3 {
            let (_, sheet) = files.iter().find(|(name, _)| *name == format!("student-{student:03}.md")).unwrap();
            let asked = |template: Option<&Value>| {
                let whole = json!({"ask": "exercise", "seed": 7, "student": student, "language": language});
                let mut fields = whole.as_object().unwrap().clone();
                fields.extend(template.map(|template| ("template".into(), template.clone())));
                ask(fields.into())
            };
            let first = asked(None);
            let templates = first["templates"].as_array().unwrap();
            let told: Vec<Value> = templates.iter().map(|template| asked(Some(template))).collect();
            assert_eq!(told[0], first);
            let text = |value: &Value| value.as_str().unwrap().to_string();
            let list = |value: &Value| value.as_array().unwrap().clone();
            let sections = (1..).zip(&told).map(|(number, told): (u32, _)| {
                let mut section = format!("{number}. {}\n\n{}\n", text(&told["heading"]), text(&told["question"]));
                let facts =
                    list(&told["facts"]).into_iter().map(|fact| format!("- {}: {}", text(&fact[0]), text(&fact[1])));
                let story = list(&told["story"]).iter().map(text).collect::<Vec<_>>().join("\n");
                let story = (!story.is_empty()).then(|| format!("```text\n{story}\n```"));
                let choices =
                    ('a'..).zip(list(&told["choices"])).map(|(letter, it)| format!("- {letter}) {}", text(&it)));
                for part in [facts.collect(), Vec::from_iter(story), choices.collect()] {
                    section += &if part.is_empty() { String::new() } else { format!("\n{}\n", part.join("\n")) };
                }
                section + &format!("\n{}: ______________\n", language.text("answer", &[]))
            });
            let printed: Vec<&str> = sheet.split("\n## ").skip(1).collect();
            assert_eq!(sections.collect::<Vec<_>>(), printed, "student {student} in {language}");
        }
    }
}

/// A run that would give the answer away is told only with the grade.
#[test]
fn a_run_with_a_secret_comes_with_the_grade() {
    for name in names() {
        let told = ask(json!({"ask": "exercise", "seed": SEED, "student": 1, "template": name}));
        let grade = json!({"ask": "grade", "seed": SEED, "student": 1, "template": name, "answer": "a"});
        let is_shown = [&told, &ask(grade)].map(|answer| answer["election"].is_object());
        let wanted = match name {
            "assumption" => [false, true],
            "mean" => [false, false],
            _ => [true, false],
        };
        assert_eq!(is_shown, wanted, "{name}");
    }
}
