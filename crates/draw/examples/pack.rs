//! Packs a folder with a page and a program for it into one page, for the tests of what carries requests in browsers.
//!
//! Usage: pack FOLDER PROGRAM PAGE

use std::error::Error;
use std::{env, fs};

use bellwether_draw::single_file;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, program, page] = &arguments[..] else { return Err("usage: pack FOLDER PROGRAM PAGE".into()) };
    let mut files = vec![];
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        files.push((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?));
    }
    let files: Vec<_> = files.iter().map(|(path, content)| (path.as_str(), &content[..])).collect();
    fs::write(page, single_file::page(&files, &fs::read(program)?)?)?;
    Ok(())
}
