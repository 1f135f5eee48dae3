//! The replay page: one file that plays a run and loads nothing else.
//!
//! The player is written in ES modules, which a page opened from disk cannot import: they become [one
//! script](crate::bundle).

use serde::Serialize;

use crate::svg::escape;
use crate::{bundle, palette};

/// The modules of the player, each after those that it imports.
const MODULES: [(&str, &str); 22] = [
    ("phrases.js", include_str!("../player/phrases.js")),
    ("search.js", include_str!("../player/search.js")),
    ("phases.js", include_str!("../player/phases.js")),
    ("reel.js", include_str!("../player/reel.js")),
    ("flights.js", include_str!("../player/flights.js")),
    ("lineage.js", include_str!("../player/lineage.js")),
    ("timeline.js", include_str!("../player/timeline.js")),
    ("words.js", include_str!("../player/words.js")),
    ("caption.js", include_str!("../player/caption.js")),
    ("room.js", include_str!("../player/room.js")),
    ("axis.js", include_str!("../player/axis.js")),
    ("brush.js", include_str!("../player/brush.js")),
    ("scene.js", include_str!("../player/scene.js")),
    ("network.js", include_str!("../player/network.js")),
    ("spacetime.js", include_str!("../player/spacetime.js")),
    ("overview.js", include_str!("../player/overview.js")),
    ("panels.js", include_str!("../player/panels.js")),
    ("knowledge.js", include_str!("../player/knowledge.js")),
    ("lanes.js", include_str!("../player/lanes.js")),
    ("controls.js", include_str!("../player/controls.js")),
    ("player.js", include_str!("../player/player.js")),
    ("main.js", include_str!("../player/main.js")),
];

const PAGE: &str = include_str!("../player/page.html");
const STYLE: &str = include_str!("../player/style.css");

/// The page of a run.
pub fn page(title: &str, reel: &impl Serialize) -> String {
    let mut shown = String::new();
    escape(title, &mut shown);
    // The text must not contain the end tag of a script.
    let reel = serde_json::to_string(reel).expect("plain data has a JSON form").replace('<', "\\u003c");
    let style = palette::variables() + STYLE;
    let parts = [("title", shown.as_str()), ("style", &style), ("reel", &reel), ("script", &script())];
    let mut page = String::with_capacity(PAGE.len() + parts.iter().map(|(_, part)| part.len()).sum::<usize>());
    let mut rest = PAGE;
    for (name, part) in parts {
        let (before, after) = rest.split_once(&format!("{{{{{name}}}}}")).unwrap_or((rest, ""));
        page += before;
        page += part;
        rest = after;
    }
    page + rest
}

/// The files of the player, for a page that imports its modules: name and content. Its style begins with the colours.
#[must_use]
pub fn player() -> Vec<(&'static str, String)> {
    let modules = MODULES.iter().map(|(name, module)| (*name, (*module).to_string()));
    modules.chain([("style.css", palette::variables() + STYLE)]).collect()
}

/// The modules as one script.
fn script() -> String {
    bundle::script(&MODULES, &["main.js"]).expect("the player's modules can be joined")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_trace_says_cannot_end_the_script() {
        let page = page("</title><b>", &serde_json::json!({"title": "</script><script>"}));
        assert!(page.contains("<title>&lt;/title&gt;&lt;b&gt;</title>"));
        assert!(page.contains(r#"{"title":"\u003c/script>\u003cscript>"}"#));
        assert!(!script().contains("</script"));
    }
}
