//! The lab as a static site: the files of the page, and the program for browsers beside them. And the same as one file,
//! which opens from disk.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use bellwether_console::failure::Failure;
use bellwether_draw::single_file;
use bellwether_lab::files::site;

/// What tells a folder that was written here from any other.
const MARK: &str = ".bellwether-lab";

/// The page that is one file.
pub const SINGLE: &str = "lab.html";

/// How every program for browsers begins.
const WASM: &[u8] = b"\0asm";

/// Writes the site. Returns the number of its files.
pub fn export(folder: &Path, wasm: &Path) -> Result<usize, Failure> {
    let program = fs::read(wasm).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::file(wasm, "there is no such file: web/build-wasm FILE makes it"),
        _ => Failure::file(wasm, error),
    })?;
    if !program.starts_with(WASM) {
        return Err(Failure::file(wasm, "this is no WebAssembly: web/build-wasm FILE makes it"));
    }
    if !is_ours(folder)? {
        let reason = "this folder has other files in it: name an empty one, or one that this command has written";
        return Err(Failure::file(folder, reason));
    }
    let mut all: Vec<(String, Vec<u8>)> = site().into_iter().map(|file| (file.path, file.content)).collect();
    let files: Vec<(&str, &[u8])> = all.iter().map(|(path, content)| (&path[..], &content[..])).collect();
    let single = single_file::page(&files, &program).map_err(Failure::Usage)?;
    all.push((SINGLE.into(), single.into_bytes()));
    all.push(("lab.wasm".into(), program));
    let list: Vec<&str> = all.iter().map(|(path, _)| &path[..]).collect();
    let mark = list.join("\n") + "\n";
    let written = std::iter::once((MARK, mark.as_bytes())).chain(all.iter().map(|(path, all)| (&path[..], &all[..])));
    for (path, content) in written {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|error| Failure::file(parent, error))?;
        fs::write(&path, content).map_err(|error| Failure::file(&path, error))?;
    }
    Ok(all.len())
}

/// Whether a folder is not there yet, is empty, or was written here.
fn is_ours(folder: &Path) -> Result<bool, Failure> {
    match fs::read_dir(folder) {
        Ok(mut entries) => Ok(folder.join(MARK).is_file() || entries.next().is_none()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(Failure::file(folder, error)),
    }
}
