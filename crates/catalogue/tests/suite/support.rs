//! Families of configurations, spelt as on the command line.

use bellwether_algorithms::registry::{CATALOGUE, PERPETUAL};
use bellwether_catalogue::algorithm;
use bellwether_check::ledger::Ledger;
use bellwether_check::{Conclusion, Most, Plan, check};
use bellwether_core::{Info, Settings, Starters};
use bellwether_net::{Network, Topology, Wiring, enumerate};
use bellwether_world::ids::Ids;
use bellwether_world::{Family, Freedom, Member, Property, assumptions};

/// All schedules on FIFO links, with initiators that start at any time.
pub const PLAN: Plan = Plan { freedom: CALM, reduction: true, symmetry: true, fingerprints: false };

/// No faults.
pub const CALM: Freedom = Freedom::NONE;

/// The same, with initiators that all start before anything is delivered.
pub const FIRST: Plan = Plan { freedom: Freedom { starts_first: true, ..CALM }, ..PLAN };

pub fn info(name: &str) -> &'static Info {
    CATALOGUE.iter().chain(PERPETUAL).find(|info| info.name == name).unwrap()
}

pub fn networks(text: &str) -> Vec<Network> {
    match text.split_once(':') {
        Some(("all-graphs", nodes)) => enumerate::graphs(nodes.parse().unwrap()).unwrap(),
        Some(("all-trees", nodes)) => enumerate::trees(nodes.parse().unwrap()).unwrap(),
        _ => vec![text.parse::<Topology>().unwrap().build(1).unwrap()],
    }
}

/// The configurations of an algorithm on these networks: with these ids or all orders; all nodes start, or all sets.
pub fn family_of(name: &str, topology: &str, ids: &str, sets: bool) -> Family {
    let info = info(name);
    let member = |network: Network| {
        let network = assumptions::oriented(network, info);
        let ids = if info.is_anonymous() { "same" } else { ids };
        let given = (ids != "all").then(|| ids.parse::<Ids>().unwrap().assign(network.nodes(), 1).unwrap());
        let one = info.starts == bellwether_core::Starts::One;
        let starters = if one { Starters::together([0]) } else { Starters::All };
        Member { ids: given, starters: (!sets).then_some(starters), network }
    };
    let networks = networks(topology);
    let networks = match info.in_turn && ids == "all" {
        true => networks.iter().flat_map(enumerate::numberings).collect(),
        false => networks,
    };
    let members = networks.into_iter().map(member).collect();
    Family { info, settings: Settings::new(), members }
}

/// The result of the checker for a family.
pub fn verdict(family: &Family, plan: Plan) -> Conclusion {
    check(family.scenarios(), algorithm(family.info.name).unwrap(), plan, &Ledger::new(4 << 30), 2).unwrap()
}

/// The broken properties, the most serious first.
pub fn broken(verdict: &Conclusion) -> Vec<Property> {
    verdict.broken.iter().map(|broken| broken.property).collect()
}

/// The messages of the cheapest and the dearest schedule.
pub fn messages(verdict: &Conclusion) -> (u64, Most) {
    (verdict.least.unwrap(), verdict.most)
}
