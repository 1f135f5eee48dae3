//! Errata: rules as lectures print them, where following the print to the letter goes wrong.
//!
//! A file of `printed/ALGORITHM/NAME.md` tells where the rule is printed, what goes wrong, and the smallest run that
//! shows it. Its last blocks are the change. `build.rs` makes the erratum from the algorithm's own file and this
//! change, so an erratum is always the real algorithm plus what is printed. Errata are no part of the catalogue: only
//! their full name, `ALGORITHM/NAME`, finds them.

#![warn(clippy::unwrap_used)]

use bellwether_world::host::Algorithm;

/// A rule as printed.
#[derive(Debug)]
pub struct Erratum {
    /// The algorithm that the rule belongs to.
    pub algorithm: &'static str,
    /// Its own name.
    pub name: &'static str,
    /// All that is told of it, as Markdown.
    pub text: &'static str,
    value: fn() -> &'static Algorithm,
}

/// All errata, by algorithm and name.
pub const ERRATA: &[Erratum] = include!(concat!(env!("OUT_DIR"), "/list.rs"));

#[allow(warnings, clippy::all, reason = "a wrong rule may leave something unused or unreachable")]
mod printed {
    include!(concat!(env!("OUT_DIR"), "/modules.rs"));
}

/// The algorithm with this erratum, by its full name; `None` if there is none.
#[must_use]
pub fn algorithm(full_name: &str) -> Option<&'static Algorithm> {
    let (algorithm, name) = full_name.split_once('/')?;
    Some(find(algorithm, name)?.value())
}

/// The erratum of this name.
#[must_use]
pub fn find(algorithm: &str, name: &str) -> Option<&'static Erratum> {
    ERRATA.iter().find(|erratum| (erratum.algorithm, erratum.name) == (algorithm, name))
}

impl Erratum {
    /// The algorithm with this erratum.
    #[must_use]
    pub fn value(&self) -> &'static Algorithm {
        (self.value)()
    }

    /// What is wrong, in a line.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default()
    }

    /// Where it is printed.
    #[must_use]
    pub fn printed(&self) -> String {
        self.section("Printed")
    }

    /// What goes wrong.
    #[must_use]
    pub fn wrong(&self) -> String {
        self.section("What goes wrong")
    }

    /// A question for an exam.
    #[must_use]
    pub fn question(&self) -> String {
        self.section("Exam question")
    }

    /// The command that shows it.
    #[must_use]
    pub fn command(&self) -> &'static str {
        self.text.lines().find_map(|line| line.strip_prefix("$ ")).unwrap_or_default()
    }

    /// The paragraphs under a heading, each in a line.
    fn section(&self, heading: &str) -> String {
        let lines = self.text.lines().skip_while(|line| line.strip_prefix("## ") != Some(heading)).skip(1);
        let lines: Vec<_> = lines.take_while(|line| !line.starts_with("## ") && !line.starts_with("```")).collect();
        lines.join("\n").trim().replace('\n', " ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_erratum_is_told_in_full() {
        assert!(ERRATA.len() >= 12);
        for erratum in ERRATA {
            let Erratum { algorithm, name, .. } = erratum;
            let texts = [erratum.title().into(), erratum.printed(), erratum.wrong(), erratum.question()];
            assert!(texts.iter().all(|text: &String| !text.is_empty()), "{algorithm}/{name}: {texts:?}");
            assert!(erratum.command().contains(&format!("{algorithm} --as-printed {name}")), "{algorithm}/{name}");
        }
    }

    #[test]
    fn errata_are_found_by_their_full_name_only() {
        for erratum in ERRATA {
            let full = format!("{}/{}", erratum.algorithm, erratum.name);
            assert_eq!(algorithm(&full).map(|found| found.info.name), Some(&full[..]));
            assert!(algorithm(erratum.name).is_none() && algorithm(erratum.algorithm).is_none());
        }
    }
}
