//! Text as outlines of letters, from the font in the program. Letters are placed from left to right, without ligatures.
//! Names in scripts that are written from right to left are only legible in the SVG.

use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::style::{Anchor, Style};

/// The font.
pub struct Letters(Face<'static>);

impl Letters {
    /// Opens the font.
    pub fn new() -> Result<Self, String> {
        Face::parse(dejavu::sans::regular(), 0).map(Self).map_err(|error| error.to_string())
    }

    /// The outline of a text on one line, anchored here. As in every SVG, white space is collapsed and trimmed. A
    /// letter that the font does not have is a box.
    pub fn outline(&self, text: &str, style: &Style, (x, y): (f32, f32)) -> Option<Path> {
        let text = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        let glyphs: Vec<GlyphId> = text.chars().map(|c| self.0.glyph_index(c).unwrap_or_default()).collect();
        let scale = style.size / f32::from(self.0.units_per_em());
        // By glyph: its distance from the start of the text; at the end, the length of the text.
        let mut places = vec![0.0];
        for (index, glyph) in glyphs.iter().enumerate() {
            let next = glyphs.get(index + 1).map_or(0, |next| self.kerning(*glyph, *next));
            let advance = self.0.glyph_hor_advance(*glyph).unwrap_or_default();
            places.push(places[index] + scale * (f32::from(advance) + f32::from(next)));
        }
        let share = match style.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        };
        let start = x - share * places[glyphs.len()];
        let mut pen = Pen { path: PathBuilder::new(), scale, x, y };
        for (glyph, place) in glyphs.iter().zip(places) {
            pen.x = start + place;
            self.0.outline_glyph(*glyph, &mut pen);
        }
        pen.path.finish()
    }

    /// The kerning between two letters.
    fn kerning(&self, left: GlyphId, right: GlyphId) -> i16 {
        let tables = self.0.tables().kern.iter().flat_map(|kern| kern.subtables);
        tables.filter(|table| table.horizontal).find_map(|table| table.glyphs_kerning(left, right)).unwrap_or_default()
    }
}

/// Draws a letter at a place. In fonts y goes up, in pictures down.
struct Pen {
    path: PathBuilder,
    scale: f32,
    x: f32,
    y: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.scale * x, self.y - self.scale * y)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, a: f32, b: f32, x: f32, y: f32) {
        let ((a, b), (x, y)) = (self.at(a, b), self.at(x, y));
        self.path.quad_to(a, b, x, y);
    }

    fn curve_to(&mut self, a: f32, b: f32, c: f32, d: f32, x: f32, y: f32) {
        let ((a, b), (c, d), (x, y)) = (self.at(a, b), self.at(c, d), self.at(x, y));
        self.path.cubic_to(a, b, c, d, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
