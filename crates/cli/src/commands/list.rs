//! `bellwether list`: the catalogue as a table.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::{Info, Knowledge};
use serde_json::{Value, json};

use crate::args::ListArgs;
use crate::failure::Done;
use crate::show::{BOLD, DIM, winner};
use crate::table::{align, width};

/// Shows the catalogue.
pub fn list(args: &ListArgs) -> Done {
    let mut out = anstream::stdout().lock();
    if args.json {
        let entries: Vec<Value> = CATALOGUE.iter().copied().map(entry).collect();
        writeln!(out, "{}", json!(entries))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut rows = rows();
    let fits = |lines: &[String]| lines.iter().all(|line| line.chars().count() <= width());
    let mut lines = align(&rows, &[]);
    // A narrow terminal does without the columns on the right.
    while std::io::stdout().is_terminal() && !fits(&lines) && rows[0].len() > 1 {
        rows.iter_mut().for_each(|row| drop(row.pop()));
        lines = align(&rows, &[]);
    }
    for (index, line) in lines.iter().enumerate() {
        let style = if index == 0 { BOLD } else { anstyle::Style::new() };
        writeln!(out, "{style}{line}{style:#}")?;
    }
    writeln!(
        out,
        "\n{DIM}n nodes, k of them start, m links, diameter D, lg is to base 2. Announcements come on top.{DIM:#}"
    )?;
    writeln!(out, "{DIM}bellwether explain NAME tells more; bellwether run NAME holds an election.{DIM:#}")?;
    Ok(ExitCode::SUCCESS)
}

/// The table: a head, then a row an algorithm.
fn rows() -> Vec<Vec<String>> {
    let head = ["algorithm", "network", "model", "knows", "winner", "messages at most", "in a line"];
    let row = |info: &&Info| {
        let knows: Vec<_> = info.knows.iter().map(|item| in_a_word(*item)).collect();
        vec![
            info.name.into(),
            info.topology.to_string(),
            info.model.to_string(),
            if knows.is_empty() { "nothing".into() } else { knows.join(", ") },
            winner(info).into(),
            most(info).into(),
            info.summary.into(),
        ]
    };
    std::iter::once(head.map(String::from).to_vec()).chain(CATALOGUE.iter().map(row)).collect()
}

/// What a node knows, short enough for a table.
fn in_a_word(knowledge: Knowledge) -> &'static str {
    match knowledge {
        Knowledge::Id => "id",
        Knowledge::Size => "n",
        Knowledge::Diameter => "D",
        Knowledge::Neighbours => "neighbours",
        Knowledge::MaxDelay => "delay",
    }
}

/// The bound on election messages, short enough for a table.
fn most(info: &Info) -> &'static str {
    match &info.bounds.worst {
        None => "unbounded",
        Some(formula) if formula.text.chars().count() > 24 => "O(n log n)",
        Some(formula) => formula.text,
    }
}

/// The entry of an algorithm for programs.
fn entry(info: &Info) -> Value {
    let bounds = &info.bounds;
    let text = |formula: &Option<bellwether_core::Formula>| formula.as_ref().map(|formula| formula.text);
    json!({
        "name": info.name,
        "aliases": info.aliases,
        "summary": info.summary,
        "paper": info.paper,
        "topology": info.topology.to_string(),
        "model": info.model.to_string(),
        "anonymous": info.is_anonymous(),
        "knows": info.knows.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "randomised": info.randomised,
        "repeatable": info.repeatable,
        "winner": winner(info),
        "settings": info.settings.iter().map(|setting| json!({
            "name": setting.name, "help": setting.help, "values": crate::show::values(&setting.values),
        })).collect::<Vec<_>>(),
        "bounds": {
            "best": text(&bounds.best), "mean": text(&bounds.mean), "worst": text(&bounds.worst),
            "announce": bounds.announce.text, "time": text(&bounds.time),
        },
        "example": format!("bellwether run {} {}", info.name, info.example),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The catalogue as Markdown, for the README.
    fn markdown() -> String {
        let mut text = String::new();
        for (index, row) in rows().iter().enumerate() {
            text += &format!("| {} |\n", row.join(" | "));
            if index == 0 {
                text += &format!("|{}\n", " --- |".repeat(row.len()));
            }
        }
        text
    }

    /// `BLESS=1 cargo test` writes the catalogue into the README; otherwise it must be there.
    #[test]
    fn the_readme_has_the_catalogue() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
        let readme = std::fs::read_to_string(path).unwrap();
        let (begin, end) = ("<!-- catalogue -->\n", "<!-- /catalogue -->");
        let (before, rest) = readme.split_once(begin).unwrap();
        let (inside, after) = rest.split_once(end).unwrap();
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, format!("{before}{begin}{}{end}{after}", markdown())).unwrap();
            return;
        }
        assert_eq!(inside, markdown(), "the README's catalogue is out of date: BLESS=1 cargo test renews it");
    }
}
