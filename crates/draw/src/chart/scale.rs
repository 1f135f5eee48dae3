//! Where values lie on a logarithmic axis.

/// An axis.
pub struct Scale {
    /// The logarithms of its ends.
    low: f64,
    high: f64,
    /// Where it begins on the page, and how long it is; upwards is negative.
    from: f64,
    long: f64,
}

impl Scale {
    /// An axis on which all of these values have their place, those that are positive.
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

    /// Round values, so many that they are at least this far apart: powers of ten, and what lies between them where there
    /// is room.
    pub fn ticks(&self, apart: f64) -> Vec<f64> {
        let decade = self.long.abs() / (self.high - self.low);
        let digits: &[f64] = match decade {
            wide if wide * 0.09 > apart => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0],
            wide if wide * 0.3 > apart => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let every = (apart / decade).ceil().max(1.0) as i32;
        let exponents = self.low.floor() as i32..=self.high.ceil() as i32;
        let values = exponents
            .filter(|exponent| exponent.rem_euclid(every) == 0)
            .flat_map(|exponent| digits.iter().map(move |digit| digit * libm::pow(10.0, f64::from(exponent))));
        values.filter(|value| (self.low..=self.high).contains(&libm::log10(*value))).collect()
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
    }

    #[test]
    fn one_value_is_an_axis_too_and_so_is_none() {
        assert!(Scale::new([7.0].into_iter(), 0.0, 100.0).at(7.0) == 50.0);
        assert_eq!(Scale::new([0.0].into_iter(), 0.0, 100.0).ticks(10.0), [1.0, 2.0, 5.0, 10.0]);
    }
}
