//! The help of commands with many options: `-h` shows the first ten, `--help` all of them, by group.

use clap::{Arg, Command};

/// The groups, with their options.
const GROUPS: [(&str, &[&str]); 6] = [
    (
        "Scenario",
        &[
            "topology",
            "nodes",
            "largest-component",
            "ids",
            "initiators",
            "timing",
            "wake",
            "set",
            "as-printed",
            "elections",
            "number",
            "until",
            "max-delay",
            "latency",
            "unit",
            "links",
            "timers",
            "drift",
            "starts",
            "schedules",
            "within",
            "quantity",
            "phases",
            "epochs",
            "force",
            "config",
            "number-of-elections",
            "sleep",
            "worker-sleep",
            "wait",
        ],
    ),
    ("Chance", &["seed", "draws", "runs"]),
    (
        "Faults",
        &["fault", "detect", "shrink", "loss", "crashes", "restarts", "wipes", "closes", "stop", "pause", "restart"],
    ),
    (
        "Output",
        &[
            "events",
            "stats",
            "json",
            "full",
            "all",
            "trace",
            "shiviz",
            "dot",
            "csv",
            "resume",
            "merge",
            "plain",
            "log",
            "log-file",
            "no-log-file",
            "log-date",
            "log-level",
            "no-config-log",
        ],
    ),
    ("Pictures", &["svg", "png", "dark", "text", "html", "view", "direction", "lanes", "plot"]),
    ("Machine", &["threads", "limit", "budget", "shard", "memory", "time", "reduction", "fingerprints"]),
];

/// By command: the options that `-h` shows.
const FIRST: [(&str, [&str; 10]); 7] = [
    ("run", ["topology", "ids", "initiators", "timing", "set", "seed", "fault", "events", "json", "html"]),
    ("live", ["topology", "ids", "initiators", "latency", "unit", "seed", "fault", "trace", "json", "html"]),
    ("check", ["topology", "ids", "initiators", "links", "timers", "loss", "crashes", "all", "json", "html"]),
    ("sweep", ["topology", "nodes", "runs", "ids", "quantity", "seed", "csv", "resume", "json", "plot"]),
    ("compare", ["topology", "ids", "initiators", "timing", "set", "seed", "fault", "json", "svg", "png"]),
    ("exact", ["topology", "ids", "initiators", "set", "seed", "schedules", "within", "json", "time", "memory"]),
    (
        "ring",
        [
            "number-of-elections",
            "sleep",
            "worker-sleep",
            "wait",
            "initiators",
            "seed",
            "stop",
            "pause",
            "restart",
            "log",
        ],
    ),
];

/// The command line with its options in groups.
pub fn grouped(cli: Command) -> Command {
    cli.mut_subcommands(|command| match FIRST.iter().find(|(name, _)| *name == command.get_name()) {
        Some((_, first)) => command.mut_args(|arg| placed(arg, first)),
        None => command,
    })
}

/// An option in its group.
fn placed(arg: Arg, first: &[&str]) -> Arg {
    let Some(long) = arg.get_long().map(String::from) else { return arg };
    let is_first = first.contains(&&long[..]);
    let group = GROUPS.iter().find(|(_, options)| options.contains(&&long[..])).map(|(group, _)| *group);
    arg.hide_short_help(!is_first && long != "help").help_heading(group)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use clap::CommandFactory;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn every_option_has_a_group_and_h_shows_ten() {
        let cli = grouped(Cli::command());
        for (name, first) in FIRST {
            let command = cli.find_subcommand(name).unwrap();
            let options = || command.get_arguments().filter(|arg| arg.get_long().is_some() && !arg.is_hide_set());
            for option in options() {
                assert!(option.get_help_heading().is_some(), "{name}: {:?} needs a group", option.get_long());
            }
            let shown: Vec<&str> =
                options().filter(|arg| !arg.is_hide_short_help_set()).filter_map(Arg::get_long).collect();
            assert!(first.iter().all(|option| shown.contains(option)) && shown.len() == 10, "{name}: {shown:?}");
        }
    }

    /// A text as a cell of a Markdown table.
    fn cell(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|").replace('<', "&lt;")
    }

    /// An option as it is typed, with its meaning and its default.
    fn row(option: &Arg) -> String {
        let short = option.get_short().map_or(String::new(), |short| format!("-{short}, "));
        let value = match option.get_value_names() {
            Some([name]) if option.get_action().takes_values() => format!(" {name}"),
            _ => String::new(),
        };
        let typed = format!("`{short}--{}{value}`", option.get_long().unwrap()).replace('|', "\\|");
        let help = cell(&option.get_help().unwrap().to_string());
        let default = match option.get_default_values() {
            [value] if option.get_action().takes_values() => format!(" [default: {}]", value.to_string_lossy()),
            _ => String::new(),
        };
        format!("| {typed} | {help}{default} |\n")
    }

    /// The tables of a command: by group, its rows.
    fn tables(command: &Command) -> Vec<(&str, String)> {
        let mut tables: Vec<(&str, String)> = Vec::new();
        let options = command.get_arguments().filter(|arg| arg.get_long().is_some() && !arg.is_hide_set());
        for option in options.filter(|option| option.get_long() != Some("help")) {
            let group = option.get_help_heading().unwrap_or("Options");
            match tables.iter_mut().find(|(other, _)| *other == group) {
                Some((_, rows)) => *rows += &row(option),
                None => tables.push((group, row(option))),
            }
        }
        tables
    }

    /// The options of all commands as Markdown, for the reference.
    fn markdown() -> String {
        let cli = grouped(Cli::command());
        let links = cli.get_subcommands().map(|command| format!("[{0}](#bellwether-{0})", command.get_name()));
        let mut text = format!("\n{}\n", links.collect::<Vec<_>>().join(" ·\n"));
        let mut written: Vec<(String, String)> = Vec::new();
        for command in cli.get_subcommands() {
            let name = command.get_name();
            write!(text, "\n### `bellwether {name}`\n\n{}\n\n", command.get_about().unwrap()).unwrap();
            let places = command.get_positionals().filter(|place| !place.is_hide_set());
            let mut repeated: Vec<String> = Vec::new();
            let mut rows = String::new();
            for place in places {
                let names = place.get_value_names().unwrap_or_default().join(" ");
                writeln!(rows, "| `{names}` | {} |", cell(&place.get_help().unwrap().to_string())).unwrap();
            }
            for (group, table) in tables(command) {
                match written.iter().find(|(_, other)| *other == table) {
                    Some((first, _)) => repeated.push(format!("{group}: as for `{first}`.")),
                    None => {
                        writeln!(rows, "| **{group}** | |").unwrap();
                        rows += &table;
                        written.push((name.into(), table));
                    }
                }
            }
            write!(text, "| option | meaning |\n| --- | --- |\n{rows}").unwrap();
            if !repeated.is_empty() {
                writeln!(text, "\n{}", repeated.join(" ")).unwrap();
            }
        }
        text + "\n"
    }

    /// `BLESS=1 cargo test` writes the options into the reference. Without it the test compares them.
    #[test]
    fn the_reference_has_the_options() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference.md");
        let page = std::fs::read_to_string(path).unwrap();
        let (begin, end) = ("<!-- options -->\n", "<!-- /options -->");
        let (before, rest) = page.split_once(begin).unwrap();
        let (inside, after) = rest.split_once(end).unwrap();
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, format!("{before}{begin}{}{end}{after}", markdown())).unwrap();
            return;
        }
        assert_eq!(
            inside,
            markdown(),
            "the options in docs/reference.md are out of date: BLESS=1 cargo test renews them"
        );
    }
}
