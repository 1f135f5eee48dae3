//! The style sheets of a picture: the rules for an element, by precedence.

use super::Ground;
use super::style::{Style, declarations};
use super::xml::{Element, Part, Parts};
use crate::palette;

/// `text{..}`, `.class{..}` or `.class .class{..}`.
struct Rule {
    /// The class of an enclosing element, if the rule requires one.
    within: Option<String>,
    of: Of,
    declarations: Vec<(String, String)>,
}

enum Of {
    Name(String),
    Class(String),
}

/// All rules of a picture, in ascending precedence.
pub struct Rules(Vec<Rule>);

impl Rules {
    /// The rules of all style sheets in the picture, for this ground.
    pub fn read(svg: &str, ground: Ground) -> Result<Self, String> {
        let mut rules = vec![];
        let mut parts = Parts::new(svg);
        while let Some(part) = parts.next()? {
            if let Part::Words(Element { name, text, .. }) = part
                && name == "style"
            {
                let (always, if_dark) = palette::split(&text);
                let chosen = if ground == Ground::Dark { if_dark } else { "" };
                for rule in [always, chosen].into_iter().flat_map(|sheet| sheet.trim().split_terminator('}')) {
                    rules.push(Rule::parse(rule)?);
                }
            }
        }
        rules.sort_by_key(Rule::strength);
        Ok(Self(rules))
    }

    /// The declarations for an element with this name and these classes, within elements with the classes in `around`.
    pub fn of<'a>(
        &'a self,
        name: &'a str,
        classes: &'a str,
        around: &'a [String],
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        let holds = move |rule: &&Rule| {
            let is_it = match &rule.of {
                Of::Name(it) => it == name,
                Of::Class(it) => has(classes, it),
            };
            is_it && rule.within.as_ref().is_none_or(|it| around.iter().any(|classes| has(classes, it)))
        };
        let declarations = self.0.iter().filter(holds).flat_map(|rule| &rule.declarations);
        declarations.map(|(property, value)| (property.as_str(), value.as_str()))
    }
}

impl Rule {
    fn parse(text: &str) -> Result<Self, String> {
        let unknown = || format!("a style sheet has no such rule: {text:?}");
        let (selector, declared) = text.split_once('{').ok_or_else(unknown)?;
        let parts: Vec<&str> = selector.split_whitespace().collect();
        let class = |part: &str| part.strip_prefix('.').map(String::from);
        let (within, of) = match parts[..] {
            [name] if name.chars().all(char::is_alphabetic) => (None, Of::Name(name.into())),
            [one] => (None, Of::Class(class(one).ok_or_else(unknown)?)),
            [around, one] => (Some(class(around).ok_or_else(unknown)?), Of::Class(class(one).ok_or_else(unknown)?)),
            _ => return Err(unknown()),
        };
        let mut kept = vec![];
        for (property, value) in declarations(declared) {
            // Rules that apply to nothing in this picture are checked as well.
            Style::default().set(property, value)?;
            kept.push((property.into(), value.into()));
        }
        Ok(Self { within, of, declarations: kept })
    }

    /// The precedence: it grows with the number of classes.
    fn strength(&self) -> (bool, bool) {
        (self.within.is_some(), matches!(self.of, Of::Class(_)))
    }
}

/// Whether a class is one of these.
fn has(classes: &str, class: &str) -> bool {
    classes.split(' ').any(|it| it == class)
}
