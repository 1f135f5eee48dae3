//! An output file that is either complete or absent: it is written beside its place and moved there at the end.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

use crate::failure::Failure;

/// An output file that is being written.
pub struct Draft {
    out: BufWriter<File>,
    /// The temporary file and the final path; `None` for a pipe or a device, which is written to directly.
    unfinished: Option<(TempPath, PathBuf)>,
}

/// The temporary files of all drafts. Files that were moved or dropped no longer exist.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporary() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the program at once, and removes all drafts.
pub fn exit_without_drafts(code: i32) -> ! {
    // The lock is held to the very end, so that no draft can begin meanwhile.
    let temporary = temporary();
    for path in temporary.iter() {
        let _ = fs::remove_file(path);
    }
    process::exit(code)
}

/// Whether two paths lead to the same file under any names, or would once it is written.
pub fn lead_to_the_same(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (a.metadata(), b.metadata()) {
        use std::os::unix::fs::MetadataExt;
        return (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    a == b || matches!((destination(a), destination(b)), (Ok(a), Ok(b)) if a == b)
}

/// A file can only be written where there is a folder.
///
/// # Errors
/// If there is none.
pub fn expect_folder(path: &Path) -> Result<(), Failure> {
    match folder(path) {
        folder if folder.is_dir() => Ok(()),
        folder => Err(Failure::file(path, format!("there is no folder {}", folder.display()))),
    }
}

impl Draft {
    /// Begins a file, or opens a pipe or a device.
    pub fn new(path: &Path) -> Result<Self, Failure> {
        let fail = |error: io::Error| Failure::file(path, error);
        let old = match path.metadata() {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(fail(error)),
        };
        expect_folder(path)?;
        let place = destination(path).map_err(fail)?;
        if is_open_file(&place) || old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = File::options().append(true).open(path).map_err(fail)?;
            return Ok(Self { out: BufWriter::new(file), unfinished: None });
        }
        // The error would name the temporary file, which means nothing to the user.
        let (file, temporary) = begin(self::folder(&place)).map_err(|error| fail(error.kind().into()))?;
        if let Some(old) = old {
            file.set_permissions(old.permissions()).map_err(fail)?;
        }
        Ok(Self { out: BufWriter::new(file), unfinished: Some((temporary, place)) })
    }

    /// Completes the file: it gets its name only now.
    pub fn keep(mut self) -> io::Result<()> {
        self.out.flush()?;
        let Some((file, place)) = self.unfinished else { return Ok(()) };
        let _held = temporary();
        Ok(file.persist(place)?)
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

/// A temporary file that is deleted unless it is moved. Others may read it as far as the umask allows.
fn begin(folder: &Path) -> io::Result<(File, TempPath)> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut all = temporary();
    let (file, path) = builder.prefix(".bellwether-").tempfile_in(folder)?.into_parts();
    all.push(path.to_path_buf());
    Ok((file, path))
}

/// The destination of a path. Links are followed, even to a file that does not exist yet.
fn destination(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = folder(path).canonicalize()?;
    let place = folder.join(name);
    match place.read_link() {
        Ok(target) if !is_open_file(&place) => destination(&folder.join(target)),
        _ => Ok(place),
    }
}

/// Whether this path stands for an open file of a process, as /dev/stderr does. Moving a file there would have no
/// effect.
fn is_open_file(place: &Path) -> bool {
    place.starts_with("/proc") || place.starts_with("/dev/fd")
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
