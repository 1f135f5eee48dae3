//! Texts: algorithms, errata and stories.

use bellwether_catalogue::errata::ERRATA;
use bellwether_tell::{ERRATA_STORY, Object, STORIES};

use crate::{Problem, fine};

/// The text of a name.
pub fn explain(what: &str) -> Result<Object, Problem> {
    let mut object = fine();
    object.put("text", &text(what)?);
    Ok(object)
}

fn text(what: &str) -> Result<String, Problem> {
    if let Some((_, story)) = STORIES.iter().find(|(name, _)| *name == what) {
        return Ok((*story).into());
    }
    if what == "errata" {
        return Ok(ERRATA_STORY.into());
    }
    if let Some((algorithm, name)) = what.split_once('/')
        && let Some(erratum) = ERRATA.iter().find(|it| (it.algorithm, it.name) == (algorithm, name))
    {
        return Ok(erratum.text.into());
    }
    Ok(bellwether_ask::named(what)?.explanation())
}
