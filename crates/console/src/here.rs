//! The command line as the environment of a request: it reads files and shows when something takes long.

use std::path::{Path, PathBuf};

use bellwether_ask::{Environment, Refusal};

use crate::{files, progress};

/// This process, with its files and its terminal.
pub struct Here;

impl Environment for Here {
    fn read(&self, path: &Path, most: Option<u64>) -> Result<Vec<u8>, Refusal> {
        files::bytes(path, most.unwrap_or(files::LONGEST))
    }

    fn folder(&self, path: &Path) -> Result<Option<Vec<PathBuf>>, Refusal> {
        if path.is_dir() { files::in_folder(path).map(Some) } else { Ok(None) }
    }

    fn wait_for(&self, what: &str, work: &mut dyn FnMut()) {
        progress::patiently(what, work);
    }
}
