//! How `check` and `exact` tell what they found.

use std::io::{self, Write};

use bellwether_check::Family;

use super::args::FamilyArgs;
use super::family;
use super::search::Effort;
use crate::failure::Failure;
use crate::show::{BOLD, DIM, Object};

/// What was found, for programs and for people.
pub trait Findings {
    /// How wide the names of lines are.
    const WIDTH: usize;

    /// How it was looked at, in a few words for the headline.
    fn how(&self) -> String;

    /// When those start who do, in a few words.
    fn when(&self) -> &'static str;

    /// The keys that stand between what was searched and what it took.
    fn json(&self, object: &mut Object);

    /// The lines between the headline and the one that repeats it.
    fn human(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Writes a line with a name, which may be empty.
    fn line(&self, out: &mut dyn Write, name: &str, text: &str) -> io::Result<()> {
        writeln!(out, "  {DIM}{name:<0$}{DIM:#} {text}", Self::WIDTH)
    }
}

/// Tells it on standard output.
pub fn tell(
    args: &FamilyArgs,
    family: &Family,
    findings: &impl Findings,
    effort: &Effort,
    repeat: &[String],
) -> Result<(), Failure> {
    let info = family.info;
    let (name, topology, repeat) = (info.name, family::topology(args, info), repeat.join(" "));
    let (ids, initiators) = (family::ids(args, family), family::initiators(family));
    let mut out = anstream::stdout().lock();
    if args.json {
        let mut object = Object::default();
        object.put("algorithm", &name);
        object.put("topology", &topology);
        object.put("seed", &args.seed);
        ids.iter().for_each(|ids| object.put("ids", ids));
        object.put("initiators", &initiators);
        findings.json(&mut object);
        object.put("seconds", &effort.took.as_secs_f64());
        object.put("repeat", &repeat);
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "{BOLD}{name}{BOLD:#} on {topology} {DIM}· {}{DIM:#}\n", findings.how())?;
        ids.iter().try_for_each(|ids| findings.line(&mut out, "ids", ids))?;
        findings.line(&mut out, "start", &format!("{initiators}{}", findings.when()))?;
        findings.human(&mut out)?;
        findings.line(&mut out, "repeat", &repeat)?;
    }
    Ok(out.flush()?)
}
