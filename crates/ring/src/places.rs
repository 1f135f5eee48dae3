//! The places of the workers in the live view: on a circle if they fit, otherwise in a grid.

use std::f64::consts::TAU;

use ratatui::layout::Rect;

/// Subtracted before rounding, so that a place halfway between two rows is rounded the same way on both sides.
const HAIR: f64 = 1e-6;

/// A place for each label on a circle, clockwise from the top; `None` if labels would touch each other.
pub fn circle(widths: &[u16], area: Rect) -> Option<Vec<Rect>> {
    let places: Vec<Rect> = widths
        .iter()
        .enumerate()
        .map(|(position, &width)| {
            let (sin, cos) = (TAU * position as f64 / widths.len() as f64).sin_cos();
            let along = |share: f64, room: u16| ((1.0 + share) / 2.0 * f64::from(room) - HAIR).round() as u16;
            let x = area.x + along(sin, area.width.saturating_sub(width));
            let y = area.y + along(-cos, area.height.saturating_sub(1));
            Rect { x, y, width, height: 1 }
        })
        .collect();
    let with_gap = |place: &Rect| Rect { width: place.width + 1, ..*place };
    let is_free = |(index, place): (usize, &Rect)| {
        !places[..index].iter().any(|other| with_gap(other).intersects(with_gap(place)))
    };
    let fits = |place: &Rect| area.intersection(*place) == *place;
    (places.iter().all(fits) && places.iter().enumerate().all(is_free)).then_some(places)
}

/// A grid of cells of this width, row by row, as many as there is room for.
pub fn grid(width: u16, area: Rect) -> Vec<Rect> {
    let columns = (area.width + 1) / (width + 1);
    let cell = |x, y| Rect { x: area.x + x * (width + 1), y: area.y + y, width, height: 1 };
    (0..area.height).flat_map(|y| (0..columns).map(move |x| cell(x, y))).collect()
}

/// Chooses which of `count` workers are shown in `cells` cells, and counts the rest. The first workers are shown, and
/// `always` in any case. If workers are left out, one cell is kept to say so.
pub fn shown(count: usize, cells: usize, always: Option<usize>) -> (Vec<usize>, usize) {
    if count <= cells {
        return ((0..count).collect(), 0);
    }
    let room = cells.saturating_sub(1);
    let mut shown: Vec<usize> = (0..room).collect();
    if let (Some(always), Some(last)) = (always, shown.last_mut()) {
        *last = always.max(*last);
    }
    (shown, count - room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_on_a_circle_stay_inside_and_apart() {
        let area = Rect { x: 3, y: 2, width: 44, height: 16 };
        let places = circle(&[10; 8], area).unwrap();
        assert_eq!((places[0].y, places[4].y, places[2].right(), places[6].x), (2, 17, 47, 3));
        assert_eq!((places[1].y, places[2].y, places[3].y), (places[7].y, places[6].y, places[5].y));
        assert_eq!(circle(&[10; 60], area), None);
        assert_eq!(circle(&[50], area), None);
    }

    #[test]
    fn a_grid_shows_the_first_workers_and_the_leader() {
        let cells = grid(10, Rect { x: 0, y: 0, width: 32, height: 2 });
        assert_eq!(
            cells.iter().map(|cell| (cell.x, cell.y)).collect::<Vec<_>>(),
            [(0, 0), (11, 0), (22, 0), (0, 1), (11, 1), (22, 1)]
        );
        assert_eq!(shown(6, 6, Some(5)), ((0..6).collect(), 0));
        assert_eq!(shown(100, 4, Some(70)), (vec![0, 1, 70], 97));
        assert_eq!(shown(100, 4, Some(1)), (vec![0, 1, 2], 97));
        assert_eq!(shown(100, 0, Some(1)), (vec![], 100));
    }
}
