//! What is written while a run is played: each event to everybody who wants it.

use std::io::Write;
use std::path::{Path, PathBuf};

use bellwether_core::Id;
use bellwether_world::trace::{self, Ending, Event, Header};
use bellwether_world::{Report, Scenario, Timing, shiviz};

use crate::draft::Draft;
use crate::failure::Failure;
use crate::picture::Picture;

/// Everybody who wants the events of a run.
pub struct Outputs {
    ids: Option<Vec<Id>>,
    timing: Timing,
    trace: Option<Draft>,
    shiviz: Option<(PathBuf, shiviz::Writer<Draft>)>,
    /// Whether every event goes to standard output.
    listing: bool,
    /// The picture of a small run.
    pub picture: Option<Picture>,
    failure: Option<Failure>,
}

impl Outputs {
    /// Nobody yet. Anonymous nodes are shown without their ids.
    pub fn new(scenario: &Scenario, anonymous: bool) -> Self {
        let ids = (!anonymous).then(|| scenario.ids.clone());
        Self { ids, timing: scenario.timing, trace: None, shiviz: None, listing: false, picture: None, failure: None }
    }

    /// Records the run in a file.
    pub fn trace(&mut self, path: &Path, scenario: &Scenario) -> Result<(), Failure> {
        let mut draft = Draft::new(path)?;
        trace::write(&mut draft, &Header::new(scenario.clone())).map_err(|error| Failure::file(path, error))?;
        self.trace = Some(draft);
        Ok(())
    }

    /// Writes a log for ShiViz.
    pub fn shiviz(&mut self, path: &Path) -> Result<(), Failure> {
        let writer = shiviz::Writer::new(Draft::new(path)?).map_err(|error| Failure::file(path, error))?;
        self.shiviz = Some((path.into(), writer));
        Ok(())
    }

    /// Lists every event on standard output.
    pub fn listing(&mut self) {
        self.listing = true;
    }

    /// Whether anybody wants events at all.
    pub fn are_wanted(&self) -> bool {
        self.trace.is_some() || self.shiviz.is_some() || self.listing || self.picture.is_some()
    }

    /// Hands an event to everybody; after a failure to nobody.
    pub fn event(&mut self, event: Event) {
        if self.failure.is_none() {
            self.failure = self.write(&event).err();
        }
    }

    fn write(&mut self, event: &Event) -> Result<(), Failure> {
        if let Some(draft) = &mut self.trace {
            trace::write(&mut *draft, event).map_err(|error| Failure::file(&draft.path, error))?;
        }
        if let Some((path, writer)) = &mut self.shiviz {
            writer.event(event).map_err(|error| Failure::file(path, error))?;
        }
        if self.listing {
            let Event { t, node, .. } = event;
            let id = self.ids.as_ref().and_then(|ids| ids.get(*node as usize));
            let id = id.map_or(String::new(), |id| format!(" (id {id})"));
            let t = format!("{}{t}", if self.timing == Timing::Rounds { "round " } else { "t=" });
            writeln!(anstream::stdout().lock(), "{t:<10} node {node}{id} {}", event.describe())?;
        }
        if let Some(picture) = &mut self.picture {
            picture.event(event);
        }
        Ok(())
    }

    /// Completes the files; only now do they stand under their names.
    pub fn finish(self, report: &Report) -> Result<Option<Picture>, Failure> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if let Some(mut draft) = self.trace {
            trace::write(&mut draft, &Ending::new(report)).map_err(|error| Failure::file(&draft.path, error))?;
            draft.keep()?;
        }
        if let Some((path, writer)) = self.shiviz {
            writer.finish().map_err(|error| Failure::file(&path, error))?.keep()?;
        }
        Ok(self.picture)
    }
}
