//! What a front end does for the data: it reads files and shows that something takes long.

use std::path::{Path, PathBuf};

use bellwether_net::formats::{self, Manner};
use bellwether_net::{Network, Topology};

use crate::Refusal;

/// The front end's side.
pub trait Environment {
    /// The bytes of a file. It may have at most this many, or what the front end allows.
    ///
    /// # Errors
    /// If it cannot be read, or is longer.
    fn read(&self, path: &Path, most: Option<u64>) -> Result<Vec<u8>, Refusal>;

    /// The files of a folder, sorted by name; `None` if it is not a folder.
    ///
    /// # Errors
    /// If it cannot be read.
    fn folder(&self, path: &Path) -> Result<Option<Vec<PathBuf>>, Refusal> {
        let _ = path;
        Ok(None)
    }

    /// Does work that may take long, and may show what it is.
    fn wait_for(&self, what: &str, work: &mut dyn FnMut()) {
        let _ = what;
        work();
    }
}

/// Does work that may take long.
pub(crate) fn wait_for<T>(environment: &dyn Environment, what: &str, work: impl FnOnce() -> T) -> T {
    let (mut work, mut done) = (Some(work), None);
    environment.wait_for(what, &mut || done = work.take().map(|work| work()));
    done.expect("the environment does the work once")
}

/// The text of a file, of at most this many bytes.
///
/// # Errors
/// If it cannot be read, is longer, or is not UTF-8.
pub fn read_text(environment: &dyn Environment, path: &Path, most: Option<u64>) -> Result<String, Refusal> {
    String::from_utf8(environment.read(path, most)?).map_err(|_| Refusal::file(path, "this is not text in UTF-8"))
}

/// The largest connected part of the network in a file, and how many nodes are left out.
///
/// # Errors
/// If it is not in a file, or the file cannot be read.
pub fn largest_component(topology: &Topology, environment: &dyn Environment) -> Result<(Network, u32), Refusal> {
    let Topology::File(path) = topology else {
        return Err(Refusal(
            "--largest-component is for files, since other networks are connected: leave it out, or take file:PATH"
                .into(),
        ));
    };
    let manner = Manner { largest_component: true, ..Manner::default() };
    let reading = wait_for(environment, "building the network", || {
        formats::examine(&environment.read(path, None)?, path, manner).map_err(|error| Refusal::file(path, error))
    })?;
    Ok((reading.network, reading.left_out))
}

/// The network that was asked for, drawn from the seed or read.
///
/// # Errors
/// If there is no such network, or its file cannot be read.
pub fn network(topology: &Topology, seed: u64, environment: &dyn Environment) -> Result<Network, Refusal> {
    wait_for(environment, "building the network", || match topology {
        Topology::File(path) => {
            formats::read(&environment.read(path, None)?, path).map_err(|error| Refusal::file(path, error))
        }
        topology => topology.build(seed).map_err(Refusal),
    })
}
