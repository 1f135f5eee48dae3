//! Moves overlapping nodes apart, and leaves the others in place.

use std::collections::BTreeMap;

use crate::svg::Point;

/// The largest number of rounds in which all nodes are moved.
const ROUNDS: usize = 40;

/// Moves places until nearly all are at least this far apart. Only places in neighbouring squares are compared.
pub fn spread(places: &mut [Point], apart: f64) {
    for _ in 0..ROUNDS {
        let mut squares: BTreeMap<(i64, i64), Vec<usize>> = BTreeMap::new();
        let square = |(x, y): Point| ((x / apart).floor() as i64, (y / apart).floor() as i64);
        for (node, place) in places.iter().enumerate() {
            squares.entry(square(*place)).or_default().push(node);
        }
        let mut moved = false;
        for node in 0..places.len() {
            let (column, row) = square(places[node]);
            for near in (column - 1..=column + 1).flat_map(|column| (row - 1..=row + 1).map(move |row| (column, row))) {
                for &other in squares.get(&near).into_iter().flatten().filter(|other| **other > node) {
                    moved |= part(places, node, other, apart);
                }
            }
        }
        if !moved {
            return;
        }
    }
}

/// Moves two places apart if they are too close, each by half of the missing distance. Returns whether it did.
fn part(places: &mut [Point], a: usize, b: usize, apart: f64) -> bool {
    let (dx, dy) = (places[b].0 - places[a].0, places[b].1 - places[a].1);
    let length = (dx * dx + dy * dy).sqrt();
    if length >= apart {
        return false;
    }
    // Two identical places move to the left and to the right.
    let (dx, dy) = if length < 1e-6 { (1.0, 0.0) } else { (dx / length, dy / length) };
    let half = (apart - length) / 2.0;
    places[a] = (places[a].0 - half * dx, places[a].1 - half * dy);
    places[b] = (places[b].0 + half * dx, places[b].1 + half * dy);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_covers_anybody() {
        let mut places: Vec<Point> = (0..50).map(|node| (f64::from(node % 7), f64::from(node % 3))).collect();
        spread(&mut places, 4.0);
        for (index, a) in places.iter().enumerate() {
            for b in &places[..index] {
                assert!(((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt() > 3.0);
            }
        }
    }
}
