//! Parses outlines as [`crate::svg::Path`] writes them.

use tiny_skia::{Path, PathBuilder};

use super::xml::number;

/// The length of the handles of a Bézier curve that approximates a quarter of a unit circle.
const HANDLE: f32 = 0.552_284_8;

/// The largest difference between a diameter and twice the radius, after both are rounded to tenths.
const ROUNDING: f32 = 0.16;

/// Parses an outline, which may be empty.
pub fn parse(text: &str) -> Result<Option<Path>, String> {
    let unknown = || format!("a picture has no such outline: {text:?}");
    let mut path = PathBuilder::new();
    // The position of the pen; `None` before an outline begins and after it is closed.
    let mut pen = None;
    let mut rest = text;
    while let Some(command) = rest.chars().next() {
        let after = &rest[command.len_utf8()..];
        let end = after.find(char::is_alphabetic).unwrap_or(after.len());
        let arguments =
            after[..end].split(' ').filter(|it| !it.is_empty()).map(number).collect::<Result<Vec<_>, _>>()?;
        rest = &after[end..];
        pen = match (command, &arguments[..], pen) {
            ('M', &[x, y], _) => {
                path.move_to(x, y);
                Some((x, y))
            }
            ('L', &[x, y], Some(_)) => line(&mut path, (x, y)),
            ('h', &[dx], Some((x, y))) => line(&mut path, (x + dx, y)),
            ('v', &[dy], Some((x, y))) => line(&mut path, (x, y + dy)),
            ('Q', &[a, b, x, y], Some(_)) => {
                path.quad_to(a, b, x, y);
                Some((x, y))
            }
            ('a', &[radius, same, 0.0, 1.0, 0.0, dx, 0.0], Some(from))
                if radius == same && (2.0 * radius - dx.abs()).abs() < ROUNDING =>
            {
                half_circle(&mut path, from, dx)
            }
            ('z', [], Some(_)) => {
                path.close();
                None
            }
            _ => return Err(unknown()),
        };
    }
    Ok(path.finish())
}

fn line(path: &mut PathBuilder, (x, y): (f32, f32)) -> Option<(f32, f32)> {
    path.line_to(x, y);
    Some((x, y))
}

/// Half a circle: the lower half to the right, or the upper half back to the left.
fn half_circle(path: &mut PathBuilder, (x, y): (f32, f32), dx: f32) -> Option<(f32, f32)> {
    let radius = dx / 2.0;
    let handle = HANDLE * radius;
    path.cubic_to(x, y + handle, x + radius - handle, y + radius, x + radius, y + radius);
    path.cubic_to(x + radius + handle, y + radius, x + dx, y + handle, x + dx, y);
    Some((x + dx, y))
}
