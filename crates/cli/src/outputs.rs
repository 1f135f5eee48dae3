//! The outputs that are written while a run is played. Each gets every event.

use std::path::{Path, PathBuf};

use bellwether_console::draft::Draft;
use bellwether_console::drawing::{Canvases, DrawArgs, Drawing};
use bellwether_console::failure::Failure;
use bellwether_console::progress;
use bellwether_core::Info;
use bellwether_draw::Remarks;
use bellwether_world::trace::{Ending, Event, Header};
use bellwether_world::{Report, Scenario, shiviz};

use crate::screen::Screen;

/// All outputs of a run.
pub struct Outputs {
    trace: Option<(PathBuf, Draft)>,
    shiviz: Option<(PathBuf, shiviz::Writer<Draft>)>,
    drawing: Option<Drawing>,
    /// The output for people; `None` if the report is JSON.
    pub screen: Option<Screen>,
    failure: Option<Failure>,
}

impl Outputs {
    /// Outputs with this screen and no files yet.
    pub fn new(screen: Option<Screen>) -> Self {
        Self { trace: None, shiviz: None, drawing: None, screen, failure: None }
    }

    /// Records the run in a file.
    pub fn trace(&mut self, path: &Path, scenario: &Scenario) -> Result<(), Failure> {
        let mut draft = Draft::new(path)?;
        Header::new(scenario.clone()).write(&mut draft).map_err(|error| Failure::output(path, error))?;
        self.trace = Some((path.into(), draft));
        Ok(())
    }

    /// Writes a log for ShiViz.
    pub fn shiviz(&mut self, path: &Path, scenario: &Scenario) -> Result<(), Failure> {
        let network = scenario.topology.clone();
        let writer = shiviz::Writer::new(Draft::new(path)?, network).map_err(|error| Failure::output(path, error))?;
        self.shiviz = Some((path.into(), writer));
        Ok(())
    }

    /// Draws the run, if a picture is wanted. `repeat` is the command that repeats it.
    pub fn draw(&mut self, args: &DrawArgs, info: &Info, scenario: &Scenario, repeat: &str) -> Result<(), Failure> {
        if args.are_given() {
            self.drawing = Some(Drawing::new(Canvases::new(args)?, args, info, scenario, repeat.into())?);
        }
        Ok(())
    }

    /// Whether any output needs events.
    pub fn are_wanted(&self) -> bool {
        let files = self.trace.is_some() || self.shiviz.is_some() || self.drawing.is_some();
        files || self.screen.as_ref().is_some_and(Screen::wants_events)
    }

    /// Hands an event to all outputs. After a failure, events are ignored.
    pub fn event(&mut self, event: Event) {
        // A run that writes much checks for Ctrl-C seldom. Asking here shows that the request was heard.
        progress::was_interrupted();
        if self.failure.is_none() {
            self.failure = self.write(&event).err();
        }
    }

    fn write(&mut self, event: &Event) -> Result<(), Failure> {
        if let Some((path, draft)) = &mut self.trace {
            event.write(draft).map_err(|error| Failure::output(path, error))?;
        }
        if let Some((path, writer)) = &mut self.shiviz {
            writer.event(event).map_err(|error| Failure::output(path, error))?;
        }
        if let Some(drawing) = &mut self.drawing {
            drawing.event(event)?;
        }
        if let Some(screen) = &mut self.screen {
            screen.event(event)?;
        }
        Ok(())
    }

    /// Completes the files, which get their names only now. Returns the screen for the report.
    pub fn finish(mut self, scenario: &Scenario, report: &Report) -> Result<Option<Screen>, Failure> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if let Some((path, mut draft)) = self.trace {
            let written = Ending::new(scenario, report).write(&mut draft).and_then(|()| draft.keep());
            written.map_err(|error| Failure::output(&path, error))?;
        }
        if let Some((path, writer)) = self.shiviz {
            writer.finish().and_then(Draft::keep).map_err(|error| Failure::output(&path, error))?;
        }
        let remarks = Remarks::of(scenario, report);
        let text = self.drawing.map(|drawing| drawing.finish(&remarks)).transpose()?.flatten();
        if let (Some(screen), Some(text)) = (&mut self.screen, text) {
            screen.show(text);
        }
        Ok(self.screen)
    }
}
