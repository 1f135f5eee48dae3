//! Functions of whole numbers as lines on logarithmic scales, with as few points as are needed. Jumps stay vertical.

/// The largest error of a line, relative to its total height: less than half a pixel.
const TOLERANCE: f64 = 1e-3;
/// The number of places between the ends where a line is checked.
const PROBES: u32 = 16;
/// A step is a jump if it is this many times as high as the steps before and after it.
const JUMP: f64 = 1.5;

/// The points of the line of a function between two sizes. It begins at the first positive value. It is empty if the
/// last value is not positive.
#[must_use]
pub fn traced(from: u32, to: u32, of: impl Fn(u32) -> f64) -> Vec<(f64, f64)> {
    let is_seen = |value: f64| value > 0.0 && value.is_finite();
    if !is_seen(of(to)) {
        return vec![];
    }
    let Some(from) = (from..=to).find(|n| is_seen(of(*n))) else { return vec![] };
    let height = |n: u32| libm::log10(of(n));
    let tolerance = TOLERANCE * (height(to) - height(from)).abs() + 1e-9;
    let (mut at, mut points) = (from, vec![(f64::from(from), of(from))]);
    while at < to {
        let next = furthest(at, to, |end| is_straight(at, end, tolerance, height));
        if next == at + 1 && at > 1 && is_jump([at - 1, at, next, next.saturating_add(1)].map(height)) {
            points.push((f64::from(next), of(at)));
        }
        points.push((f64::from(next), of(next)));
        at = next;
    }
    points
}

/// The last end for which `holds` is true. It is true for `at + 1`.
fn furthest(at: u32, to: u32, holds: impl Fn(u32) -> bool) -> u32 {
    if holds(to) {
        return to;
    }
    let (mut low, mut high) = (at + 1, to);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

/// Whether the function follows the straight line between two sizes.
fn is_straight(from: u32, to: u32, tolerance: f64, height: impl Fn(u32) -> f64) -> bool {
    let log = |n: u32| libm::log10(n.into());
    let (left, wide, low) = (log(from), log(to) - log(from), height(from));
    let slope = (height(to) - low) / wide;
    let between = |part: u32| libm::pow(10.0, left + wide * f64::from(part) / f64::from(PROBES)) as u32;
    let probes = (1..PROBES).map(between).chain([from + 1, to - 1]);
    probes
        .filter(|n| (from + 1..to).contains(n))
        .all(|n| (height(n) - low - slope * (log(n) - left)).abs() <= tolerance)
}

/// Whether the step from the second to the third height is a jump.
fn is_jump(heights: [f64; 4]) -> bool {
    let [before, step, after] = [0, 1, 2].map(|index| (heights[index + 1] - heights[index]).abs());
    step > JUMP * before && step > JUMP * after
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of the line at a size.
    fn shown(points: &[(f64, f64)], n: f64) -> f64 {
        let pair = points.windows(2).rfind(|pair| pair[0].0 <= n && n <= pair[1].0 && pair[0].0 < pair[1].0).unwrap();
        let [(a, low), (b, high)] = [pair[0], pair[1]];
        low * libm::pow(high / low, libm::log(n / a) / libm::log(b / a))
    }

    #[test]
    fn a_power_is_one_line_and_a_logarithm_needs_a_few() {
        let square = |n: u32| f64::from(n) * f64::from(n);
        assert_eq!(traced(10, 1_000_000, square), [(1e1, 1e2), (1e6, 1e12)]);
        let curved = |n: u32| f64::from(n) * libm::log2(n.into());
        let points = traced(16, 1_000_000, curved);
        assert!((3..20).contains(&points.len()), "{points:?}");
        for n in [17, 100, 1_000, 123_456] {
            let (is, seen) = (curved(n), shown(&points, n.into()));
            assert!((seen / is - 1.0).abs() < 0.02, "{n}: {seen} for {is}");
        }
    }

    #[test]
    fn a_jump_is_a_step_where_it_is() {
        let steps = |n: u32| f64::from(2 * n * n.ilog2() + n);
        let points = traced(16, 1_024, steps);
        for n in [20, 31, 32, 63, 64, 100, 128, 1_023] {
            assert!((shown(&points, n.into()) / steps(n) - 1.0).abs() < 0.01, "{n}: {points:?}");
        }
        // The value of 127 holds up to 128, where the step is.
        let at = points.iter().filter(|(n, _)| *n == 128.0).map(|(_, value)| *value);
        assert_eq!(at.collect::<Vec<_>>(), [steps(127), steps(128)]);
        assert!(points.len() < 40, "{points:?}");
    }

    #[test]
    fn what_is_not_positive_has_no_place() {
        assert_eq!(traced(1, 1, f64::from), [(1.0, 1.0)]);
        assert_eq!(traced(1, 9, |_| 0.0), []);
        assert_eq!(traced(1, 9, |_| f64::NAN), []);
        assert_eq!(traced(1, 64, |n| f64::from(n - 1))[0], (2.0, 1.0));
    }
}
