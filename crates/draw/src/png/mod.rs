//! PNG from SVG, with a font of its own: the same bytes on a machine without any.

use std::borrow::Cow;
use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use crate::palette;

/// A pixel of the SVG is so many in the PNG, where that is not too many.
const SCALE: f64 = 2.0;
/// A picture has at most so many pixels,
const MOST_PIXELS: f64 = 40e6;
/// and so many on a side.
const LONGEST: f64 = 32_000.0;

/// The ground that a PNG is drawn for; an SVG has both.
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
/// If it is no SVG.
pub fn png(svg: &str, ground: Ground) -> Result<Vec<u8>, String> {
    let svg = &match ground {
        Ground::Light => Cow::Borrowed(svg),
        Ground::Dark => palette::darkened(svg),
    };
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    let family = "DejaVu Sans";
    fonts.set_sans_serif_family(family);
    fonts.set_monospace_family(family);
    // What a font is looked for last, if none of those named is there.
    fonts.set_serif_family(family);
    let options = Options { fontdb: Arc::new(fonts), font_family: family.into(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let (width, height) = (f64::from(tree.size().width()), f64::from(tree.size().height()));
    let fits = (MOST_PIXELS / (width * height)).sqrt().min(LONGEST / width.max(height));
    let scale = SCALE.min(fits);
    let side = |length: f64| ((length * scale).ceil() as u32).max(1);
    let mut pixels = Pixmap::new(side(width), side(height)).ok_or("the picture is too large")?;
    resvg::render(&tree, Transform::from_scale(scale as f32, scale as f32), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}
