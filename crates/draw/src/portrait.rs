//! A network as a picture: nodes with what became of them, links with what they carried.

use bellwether_core::{Id, Port};
use bellwether_world::trace::{Event, EventKind};
use bellwether_world::{Network, Node, Scenario, Wiring};

use crate::caption::{self, grouped};
use crate::diagram::{Caption, State};
use crate::layout::{Form, Layout, layout, spread};
use crate::legend::{Entry, Glyph};
use crate::page::{MARGIN, NARROWEST, Page};
use crate::signs;
use crate::states::States;
use crate::svg::{Path, Point, Svg, Tenths, shortened, width};

/// With more nodes or links than this a picture could not be opened.
const MOST_NODES: u32 = 100_000;
const MOST_LINKS: u64 = 100_000;

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
    messages: u64,
}

impl Portrait {
    /// A network in which nothing has happened.
    ///
    /// # Errors
    /// If it is too large for a picture.
    pub fn new(network: &Network) -> Result<Self, String> {
        let (nodes, links) = (network.nodes(), network.links());
        if nodes > MOST_NODES || links > MOST_LINKS {
            return Err(format!(
                "{network} has {} nodes and {} links: a picture of a network has at most {} of each",
                grouped(nodes.into()),
                grouped(links),
                grouped(MOST_LINKS)
            ));
        }
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
            messages: 0,
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
            run.messages += 1;
        }
        Ok(())
    }

    /// The picture as SVG, with the command that repeats it.
    #[must_use]
    pub fn svg(&self, repeat: &str) -> String {
        let network = &self.network;
        let (title, outcome) = match &self.run {
            None => {
                let plural = |count: u64| if count == 1 { "" } else { "s" };
                let (nodes, links) = (u64::from(network.nodes()), network.links());
                let facts =
                    format!("{} node{}, {} link{}", grouped(nodes), plural(nodes), grouped(links), plural(links));
                (network.name.clone(), facts)
            }
            Some(run) => (
                caption::title(&run.scenario),
                caption::outcome(&run.scenario, run.anonymous, &run.states, run.messages),
            ),
        };
        let caption = Caption { title, outcome, repeat: repeat.into() };
        let sheet = Sheet::new(layout(network), self.radius());
        let describes = format!("Network of {} nodes and {} links.", network.nodes(), network.links());
        let mut page = Page::new(&caption, &describes, sheet.size, self.legend(), 0);
        page.svg.tag("g").with("transform", format!("translate({} {})", Tenths(sheet.left), page.top)).open();
        self.links(&mut page.svg, &sheet);
        for node in 0..network.nodes() {
            self.node(&mut page.svg, &sheet, node);
        }
        page.svg.close();
        page.finish()
    }

    /// How large nodes are drawn: with their names, or as dots.
    fn radius(&self) -> f64 {
        match self.network.nodes() {
            0..=60 => 17.0,
            61..=150 => 11.0,
            151..=600 => 6.0,
            601..=2_000 => 4.0,
            _ => 2.6,
        }
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
        let loads = self.ends().filter_map(|(node, port)| self.load(node, port));
        loads.map(|(there, back)| there + back).max().unwrap_or(0)
    }

    /// Every link once, from one of its ends.
    fn ends(&self) -> impl Iterator<Item = (Node, Port)> {
        let ends = (0..self.network.nodes())
            .flat_map(|node| (0..self.network.ports(node)).map(move |port| (node, Port(port))));
        ends.filter(|(node, port)| (*node, *port) <= self.network.far(*node, *port))
    }

    fn links(&self, svg: &mut Svg, sheet: &Sheet) {
        const TOLD: u64 = 5_000;
        let busiest = self.busiest();
        let told = self.network.links() <= TOLD;
        svg.tag("g").with("stroke-opacity", if told { 1.0 } else { 0.4 }).open();
        for (node, port) in self.ends() {
            let (far, _) = self.network.far(node, port);
            let (a, b) = (sheet.places[node as usize], sheet.places[far as usize]);
            let load = self.load(node, port);
            let wide = thickness(load, busiest, sheet.radius);
            let path = match (self.network.nodes(), node == far) {
                (_, true) => Path::default().circle((a.0, a.1 - 1.6 * sheet.radius), 1.6 * sheet.radius),
                // A ring of two has two links.
                (2, _) if self.network.links() == 2 => {
                    let side = if port == Port::NEXT { 40.0 } else { -40.0 };
                    Path::default().from(a).curve(((a.0 + b.0) / 2.0 + side, (a.1 + b.1) / 2.0), b)
                }
                // Past other nodes in a bow.
                _ if sheet.form == Form::Torus && (a.0 - b.0).abs() + (a.1 - b.1).abs() > 1.5 * sheet.scale => {
                    let bow = 0.8 * sheet.scale;
                    let middle = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
                    let over = if a.0 == b.0 { (middle.0 - bow, middle.1) } else { (middle.0, middle.1 - bow) };
                    Path::default().from(a).curve(over, b)
                }
                _ => Path::default().from(a).to(b),
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

    /// The name in the node and the id below it; what is too long stands outside.
    fn words(&self, svg: &mut Svg, (x, y): Point, r: f64, node: Node) {
        let name = shortened(&self.network.printed_name(node), 16);
        let id = self.ids.get(node as usize).filter(|_| r > 12.0).map_or(String::new(), |id| format!("id {id}"));
        let size = if r > 12.0 { 11.0 } else { 9.0 };
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
            let wide = thickness(Some((load, 0)), busiest, self.radius());
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

/// Places in pixels.
struct Sheet {
    places: Vec<Point>,
    form: Form,
    /// How long a distance of 1 is.
    scale: f64,
    radius: f64,
    size: (f64, f64),
    left: f64,
}

impl Sheet {
    /// Places so far apart that nodes do not cover each other, as far as the sheet is large enough.
    fn new(Layout { mut places, form }: Layout, radius: f64) -> Self {
        const LARGEST: f64 = 2_600.0;
        let (low, high) = corners(&places);
        let (wide, tall) = ((high.0 - low.0).max(1e-3), (high.1 - low.1).max(1e-3));
        let usual = 4.2 * radius;
        let wanted = match form {
            Form::Torus | Form::Figure => usual,
            Form::Distances => {
                let room = places.len() as f64 * 25.0 * radius * radius;
                usual.max((room / (wide * tall)).sqrt())
            }
        };
        let scale = wanted.min(LARGEST / wide.max(tall).max(1.0));
        places.iter_mut().for_each(|(x, y)| (*x, *y) = (*x * scale, *y * scale));
        if form == Form::Distances {
            spread(&mut places, 2.7 * radius);
        }
        let (low, high) = corners(&places);
        let room = MARGIN + 1.5 * radius + if form == Form::Torus { 0.4 * scale } else { 0.0 };
        places.iter_mut().for_each(|(x, y)| (*x, *y) = (*x - low.0 + room, *y - low.1 + room));
        let size = (high.0 - low.0 + 2.0 * room, high.1 - low.1 + 2.0 * room);
        let left = ((NARROWEST - size.0) / 2.0).max(0.0);
        Self { places, form, scale, radius, size, left }
    }
}

/// The upper left and the lower right corner of all places.
fn corners(places: &[Point]) -> (Point, Point) {
    let fold = |(low, high): (Point, Point), (x, y): &Point| {
        ((f64::min(low.0, *x), f64::min(low.1, *y)), (f64::max(high.0, *x), f64::max(high.1, *y)))
    };
    places.iter().fold(((f64::MAX, f64::MAX), (f64::MIN, f64::MIN)), fold)
}
