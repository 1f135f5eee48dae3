//! Formats that are recognized but not read.

use super::words::Lines;

/// The name of the format of a text, if another program wrote it and it is not read here.
pub fn name(text: &str) -> Option<&'static str> {
    let start = text.trim_start();
    let first = start.lines().next().unwrap_or_default();
    let words: Vec<&str> = start.split_whitespace().take(5).collect();
    let begins = |prefix: &str| first.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    if begins(">>digraph6<<") || first.starts_with('&') {
        return Some("digraph6");
    }
    if begins("LEDA.GRAPH") {
        return Some("LEDA");
    }
    if words.len() > 4 && words[0] == "graph" && words[1..4].iter().all(|word| word.parse::<f64>().is_ok()) {
        return Some("the output of dot -Tplain");
    }
    if is_lgl(start) {
        return Some("LGL");
    }
    let lines = Lines::new(text);
    if is_matrix(lines) {
        return Some("an adjacency matrix");
    }
    is_multiline(lines).then_some("a multiline adjacency list")
}

/// Whether every line has one name, perhaps with a weight, and some begin with # and a name: neighbours under a node.
fn is_lgl(text: &str) -> bool {
    let (mut heads, mut neighbours) = (0, 0);
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["#", _] => heads += 1,
            [_] if heads > 0 => neighbours += 1,
            [_, weight] if heads > 0 && weight.parse::<f64>().is_ok_and(|weight| weight.fract() != 0.0) => {
                neighbours += 1;
            }
            [] => {}
            _ => return false,
        }
    }
    heads > 1 && neighbours > 0
}

/// Whether a text is a square matrix of at least three rows, with only 0 and 1 or with a diagonal of zeros.
fn is_matrix(lines: Lines) -> bool {
    let (mut rows, mut columns, mut binary, mut hollow) = (0, None, true, true);
    for row in lines.rows() {
        let Ok(row) = row else { return false };
        let is_wide = *columns.get_or_insert(row.words.len()) == row.words.len();
        if !is_wide || row.words.len() < 3 || rows >= row.words.len() {
            return false;
        }
        for (column, word) in row.texts().enumerate() {
            let Ok(number) = word.parse::<f64>() else { return false };
            binary &= number == 0.0 || number == 1.0;
            hollow &= column != rows || number == 0.0;
        }
        rows += 1;
    }
    Some(rows) == columns && (binary || hollow)
}

/// Whether every node has a line with its number of neighbours, followed by one line per neighbour. The last node has
/// no neighbours left.
fn is_multiline(lines: Lines) -> bool {
    let (mut neighbours, mut last) = (0, None);
    for row in lines.rows() {
        let Ok(row) = row else { return false };
        let words: Vec<&str> = row.texts().collect();
        match words[..] {
            [_] if neighbours > 0 => neighbours -= 1,
            [_, count] if neighbours == 0 && !row.has_data => {
                let Ok(count) = count.parse::<u64>() else { return false };
                (neighbours, last) = (count, Some((row.line, count)));
            }
            _ => return false,
        }
    }
    neighbours == 0 && last.is_some_and(|(line, count)| line > 1 && count == 0)
}
