//! Lists the files of the page, so that a new one needs no line of code.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("page");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut paths = vec![];
    if root.is_dir() {
        collect(&root, &mut paths)?;
    }
    paths.sort();
    let mut list = String::from("&[\n");
    for path in &paths {
        let name = path.strip_prefix(&root).unwrap_or(path);
        let name = name.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        let _ = writeln!(list, "({name:?}, include_bytes!({:?})),", path.display().to_string());
    }
    list.push_str("]\n");
    fs::write(Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("page.rs"), list)
}

/// All files below a folder.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, paths)? } else { paths.push(path) }
    }
    Ok(())
}
