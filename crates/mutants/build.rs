//! Makes the mutants.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// A bug: what is wrong, and the one change that makes it so.
struct Bug {
    what: &'static str,
    from: &'static str,
    to: &'static str,
}

const fn bug(what: &'static str, from: &'static str, to: &'static str) -> Bug {
    Bug { what, from, to }
}

/// Three changes are not here, because no election of a fault-free network goes wrong by them: a start without looking
/// whether the node takes part already (all initiators start before any message arrives); an own id that elects even a
/// node that does not take part (it takes a repeated message); and a node that does not take part when it passes a
/// larger id on (what could make it stand later was sent before; only messages out of order would cost some more).
const CHANG_ROBERTS: &[Bug] = &[
    bug("the smallest id passes", "j.cmp(&self.id)", "self.id.cmp(&j)"),
    bug("its own id passes too", "Ordering::Greater => {", "Ordering::Greater | Ordering::Equal => {"),
    bug(
        "a participant passes smaller ids on",
        "Ordering::Less if participant => {}",
        "Ordering::Less if participant => ctx.send(Port::NEXT, Elect(j)),",
    ),
    bug("a sleeping node swallows smaller ids", "Ordering::Less => self.stand(ctx)", "Ordering::Less => {}"),
    bug(
        "a sleeping node stands, and passes the smaller id on as well",
        "Ordering::Less => self.stand(ctx),",
        "Ordering::Less => {
            self.stand(ctx);
            ctx.send(Port::NEXT, Elect(j));
        }",
    ),
    bug(
        "a sleeping node that a larger id wakes up stands all the same",
        "Ordering::Greater => {",
        "Ordering::Greater => {
            if self.role == Role::Asleep {
                self.stand(ctx);
            }",
    ),
    bug(
        "candidatures go the wrong way",
        "ctx.send(Port::NEXT, Elect(self.id))",
        "ctx.send(Port::PREVIOUS, Elect(self.id))",
    ),
    bug("the leader does not announce", "ctx.send(Port::NEXT, Announce(self.id));", ""),
    bug(
        "the leader passes its own announcement on",
        "Announce(j) if j == self.id => {}",
        "Announce(j) if j == self.id => ctx.send(Port::NEXT, Announce(j)),",
    ),
    bug("a follower does not pass the announcement on", "ctx.send(Port::NEXT, Announce(j));", ""),
    bug(
        "a follower takes itself for the leader",
        "self.role = Role::Follower(j)",
        "self.role = Role::Follower(self.id)",
    ),
    bug("a follower goes on taking part", "self.role = Role::Follower(j);", ""),
    bug(
        "an incumbent does not step down",
        "self.role = Role::Participant;
        ctx.send(Port::NEXT, Elect(self.id));",
        "if self.role != Role::Leader {
            self.role = Role::Participant;
        }
        ctx.send(Port::NEXT, Elect(self.id));",
    ),
    bug(
        "an incumbent that starts the next election does not step down",
        "if self.role != Role::Participant {",
        "if self.role == Role::Leader {
            ctx.send(Port::NEXT, Elect(self.id));
        } else if self.role != Role::Participant {",
    ),
    bug("nobody starts a second election", "self.role != Role::Participant", "self.role == Role::Asleep"),
];

const PETERSON: &[Bug] = &[
    bug("> for >=", "ntid >= tid.max(nntid)", "ntid > tid.max(nntid)"),
    bug("min for max", "Elect(tid.max(ntid))", "Elect(tid.min(ntid))"),
    bug("the second message is the first one's value, not the larger", "Elect(tid.max(ntid))", "Elect(ntid)"),
    bug("the second value is not looked at", "ntid >= tid.max(nntid)", "ntid >= tid"),
    bug("a survivor keeps its own value", "self.begin_phase(ntid, ctx)", "self.begin_phase(tid, ctx)"),
    bug("a relay does not know its own id", "| Role::Second { .. } | Role::Relay) if x", "| Role::Second { .. }) if x"),
    bug(
        "the leader passes on what still comes",
        "(Elect(_), Role::Leader | Role::Follower(_)) => {}",
        "(Elect(x), Role::Leader | Role::Follower(_)) => ctx.send(Port::NEXT, Elect(x)),",
    ),
    bug(
        "a sleeping node that hears of the election joins in",
        "self.role = Role::Relay; // who",
        "if self.role == Role::Asleep {
            self.begin_phase(self.id, ctx);
        } // who",
    ),
    bug(
        "the leader passes its own announcement on",
        "(Announce(j), _) if j == self.id => {}",
        "(Announce(j), _) if j == self.id => ctx.send(Port::NEXT, Announce(j)),",
    ),
];

fn main() {
    let mut planted = String::new();
    plant(&mut planted, "chang_roberts", "ChangRoberts", CHANG_ROBERTS);
    plant(&mut planted, "peterson", "Peterson", PETERSON);
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("planted.rs"), planted).expect("OUT_DIR can be written");
    println!("cargo::rerun-if-changed=build.rs");
}

/// Writes a module for each mutant of an algorithm, and a function that visits them all.
fn plant(planted: &mut String, file: &str, process: &str, bugs: &[Bug]) {
    let path = format!("../algorithms/src/ring/{file}.rs");
    println!("cargo::rerun-if-changed={path}");
    let source = fs::read_to_string(&path).expect("the algorithm's file");
    let body: String =
        source.lines().skip_while(|line| line.starts_with("//!")).map(|line| format!("{line}\n")).collect();
    let original = replace_once(&body, &format!("include_str!(\"{file}.rs\")"), "\"\"");
    let mut visits = String::new();
    for (number, bug) in bugs.iter().enumerate() {
        let mutant = replace_once(&original, bug.from, bug.to);
        let module = format!("{file}_{number}");
        let _ = write!(planted, "/// {}\npub mod {module} {{\n{mutant}}}\n\n", bug.what);
        let _ = writeln!(visits, "    visitor.visit::<{module}::{process}>({:?});", bug.what);
    }
    let _ = write!(
        planted,
        "/// Visits the mutants of {process}.\npub fn {file}(visitor: &mut impl crate::Visitor) {{\n{visits}}}\n\n"
    );
}

fn replace_once(text: &str, from: &str, to: &str) -> String {
    let places = text.matches(from).count();
    assert!(places == 1, "'{from}' stands in {places} places, and should in one");
    text.replace(from, to)
}
