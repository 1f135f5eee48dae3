//! What somebody answers, and whether it is right. The form matters little: `node 3`, `#3` and `3` are the same.

use serde::Serialize;

/// The kind of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A number, also a fraction or a decimal number.
    Number,
    /// A node, by its number.
    Node,
    /// A set of nodes.
    Nodes,
    /// Ids in the order of the nodes.
    Ids,
    /// One of the choices, by its letter or its text.
    Choice,
}

/// Digits after the point that a rounded answer must have right.
const DIGITS: u32 = 2;

/// The whole numbers in a text, in their order; `None` if one is negative or too large.
#[must_use]
pub fn numbers(text: &str) -> Option<Vec<u64>> {
    let is_minus = |c: char| matches!(c, '-' | '−');
    let mut before = [' ', ' '];
    for c in text.chars() {
        // A sign, and not a hyphen between two numbers or words.
        if c.is_ascii_digit() && is_minus(before[1]) && !before[0].is_alphanumeric() {
            return None;
        }
        before = [before[1], c];
    }
    let groups = text.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty());
    groups.map(|group| group.parse().ok()).collect()
}

/// Whether a text tells this fraction: as a whole number, as a fraction, or as a decimal number rounded or cut after
/// two digits or more. `1,234`, `1 234` and `1.234` are read as thousands if that is what is meant.
#[must_use]
pub fn is_number(text: &str, numerator: u64, denominator: u64) -> bool {
    let Some(parts) = numbers(text) else { return false };
    let (n, d) = (u128::from(numerator), u128::from(denominator.max(1)));
    let marks: String = text.chars().filter(|c| matches!(c, '/' | '.' | ',' | '\'' | '’')).collect();
    match (&parts[..], &marks[..]) {
        ([whole], _) => u128::from(*whole).checked_mul(d) == Some(n),
        ([top, bottom], "/") => *bottom > 0 && u128::from(*top) * d == n * u128::from(*bottom),
        ([whole, part], "." | ",") => is_decimal(text, *whole, *part, n, d) || is_grouped(&parts, text, n, d),
        _ => is_grouped(&parts, text, n, d),
    }
}

/// Whether `whole.part` is n/d, exactly or up to the last of its digits.
fn is_decimal(text: &str, whole: u64, part: u64, n: u128, d: u128) -> bool {
    let after = text.split(['.', ',']).nth(1).unwrap_or_default();
    let digits = after.chars().filter(char::is_ascii_digit).count() as u32;
    let Some(scale) = 10u128.checked_pow(digits) else { return false };
    let Some(told) = u128::from(whole).checked_mul(scale).map(|whole| whole + u128::from(part)) else { return false };
    let (Some(told), Some(wanted)) = (told.checked_mul(d), n.checked_mul(scale)) else { return false };
    told == wanted || (digits >= DIGITS && told.abs_diff(wanted) < d)
}

/// Whether groups of three digits make the number.
fn is_grouped(parts: &[u64], text: &str, n: u128, d: u128) -> bool {
    let [first, groups @ ..] = parts else { return false };
    let lengths = text.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).skip(1);
    if groups.is_empty() || lengths.map(str::len).any(|length| length != 3) || *first == 0 {
        return false;
    }
    let joined = groups
        .iter()
        .try_fold(u128::from(*first), |sum, group| sum.checked_mul(1000).map(|sum| sum + u128::from(*group)));
    joined.and_then(|joined| joined.checked_mul(d)) == Some(n)
}

/// Whether a text names this node and no other.
#[must_use]
pub fn is_node(text: &str, node: u64) -> bool {
    numbers(text).is_some_and(|numbers| numbers == [node])
}

/// Whether a text names exactly these nodes, in any order.
#[must_use]
pub fn is_set(text: &str, nodes: &[u64]) -> bool {
    let sorted = |mut list: Vec<u64>| {
        list.sort_unstable();
        list.dedup();
        list
    };
    numbers(text).is_some_and(|numbers| sorted(numbers) == sorted(nodes.to_vec()))
}

/// Which of the choices a text is: its letter, or its text in any case. `None` if it is none.
#[must_use]
pub fn choice(text: &str, choices: &[String]) -> Option<usize> {
    let plain = |text: &str| text.trim().trim_end_matches([')', '.']).trim_start_matches('(').to_lowercase();
    let told = plain(text);
    let letter = |place: usize| ((b'a' + place as u8) as char).to_string();
    (0..choices.len()).find(|place| told == letter(*place) || told == plain(&choices[*place]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_a_number_does_not_matter() {
        for right in ["36", " 36 ", "36 messages", "= 36", "36.", "36.0", "36,00", "72/2", "(36)"] {
            assert!(is_number(right, 36, 1), "{right}");
        }
        for wrong in ["", "37", "3 6", "36.1", "-36", "−36", "36 or 37", "36/0", "many", "1e3", "99999999999999999999"]
        {
            assert!(!is_number(wrong, 36, 1), "{wrong}");
        }
        for right in ["25/3", "50/6", "8.33", "8,33", "8.3333333", "8.34"] {
            assert!(is_number(right, 25, 3), "{right}");
        }
        for wrong in ["8", "8.3", "8.35", "8.32", "25", "3/25", "8.333.3"] {
            assert!(!is_number(wrong, 25, 3), "{wrong}");
        }
        for right in ["1234567", "1,234,567", "1 234 567", "1.234.567", "1'234'567"] {
            assert!(is_number(right, 1_234_567, 1), "{right}");
        }
        assert!(!is_number("1,234,56", 123_456, 1));
    }

    #[test]
    fn nodes_and_choices_are_read_as_people_write_them() {
        assert!(["3", "node 3", "#3", "Knoten 3.", "nœud 3"].iter().all(|text| is_node(text, 3)));
        assert!(["", "2", "3 and 4", "-3"].iter().all(|text| !is_node(text, 3)));
        assert!(
            ["0,4,6", "6 4 0", "nodes 0, 4 and 6", "{0, 4, 6}", "0 0 4 6", "0-4-6"]
                .iter()
                .all(|t| is_set(t, &[0, 4, 6]))
        );
        assert!(["0,4", "0,4,6,7", "046", ""].iter().all(|text| !is_set(text, &[0, 4, 6])));
        let choices = ["Unique ids".to_string(), "Reliable links".into()];
        assert!(
            ["b", "B)", "(b)", "reliable links", " Reliable Links. "].iter().all(|t| choice(t, &choices) == Some(1))
        );
        assert_eq!((choice("c", &choices), choice("", &choices)), (None, None));
    }
}
