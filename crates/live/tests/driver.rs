//! One process with its timers and the numbers of its messages, driven by the test.

use bellwether_algorithms::complete::Bully;
use bellwether_core::{Id, Port, Process, Span, Status};
use bellwether_net::Topology;
use bellwether_world::Scenario;
use bellwether_world::host::{Actor, Algorithm, Cue, Driver, Effects, awaken};

/// The process of this node among three, with the ids 3, 1 and 2.
fn process(node: u32) -> Box<dyn Actor> {
    let network = "complete:3".parse::<Topology>().unwrap().build(1).unwrap();
    let scenario = Scenario::new(Bully::INFO, network, [3, 1, 2].map(Id).to_vec());
    awaken(&scenario, Bully::INFO, 0, node, Algorithm::process::<Bully>().events.new).unwrap()
}

fn driver(node: u32) -> Driver<impl FnMut(u64) -> u64> {
    Driver::new(process(node), 2, |_| unreachable!("it draws nothing"))
}

const ROUND_TRIP: Span = Span(2 * Span::UNIT.0);

#[test]
fn a_timer_runs_from_the_step_that_sets_it_until_it_goes_off() {
    let mut driver = driver(0);
    assert_eq!(driver.next_deadline(), None);
    let now = Span(7);
    assert_eq!(driver.handle(now, Cue::Start).sent.count(), 0);
    let (due, answer) = driver.next_deadline().unwrap();
    assert_eq!(due, Span(now.0 + ROUND_TRIP.0));
    let Effects { change, sent, .. } = driver.handle(due, Cue::Timeout(answer));
    assert_eq!(change.decided(), Some(Status::Leader));
    let sent: Vec<(u64, Port)> = sent.map(|(n, (port, _))| (n, port)).collect();
    assert_eq!(sent, [(0, Port(0)), (1, Port(1))]);
    assert_eq!(driver.next_deadline(), None);
}

#[test]
fn a_timer_that_is_stopped_or_set_again_goes_off_once_or_never() {
    let (mut winner, mut driver) = (driver(0), driver(1));
    winner.handle(Span(0), Cue::Start);
    let (due, answer) = winner.next_deadline().unwrap();
    let (_, (_, announcement)) = winner.handle(due, Cue::Timeout(answer)).sent.next().unwrap();
    driver.handle(Span(0), Cue::Start);
    driver.handle(Span(1), Cue::Receive(Port(0), announcement));
    assert_eq!(driver.next_deadline(), None, "who follows waits for nothing");
    driver.handle(Span(5), Cue::PeerDown(Port(0)));
    assert_eq!(driver.timers().len(), 1);
    assert_eq!(driver.next_deadline().map(|(due, _)| due), Some(Span(5 + ROUND_TRIP.0)));
}

#[test]
fn a_crash_stops_timers_and_numbers_go_on_after_it() {
    let mut driver = driver(1);
    assert_eq!(driver.handle(Span(0), Cue::Start).sent.map(|(n, _)| n).collect::<Vec<_>>(), [0, 1]);
    driver.stop();
    assert_eq!(driver.next_deadline(), None);
    driver.restart(process(1));
    assert_eq!(driver.process().status(), Status::Undecided);
    assert_eq!(driver.handle(Span(9), Cue::Start).sent.map(|(n, _)| n).collect::<Vec<_>>(), [2, 3]);
}
