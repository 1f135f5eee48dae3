//! The shapes of signs. They are drawn as paths, so no font needs to have them.

use crate::diagram::Sign;
use crate::palette::ROLES;
use crate::svg::{Path, Point, Svg};

/// Draws a sign around a place.
pub fn draw(svg: &mut Svg, sign: Sign, (x, y): Point) {
    let at = |a: f64, b: f64| (x + a, y + b);
    let mut shape = |class: &str, path: Path| svg.tag("path").with("class", class).with("d", path).empty();
    match sign {
        Sign::Starts => shape("solid sign", circle((x, y), 4.0)),
        Sign::Turns(Some(role)) => shape(&format!("role{} role", role % ROLES), role_shape(role, (x, y), 5.0)),
        Sign::Turns(None) => {
            shape("solid sign", Path::polygon(&[at(0.0, -5.0), at(5.0, 0.0), at(0.0, 5.0), at(-5.0, 0.0)]));
        }
        Sign::Draws => {
            shape("hollow sign", Path::polygon(&[at(-5.0, -5.0), at(5.0, -5.0), at(5.0, 5.0), at(-5.0, 5.0)]));
            shape("solid dot", circle(at(-2.0, -2.0), 1.2));
            shape("solid dot", circle(at(2.0, 2.0), 1.2));
        }
        Sign::TimesOut => {
            shape("hollow sign", circle((x, y), 5.5));
            shape("hollow sign", Path::default().from(at(0.0, -3.5)).to(at(0.0, 0.0)).to(at(2.5, 1.5)));
        }
        Sign::HearsOfCrash => {
            shape("hollow sign", Path::polygon(&[at(0.0, -6.0), at(6.0, 0.0), at(0.0, 6.0), at(-6.0, 0.0)]));
            shape("fails sign", cross((x, y), 1.8));
        }
        Sign::Crashes => shape("fails heavy", cross((x, y), 5.5)),
        Sign::Recovers => shape("rises", Path::polygon(&[at(0.0, -6.0), at(6.0, 5.0), at(-6.0, 5.0)])),
        Sign::Leads => shape("gold sign", star((x, y), 9.0)),
        Sign::Follows => {
            shape("solid sign", circle((x, y), 6.5));
            shape("tick sign", Path::default().from(at(-2.8, 0.2)).to(at(-0.8, 2.6)).to(at(3.0, -2.4)));
        }
        Sign::Wavers => shape("hollow sign", circle((x, y), 5.0)),
    }
}

/// The outline of an undecided node in the role with this number: roles differ in shape, and not in colour alone. All
/// shapes have about the area of a circle with this radius.
pub fn role_shape(role: usize, (x, y): Point, radius: f64) -> Path {
    let corners = |points: &[(f64, f64)]| {
        Path::polygon(&points.iter().map(|(a, b)| (x + radius * a, y + radius * b)).collect::<Vec<_>>())
    };
    match role % ROLES {
        0 => circle((x, y), radius),
        1 => corners(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => corners(&[(-0.55, -0.95), (0.55, -0.95), (1.1, 0.0), (0.55, 0.95), (-0.55, 0.95), (-1.1, 0.0)]),
        _ => corners(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
    }
}

/// Draws a cross where a message is lost.
pub fn lost(svg: &mut Svg, place: Point) {
    svg.tag("path").with("class", "fails sign").with("d", cross(place, 4.0)).empty();
}

/// Draws an arrow between two places of a link that is cut one way. Messages in this direction are lost.
pub fn way(svg: &mut Svg, from: Point, to: Point) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt().max(1e-9);
    let (dx, dy) = (5.0 * dx / length, 5.0 * dy / length);
    let side = |aside: f64| (to.0 - dx - aside * dy, to.1 - dy + aside * dx);
    let path = Path::default().from(from).to(to).from(side(0.7)).to(to).to(side(-0.7));
    svg.tag("path")
        .with("class", "fails sign")
        .with("fill", "none")
        .with("stroke-dasharray", "none")
        .with("d", path)
        .empty();
}

/// The outline of a star.
pub fn star((x, y): Point, radius: f64) -> Path {
    let points: Vec<Point> = (0..10)
        .map(|corner| {
            let reach = if corner % 2 == 0 { radius } else { 0.45 * radius };
            let angle = f64::from(corner) * std::f64::consts::PI / 5.0;
            (x + reach * libm::sin(angle), y - reach * libm::cos(angle))
        })
        .collect();
    Path::polygon(&points)
}

fn cross(place: Point, reach: f64) -> Path {
    crossed(Path::default(), place, reach)
}

/// The path with one more cross.
pub fn crossed(path: Path, (x, y): Point, reach: f64) -> Path {
    path.from((x - reach, y - reach)).to((x + reach, y + reach)).from((x - reach, y + reach)).to((x + reach, y - reach))
}

fn circle(centre: Point, radius: f64) -> Path {
    Path::default().circle(centre, radius)
}
