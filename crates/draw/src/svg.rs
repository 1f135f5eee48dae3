//! Writes SVG: elements, escaped text, and numbers that are the same on every machine.

use std::fmt::{Display, Write as _};

/// An SVG that is being written.
#[derive(Default)]
pub struct Svg {
    text: String,
    open: Vec<&'static str>,
}

impl Svg {
    /// Begins an element.
    pub fn tag(&mut self, name: &'static str) -> Tag<'_> {
        let _ = write!(self.text, "<{name}");
        Tag { svg: self, name }
    }

    /// Writes a text on a halo, so that lines do not cross it. The halo is a text of its own below: not every reader of
    /// SVG knows `paint-order`. The size is that of the class, if none is given.
    pub fn haloed(&mut self, class: &str, size: Option<f64>, (x, y): Point, text: &str) {
        for class in ["halo", class] {
            let tag = self.tag("text").with("class", class);
            let tag = match size {
                Some(size) => tag.with("style", format!("font-size:{}px", Tenths(size))),
                None => tag,
            };
            tag.at("x", x).at("y", y).text(text);
        }
    }

    /// Ends the element opened last.
    pub fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            let _ = writeln!(self.text, "</{name}>");
        }
    }

    /// The complete SVG, with every element closed.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }
}

/// An element whose attributes are being written.
#[must_use = "an element is ended by empty, open or text"]
pub struct Tag<'a> {
    svg: &'a mut Svg,
    name: &'static str,
}

impl Tag<'_> {
    /// Adds an attribute.
    pub fn with(self, name: &str, value: impl Display) -> Self {
        let value = value.to_string();
        let _ = write!(self.svg.text, " {name}=\"");
        escape(&value, &mut self.svg.text);
        self.svg.text.push('"');
        self
    }

    /// Adds an attribute that is a length or a position.
    pub fn at(self, name: &str, value: f64) -> Self {
        let _ = write!(self.svg.text, " {name}=\"{}\"", Tenths(value));
        self
    }

    /// Ends the element without content.
    pub fn empty(self) {
        self.svg.text.push_str("/>\n");
    }

    /// Opens the element. The following elements are inside it until it is closed.
    pub fn open(self) {
        self.svg.text.push_str(">\n");
        self.svg.open.push(self.name);
    }

    /// Ends the element with this text in it.
    pub fn text(self, text: &str) {
        self.svg.text.push('>');
        escape(text, &mut self.svg.text);
        let _ = writeln!(self.svg.text, "</{}>", self.name);
    }
}

/// The outline of a shape.
#[derive(Default)]
pub struct Path(String);

impl Path {
    /// Moves to this point without a line.
    pub fn from(mut self, (x, y): Point) -> Self {
        let _ = write!(self.0, "M{} {}", Tenths(x), Tenths(y));
        self
    }

    /// Adds a straight line to this point.
    pub fn to(mut self, (x, y): Point) -> Self {
        let _ = write!(self.0, "L{} {}", Tenths(x), Tenths(y));
        self
    }

    /// Adds a curve to the second point, with the first one as control point.
    pub fn curve(mut self, (a, b): Point, (x, y): Point) -> Self {
        let _ = write!(self.0, "Q{} {} {} {}", Tenths(a), Tenths(b), Tenths(x), Tenths(y));
        self
    }

    /// Adds a rectangle.
    pub fn rectangle(mut self, (x, y): Point, width: f64, height: f64) -> Self {
        let (width, height) = (Tenths(width), Tenths(height));
        let _ = write!(self.0, "M{} {}h{width}v{height}h-{width}z", Tenths(x), Tenths(y));
        self
    }

    /// Adds a circle.
    pub fn circle(mut self, (x, y): Point, radius: f64) -> Self {
        let (r, d) = (Tenths(radius), Tenths(2.0 * radius));
        let _ = write!(self.0, "M{} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z", Tenths(x - radius), Tenths(y));
        self
    }

    /// Closes the line.
    pub fn closed(mut self) -> Self {
        self.0.push('z');
        self
    }

    /// Whether the path is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A closed line through these points.
    pub fn polygon(points: &[Point]) -> Self {
        let mut path = Self::default();
        for (index, point) in points.iter().enumerate() {
            path = if index == 0 { path.from(*point) } else { path.to(*point) };
        }
        path.closed()
    }
}

impl Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// A point in the picture: the distance to the right, and down.
pub type Point = (f64, f64);

/// A number to one decimal: a picture has the same bytes even if the last bits of a sum differ.
pub struct Tenths(pub f64);

impl Display for Tenths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = (self.0 * 10.0).round() as i64;
        let sign = if tenths < 0 { "-" } else { "" };
        match (tenths.abs() / 10, tenths.abs() % 10) {
            (whole, 0) => write!(f, "{sign}{whole}"),
            (whole, part) => write!(f, "{sign}{whole}.{part}"),
        }
    }
}

/// Escapes text for XML. Characters that XML cannot hold are replaced.
pub fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            c if c.is_control() && c != '\n' => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
}

/// The approximate width of a text in letters of this size.
pub fn width(text: &str, size: f64) -> f64 {
    let ems = text.chars().map(|c| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '\'' | ' ' | '(' | ')' | '[' | ']' | 'f' | 't' | 'r' | '-' => {
            0.4
        }
        'm' | 'w' | 'M' | 'W' | '—' | '…' | '→' | '%' | '@' => 0.95,
        'A'..='Z' => 0.7,
        '\u{1100}'.. => 1.0,
        _ => 0.62,
    });
    ems.sum::<f64>() * size
}

/// The width of a text in monospaced letters of this size.
pub fn width_of_mono(text: &str, size: f64) -> f64 {
    0.602 * size * text.chars().count() as f64
}

/// The text in lines of at most this width, broken between words if possible. `width` measures a text.
pub fn wrapped(text: &str, size: f64, widest: f64, width: fn(&str, f64) -> f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && width(&line, size) + width(word, size) + 0.4 * size > widest {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        for c in word.chars() {
            if width(&line, size) > widest {
                lines.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
    }
    lines.push(line);
    lines
}

/// The text, or its beginning if it has more than `most` characters.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

/// The text without its middle, if it has more than `most` characters: names often begin alike and differ at the end.
pub fn squeezed(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.into();
    }
    let (first, last) = (most / 2, most - most / 2 - 1);
    text.chars().take(first).chain(['…']).chain(text.chars().skip(length - last)).collect()
}

/// The text, or as much of its beginning and end as fits in letters of this size.
pub fn fitted(text: &str, size: f64, room: f64) -> String {
    // No letter is narrower than this.
    let most = text.chars().count().min((room / (0.4 * size)) as usize + 1);
    let mut shorter = (1..=most).rev().map(|most| squeezed(text, most));
    shorter.find(|short| width(short, size) <= room).unwrap_or_else(|| squeezed(text, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_to_xml_is_escaped() {
        let mut svg = Svg::default();
        svg.tag("g").with("id", "\"<&>\"").open();
        svg.tag("text").text("a<b & \u{1b}[1m");
        assert_eq!(svg.finish(), "<g id=\"&quot;&lt;&amp;&gt;&quot;\">\n<text>a&lt;b &amp; \u{fffd}[1m</text>\n</g>\n");
    }

    #[test]
    fn numbers_have_one_decimal_at_most() {
        let written = [0.0, -0.04, 12.0, 0.1 + 0.2, -7.96, 1e6].map(|number| Tenths(number).to_string());
        assert_eq!(written, ["0", "0", "12", "0.3", "-8", "1000000"]);
    }

    #[test]
    fn a_long_text_is_wrapped_and_a_long_word_is_broken() {
        assert_eq!(wrapped("aaa bbb ccc", 10.0, 45.0, width), ["aaa bbb", "ccc"]);
        assert!(wrapped(&"a".repeat(100), 10.0, 100.0, width).len() > 5);
        assert_eq!(shortened("abcdef", 4), "abc…");
        assert_eq!(fitted("abcdef", 10.0, 40.0), "abcdef");
        assert_eq!(squeezed("abcdef", 4), "ab…f");
        assert_eq!(fitted("abcdef", 10.0, 30.0), "ab…f");
        assert_eq!((fitted("abcdef", 10.0, 0.0), fitted("", 10.0, 0.0)), ("…".into(), String::new()));
    }
}
