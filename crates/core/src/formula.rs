//! Functions of the size of a network, in which bounds are stated.

/// A function of the network's size, for machines and for people.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    /// As a person writes it.
    pub text: &'static str,
    /// As a machine computes it.
    pub of: fn(Size) -> f64,
}

impl Formula {
    /// Nothing at all.
    pub const ZERO: Self = Self { text: "0", of: |_| 0.0 };
    /// One for each process.
    pub const N: Self = Self { text: "n", of: |s| s.n };
}

/// What a bound may depend on.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The number of processes.
    pub n: f64,
    /// The number of initiators.
    pub k: f64,
    /// The smallest id of the initiators.
    pub min: f64,
    /// The number of links.
    pub m: f64,
    /// The diameter, or the bound on it that processes are told. Known only where they must know it.
    pub d: f64,
    /// Whether the announcement is flooded instead of going down a tree.
    pub flood: bool,
}

/// H_n = 1 + 1/2 + … + 1/n: summed up while that is cheap, then by its expansion, which is exact to the last digit.
#[must_use]
pub fn harmonic(n: f64) -> f64 {
    const EULER: f64 = 0.577_215_664_901_532_9;
    if n <= 1000.0 {
        return (1..=n as u32).rev().map(|i| 1.0 / f64::from(i)).sum();
    }
    libm::log(n) + EULER + 1.0 / (2.0 * n) - 1.0 / (12.0 * n * n)
}

/// The number of ways to choose k of n.
#[must_use]
pub fn choose(n: usize, k: usize) -> f64 {
    (0..k.min(n - k)).fold(1.0, |ways, i| ways * (n - i) as f64 / (i + 1) as f64)
}

/// x to the power of k.
#[must_use]
pub fn power(x: f64, k: usize) -> f64 {
    libm::pow(x, k as f64)
}

/// ⌊lg x⌋ for x ≥ 1.
#[must_use]
pub fn floor_lg(x: f64) -> f64 {
    f64::from((x as u64).max(1).ilog2())
}

/// ⌈lg x⌉ for x ≥ 1.
#[must_use]
pub fn ceil_lg(x: f64) -> f64 {
    f64::from((x as u64).max(1).next_power_of_two().ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmonic_numbers() {
        assert_eq!(harmonic(1.0), 1.0);
        assert!((harmonic(4.0) - 25.0 / 12.0).abs() < 1e-15);
        assert!((harmonic(1e6) - 14.392_726_722_865_723).abs() < 1e-13);
        assert!((harmonic(1001.0) - harmonic(1000.0) - 1.0 / 1001.0).abs() < 1e-13);
    }

    #[test]
    fn logarithms_of_sizes() {
        let pairs = [(1.0, 0.0, 0.0), (2.0, 1.0, 1.0), (3.0, 1.0, 2.0), (8.0, 3.0, 3.0), (9.0, 3.0, 4.0)];
        for (n, floor, ceil) in pairs {
            assert_eq!((floor_lg(n), ceil_lg(n)), (floor, ceil), "n = {n}");
        }
    }
}
