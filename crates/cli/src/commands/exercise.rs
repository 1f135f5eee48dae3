//! `bellwether exercise`: sheets for a class, with ids of their own for every student, and the key.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use bellwether_ask::line;
use bellwether_console::draft::Draft;
use bellwether_console::failure::{Done, Failure};
use bellwether_console::style::DIM;
use bellwether_teach::Language;
use bellwether_teach::exercise::TEMPLATES;
use bellwether_teach::exercise::sheet::Class;
use bellwether_tell::Object;
use clap::Args;
use serde_json::json;

use crate::args::{few, whole};

/// `bellwether exercise`.
#[derive(Args, Debug)]
#[command(after_help = "Templates:
  messages    how many messages Chang-Roberts sends
  leader      who leads if only some nodes start
  active      who is active in Peterson's second phase
  phases      how many phases there are
  worst-ids   which order of ids is the dearest
  assumption  which assumption is broken in a run
  round       in which round a node decides
  echo        how many messages a wave takes on a graph
  mean        how many messages there are on average
  schedules   whether something can ever happen

Examples:
  bellwether exercise --students 30 --seed 7 --out sheets
  bellwether exercise --students 2 --template leader --template mean --language de --out blatt")]
pub struct ExerciseArgs {
    /// How many students there are
    #[arg(
        long, value_name = "N", default_value_t = 1, value_parser = few::<1, 1_000>, allow_hyphen_values = true
    )]
    pub students: u32,
    /// What the ids are drawn from: the same seed gives the same sheets
    #[arg(
        long, value_name = "N", default_value_t = 1, value_parser = whole::<0, { u64::MAX }>,
        allow_hyphen_values = true
    )]
    pub seed: u64,
    /// The folder for the sheets and the key; it is made if it is not there, and no file in it is overwritten
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// A kind of exercise; may be repeated  [default: all of them]
    #[arg(long, value_name = "NAME")]
    pub template: Vec<String>,
    /// en, de, fr or ro
    #[arg(long, value_name = "L", default_value_t)]
    pub language: Language,
    /// Write JSON: the key
    #[arg(long)]
    pub json: bool,
}

impl ExerciseArgs {
    /// The line that writes the same files.
    fn repeat(&self) -> String {
        let Self { students, seed, out, template, language, .. } = self;
        let language = Some(language).filter(|language| **language != Language::default());
        let asked = json!({
            "students": students,
            "template": template,
            "language": language.map(ToString::to_string),
            "seed": seed,
            "out": out.display().to_string(),
        });
        line::write("exercise", &asked)
    }
}

/// Writes the sheets and the key.
pub fn exercise(args: &ExerciseArgs) -> Done {
    let class = Class::new(args.seed, args.students, &args.template, args.language)?;
    let files = class.files()?;
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| args.out.join(name)).collect();
    if let Some(there) = paths.iter().find(|path| path.exists()) {
        return Err(Failure::file(there, "it is there already: take another folder with --out, or remove it"));
    }
    if args.out.is_file() {
        return Err(Failure::file(&args.out, "this is a file: name a folder with --out"));
    }
    fs::create_dir_all(&args.out).map_err(|error| Failure::file(&args.out, error))?;
    for (path, (_, text)) in paths.iter().zip(&files) {
        let mut draft = Draft::new(path)?;
        let written = draft.write_all(text.as_bytes()).and_then(|()| draft.keep());
        written.map_err(|error| Failure::output(path, error))?;
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        let mut object = Object::default();
        object.put("files", &paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>());
        object.put("key", &class.key_json());
        object.put("repeat", &args.repeat());
        writeln!(out, "{object}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut line = |name: &str, text: String| writeln!(out, "  {DIM}{name:<10}{DIM:#} {text}");
    let count = if args.template.is_empty() { TEMPLATES.len() } else { args.template.len() };
    let folder = args.out.display();
    line("sheets", format!("{} with {count} exercises each: {folder}/student-001.md, .html and so on", args.students))?;
    line("key", format!("{folder}/key.md and key.json"))?;
    line("seed", args.seed.to_string())?;
    line("repeat", args.repeat())?;
    Ok(ExitCode::SUCCESS)
}
