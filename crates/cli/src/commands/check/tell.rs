//! The output of `check` and `exact`.

use std::io::{self, Write};

use bellwether_ask::Asked;
use bellwether_console::failure::Failure;
use bellwether_console::style::{BOLD, DIM};
use bellwether_tell::{Object, family};
use bellwether_world::Family;

use super::search::Effort;

/// A result that can be reported as JSON and as text.
pub trait Telling {
    /// The width of the names of lines.
    const WIDTH: usize;

    /// The method, in a few words for the headline.
    fn how(&self) -> String;

    /// When the initiators start, in a few words.
    fn when(&self) -> &'static str;

    /// Adds the keys between the configurations and the effort.
    fn json(&self, object: &mut Object);

    /// Writes the lines between the headline and the line that repeats the command.
    fn human(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Writes a line with a name, which may be empty.
    fn line(&self, out: &mut dyn Write, name: &str, text: &str) -> io::Result<()> {
        writeln!(out, "  {DIM}{name:<0$}{DIM:#} {text}", Self::WIDTH)
    }
}

/// Writes a result to standard output.
pub fn tell(
    asked: &Asked,
    json: bool,
    family: &Family,
    findings: &impl Telling,
    effort: &Effort,
    repeat: &str,
) -> Result<(), Failure> {
    let info = family.info;
    let (name, topology) = (info.name, asked.topology.as_ref().map_or(String::new(), ToString::to_string));
    let mut out = anstream::stdout().lock();
    if json {
        let mut object = family::head(asked, family);
        findings.json(&mut object);
        object.put("seconds", &effort.took.as_secs_f64());
        object.put("repeat", &repeat);
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "{BOLD}{name}{BOLD:#} on {topology} {DIM}· {}{DIM:#}\n", findings.how())?;
        let (ids, initiators) = (family::ids(asked, family), family::initiators(family));
        ids.iter().try_for_each(|ids| findings.line(&mut out, "ids", ids))?;
        findings.line(&mut out, "start", &format!("{initiators}{}", findings.when()))?;
        findings.human(&mut out)?;
        findings.line(&mut out, "repeat", repeat)?;
    }
    Ok(out.flush()?)
}
