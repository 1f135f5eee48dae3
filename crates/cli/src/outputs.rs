//! What is written while a run is played: each event to everybody who wants it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use bellwether_world::trace::{self, Ending, Event, Header};
use bellwether_world::{Report, Scenario, shiviz};
use tempfile::NamedTempFile;

use crate::failure::Failure;
use crate::screen::Screen;

/// Everybody who wants the events of a run.
pub struct Outputs {
    trace: Option<Draft>,
    shiviz: Option<(PathBuf, shiviz::Writer<Draft>)>,
    /// What people see; `None` if programs read the report.
    pub screen: Option<Screen>,
    failure: Option<Failure>,
}

impl Outputs {
    /// The screen, and no files yet.
    pub fn new(screen: Option<Screen>) -> Self {
        Self { trace: None, shiviz: None, screen, failure: None }
    }

    /// Records the run in a file.
    pub fn trace(&mut self, path: &Path, scenario: &Scenario) -> Result<(), Failure> {
        let mut draft = Draft::new(path)?;
        trace::write(&mut draft.out, &Header::new(scenario.clone())).map_err(|error| Failure::file(path, error))?;
        self.trace = Some(draft);
        Ok(())
    }

    /// Writes a log for ShiViz.
    pub fn shiviz(&mut self, path: &Path) -> Result<(), Failure> {
        let writer = shiviz::Writer::new(Draft::new(path)?).map_err(|error| Failure::file(path, error))?;
        self.shiviz = Some((path.into(), writer));
        Ok(())
    }

    /// Whether anybody wants events at all.
    pub fn are_wanted(&self) -> bool {
        self.trace.is_some() || self.shiviz.is_some() || self.screen.as_ref().is_some_and(Screen::wants_events)
    }

    /// Hands an event to everybody; after a failure to nobody.
    pub fn event(&mut self, event: Event) {
        if self.failure.is_none() {
            self.failure = self.write(&event).err();
        }
    }

    fn write(&mut self, event: &Event) -> Result<(), Failure> {
        if let Some(draft) = &mut self.trace {
            trace::write(&mut draft.out, event).map_err(|error| Failure::file(&draft.path, error))?;
        }
        if let Some((path, writer)) = &mut self.shiviz {
            writer.event(event).map_err(|error| Failure::file(path, error))?;
        }
        if let Some(screen) = &mut self.screen {
            screen.event(event)?;
        }
        Ok(())
    }

    /// Completes the files, which only now stand under their names, and gives the screen back for the report.
    pub fn finish(self, report: &Report) -> Result<Option<Screen>, Failure> {
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        if let Some(mut draft) = self.trace {
            trace::write(&mut draft.out, &Ending::new(report)).map_err(|error| Failure::file(&draft.path, error))?;
            draft.keep()?;
        }
        if let Some((path, writer)) = self.shiviz {
            writer.finish().map_err(|error| Failure::file(&path, error))?.keep()?;
        }
        Ok(self.screen)
    }
}

/// A file that is complete or not there: written beside its place, and moved there in the end.
struct Draft {
    path: PathBuf,
    out: BufWriter<File>,
    /// `None` for a pipe or a device, which is written to directly.
    temporary: Option<NamedTempFile>,
}

impl Draft {
    fn new(path: &Path) -> Result<Self, Failure> {
        let fail = |error: io::Error| Failure::file(path, error);
        let direct = path.metadata().is_ok_and(|metadata| !metadata.is_file());
        let temporary = if direct {
            None
        } else {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if !folder.is_dir() {
                return Err(Failure::file(path, format!("there is no folder {}", folder.display())));
            }
            // The error would name the temporary file, which nobody has heard of.
            let plain = |error: io::Error| fail(error.kind().into());
            Some(tempfile::Builder::new().prefix(".bellwether-").tempfile_in(folder).map_err(plain)?)
        };
        let file = match &temporary {
            Some(temporary) => temporary.reopen(),
            None => File::options().write(true).open(path),
        };
        Ok(Self { path: path.into(), out: BufWriter::new(file.map_err(fail)?), temporary })
    }

    fn keep(mut self) -> Result<(), Failure> {
        self.out.flush().map_err(|error| Failure::file(&self.path, error))?;
        let Some(temporary) = self.temporary else { return Ok(()) };
        readable_by_others(temporary.as_file());
        temporary.persist(&self.path).map(drop).map_err(|error| Failure::file(&self.path, error.error))
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Temporary files are private; a result is not.
fn readable_by_others(file: &File) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let _ = file.set_permissions(PermissionsExt::from_mode(0o644));
    }
    #[cfg(not(unix))]
    let _ = file;
}
