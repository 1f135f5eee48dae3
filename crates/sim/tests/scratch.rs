//! x
mod support;
use bellwether_core::*;
use bellwether_world::*;
use std::collections::BTreeMap;
use support::*;
#[test]
fn explore() {
    for (name, ids) in [
        ("peterson", vec![0, 3, 4, 2, 1]),
        ("le-lann", vec![1, 2, 0]),
        ("dolev-klawe-rodeh", vec![1, 2, 0]),
        ("clockwise-async", vec![1, 2, 0]),
        ("franklin", vec![1, 2, 0]),
        ("franklin", vec![0, 3, 4, 2, 1]),
    ] {
        let mut seen: BTreeMap<String, (u32, u64)> = BTreeMap::new();
        for seed in 0..20000 {
            let r = play(&Scenario { seed, timing: Timing::Reorder, forced: true, limit: 5000, ..ring(name, &ids) });
            let key = format!(
                "{} {:?} {:?}",
                r.outcome,
                r.leaders.iter().map(|l| l.node).collect::<Vec<_>>(),
                r.violations.iter().map(|v| v.split(':').next().unwrap().to_string()).collect::<Vec<_>>()
            );
            let e = seen.entry(key).or_insert((0, seed));
            e.0 += 1;
        }
        println!("{name} {ids:?} {seen:#?}");
    }
    for ids in [[5, 1, 5, 2], [1, 1, 5, 2], [1, 5, 1, 2]] {
        let (r, ev) = record(&Scenario { forced: true, ..ring("chang-roberts", &ids) });
        println!("{ids:?} {} {:?} {:?} {:?}", r.outcome, r.leaders, r.violations, kinds(&r));
        for e in ev {
            println!("  t={} node {} {}", e.t, e.node, e.describe());
        }
    }
    for (ids, wakes) in [(vec![1, 2, 3, 0], vec![2, 2, 2, 4])] {
        let initiators = wakes.iter().enumerate().map(|(v, &r)| (v, Round(r))).collect();
        let (r, ev) = record(&Scenario { initiators, ..ring("variable-speeds", &ids) });
        println!("{ids:?} {} {:?} {:?} {:?}", r.outcome, r.leaders, r.violations, kinds(&r));
        for e in ev {
            println!("  t={} node {} {}", e.t, e.node, e.describe());
        }
    }
    let ids: Vec<u64> = (0..64).collect();
    let initiators = [16, 12, 7, 2, 1, 1].iter().enumerate().map(|(v, &r)| (v, Round(r))).collect();
    let r = play(&Scenario { initiators, ..ring("variable-speeds", &ids) });
    println!("{} {:?} {:?} {:?}", r.outcome, r.leaders, r.violations, kinds(&r));
    let (r, ev) = record(&ring("variable-speeds", &[0, 1, 2, 3, 4]));
    println!("{} {:?} {:?} {:?}", r.outcome, r.leaders, r.violations, kinds(&r));
    for e in ev {
        println!("  t={} node {} {}", e.t, e.node, e.describe());
    }
    let r =
        play(&Scenario { settings: Settings::from([("k".into(), 1)]), limit: 10000, ..ring("itai-rodeh", &[0, 1, 2]) });
    println!("{} {:?} {:?} {:?}", r.outcome, r.leaders, r.violations, kinds(&r));
}
