//! What the letters of formulas stand for.

/// The letters in the order in which they are explained.
const LETTERS: [(&str, &str); 7] = [
    ("n", "n nodes"),
    ("k", "k of them start"),
    ("m", "m links"),
    ("D", "diameter D"),
    ("min", "min the smallest id of those who start"),
    ("lg", "lg to base 2"),
    ("H_n", "H_n = 1 + 1/2 + … + 1/n"),
];

/// What the letters in these formulas stand for, in a line.
pub fn explained<'a>(formulas: impl Iterator<Item = &'a str>) -> String {
    let mut found: Vec<&str> = vec![];
    for word in formulas.flat_map(|text| text.split(|letter: char| !letter.is_ascii_alphabetic() && letter != '_')) {
        match LETTERS.iter().find(|(letter, _)| *letter == word) {
            Some((letter, _)) => found.push(letter),
            // Products are written without a sign between their factors, but "or" and "if" are words.
            None if word.chars().all(|letter| "nkmD".contains(letter)) => {
                found.extend(word.char_indices().map(|(at, letter)| &word[at..at + letter.len_utf8()]));
            }
            None => {}
        }
    }
    // The other letters describe a network of n nodes, so n is explained with them.
    found.extend((!found.is_empty()).then_some("n"));
    let said = LETTERS.iter().filter(|(letter, _)| found.contains(letter)).map(|(_, words)| *words);
    said.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_occur_are_explained_and_no_others() {
        let said = |formulas: &[&str]| explained(formulas.iter().copied());
        assert_eq!(said(&["n H_n"]), "n nodes, H_n = 1 + 1/2 + … + 1/n");
        assert_eq!(said(&["2mk", "2Dm"]), "n nodes, k of them start, m links, diameter D");
        assert_eq!(said(&["2n ⌊lg k⌋ + n", "3n, or n if k = 1"]), "n nodes, k of them start, lg to base 2");
        assert_eq!(said(&["n(min + 1)"]), "n nodes, min the smallest id of those who start");
        assert_eq!(said(&["6n + Σ 4·2ⁱ ⌊n/(2ⁱ⁻¹ + 1)⌋ over 0 < i < ⌈lg n⌉, or 2 if n = 1"]), "n nodes, lg to base 2");
        assert_eq!(said(&["0"]), "");
    }
}
