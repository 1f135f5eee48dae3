//! Turns the lessons and the texts, which are written in TOML, into one JSON file each.

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::{Map, Value, json};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=lessons");
    println!("cargo::rerun-if-changed=texts");
    let lessons: Vec<Value> = files("lessons")
        .iter()
        .map(|path| {
            let mut lesson = read(path);
            // The number before the name is the place of the lesson.
            let stem = stem(path);
            let name = stem.split_once('-').map_or(&stem[..], |(_, name)| name);
            lesson.insert("name".into(), json!(name));
            Value::Object(lesson)
        })
        .collect();
    let texts: Map<String, Value> = files("texts").iter().map(|path| (stem(path), Value::Object(read(path)))).collect();
    write("lessons.json", &Value::Array(lessons));
    write("texts.json", &Value::Object(texts));
}

/// The files of a folder, in order.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn stem(path: &Path) -> String {
    path.file_stem().and_then(|stem| stem.to_str()).expect("a name").into()
}

fn read(path: &Path) -> Map<String, Value> {
    let text = fs::read_to_string(path).expect("a file");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn write(name: &str, value: &Value) {
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join(name), value.to_string()).expect("OUT_DIR can be written");
}
