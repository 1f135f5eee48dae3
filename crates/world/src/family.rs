//! A family of configurations: networks, and for each the ids of its nodes and the initiators.

use bellwether_core::{Id, Info, Settings, Starters, Starts};
use bellwether_net::enumerate::{orders, sets, symmetries};
use bellwether_net::{Network, Node, Wiring};

use crate::Scenario;

/// Everything that is to be checked.
#[derive(Clone, Debug)]
pub struct Family {
    /// The algorithm's entry.
    pub info: &'static Info,
    /// The algorithm's parameters.
    pub settings: Settings,
    /// The networks.
    pub members: Vec<Member>,
}

/// A network, and which of its configurations belong to the family.
#[derive(Clone, Debug)]
pub struct Member {
    /// The network.
    pub network: Network,
    /// The id of every node; `None` for all orders.
    pub ids: Option<Vec<Id>>,
    /// The initiators; `None` for all sets.
    pub starters: Option<Starters>,
}

/// The largest number of nodes for which all sets are tried.
pub const MOST_SETS: u32 = 16;

impl Family {
    /// All configurations, each once. Of those that a symmetry of the network maps to each other, only one is taken.
    pub fn scenarios(&self) -> impl Iterator<Item = Scenario> + Send + '_ {
        self.members.iter().flat_map(|member| self.scenarios_of(member))
    }

    fn scenarios_of<'a>(&'a self, member: &'a Member) -> impl Iterator<Item = Scenario> + Send + 'a {
        let network = &member.network;
        let nodes = network.nodes();
        let group = symmetries(network);
        let all_orders: Box<dyn Iterator<Item = Vec<Id>> + Send> = match &member.ids {
            Some(ids) => Box::new(std::iter::once(ids.clone())),
            None => Box::new(orders(nodes, &group)),
        };
        let starters = self.starters(member, &group);
        all_orders.flat_map(move |ids| {
            let one = move |initiators: &Starters| Scenario {
                settings: self.settings.clone(),
                initiators: initiators.clone(),
                ..Scenario::new(self.info, network.clone(), ids.clone())
            };
            starters.iter().map(one).collect::<Vec<_>>()
        })
    }

    /// The possible initiators: the given ones, or all sets that the algorithm admits.
    fn starters(&self, member: &Member, group: &[Vec<Node>]) -> Vec<Starters> {
        if let Some(starters) = &member.starters {
            return vec![starters.clone()];
        }
        // If ids differ, a symmetry would move them.
        let same = |ids: &Vec<Id>| ids.iter().all(|id| *id == ids[0]);
        let alike = self.info.is_anonymous() || member.ids.as_ref().is_some_and(same);
        let all = sets(member.network.nodes(), if alike { group } else { &[] });
        match self.info.starts {
            Starts::All => vec![Starters::All],
            Starts::One => all.take_while(|set| set.len() == 1).map(Starters::together).collect(),
            Starts::Any | Starts::AnyRound => all.map(Starters::together).collect(),
        }
    }

    /// The number of configurations; `u128::MAX` if there are more.
    #[must_use]
    pub fn count(&self) -> u128 {
        let of = |member: &Member| {
            let nodes = member.network.nodes();
            let group = symmetries(&member.network);
            let orders = match member.ids {
                Some(_) => 1,
                None => {
                    let all = (1..=u128::from(nodes)).try_fold(1u128, u128::checked_mul);
                    all.map_or(u128::MAX, |all| all / group.len() as u128)
                }
            };
            orders.saturating_mul(self.starters(member, &group).len() as u128)
        };
        self.members.iter().map(of).fold(0, u128::saturating_add)
    }
}
