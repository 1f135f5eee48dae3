//! Paints elements, each as it and those around it say.

use tiny_skia::{FillRule, Path, Pixmap, Transform};

use super::letters::Letters;
use super::rules::Rules;
use super::style::{Style, declarations};
use super::xml::Element;
use super::{outline, transform};

/// A picture that is being painted.
pub struct Painter {
    rules: Rules,
    letters: Letters,
    pixels: Pixmap,
    /// How elements are drawn within each of those that are open; the first one is around all.
    looks: Vec<Look>,
    /// The classes of each element that is open.
    around: Vec<String>,
}

/// How an element is drawn, and where.
#[derive(Clone, Default)]
struct Look {
    style: Style,
    transform: Transform,
}

impl Painter {
    /// A picture on these pixels, scaled to them.
    pub fn new(rules: Rules, pixels: Pixmap, transform: Transform) -> Result<Self, String> {
        let whole = Look { transform, ..Look::default() };
        Ok(Self { rules, letters: Letters::new()?, pixels, looks: vec![whole], around: vec![] })
    }

    /// Paints an element; what follows is in it, until it is closed.
    pub fn open(&mut self, element: &Element) -> Result<(), String> {
        let look = self.look(element)?;
        if let Some(path) = outline::parse(element.get("d").unwrap_or_default())? {
            self.paint(&path, &look);
        }
        self.looks.push(look);
        self.around.push(element.get("class").unwrap_or_default().into());
        Ok(())
    }

    /// Ends the element that was opened last.
    pub fn close(&mut self) {
        self.looks.pop();
        self.around.pop();
    }

    /// Writes the words in an element, if they are to be seen.
    pub fn words(&mut self, element: &Element) -> Result<(), String> {
        match element.name.as_str() {
            "text" => {
                let look = self.look(element)?;
                let place = (element.number("x")?, element.number("y")?);
                if let Some(path) = self.letters.outline(&element.text, &look.style, place) {
                    self.paint(&path, &look);
                }
                Ok(())
            }
            // For those who do not see the picture; and rules, which have been read.
            "title" | "desc" | "style" => Ok(()),
            name => Err(format!("a picture has no such element: <{name}>")),
        }
    }

    /// All that was painted.
    pub fn finish(self) -> Pixmap {
        self.pixels
    }

    /// How this element is drawn: as those around it, if it does not say otherwise.
    fn look(&self, element: &Element) -> Result<Look, String> {
        let mut look = self.looks.last().cloned().unwrap_or_default();
        for (name, value) in &element.attributes {
            match name.as_str() {
                "transform" => look.transform = look.transform.pre_concat(transform::parse(value)?),
                // Who draws the element reads these.
                "class" | "style" | "d" | "x" | "y" | "width" | "height" | "viewBox" => {}
                // These are not seen.
                "xmlns" | "id" | "role" => {}
                name if name.starts_with("aria-") || name.starts_with("data-") => {}
                property => look.style.set(property, value)?,
            }
        }
        // Rules are stronger than attributes, but for the one that has rules of its own.
        let classes = element.get("class").unwrap_or_default();
        let ruled = self.rules.of(&element.name, classes, &self.around);
        for (property, value) in ruled.chain(element.get("style").into_iter().flat_map(declarations)) {
            look.style.set(property, value)?;
        }
        Ok(look)
    }

    fn paint(&mut self, path: &Path, Look { style, transform }: &Look) {
        let stroke = |pixels: &mut Pixmap| {
            if let Some((paint, stroke)) = style.stroke() {
                pixels.stroke_path(path, &paint, stroke, *transform, None);
            }
        };
        if style.stroke_first {
            stroke(&mut self.pixels);
        }
        if let Some(paint) = style.fill() {
            self.pixels.fill_path(path, &paint, FillRule::Winding, *transform, None);
        }
        if !style.stroke_first {
            stroke(&mut self.pixels);
        }
    }
}
