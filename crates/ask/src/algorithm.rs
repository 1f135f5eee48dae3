//! Algorithms by name.

use bellwether_algorithms::registry::{CATALOGUE, PERPETUAL};
use bellwether_catalogue::errata::{self, ERRATA};
use bellwether_core::{Info, Model};

use crate::Refusal;

/// Protocols that people look for here.
const CONSENSUS: [&str; 8] =
    ["raft", "paxos", "multi-paxos", "multipaxos", "zab", "pbft", "viewstamped-replication", "vr"];

/// The catalogue entry of an algorithm, by any of its names.
///
/// # Errors
/// If there is none. The error names the most similar one.
pub fn algorithm(name: &str) -> Result<&'static Info, Refusal> {
    let all = || CATALOGUE.iter().chain(PERPETUAL).copied();
    let called = |name: &str| all().find(|info| info.is_called(name));
    let found = called(name).or_else(|| called(&name.replace('_', "-")));
    found.ok_or_else(|| {
        if CONSENSUS.contains(&&name.to_ascii_lowercase()[..]) {
            let reason = "consensus protocols are not in the catalogue";
            return Refusal(format!("there is no algorithm '{name}': {reason}; 'bellwether list' shows all that are"));
        }
        if let Some((owner, erratum)) = name.split_once('/').filter(|(owner, name)| errata::find(owner, name).is_some())
        {
            return Refusal(format!("'{name}' is an erratum: take {owner} --as-printed {erratum}"));
        }
        let likeness = |info: &&Info| strsim::jaro_winkler(info.name, name);
        let nearest = all().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
        let hint = nearest.filter(|info| likeness(info) > 0.7).map(|info| format!("did you mean {}? ", info.name));
        Refusal(format!("there is no algorithm '{name}': {}'bellwether list' shows all", hint.unwrap_or_default()))
    })
}

/// The entry of an algorithm, or of one of its errata.
///
/// # Errors
/// If there is none. The error names the errata that there are.
pub fn as_printed(name: &str, erratum: Option<&str>) -> Result<&'static Info, Refusal> {
    let info = algorithm(name)?;
    let Some(wanted) = erratum else { return Ok(info) };
    // Reports write an erratum with its algorithm.
    let wanted = wanted.strip_prefix(info.name).and_then(|rest| rest.strip_prefix('/')).unwrap_or(wanted);
    let own = || ERRATA.iter().filter(|erratum| erratum.algorithm == info.name).map(|erratum| erratum.name);
    errata::find(info.name, wanted).map(|erratum| erratum.value().info).ok_or_else(|| {
        let owner = ERRATA.iter().find(|erratum| erratum.name == wanted).map(|erratum| erratum.algorithm);
        let hint = match (own().next(), owner) {
            (Some(_), _) => format!("there is {}", own().collect::<Vec<_>>().join(", ")),
            (None, Some(owner)) => format!("it is one of {owner}"),
            (None, None) => "there is none".into(),
        };
        Refusal(format!(
            "--as-printed: '{wanted}' is no erratum of {}: {hint}; 'bellwether explain errata' shows all",
            info.name
        ))
    })
}

/// The entry that a scenario names: of an algorithm, or of an algorithm and its erratum.
///
/// # Errors
/// If there is none.
pub fn named(full_name: &str) -> Result<&'static Info, Refusal> {
    match full_name.split_once('/') {
        Some((name, erratum)) => as_printed(name, Some(erratum)),
        None => algorithm(full_name),
    }
}

/// What a name was taken for, if other algorithms have similar names; `None` if there is no doubt.
#[must_use]
pub fn taken_as(name: &str, info: &Info) -> Option<String> {
    // An erratum has the name of its algorithm, and its own.
    if info.name.split('/').next().is_some_and(|own| own.eq_ignore_ascii_case(name)) {
        return None;
    }
    let model = |info: &Info| if info.model == Model::Synchronous { "synchronous" } else { "asynchronous" };
    let word = name.to_ascii_lowercase();
    let others = CATALOGUE.iter().filter(|other| other.name != info.name);
    let others: Vec<String> = others
        .filter(|other| other.aliases.iter().any(|alias| alias.to_ascii_lowercase().contains(&word)))
        .map(|other| format!("{} ({})", other.name, model(other)))
        .collect();
    let taken = format!("{name} is taken as {}, which is {}", info.name, model(info));
    (!others.is_empty()).then(|| format!("{taken}; similar are {}", others.join(" and ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_several_have_is_explained() {
        let taken = |name: &str| taken_as(name, algorithm(name).unwrap());
        let said = "LCR is taken as clockwise, which is synchronous; \
                    similar are chang-roberts (asynchronous) and clockwise-async (asynchronous)";
        assert_eq!(taken("LCR").as_deref(), Some(said));
        assert_eq!((taken("clockwise"), taken("Peterson"), taken("HS"), taken("Async-LCR")), (None, None, None, None));
        assert!(algorithm("Raft").unwrap_err().to_string().contains("consensus protocols are not in the catalogue"));
    }
}
