//! Builds a network from its specification.

use bellwether_random::{Purpose, Stream};
use bellwether_resources::memory;

use super::classic::LinkList;
use super::{Flaw, Graph, Network, Topology, Wires, classic, random_graphs};

impl Topology {
    /// The network, with everything random drawn from this seed.
    ///
    /// # Errors
    /// If it would not fit into memory, or no draw was connected. Also if it is in a file, which is
    /// [read](crate::formats::read) and not built.
    pub fn build(&self, seed: u64) -> Result<Network, String> {
        let wires = match (self, self.nodes().zip(self.links())) {
            (Self::Ring(ring), _) => Wires::Ring(*ring),
            (Self::Graph6(graph), _) => Wires::Graph(graph.clone()),
            (_, None) => return Err(format!("{self} is read and not built")),
            (_, Some((nodes, links))) => {
                let bytes = Graph::bytes(nodes.into(), links);
                memory::make_sure_of(bytes, "the network")?;
                Wires::Graph(if self.is_random() { self.draw(nodes, links, seed)? } else { self.compute(nodes)? })
            }
        };
        Ok(Network { name: self.to_string(), wires, names: vec![] })
    }

    fn compute(&self, nodes: u32) -> Result<Graph, String> {
        let links = match *self {
            Self::Star(nodes) => classic::star(nodes),
            Self::Complete(nodes) => classic::complete(nodes),
            Self::Grid(rows, columns) => classic::grid(rows, columns),
            Self::Torus(rows, columns) => classic::torus(rows, columns),
            Self::Hypercube(dimensions) => classic::hypercube(dimensions),
            Self::BinaryTree(nodes) => classic::binary_tree(nodes),
            _ => classic::path(nodes),
        };
        Graph::new(nodes, &links).map_err(|flaw| flaw.to_string())
    }

    /// Draws until the network is connected, up to a limit.
    fn draw(&self, nodes: u32, links: u64, seed: u64) -> Result<Graph, String> {
        let mut stream = Stream::new(seed, Purpose::Topology);
        let tries = if self.is_hopeless() { 0 } else { (20_000_000 / (links + 1)).clamp(5, 100) };
        for _ in 0..tries {
            match Graph::new(nodes, &self.drawn_links(nodes, &mut stream)) {
                Err(Flaw::Apart { .. }) => {}
                done => return done.map_err(|flaw| flaw.to_string()),
            }
        }
        Err(format!("{self} is hardly ever connected: {}", self.remedy()))
    }

    fn drawn_links(&self, nodes: u32, stream: &mut Stream) -> LinkList {
        match *self {
            Self::Gnp(nodes, p) => random_graphs::erdos_renyi(nodes, p, stream),
            Self::Regular(nodes, degree) => random_graphs::regular(nodes, degree, stream),
            Self::Ba(nodes, links) => random_graphs::barabasi_albert(nodes, links, stream),
            Self::Ws(nodes, nearest, p) => random_graphs::watts_strogatz(nodes, nearest, p, stream),
            _ => random_graphs::tree(nodes, stream),
        }
    }

    /// Whether nearly every draw would have isolated nodes, because so many of them are expected.
    fn is_hopeless(&self) -> bool {
        const TOO_MANY: f64 = 30.0;
        let &Self::Gnp(nodes, p) = self else { return false };
        let isolated = f64::from(nodes) * libm::pow(1.0 - p, f64::from(nodes - 1));
        isolated > TOO_MANY
    }

    /// A change of the parameters that would give a connected network.
    fn remedy(&self) -> String {
        match *self {
            Self::Gnp(nodes, _) => {
                let n = f64::from(nodes);
                // Two digits, rounded up.
                let enough = libm::log(n) / n;
                let unit = libm::pow(10.0, libm::floor(libm::log10(enough)) - 1.0);
                let digits = (1.0 - libm::log10(unit)) as usize - 1;
                format!("p = {:.digits$} (ln n / n) would be enough", libm::ceil(enough / unit) * unit)
            }
            Self::Ws(..) => "a larger number of nearest, or a smaller probability, would be enough".into(),
            _ => "another degree or another seed may do".into(),
        }
    }
}
