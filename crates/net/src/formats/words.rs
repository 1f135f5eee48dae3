//! Lines of words, for edge lists and adjacency lists.
//!
//! Tabs separate words, if the text has tabs outside quotes, brackets, data and comments. Otherwise commas do, if it
//! has commas there. Names may contain blanks then. In all other texts blanks separate words.
//!
//! `#` or `//` begins a comment, and so does `%` at the beginning of a line. `{` begins data, to the end of the line. A
//! word in double quotes is written as in JSON, or between tabs or commas as in CSV. A word in brackets, such as `(0,
//! 1)`, ends at the closing bracket.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};

use smallvec::SmallVec;

use crate::{Network, Node};

/// A text whose lines are made of words.
#[derive(Clone, Copy)]
pub struct Lines<'a> {
    text: &'a str,
    /// What separates its words.
    pub separator: Separator,
}

/// What separates words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    Blanks,
    Tabs,
    Commas,
}

impl fmt::Display for Separator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blanks => "blank",
            Self::Tabs => "tab",
            Self::Commas => "comma",
        })
    }
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        let [mut tabs, mut commas] = [false; 2];
        for (_, line) in contents(text) {
            let found = separators(line);
            tabs |= found[0];
            commas |= found[1];
        }
        let separator = match (tabs, commas) {
            (true, _) => Separator::Tabs,
            (false, true) => Separator::Commas,
            (false, false) => Separator::Blanks,
        };
        Self { text, separator }
    }

    /// The lines that have words, with their numbers from 1.
    pub fn rows(self) -> impl Iterator<Item = Result<Row<'a>, String>> {
        let row = move |(line, text)| Row::new(line, text, self.separator);
        contents(self.text).map(row).filter(|row| !row.as_ref().is_ok_and(|row| row.words.is_empty()))
    }
}

/// The lines that are neither empty nor `%` comments, trimmed, with their numbers from 1.
fn contents(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('%'))
}

/// Whether a line has tabs and commas, respectively, before a word and outside quotes, brackets, data and comments.
fn separators(line: &str) -> [bool; 2] {
    if line.bytes().all(|byte| byte == b' ' || is_part_of_plain_name(byte)) {
        return [false; 2];
    }
    let (mut found, mut passed) = ([false; 2], [false; 2]);
    let (mut rest, mut begins) = (line, true);
    while let Some(first) = rest.chars().next() {
        let end = match first {
            _ if begins && (first == '{' || is_comment(rest)) => None,
            '"' if begins => closing_quote(rest),
            '(' if begins => closing_bracket(rest),
            _ => Some(first.len_utf8()),
        };
        let Some(end) = end else { break };
        begins = first.is_whitespace() || first == ',';
        passed = [passed[0] || first == '\t', passed[1] || first == ','];
        if !begins {
            found = passed;
        }
        rest = &rest[end..];
    }
    found
}

/// The words of a line.
pub struct Row<'a> {
    pub line: usize,
    /// Nearly always two: these need no allocation.
    pub words: SmallVec<[Word<'a>; 2]>,
    /// Whether data in braces follows them.
    pub has_data: bool,
}

/// A word, and whether it was in quotes.
pub struct Word<'a> {
    text: Cow<'a, str>,
    quoted: bool,
}

impl<'a> Row<'a> {
    fn new(line: usize, text: &'a str, separator: Separator) -> Result<Self, String> {
        let mut row = Self { line, words: SmallVec::new(), has_data: false };
        let mut rest = text;
        while !is_comment(rest) {
            if rest.starts_with('{') {
                row.has_data = true;
                break;
            }
            let (word, after) = Word::first(rest, separator).map_err(|error| format!("line {line}: {error}"))?;
            row.words.push(word);
            let after = after.trim_start_matches(|c: char| c.is_whitespace() && c != '\t');
            rest = match separator {
                _ if after.is_empty() => break,
                Separator::Commas => after.strip_prefix(',').unwrap_or(after).trim_start(),
                Separator::Blanks | Separator::Tabs => after.trim_start(),
            };
        }
        if row.has_data && row.words.is_empty() {
            return Err(format!("line {line}: there is data without the names of a link"));
        }
        Ok(row)
    }

    /// The word at this index, as a name.
    ///
    /// # Errors
    /// If it looks like something other than a name.
    pub fn name(&self, index: usize) -> Result<&str, String> {
        let word = &self.words[index];
        match complaint(&word.text) {
            Some(complaint) if !word.quoted => Err(format!("line {}: {complaint}", self.line)),
            _ => Ok(&word.text),
        }
    }

    /// The words, without a check.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| &*word.text)
    }

    /// Whether the line is one word that contains blanks.
    pub fn is_unseparated(&self) -> bool {
        matches!(&self.words[..], [word] if !word.quoted && !word.text.starts_with('(') && word.text.contains(' '))
    }
}

impl<'a> Word<'a> {
    /// The first word of a text, and the rest.
    fn first(text: &'a str, separator: Separator) -> Result<(Self, &'a str), String> {
        let separates = |c: char| match separator {
            Separator::Blanks => c.is_whitespace(),
            Separator::Tabs => c == '\t',
            Separator::Commas => c == ',',
        };
        if text.starts_with('"') {
            let (word, after) = if separator == Separator::Blanks { quoted_as_in_json(text) } else { quoted(text) }?;
            if after.starts_with(|c: char| !separates(c) && !c.is_whitespace()) {
                return Err(format!("something follows a closing quote: {}", &text[..text.len() - after.len()]));
            }
            return Ok((Self { text: word, quoted: true }, after));
        }
        let brackets = if text.starts_with('(') { closing_bracket(text).unwrap_or(text.len()) } else { 0 };
        let end = text[brackets..].find(separates).map_or(text.len(), |end| brackets + end);
        let (word, after) = text.split_at(end);
        Ok((Self { text: word.trim_end().into(), quoted: false }, after))
    }
}

/// Whether a word is clearly a name, as nearly all are.
fn is_plain_name(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(is_part_of_plain_name)
}

fn is_part_of_plain_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The reason why a word is probably not a name.
fn complaint(word: &str) -> Option<String> {
    if is_plain_name(word) {
        return None;
    }
    let quotes = "put names such as this in double quotes";
    if word.is_empty() {
        return Some("a name is missing".into());
    }
    if ["-", "--", "<-", "=>", "|"].contains(&word) || word.contains("->") {
        return Some(format!("'{word}' is no name: a line has names only, as in 'a b'; or {quotes}"));
    }
    if word.ends_with([':', ',']) {
        return Some(format!("'{word}' does not end as a name does: a line has names only, as in 'a b'; or {quotes}"));
    }
    if word.contains(';') {
        return Some(format!("'{word}' has a ';', which separates nothing: take tabs, commas or blanks; or {quotes}"));
    }
    if word.contains(" #") || word.contains(" //") {
        return Some(format!("'{word}' may end with a comment: give comments lines of their own; or {quotes}"));
    }
    None
}

fn is_comment(text: &str) -> bool {
    text.starts_with('#') || text.starts_with("//")
}

fn quoted_as_in_json(text: &str) -> Result<(Cow<'_, str>, &str), String> {
    let end = closing_quote(text).ok_or("a quote is not closed")?;
    let word = serde_json::from_str::<String>(&text[..end]);
    let word = word.map_err(|_| format!("{} is not quoted as in JSON, as in \"a \\\"b\\\"\"", &text[..end]))?;
    Ok((word.into(), &text[end..]))
}

/// Reads a word in quotes as in CSV: a quote within it is written twice.
fn quoted(text: &str) -> Result<(Cow<'_, str>, &str), String> {
    let mut end = 1;
    loop {
        end += text[end..].find('"').ok_or("a quote is not closed")? + 1;
        if !text[end..].starts_with('"') {
            return Ok((text[1..end - 1].replace("\"\"", "\"").into(), &text[end..]));
        }
        end += 1;
    }
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

/// The place after the bracket that closes the first.
fn closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(index + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Writes the name of a node so that it is read back as one word.
pub fn write_name(network: &Network, node: Node, out: &mut impl Write) -> io::Result<()> {
    match network.names.get(node as usize) {
        Some(name) => write(name, out),
        None => out.write_all(itoa::Buffer::new().format(node).as_bytes()),
    }
}

/// Writes a word so that it is read back as one word.
fn write(word: &str, out: &mut impl Write) -> io::Result<()> {
    let is_special =
        |c: char| c.is_whitespace() || c == ',' || c == '"' || c == '#' || c == '\u{feff}' || c.is_control();
    let is_plain = !word.contains(is_special) && !word.starts_with(['(', '{', '[', '<', '%', '>', ':', '&', '*']);
    if is_plain && complaint(word).is_none() && !word.starts_with("//") && !is_keyword(word) {
        return out.write_all(word.as_bytes());
    }
    serde_json::to_writer(out, word).map_err(io::Error::from)
}

/// Whether a text of another format could begin with this word.
fn is_keyword(word: &str) -> bool {
    ["graph", "digraph", "strict", "LEDA.GRAPH"].iter().any(|keyword| word.eq_ignore_ascii_case(keyword))
}
