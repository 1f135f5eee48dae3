//! Makes the errata: each is an algorithm's own file, with the changes that stand in a file of `printed`.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=printed");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    let announcement = source("graph/announcement").expect("a module of algorithms on graphs").0;
    let mut modules = format!("#[path = {announcement:?}]\nmod announcement;\n");
    let mut list = String::new();
    for file in files("printed").into_iter().flat_map(files) {
        let text = fs::read_to_string(&file).expect("a file of printed");
        let [algorithm, name] = [file.parent(), Some(&file)].map(|path| stem(path.expect("printed/ALGORITHM/NAME.md")));
        let module = format!("{algorithm}_{name}").replace('-', "_");
        let (model, process, changed) = apply(&text, &algorithm, &name, &module);
        let path = out.join(format!("{module}.rs"));
        fs::write(&path, changed).expect("OUT_DIR can be written");
        let _ = writeln!(modules, "#[path = {path:?}]\npub mod {module};");
        let text = fs::canonicalize(&file).expect("it was read");
        let _ = writeln!(
            list,
            "Erratum {{ algorithm: {algorithm:?}, name: {name:?}, text: include_str!({text:?}), \
             value: Algorithm::{model}::<printed::{module}::{process}> }},"
        );
    }
    fs::write(out.join("modules.rs"), modules).expect("OUT_DIR can be written");
    fs::write(out.join("list.rs"), format!("&[\n{list}]")).expect("OUT_DIR can be written");
}

/// The files of a folder, in order.
fn files(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn stem(path: &Path) -> String {
    path.file_stem().and_then(|stem| stem.to_str()).expect("a name").into()
}

/// The file of an algorithm.
fn source(path: &str) -> Option<(PathBuf, String)> {
    let path = fs::canonicalize(format!("../algorithms/src/{path}.rs")).ok()?;
    println!("cargo::rerun-if-changed={}", path.display());
    let text = fs::read_to_string(&path).expect("the algorithm's file");
    Some((path, text))
}

/// The model of the algorithm, the type of its processes, and its file with the changes of this text.
fn apply(text: &str, algorithm: &str, name: &str, module: &str) -> (&'static str, String, String) {
    let file = algorithm.replace('-', "_");
    let folders = ["ring", "tree", "graph", "complete"];
    let found = folders.iter().find_map(|folder| source(&format!("{folder}/{file}")));
    let (_, whole) = found.unwrap_or_else(|| panic!("there is no algorithm {algorithm}"));
    let mut changed = whole.split("\n#[cfg(test)]").next().unwrap_or(&whole).to_string();
    let (model, process) = [("process", "impl Process for "), ("in_rounds", "impl Rounds for ")]
        .into_iter()
        .find_map(|(model, start)| Some((model, changed.split(start).nth(1)?.split(' ').next()?.to_string())))
        .unwrap_or_else(|| panic!("{file} is neither a Process nor Rounds"));
    let blocks = blocks(text);
    assert!(!blocks.is_empty() && blocks.len().is_multiple_of(2), "{algorithm}/{name}: changes are pairs of blocks");
    let change = |changed: &mut String, from: &str, to: &str| {
        let [place] = &places(changed, from)[..] else {
            panic!(
                "{algorithm}/{name}: this stands in {} places, and should in one:\n{from}",
                places(changed, from).len()
            )
        };
        changed.replace_range(place.clone(), to.trim());
    };
    for pair in blocks.chunks(2) {
        change(&mut changed, &pair[0], &pair[1]);
    }
    change(&mut changed, &format!("name: \"{algorithm}\","), &format!("name: \"{algorithm}/{name}\","));
    change(&mut changed, &format!("include_str!(\"{file}.rs\")"), &format!("include_str!(\"{module}.rs\")"));
    (model, process, changed)
}

/// The blocks of a text that are code: what stands in the algorithm's file, and what stands there as printed.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = vec![];
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line == "```rust" || line == "```text" {
            blocks.push(lines.by_ref().take_while(|line| *line != "```").collect::<Vec<_>>().join("\n"));
        }
    }
    blocks
}

/// Where a piece of code stands, however it is broken into lines.
fn places(text: &str, piece: &str) -> Vec<Range<usize>> {
    let visible: Vec<_> = text.char_indices().filter(|(_, c)| !c.is_whitespace()).collect();
    let piece: Vec<_> = piece.chars().filter(|c| !c.is_whitespace()).collect();
    let same = |window: &&[(usize, char)]| window.iter().map(|(_, c)| c).eq(&piece);
    let place = |window: &[(usize, char)]| {
        let (last, c) = window[window.len() - 1];
        window[0].0..last + c.len_utf8()
    };
    visible.windows(piece.len()).filter(same).map(place).collect()
}
