//! Errors of the command line parser, with better advice.

use bellwether_net::Topology;
use clap::CommandFactory;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::Cli;

/// The same error, with better advice if there is any. `typed` is the command line.
pub fn advised(mut error: clap::Error, typed: &[String]) -> clap::Error {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) {
        if let Some(plain) = not_there_yet(word) {
            return clap::Error::raw(error.kind(), plain);
        }
        if let Ok(info) = bellwether_ask::algorithm(word) {
            let advice = format!("{} is an algorithm: bellwether run {}", info.name, info.name);
            error.remove(ContextKind::SuggestedSubcommand);
            advise(&mut error, advice);
            return error;
        }
    }
    let named = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) => word.clone(),
        Some(ContextValue::Strings(words)) => words.join(" "),
        _ => return error,
    };
    match error.kind() {
        ErrorKind::UnknownArgument => {
            // No command takes the name of an option as a value.
            error.remove(ContextKind::Suggested);
            let elsewhere = commands_with(&named);
            if !elsewhere.is_empty() {
                // A similar option of this command is not what was meant.
                error.remove(ContextKind::SuggestedArg);
                error.remove(ContextKind::Usage);
                advise(&mut error, format!("{named} is an option of {}", elsewhere.join(", ")));
            }
            if named.parse::<Topology>().is_ok() {
                advise(&mut error, format!("say --topology {named}"));
            } else if let Some(advice) = misplaced(&named, typed) {
                error.remove(ContextKind::SuggestedArg);
                advise(&mut error, advice);
            }
        }
        ErrorKind::MissingRequiredArgument if named.contains("--png") => {
            advise(&mut error, "this says how a picture looks: name its file too, as in --png run.png".into());
        }
        _ => {}
    }
    error
}

/// The advice for a word that is not where it belongs.
fn misplaced(word: &str, typed: &[String]) -> Option<String> {
    let command = typed.get(1)?;
    let before = typed.iter().position(|other| other == word).and_then(|at| typed.get(at.checked_sub(1)?));
    // Any word could go on the path of a file, so that what is a network already is none in two words.
    if let Some(before) = before
        && !word.starts_with('-')
        && before.parse::<Topology>().is_err()
        && let network = format!("{before}:{word}")
        && network.parse::<Topology>().is_ok()
    {
        let option = if command == "topology" { "" } else { "--topology " };
        return Some(format!("say {option}{network}"));
    }
    if word == "-n" {
        let nodes = typed.iter().skip_while(|other| *other != word).nth(1).filter(|nodes| nodes.parse::<u32>().is_ok());
        let nodes = nodes.map_or("8", String::as_str);
        return Some(format!("the topology says how many nodes there are: say --topology ring:{nodes}"));
    }
    let network = typed.iter().find(|other| other.parse::<Topology>().is_ok())?;
    bellwether_ask::algorithm(word).ok()?;
    Some(format!("the algorithm comes first: bellwether {command} {word} --topology {network}"))
}

/// The advice for a command that is planned but does not exist yet.
fn not_there_yet(command: &str) -> Option<String> {
    let plan = match command {
        "node" => "it will be one member of a cluster of real processes",
        "serve" | "cluster" => "a cluster of real processes will be started with 'bellwether node'",
        "status" => "it will show the state of a cluster of real processes",
        _ => return None,
    };
    let today = "For one leader among real replicas, take etcd, Consul or a Kubernetes Lease today.\n\
                 'bellwether live' runs an election on threads of this machine.";
    Some(format!("'{command}' is not there yet: {plan}\n\n{today}\n"))
}

/// The commands that show this option in their help.
fn commands_with(option: &str) -> Vec<String> {
    let has_it = |command: &&clap::Command| {
        let mut shown = command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(clap::Arg::get_long);
        shown.any(|long| option.strip_prefix("--") == Some(long))
    };
    Cli::command().get_subcommands().filter(has_it).map(|command| command.get_name().to_string()).collect()
}

fn advise(error: &mut clap::Error, advice: String) {
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(advice)]));
}
