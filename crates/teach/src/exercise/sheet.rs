//! Sheets for students, and the key for whoever marks them: Markdown and HTML that loads nothing.

use std::fmt::Write as _;

use bellwether_ask::Refusal;
use bellwether_draw::{Portrait, Remarks};
use bellwether_net::{Network, Wiring};
use bellwether_world::Scenario;
use serde_json::{Value, json};

use super::{Exercise, Shows};
use crate::held::NoFiles;
use crate::reply::Kind;
use crate::{Language, exercise};

/// All exercises of a class.
pub struct Class {
    seed: u64,
    language: Language,
    /// By student, who are numbered from 1: one exercise of each template.
    sheets: Vec<Vec<Exercise>>,
}

impl Class {
    /// The exercises of a number of students, from these templates; from all of them if none is named.
    ///
    /// # Errors
    /// If there is no such template.
    pub fn new(seed: u64, students: u32, templates: &[String], language: Language) -> Result<Self, Refusal> {
        let all = || exercise::TEMPLATES.iter().map(|template| template.name.to_string()).collect();
        let names: Vec<String> = if templates.is_empty() { all() } else { templates.to_vec() };
        let sheet = |student| names.iter().map(|name| Exercise::new(seed, student, name)).collect();
        let sheets = (1..=students).map(sheet).collect::<Result<_, Refusal>>()?;
        Ok(Self { seed, language, sheets })
    }

    /// All files of the class by name: two sheets for each student, and the key.
    ///
    /// # Errors
    /// If a network cannot be drawn.
    pub fn files(&self) -> Result<Vec<(String, String)>, Refusal> {
        let mut files = vec![];
        for (place, sheet) in self.sheets.iter().enumerate() {
            let name = format!("student-{:03}", place + 1);
            files.push((format!("{name}.md"), self.markdown(place + 1, sheet)?));
            files.push((format!("{name}.html"), self.html(place + 1, sheet)?));
        }
        files.push(("key.md".into(), self.key()));
        files.push(("key.json".into(), format!("{:#}\n", self.key_json())));
        Ok(files)
    }

    fn title(&self, student: usize) -> String {
        let (student, seed) = (student.to_string(), self.seed.to_string());
        self.language.text("sheet-title", &[("student", &student), ("seed", &seed)])
    }

    fn markdown(&self, student: usize, sheet: &[Exercise]) -> Result<String, Refusal> {
        let language = self.language;
        let mut text = format!("# {}\n\n{}\n", self.title(student), language.text("sheet-intro", &[]));
        for (place, exercise) in sheet.iter().enumerate() {
            let _ = write!(text, "\n## {}. {}\n", place + 1, exercise.heading(language));
            let _ = write!(text, "\n{}\n", exercise.question(language));
            let facts = exercise.facts(language)?;
            if !facts.is_empty() {
                text += "\n";
                for (name, value) in facts {
                    let _ = writeln!(text, "- {name}: {value}");
                }
            }
            if !exercise.story.is_empty() {
                let _ = write!(text, "\n```text\n{}\n```\n", exercise.story.join("\n"));
            }
            if !exercise.choices.is_empty() {
                text += "\n";
                for (letter, choice) in ('a'..).zip(exercise.choices(language)) {
                    let _ = writeln!(text, "- {letter}) {choice}");
                }
            }
            let _ = write!(text, "\n{}: ______________\n", language.text("answer", &[]));
        }
        Ok(text)
    }

    fn html(&self, student: usize, sheet: &[Exercise]) -> Result<String, Refusal> {
        let language = self.language;
        let title = escaped(&self.title(student));
        let mut page = format!(
            "<!doctype html>\n<html lang=\"{language}\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n\
             <h1>{title}</h1>\n<p>{}</p>\n",
            escaped(&language.text("sheet-intro", &[]))
        );
        for (place, exercise) in sheet.iter().enumerate() {
            let heading = escaped(&exercise.heading(language));
            let question = escaped(&exercise.question(language));
            let _ = write!(page, "<section>\n<h2>{}. {heading}</h2>\n<p>{question}</p>\n", place + 1);
            if exercise.shows != Shows::Nothing {
                page += "<dl>\n";
                for (name, value) in exercise.facts(language)? {
                    let _ = writeln!(page, "<dt>{}</dt><dd>{}</dd>", escaped(&name), escaped(&value));
                }
                page += "</dl>\n";
                let alt = escaped(&language.text("picture", &[]));
                let _ = writeln!(page, "<img alt=\"{alt}\" src=\"{}\">", exercise.picture()?);
            }
            if !exercise.story.is_empty() {
                let _ = writeln!(page, "<pre>{}</pre>", escaped(&exercise.story.join("\n")));
            }
            if !exercise.choices.is_empty() {
                page += "<ol type=\"a\">\n";
                for choice in exercise.choices(language) {
                    let _ = writeln!(page, "<li>{}</li>", escaped(&choice));
                }
                page += "</ol>\n";
            }
            let answer = escaped(&language.text("answer", &[]));
            let _ = write!(page, "<p class=\"answer\">{answer}: <span></span></p>\n</section>\n");
        }
        page += "</html>\n";
        Ok(page)
    }

    fn key(&self) -> String {
        let language = self.language;
        let seed = self.seed.to_string();
        let mut text =
            format!("# {}\n\n{}\n", language.text("key-title", &[("seed", &seed)]), language.text("key-intro", &[]));
        for (place, sheet) in self.sheets.iter().enumerate() {
            let _ = write!(text, "\n## {}\n\n", self.title(place + 1));
            for (number, exercise) in (1..).zip(sheet) {
                let Exercise { template, repeat, .. } = exercise;
                let (answer, why) = (exercise.answer(language), exercise.why(language));
                let _ = writeln!(text, "{number}. {template}: **{answer}**. {why}\n   `{repeat}`");
            }
        }
        text
    }

    /// The key for programs.
    #[must_use]
    pub fn key_json(&self) -> Value {
        let language = self.language;
        let one = |exercise: &Exercise| {
            json!({
                "template": exercise.template,
                "answer": exercise.answer(language),
                "answer-kind": exercise.kind(),
                "repeat": exercise.repeat,
            })
        };
        let students = (1..).zip(&self.sheets).map(|(student, sheet): (u32, _)| {
            json!({"student": student, "exercises": sheet.iter().map(one).collect::<Vec<_>>()})
        });
        json!({"seed": self.seed, "language": language, "students": students.collect::<Vec<_>>()})
    }
}

impl Exercise {
    /// The heading.
    pub(super) fn heading(&self, language: Language) -> String {
        language.text(&format!("heading-{}", self.template), &[])
    }

    fn scenario(&self) -> Result<Scenario, Refusal> {
        Ok(self.election.clone().prepare(&NoFiles)?.scenario)
    }

    /// The network in words: how many nodes, who is linked to whom, the ids, and who starts. Nothing if none is shown.
    pub(super) fn facts(&self, language: Language) -> Result<Vec<(String, String)>, Refusal> {
        if self.shows == Shows::Nothing {
            return Ok(vec![]);
        }
        let scenario = self.scenario()?;
        let network = &scenario.topology;
        let named = |key: &str, value: String| (language.text(key, &[]), value);
        let nodes = network.nodes();
        let mut facts = vec![];
        if network.has_ring_ports() {
            let key = if is_two_way(&self.election.algorithm) { "two-way-ring" } else { "one-way-ring" };
            let last = (nodes - 1).to_string();
            facts.push(named("network", language.text(key, &[("n", &nodes.to_string()), ("last", &last)])));
        } else {
            facts.push(named("links", links(network)));
        }
        let is_anonymous = self.election.ids.is_none();
        if self.shows == Shows::Ids && !is_anonymous {
            let ids = scenario.ids.iter().enumerate().map(|(node, id)| format!("{node}: {id}"));
            facts.push(named("ids", ids.collect::<Vec<_>>().join(" · ")));
        }
        if let Some(initiators) = self.election.initiators.as_ref().filter(|_| self.kind() != Kind::Choice) {
            facts.push(named("starts", initiators.to_string()));
        } else {
            facts.push(named("starts", language.text("everybody", &[])));
        }
        Ok(facts)
    }

    /// The network as a picture within a page.
    fn picture(&self) -> Result<String, Refusal> {
        let scenario = self.scenario()?;
        let ids = if self.shows == Shows::Ids && self.election.ids.is_some() { &scenario.ids[..] } else { &[] };
        let portrait = Portrait::with_ids(&scenario.topology, ids).map_err(Refusal)?;
        let svg = portrait.svg(&Remarks::default(), "");
        let mut url = String::from("data:image/svg+xml,");
        for c in svg.chars() {
            match c {
                '%' | '#' | '"' | '&' | '<' | '>' | '\n' | '+' => {
                    let _ = write!(url, "%{:02X}", u32::from(c));
                }
                c => url.push(c),
            }
        }
        Ok(url)
    }
}

/// Whether nodes of this algorithm send both ways round a ring.
fn is_two_way(algorithm: &str) -> bool {
    bellwether_ask::algorithm(algorithm).is_ok_and(|info| info.topology == bellwether_core::TopologyKind::TwoWayRing)
}

/// Every link once: `0–1, 0–3`.
fn links(network: &Network) -> String {
    let pairs = (0..network.nodes()).flat_map(|node| {
        let mut far: Vec<_> = network.neighbours(node).filter(|far| *far > node).collect();
        far.sort_unstable();
        far.into_iter().map(move |far| format!("{node}–{far}"))
    });
    pairs.collect::<Vec<_>>().join(", ")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// For the screen and for paper: an exercise is not torn apart.
const STYLE: &str = "\
:root{color-scheme:light}\
body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}\
h1{font-size:1.5rem}h2{font-size:1.1rem}section{break-inside:avoid;border-top:1px solid #999;padding-top:.5rem}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem}dt{font-weight:600}dd{margin:0}\
img{max-width:100%;max-height:22rem}pre{background:#f3f3f3;padding:.5rem;overflow-x:auto}\
.answer span{display:inline-block;min-width:16rem;border-bottom:1px solid #111;height:1.2em}\
@media print{body{margin:0;max-width:none}pre{background:none;border:1px solid #999}}";
