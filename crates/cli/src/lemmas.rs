//! What the lemmas of an algorithm's paper count in a run, as text.

use bellwether_console::style::DIM;
use bellwether_core::Claim;
use bellwether_world::host::LemmaCount;
use bellwether_world::numbers::{grouped, number};

/// What lemmas count, a line each.
pub fn lines(counted: &[LemmaCount]) -> impl Iterator<Item = (&'static str, String)> {
    counted.iter().enumerate().map(|(index, lemma)| (if index == 0 { "lemmas" } else { "" }, line(lemma)))
}

fn line(counted: &LemmaCount) -> String {
    let LemmaCount { name, what, count, claim: (claim, formula), says } = counted;
    let claim = if number(*claim) == *formula { number(*claim) } else { format!("{formula} = {}", number(*claim)) };
    let claim = match says {
        Claim::AtMost => format!("at most {claim}"),
        Claim::Exactly => format!("exactly {claim}"),
        Claim::Falsely => format!("claimed: {claim}, which is false in general"),
    };
    format!("{name}, {what}: {}  {DIM}{claim}{DIM:#}", grouped(*count as u64))
}
