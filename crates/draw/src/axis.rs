//! The time axis: places in proportion to time, but no two moments overlap and long gaps are cut.

use bellwether_world::Time;

/// The moments of a run and their places.
pub struct Axis {
    moments: Vec<Time>,
    places: Vec<f64>,
    /// The indices of the moments before which time was cut.
    gaps: Vec<usize>,
    /// Whether some moments are farther apart than in proportion.
    is_stretched: bool,
}

/// The distances between moments, in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// The distance for the median time between moments.
    pub usual: f64,
    /// The smallest distance.
    pub least: f64,
    /// The largest distance.
    pub most: f64,
}

impl Axis {
    /// The axis of these moments.
    pub fn new(mut moments: Vec<Time>, pace: Pace) -> Self {
        moments.sort_unstable();
        moments.dedup();
        let span = |pair: &[Time]| pair[1].as_f64() - pair[0].as_f64();
        let mut spans: Vec<f64> = moments.windows(2).map(span).collect();
        spans.sort_unstable_by(f64::total_cmp);
        let median = spans.get(spans.len() / 2).copied().unwrap_or(1.0).max(1e-6);
        let (mut places, mut gaps, mut is_stretched) = (vec![0.0], vec![], false);
        for (index, pair) in moments.windows(2).enumerate() {
            let wanted = span(pair) / median * pace.usual;
            if wanted > pace.most {
                gaps.push(index + 1);
            }
            is_stretched |= wanted < 0.99 * pace.least;
            places.push(places[index] + wanted.clamp(pace.least, pace.most));
        }
        Self { moments, places, gaps, is_stretched }
    }

    /// The place of a time. Between two moments it is interpolated.
    pub fn at(&self, time: Time) -> f64 {
        match self.moments.binary_search(&time) {
            Ok(index) => self.places[index],
            Err(0) => self.places[0],
            Err(index) if index == self.moments.len() => self.length(),
            Err(index) => {
                let (before, after) = (self.moments[index - 1].as_f64(), self.moments[index].as_f64());
                let part = (time.as_f64() - before) / (after - before).max(1e-9);
                self.places[index - 1] + part * (self.places[index] - self.places[index - 1])
            }
        }
    }

    /// The length of the axis.
    pub fn length(&self) -> f64 {
        self.places.last().copied().unwrap_or(0.0)
    }

    /// The moments that are labelled, at least this far apart.
    pub fn ticks(&self, apart: f64) -> Vec<(Time, f64)> {
        let mut ticks: Vec<(Time, f64)> = vec![];
        for (time, place) in self.moments.iter().zip(&self.places) {
            if ticks.last().is_none_or(|(_, last)| place - last >= apart) {
                ticks.push((*time, *place));
            }
        }
        ticks
    }

    /// Whether some moments are farther apart than in proportion.
    pub fn is_stretched(&self) -> bool {
        self.is_stretched
    }

    /// The places where time was cut.
    pub fn gaps(&self) -> impl Iterator<Item = f64> {
        self.gaps.iter().map(|&index| (self.places[index - 1] + self.places[index]) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_keep_their_proportions_within_bounds() {
        let moments = [0, 1, 2, 3, 5, 1_000_000].map(Time::units).to_vec();
        let axis = Axis::new(moments, Pace { usual: 50.0, least: 10.0, most: 120.0 });
        let places = [0, 1, 3, 4, 5, 1_000_000, 2_000_000].map(|time| axis.at(Time::units(time)));
        assert_eq!(places, [0.0, 50.0, 150.0, 200.0, 250.0, 370.0, 370.0]);
        assert_eq!(axis.gaps().collect::<Vec<_>>(), [310.0]);
        assert_eq!(axis.ticks(90.0).len(), 4);
    }

    #[test]
    fn no_time_is_shortened_without_a_mark() {
        let moments = [0, 1, 2, 3, 5, 8].map(Time::units).to_vec();
        let axis = Axis::new(moments, Pace { usual: 50.0, least: 50.0, most: 100.0 });
        assert_eq!((axis.at(Time::units(5)), axis.length()), (250.0, 350.0));
        assert_eq!(axis.gaps().collect::<Vec<_>>(), [300.0]);
    }

    #[test]
    fn what_is_drawn_farther_apart_than_it_was_is_known() {
        let stretched = |moments: &[u128]| {
            let moments = moments.iter().copied().map(Time::units).collect();
            Axis::new(moments, Pace { usual: 50.0, least: 20.0, most: 100.0 }).is_stretched()
        };
        assert!(!stretched(&[0, 10, 20, 25, 45]));
        assert!(stretched(&[0, 10, 20, 21, 31]));
    }

    #[test]
    fn one_moment_is_an_axis_too() {
        let axis = Axis::new(vec![Time::ZERO], Pace { usual: 50.0, least: 10.0, most: 120.0 });
        assert_eq!((axis.at(Time::units(3)), axis.length()), (0.0, 0.0));
    }
}
