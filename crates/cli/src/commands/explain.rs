//! `bellwether explain`: the head of the algorithm's own file, its assumptions and its costs; or a story.

use std::io::{self, Write};
use std::process::ExitCode;

use bellwether_algorithms::registry::{CATALOGUE, PERPETUAL};
use bellwether_ask::Refusal;
use bellwether_catalogue::errata::{ERRATA, Erratum};
use bellwether_console::failure::{Done, Failure};
use bellwether_console::style::{BOLD, DIM};
use bellwether_console::table::{align, width};
use bellwether_core::{Formula, Info, Phases, Size, Starts, TopologyKind};
use bellwether_tell::{ERRATA_STORY, STORIES, terms, values};
use bellwether_world::numbers::{number, plain};
use serde_json::json;

use crate::args::ExplainArgs;

/// What can be explained.
fn overview(out: &mut dyn Write, json: bool) -> io::Result<ExitCode> {
    let stories: Vec<&str> = STORIES.iter().map(|(name, _)| *name).chain(["errata"]).collect();
    if json {
        let algorithms: Vec<&str> = CATALOGUE.iter().chain(PERPETUAL).map(|info| info.name).collect();
        writeln!(out, "{}", json!({"stories": stories, "algorithms": algorithms}))?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{BOLD}Stories{BOLD:#}\n\n  {}\n\n{BOLD}Algorithms{BOLD:#}\n", stories.join(", "))?;
    let all = CATALOGUE.iter().chain(PERPETUAL);
    let rows: Vec<_> = all.map(|info| vec![format!("  {}", info.name), info.summary.into()]).collect();
    for line in align(&rows, &[]) {
        writeln!(out, "{line}")?;
    }
    writeln!(out, "\nbellwether explain NAME tells one of them.")?;
    Ok(ExitCode::SUCCESS)
}

/// Explains an algorithm, or tells a story.
pub fn explain(args: &ExplainArgs) -> Done {
    let mut out = anstream::stdout().lock();
    let Some(what) = &args.what else { return Ok(overview(&mut out, args.json)?) };
    if let Some((name, story)) = STORIES.iter().find(|(name, _)| name == what) {
        if args.json {
            writeln!(out, "{}", json!({"name": name, "explanation": story}))?;
        } else {
            text(&mut out, story)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    if what == "errata" {
        return list_errata(&mut out, args.json);
    }
    if let Some(erratum) = ERRATA.iter().find(|erratum| *what == full_name(erratum)) {
        if args.json {
            writeln!(out, "{}", as_json(erratum))?;
        } else {
            text(&mut out, erratum.text)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let info = bellwether_ask::algorithm(what).map_err(|refusal| with_stories(&refusal, what))?;
    if args.json {
        let costs: Vec<_> = costs(info, args.nodes)
            .into_iter()
            .map(|Cost { what, formula, value }| {
                json!({"what": what, "formula": formula, "nodes": args.nodes, "value": value.map(plain)})
            })
            .collect();
        let terms: serde_json::Map<_, _> =
            terms(info).into_iter().map(|(name, text)| (name.into(), json!(text))).collect();
        let example = format!("bellwether run {} {}", info.name, info.example);
        let explanation = info.explanation();
        let (name, aliases, paper) = (info.name, info.aliases, info.paper);
        writeln!(
            out,
            "{}",
            json!({
                "name": name,
                "aliases": aliases,
                "explanation": explanation,
                "terms": terms,
                "costs": costs,
                "paper": paper,
                "example": example,
            })
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    text(&mut out, &info.explanation())?;
    writeln!(out, "{BOLD}Assumes and promises{BOLD:#}\n")?;
    for (name, text) in terms(info) {
        writeln!(out, "  {name:<10} {text}")?;
    }
    let costs = if info.perpetual { vec![] } else { costs(info, args.nodes) };
    if !costs.is_empty() {
        heading(&mut out, &format!("Costs, and what that is for {} nodes", args.nodes))?;
    }
    let rows: Vec<_> = costs
        .iter()
        .map(|cost| vec![format!("  {}", cost.what), cost.formula.into(), cost.value.map_or(String::new(), number)])
        .collect();
    for line in align(&rows, &[2]) {
        writeln!(out, "{line}")?;
    }
    if let Some(needed) = &info.bounds.needed {
        writeln!(out, "\n{}", filled(&format!("Lower bound. {}", needed.theorem)))?;
    }
    let legend = legend(info, &costs);
    if !legend.is_empty() {
        writeln!(out, "\n{DIM}{}{DIM:#}", filled(&legend))?;
    }
    if !info.settings.is_empty() {
        heading(&mut out, "Parameters")?;
        for setting in info.settings {
            writeln!(out, "  --set {}=VALUE   {} ({})", setting.name, setting.help, values(&setting.values))?;
        }
    }
    if !info.aliases.is_empty() {
        heading(&mut out, "Also called")?;
        writeln!(out, "  {}", info.aliases.join(", "))?;
    }
    heading(&mut out, "Paper")?;
    writeln!(out, "{}", filled(info.paper))?;
    heading(&mut out, "Try")?;
    writeln!(out, "  bellwether run {} {}", info.name, info.example)?;
    Ok(ExitCode::SUCCESS)
}

/// What an erratum is called here.
fn full_name(erratum: &Erratum) -> String {
    format!("{}/{}", erratum.algorithm, erratum.name)
}

fn as_json(erratum: &Erratum) -> serde_json::Value {
    json!({
        "algorithm": erratum.algorithm,
        "name": erratum.name,
        "title": erratum.title(),
        "printed": erratum.printed(),
        "wrong": erratum.wrong(),
        "question": erratum.question(),
        "command": erratum.command(),
    })
}

/// Lists all errata.
fn list_errata(out: &mut dyn Write, as_objects: bool) -> Done {
    if as_objects {
        writeln!(out, "{}", ERRATA.iter().map(as_json).collect::<serde_json::Value>())?;
        return Ok(ExitCode::SUCCESS);
    }
    text(out, ERRATA_STORY)?;
    for erratum in ERRATA {
        let title = format!("{}: {}", erratum.title(), full_name(erratum));
        text(out, &format!("## {title}\n\n{}\n\n{}\n", erratum.printed(), erratum.wrong()))?;
        writeln!(out, "  {}\n", erratum.command())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The refusal of an unknown algorithm, with a hint at the stories.
fn with_stories(refusal: &Refusal, what: &str) -> Failure {
    let names: Vec<_> = STORIES.iter().map(|(name, _)| *name).chain(["errata"]).collect();
    let stories = format!("the stories are {}", names.join(", "));
    Failure::Usage(match names.iter().find(|name| strsim::jaro_winkler(name, what) > 0.85) {
        Some(meant) => format!("there is no story '{what}': did you mean {meant}? {stories}"),
        None => format!("{refusal}; {stories}"),
    })
}

/// A row of the costs.
struct Cost {
    what: String,
    formula: &'static str,
    value: Option<f64>,
}

/// The example for which costs are computed: all possible initiators start, ids begin with 1, and any network is a
/// ring.
fn size(info: &Info, nodes: u64) -> Size {
    let n = nodes as f64;
    let k = if info.starts == Starts::One { 1.0 } else { n };
    let (m, d) = match info.topology {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing | TopologyKind::Connected => (n, (n / 2.0).floor()),
        TopologyKind::Tree => (n - 1.0, n - 1.0),
        TopologyKind::Complete => (n * (n - 1.0) / 2.0, 1.0),
    };
    Size { n, k, min: 1.0, m, d, flood: false }
}

/// The meaning of the letters that occur in the formulas, and of the numbers beside them.
fn legend(info: &Info, costs: &[Cost]) -> String {
    // The word "min" contains a letter with another meaning.
    let formulas = costs.iter().map(|cost| cost.formula.replace("min", "μ")).collect::<String>();
    let used = |letter: &str, text: &'static str| Some(text).filter(|_| formulas.contains(letter));
    let list = |parts: &[Option<&str>], by: &str| parts.iter().flatten().copied().collect::<Vec<_>>().join(by);
    let start = if info.starts == Starts::One { "k = 1 initiator" } else { "k = n initiators" };
    let letters = list(&[used("m", "m links"), used("D", "diameter D")], ", ");
    let mut numbers = list(&[used("k", start), used("μ", "the smallest id min = 1")], " and ");
    if info.topology == TopologyKind::Connected {
        let on = if numbers.is_empty() { "a ring" } else { " on a ring" };
        numbers += &format!("{on}, where {}", list(&[used("m", "m = n"), used("D", "D = ⌊n/2⌋")], " and "));
    }
    let numbers = if numbers.is_empty() { numbers } else { format!("Numbers are for {numbers}") };
    let functions = list(
        &[used("H_", "H_n = 1 + 1/2 + … + 1/n"), used("lg", "lg is to base 2"), used("E_", "the remarks define E_n")],
        ", ",
    );
    let sentences = [letters, numbers, functions].into_iter().filter(|sentence| !sentence.is_empty());
    sentences.map(|sentence| sentence + ".").collect::<Vec<_>>().join(" ")
}

/// The costs of an algorithm in the example.
fn costs(info: &Info, nodes: u64) -> Vec<Cost> {
    let size = size(info, nodes);
    let bounds = &info.bounds;
    let time =
        if info.model == bellwether_core::Model::Synchronous { "rounds, at most" } else { "time units, at most" };
    let (phases, phase) = info.phases.map_or(("", ""), |phases| (phases.name, phases.one()));
    let of_phases = |formula: fn(Phases) -> Option<Formula>| info.phases.and_then(formula);
    let rows = [
        ("messages to elect, at least".into(), bounds.best),
        ("messages to elect, on average".into(), bounds.mean),
        ("messages to elect, at most".into(), bounds.worst),
        ("messages to announce".into(), Some(bounds.announce)),
        (time.into(), bounds.time),
        ("messages to elect, needed by any such algorithm".into(), bounds.needed.map(|needed| needed.messages)),
        (format!("{phases}, at most"), of_phases(|phases| phases.most)),
        (format!("{phases}, on average"), of_phases(|phases| phases.mean)),
        (format!("messages to elect in a {phase}, at most"), of_phases(|phases| Some(phases.messages))),
    ];
    rows.into_iter()
        .filter_map(|(what, formula)| {
            let Formula { text, of } = formula?;
            Some(Cost { what, formula: text, value: Some(of(size)).filter(|value| value.is_finite()) })
        })
        .collect()
}

/// Prints the Markdown of an algorithm's head: headings, paragraphs and a block of rules.
fn text(out: &mut dyn Write, markdown: &str) -> io::Result<()> {
    let mut paragraph = String::new();
    let mut verbatim = false;
    for line in markdown.lines().chain([""]) {
        if line.starts_with("```") {
            verbatim = !verbatim;
        } else if verbatim {
            writeln!(out, "  {line}")?;
        } else if let Some(title) = line.strip_prefix("## ").or(line.strip_prefix("# ")) {
            writeln!(out, "{BOLD}{title}{BOLD:#}")?;
        } else if line.is_empty() {
            if !paragraph.is_empty() {
                writeln!(out, "{}", filled(&std::mem::take(&mut paragraph)))?;
            }
            writeln!(out)?;
        } else {
            paragraph.push_str(&line.replace(['*', '`'], ""));
            paragraph.push(' ');
        }
    }
    Ok(())
}

/// A paragraph, indented and filled to the width of the terminal, up to 100 columns.
fn filled(paragraph: &str) -> String {
    let options = textwrap::Options::new(width().min(100)).initial_indent("  ").subsequent_indent("  ");
    textwrap::fill(paragraph.trim_end(), options)
}

fn heading(out: &mut dyn Write, title: &str) -> io::Result<()> {
    writeln!(out, "\n{BOLD}{title}{BOLD:#}\n")
}
