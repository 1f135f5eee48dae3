//! Numbers in a readable form.

use crate::caption::grouped;

/// Numbers from here on are written as powers of ten.
const LARGE: f64 = 1e7;

/// The notation of all numbers of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// With all their digits.
    Digits,
    /// As powers of ten.
    Powers,
}

impl Notation {
    /// The notation of an axis with these numbers.
    pub fn of(numbers: &[f64]) -> Self {
        if numbers.iter().any(|number| *number >= LARGE) { Self::Powers } else { Self::Digits }
    }

    /// A number in this notation.
    pub fn write(self, value: f64) -> String {
        match self {
            Self::Digits => digits(value),
            Self::Powers => power(value),
        }
    }
}

/// A single number; a large one is a power of ten.
pub fn number(value: f64) -> String {
    Notation::of(&[value]).write(value)
}

/// A number with its digits.
pub fn digits(value: f64) -> String {
    if value >= 100.0 || value.fract() == 0.0 {
        return grouped(value.round() as u64);
    }
    format!("{value:.2}").trim_end_matches('0').trim_end_matches('.').into()
}

fn power(value: f64) -> String {
    // 9.95 or more is shown as 1 of the next power.
    let exponent = libm::floor(libm::log10(value / 0.995) + 1e-9);
    let factor = format!("{:.1}", value / libm::pow(10.0, exponent));
    let power = format!("10{}", raised(exponent as i32));
    if factor == "1.0" { power } else { format!("{}·{power}", factor.trim_end_matches(".0")) }
}

fn raised(number: i32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |letter: char| letter.to_digit(10).map_or('⁻', |digit| digits[digit as usize]);
    number.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_themselves() {
        let shown = [0.5, 12.0, 51.13, 1_234.4, 1e6, 1e7, 2.5e11, 9.99e12].map(number);
        assert_eq!(shown, ["0.5", "12", "51.13", "1,234", "1,000,000", "10⁷", "2.5·10¹¹", "10¹³"]);
    }

    #[test]
    fn an_axis_has_one_style() {
        let all = |numbers: &[f64]| numbers.iter().map(|n| Notation::of(numbers).write(*n)).collect::<Vec<_>>();
        assert_eq!(all(&[1e3, 1e5, 1e6]), ["1,000", "100,000", "1,000,000"]);
        assert_eq!(all(&[1.0, 20.0, 1e5, 1e7]), ["10⁰", "2·10¹", "10⁵", "10⁷"]);
        assert_eq!(all(&[0.1, 1e8]), ["10⁻¹", "10⁸"]);
    }
}
