//! The networks of a sweep: one kind in many sizes, or networks that are given.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bellwether_ask::{Environment, Field, NetworkKind, Refusal, Sweep};
use bellwether_net::formats::{self, Manner, Reading};
use bellwether_net::{Network, Topology, Wiring};

/// The networks of a sweep.
pub enum Networks {
    /// Networks of one kind.
    Kind(NetworkKind),
    /// Networks that are given, as they were named. A file may be a folder.
    Given(Vec<Topology>),
}

impl fmt::Display for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kind(kind) => kind.fmt(f),
            Self::Given(given) => {
                let names: Vec<String> = given.iter().map(Topology::to_string).collect();
                f.write_str(&names.join(", "))
            }
        }
    }
}

/// A network that is given. It is the same in all runs.
pub struct Given {
    /// The network.
    pub network: Network,
    /// The CRC-32 of its file.
    pub crc32: Option<u32>,
    /// How many nodes of the file are left out, because its largest connected part is taken.
    pub left_out: u32,
}

/// The network of a cell, or what its random networks have in common.
#[derive(Clone)]
pub struct Site {
    /// What the network is called.
    pub topology: Topology,
    /// How many nodes there are.
    pub nodes: u32,
    /// The network itself, if it is given.
    pub given: Option<Arc<Given>>,
}

/// The networks of a sweep, and their sites in ascending order of size.
///
/// # Errors
/// If they do not fit together, or a file cannot be read.
pub fn of(sweep: &Sweep, environment: &dyn Environment) -> Result<(Networks, Vec<Site>), Refusal> {
    match sweep.field()? {
        Field::Sizes(kind, sizes) => {
            let site = |nodes: &u32| Ok(Site { topology: kind.of(*nodes)?, nodes: *nodes, given: None });
            let sites = sizes.nodes.iter().map(site).collect::<Result<_, String>>();
            Ok((Networks::Kind(kind.clone()), sites.map_err(Refusal::option("--nodes"))?))
        }
        Field::Given(named) => {
            let mut sites = vec![];
            for topology in unfolded(&named, environment)? {
                let given = Arc::new(given(&topology, sweep.largest_component, environment)?);
                sites.push(Site { nodes: given.network.nodes(), topology, given: Some(given) });
            }
            sites.sort_by_key(|site| site.nodes);
            Ok((Networks::Given(named.into_iter().cloned().collect()), sites))
        }
    }
}

/// The networks, with the files of folders instead of the folders.
fn unfolded(named: &[&Topology], environment: &dyn Environment) -> Result<Vec<Topology>, Refusal> {
    let mut all: Vec<Topology> = vec![];
    for topology in named {
        let Some(path) = topology.file() else {
            all.push((*topology).clone());
            continue;
        };
        match environment.folder(path)? {
            None => all.push((*topology).clone()),
            Some(files) if files.is_empty() => return Err(Refusal::file(path, "this folder has no files")),
            Some(files) => all.extend(files.into_iter().map(Topology::File)),
        }
    }
    for (index, topology) in all.iter().enumerate() {
        if all[..index].contains(topology) {
            return Err(Refusal(format!("--topology: {topology} is named twice")));
        }
        topology.file().map_or(Ok(()), can_be_named)?;
    }
    Ok(all)
}

/// Makes sure that a row and a line can name the file.
fn can_be_named(path: &Path) -> Result<(), Refusal> {
    let reason = match path.to_str() {
        Some("-") => "a sweep reads its networks again when it goes on: put this one into a file",
        Some(name) if !name.contains(char::is_control) => return Ok(()),
        _ => "a row cannot name this file: rename it, without control characters and in UTF-8",
    };
    Err(Refusal::file(&PathBuf::from(path.to_string_lossy().escape_debug().to_string()), reason))
}

fn given(topology: &Topology, largest_component: bool, environment: &dyn Environment) -> Result<Given, Refusal> {
    let Some(path) = topology.file() else {
        if largest_component {
            return Err(Refusal(format!(
                "--largest-component is for files, and {topology} is connected: leave it out"
            )));
        }
        return Ok(Given { network: topology.build(0).map_err(Refusal)?, crc32: None, left_out: 0 });
    };
    let bytes = environment.read(path, None)?;
    let manner = Manner { largest_component, ..Manner::default() };
    let Reading { network, left_out, .. } =
        formats::examine(&bytes, path, manner).map_err(|error| Refusal::file(path, error))?;
    Ok(Given { network, crc32: Some(crc32fast::hash(&bytes)), left_out })
}
