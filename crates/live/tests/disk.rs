//! What survives a crash on real threads: the disk, unless it is lost.

use bellwether_core::{
    Context, Id, Info, Informs, LinkOrder, Local, NoTimer, Port, Process, Status, TopologyKind, Unmet, messages,
};
use bellwether_live::threads::play;
use bellwether_net::Topology;
use bellwether_world::host::{Algorithm, Watcher, Wishes};
use bellwether_world::{Clock, Outcome, Scenario, Timing};

messages! {
    /// Nothing is ever sent.
    pub enum Msg {
        /// Never.
        Nothing() = "nothing",
    }
}

/// A process that leads from its second start on. Only its disk can tell it that there was a first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Returner {
    starts: u32,
}

impl Process for Returner {
    const INFO: &'static Info = &Info {
        name: "returner",
        topology: TopologyKind::Complete,
        links: LinkOrder::Any,
        informs: Informs::Nobody,
        survives_crashes: true,
        ..Info::EVENTS
    };
    type Msg = Msg;
    type Timer = NoTimer;
    /// The number of its starts.
    type Disk = u32;

    fn new(_: &Local) -> Result<Self, Unmet> {
        Ok(Self { starts: 0 })
    }

    fn restored(_: &Local, disk: Option<u32>) -> Result<Self, Unmet> {
        Ok(Self { starts: disk.unwrap_or_default() })
    }

    fn disk(&self) -> u32 {
        self.starts
    }

    fn start(&mut self, _: &mut impl Context<Msg>) {
        self.starts += 1;
    }

    fn receive(&mut self, _: Port, _: Msg, _: &mut impl Context<Msg>) {}

    fn status(&self) -> Status {
        if self.starts > 1 { Status::Leader } else { Status::Undecided }
    }
}

/// Who leads in the end, with these faults.
fn outcome(faults: &[&str]) -> Outcome {
    let network = "complete:2".parse::<Topology>().unwrap().build(1).unwrap();
    let scenario = Scenario {
        timing: Timing::Live(Clock { unit_us: 1_000, latency_us: (0, 0) }),
        faults: faults.iter().map(|fault| fault.parse().unwrap()).collect(),
        forced: true,
        ..Scenario::new(Returner::INFO, network, vec![Id(1), Id(2)])
    };
    play(Algorithm::process::<Returner>(), &scenario, 2, Wishes::none(&mut Watcher)).unwrap().outcome
}

#[test]
fn a_process_that_comes_back_has_its_disk_unless_it_is_lost() {
    assert_eq!(outcome(&["crash=0@1"]), Outcome::NoLeader);
    assert_eq!(outcome(&["crash=0@1", "recover=0@2"]), Outcome::Elected);
    assert_eq!(outcome(&["crash=0@1", "wipe=0@1.5", "recover=0@2"]), Outcome::NoLeader);
    // The disk of the second life is lost, and with it all.
    let thrice = ["crash=0@1", "recover=0@2", "crash=0@3", "wipe=0@3.5", "recover=0@4"];
    assert_eq!(outcome(&thrice), Outcome::NoLeader);
}
