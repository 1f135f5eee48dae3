//! Makes the mutants.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// A bug: a description, and the one change that makes it.
struct Bug {
    what: &'static str,
    from: &'static str,
    to: &'static str,
}

const fn bug(what: &'static str, from: &'static str, to: &'static str) -> Bug {
    Bug { what, from, to }
}

/// Three changes are missing here, because no election of a fault-free network goes wrong by them. First: a start that
/// does not check whether the node already takes part. All initiators start before any message arrives. Second: an own
/// id that elects even a node that does not take part. That needs a repeated message. Third: a node that does not take
/// part when it passes a larger id on. What could make it a candidate later was sent before; only reordered messages
/// would cost more.
const CHANG_ROBERTS: &[Bug] = &[
    bug(
        "the smallest id passes",
        "Elect(j) if j > self.id => {
                ctx.rule(\"2a\");
                self.role = Role::Participant;
                ctx.send(Port::NEXT, Elect(j));
            }
            Elect(j) if j < self.id && participant => ctx.rule(\"2b\"),
            Elect(j) if j < self.id => {",
        "Elect(j) if j < self.id => {
                self.role = Role::Participant;
                ctx.send(Port::NEXT, Elect(j));
            }
            Elect(j) if j > self.id && participant => {}
            Elect(j) if j > self.id => {",
    ),
    bug("its own id passes too", "Elect(j) if j > self.id => {", "Elect(j) if j >= self.id => {"),
    bug(
        "a participant passes smaller ids on",
        "Elect(j) if j < self.id && participant => ctx.rule(\"2b\"),",
        "Elect(j) if j < self.id && participant => ctx.send(Port::NEXT, Elect(j)),",
    ),
    bug(
        "a sleeping node swallows smaller ids",
        "ctx.rule(\"2c\");
                self.stand(ctx);",
        "",
    ),
    bug(
        "a sleeping node stands, and passes the smaller id on as well",
        "ctx.rule(\"2c\");
                self.stand(ctx);",
        "self.stand(ctx);
            ctx.send(Port::NEXT, Elect(j));",
    ),
    bug(
        "a sleeping node that a larger id wakes up stands all the same",
        "Elect(j) if j > self.id => {",
        "Elect(j) if j > self.id => {
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
        "Announce(j) if j == self.id => ctx.rule(\"3a\"),",
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
        "if self.role == Role::Participant {",
        "if self.role == Role::Leader {
            ctx.send(Port::NEXT, Elect(self.id));
        } else if self.role == Role::Participant {",
    ),
    bug("nobody starts a second election", "if self.role == Role::Participant", "if self.role != Role::Asleep"),
];

const PETERSON: &[Bug] = &[
    bug("> for >=", "ntid >= tid.max(nntid)", "ntid > tid.max(nntid)"),
    bug("min for max", "Elect(tid.max(ntid))", "Elect(tid.min(ntid))"),
    bug("the second message is the first one's value, not the larger", "Elect(tid.max(ntid))", "Elect(ntid)"),
    bug("the second value is not looked at", "ntid >= tid.max(nntid)", "ntid >= tid"),
    bug("a survivor keeps its own value", "self.begin_phase(ntid, ctx)", "self.begin_phase(tid, ctx)"),
    bug(
        "a relay does not know its own id",
        "Role::First { .. } | Role::Second { .. } | Role::Relay)\n",
        "Role::First { .. } | Role::Second { .. })\n",
    ),
    bug(
        "the leader passes on what still comes",
        "(Elect(_), Role::Leader | Role::Follower(_)) => ctx.rule(\"2a\"),",
        "(Elect(x), Role::Leader | Role::Follower(_)) => ctx.send(Port::NEXT, Elect(x)),",
    ),
    bug(
        "a sleeping node that hears of the election joins in",
        "self.role = Role::Relay; // a node",
        "if self.role == Role::Asleep {
            self.begin_phase(self.id, ctx);
        } // a node",
    ),
    bug(
        "the leader passes its own announcement on",
        "(Announce(j), _) if j == self.id => ctx.rule(\"3a\"),",
        "(Announce(j), _) if j == self.id => ctx.send(Port::NEXT, Announce(j)),",
    ),
];

/// One change is missing here: the smallest unique draw wins. Only a check of the winner finds it, in the test that
/// plays all first draws.
const ITAI_RODEH_SYNC: &[Bug] = &[
    bug("the largest draw wins, unique or not", ".find(|equal| equal.len() == 1)", ".next()"),
    bug("one draw is not waited for", "(draws.len() as u64) < self.n", "(draws.len() as u64) + 1 < self.n"),
    bug("draws go one hop too far", "(draws.len() as u64) < self.n", "(draws.len() as u64) <= self.n"),
    bug("its own draw does not count", "largest_unique(draws)", "largest_unique(&draws[1..])"),
    bug("all but the winner lead", "winner == draws[0] =>", "winner != draws[0] =>"),
    bug(
        "all draw again unless the largest draw is unique",
        ".rev().find(|equal| equal.len() == 1)",
        ".rev().take(1).find(|equal| equal.len() == 1)",
    ),
];

const TREE_WAVES: &[Bug] = &[
    bug(
        "a leaf echoes only when it receives an explosion",
        "        self.saturate(ctx);
    }

    fn saturate",
        "        if by.is_some() {
            self.saturate(ctx);
        }
    }

    fn saturate",
    ),
    bug(
        "an echo does not wake anybody up",
        "if let (Explosion() | Echo(_), Role::Asleep)",
        "if let (Explosion(), Role::Asleep)",
    ),
    bug("the explosion goes back as well", "ctx.send_all_but(by, Explosion())", "ctx.send_all(Explosion())"),
];

const TRAVERSAL_EDGE_COLOURING: &[Bug] = &[
    bug("only one end colours a link", "coloured.insert(from);", ""),
    bug("a link that closes a cycle is taken for one of the tree", "Token(t, Been)", "Token(t, Done)"),
];

const ECHO_ELECTION: &[Bug] = &[
    bug(
        "a leaf that belongs to a wave is not conquered",
        "Ordering::Greater => {
                    ctx.rule(\"2b\");",
        "Ordering::Greater if ctx.ports() == 1 => {}
                Ordering::Greater => {",
    ),
    bug("an echo counts for every wave", "done, kids, .. }) if j == *mark =>", "done, kids, .. }) =>"),
];

const ADOPTION: &[Bug] = &[
    bug(
        "an echo is compared with the mark of the node",
        "Territory { out, done, kids, .. })) if Some(j) == out[from.index()]",
        "Territory { mark, done, kids, .. })) if j == *mark",
    ),
    bug(
        "3d: the link is left open",
        "if i == j {
                    self.done.insert(e);
                }",
        "",
    ),
    bug("3d: no answer", "self.explore(e, ctx);", ""),
    bug(
        "3a: compared with the mark of the node",
        "match Some(j).cmp(&k)",
        "match if j == i { Ordering::Equal } else { Some(j).cmp(&k).then(Ordering::Greater) }",
    ),
    bug(
        "3b: compared with the mark of the node",
        "match Some(j).cmp(&k)",
        "match if Some(j) == k { Ordering::Equal } else { j.cmp(&i).then(Ordering::Greater) }",
    ),
];

const FLOODMAX: &[Bug] = &[bug(
    "what is sent in the last round is not read",
    "self.best = inbox",
    "self.best = inbox.take(if round <= Round(self.diameter.0.into()) { usize::MAX } else { 0 })",
)];

const BULLY: &[Bug] = &[
    bug("it waits for less than a round trip", ".times(2)", ".times(1)"),
    bug(
        "the largest id leads at once",
        "ctx.set_timer(Timer::Answer, self.round_trip.0);",
        "ctx.set_timer(Timer::Answer, self.round_trip.0);
        if self.neighbours.0.iter().all(|&id| id < self.id) {
            ctx.cancel_timer(Timer::Answer);
            self.timeout(Timer::Answer, ctx);
        }",
    ),
    bug("who was answered waits for the result for ever", "ctx.set_timer(Timer::Result, self.round_trip.0);", ""),
    bug(
        "nobody minds that its leader is down",
        "ctx.rule(\"6a\");
                self.stand(ctx);",
        "",
    ),
];

const RANDOM_CANDIDACY: &[Bug] = &[
    bug(
        "who is inactive no longer listens",
        "(Role::Active { bid: false } | Role::Inactive, Some(only)",
        "(Role::Active { bid: false }, Some(only)",
    ),
    bug("who tosses a 1 leads", "(Role::Active { bid: true }, None, _) =>", "(Role::Active { bid: true }, ..) =>"),
    bug(
        "who is inactive waits for ever if all the active die",
        "if silent => (\"1e\", Role::Active { bid: false }),",
        "if silent => (\"1e\", Role::Inactive),",
    ),
    bug("nobody minds that its leader is down", "if self.role == Role::Follower(dead) {", "if false {"),
    bug("what the dead have bid counts", "self.down.insert(dead);", ""),
    bug(
        "who tosses a 0 always drops out", // if all do, silence makes all of them active again
        "(Role::Active { bid: false }, Some(_), Some(_)) => (\"1d\", Role::Inactive)",
        "(Role::Active { bid: false }, ..) => (\"1d\", Role::Inactive)",
    ),
];

/// Each is found by its own search; see `tests/lease.rs`. What is lent, when it ends, what is on the disk, and the
/// three rules of a change.
const LEASE: &[Bug] = &[
    bug(
        "the promise is not on disk",
        "Self { configuration, promise, holder, lent: Given(lent), starts, vote, ..fresh }",
        "Self { configuration, lent: Given(lent), starts, vote, ..fresh }",
    ),
    bug(
        "no wait after a restart",
        "if lost { Vote::Lost } else { Vote::Waits }",
        "if lost { Vote::Lost } else { Vote::Free }",
    ),
    bug(
        "a leader whose time is up goes on in the same epoch",
        "ctx.rule(\"5a\");
                    self.rest(ctx);",
        "ctx.rule(\"5a\");
                    if let Role::Leads { epoch, by, .. } = self.role {
                        let (grants, late) = (BTreeSet::new(), BTreeSet::new());
                        self.role = Role::Asks { epoch, round: by + 1, grants, late };
                        self.ask(epoch, by + 1, ctx);
                    }",
    ),
    bug(
        "time is counted from the answer",
        "                let voters = if sessions { std::mem::take(grants) } else { BTreeSet::new() };
                self.role",
        "                ctx.set_timer(timer_of(round), self.plan.0.round);
                let voters = BTreeSet::new();
                self.role",
    ),
    bug(
        "a majority of those who answer",
        "2 * grants.len() > self.plan.0.voters[self.configuration as usize].len()",
        "!grants.is_empty()",
    ),
    bug(
        "it releases before its service has stopped",
        "self.role = Role::Stops { epoch, by };
        ctx.cancel_timer(Timer::Tick);",
        "Self::tell(self.voters().clone(), &Release(epoch, self.starts), ctx);
        self.role = Role::Stops { epoch, by };",
    ),
    bug("the same name is the same holder", "self.starts += 1;", "self.starts = 1;"),
    bug(
        "a voter changes while its grant runs",
        "self.answers.as_ref().filter(|_| self.vote == Vote::Free)",
        "self.answers.as_ref().filter(|_| self.vote != Vote::Lost)",
    ),
    bug(
        "a voter changes before a majority has taken on its configuration",
        "        if self.is_majority(answers.len()) {
            ctx.rule(\"11a\");",
        "        if true {
            ctx.rule(\"11a\");",
    ),
    bug(
        "a voter changes without the promise of the majority",
        "self.promise = answers.values().map(|answer| answer.promise).fold(self.promise, u64::max);
            self.holder = None;",
        "self.holder = None;",
    ),
    bug("after a lost disk only the latest configuration is asked", "latest.abs_diff(k) > 1", "latest != k"),
    bug("a lost disk is taken for an empty one", "None => Self { vote: Vote::Lost, ..fresh },", "None => fresh,"),
];

/// Each is found by a run; see `tests/member.rs`. The parts of the member are one text here, in modules.
const MEMBER: &[Bug] = &[
    bug(
        "the proposed leads without the lease",
        "Some(_) if self.lease.token().is_some() => Status::Leader,",
        "_ if self.lease.token().is_some() || self.proposed == Some(self.id) => Status::Leader,",
    ),
    bug(
        "a newcomer deposes",
        "self.hear(from, if may { Word::May } else { Word::MayNot });",
        "self.hear(from, if may { Word::May } else { Word::MayNot });
                if may && self.lease.token().is_some() && self.plan.0.ids[from.index()] > self.id {
                    self.resign(ctx);
                }",
    ),
    bug(
        "a suspicion is never taken back",
        "*peer = Peer::Alive(0);",
        "if !matches!(peer, Peer::Suspected(_)) {
                *peer = Peer::Alive(0);
            }",
    ),
    bug("nobody is suspected", "Peer::Unheard(beats) | Peer::Alive(beats) if *beats < patience", "Peer::Alive(beats)"),
    bug("who reaches no majority may lead", "self.lease.is_ready() && reached >= needed", "self.lease.is_ready()"),
    bug("a witness may lead", "!self.plan.0.is_witness && self.lease.is_voter()", "self.lease.is_voter()"),
    bug(
        "only one election is called",
        "if self.calls {\n            ctx.set_timer",
        "if false {\n            ctx.set_timer",
    ),
    bug("elections that come to nothing go on for ever", "self.fruitless == FRUITLESS", "false"),
    bug(
        "the disk is not read",
        "Self { lease: Lease::restored(local, disk)?, ..Self::new(local)? }",
        "Self { lease: Lease::new(local)?, ..Self::new(local)? }",
    ),
    bug("nobody is told who the successor is", "ctx.send_all(HandOver(self.number, successor));", ""),
];

fn main() {
    let mut planted = format!("mod announcement {{\n{}}}\n\n", body("graph/announcement"));
    plant(&mut planted, "ring/chang_roberts", "process", "ChangRoberts", CHANG_ROBERTS);
    plant(&mut planted, "ring/peterson", "process", "Peterson", PETERSON);
    plant(&mut planted, "ring/itai_rodeh_sync", "rounds", "ItaiRodehSync", ITAI_RODEH_SYNC);
    plant(&mut planted, "tree/tree_waves", "process", "TreeWaves", TREE_WAVES);
    let colouring = "graph/traversal_edge_colouring";
    plant(&mut planted, colouring, "process", "TraversalEdgeColouring", TRAVERSAL_EDGE_COLOURING);
    plant(&mut planted, "graph/echo_election", "process", "EchoElection", ECHO_ELECTION);
    plant(&mut planted, "graph/adoption", "process", "Adoption", ADOPTION);
    plant(&mut planted, "graph/floodmax", "rounds", "Floodmax", FLOODMAX);
    plant(&mut planted, "complete/bully", "process", "Bully", BULLY);
    plant(&mut planted, "complete/random_candidacy", "rounds", "RandomCandidacy", RANDOM_CANDIDACY);
    plant(&mut planted, "lease/lease", "process", "Lease", LEASE);
    let parts = ["detector", "election", "lease", "member"];
    let modules: String = parts.map(|part| format!("mod {part} {{\n{}}}\n", untold(&format!("lease/{part}")))).concat();
    plant_in(&mut planted, "member", &format!("{modules}pub use member::Member;\n"), "process", "Member", MEMBER);
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("planted.rs"), planted).expect("OUT_DIR can be written");
    println!("cargo::rerun-if-changed=build.rs");
}

/// The source of an algorithm's file and of the parts that it names, without their heads and their tests.
fn body(path: &str) -> String {
    let file = format!("../algorithms/src/{path}.rs");
    println!("cargo::rerun-if-changed={file}");
    let source = fs::read_to_string(&file).expect("the algorithm's file");
    let lines = source.lines().skip_while(|line| line.starts_with("//!")).take_while(|line| *line != "#[cfg(test)]");
    let part_of = |line: &str| line.strip_prefix("mod ").and_then(|line| line.strip_suffix(';')).map(str::to_owned);
    let with_part = |line: &str| match part_of(line) {
        Some(part) => format!("mod {part} {{\n{}}}\n", body(&format!("{path}/{part}"))),
        None => format!("{line}\n"),
    };
    lines.map(with_part).collect()
}

/// The same without its own text in its entry.
fn untold(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    body(path).replace(&format!("include_str!(\"{file}.rs\")"), "\"\"")
}

/// Plants bugs into an algorithm's file.
fn plant(planted: &mut String, path: &str, model: &str, algorithm: &str, bugs: &[Bug]) {
    let file = path.rsplit('/').next().unwrap_or(path);
    plant_in(planted, file, &untold(path), model, algorithm, bugs);
}

/// Writes a module for each mutant of an algorithm, and a function that visits all of them.
fn plant_in(planted: &mut String, file: &str, original: &str, model: &str, algorithm: &str, bugs: &[Bug]) {
    let mut visits = String::new();
    for (number, bug) in bugs.iter().enumerate() {
        let mutant = replace_once(original, bug.from, bug.to);
        let module = format!("{file}_{number}");
        let _ = write!(planted, "/// {}\npub mod {module} {{\n{mutant}}}\n\n", bug.what);
        let _ = writeln!(visits, "    visitor.{model}::<{module}::{algorithm}>({:?});", bug.what);
    }
    let _ = write!(
        planted,
        "/// Visits the mutants of {algorithm}.\npub fn {file}(visitor: &mut impl crate::Visitor) {{\n{visits}}}\n\n"
    );
}

fn replace_once(text: &str, from: &str, to: &str) -> String {
    let places = text.matches(from).count();
    assert!(places == 1, "'{from}' stands in {places} places, and should in one");
    text.replace(from, to)
}
