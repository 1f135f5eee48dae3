//! Columns of text.

use std::io::IsTerminal;

/// The width of text: COLUMNS if it is set, or the width of the terminal, or 100.
pub fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|text| text.parse::<usize>().ok());
    let seen = || std::io::stdout().is_terminal().then(textwrap::termwidth);
    said.or_else(seen).unwrap_or(100).clamp(20, 1000)
}

/// Rows as lines, with every column as wide as its widest cell. The columns in `right` are flush right.
pub fn align(rows: &[Vec<String>], right: &[usize]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |text: &str| text.chars().count();
    let widths: Vec<usize> = (0..columns)
        .map(|c| rows.iter().filter_map(|row| row.get(c)).map(|cell| width(cell)).max().unwrap_or(0))
        .collect();
    let cell = |(column, text): (usize, &String)| {
        let padding = " ".repeat(widths[column] - width(text));
        if right.contains(&column) { padding + text } else { format!("{text}{padding}") }
    };
    rows.iter()
        .map(|row| row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_string())
        .collect()
}
