//! The replay page: one file that plays a run, and asks for nothing else.
//!
//! The player is written in ES modules, which a page opened from disk cannot import. So they are joined into one: what
//! they import from each other is defined above, under the same name.

use serde_json::Value;

use crate::palette;
use crate::svg::escape;

/// The modules of the player, each after those that it imports.
const MODULES: [(&str, &str); 15] = [
    ("search.js", include_str!("../player/search.js")),
    ("reel.js", include_str!("../player/reel.js")),
    ("flights.js", include_str!("../player/flights.js")),
    ("timeline.js", include_str!("../player/timeline.js")),
    ("words.js", include_str!("../player/words.js")),
    ("axis.js", include_str!("../player/axis.js")),
    ("brush.js", include_str!("../player/brush.js")),
    ("scene.js", include_str!("../player/scene.js")),
    ("network.js", include_str!("../player/network.js")),
    ("spacetime.js", include_str!("../player/spacetime.js")),
    ("overview.js", include_str!("../player/overview.js")),
    ("panels.js", include_str!("../player/panels.js")),
    ("controls.js", include_str!("../player/controls.js")),
    ("player.js", include_str!("../player/player.js")),
    ("main.js", include_str!("../player/main.js")),
];

const PAGE: &str = include_str!("../player/page.html");
const STYLE: &str = include_str!("../player/style.css");

/// The page of a run.
pub fn page(title: &str, reel: &Value) -> String {
    let mut shown = String::new();
    escape(title, &mut shown);
    // Within a script nothing may look like its end.
    let reel = reel.to_string().replace('<', "\\u003c");
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

/// The modules as one: without what they import, and nothing exported.
fn script() -> String {
    let lines = MODULES.iter().flat_map(|(_, module)| module.lines());
    let own = lines.filter(|line| !line.starts_with("import "));
    own.map(|line| line.strip_prefix("export ").unwrap_or(line).to_string() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_import_only_what_stands_above_them() {
        for (place, (name, module)) in MODULES.iter().enumerate() {
            for line in module.lines().filter(|line| line.starts_with("import ")) {
                let from = line.split("'./").nth(1).and_then(|rest| rest.strip_suffix("';"));
                let found = from.and_then(|from| MODULES.iter().position(|(other, _)| *other == from));
                assert!(found.is_some_and(|found| found < place), "{name}: {line}");
                let names = line.split(['{', '}']).nth(1).unwrap();
                for wanted in names.split(',') {
                    let wanted = wanted.trim();
                    let exports = ["function", "class", "const"].map(|what| format!("export {what} {wanted}"));
                    let (_, above) = MODULES[found.unwrap()];
                    assert!(exports.iter().any(|export| above.contains(export)), "{name} imports {wanted}");
                }
            }
        }
    }

    #[test]
    fn no_name_is_defined_by_two_modules() {
        let mut names: Vec<String> = vec![];
        for (_, module) in MODULES {
            for line in module.lines() {
                let line = line.strip_prefix("export ").unwrap_or(line);
                let defined = ["function ", "class ", "const ", "let "].iter().find_map(|what| line.strip_prefix(what));
                names.extend(
                    defined
                        .and_then(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
                        .map(String::from),
                );
            }
        }
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn what_a_trace_says_cannot_end_the_script() {
        let page = page("</title><b>", &serde_json::json!({"title": "</script><script>"}));
        assert!(page.contains("<title>&lt;/title&gt;&lt;b&gt;</title>"));
        assert!(page.contains(r#"{"title":"\u003c/script>\u003cscript>"}"#));
        assert!(!script().contains("</script"));
    }
}
