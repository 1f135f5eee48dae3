//! The lab as a static site: the files of the page, and the program for browsers beside them. And the same as one file,
//! which opens from disk.

use std::fs;
use std::io::{self, ErrorKind};
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

/// The number of the section that has the code.
const CODE: u8 = 10;

/// Whether a program is made of whole sections, one of them with code.
fn is_whole(program: &[u8]) -> bool {
    let (mut rest, mut has_code) = (program.get(8..).unwrap_or_default(), false);
    while let [section, after @ ..] = rest {
        // The length has seven bits in each byte, and the last byte is the one without the eighth.
        let digits = after.iter().take(5).take_while(|byte| **byte >= 0x80).count() + 1;
        let length = after.iter().take(digits).rev().fold(0, |sum, byte| sum << 7 | usize::from(byte & 0x7f));
        let Some(next) = after.get(digits + length..) else { return false };
        (rest, has_code) = (next, has_code || *section == CODE);
    }
    has_code
}

/// Writes the site. Returns the number of its files.
pub fn export(folder: &Path, wasm: &Path) -> Result<usize, Failure> {
    let unread = |error: io::Error| match error.kind() {
        ErrorKind::NotFound => Failure::file(wasm, "there is no such file: web/build-wasm FILE makes it"),
        _ => Failure::file(wasm, error),
    };
    if !fs::metadata(wasm).map_err(unread)?.is_file() {
        return Err(Failure::file(wasm, "this is no file: web/build-wasm FILE makes it"));
    }
    let program = fs::read(wasm).map_err(unread)?;
    if !program.starts_with(WASM) {
        return Err(Failure::file(wasm, "this is no WebAssembly: web/build-wasm FILE makes it"));
    }
    if !is_whole(&program) {
        return Err(Failure::file(wasm, "this WebAssembly is cut off or has no code: web/build-wasm FILE makes it"));
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
