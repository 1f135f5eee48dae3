//! Finds free places for the texts of messages.

use crate::svg::Point;

/// The places that are taken.
#[derive(Default)]
pub struct Labels {
    taken: Vec<Area>,
}

/// A rectangle by its centre.
#[derive(Clone, Copy)]
struct Area {
    centre: Point,
    half: (f64, f64),
}

impl Area {
    fn touches(&self, other: &Self) -> bool {
        (self.centre.0 - other.centre.0).abs() < self.half.0 + other.half.0
            && (self.centre.1 - other.centre.1).abs() < self.half.1 + other.half.1
    }
}

/// The places of a text along its arrow, the best one first.
const PARTS: [f64; 7] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74];

impl Labels {
    /// Marks a place as taken.
    pub fn take(&mut self, centre: Point, width: f64, height: f64) {
        self.taken.push(Area { centre, half: (width / 2.0, height / 2.0) });
    }

    /// Takes this place, if it is free. Returns whether it was.
    pub fn claim(&mut self, centre: Point, width: f64, height: f64) -> bool {
        let area = Area { centre, half: (width / 2.0, height / 2.0) };
        let free = !self.taken.iter().any(|other| area.touches(other));
        if free {
            self.taken.push(area);
        }
        free
    }

    /// Finds a place for a text of this size on the line between two points. Returns its middle.
    pub fn place(&mut self, from: Point, to: Point, width: f64, height: f64) -> Option<Point> {
        let on = |part: f64| (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
        PARTS.map(on).into_iter().find(|place| self.claim(*place, width, height))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_labels_overlap() {
        let mut labels = Labels::default();
        assert_eq!(labels.place((0.0, 0.0), (100.0, 0.0), 10.0, 10.0), Some((50.0, 0.0)));
        assert_eq!(labels.place((50.0, -50.0), (50.0, 50.0), 10.0, 10.0), Some((50.0, -16.0)));
        assert_eq!(labels.place((50.0, 0.0), (55.0, 0.0), 10.0, 10.0), None);
    }
}
