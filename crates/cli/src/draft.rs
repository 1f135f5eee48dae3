//! Files that are written as a whole.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::Failure;

/// A file that is complete or not there: written beside its place, and moved there in the end.
pub struct Draft {
    /// Where it will stand.
    pub path: PathBuf,
    out: BufWriter<File>,
    /// `None` for a pipe or a device, which is written to directly.
    temporary: Option<NamedTempFile>,
}

impl Draft {
    /// Begins the file for this place.
    pub fn new(path: &Path) -> Result<Self, Failure> {
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

    /// Puts it in its place.
    pub fn keep(mut self) -> Result<(), Failure> {
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
