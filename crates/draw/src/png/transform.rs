//! Transforms: translations, scalings and quarter turns.

use tiny_skia::Transform;

use super::xml::number;

/// Parses `translate(x y)`, `scale(times)`, `rotate(degrees)` and `rotate(degrees x y)`, in a sequence.
pub fn parse(text: &str) -> Result<Transform, String> {
    let unknown = || format!("a picture has no such transform: {text:?}");
    let mut all = Transform::identity();
    for one in text.split_terminator(')') {
        let (name, arguments) = one.trim_start().split_once('(').ok_or_else(unknown)?;
        let arguments = arguments.split(' ').map(number).collect::<Result<Vec<_>, _>>()?;
        let next = match (name, &arguments[..]) {
            ("translate", [x, y]) => Transform::from_translate(*x, *y),
            ("scale", [times]) => Transform::from_scale(*times, *times),
            ("rotate", [degrees]) => quarter(*degrees).ok_or_else(unknown)?,
            ("rotate", [degrees, x, y]) => {
                quarter(*degrees).ok_or_else(unknown)?.pre_translate(-x, -y).post_translate(*x, *y)
            }
            _ => return Err(unknown()),
        };
        all = all.pre_concat(next);
    }
    Ok(all)
}

/// A quarter turn to the right or to the left, computed exactly. Other angles do not occur.
fn quarter(degrees: f32) -> Option<Transform> {
    let sin = if degrees.abs() == 90.0 { degrees.signum() } else { return None };
    Some(Transform::from_row(0.0, sin, -sin, 0.0, 0.0, 0.0))
}
