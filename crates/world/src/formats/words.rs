//! Lines of words, of which edge lists and adjacency lists are made.
//!
//! Words are separated by white space or commas. `#` or `//` begins a comment, and so does `%` at the beginning of a
//! line. A word in double quotes is written as in JSON; one in brackets, such as `(0, 1)`, goes to the closing one.

use std::borrow::Cow;
use std::io::{self, Write};

/// The lines that have words, with their numbers from 1.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, Words<'_>)> {
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let with_words = numbered.filter(|(_, line)| !line.trim_start().starts_with('%'));
    with_words.map(|(number, line)| (number, Words { line: number, rest: line }))
}

/// The words of a line.
pub struct Words<'a> {
    line: usize,
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// The next word; `None` at the end of the line, and at a comment.
    pub fn next(&mut self) -> Result<Option<Cow<'a, str>>, String> {
        self.rest = self.rest.trim_start_matches(is_separator);
        let rest = self.rest;
        let Some(first) = rest.chars().next().filter(|&first| first != '#' && !rest.starts_with("//")) else {
            return Ok(None);
        };
        let end = match first {
            '"' => {
                let end = closing_quote(rest).ok_or_else(|| format!("line {}: a quote is not closed", self.line))?;
                self.rest = &rest[end..];
                let word = serde_json::from_str::<String>(&rest[..end]);
                return word.map(|word| Some(word.into())).map_err(|_| {
                    format!("line {}: {} is not quoted as in JSON, as in \"a \\\"b\\\"\"", self.line, &rest[..end])
                });
            }
            '(' => rest.find(')').map(|end| end + 1),
            _ => rest.find(is_separator),
        };
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        Ok(Some(word.into()))
    }
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || c == ',' || c == '\u{feff}'
}

/// The place after the quote that closes the first.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(index + 1),
            _ => {}
        }
    }
    None
}

/// Whether lines are of different lengths and not followed by data: an adjacency list.
pub fn has_adjacency(text: &str) -> bool {
    let mut lengths = [false; 5];
    for (_, mut words) in lines(text) {
        let mut length = 0;
        while let Ok(Some(word)) = words.next() {
            if word.starts_with('{') {
                return false;
            }
            length += 1;
        }
        lengths[length.min(4)] = true;
    }
    let [_, _, pair, triple, more] = lengths;
    more || pair && triple
}

/// Writes a word so that it is read as one.
pub fn write(word: &str, out: &mut impl Write) -> io::Result<()> {
    let is_special = |c: char| is_separator(c) || c == '"' || c == '#' || c.is_control();
    let is_plain = !word.contains(is_special) && !word.starts_with(['(', '{', '[', '<', '%', '>']);
    if is_plain && !word.is_empty() && !word.starts_with("//") && !is_keyword(word) {
        return out.write_all(word.as_bytes());
    }
    serde_json::to_writer(out, word).map_err(io::Error::from)
}

/// Words with which a text of another format begins.
fn is_keyword(word: &str) -> bool {
    ["graph", "digraph", "strict"].iter().any(|keyword| word.eq_ignore_ascii_case(keyword))
}
