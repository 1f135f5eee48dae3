//! A kind of network without its size: `ring`, `gnp:0.1`, `grid`.

use std::fmt;
use std::str::FromStr;

use bellwether_net::Topology;

use crate::text::as_text;

as_text!(NetworkKind);

/// A topology without its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkKind {
    kind: String,
    /// All that is said besides the size.
    parameters: Option<String>,
}

impl FromStr for NetworkKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, parameters) = text.split_once(':').map_or((text, None), |(kind, rest)| (kind, Some(rest)));
        let kind = kind.to_ascii_lowercase();
        if text.parse::<Topology>().is_ok() {
            let rest =
                parameters.and_then(|rest| rest.split_once(':')).map_or(String::new(), |(_, rest)| format!(":{rest}"));
            return Err(format!(
                "'{text}' has a size, and --nodes says which there are: leave it out, as in {kind}{rest}"
            ));
        }
        let networks = Self { kind, parameters: parameters.map(String::from) };
        // What is wrong with every size is wrong with the kind.
        let wrong = [64, 65, 66, 1 << 20, (1 << 20) + 1].map(|nodes| networks.of(nodes).err());
        if let [Some(wrong), Some(_), Some(_), Some(_), Some(_)] = wrong { Err(wrong) } else { Ok(networks) }
    }
}

impl NetworkKind {
    /// The shape of the network of this kind and size, as far as one function of the size gives it for all sizes.
    pub fn shape(&self, nodes: u32) -> Shape {
        let links = |kinds: &[&str]| {
            let known = kinds.contains(&&self.kind[..]).then(|| self.of(nodes).ok()).flatten();
            known.and_then(|topology| topology.links())
        };
        let diameter = match &self.kind[..] {
            "ring" => Some(nodes / 2),
            "path" => Some(nodes - 1),
            "star" => Some(2.min(nodes - 1)),
            "complete" => Some(1.min(nodes - 1)),
            _ => None,
        };
        Shape { links: links(&["ring", "path", "star", "complete", "tree", "binary-tree"]), diameter }
    }

    /// The network of this kind and size.
    pub fn of(&self, nodes: u32) -> Result<Topology, String> {
        let Self { kind, parameters } = self;
        let size = match &kind[..] {
            "grid" | "torus" => sides(kind, nodes)?,
            "hypercube" if nodes.is_power_of_two() => nodes.ilog2().to_string(),
            "hypercube" => return Err(format!("a hypercube has 2, 4, 8, 16 … nodes, not {nodes}")),
            _ => nodes.to_string(),
        };
        let name = parameters.as_ref().map_or(format!("{kind}:{size}"), |rest| format!("{kind}:{size}:{rest}"));
        name.parse().map_err(|error| format!("{name}: {error} (a sweep takes the number of nodes from --nodes)"))
    }
}

/// What follows from the number of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// The number of links.
    pub links: Option<u64>,
    /// The diameter.
    pub diameter: Option<u32>,
}

/// The sides of the rectangle of this size that is nearest to a square, if it is near to one.
fn sides(kind: &str, nodes: u32) -> Result<String, String> {
    let fitting = |nodes: u32| {
        let rows = (1..=nodes.isqrt()).rev().find(|rows| nodes.is_multiple_of(*rows))?;
        (nodes / rows <= 2 * rows).then_some((rows, nodes / rows))
    };
    if let Some((rows, columns)) = fitting(nodes) {
        return Ok(format!("{rows}x{columns}"));
    }
    let near = (1..).flat_map(|away| [nodes.checked_sub(away), nodes.checked_add(away)]).flatten();
    let near = near.filter(|nodes| *nodes > 0).find_map(|nodes| fitting(nodes).map(|sides| (nodes, sides)));
    let (other, (rows, columns)) = near.unwrap_or((1, (1, 1)));
    Err(format!("no {kind} of {nodes} nodes is nearly square: {other} ({rows}x{columns}) would be"))
}

impl fmt::Display for NetworkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.parameters {
            None => f.write_str(&self.kind),
            Some(rest) => write!(f, "{}:{rest}", self.kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use bellwether_net::Wiring;

    use super::*;

    #[test]
    fn a_size_makes_a_network_of_its_kind() {
        let name =
            |text: &str, nodes| text.parse::<NetworkKind>().unwrap().of(nodes).map(|network| network.to_string());
        for (text, nodes, expected) in [
            ("ring", 16, "ring:16"),
            ("gnp:0.1", 50, "gnp:50:0.1"),
            ("ws:4:0.25", 20, "ws:20:4:0.25"),
            ("regular:3", 10, "regular:10:3"),
            ("regular:100", 200, "regular:200:100"),
            ("grid", 32, "grid:4x8"),
            ("Torus", 36, "torus:6x6"),
            ("hypercube", 1024, "hypercube:10"),
        ] {
            assert_eq!(name(text, nodes).as_deref(), Ok(expected));
        }
        assert!(name("regular:3", 5).unwrap_err().contains("must be even"));
        assert!(name("hypercube", 12).unwrap_err().contains("not 12"));
        assert_eq!(name("grid", 17).unwrap_err(), "no grid of 17 nodes is nearly square: 16 (4x4) would be");
    }

    #[test]
    fn what_follows_from_the_size_is_so_in_every_network() {
        for kind in ["ring", "path", "star", "complete", "tree", "binary-tree", "grid", "gnp:0.5"] {
            let networks: NetworkKind = kind.parse().unwrap();
            for nodes in 2..20 {
                let Shape { links, diameter } = networks.shape(nodes);
                let Ok(topology) = networks.of(nodes) else { continue };
                let network = topology.build(3).unwrap();
                assert!(links.is_none_or(|links| links == network.links()), "{topology}");
                assert!(diameter.is_none_or(|diameter| diameter == network.diameter().at_most), "{topology}");
            }
        }
        let known = |kind: &str| kind.parse::<NetworkKind>().unwrap().shape(16);
        assert_eq!(known("ring"), Shape { links: Some(16), diameter: Some(8) });
        assert_eq!(known("tree"), Shape { links: Some(15), diameter: None });
        assert_eq!((known("grid"), known("gnp:0.5")), (Shape::default(), Shape::default()));
    }

    #[test]
    fn what_is_no_kind_of_network_is_refused() {
        let refusal = |text: &str| text.parse::<NetworkKind>().unwrap_err();
        assert!(refusal("ring:8").ends_with("leave it out, as in ring"));
        assert!(refusal("gnp:50:0.1").ends_with("leave it out, as in gnp:0.1"));
        assert!(refusal("gnp").contains("gnp is given as gnp:NODES:PROBABILITY"));
        assert!(refusal("moebius").contains("there is no topology 'moebius'"));
        assert!(refusal("gnp:2").contains("from 0 to 1"));
    }
}
