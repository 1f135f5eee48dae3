//! The pictures in the gallery are those that the program draws. `docs/draw-gallery` draws them again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// The commands of the gallery: the arguments of `bellwether`, and the picture that it draws.
fn commands(gallery: &str) -> impl Iterator<Item = (Vec<&str>, &str)> {
    gallery.lines().filter_map(|line| line.strip_prefix("bellwether ")).map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let picture =
            words.last().and_then(|path| path.strip_prefix("docs/pictures/")).expect("the picture comes last");
        (words, picture)
    })
}

/// Whether `docs/take-screenshot` takes this picture in a browser.
fn is_screenshot(name: &str) -> bool {
    name.ends_with(".png")
}

/// Sweeps take minutes, so they are not drawn again. All other pictures are.
#[test]
fn pictures_are_up_to_date() {
    let folder = TempDir::new().unwrap();
    let gallery = fs::read_to_string(docs().join("gallery.md")).unwrap();
    let mut drawn = 0;
    for (mut words, picture) in commands(&gallery).filter(|(words, _)| words[0] != "sweep") {
        words.pop();
        let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
        let status = command.args(&words).arg(picture).current_dir(folder.path()).output().unwrap().status;
        assert!(matches!(status.code(), Some(0 | 1)), "{words:?}: {status}");
        let [old, new] =
            [docs().join("pictures"), folder.path().into()].map(|folder| fs::read(folder.join(picture)).unwrap());
        assert!(old == new, "docs/pictures/{picture} is not up to date: run docs/draw-gallery");
        drawn += 1;
    }
    assert!(drawn > 25, "only {drawn} commands were found");
}

#[test]
fn every_picture_is_small_shown_and_made_by_a_command() {
    let gallery = fs::read_to_string(docs().join("gallery.md")).unwrap();
    let mut there: Vec<String> = vec![];
    for file in fs::read_dir(docs().join("pictures")).unwrap() {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        let most = if is_screenshot(&name) { 120_000 } else { 60_000 };
        assert!(file.metadata().unwrap().len() <= most, "{name} is too large");
        there.extend((!is_screenshot(&name)).then_some(name));
    }
    there.sort_unstable();
    let mut made: Vec<String> = commands(&gallery).map(|(_, picture)| picture.into()).collect();
    made.sort_unstable();
    assert_eq!(there, made);
    assert!(there.iter().all(|picture| gallery.contains(&format!("](pictures/{picture})"))));
}

/// A new algorithm needs a picture too.
#[test]
fn every_algorithm_has_a_picture() {
    let gallery = fs::read_to_string(docs().join("gallery.md")).unwrap();
    let list = Command::new(env!("CARGO_BIN_EXE_bellwether")).args(["list", "--json"]).output().unwrap().stdout;
    let catalogue: serde_json::Value = serde_json::from_slice(&list).unwrap();
    for entry in catalogue.as_array().unwrap() {
        let name = entry["name"].as_str().unwrap();
        assert!(gallery.contains(&format!("](pictures/{name}.svg)")), "{name}");
    }
}
