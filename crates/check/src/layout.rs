//! The place of each part of a network in the row of a state: processes, links, and the extras.

use bellwether_core::{Info, Port, TopologyKind};
use bellwether_net::{Network, Node, Wiring};

/// The largest number of nodes. Larger networks have too many schedules, and a set of nodes is kept in 64 bits.
pub const MOST_NODES: u32 = 64;

/// A set of nodes.
pub type Nodes = u64;

/// The set of this node alone.
pub fn bit(node: Node) -> Nodes {
    1 << node
}

/// The nodes of a set, in ascending order.
pub fn members(mut set: Nodes) -> impl Iterator<Item = Node> {
    std::iter::from_fn(move || {
        let node = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(node)
    })
}

/// The end of a link, where messages arrive.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The receiver.
    pub to: Node,
    /// The receiver's port.
    pub port: Port,
    /// The sender.
    pub from: Node,
}

/// The places of a network's parts.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The number of processes. They come first.
    pub nodes: usize,
    /// Every end of a link at which messages may arrive, numbered by sender. Their contents come next.
    pub links: Vec<Link>,
    /// By node: the links that lead to it.
    pub into: Vec<Vec<u32>>,
    /// By node: the nodes that it can send to.
    pub heard_by: Vec<Nodes>,
    /// By node: where its ports begin in `out`.
    first_port: Vec<u32>,
    /// By node and port: the link that leads away from there.
    out: Vec<Option<u32>>,
}

impl Layout {
    /// The layout of a network on which this algorithm runs.
    ///
    /// # Errors
    /// If the network is too large.
    pub fn new(network: &Network, info: &Info) -> Result<Self, String> {
        let nodes = network.nodes();
        if nodes > MOST_NODES {
            return Err(format!(
                "{nodes} nodes have more schedules than anybody could follow: take at most {MOST_NODES}"
            ));
        }
        let one_way = info.topology == TopologyKind::OneWayRing;
        let mut layout = Self {
            nodes: nodes as usize,
            links: vec![],
            into: vec![vec![]; nodes as usize],
            heard_by: vec![0; nodes as usize],
            first_port: vec![0],
            out: vec![],
        };
        for from in 0..nodes {
            for port in (0..network.ports(from)).map(Port) {
                let is_used = !one_way || port == Port::NEXT;
                let link = layout.links.len() as u32;
                layout.out.push(is_used.then_some(link));
                if is_used {
                    let (to, at) = network.far(from, port);
                    layout.into[to as usize].push(link);
                    layout.heard_by[from as usize] |= bit(to);
                    layout.links.push(Link { to, port: at, from });
                }
            }
            layout.first_port.push(layout.out.len() as u32);
        }
        Ok(layout)
    }

    /// How many ports a node has.
    pub fn ports(&self, node: Node) -> u32 {
        self.first_port[node as usize + 1] - self.first_port[node as usize]
    }

    /// The link that leads away from here; `None` against the direction of a ring.
    #[inline]
    pub fn out(&self, node: Node, port: Port) -> Option<u32> {
        self.out[(self.first_port[node as usize] + port.0) as usize]
    }

    /// The place of a link's content.
    #[inline]
    pub fn link(&self, link: u32) -> usize {
        self.nodes + link as usize
    }

    /// The place of the extras.
    #[inline]
    pub fn extras(&self) -> usize {
        self.nodes + self.links.len()
    }
}
