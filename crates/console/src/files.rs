//! Files that a command reads, and files that it writes.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use bellwether_ask::Refusal;

use crate::draft;

/// The largest number of bytes read from a file of data.
pub const LONGEST: u64 = 2 << 30;

/// The bytes of a file, or of standard input if the path is `-`. A device may never end, so a file with more bytes than
/// `most` is refused.
pub fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, Refusal> {
    let fail = |error: io::Error| Refusal::file(path, error);
    let mut bytes = Vec::new();
    let input: Box<dyn Read> =
        if path.as_os_str() == "-" { Box::new(io::stdin().lock()) } else { Box::new(File::open(path).map_err(fail)?) };
    input.take(most + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > most {
        let (size, unit) = if most < 1 << 30 { (most >> 20, "MiB") } else { (most >> 30, "GiB") };
        return Err(Refusal::file(path, format!("this is longer than {size} {unit}")));
    }
    Ok(bytes)
}

/// The files of a folder, sorted by name. Folders in it are left out, and so are files whose name begins with a dot.
pub fn in_folder(path: &Path) -> Result<Vec<PathBuf>, Refusal> {
    let list = || -> io::Result<Vec<PathBuf>> {
        let mut files = vec![];
        for entry in path.read_dir()? {
            let entry = entry?;
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            files.extend(Some(entry.path()).filter(|path| path.is_file() && !is_hidden));
        }
        files.sort();
        Ok(files)
    };
    list().map_err(|error| Refusal::file(path, error))
}

/// The endings of pictures and pages, with the options that write them.
const ENDINGS: [(&str, &str); 3] = [("svg", "--svg"), ("png", "--png"), ("html", "--html")];

/// Makes sure that the ending of a picture's file does not promise another kind of picture.
fn fitting_ending(option: &str, path: &Path) -> Result<(), String> {
    let ending = path.extension().map_or(String::new(), |ending| ending.to_string_lossy().to_lowercase());
    let promised = ENDINGS.iter().find(|(other, _)| *other == ending).map(|(_, promised)| *promised);
    let own = ENDINGS.iter().find(|(_, other)| *other == option).map(|(own, _)| *own);
    match (own, promised) {
        (Some(own), Some(promised)) if promised != option => Err(format!(
            "{option} would write {}, whose ending tells something else: let it end in .{own}, or take {promised}",
            path.display()
        )),
        _ => Ok(()),
    }
}

/// Makes sure that every output has its own file with a fitting ending, and that none of these files is also read.
pub fn own_files(files: &[(&str, &Option<PathBuf>)], read: &[Option<&Path>]) -> Result<(), String> {
    let given: Vec<(&str, &PathBuf)> =
        files.iter().filter_map(|(option, path)| Some((*option, path.as_ref()?))).collect();
    for (index, (option, path)) in given.iter().enumerate() {
        if path.as_os_str() == "-" {
            return Err(format!("{option} needs a file: standard output has the report (try /dev/stderr)"));
        }
        if let Some((other, _)) = given[..index].iter().find(|(_, other)| draft::lead_to_the_same(other, path)) {
            return Err(format!("{other} and {option} name the same file: give each its own"));
        }
        if let Some(input) = read.iter().flatten().find(|input| draft::lead_to_the_same(input, path)) {
            return Err(format!(
                "{option} would overwrite {}, which is read: give it a file of its own",
                input.display()
            ));
        }
        fitting_ending(option, path)?;
    }
    Ok(())
}

/// The files that were written, as a line of a report; `None` if there are none.
pub fn written<'a>(files: impl IntoIterator<Item = &'a Option<PathBuf>>) -> Option<(&'static str, String)> {
    let names: Vec<_> = files.into_iter().flatten().map(|path| path.display().to_string()).collect();
    (!names.is_empty()).then(|| ("written", names.join(", ")))
}

/// Says on standard error which files were written. Standard output has the findings.
pub fn tell_written<'a>(files: impl IntoIterator<Item = &'a Option<PathBuf>>) {
    if let Some((word, names)) = written(files) {
        // The files are there, whether somebody reads this or not.
        let _ = writeln!(anstream::stderr(), "{word} {names}");
    }
}
