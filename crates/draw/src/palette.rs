//! The colours of Okabe and Ito, which colour-blind people can tell apart, for light and dark grounds; and dashes.

use std::fmt::Write as _;

/// The number of looks for kinds of messages. Further kinds share them.
pub const LOOKS: usize = 7;

/// The number of looks for roles of undecided nodes. Further roles share them.
pub const ROLES: usize = 4;

/// The opacity of the copies of a message.
pub const COPY: f64 = 0.55;

/// By look: its colour on a light and on a dark ground, and its dashes.
const KINDS: [(&str, &str, &str); LOOKS] = [
    ("#0072b2", "#56b4e9", ""),
    ("#d55e00", "#e69f00", "6 3"),
    ("#009e73", "#1fc79a", "2 3"),
    ("#b0538a", "#cc79a7", "9 3 2 3"),
    ("#9a6a00", "#f0e442", "12 4"),
    ("#6e6e6e", "#b0b0b0", "4 2 1 2"),
    ("#000000", "#ffffff", "1 2"),
];

/// The rules that do not depend on the colours.
const SHAPES: &str = "\
text{font-family:'DejaVu Sans',Verdana,sans-serif;font-size:11px}
.title{font-size:16px}.mono{font-family:'DejaVu Sans Mono',monospace}
.dot{stroke-width:0}
.small{font-size:10px}.mid{text-anchor:middle}.end{text-anchor:end}
.line{fill:none;stroke:currentColor;stroke-width:1.3}
.head{fill:currentColor;stroke:none}
.said{fill:currentColor;font-size:10px;text-anchor:middle}
.halo{font-size:10px;text-anchor:middle;stroke-width:4;stroke-linejoin:round}
.role{stroke-width:1.4;stroke-linejoin:round}
.sign{stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}
.tick{fill:none}.heavy{stroke-width:3;stroke-linecap:round}
.grid{stroke-width:1}.gap{stroke-width:1;stroke-dasharray:1 3}
.asleep{stroke-width:1;stroke-dasharray:1 4}
.lane0{stroke-width:3.2}.lane1{stroke-width:2.2;stroke-dasharray:6 3}
.lane2{stroke-width:2.6;stroke-dasharray:2 3}.lane3{stroke-width:2.6;stroke-dasharray:9 3 2 3}
.undecided{stroke-width:1.2}.follower{stroke-width:2.4}.leader{stroke-width:4.5}\
.down{stroke-width:1.2;stroke-dasharray:3 4}
.cut{stroke-width:1;stroke-dasharray:2 2}
.link{fill:none;stroke-linecap:round}
.node{stroke-width:1.6}.lost{stroke-dasharray:3 2}
";

/// By class: a property, and its values on a light and on a dark ground.
const COLOURS: [(&str, &str, &str, &str); 44] = [
    (".ground", "fill", "#ffffff", "#16181d"),
    ("text", "fill", "#1c1e21", "#e8e8ea"),
    (".faint", "fill", "#5f656d", "#a2a8b0"),
    (".halo", "fill", "#ffffff", "#16181d"),
    (".halo", "stroke", "#ffffff", "#16181d"),
    (".note", "fill", "#5f656d", "#a2a8b0"),
    (".decided", "fill", "#e3e7eb", "#2c323a"),
    (".grid", "stroke", "#eceef1", "#262a31"),
    (".gap", "stroke", "#8a9099", "#8a9099"),
    (".band", "fill", "#fff3d6", "#33290f"),
    (".undecided", "stroke", "#a9afb7", "#5d646e"),
    (".asleep", "stroke", "#8a9099", "#8a9099"),
    (".lane0", "stroke", "#56b4e9", "#56b4e9"),
    (".lane1", "stroke", "#8a929b", "#8a929b"),
    (".lane2", "stroke", "#cc79a7", "#cc79a7"),
    (".lane3", "stroke", "#009e73", "#1fc79a"),
    (".follower", "stroke", "#4d545d", "#aeb4bd"),
    (".leader", "stroke", "#e69f00", "#e69f00"),
    (".down", "stroke", "#a9afb7", "#5d646e"),
    (".cut", "stroke", "#d55e00", "#e69f00"),
    (".cut", "fill", "#fbe6da", "#3a2413"),
    (".link", "stroke", "#8d98a5", "#77818d"),
    (".idle", "stroke", "#d5dae0", "#3a4048"),
    (".node", "stroke", "#4d545d", "#aeb4bd"),
    (".node", "fill", "#ffffff", "#16181d"),
    (".sleeps", "stroke", "#a9afb7", "#5d646e"),
    (".sleeps", "fill", "#ffffff", "#16181d"),
    (".role", "stroke", "#33383e", "#d6dae0"),
    (".role0", "fill", "#56b4e9", "#56b4e9"),
    (".role1", "fill", "#bfc6ce", "#9aa2ac"),
    (".role2", "fill", "#dd9fc3", "#dd9fc3"),
    (".role3", "fill", "#4cc3a0", "#4cc3a0"),
    (".hollow", "fill", "#ffffff", "#16181d"),
    (".hollow", "stroke", "#33383e", "#d6dae0"),
    (".solid", "fill", "#33383e", "#d6dae0"),
    (".solid", "stroke", "#ffffff", "#16181d"),
    (".tick", "stroke", "#ffffff", "#16181d"),
    (".gold", "fill", "#e69f00", "#e69f00"),
    (".gold", "stroke", "#7a5400", "#fff0c8"),
    (".fails", "stroke", "#d55e00", "#ff8a4c"),
    (".rises", "fill", "#009e73", "#1fc79a"),
    (".tint", "fill", "#d3e3f0", "#2b4257"),
    (".ongold", "fill", "#1c1e21", "#1c1e21"),
    (".within", "fill", "#1c1e21", "#f4f4f5"),
];

/// The style sheet of a picture with this number of kinds of messages. It is light for programs that ignore media
/// queries.
pub fn style(kinds: usize) -> String {
    let (mut light, mut dark) = (String::new(), String::new());
    for (class, property, on_light, on_dark) in COLOURS {
        let _ = writeln!(light, "{class}{{{property}:{on_light}}}");
        let _ = writeln!(dark, "{class}{{{property}:{on_dark}}}");
    }
    for (look, (on_light, on_dark, dashes)) in KINDS.iter().take(kinds).enumerate() {
        let _ = writeln!(light, ".k{look}{{color:{on_light}}}");
        let _ = writeln!(dark, ".k{look}{{color:{on_dark}}}");
        if !dashes.is_empty() {
            let _ = writeln!(light, ".k{look} .line{{stroke-dasharray:{dashes}}}");
        }
    }
    format!("\n{SHAPES}{light}{IF_DARK}{dark}{END_DARK}")
}

/// The text before and after the rules for a dark ground.
const IF_DARK: &str = "@media (prefers-color-scheme:dark){\n";
const END_DARK: &str = "}\n";

/// The rules of a style sheet for every ground, and those for a dark ground only.
pub fn split(sheet: &str) -> (&str, &str) {
    let (always, if_dark) = sheet.split_once(IF_DARK).unwrap_or((sheet, END_DARK));
    (always, if_dark.strip_suffix(END_DARK).unwrap_or(if_dark))
}

/// The same colours and dashes as custom properties, for a page: `--ground-fill`, `--k0`, `--k0-dash`. They follow the
/// user's theme, unless the page sets its own.
pub fn variables() -> String {
    let (mut light, mut dark) = (String::new(), String::new());
    for (class, property, on_light, on_dark) in COLOURS {
        let name = class.trim_start_matches('.');
        let _ = writeln!(light, "--{name}-{property}:{on_light};");
        let _ = writeln!(dark, "--{name}-{property}:{on_dark};");
    }
    for (look, (on_light, on_dark, dashes)) in KINDS.iter().enumerate() {
        let _ = writeln!(light, "--k{look}:{on_light};--k{look}-dash:{dashes};");
        let _ = writeln!(dark, "--k{look}:{on_dark};");
    }
    format!(
        ":root{{\ncolor-scheme:light;\n{light}}}\n\
         @media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{\ncolor-scheme:dark;\n{dark}}}}}\n\
         :root[data-theme=dark]{{\ncolor-scheme:dark;\n{dark}}}\n"
    )
}
