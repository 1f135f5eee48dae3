//! Sizes and counts as people type them: `1000`, `1e6`, `10k`, `2M`.

/// A whole number, plain or short: `1e6` and `1.5e3` have a power of ten, `10k`, `2M` and `1G` have a unit.
///
/// # Errors
/// If it is no number, not whole, or more than 2^64 - 1.
pub fn size(text: &str) -> Result<u64, String> {
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    let (digits, power) =
        split(text).ok_or_else(|| format!("'{text}' is no whole number, as in 1000, 1e6, 10k or 2M"))?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let Some(zeros) = power.checked_sub(fraction.len()) else {
        return Err(format!("'{text}' is not whole: as in 1000, 1e6, 10k or 2M"));
    };
    let number: Option<u64> = format!("{whole}{fraction}").parse().ok();
    let factor = u32::try_from(zeros).ok().and_then(|zeros| 10u64.checked_pow(zeros));
    let product = if number == Some(0) { Some(0) } else { number.zip(factor).and_then(|(n, by)| n.checked_mul(by)) };
    product.ok_or_else(|| format!("'{text}' is more than {}", u64::MAX))
}

/// The digits, perhaps with a point, and the power of ten that follows them.
fn split(text: &str) -> Option<(&str, usize)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let power = match unit {
        "" => 0,
        "k" | "K" => 3,
        "M" => 6,
        "G" => 9,
        _ => {
            let power = unit.strip_prefix(['e', 'E'])?;
            let power = power.strip_prefix('+').unwrap_or(power);
            power.parse::<u16>().ok().filter(|_| !power.starts_with('+'))?.into()
        }
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let are_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (are_digits(whole) && are_digits(fraction)).then_some((digits, power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_are_exact() {
        for (text, number) in [
            ("0", 0),
            ("1000", 1000),
            ("1e6", 1_000_000),
            ("1E+3", 1000),
            ("1.5e3", 1500),
            ("2.50k", 2500),
            ("10k", 10_000),
            ("2M", 2_000_000),
            ("1G", 1_000_000_000),
            ("3.0", 3),
            ("0.1k", 100),
            ("0e99", 0),
            ("18446744073709551615", u64::MAX),
            ("1e19", 10_000_000_000_000_000_000),
        ] {
            assert_eq!(size(text), Ok(number), "{text}");
        }
    }

    #[test]
    fn what_is_not_whole_or_too_large_is_refused() {
        for text in ["1.5", "1.2345e3", "0.5"] {
            assert_eq!(size(text), Err(format!("'{text}' is not whole: as in 1000, 1e6, 10k or 2M")), "{text}");
        }
        for text in ["1e20", "18446744073709551616", "1e65535", "99999999999G"] {
            assert_eq!(size(text), Err("'".to_owned() + text + "' is more than 18446744073709551615"), "{text}");
        }
        for text in ["", "k", "e6", "1e", "1e-3", "-1", "1m", "1kk", "1.e3", ".5k", "1..5k", "1e++3", "1e6.5", " 1"] {
            assert!(size(text).unwrap_err().contains("is no whole number"), "{text}");
        }
    }
}
