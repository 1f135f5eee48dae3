//! The output of a run before its report: a title, then every step or a picture.

use std::io::{self, Write};

use bellwether_console::drawing::in_terminal;
use bellwether_console::style::{BOLD, DIM};
use bellwether_core::{Info, Model};
use bellwether_draw::{DiagramBuilder, Lanes, Remarks};
use bellwether_net::Wiring;
use bellwether_world::trace::Event;
use bellwether_world::{Narrator, Scenario, Timing};

use crate::show;

/// The standard output of a run.
pub struct Screen {
    /// Held back until something follows it: a command that fails at once leaves standard output empty.
    title: Option<String>,
    body: Body,
}

enum Body {
    /// Every step, as it happens.
    Steps { narrator: Box<Narrator>, timing: Timing },
    /// A drawing that was made elsewhere.
    Drawing(String),
    /// A small run, drawn when it is over.
    Picture(Box<DiagramBuilder>),
    /// The run is too large to draw, although the user may expect a picture.
    Hint,
    /// The network is so large that no user expects a picture.
    Nothing,
}

/// The largest numbers of nodes and rows of a picture.
const MOST_NODES: u32 = 12;
const MOST_ROWS: usize = 80;
/// The largest number of nodes for which a missing picture is explained.
const EXPECTED: u32 = 50;
/// What shows a run that is not drawn here.
const INSTEAD: &str = "--html FILE plays it in a browser, --events lists every step";

impl Screen {
    /// Shows every step, or a picture if the run may be small enough.
    pub fn new(info: &Info, scenario: &Scenario, steps: bool) -> Self {
        let body = if steps {
            Body::Steps { narrator: Box::new(Narrator::new(info, scenario)), timing: scenario.timing }
        } else {
            let nodes = scenario.topology.nodes();
            let nothing = if nodes <= EXPECTED { Body::Hint } else { Body::Nothing };
            let picture = (nodes <= MOST_NODES)
                .then(|| DiagramBuilder::new(scenario, info.is_anonymous(), &Lanes::All).ok())
                .flatten();
            picture.map_or(nothing, |picture| Body::Picture(Box::new(picture)))
        };
        Self { title: Some(title(info, scenario)), body }
    }

    /// Shows this drawing instead of its own picture. If steps are shown, the drawing comes below them.
    pub fn show(&mut self, drawing: String) {
        self.body = Body::Drawing(drawing);
    }

    /// Whether it needs events.
    pub fn wants_events(&self) -> bool {
        matches!(self.body, Body::Steps { .. } | Body::Picture(_))
    }

    /// Shows an event.
    pub fn event(&mut self, event: &Event) -> io::Result<()> {
        match &mut self.body {
            Body::Steps { narrator, timing } => {
                let t = show::label(*timing, event.t);
                let line = format!("{t:<10} {}", narrator.tell(event));
                let mut out = anstream::stdout().lock();
                self.begin(&mut out)?;
                writeln!(out, "{line}")?;
            }
            Body::Picture(picture) => picture.event(event).map_err(io::Error::other)?,
            Body::Drawing(_) | Body::Hint | Body::Nothing => {}
        }
        Ok(())
    }

    /// Writes the title, unless it was written before.
    pub fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.title.take().map_or(Ok(()), |title| writeln!(out, "{title}\n"))
    }

    /// Writes the rest, before the report.
    pub fn end(mut self, out: &mut dyn Write) -> io::Result<()> {
        self.begin(out)?;
        match self.body {
            Body::Steps { .. } => writeln!(out),
            Body::Drawing(drawing) => writeln!(out, "{drawing}"),
            Body::Picture(picture) => {
                match in_terminal(&picture.finish(&Remarks::default(), String::new()), MOST_ROWS) {
                    Ok(drawing) => writeln!(out, "{drawing}"),
                    Err(reason) => writeln!(out, "  {DIM}({reason}: {INSTEAD}){DIM:#}\n"),
                }
            }
            Body::Nothing => Ok(()),
            Body::Hint => {
                writeln!(out, "  {DIM}(more than {MOST_NODES} nodes are not drawn here: {INSTEAD}){DIM:#}\n")
            }
        }
    }
}

/// The largest number of faults in a title.
const MOST_FAULTS: usize = 4;

/// The run in a line.
fn title(info: &Info, scenario: &Scenario) -> String {
    let starters = match scenario.initiator_count() {
        _ if scenario.all_start() => "everybody starts".into(),
        1 if !scenario.start_together() => "1 wake-up".into(),
        count if !scenario.start_together() => format!("{count} wake-ups"),
        1 => {
            let starter =
                scenario.electorate().initiators().map(|(node, _)| scenario.topology.printed_name(node)).next();
            format!("node {} starts", starter.unwrap_or_default())
        }
        count => format!("{count} nodes start"),
    };
    let timing = match (scenario.timing, info.model) {
        (Timing::Rounds, _) => "in rounds".into(),
        (Timing::Chosen(_), Model::Asynchronous) => "one schedule of all".into(),
        (Timing::Chosen(_), Model::Synchronous) => "one schedule of all, through a synchronizer".into(),
        (Timing::Live(_), Model::Asynchronous) => "live".into(),
        (Timing::Live(_), Model::Synchronous) => "live, through a synchronizer".into(),
        (timing, Model::Asynchronous) => format!("{timing} delays"),
        (timing, Model::Synchronous) => format!("{timing} delays, through a synchronizer"),
    };
    let again = if scenario.elections > 1 { format!(" · {} elections", scenario.elections) } else { String::new() };
    let faults =
        scenario.faults.iter().take(MOST_FAULTS).map(|fault| format!(" · {}", fault.among(&scenario.topology)));
    let faults = faults.collect::<String>()
        + &match scenario.faults.len().saturating_sub(MOST_FAULTS) {
            0 => String::new(),
            1 => " · 1 more fault".into(),
            count => format!(" · {count} more faults"),
        };
    let forced = if scenario.forced { " · forced" } else { "" };
    let Scenario { algorithm, topology, .. } = scenario;
    format!("{BOLD}{algorithm}{BOLD:#} on {topology} {DIM}· {timing} · {starters}{again}{faults}{forced}{DIM:#}")
}
