//! PNG from SVG, with a built-in font: the same bytes on every machine.
//!
//! It supports all SVG that this crate writes. Everything else is an error, so nothing is silently missing from a
//! picture.

mod file;
mod letters;
mod outline;
mod painter;
mod rules;
mod style;
mod transform;
mod xml;

use tiny_skia::{Pixmap, Transform};

use painter::Painter;
use rules::Rules;
use xml::{Element, Part, Parts};

/// The number of PNG pixels per SVG pixel, unless the picture would become too large.
const SCALE: f64 = 2.0;
/// The largest number of pixels of a PNG.
const MOST_PIXELS: f64 = 40e6;
/// The largest number of pixels on one side of a PNG.
const LONGEST: f64 = 32_000.0;

/// The ground of a PNG. An SVG supports both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// White paper.
    #[default]
    Light,
    /// A dark screen.
    Dark,
}

/// Renders an SVG of this crate, as it looks on this ground.
///
/// # Errors
/// If it is not an SVG, or contains something that this crate does not write.
pub fn png(svg: &str, ground: Ground) -> Result<Vec<u8>, String> {
    let rules = Rules::read(svg, ground)?;
    let mut parts = Parts::new(svg);
    let Some(Part::Opens(root)) = parts.next()? else { return Err("this is no picture".into()) };
    let (width, height) = size(&root)?;
    let scale = scale(width, height);
    let side = |length: f64| ((length * scale).ceil() as u32).max(1);
    let pixels = Pixmap::new(side(width), side(height)).ok_or("the picture is too large")?;
    let mut painter = Painter::new(rules, pixels, Transform::from_scale(scale as f32, scale as f32))?;
    painter.open(&root)?;
    while let Some(part) = parts.next()? {
        match part {
            Part::Opens(another) if another.name == root.name => return Err("a picture has no other in it".into()),
            Part::Opens(element) => painter.open(&element)?,
            Part::Closes => painter.close(),
            Part::Words(element) => painter.words(&element)?,
        }
    }
    Ok(file::write(painter.finish()))
}

/// The width and height of the picture. The view box must be exactly the whole picture.
fn size(root: &Element) -> Result<(f64, f64), String> {
    let (width, height) = (root.number("width")?, root.number("height")?);
    let view = format!("0 0 {width} {height}");
    if root.name != "svg" || width <= 0.0 || height <= 0.0 || root.get("viewBox").is_some_and(|given| given != view) {
        return Err("this is no picture".into());
    }
    Ok((width.into(), height.into()))
}

/// The number of PNG pixels per SVG pixel, for a picture of this size.
fn scale(width: f64, height: f64) -> f64 {
    SCALE.min((MOST_PIXELS / (width * height)).sqrt()).min(LONGEST / width.max(height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_picture_is_scaled_down() {
        assert_eq!(scale(1_000.0, 600.0), 2.0);
        assert_eq!(scale(8_000.0, 2_000.0), (40e6_f64 / 16e6).sqrt());
        assert_eq!(scale(100.0, 64_000.0), 0.5);
    }
}
