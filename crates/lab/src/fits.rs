//! A network, and who runs on it.

use bellwether_algorithms::registry::{CATALOGUE, PERPETUAL};
use bellwether_draw::drawn_network;
use bellwether_net::Wiring;
use bellwether_tell::Object;
use bellwether_world::assumptions;
use serde_json::{Value, json};

use crate::request::NetworkRequest;
use crate::{Limits, Problem, fine};

/// The network with the places of its nodes, and for each algorithm whether it runs there.
pub fn fits(wanted: &NetworkRequest, limits: &Limits) -> Result<Object, Problem> {
    limits.allow(&wanted.topology)?;
    let network = bellwether_ask::network(&wanted.topology, wanted.seed, &wanted.files)?;
    limits.allow_network(&network)?;
    let mut object = fine();
    object.put("nodes", &network.nodes());
    object.put("links", &network.links());
    let algorithm = |info: &bellwether_core::Info| {
        let unfit = assumptions::unfit(&network, info);
        let (reason, forcible) =
            (unfit.as_ref().map(|unfit| &unfit.reason), unfit.as_ref().map(|unfit| unfit.forcible));
        json!({"name": info.name, "fits": unfit.is_none(), "reason": reason, "forcible": forcible})
    };
    object.put("algorithms", &CATALOGUE.iter().chain(PERPETUAL).copied().map(algorithm).collect::<Vec<_>>());
    object.put("names", &network.names);
    let drawn = drawn_network(&network).map_err(Problem::too_large)?;
    let part = |outer: &str, key: &str| drawn.get(outer).and_then(|part| part.get(key)).cloned().unwrap_or(Value::Null);
    for key in ["from", "to"] {
        object.put(key, &part("links", key));
    }
    for key in ["x", "y", "width", "height", "radius"] {
        object.put(key, &part("sheet", key));
    }
    Ok(object)
}
