//! The style of an element: the properties that it has or inherits.

use tiny_skia::{LineCap, LineJoin, Paint, Stroke, StrokeDash};

use super::xml::number;

/// All properties. Each of them is inherited.
#[derive(Clone)]
pub struct Style {
    color: [u8; 3],
    fill: Ink,
    fill_opacity: f32,
    stroke: Ink,
    stroke_opacity: f32,
    pen: Stroke,
    /// The size of letters.
    pub size: f32,
    /// The anchor of a text.
    pub anchor: Anchor,
}

/// The paint of lines or areas.
#[derive(Clone, Copy)]
enum Ink {
    None,
    CurrentColor,
    Plain([u8; 3]),
}

/// The part of a text that lies at its position.
#[derive(Clone, Copy)]
pub enum Anchor {
    /// The start.
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            color: [0; 3],
            fill: Ink::Plain([0; 3]),
            fill_opacity: 1.0,
            stroke: Ink::None,
            stroke_opacity: 1.0,
            pen: Stroke::default(),
            size: 12.0,
            anchor: Anchor::Start,
        }
    }
}

impl Style {
    /// Sets a property.
    pub fn set(&mut self, property: &str, value: &str) -> Result<(), String> {
        let unknown = || format!("a picture has no such property: {property}:{value}");
        match (property, value) {
            ("color", color) => self.color = colour(color)?,
            ("fill", ink) => self.fill = Ink::parse(ink)?,
            ("fill-opacity", opacity) => self.fill_opacity = number(opacity)?,
            ("stroke", ink) => self.stroke = Ink::parse(ink)?,
            ("stroke-opacity", opacity) => self.stroke_opacity = number(opacity)?,
            ("stroke-width", width) => self.pen.width = number(width)?,
            ("stroke-linecap", "round") => self.pen.line_cap = LineCap::Round,
            ("stroke-linejoin", "round") => self.pen.line_join = LineJoin::Round,
            ("stroke-dasharray", "none") => self.pen.dash = None,
            ("stroke-dasharray", lengths) => {
                let lengths = lengths.split(' ').map(number).collect::<Result<_, _>>()?;
                self.pen.dash = Some(StrokeDash::new(lengths, 0.0).ok_or_else(unknown)?);
            }
            ("font-size", size) => self.size = number(size.strip_suffix("px").ok_or_else(unknown)?)?,
            // There is only one font.
            ("font-family", _) => {}
            ("text-anchor", "middle") => self.anchor = Anchor::Middle,
            ("text-anchor", "end") => self.anchor = Anchor::End,
            _ => return Err(unknown()),
        }
        Ok(())
    }

    /// The paint of areas, if they are filled.
    pub fn fill(&self) -> Option<Paint<'static>> {
        self.paint(self.fill, self.fill_opacity)
    }

    /// The paint and the form of lines, if they are drawn.
    pub fn stroke(&self) -> Option<(Paint<'static>, &Stroke)> {
        let paint = self.paint(self.stroke, self.stroke_opacity)?;
        (self.pen.width > 0.0).then_some((paint, &self.pen))
    }

    fn paint(&self, ink: Ink, opacity: f32) -> Option<Paint<'static>> {
        let [red, green, blue] = match ink {
            Ink::None => return None,
            Ink::CurrentColor => self.color,
            Ink::Plain(colour) => colour,
        };
        let mut paint = Paint::default();
        paint.set_color_rgba8(red, green, blue, (opacity * 255.0).round() as u8);
        Some(paint)
    }
}

impl Ink {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Self::None),
            "currentColor" => Ok(Self::CurrentColor),
            text => Ok(Self::Plain(colour(text)?)),
        }
    }
}

/// Red, green and blue from `#rrggbb`.
fn colour(text: &str) -> Result<[u8; 3], String> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let [_, colour @ ..] = number.ok_or_else(|| format!("this is no colour: {text:?}"))?.to_be_bytes();
    Ok(colour)
}

/// Properties and values from `property:value;property:value`.
pub fn declarations(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(';').map(|one| one.split_once(':').unwrap_or((one, "")))
}
