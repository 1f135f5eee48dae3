//! An election as a file: a picture, a page or a trace.

use bellwether_draw::spacetime::{self, Direction};
use bellwether_draw::{DiagramBuilder, Lanes, Portrait, Remarks, text};
use bellwether_tell::Object;
use bellwether_world::trace::{Ending, Header};

use crate::request::{Picture, PictureForm};
use crate::run::{hold, reel};
use crate::{Limits, Problem, fine};

/// The size of a picture in text.
const COLUMNS: usize = 120;
const ROWS: usize = 400;

/// The file.
pub fn picture(Picture { election, form, files }: Picture, limits: &Limits) -> Result<Object, Problem> {
    let (prepared, events, report) = hold(election, &files, limits)?;
    let (info, scenario, repeat) = (prepared.info, &prepared.scenario, prepared.repeat());
    let remarks = Remarks::of(scenario, &report);
    let text = match form {
        PictureForm::Trace => {
            let mut out = vec![];
            let written = Header::new(scenario.clone())
                .write(&mut out)
                .and_then(|()| events.iter().try_for_each(|event| event.write(&mut out)))
                .and_then(|()| Ending::new(scenario, &report).write(&mut out));
            written.map_err(|error| Problem::refused(error.to_string()))?;
            String::from_utf8(out).map_err(|error| Problem::refused(error.to_string()))?
        }
        PictureForm::Html => {
            let mut reel = reel(info, scenario)?;
            events.iter().try_for_each(|event| reel.event(event)).map_err(Problem::refused)?;
            reel.finish(&remarks, &repeat)
        }
        PictureForm::Network => {
            let mut portrait = Portrait::of_run(scenario, info.is_anonymous()).map_err(Problem::too_large)?;
            events.iter().try_for_each(|event| portrait.event(event)).map_err(Problem::refused)?;
            portrait.svg(&remarks, &repeat)
        }
        PictureForm::Svg | PictureForm::Text => {
            let builder = DiagramBuilder::new(scenario, info.is_anonymous(), &Lanes::default());
            let mut builder = builder.map_err(Problem::too_large)?;
            events.iter().try_for_each(|event| builder.event(event)).map_err(Problem::refused)?;
            let diagram = builder.finish(&remarks, repeat);
            match form {
                PictureForm::Text => text::draw(&diagram, COLUMNS, ROWS).map_err(Problem::too_large)?,
                _ => spacetime::svg(&diagram, Direction::default()),
            }
        }
    };
    let mut object = fine();
    object.put("text", &text);
    Ok(object)
}
