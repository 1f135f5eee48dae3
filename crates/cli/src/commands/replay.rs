//! `bellwether replay`: plays a recorded run again.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::ExitCode;

use bellwether_ask::line;
use bellwether_console::failure::{self, Done, Failure};
use bellwether_console::files;
use bellwether_console::style::BAD;
use bellwether_sim::replay;
use bellwether_tell::{Detail, Lemmas};
use bellwether_world::numbers;
use bellwether_world::trace::{Line, Reader};
use serde_json::json;

use crate::args::ReplayArgs;
use crate::commands::run::exit_code;
use crate::lemmas;
use crate::outputs::Outputs;
use crate::screen::Screen;
use crate::show;

/// Plays a trace again.
pub fn replay(args: &ReplayArgs) -> Done {
    let path = &args.trace;
    let input: Box<dyn BufRead> = if path.as_os_str() == "-" {
        Box::new(std::io::stdin().lock())
    } else if path.is_dir() {
        return Err(Failure::file(path, "this is a folder: name a trace in it"));
    } else {
        Box::new(BufReader::new(File::open(path).map_err(|error| Failure::file(path, error))?))
    };
    let mut reader = Reader::new(input).map_err(|error| Failure::file(path, error))?;
    let scenario = reader.header.scenario.clone();
    let unknown = |refusal| Failure::file(path, format!("line 1: {refusal}"));
    let info = bellwether_ask::named(&scenario.algorithm).map_err(unknown)?;
    scenario.validate(info).map_err(|error| Failure::file(path, format!("line 1: {error}")))?;

    let mut outputs = Outputs::new((!args.json).then(|| Screen::new(info, &scenario, args.events)));
    let repeat = line::write("replay", &json!({"recorded": path.display().to_string()}));
    files::own_files(&args.draw.files(), &[Some(path)]).map_err(Failure::Usage)?;
    outputs.draw(&args.draw, info, &scenario, &repeat)?;
    let mut lemmas = Lemmas::new(&scenario);
    let mut lines = || {
        let line = reader.next_line()?;
        if let Some(Line::Event(event)) = &line {
            lemmas.event(event);
            outputs.event((**event).clone());
        }
        Ok(line)
    };
    let replayed = bellwether_play::replay(&scenario, &mut lines).expect("the catalogue has it");
    let lines_read = reader.line() - 1; // the last look found the end
    let mut out = anstream::stdout().lock();
    match replayed {
        Ok(report) => {
            let counted = lemmas.counted(info, &scenario, &report);
            match outputs.finish(&scenario, &report)? {
                None => {
                    let mut json = bellwether_tell::json(info, &scenario, &report, Detail::None, &repeat);
                    bellwether_tell::lemmas::put(&counted, &mut json);
                    json.put("replay", &"same");
                    writeln!(out, "{json}")?;
                }
                Some(screen) => {
                    screen.end(&mut out)?;
                    let same = format!("the same run, line by line ({} lines)", numbers::grouped(lines_read as u64));
                    let written = files::written(args.draw.files().map(|(_, path)| path));
                    let closing = lemmas::lines(&counted).chain([("replay", same)]).chain(written);
                    let closing: Vec<_> = closing.chain([("repeat", repeat)]).collect();
                    show::human(&mut out, info, &scenario, &report, false, &closing)?;
                }
            }
            Ok(exit_code(&report))
        }
        Err(replay::Failure::Diverges(what)) => {
            let trace = path.display().to_string();
            match &mut outputs.screen {
                None => {
                    writeln!(out, "{}", json!({"replay": "diverges", "where": what, "trace": trace}))?;
                }
                Some(screen) => {
                    screen.begin(&mut out)?;
                    writeln!(out, "  {BAD}the run diverges{BAD:#} from {trace} at {what}")?;
                    if args.draw.are_given() {
                        writeln!(out, "  (nothing is drawn: there is no telling which run it would be)")?;
                    }
                }
            }
            Ok(ExitCode::from(failure::BROKEN))
        }
        Err(replay::Failure::Unreadable(what)) => Err(Failure::file(path, what)),
        Err(replay::Failure::Impossible(error)) => Err(Failure::Usage(error.to_string())),
    }
}
