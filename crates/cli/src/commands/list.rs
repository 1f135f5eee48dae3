//! `bellwether list`: the catalogue as a table.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use bellwether_algorithms::registry::{CATALOGUE, PERPETUAL};
use bellwether_console::failure::Done;
use bellwether_console::style::{BOLD, DIM};
use bellwether_console::table::{align, width};
use bellwether_core::{Info, Knowledge};
use bellwether_tell::{values, winner};
use serde_json::{Value, json};

use crate::args::ListArgs;

/// Shows the catalogue.
pub fn list(args: &ListArgs) -> Done {
    let mut out = anstream::stdout().lock();
    if args.json {
        let entries: Vec<Value> = CATALOGUE.iter().copied().map(entry).collect();
        writeln!(out, "{}", json!(entries))?;
        return Ok(ExitCode::SUCCESS);
    }
    let width = if std::io::stdout().is_terminal() { width() } else { usize::MAX };
    let (lines, left_out) = table(rows(), width);
    for (index, line) in lines.iter().enumerate() {
        let style = if index == 0 { BOLD } else { anstyle::Style::new() };
        writeln!(out, "{style}{line}{style:#}")?;
    }
    writeln!(out)?;
    let others: Vec<&str> = PERPETUAL.iter().map(|info| info.name).collect();
    let others = format!("Never ending, so without such costs: {}.", others.join(", "));
    let legend = "n nodes, k of them start, m links, diameter D, lg is to base 2. Announcements come on top.";
    let wider = format!("A wider terminal also shows: {}.", left_out.join(", "));
    let more = "bellwether explain NAME tells more; bellwether run NAME holds an election.";
    let has_formulas = !left_out.contains(&"knows");
    let notes = [(has_formulas, legend), (!left_out.is_empty(), &wider), (true, &others), (true, more)];
    for (_, note) in notes.into_iter().filter(|(applies, _)| *applies) {
        writeln!(out, "{DIM}{}{DIM:#}", textwrap::fill(note, width))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The columns that are removed if there is no space, in this order.
const DISPENSABLE: [&str; 5] = ["winner", "messages at most", "knows", "model", "network"];

/// The smallest width of the last column, which is wrapped.
const NARROWEST: usize = 30;

/// The table in lines of this width, and the columns that were removed. The last column, which describes the algorithm,
/// is always kept.
fn table(mut rows: Vec<Vec<String>>, width: usize) -> (Vec<String>, Vec<&'static str>) {
    let front = |rows: &[Vec<String>]| {
        let cells = |row: &Vec<String>| row[..row.len() - 1].iter().cloned().chain([String::new()]).collect();
        let lines = align(&rows.iter().map(cells).collect::<Vec<_>>(), &[]);
        lines.iter().map(|line| line.chars().count()).max().unwrap_or(0) + 2
    };
    let widest = rows.iter().filter_map(|row| row.last()).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let mut left_out = vec![];
    let mut dispensable = DISPENSABLE.iter();
    // If everything fits, no column is removed. Otherwise the last column is wrapped, and columns are removed to keep
    // it readable.
    if front(&rows).saturating_add(widest) > width {
        while front(&rows) + NARROWEST > width
            && let Some(name) = dispensable.next()
        {
            let column = rows[0].iter().position(|title| title == name).expect("the table has it");
            rows.iter_mut().for_each(|row| drop(row.remove(column)));
            left_out.push(*name);
        }
    }
    let room = width.saturating_sub(front(&rows)).max(NARROWEST);
    let wrapped = rows.into_iter().flat_map(|mut row| {
        let last = row.pop().unwrap_or_default();
        let mut parts = textwrap::wrap(&last, room).into_iter().map(String::from);
        let blank = vec![String::new(); row.len()];
        row.extend(parts.next());
        let rest = parts.map(|part| blank.iter().cloned().chain([part]).collect::<Vec<_>>()).collect::<Vec<_>>();
        std::iter::once(row).chain(rest)
    });
    (align(&wrapped.collect::<Vec<_>>(), &[]), left_out)
}

/// The table: a header, then a row per algorithm.
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

/// The knowledge of a node, short enough for a table.
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

/// The JSON entry of an algorithm.
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
            "name": setting.name, "help": setting.help, "values": values(&setting.values),
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

    #[test]
    fn a_narrow_terminal_still_says_what_each_algorithm_is_about() {
        let widest = |lines: &[String]| lines.iter().map(|line| line.chars().count()).max().unwrap();
        let (lines, left_out) = table(rows(), usize::MAX);
        assert_eq!((lines.len(), left_out.len()), (CATALOGUE.len() + 1, 0));
        let (lines, left_out) = table(rows(), 80);
        assert_eq!(left_out, ["winner", "messages at most", "knows", "model"]);
        assert!(widest(&lines) <= 80);
        assert_eq!(lines[0], "algorithm                    network          in a line");
        assert_eq!(lines[1], "chang-roberts                one-way ring     larger ids pass, smaller ones are");
        assert_eq!(lines[2], "                                              swallowed");
        let (lines, left_out) = table(rows(), 40);
        assert_eq!((left_out, widest(&lines)), (DISPENSABLE.to_vec(), 29 + NARROWEST));
    }

    /// The catalogue as Markdown, for the README, in few columns.
    fn markdown() -> String {
        let mut text = String::new();
        let columns = [0, 1, 2, 5, 6];
        for (index, row) in rows().iter().enumerate() {
            let row = columns.map(|column| &row[column][..]);
            text += &format!("| {} |\n", row.join(" | "));
            if index == 0 {
                text += &format!("|{}\n", " --- |".repeat(row.len()));
            }
        }
        text
    }

    /// `BLESS=1 cargo test` writes the catalogue into the README. Without it the test compares them.
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
