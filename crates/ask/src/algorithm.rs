//! Algorithms by name.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_core::Info;

use crate::Refusal;

/// The catalogue entry of an algorithm, by any of its names.
///
/// # Errors
/// If there is none. The error names the most similar one.
pub fn algorithm(name: &str) -> Result<&'static Info, Refusal> {
    let called = |name: &str| CATALOGUE.iter().find(|info| info.is_called(name));
    let found = called(name).or_else(|| called(&name.replace('_', "-")));
    found.copied().ok_or_else(|| {
        let likeness = |info: &&Info| strsim::jaro_winkler(info.name, name);
        let nearest = CATALOGUE.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        let hint = nearest.filter(|info| likeness(info) > 0.7).map(|info| format!("did you mean {}? ", info.name));
        Refusal(format!("there is no algorithm '{name}': {}'bellwether list' shows all", hint.unwrap_or_default()))
    })
}
