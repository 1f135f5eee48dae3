//! Describes the configurations of a search.

use bellwether_ask::{Asked, IdsFrom, Orders};
use bellwether_core::Starters;
use bellwether_net::{Network, Wiring};
use bellwether_world::ids::Ids;
use bellwether_world::numbers::grouped;
use bellwether_world::{Family, Member};
use serde_json::Value;

use crate::Object;

/// The ids of the nodes, in words; `None` if nodes have no ids.
#[must_use]
pub fn ids(asked: &Asked, family: &Family) -> Option<String> {
    /// The largest number of ids listed.
    const FEW: usize = 20;
    if family.info.is_anonymous() {
        return None;
    }
    let how = match (&family.members[..], &asked.ids) {
        ([Member { ids: Some(ids), .. }], _) if ids.len() <= FEW => {
            ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        }
        ([Member { ids: None, .. }, ..], _) => "every order".into(),
        (_, Some(ids)) => ids.to_string(),
        (_, None) => "random".into(),
    };
    let drawn = matches!(asked.ids, None | Some(Orders::These(IdsFrom::Ids(Ids::Random)))) && how != "every order";
    Some(if drawn { format!("{how}, drawn by seed {}", asked.seed) } else { how })
}

/// The initiators, in words.
#[must_use]
pub fn initiators(family: &Family) -> String {
    match &family.members[..] {
        [Member { starters: None, .. }, ..] => "every set of nodes".into(),
        [Member { network, starters: Some(starters), .. }, ..] if *starters != Starters::All => {
            list_of(starters, network)
        }
        _ => "everybody".into(),
    }
}

/// The number of configurations, in words.
#[must_use]
pub fn in_words(count: u128) -> String {
    if count == u128::MAX { "more than 10^38".into() } else { grouped(count) }
}

/// The number of configurations for JSON.
#[must_use]
pub fn in_json(count: u128) -> Value {
    u64::try_from(count).map_or_else(|_| in_words(count).into(), Value::from)
}

/// Initiators by name.
#[must_use]
pub fn list_of(initiators: &Starters, network: &Network) -> String {
    let names: Vec<String> =
        initiators.among(network.nodes()).map(|(node, _)| network.printed_name(node).to_string()).collect();
    names.join(",")
}

/// The first keys of a report: what was searched.
#[must_use]
pub fn head(asked: &Asked, family: &Family) -> Object {
    let mut object = Object::default();
    object.put("algorithm", &family.info.name);
    object.put("topology", &asked.topology.as_ref().map_or(String::new(), ToString::to_string));
    object.put("seed", &asked.seed);
    ids(asked, family).iter().for_each(|ids| object.put("ids", ids));
    object.put("initiators", &initiators(family));
    object
}
