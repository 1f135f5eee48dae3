//! Paints elements, with the properties that they have or inherit.

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
    /// The looks within each open element; the first one is outside all elements.
    looks: Vec<Look>,
    /// The classes of each open element.
    around: Vec<String>,
}

/// The style and the transform of an element.
#[derive(Clone, Default)]
struct Look {
    style: Style,
    transform: Transform,
}

impl Painter {
    /// A painter for these pixels, with this transform.
    pub fn new(rules: Rules, pixels: Pixmap, transform: Transform) -> Result<Self, String> {
        let whole = Look { transform, ..Look::default() };
        Ok(Self { rules, letters: Letters::new()?, pixels, looks: vec![whole], around: vec![] })
    }

    /// Paints an element. Further elements are inside it until it is closed.
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

    /// Writes the text in an element, if it is visible.
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
            // `title` and `desc` are for screen readers, and the rules in `style` have been read.
            "title" | "desc" | "style" => Ok(()),
            name => Err(format!("a picture has no such element: <{name}>")),
        }
    }

    /// The finished picture.
    pub fn finish(self) -> Pixmap {
        self.pixels
    }

    /// The look of this element: the look around it, changed by its own properties.
    fn look(&self, element: &Element) -> Result<Look, String> {
        let mut look = self.looks.last().cloned().unwrap_or_default();
        for (name, value) in &element.attributes {
            match name.as_str() {
                "transform" => look.transform = look.transform.pre_concat(transform::parse(value)?),
                // The code that draws the element reads these.
                "class" | "style" | "d" | "x" | "y" | "width" | "height" | "viewBox" => {}
                // These are invisible.
                "xmlns" | "id" | "role" => {}
                name if name.starts_with("aria-") || name.starts_with("data-") => {}
                property => look.style.set(property, value)?,
            }
        }
        // Rules override attributes, except for the `style` attribute, which overrides rules.
        let classes = element.get("class").unwrap_or_default();
        let ruled = self.rules.of(&element.name, classes, &self.around);
        for (property, value) in ruled.chain(element.get("style").into_iter().flat_map(declarations)) {
            look.style.set(property, value)?;
        }
        Ok(look)
    }

    fn paint(&mut self, path: &Path, Look { style, transform }: &Look) {
        if let Some(paint) = style.fill() {
            self.pixels.fill_path(path, &paint, FillRule::Winding, *transform, None);
        }
        if let Some((paint, stroke)) = style.stroke() {
            self.pixels.stroke_path(path, &paint, stroke, *transform, None);
        }
    }
}
