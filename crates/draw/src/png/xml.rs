//! Iterates over the elements of an SVG without recursion: deep nesting cannot overflow the stack.

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// The next part of an SVG.
pub enum Part {
    /// An element that may contain others.
    Opens(Element),
    /// The end of the element opened last.
    Closes,
    /// An element with only text in it.
    Words(Element),
}

/// An element.
#[derive(Debug)]
pub struct Element {
    /// Its name.
    pub name: String,
    /// The attributes, unescaped.
    pub attributes: Vec<(String, String)>,
    /// The text in it.
    pub text: String,
}

impl Element {
    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// An attribute as a number; 0 if it is missing.
    pub fn number(&self, name: &str) -> Result<f32, String> {
        self.get(name).map_or(Ok(0.0), number)
    }
}

/// A finite number.
pub fn number(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number: &f32| number.is_finite());
    number.ok_or_else(|| format!("this is no number: {text:?}"))
}

/// All elements of an SVG.
pub struct Parts<'a> {
    reader: Reader<&'a [u8]>,
    depth: u64,
}

impl<'a> Parts<'a> {
    /// Begins with the first element.
    pub fn new(svg: &'a str) -> Self {
        let mut reader = Reader::from_str(svg);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, depth: 0 }
    }

    /// The next part, if there is one.
    pub fn next(&mut self) -> Result<Option<Part>, String> {
        loop {
            return match self.event()? {
                Event::Start(start) if matches!(start.name().as_ref(), "svg" | "g" | "path") => {
                    self.depth += 1;
                    Ok(Some(Part::Opens(element(&start, String::new())?)))
                }
                Event::Start(start) => {
                    let text = self.text()?;
                    Ok(Some(Part::Words(element(&start, text)?)))
                }
                Event::End(_) => {
                    self.depth -= 1;
                    Ok(Some(Part::Closes))
                }
                Event::Text(text) if text.trim().is_empty() => continue,
                Event::Eof if self.depth == 0 => Ok(None),
                Event::Eof => Err("the picture ends within an element".into()),
                other => Err(unknown(&other)),
            };
        }
    }

    /// The text up to the end of the current element.
    fn text(&mut self) -> Result<String, String> {
        let mut text = String::new();
        loop {
            match self.event()? {
                Event::Text(more) => text.push_str(&more.xml10_content()),
                Event::GeneralRef(name) => match resolve_predefined_entity(&name) {
                    Some(meant) => text.push_str(meant),
                    None => return Err(unknown(&Event::GeneralRef(name))),
                },
                Event::End(_) => return Ok(text),
                other => return Err(unknown(&other)),
            }
        }
    }

    fn event(&mut self) -> Result<Event<'a>, String> {
        self.reader.read_event().map_err(|error| format!("this is no XML: {error}"))
    }
}

fn element(start: &BytesStart, text: String) -> Result<Element, String> {
    let mut attributes = vec![];
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| format!("a malformed attribute: {error}"))?;
        let value = attribute.normalized_value(XmlVersion::Explicit1_0).map_err(|error| error.to_string())?;
        attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
    }
    Ok(Element { name: start.name().as_ref().to_owned(), attributes, text })
}

fn unknown(event: &Event) -> String {
    format!("a picture has no such part: {event:?}")
}
