//! The files of a request, in place of those on a disk.

use std::collections::BTreeMap;
use std::path::Path;

use bellwether_ask::{Environment, Refusal};
use serde::Deserialize;

/// Files by name.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Attached(BTreeMap<String, String>);

impl Environment for Attached {
    fn read(&self, path: &Path, most: Option<u64>) -> Result<Vec<u8>, Refusal> {
        let content = path.to_str().and_then(|name| self.0.get(name)).ok_or_else(|| {
            let names: Vec<&str> = self.0.keys().map(String::as_str).collect();
            let there = if names.is_empty() { "none is".into() } else { format!("there is {}", names.join(", ")) };
            Refusal::file(path, format!("this file is not in the request, and the lab reads no other: {there}"))
        })?;
        if most.is_some_and(|most| content.len() as u64 > most) {
            return Err(Refusal::file(path, "this file is too long"));
        }
        Ok(content.clone().into_bytes())
    }
}
