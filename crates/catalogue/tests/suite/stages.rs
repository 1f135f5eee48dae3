//! An algorithm that counts its stages does the same so many stages later: that is what lets the checker count back.

use bellwether_catalogue::algorithm;
use bellwether_check::Automaton;
use bellwether_check::automaton::{Act, Outcome};
use bellwether_core::{Port, TopologyKind};
use bellwether_world::Wiring;

use crate::support::family_of;

/// Takes every step that comes up within a few stages, and the same step on everything counted back by one.
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
        let mut steps = vec![(first, Act::Start)];
        while let Some((local, act)) = steps.pop() {
            for Outcome { local: next, sends, .. } in automaton.act(local, ports, act).unwrap() {
                let early = |stage: Option<bellwether_core::Stage>| stage.is_none_or(|stage| stage.0 <= 4);
                if !locals.contains(&next) && early(automaton.local_if_met(next).unwrap().stage) && locals.len() < 300 {
                    locals.push(next);
                    steps.extend(messages.iter().map(|&(port, msg)| (next, Act::Receive(port, msg))));
                }
                for (port, msg) in sends {
                    let at = if one_way { Port::PREVIOUS } else { port };
                    if !messages.contains(&(at, msg))
                        && early(automaton.message_if_met(msg).unwrap().stage)
                        && messages.len() < 100
                    {
                        messages.push((at, msg));
                        steps.extend(locals.iter().map(|&local| (local, Act::Receive(at, msg))));
                    }
                }
            }
            let (stage, Act::Receive(port, msg)) = (automaton.local_if_met(local).unwrap().stage, act) else {
                continue;
            };
            let later = |stage: Option<bellwether_core::Stage>| stage.is_none_or(|stage| stage.0 > 1);
            if later(stage) && later(automaton.message_if_met(msg).unwrap().stage) {
                compare(&mut automaton, local, ports, port, msg);
                compared += 1;
            }
        }
        assert!(compared > 10, "{name}: {compared}");
    }
}

fn compare(automaton: &mut Automaton, local: u32, ports: u32, port: Port, msg: u32) {
    let then: Vec<Outcome> = automaton.act(local, ports, Act::Receive(port, msg)).unwrap();
    let then: Vec<_> = then
        .into_iter()
        .map(|outcome| {
            let sends: Vec<_> =
                outcome.sends.iter().map(|&(port, msg)| (port, automaton.rewind_message(msg, 1))).collect();
            (automaton.rewind_local(outcome.local, 1), sends)
        })
        .collect();
    let (local, msg) = (automaton.rewind_local(local, 1), automaton.rewind_message(msg, 1));
    let now = automaton.act(local, ports, Act::Receive(port, msg)).unwrap();
    let now: Vec<_> = now.into_iter().map(|outcome| (outcome.local, outcome.sends)).collect();
    assert_eq!(then, now);
}
