//! `bellwether ring`: a ring of worker threads that elect a leader again and again.

mod config;
mod file;
mod lines;
mod log;
mod options;
mod places;
mod plan;
mod record;
mod scene;
mod session;
mod view;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

use bellwether_algorithms::ring::ChangRoberts;
use bellwether_console::drawing::{Canvases, Drawing};
use bellwether_console::failure::{self, Done, Failure};
use bellwether_console::files;
use bellwether_console::progress;
use bellwether_console::style::DIM;
use bellwether_core::{Id, Process};
use bellwether_draw::Remarks;
use bellwether_live::ring::{Observer, Remote, RingEvent, Wish, WorkerRing};
use tracing::{debug, error};

use self::config::Config;
use self::record::Record;
use self::session::{End, Session};
use self::view::View;

pub use options::RingArgs;

/// Holds elections until there were enough, or the user wants to stop.
pub fn ring(args: RingArgs) -> Done {
    let config = Config::new(args)?;
    files::own_files(&config.draw.files(), &[]).map_err(Failure::Usage)?;
    let canvases = config.draw.are_given().then(|| Canvases::new(&config.draw)).transpose()?;
    let record = canvases.is_some().then(|| Arc::new(Record::new()));
    log::begin(&config.log)?;
    if config.log.config {
        debug!("configuration: {config}");
    }
    // A request to stop that comes while the workers are still starting takes effect once they have started.
    let remote = Arc::new(OnceLock::<Remote>::new());
    let quit = Arc::clone(&remote);
    progress::stop_on_request(move || quit.get().into_iter().for_each(|remote| remote.wish(Wish::Quit)), view::restore);
    let watch = is_watched(&config).then(View::open).transpose()?;
    let ring = WorkerRing::<ChangRoberts>::new(config.settings, observer(watch.as_ref(), record.clone())).map_err(
        |problem| {
            error!(target: log::CRITICAL, "{problem}");
            Failure::Usage(problem.to_string())
        },
    )?;
    let ids = ring.ids().to_vec();
    let drawing = canvases.map(|canvases| begin_drawing(canvases, &config, &ids)).transpose()?;
    let remote = remote.get_or_init(|| ring.remote());
    if progress::was_interrupted() {
        remote.wish(Wish::Quit);
    }
    if let Some(view) = &watch {
        view.listen(remote.clone());
    }
    let (json, repeat, log) = (config.json, config.repeat.clone(), config.log.clone());
    let written = files::written(config.draw.files().map(|(_, path)| path));
    let mut session = Session::new(ring, config, watch.as_ref());
    let end = session.run();
    let rest = session.finish();
    drop(watch);
    let end = end?;
    let picture = match (drawing, record) {
        (Some(mut drawing), Some(record)) => {
            record.events(&ids).iter().try_for_each(|event| drawing.event(event))?;
            drawing.finish(&Remarks::default())?.map_or(String::new(), |text| format!("\n\n{text}"))
        }
        _ => String::new(),
    };
    let lines = written.into_iter().chain([("repeat", repeat)]);
    let lines: String = lines.map(|(name, text)| format!("\n  {DIM}{name:<10}{DIM:#} {text}")).collect();
    let closing = format!("{rest}{picture}{lines}");
    if json {
        writeln!(anstream::stderr(), "{closing}")?;
    } else {
        writeln!(anstream::stdout(), "{closing}")?;
    }
    log::end(&log)?;
    Ok(match end {
        End::Done => ExitCode::SUCCESS,
        End::Deserted => ExitCode::from(failure::UNKNOWN),
    })
}

/// Whether a user watches the terminal and nothing else is written to it.
fn is_watched(config: &Config) -> bool {
    !config.json && !config.plain && !config.log.console && io::stdout().is_terminal() && io::stdin().is_terminal()
}

/// The picture of a ring with these ids.
fn begin_drawing(canvases: Canvases, config: &Config, ids: &[Id]) -> Result<Drawing, Failure> {
    let info = ChangRoberts::INFO;
    let scenario = record::scenario(info, config, ids).map_err(Failure::Usage)?;
    Drawing::new(canvases, &config.draw, info, &scenario, config.repeat.clone())
}

/// Sends every event to the log, and to the view and the record if they exist.
fn observer(view: Option<&View>, record: Option<Arc<Record>>) -> Observer {
    let notes = view.map(View::notes);
    Arc::new(move |event: &RingEvent<'_>| {
        log::event(event);
        notes.iter().for_each(|notes| notes.event(event));
        record.iter().for_each(|record| record.event(event));
    })
}
