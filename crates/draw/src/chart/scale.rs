//! A logarithmic axis.

/// An axis.
pub struct Scale {
    /// The logarithms of its ends.
    low: f64,
    high: f64,
    /// The start on the page, and the length; upwards is negative.
    from: f64,
    long: f64,
}

impl Scale {
    /// An axis that includes all of these values that are positive.
    pub fn new(values: impl Iterator<Item = f64>, from: f64, long: f64) -> Self {
        let logs = values.filter(|value| *value > 0.0).map(libm::log10);
        let (low, high) =
            logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), log| (low.min(log), high.max(log)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let room = (0.04 * (high - low)).max(0.05);
        Self { low: low - room, high: high + room, from, long }
    }

    /// The place of a value.
    pub fn at(&self, value: f64) -> f64 {
        self.from + self.long * (libm::log10(value) - self.low) / (self.high - self.low)
    }

    /// Round values that are at least this far apart: powers of ten, values between them, or even steps. The variant
    /// with the most values is used.
    pub fn ticks(&self, apart: f64) -> Vec<f64> {
        let is_spaced =
            |ticks: &Vec<f64>| ticks.windows(2).all(|pair| (self.at(pair[1]) - self.at(pair[0])).abs() >= apart - 1e-9);
        let fitting = self.candidates().into_iter().filter(is_spaced);
        fitting.reduce(|best, other| if other.len() > best.len() { other } else { best }).unwrap_or_default()
    }

    /// Lists of round values, the roundest first.
    fn candidates(&self) -> Vec<Vec<f64>> {
        let span = (self.high - self.low).ceil() as i32;
        let powers = (1..=span.max(1)).map(|every| self.decades(every, &[1.0]));
        let between =
            [&[1.0, 2.0, 5.0][..], &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0]].map(|digits| self.decades(1, digits));
        let (top, exponent) = (libm::pow(10.0, self.high), self.high.floor() as i32);
        let steps = [1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01].map(|part| part * libm::pow(10.0, exponent.into()));
        let even = |step: f64| {
            let first = (libm::pow(10.0, self.low) / step).ceil().max(1.0) as u32;
            (first..=(top / step) as u32).map(|count| f64::from(count) * step).collect()
        };
        powers.chain(between).chain(steps.map(even)).collect()
    }

    /// These digits in every `every`-th decade, as far as they are on the axis.
    fn decades(&self, every: i32, digits: &[f64]) -> Vec<f64> {
        let exponents = self.low.floor() as i32..=self.high.ceil() as i32;
        let values = exponents
            .filter(|exponent| exponent.rem_euclid(every) == 0)
            .flat_map(|exponent| digits.iter().map(move |digit| digit * libm::pow(10.0, f64::from(exponent))));
        values.filter(|value| (self.low..=self.high).contains(&libm::log10(*value))).collect()
    }

    /// A subset of these ascending values whose labels do not overlap. The ends are preferred. `wide` is the width of a
    /// label.
    pub fn thinned(&self, values: &[f64], wide: impl Fn(f64) -> f64) -> Vec<f64> {
        let Some((last, rest)) = values.split_last() else { return vec![] };
        let clear = |a: f64, b: f64| (self.at(a) - self.at(b)).abs() >= (wide(a) + wide(b)) / 2.0;
        let mut kept: Vec<f64> = vec![];
        for value in rest {
            if kept.last().is_none_or(|before| clear(*before, *value)) && clear(*value, *last) {
                kept.push(*value);
            }
        }
        kept.push(*last);
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_places_and_round_ones_are_named() {
        let scale = Scale::new([0.0, 10.0, 100_000.0].into_iter(), 100.0, 432.0);
        assert!((scale.at(10.0) - 116.0).abs() < 1e-9 && (scale.at(1e5) - 516.0).abs() < 1e-9);
        assert_eq!(scale.ticks(60.0), [10.0, 100.0, 1_000.0, 10_000.0, 100_000.0]);
        assert_eq!(scale.ticks(150.0), [100.0, 10_000.0]);
        let narrow = Scale::new([16.0, 64.0].into_iter(), 0.0, 600.0);
        assert_eq!(narrow.ticks(60.0), [15.0, 20.0, 30.0, 40.0, 50.0, 70.0]);
        // An axis has several ticks on every range.
        let between = Scale::new([510.0, 690.0].into_iter(), 0.0, 440.0);
        assert_eq!(between.ticks(44.0), [500.0, 550.0, 600.0, 650.0, 700.0, 750.0]);
    }

    #[test]
    fn sizes_are_named_as_far_as_there_is_room() {
        let sizes: Vec<f64> = (1..=16).map(|size| f64::from(16 * size)).collect();
        let scale = Scale::new(sizes.iter().copied(), 0.0, 600.0);
        assert_eq!(scale.thinned(&sizes, |_| 40.0), [16.0, 32.0, 48.0, 64.0, 80.0, 112.0, 144.0, 176.0, 256.0]);
        assert_eq!(scale.thinned(&sizes[..1], |_| 40.0), [16.0]);
        assert!(scale.thinned(&[], |_| 40.0).is_empty());
    }

    #[test]
    fn one_value_is_an_axis_too_and_so_is_none() {
        assert!(Scale::new([7.0].into_iter(), 0.0, 100.0).at(7.0) == 50.0);
        assert_eq!(Scale::new([0.0].into_iter(), 0.0, 100.0).ticks(10.0), [1.0, 2.0, 5.0, 10.0]);
    }
}
