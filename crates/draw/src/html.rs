//! The replay page: one file that plays a run and loads nothing else.
//!
//! The player is written in ES modules, which a page opened from disk cannot import. So each module becomes a function
//! that returns its exports. Its imports are taken from the results of the functions above it.

use serde::Serialize;

use crate::palette;
use crate::svg::escape;

/// The modules of the player, each after those that it imports.
const MODULES: [(&str, &str); 21] = [
    ("phrases.js", include_str!("../player/phrases.js")),
    ("search.js", include_str!("../player/search.js")),
    ("phases.js", include_str!("../player/phases.js")),
    ("reel.js", include_str!("../player/reel.js")),
    ("flights.js", include_str!("../player/flights.js")),
    ("lineage.js", include_str!("../player/lineage.js")),
    ("timeline.js", include_str!("../player/timeline.js")),
    ("words.js", include_str!("../player/words.js")),
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

/// The modules as one script.
fn script() -> String {
    MODULES.iter().map(|(name, module)| joined(name, module)).collect()
}

/// A module as a constant with its exports.
fn joined(name: &str, module: &str) -> String {
    let (mut text, mut exports) = (String::new(), vec![]);
    for line in module.lines() {
        if let Some((names, from)) = imported(line) {
            text += &format!("const {{{names}}} = {};\n", value(from));
        } else {
            let own = line.strip_prefix("export ");
            exports.extend(own.and_then(defined));
            text += own.unwrap_or(line);
            text.push('\n');
        }
    }
    format!("const {} = (() => {{\n{text}return {{ {} }};\n}})();\n", value(name), exports.join(", "))
}

/// The names that a line imports, and their module.
fn imported(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("import {")?.strip_suffix("';")?.split_once("} from './")
}

/// The name that a line defines.
fn defined(line: &str) -> Option<&str> {
    let definition = ["function ", "class ", "const "].iter().find_map(|what| line.strip_prefix(what))?;
    definition.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()
}

/// The name of a module's constant.
fn value(module: &str) -> String {
    module.replace('.', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_import_only_what_is_exported_above_them() {
        for (place, (name, module)) in MODULES.iter().enumerate() {
            for line in module.lines().filter(|line| line.starts_with("import")) {
                let (names, from) = imported(line).unwrap_or_else(|| panic!("{name}: {line}"));
                let (_, above) = MODULES[..place].iter().find(|(other, _)| *other == from).expect(line);
                let exports: Vec<&str> =
                    above.lines().filter_map(|line| line.strip_prefix("export ").and_then(defined)).collect();
                assert!(names.split(',').all(|wanted| exports.contains(&wanted.trim())), "{name}: {line}");
            }
        }
    }

    #[test]
    fn a_module_becomes_the_value_of_what_it_exports() {
        let module =
            "import { a, b } from './x.js';\n\nexport const c = a;\nexport class D {}\nexport function e_1() {}\n";
        let expected = "const y_js = (() => {\nconst { a, b } = x_js;\n\nconst c = a;\nclass D {}\nfunction e_1() {}\n\
                        return { c, D, e_1 };\n})();\n";
        assert_eq!(joined("y.js", module), expected);
    }

    #[test]
    fn what_a_trace_says_cannot_end_the_script() {
        let page = page("</title><b>", &serde_json::json!({"title": "</script><script>"}));
        assert!(page.contains("<title>&lt;/title&gt;&lt;b&gt;</title>"));
        assert!(page.contains(r#"{"title":"\u003c/script>\u003cscript>"}"#));
        assert!(!script().contains("</script"));
    }
}
