//! From what was typed to a family of configurations.

use bellwether_check::{Family, MOST_SETS, Member};
use bellwether_core::{Info, Starters, Starts, TopologyKind};
use bellwether_world::ids::Ids;
use bellwether_world::initiators::Initiators;
use bellwether_world::{Freedom, Network, Scenario, Timing, Topology, Wiring, assumptions, family};

use serde_json::Value;

use super::args::{FamilyArgs, Networks, Orders, Sets};
use crate::args::IdsArg;
use crate::failure::Failure;
use crate::input::{self, named};
use crate::show;

/// The networks that were asked for, or small ones of the kind that the algorithm needs.
fn wanted(args: &FamilyArgs, info: &Info) -> Networks {
    args.topology.clone().unwrap_or(match info.topology {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing => Networks::One("ring:4".parse().expect("a ring")),
        TopologyKind::Tree => Networks::Trees(4),
        TopologyKind::Connected => Networks::Graphs(4),
        TopologyKind::Complete => Networks::One(Topology::Complete(3)),
    })
}

/// The family that was asked for; `usual` are the ids where none are.
pub fn family(args: &FamilyArgs, info: &'static Info, usual: &Orders) -> Result<Family, Failure> {
    if args.ids.is_some() && info.is_anonymous() {
        return Err(Failure::Usage(format!("{} runs among nodes without ids: leave --ids out", info.name)));
    }
    let networks = match wanted(args, info) {
        Networks::One(topology) => vec![input::network(&topology, args.seed)?],
        Networks::Graphs(nodes) => family::graphs(nodes).map_err(named("--topology"))?,
        Networks::Trees(nodes) => family::trees(nodes).map_err(named("--topology"))?,
    };
    let orders = args.ids.as_ref().unwrap_or(usual);
    // Who goes through its ports in turn must meet every numbering of them.
    let networks = match (wanted(args, info), orders) {
        (Networks::Graphs(_) | Networks::Trees(_), Orders::All) if info.in_turn => {
            networks.iter().flat_map(family::numberings).collect()
        }
        _ => networks,
    };
    let ids = match orders {
        _ if info.is_anonymous() => Some(Ids::Same),
        Orders::All => None,
        Orders::These(IdsArg::Ids(ids)) => Some(ids.clone()),
        Orders::These(IdsArg::File(path)) => {
            Some(Ids::read(&input::read(path)?).map_err(|error| Failure::file(path, error))?)
        }
    };
    let usual = if info.starts == Starts::One { Initiators::One } else { Initiators::All };
    let initiators = args.initiators.clone().unwrap_or(Sets::These(usual));
    let member = |network: Network| {
        let network = assumptions::oriented(network, info);
        let nodes = network.nodes();
        let starters: Option<Starters> = match &initiators {
            Sets::All if nodes > MOST_SETS => {
                return Err(Failure::Usage(format!(
                    "--initiators: {nodes} nodes have too many sets: take at most {MOST_SETS} nodes for all-sets"
                )));
            }
            Sets::All => None,
            Sets::These(initiators) => Some(initiators.choose(&network, args.seed).map_err(named("--initiators"))?),
        };
        let ids = ids.as_ref().map(|ids| ids.assign(nodes, args.seed).map_err(named("--ids"))).transpose()?;
        Ok(Member { network, ids, starters })
    };
    let members = networks.into_iter().map(member).collect::<Result<_, Failure>>()?;
    let settings = input::parameters(&args.set, info).map_err(named("--set"))?;
    Ok(Family { info, settings, members })
}

/// What the algorithm assumes and these configurations do not give it, each once.
///
/// # Errors
/// If it cannot even be tried.
pub fn dropped(args: &FamilyArgs, family: &Family, freedom: Freedom) -> Result<Vec<String>, Failure> {
    let mut all: Vec<String> = unfit(args, family)?.into_iter().collect();
    let is_told = !all.is_empty();
    for member in &family.members {
        // Ids and initiators that are all tried are all right.
        let ids = match &member.ids {
            Some(ids) => ids.clone(),
            None => Ids::Ascending.assign(member.network.nodes(), 1).map_err(Failure::Usage)?,
        };
        let usual = Scenario::new(family.info, member.network.clone(), ids);
        let one = if family.info.starts == Starts::One { Starters::together([0]) } else { Starters::All };
        let scenario = Scenario {
            timing: Timing::Chosen(freedom),
            initiators: member.starters.clone().unwrap_or(one),
            settings: family.settings.clone(),
            ..usual
        };
        let unfit = assumptions::unfit(&scenario.topology, family.info).filter(|_| is_told);
        for broken in assumptions::broken(&scenario, family.info) {
            if Some(&broken) == unfit.as_ref() {
                continue;
            }
            if !broken.forcible {
                return Err(Failure::Usage(broken.reason));
            }
            if !all.contains(&broken.reason) {
                all.push(broken.reason);
            }
        }
    }
    Ok(all)
}

/// What is to be said of networks that are not of the kind that the algorithm needs, where all of a size are asked for.
fn unfit(args: &FamilyArgs, family: &Family) -> Result<Option<String>, Failure> {
    let (info, networks) = (family.info, wanted(args, family.info));
    let (Networks::Graphs(nodes) | Networks::Trees(nodes)) = networks else { return Ok(None) };
    let unfit: Vec<_> = family.members.iter().filter_map(|member| assumptions::unfit(&member.network, info)).collect();
    let Some(first) = unfit.first() else { return Ok(None) };
    let right = match info.topology {
        TopologyKind::OneWayRing | TopologyKind::TwoWayRing => format!("ring:{nodes}"),
        TopologyKind::Tree => format!("all-trees:{nodes}"),
        TopologyKind::Connected => format!("all-graphs:{nodes}"),
        TopologyKind::Complete => format!("complete:{nodes}"),
    };
    let (name, kind, all) = (info.name, info.topology, family.members.len());
    let which = match unfit.len() {
        count if count == all => format!("no network of {networks} is one"),
        1 => format!("1 of the {all} networks of {networks} is none"),
        count => format!("{count} of the {all} networks of {networks} are none"),
    };
    let reason = format!("{name} needs a {kind}, as in {right}, and {which}");
    if first.forcible { Ok(Some(reason)) } else { Err(Failure::Usage(reason)) }
}

/// Who has which id; `None` where nobody has any.
pub fn ids(args: &FamilyArgs, family: &Family) -> Option<String> {
    /// More are not listed.
    const FEW: usize = 20;
    if family.info.is_anonymous() {
        return None;
    }
    let how = match (&family.members[..], &args.ids) {
        ([Member { ids: Some(ids), .. }], _) if ids.len() <= FEW => {
            ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        }
        ([Member { ids: None, .. }, ..], _) => "every order".into(),
        (_, Some(ids)) => ids.to_string(),
        (_, None) => "random".into(),
    };
    let drawn = matches!(args.ids, None | Some(Orders::These(IdsArg::Ids(Ids::Random)))) && how != "every order";
    Some(if drawn { format!("{how}, drawn by seed {}", args.seed) } else { how })
}

/// Who starts.
pub fn initiators(family: &Family) -> String {
    match &family.members[..] {
        [Member { starters: None, .. }, ..] => "every set of nodes".into(),
        [Member { network, starters: Some(starters), .. }, ..] if *starters != Starters::All => {
            super::list_of(starters, network)
        }
        _ => "everybody".into(),
    }
}

/// How many configurations there are.
pub fn in_words(count: u128) -> String {
    if count == u128::MAX { "more than 10^38".into() } else { show::grouped(count) }
}

/// The same for programs.
pub fn in_json(count: u128) -> Value {
    u64::try_from(count).map_or_else(|_| in_words(count).into(), Value::from)
}

/// What was searched, as it is typed.
pub fn topology(args: &FamilyArgs, info: &Info) -> String {
    wanted(args, info).to_string()
}

/// The part of a line that repeats a search which says what was searched.
pub fn repeated(command: &str, args: &FamilyArgs, info: &Info) -> Vec<String> {
    let mut words = vec!["bellwether".into(), command.into(), info.name.into()];
    let mut option = |name: &str, value: String| words.extend([format!("--{name}"), input::quoted(&value)]);
    option("topology", topology(args, info));
    args.ids.iter().for_each(|ids| option("ids", ids.to_string()));
    args.initiators.iter().for_each(|initiators| option("initiators", initiators.to_string()));
    args.set.iter().for_each(|set| option("set", set.clone()));
    if args.seed != 1 {
        option("seed", args.seed.to_string());
    }
    words
}
