//! Families of configurations, spelt as on the command line.

use bellwether_algorithms::registry::CATALOGUE;
use bellwether_catalogue::algorithm;
use bellwether_check::ledger::Ledger;
use bellwether_check::{Family, Member, Most, Plan, Property, Verdict, check};
use bellwether_core::{Info, Settings, Starters};
use bellwether_world::ids::Ids;
use bellwether_world::{Freedom, Network, Topology, Wiring, assumptions, family};

/// Everything that may happen on links in order, with initiators that start at any time.
pub const PLAN: Plan =
    Plan { freedom: CALM, starts_first: false, reduction: true, symmetry: true, fingerprints: false };

/// Nothing goes wrong.
pub const CALM: Freedom = Freedom { reorder: false, copies: 0, losses: 0, crashes: 0, hasty_timers: false };

pub fn info(name: &str) -> &'static Info {
    CATALOGUE.iter().find(|info| info.name == name).unwrap()
}

pub fn networks(text: &str) -> Vec<Network> {
    match text.split_once(':') {
        Some(("all-graphs", nodes)) => family::graphs(nodes.parse().unwrap()).unwrap(),
        Some(("all-trees", nodes)) => family::trees(nodes.parse().unwrap()).unwrap(),
        _ => vec![text.parse::<Topology>().unwrap().build(1).unwrap()],
    }
}

/// The configurations of an algorithm on these networks: with these ids or all orders, all starting or all sets.
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
        true => networks.iter().flat_map(family::numberings).collect(),
        false => networks,
    };
    let members = networks.into_iter().map(member).collect();
    Family { info, settings: Settings::new(), members }
}

/// What the checker says of a family.
pub fn verdict(family: &Family, plan: Plan) -> Verdict {
    check(family.scenarios(), algorithm(family.info.name).unwrap(), plan, &Ledger::new(4 << 30), 2).unwrap()
}

/// What is broken, in order of gravity.
pub fn broken(verdict: &Verdict) -> Vec<Property> {
    verdict.broken.iter().map(|broken| broken.property).collect()
}

/// The messages of the cheapest and the dearest schedule.
pub fn messages(verdict: &Verdict) -> (u64, Most) {
    (verdict.least.unwrap(), verdict.most)
}
