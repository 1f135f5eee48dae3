//! Statistics of a sample: its mean, its spread, the confidence in the mean, and how a quantity grows.

/// The statistics of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The number of values.
    pub count: usize,
    /// The mean.
    pub mean: f64,
    /// The sample standard deviation; `None` for a single value.
    pub deviation: Option<f64>,
    /// The smallest value.
    pub least: f64,
    /// The largest value.
    pub most: f64,
}

impl Sample {
    /// The statistics of these values; `None` if there are none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        let (first, rest) = values.split_first()?;
        let mean = values.iter().sum::<f64>() / count as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let deviation = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
        let least = rest.iter().copied().fold(*first, f64::min);
        let most = rest.iter().copied().fold(*first, f64::max);
        Some(Self { count, mean, deviation, least, most })
    }

    /// The half-width of the 95 % confidence interval of the mean (Student); `None` for a single value.
    pub fn margin(&self) -> Option<f64> {
        Some(student(self.count - 1) * self.deviation? / (self.count as f64).sqrt())
    }
}

/// The growth of a quantity with the size: a power, or a multiple of n log n if that fits better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// The factor before the power.
    pub factor: f64,
    /// The exponent.
    pub exponent: f64,
    /// The half-width of the 95 % confidence interval of the exponent, provided that the growth is a power. `None` for
    /// two points.
    pub margin: Option<f64>,
    /// A multiple of n log n that fits at least as well.
    pub log_linear: Option<LogLinear>,
}

/// A growth as `a n lg n + b n`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogLinear {
    /// The factor of n lg n.
    pub a: f64,
    /// The factor of n.
    pub b: f64,
}

impl LogLinear {
    /// The value at a size.
    pub fn at(&self, n: f64) -> f64 {
        n * (self.a * libm::log2(n) + self.b)
    }

    /// The least relative errors, squared; `None` if no multiple of n log n comes near.
    fn of(points: &[(f64, f64)]) -> Option<Self> {
        let (mut uu, mut uv, mut vv, mut u1, mut v1) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (n, y) in points {
            let (u, v) = (n * libm::log2(*n) / y, n / y);
            (uu, uv, vv, u1, v1) = (uu + u * u, uv + u * v, vv + v * v, u1 + u, v1 + v);
        }
        let determinant = uu * vv - uv * uv;
        let fit = Self { a: (u1 * vv - v1 * uv) / determinant, b: (v1 * uu - u1 * uv) / determinant };
        // A quarter of the largest value at least: less would be a linear growth with a trifle on top.
        let counts = |(n, _): &(f64, f64)| fit.a * libm::log2(*n) > 0.25 * (fit.a * libm::log2(*n) + fit.b);
        (fit.a > 0.0 && points.iter().all(|(n, _)| fit.at(*n) > 0.0) && points.last().is_some_and(counts))
            .then_some(fit)
    }
}

impl Growth {
    /// The value at a size.
    pub fn at(&self, n: f64) -> f64 {
        self.log_linear.map_or_else(|| self.power(n), |fit| fit.at(n))
    }

    fn power(&self, n: f64) -> f64 {
        self.factor * libm::pow(n, self.exponent)
    }

    /// The law in a few letters.
    pub fn law(&self) -> String {
        if self.log_linear.is_some() { "n log n".into() } else { format!("n^{:.2}", self.exponent) }
    }

    /// Fits a power by least squares on the logarithms. `None` unless there are two sizes and all values are positive.
    pub fn of(points: &[(f64, f64)]) -> Option<Self> {
        if points.iter().any(|(x, y)| *x <= 0.0 || *y <= 0.0) {
            return None;
        }
        let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (libm::log(*x), libm::log(*y))).collect();
        let count = logs.len() as f64;
        let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / count, logs.iter().map(|p| p.1).sum::<f64>() / count);
        let wide: f64 = logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
        if logs.len() < 2 || wide == 0.0 {
            return None;
        }
        let exponent = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum::<f64>() / wide;
        let off = |(x, y): &(f64, f64)| y - my - exponent * (x - mx);
        let squares: f64 = logs.iter().map(|point| off(point) * off(point)).sum();
        let free = logs.len() - 2;
        let margin = (free > 0).then(|| student(free) * (squares / free as f64 / wide).sqrt());
        let power = Self { factor: libm::exp(my - exponent * mx), exponent, margin, log_linear: None };
        // Both laws have two parameters. A power whose exponent may be 1, or is 2 or more, stays a power.
        let grows_faster = margin.is_some_and(|margin| exponent - margin > 1.0) && exponent < 2.0;
        let square = |off: f64| off * off;
        let error = |of: &dyn Fn(f64) -> f64| -> f64 { points.iter().map(|(n, y)| square(of(*n) / y - 1.0)).sum() };
        let fits = |fit: &LogLinear| error(&|n| fit.at(n)) <= error(&|n| power.power(n));
        let log_linear = LogLinear::of(points).filter(|fit| grows_faster && fits(fit));
        Some(Self { log_linear, ..power })
    }
}

/// The 97.5 % quantile of Student's distribution with this number of degrees of freedom.
fn student(freedom: usize) -> f64 {
    const FEW: [f64; 10] = [
        12.706_204_736,
        4.302_652_730,
        3.182_446_305,
        2.776_445_105,
        2.570_581_836,
        2.446_911_851,
        2.364_624_252,
        2.306_004_135,
        2.262_157_163,
        2.228_138_852,
    ];
    if let Some(quantile) = FEW.get(freedom.wrapping_sub(1)) {
        return *quantile;
    }
    // Fisher and Cornish: the normal quantile, corrected by powers of 1 / freedom.
    let (z, v) = (1.959_963_984_540_054, freedom as f64);
    let z2 = z * z;
    let first = z * (z2 + 1.0) / 4.0;
    let second = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    z + (first + (second + third / v) / v) / v
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_a_mean_a_deviation_and_extremes() {
        let sample = Sample::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
        assert_eq!((sample.mean, sample.least, sample.most), (5.0, 2.0, 9.0));
        assert_eq!(sample.deviation, Some((32.0f64 / 7.0).sqrt()));
        // t(0.975, 7) = 2.364624
        assert!((sample.margin().unwrap() - 2.364_624_252 * (32.0f64 / 7.0 / 8.0).sqrt()).abs() < 1e-9);
        let one = Sample::of(&[3.0]).unwrap();
        assert_eq!((one.deviation, one.margin()), (None, None));
        assert_eq!(Sample::of(&[]), None);
    }

    /// From tables of the distribution.
    #[test]
    fn quantiles_of_student() {
        for (freedom, quantile) in
            [(1, 12.7062), (9, 2.26216), (11, 2.20099), (19, 2.09302), (29, 2.04523), (120, 1.97993), (10_000, 1.96020)]
        {
            assert!((student(freedom) - quantile).abs() < 2e-4, "{freedom}: {}", student(freedom));
        }
    }

    #[test]
    fn a_power_is_found_again() {
        let points = |of: fn(f64) -> f64| [16.0, 32.0, 64.0, 128.0].map(|x| (x, of(x)));
        let growth = Growth::of(&points(|x| 3.0 * x * x)).unwrap();
        assert!((growth.exponent - 2.0).abs() < 1e-12 && growth.margin.unwrap() < 1e-7);
        assert!((growth.factor - 3.0).abs() < 1e-9);
        assert_eq!(growth.law(), "n^2.00");
        let growth = Growth::of(&points(|x| x * libm::log2(x))).unwrap();
        assert!((growth.exponent - 1.27).abs() < 0.01 && growth.margin.unwrap() > 0.02);
        // What grows as n log n is no power, whatever linear term it has.
        for (a, b) in [(1.0, 0.0), (0.693, 0.577), (2.0, -3.0), (1.5, 40.0)] {
            let points = [16.0, 32.0, 64.0, 128.0, 1024.0].map(|n: f64| (n, n * (a * libm::log2(n) + b)));
            let growth = Growth::of(&points).unwrap();
            let fit = growth.log_linear.unwrap_or_else(|| panic!("{a} {b}: {growth:?}"));
            assert!((fit.a - a).abs() < 1e-9 && (fit.b - b).abs() < 1e-7, "{fit:?}");
            assert_eq!((growth.law(), growth.at(64.0) - points[2].1 < 1e-6), ("n log n".into(), true));
        }
        // 3n - 1 is no n log n.
        let points = [16.0, 32.0, 64.0, 128.0, 256.0].map(|n: f64| (n, 3.0 * n - 1.0));
        assert_eq!(Growth::of(&points).unwrap().law(), "n^1.01");
        for power in [0.5, 1.0, 1.5, 2.0, 3.0] {
            let points = [16.0, 32.0, 64.0, 128.0].map(|n: f64| (n, 7.0 * libm::pow(n, power)));
            assert_eq!(Growth::of(&points).unwrap().law(), format!("n^{power:.2}"));
        }
        assert_eq!(Growth::of(&[(16.0, 5.0)]), None);
        assert_eq!(Growth::of(&[(16.0, 5.0), (32.0, 0.0)]), None);
        assert_eq!(Growth::of(&[(16.0, 5.0), (32.0, 10.0)]).unwrap().margin, None);
    }
}
