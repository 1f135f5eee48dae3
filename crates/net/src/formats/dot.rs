//! The DOT language of Graphviz. Attributes are skipped; a directed graph is read without its directions.

use std::io::{self, Write};
use std::ops::Range;

use super::{Assembly, links};
use crate::{Network, Node, Wiring};
use tokens::{Token, Tokens};

mod tokens;

/// The largest number of links made from subgraphs. A link between two subgraphs links all their nodes, so a short text
/// could give very many.
const MOST_LINKS: usize = 10_000_000;

/// Whether a text begins like DOT.
pub fn is_dot(text: &str) -> bool {
    Reader::new(text).head().is_ok()
}

pub fn read(text: &str) -> Result<Assembly, String> {
    Reader::new(text).read()
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    assembly: Assembly,
    /// Every mention of a node. The mentions within a subgraph are contiguous.
    mentions: Vec<Node>,
    /// The subgraphs that are not closed, from the outermost to the innermost.
    open: Vec<Subgraph>,
}

/// A subgraph while it is read, or the whole graph.
#[derive(Default)]
struct Subgraph {
    /// The index of its first mention.
    start: usize,
    /// The operand before `--`.
    left: Option<Range<usize>>,
    /// The last operand, if `--` may follow.
    last: Option<Range<usize>>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { tokens: Tokens::new(text), assembly: Assembly::default(), mentions: vec![], open: vec![] }
    }

    fn read(mut self) -> Result<Assembly, String> {
        self.head()?;
        self.open.push(Subgraph::default());
        while let Some(here) = self.open.last_mut() {
            let token = self.tokens.next()?;
            if here.left.is_some() && !matches!(token, Token::Id(_) | Token::Word(_) | Token::Open) {
                return Err(self.tokens.wrong("a node or a subgraph must follow -- or ->"));
            }
            match token {
                Token::Open => self.begin(),
                Token::Close => self.end()?,
                Token::Edge => match here.last.take() {
                    Some(last) => here.left = Some(last),
                    None => return Err(self.tokens.wrong("a node or a subgraph must stand before -- or ->")),
                },
                Token::Attributes => self.attributes()?,
                Token::Separator => here.last = None,
                Token::Word(_) if token.is("subgraph") => self.subgraph()?,
                Token::Word(_) if ["graph", "node", "edge"].iter().any(|word| token.is(word)) => here.last = None,
                Token::Id(_) | Token::Word(_) => self.statement(&token.text())?,
                Token::Equals | Token::Colon | Token::AttributesEnd => return Err(self.tokens.unexpected(&token)),
                Token::End => return Err(self.tokens.wrong("the graph ends without }")),
            }
        }
        match self.tokens.next()? {
            Token::End => Ok(self.assembly),
            _ => Err(self.tokens.wrong("something follows the graph, and one graph is read")),
        }
    }

    /// `[strict] (graph | digraph) [ID] {`
    fn head(&mut self) -> Result<(), String> {
        let mut token = self.tokens.next()?;
        if token.is("strict") {
            token = self.tokens.next()?;
        }
        if !token.is("graph") && !token.is("digraph") {
            return Err(self.tokens.wrong("DOT begins with graph or digraph"));
        }
        self.assembly.directed = token.is("digraph");
        token = self.tokens.next()?;
        if matches!(token, Token::Id(_) | Token::Word(_)) {
            token = self.tokens.next()?;
        }
        if !matches!(token, Token::Open) {
            return Err(self.tokens.wrong("{ must follow the name of the graph"));
        }
        Ok(())
    }

    /// `subgraph [ID] {`
    fn subgraph(&mut self) -> Result<(), String> {
        let mut token = self.tokens.next()?;
        if matches!(token, Token::Id(_) | Token::Word(_)) {
            token = self.tokens.next()?;
        }
        if !matches!(token, Token::Open) {
            return Err(self.tokens.wrong("{ must follow subgraph and its name"));
        }
        self.begin();
        Ok(())
    }

    fn begin(&mut self) {
        self.open.push(Subgraph { start: self.mentions.len(), ..Subgraph::default() });
    }

    fn end(&mut self) -> Result<(), String> {
        let Some(closed) = self.open.pop() else { return Ok(()) };
        if self.open.is_empty() { Ok(()) } else { self.operand(closed.start..self.mentions.len()) }
    }

    /// `ID = ID`, or `ID [: ID [: ID]]`
    fn statement(&mut self, name: &str) -> Result<(), String> {
        if matches!(self.tokens.peek()?, Token::Equals) {
            self.tokens.next()?;
            if let Some(here) = self.open.last_mut() {
                here.last = None;
            }
            return self.id("a value must follow =");
        }
        while matches!(self.tokens.peek()?, Token::Colon) {
            self.tokens.next()?;
            self.id("a port must follow :")?;
        }
        let node = self.assembly.node(name);
        self.mentions.push(node);
        self.operand(self.mentions.len() - 1..self.mentions.len())
    }

    fn id(&mut self, otherwise: &str) -> Result<(), String> {
        match self.tokens.next()? {
            Token::Id(_) | Token::Word(_) => Ok(()),
            _ => Err(self.tokens.wrong(otherwise)),
        }
    }

    /// A node or a subgraph, which is linked to the operand before it.
    fn operand(&mut self, nodes: Range<usize>) -> Result<(), String> {
        let Some(here) = self.open.last_mut() else { return Ok(()) };
        here.last = Some(nodes.clone());
        let Some(left) = here.left.take() else { return Ok(()) };
        if self.assembly.links().saturating_add(left.len().saturating_mul(nodes.len()))
            > MOST_LINKS.max(self.mentions.len())
        {
            return Err(self.tokens.wrong(&format!("subgraphs make more than {MOST_LINKS} links")));
        }
        for &a in &self.mentions[left] {
            for &b in &self.mentions[nodes.clone()] {
                self.assembly.link(a, b, || self.tokens.line())?;
            }
        }
        Ok(())
    }

    /// `[ID = ID, ...]` after its first bracket.
    fn attributes(&mut self) -> Result<(), String> {
        loop {
            match self.tokens.next()? {
                Token::AttributesEnd => return Ok(()),
                Token::Id(_) | Token::Word(_) | Token::Equals | Token::Separator | Token::Colon => {}
                Token::End => return Err(self.tokens.wrong("the attributes end without ]")),
                token => return Err(self.tokens.unexpected(&token)),
            }
        }
    }
}

pub fn write(network: &Network, out: &mut impl Write) -> io::Result<()> {
    let write_id = |node: Node, out: &mut dyn Write| match network.names.get(node as usize) {
        Some(name) => write!(out, "{}", quoted(name)),
        None => write!(out, "{node}"),
    };
    writeln!(out, "graph {} {{", quoted(&network.name))?;
    for node in 0..network.nodes() {
        out.write_all(b"  ")?;
        write_id(node, out)?;
        out.write_all(b";\n")?;
    }
    for (a, b) in links(network) {
        out.write_all(b"  ")?;
        write_id(a, out)?;
        out.write_all(b" -- ")?;
        write_id(b, out)?;
        out.write_all(b";\n")?;
    }
    writeln!(out, "}}")
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
