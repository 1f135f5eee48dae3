//! A network as a picture: nodes with what became of them, links with what they carried.

use bellwether_core::{Id, Port};
use bellwether_world::trace::{Event, EventKind};
use bellwether_world::{Network, Node, Scenario, Wiring};

use crate::caption::{self, Sends, grouped};
use crate::diagram::{Caption, State};
use crate::legend::{Entry, Glyph};
use crate::page::{NARROWEST, Page};
use crate::recorder::kind;
use crate::sheet::{self, Sheet};
use crate::signs;
use crate::states::States;
use crate::svg::{Path, Point, Svg, Tenths, fitted, width};

/// A network, alone or after a run.
pub struct Portrait {
    network: Network,
    ids: Vec<Id>,
    run: Option<Run>,
}

/// What a run did to it.
struct Run {
    scenario: Scenario,
    anonymous: bool,
    states: States,
    /// By direction of a link: how many messages.
    carried: Vec<u64>,
    sends: Sends,
}

impl Portrait {
    /// A network in which nothing has happened.
    ///
    /// # Errors
    /// If it is too large for a picture.
    pub fn new(network: &Network) -> Result<Self, String> {
        sheet::fits(network)?;
        Ok(Self { network: network.clone(), ids: vec![], run: None })
    }

    /// The network of a scenario whose run will be followed.
    ///
    /// # Errors
    /// If it is too large for a picture.
    pub fn of_run(scenario: &Scenario, anonymous: bool) -> Result<Self, String> {
        let portrait = Self::new(&scenario.topology)?;
        let run = Run {
            scenario: scenario.clone(),
            anonymous,
            states: States::new(scenario.topology.nodes()),
            carried: vec![0; 2 * scenario.topology.links() as usize],
            sends: Sends::default(),
        };
        let ids = if anonymous { vec![] } else { scenario.ids.clone() };
        Ok(Self { ids, run: Some(run), ..portrait })
    }

    /// Follows an event of the run.
    ///
    /// # Errors
    /// If it cannot have happened in this network.
    pub fn event(&mut self, event: &Event) -> Result<(), String> {
        let Some(run) = &mut self.run else { return Ok(()) };
        run.states.event(event)?;
        if matches!(event.kind, EventKind::Drop | EventKind::Duplicate) {
            return Ok(());
        }
        for sent in &event.sent {
            if sent.port.0 >= self.network.ports(event.node) {
                return Err(format!("node {} has no port {}", event.node, sent.port.0));
            }
            run.carried[self.network.direction(event.node, sent.port)] += 1;
            run.sends.count(&kind(&sent.msg));
        }
        Ok(())
    }

    /// The picture as SVG, with what is broken in the run, if anything, and the command that repeats it.
    #[must_use]
    pub fn svg(&self, broken: &[String], repeat: &str) -> String {
        let network = &self.network;
        let (title, outcome) = match &self.run {
            None => (network.name.clone(), caption::size(network)),
            Some(run) => {
                (caption::title(&run.scenario), caption::outcome(&run.scenario, run.anonymous, &run.states, run.sends))
            }
        };
        let outcome = broken.iter().cloned().chain([outcome]).collect::<Vec<_>>().join(" · ");
        let caption = Caption { title, outcome, repeat: repeat.into() };
        let sheet = Sheet::new(network);
        let left = ((NARROWEST - sheet.size.0) / 2.0).max(0.0);
        let describes = format!("Network of {} nodes and {} links.", network.nodes(), network.links());
        let mut page = Page::new(&caption, &describes, sheet.size, self.legend(), 0);
        page.svg.tag("g").with("transform", format!("translate({} {})", Tenths(left), page.top)).open();
        self.links(&mut page.svg, &sheet);
        for node in 0..network.nodes() {
            self.node(&mut page.svg, &sheet, node);
        }
        page.svg.close();
        page.finish()
    }

    fn state(&self, node: Node) -> State {
        self.run.as_ref().map_or(State::Undecided, |run| run.states.of(node))
    }

    /// How much a link carried each way.
    fn load(&self, node: Node, port: Port) -> Option<(u64, u64)> {
        let run = self.run.as_ref()?;
        let (far, back) = self.network.far(node, port);
        Some((run.carried[self.network.direction(node, port)], run.carried[self.network.direction(far, back)]))
    }

    /// The most that a link carried.
    fn busiest(&self) -> u64 {
        let loads = sheet::ends(&self.network).filter_map(|(node, port)| self.load(node, port));
        loads.map(|(there, back)| there + back).max().unwrap_or(0)
    }

    fn links(&self, svg: &mut Svg, sheet: &Sheet) {
        const TOLD: u64 = 5_000;
        let busiest = self.busiest();
        let told = self.network.links() <= TOLD;
        svg.tag("g").with("stroke-opacity", if told { 1.0 } else { 0.4 }).open();
        for (node, port) in sheet::ends(&self.network) {
            let (far, _) = self.network.far(node, port);
            let (a, b) = (sheet.places[node as usize], sheet.places[far as usize]);
            let load = self.load(node, port);
            let wide = thickness(load, busiest, sheet.radius);
            let path = match sheet.bow(&self.network, node, port) {
                _ if node == far => Path::default().circle((a.0, a.1 - 1.6 * sheet.radius), 1.6 * sheet.radius),
                Some(over) => Path::default().from(a).curve(over, b),
                None => Path::default().from(a).to(b),
            };
            let idle = matches!(load, Some((0, 0)));
            let class = if idle { "link idle" } else { "link" };
            let tag = svg.tag("path").with("class", class).at("stroke-width", wide);
            if !told {
                tag.with("d", path).empty();
                continue;
            }
            let tag = tag.with("data-from", node).with("data-to", far);
            let load =
                load.map_or(String::new(), |(there, back)| format!(": {} →, {} ←", grouped(there), grouped(back)));
            let (from, to) = (self.network.printed_name(node), self.network.printed_name(far));
            tag.with("d", path).open();
            svg.tag("title").text(&format!("{from} – {to}{load}"));
            svg.close();
        }
        svg.close();
    }

    fn node(&self, svg: &mut Svg, sheet: &Sheet, node: Node) {
        let (x, y) = sheet.places[node as usize];
        let (state, r) = (self.state(node), sheet.radius);
        let (name, id) = (self.network.printed_name(node), self.ids.get(node as usize));
        let class = class(state);
        svg.tag("g").with("class", "place").with("data-node", node).open();
        let told = id.map_or(String::new(), |id| format!(" (id {id})"));
        let state_told = if self.run.is_some() { format!(": {}", told_state(state)) } else { String::new() };
        svg.tag("title").text(&format!("node {name}{told}{state_told}"));
        if state == State::Leader && r < 8.0 {
            // A dot would be lost among thousands.
            svg.tag("path").with("class", "gold sign").with("d", signs::star((x, y), 11.0)).empty();
        } else {
            svg.tag("path").with("class", class).with("d", Path::default().circle((x, y), r)).empty();
        }
        if r > 8.0 {
            self.words(svg, (x, y), r, node);
            if state == State::Leader {
                let star = signs::star((x + 0.8 * r, y - 0.8 * r), 8.0);
                svg.tag("path").with("class", "gold sign").with("d", star).empty();
            }
        }
        svg.close();
    }

    /// The name in the node and the id below it; what is too long stands outside, as far as there is room to the next node.
    fn words(&self, svg: &mut Svg, (x, y): Point, r: f64, node: Node) {
        let id = self.ids.get(node as usize).filter(|_| r > 12.0).map_or(String::new(), |id| format!("id {id}"));
        let size = if r > 12.0 { 11.0 } else { 9.0 };
        let name = fitted(&self.network.printed_name(node), size, 3.8 * r);
        let (name_fits, id_fits) = (width(&name, size) <= 2.0 * r - 3.0, width(&id, 8.0) <= 1.8 * r);
        let low = if id.is_empty() || !id_fits { 0.36 * size } else { -1.0 };
        let mut write = |text: &str, inside: bool, size: f64, y: f64| {
            let class = match (inside, self.state(node)) {
                (false, _) => "said note",
                (true, State::Leader) => "ongold mid",
                (true, _) => "within mid",
            };
            let tag = svg.tag("text").with("class", class).with("style", format!("font-size:{}px", Tenths(size)));
            tag.at("x", x).at("y", y).text(text);
        };
        write(&name, name_fits, size, if name_fits { y + low } else { y - r - 4.0 });
        if !id.is_empty() {
            write(&id, id_fits, 8.0, if id_fits { y + 9.0 } else { y + r + 10.0 });
        }
    }

    fn legend(&self) -> Vec<Entry> {
        let Some(run) = &self.run else { return vec![] };
        let mut entries = vec![];
        let states = [State::Leader, State::Follower(None), State::Undecided, State::Down];
        for state in states {
            let same = |node| std::mem::discriminant(&run.states.of(node)) == std::mem::discriminant(&state);
            let count = (0..self.network.nodes()).filter(|node| same(*node)).count() as u64;
            if count > 0 {
                let text = format!("{} × {}", told_state(state), grouped(count));
                entries.push(Entry { glyph: Glyph::Node(class(state)), text });
            }
        }
        let busiest = self.busiest();
        let mut loads: Vec<u64> = [1, busiest / 4, busiest].into_iter().filter(|load| *load > 0).collect();
        loads.dedup();
        for load in loads {
            let wide = thickness(Some((load, 0)), busiest, sheet::radius(&self.network));
            let text = if load == 1 { "1 message".into() } else { format!("{} messages", grouped(load)) };
            entries.push(Entry { glyph: Glyph::Link(wide), text });
        }
        entries
    }
}

/// How thick a link is by what it carried.
fn thickness(load: Option<(u64, u64)>, busiest: u64, radius: f64) -> f64 {
    let most = (0.35 * radius).max(2.0);
    match load {
        None => 0.6 + 0.04 * radius,
        Some((there, back)) => 0.6 + most * ((there + back) as f64 / busiest.max(1) as f64).sqrt(),
    }
}

fn class(state: State) -> &'static str {
    match state {
        State::Undecided => "node",
        State::Follower(_) => "node tint",
        State::Leader => "node gold",
        State::Down => "node lost",
    }
}

fn told_state(state: State) -> &'static str {
    match state {
        State::Undecided => "undecided",
        State::Follower(_) => "follows",
        State::Leader => "leads",
        State::Down => "down",
    }
}
