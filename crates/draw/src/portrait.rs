//! A network as a picture: nodes with their states, links with their messages.

mod links;
mod names;

use std::borrow::Cow;

use self::names::Names;
use bellwether_core::{Id, Port};
use bellwether_net::{Network, Node, Wiring};
use bellwether_world::Scenario;
use bellwether_world::trace::{Event, EventKind};

use crate::caption::{self, Sends, grouped};
use crate::diagram::{Caption, State};
use crate::legend::{Entry, Glyph};
use crate::page::{NARROWEST, Page};
use crate::palette::ROLES;
use crate::remarks::Remarks;
use crate::sheet::{self, Sheet};
use crate::signs;
use crate::states::States;
use crate::svg::{Path, Point, Svg, Tenths};

/// A network, alone or after a run.
pub struct Portrait {
    network: Network,
    ids: Vec<Id>,
    run: Option<Run>,
}

/// A run on the network.
struct Run {
    scenario: Scenario,
    anonymous: bool,
    states: States,
    /// By direction of a link: the number of messages.
    carried: Vec<u64>,
    sends: Sends,
}

impl Portrait {
    /// A network without a run.
    ///
    /// # Errors
    /// If it is too large for a picture.
    pub fn new(network: &Network) -> Result<Self, String> {
        sheet::fits(network)?;
        Ok(Self { network: network.clone(), ids: vec![], run: None })
    }

    /// A network with the ids of its nodes, without a run.
    ///
    /// # Errors
    /// If it is too large for a picture.
    pub fn with_ids(network: &Network, ids: &[Id]) -> Result<Self, String> {
        Ok(Self { ids: ids.to_vec(), ..Self::new(network)? })
    }

    /// The network of a scenario. The events of its run follow.
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
    /// If the event is impossible in this network.
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
            run.sends.count(&sent.msg);
        }
        Ok(())
    }

    /// The picture as SVG, with the remarks on the run, if there was one, and the command that repeats it.
    #[must_use]
    pub fn svg(&self, remarks: &Remarks<'_>, repeat: &str) -> String {
        let network = &self.network;
        let (title, outcome) = match &self.run {
            None => (network.name.clone(), caption::size(network)),
            Some(run) => {
                let Run { scenario, anonymous, states, sends, .. } = run;
                (caption::title(scenario), caption::outcome(scenario, *anonymous, states, *sends, remarks.stopped))
            }
        };
        let outcome = remarks.broken.iter().cloned().chain([outcome]).collect::<Vec<_>>().join(" · ");
        let caption = Caption { title, outcome, repeat: repeat.into() };
        let sheet = Sheet::new(network);
        let left = ((NARROWEST - sheet.size.0) / 2.0).max(0.0);
        let describes = format!("Network of {} nodes and {} links.", network.nodes(), network.links());
        let mut page = Page::new(&caption, &describes, sheet.size, self.legend(), 0);
        page.svg.tag("g").with("transform", format!("translate({} {})", Tenths(left), page.top)).open();
        self.links(&mut page.svg, &sheet);
        self.cuts(&mut page.svg, &sheet);
        let names = Names::new(&sheet, left);
        for node in 0..network.nodes() {
            self.node(&mut page.svg, &names, node);
        }
        page.svg.close();
        page.finish()
    }

    fn state(&self, node: Node) -> State {
        self.run.as_ref().map_or(State::Undecided(None), |run| run.states.of(node))
    }

    /// The number of messages on a link, in each direction.
    fn load(&self, node: Node, port: Port) -> Option<(u64, u64)> {
        let run = self.run.as_ref()?;
        let (far, back) = self.network.far(node, port);
        Some((run.carried[self.network.direction(node, port)], run.carried[self.network.direction(far, back)]))
    }

    fn node(&self, svg: &mut Svg, names: &Names<'_>, node: Node) {
        let (x, y) = names.sheet.places[node as usize];
        let (state, r) = (self.state(node), names.sheet.radius);
        let (name, id) = (self.network.printed_name(node), self.ids.get(node as usize));
        let class = &*class(state);
        svg.tag("g").with("class", "place").with("data-node", node).open();
        let told = id.map_or(String::new(), |id| format!(" (id {id})"));
        let state_told =
            self.run.as_ref().map_or(String::new(), |run| format!(": {}", told_state(state, run.states.roles())));
        svg.tag("title").text(&format!("node {name}{told}{state_told}"));
        if state == State::Leader && r < 8.0 {
            // A dot would be invisible among thousands.
            svg.tag("path").with("class", "gold sign").with("d", signs::star((x, y), 11.0)).empty();
        } else {
            svg.tag("path").with("class", class).with("d", outline(state, (x, y), r)).empty();
        }
        if r > 8.0 {
            names.write(svg, node, &name, id, state);
            if state == State::Leader {
                let star = signs::star((x + 0.8 * r, y - 0.8 * r), 8.0);
                svg.tag("path").with("class", "gold sign").with("d", star).empty();
            }
        }
        svg.close();
    }

    fn legend(&self) -> Vec<Entry> {
        let Some(run) = &self.run else { return self.link_entries() };
        let mut entries = vec![];
        let roles = run.states.roles();
        let mut states = vec![State::Leader, State::Follower(None)];
        states.extend((0..roles.len()).map(|role| State::Undecided(Some(role))));
        states.extend([State::Undecided(None), State::Asleep, State::Down]);
        let counted = |node| match run.states.of(node) {
            State::Follower(_) => State::Follower(None),
            state => state,
        };
        for state in states {
            let count = (0..self.network.nodes()).filter(|node| counted(*node) == state).count() as u64;
            if count > 0 {
                let text = format!("{} × {}", told_state(state, roles), grouped(count));
                entries.push(Entry { glyph: glyph(state), text });
            }
        }
        entries.extend(self.link_entries());
        entries
    }
}

/// The glyph of a node in this state.
fn glyph(state: State) -> Glyph {
    match state {
        State::Undecided(Some(role)) => Glyph::RoleNode(role),
        State::Asleep => Glyph::Node("node sleeps"),
        State::Undecided(None) => Glyph::Node("node"),
        State::Follower(_) => Glyph::Node("node tint"),
        State::Leader => Glyph::Node("node gold"),
        State::Down => Glyph::Node("node lost"),
    }
}

fn class(state: State) -> Cow<'static, str> {
    match glyph(state) {
        Glyph::RoleNode(role) => format!("node role{}", role % ROLES).into(),
        Glyph::Node(class) => class.into(),
        _ => "node".into(),
    }
}

/// The outline of a node in this state.
fn outline(state: State, place: Point, radius: f64) -> Path {
    match state {
        State::Undecided(Some(role)) => signs::role_shape(role, place, radius),
        _ => Path::default().circle(place, radius),
    }
}

fn told_state(state: State, roles: &[String]) -> &str {
    match state {
        State::Asleep => "asleep",
        State::Undecided(None) => "undecided",
        State::Undecided(Some(role)) => &roles[role],
        State::Follower(_) => "follows",
        State::Leader => "leads",
        State::Down => "down",
    }
}
