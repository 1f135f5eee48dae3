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
            "max-delay",
            "latency",
            "unit",
            "links",
            "timers",
            "starts",
            "schedules",
            "within",
            "quantity",
            "force",
            "config",
            "number-of-elections",
            "sleep",
            "worker-sleep",
            "wait",
        ],
    ),
    ("Chance", &["seed", "draws", "runs"]),
    ("Faults", &["fault", "detect", "loss", "crashes", "stop", "pause", "restart"]),
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
pub fn grouped(mut cli: Command) -> Command {
    for (name, first) in FIRST {
        cli = cli.mut_subcommand(name, |command| command.mut_args(|arg| placed(arg, &first)));
    }
    cli
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
                assert!(option.get_help_heading().is_some(), "{name}: {option} needs a group");
            }
            let shown: Vec<&str> =
                options().filter(|arg| !arg.is_hide_short_help_set()).filter_map(Arg::get_long).collect();
            assert!(first.iter().all(|option| shown.contains(option)) && shown.len() == 10, "{name}: {shown:?}");
        }
    }
}
