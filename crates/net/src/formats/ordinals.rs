//! Lines of numbers, in formats that number the nodes from 1: Pajek, METIS, DIMACS and MatrixMarket.

use super::Assembly;
use crate::Node;

/// A line, with its number from 1.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    pub number: usize,
    pub text: &'a str,
}

/// The lines of a text that are no `%` comments.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let numbered = text.lines().enumerate().map(|(index, text)| Line { number: index + 1, text: text.trim() });
    numbered.filter(|line| !line.text.starts_with('%'))
}

impl<'a> Line<'a> {
    pub fn words(self) -> impl Iterator<Item = &'a str> {
        self.text.split_whitespace()
    }

    /// An error message with this line.
    pub fn wrong(self, what: impl std::fmt::Display) -> String {
        format!("line {}: {what}", self.number)
    }

    /// The number that a word is, if it is there. `shape` says how the line should look.
    pub fn count(self, word: Option<&str>, shape: &str) -> Result<u32, String> {
        let word = word.ok_or_else(|| self.wrong(format!("a number is missing: {shape}")))?;
        let most = Node::MAX;
        word.parse().map_err(|_| self.wrong(format!("'{word}' is no number from 0 to {most}: {shape}")))
    }

    /// The node that a word numbers.
    pub fn node(self, word: Option<&str>, nodes: u32) -> Result<Node, String> {
        let word = word.ok_or_else(|| self.wrong("a link has two ends, and one is missing"))?;
        let number = word.parse().ok().filter(|number| (1..=nodes).contains(number));
        let number =
            number.ok_or_else(|| self.wrong(format!("'{word}' is no node: they are numbered 1 to {nodes}")))?;
        Ok(number - 1)
    }

    /// Adds the link between the next two words.
    pub fn link(self, words: &mut dyn Iterator<Item = &str>, assembly: &mut Assembly) -> Result<(), String> {
        let nodes = assembly.nodes();
        let (a, b) = (self.node(words.next(), nodes)?, self.node(words.next(), nodes)?);
        assembly.link(a, b, || self.number)
    }
}
