//! GML: keys and values, as in `graph [ node [ id 0 label "a" ] edge [ source 0 target 1 ] ]`. Unknown keys are
//! skipped.

use std::borrow::Cow;

use quick_xml::escape::unescape;

use super::Assembly;

/// Whether a text begins like GML: other keys may come before `graph [`.
pub fn is_gml(text: &str) -> bool {
    let mut tokens = Tokens { text, place: 0, line: 1 };
    let mut is_graph = false;
    for _ in 0..60 {
        match tokens.next() {
            Ok(Token::Open) => return is_graph,
            Ok(Token::Word(word)) => is_graph = word.eq_ignore_ascii_case("graph"),
            Ok(Token::Text(_)) => is_graph = false,
            Ok(Token::Close | Token::End) | Err(_) => return false,
        }
    }
    false
}

pub fn read(text: &str) -> Result<Assembly, String> {
    let mut reader = Reader {
        tokens: Tokens { text, place: 0, line: 1 },
        assembly: Assembly::default(),
        open: vec![],
        item: Item::default(),
        has_graph: false,
    };
    while reader.step()? {}
    Ok(reader.assembly)
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    assembly: Assembly,
    /// The lists that are not closed, from the outermost to the innermost.
    open: Vec<List>,
    /// The node or link that is being read.
    item: Item,
    has_graph: bool,
}

/// What a list describes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Graph,
    Node,
    Link,
    Other,
}

/// What was said about a node or a link.
#[derive(Default)]
struct Item {
    line: usize,
    id: Option<String>,
    label: Option<String>,
    name: Option<String>,
    source: Option<String>,
    target: Option<String>,
}

impl Reader<'_> {
    /// Reads a key and its value, or the end of a list. Tells whether the file goes on.
    fn step(&mut self) -> Result<bool, String> {
        let key = match self.tokens.next()? {
            Token::Word(key) => key.to_ascii_lowercase(),
            Token::Close => return self.close().map(|()| true),
            Token::End if !self.open.is_empty() => {
                return Err(self.tokens.wrong("the file ends within a list: ] is missing"));
            }
            Token::End if !self.has_graph => return Err(self.tokens.wrong("there is no graph [ .. ] in it")),
            Token::End => return Ok(false),
            Token::Open | Token::Text(_) => return Err(self.tokens.wrong("a key is wanted here, as in id 0")),
        };
        let value: Cow<str> = match self.tokens.next()? {
            Token::Open => return self.begin(&key).map(|()| true),
            Token::Word(word) => word.into(),
            Token::Text(text) => text,
            Token::Close | Token::End => return Err(self.tokens.wrong(&format!("the key {key} has no value"))),
        };
        let value = || Some(value.clone().into_owned());
        match (self.open.last(), &*key) {
            (Some(List::Graph), "directed") => self.assembly.directed |= value().as_deref() == Some("1"),
            (Some(List::Node), "id") => self.item.id = value(),
            (Some(List::Node), "label") => self.item.label = value(),
            (Some(List::Node), "name") => self.item.name = value(),
            (Some(List::Link), "source") => self.item.source = value(),
            (Some(List::Link), "target") => self.item.target = value(),
            _ => {}
        }
        Ok(true)
    }

    fn begin(&mut self, key: &str) -> Result<(), String> {
        let list = match (self.open.last(), key) {
            (None, "graph") if self.has_graph => {
                return Err(self.tokens.wrong("this is a second graph, and one is read"));
            }
            (None, "graph") => List::Graph,
            (Some(List::Graph), "node") => List::Node,
            (Some(List::Graph), "edge") => List::Link,
            _ => List::Other,
        };
        self.has_graph |= list == List::Graph;
        if list != List::Other {
            self.item = Item { line: self.tokens.line, ..Item::default() };
        }
        self.open.push(list);
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        let list = self.open.pop().ok_or_else(|| self.tokens.wrong("] closes no list"))?;
        let Item { line, id, label, name, source, target } = match list {
            List::Node | List::Link => std::mem::take(&mut self.item),
            List::Graph | List::Other => return Ok(()),
        };
        if list == List::Node {
            let id = id.ok_or_else(|| format!("line {line}: a node has no id, as in node [ id 0 ]"))?;
            if self.assembly.find(&id).is_some() {
                return Err(format!("line {line}: two nodes have the id {id}"));
            }
            let node = self.assembly.node(&id);
            if let Some(label) = label.or(name) {
                self.assembly.label(node, label);
            }
            return Ok(());
        }
        let (Some(source), Some(target)) = (source, target) else {
            return Err(format!("line {line}: an edge lacks an end, as in edge [ source 0 target 1 ]"));
        };
        let known = |end: &str| {
            let unknown = || format!("line {line}: an edge leads to {end}, but no node before it has that id");
            self.assembly.find(end).ok_or_else(unknown)
        };
        let (a, b) = (known(&source)?, known(&target)?);
        self.assembly.link(a, b, || line)
    }
}

/// A token of GML.
enum Token<'a> {
    /// A key, or a number.
    Word(&'a str),
    /// A text in quotes.
    Text(Cow<'a, str>),
    /// `[`
    Open,
    /// `]`
    Close,
    /// The end of the file.
    End,
}

/// The tokens of a text, one by one.
struct Tokens<'a> {
    text: &'a str,
    place: usize,
    /// The line of the last token.
    line: usize,
}

impl<'a> Tokens<'a> {
    fn wrong(&self, what: &str) -> String {
        format!("line {}: {what}", self.line)
    }

    /// Advances by this number of bytes, and counts the lines.
    fn pass(&mut self, bytes: usize) -> &'a str {
        let passed = &self.text[self.place..self.place + bytes];
        self.line += passed.bytes().filter(|&byte| byte == b'\n').count();
        self.place += bytes;
        passed
    }

    fn next(&mut self) -> Result<Token<'a>, String> {
        loop {
            let rest = &self.text[self.place..];
            self.pass(rest.len() - rest.trim_start().len());
            let rest = &self.text[self.place..];
            if !rest.starts_with('#') {
                break;
            }
            self.pass(rest.find('\n').unwrap_or(rest.len()));
        }
        let rest = &self.text[self.place..];
        match rest.chars().next() {
            None => Ok(Token::End),
            Some('[') => {
                self.pass(1);
                Ok(Token::Open)
            }
            Some(']') => {
                self.pass(1);
                Ok(Token::Close)
            }
            Some('"') => {
                let end = rest[1..].find('"').ok_or_else(|| self.wrong("a quote is not closed"))?;
                let text = &self.pass(end + 2)[1..=end];
                // An entity that XML does not have stays as it is.
                Ok(Token::Text(unescape(text).unwrap_or(text.into())))
            }
            Some(_) => {
                let end = rest.find(|c: char| c.is_whitespace() || ['[', ']', '"'].contains(&c));
                Ok(Token::Word(self.pass(end.unwrap_or(rest.len()))))
            }
        }
    }
}
