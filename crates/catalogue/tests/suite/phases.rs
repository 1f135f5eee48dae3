//! An algorithm that counts its phases does the same in later phases. This allows the checker to count phases back.

use bellwether_catalogue::algorithm;
use bellwether_check::Automaton;
use bellwether_check::automaton::{Cause, StepOutcome};
use bellwether_core::{Port, TopologyKind};
use bellwether_net::Wiring;

use crate::support::family_of;

/// Takes every step within a few phases, and the same step with everything counted back by one phase.
#[test]
fn counting_back_commutes_with_every_step() {
    for (name, topology) in
        [("itai-rodeh", "ring:3"), ("itai-rodeh-sync", "ring:3"), ("random-candidacy", "complete:3")]
    {
        let family = family_of(name, topology, "same", false);
        let scenario = family.scenarios().next().unwrap();
        let mut automaton = Automaton::new(&algorithm(name).unwrap().events);
        let ports = scenario.topology.ports(0);
        let one_way = family.info.topology == TopologyKind::OneWayRing;
        let first = automaton.asleep(&scenario, 0).unwrap();
        let (mut locals, mut messages, mut compared) = (vec![first], vec![], 0);
        let mut steps = vec![(first, Cause::Start)];
        while let Some((local, act)) = steps.pop() {
            for StepOutcome { local: next, sends, .. } in automaton.act(local, ports, act).unwrap() {
                let early = |phase: Option<bellwether_core::Phase>| phase.is_none_or(|phase| phase.0 <= 4);
                if !locals.contains(&next) && early(automaton.local_if_met(next).unwrap().phase) && locals.len() < 300 {
                    locals.push(next);
                    steps.extend(messages.iter().map(|&(port, msg)| (next, Cause::Receive(port, msg))));
                }
                for (port, msg) in sends {
                    let at = if one_way { Port::PREVIOUS } else { port };
                    if !messages.contains(&(at, msg))
                        && early(automaton.message_if_met(msg).unwrap().phase)
                        && messages.len() < 100
                    {
                        messages.push((at, msg));
                        steps.extend(locals.iter().map(|&local| (local, Cause::Receive(at, msg))));
                    }
                }
            }
            let (phase, Cause::Receive(port, msg)) = (automaton.local_if_met(local).unwrap().phase, act) else {
                continue;
            };
            let later = |phase: Option<bellwether_core::Phase>| phase.is_none_or(|phase| phase.0 > 1);
            if later(phase) && later(automaton.message_if_met(msg).unwrap().phase) {
                compare(&mut automaton, local, ports, port, msg);
                compared += 1;
            }
        }
        assert!(compared > 10, "{name}: {compared}");
    }
}

fn compare(automaton: &mut Automaton, local: u32, ports: u32, port: Port, msg: u32) {
    let then: Vec<StepOutcome> = automaton.act(local, ports, Cause::Receive(port, msg)).unwrap();
    let then: Vec<_> = then
        .into_iter()
        .map(|outcome| {
            let sends: Vec<_> =
                outcome.sends.iter().map(|&(port, msg)| (port, automaton.rewind_message(msg, 1))).collect();
            (automaton.rewind_local(outcome.local, 1), sends)
        })
        .collect();
    let (local, msg) = (automaton.rewind_local(local, 1), automaton.rewind_message(msg, 1));
    let now = automaton.act(local, ports, Cause::Receive(port, msg)).unwrap();
    let now: Vec<_> = now.into_iter().map(|outcome| (outcome.local, outcome.sends)).collect();
    assert_eq!(then, now);
}
