//! The networks of a sweep: one kind in many sizes, or networks that are given one by one.

use std::fmt;
use std::str::FromStr;

use bellwether_net::Topology;

use crate::text::as_text;
use crate::{NetworkKind, Refusal, Sizes, Sweep};

as_text!(Swept);

/// What `--topology` of a sweep says.
#[derive(Clone, Debug, PartialEq)]
pub enum Swept {
    /// Networks of this kind, in the sizes of `--nodes`.
    Kind(NetworkKind),
    /// One network of its own size: spelt out, in a file, or each file of a folder.
    Given(Topology),
}

impl FromStr for Swept {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let family = text.split_once(':').map_or(text, |(family, _)| family);
        if ["file", "graph6"].iter().any(|given| given.eq_ignore_ascii_case(family)) {
            return text.parse().map(Self::Given);
        }
        text.parse().map(Self::Kind)
    }
}

impl fmt::Display for Swept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => kind.fmt(f),
            Self::Given(topology) => topology.fmt(f),
        }
    }
}

/// The networks of a sweep that fit together.
pub enum Field<'a> {
    /// Networks of a kind, in these sizes.
    Sizes(&'a NetworkKind, &'a Sizes),
    /// These networks. A file may be a folder.
    Given(Vec<&'a Topology>),
}

impl Sweep {
    /// Its networks.
    ///
    /// # Errors
    /// If what is said about them does not fit together.
    pub fn field(&self) -> Result<Field<'_>, Refusal> {
        let given = |swept: &Swept| matches!(swept, Swept::Given(_));
        let reason = match (&self.topology[..], &self.nodes) {
            ([Swept::Kind(_)], _) if self.largest_component => {
                "--largest-component is for files, since other networks are connected: leave it out, or take file:PATH"
            }
            ([Swept::Kind(kind)], Some(sizes)) => return Ok(Field::Sizes(kind, sizes)),
            ([Swept::Kind(_)], None) => "--nodes is missing: it says how many nodes there are, as in --nodes 16..4096",
            (all, None) if !all.is_empty() && all.iter().all(given) => {
                let given = all.iter().filter_map(|swept| if let Swept::Given(it) = swept { Some(it) } else { None });
                return Ok(Field::Given(given.collect()));
            }
            (all, Some(_)) if all.iter().all(given) => "a given network has its own size: leave --nodes out",
            (all, _) if all.iter().any(given) => "--topology: hold one sweep for the kinds and one for the files",
            _ => "--topology: one kind of network at a time: hold a sweep for each",
        };
        Err(Refusal(reason.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_has_sizes_and_a_given_network_has_its_own() {
        let refusal = |options: &str| {
            let line = format!("bellwether sweep peterson {options} --runs 1");
            let sweep = Sweep::read(&line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(sweep.line(), format!("{line} --seed 1"));
            sweep.field().err().map(|refusal| refusal.to_string())
        };
        for fine in ["--topology ring --nodes 8", "--topology file:a", "--topology file:a --topology graph6:DhC"] {
            assert_eq!(refusal(fine), None, "{fine}");
        }
        let odd = "--topology 'file:it'\\''s a \"graph\", really.gml' --largest-component";
        assert_eq!(refusal(odd), None);
        for (wrong, reason) in [
            ("--topology ring", "--nodes is missing"),
            ("--topology file:a --nodes 8", "leave --nodes out"),
            ("--topology ring --topology path --nodes 8", "one kind of network at a time"),
            ("--topology ring --topology file:a --nodes 8", "one sweep for the kinds"),
            ("--topology ring --nodes 8 --largest-component", "--largest-component is for files"),
        ] {
            assert!(refusal(wrong).unwrap().contains(reason), "{wrong}: {:?}", refusal(wrong));
        }
        assert_eq!(
            "file".parse::<Swept>().unwrap_err(),
            "file is given as file:PATH, as in file:network.dot, not as 'file'"
        );
    }
}
