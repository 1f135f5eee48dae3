//! Variants that are chosen by parameters. Each keeps its own promises on every schedule, and no others are judged.

use bellwether_check::{Conclusion, Most};
use bellwether_core::{Informs, Settings, Winner};
use bellwether_world::{Property, settings};

use crate::support::{FIRST, PLAN, broken, family_of, info, messages, verdict};

/// Parameters, as they are typed.
fn set(name: &str, texts: &[&str]) -> Settings {
    texts.iter().map(|text| settings::parse(info(name), text).unwrap()).collect()
}

/// Every order of ids and every set of initiators.
fn checked(name: &str, topology: &str, texts: &[&str], plan: bellwether_check::Plan) -> Conclusion {
    let mut family = family_of(name, topology, "all", true);
    family.settings = set(name, texts);
    verdict(&family, plan)
}

#[test]
fn every_variant_keeps_its_promises() {
    let variants: [(&str, &str, &[&str]); 5] = [
        ("chang-roberts", "ring:4", &["announce=none"]),
        ("broadcast-max", "complete:3", &["broadcast=one-hop"]),
        ("tree-waves", "all-trees:4", &["winner=any"]),
        ("tree-waves", "all-trees:4", &["winner=any", "announce=none"]),
        ("peterson", "ring:5", &["leader=last"]),
    ];
    for (name, topology, texts) in variants {
        for plan in [PLAN, FIRST] {
            let verdict = checked(name, topology, texts, plan);
            assert_eq!((broken(&verdict), verdict.is_complete()), (vec![], true), "{name} {texts:?}");
        }
    }
}

#[test]
fn a_variant_promises_what_its_parameters_say() {
    let under = |name: &str, texts: &[&str]| {
        let entry = info(name).under(&set(name, texts));
        (entry.winner, entry.informs, entry.repeatable)
    };
    assert_eq!(under("tree-waves", &["announce=all"]), (Winner::MaxOfAll, Informs::Leader, false));
    assert_eq!(under("tree-waves", &["winner=any"]), (Winner::Any, Informs::Leader, false));
    assert_eq!(under("tree-waves", &["winner=any", "announce=none"]), (Winner::Any, Informs::Nobody, false));
    assert_eq!(under("tree-waves", &["announce=none"]), (Winner::MaxOfAll, Informs::Nobody, false));
    assert_eq!(under("peterson", &["leader=last"]), (Winner::Any, Informs::Leader, false));
    assert_eq!(under("chang-roberts", &["announce=none"]), (Winner::MaxOfAll, Informs::Nobody, false));
}

/// The candidatures of Chang-Roberts do not depend on the announcement.
#[test]
fn the_announcement_is_all_that_is_kept_back() {
    let told = verdict(&family_of("chang-roberts", "ring:4", "all", true), FIRST);
    let untold = checked("chang-roberts", "ring:4", &["announce=none"], FIRST);
    assert_eq!(messages(&told), messages(&untold));
}

#[test]
fn one_hop_is_enough_where_everybody_is_linked_to_everybody() {
    assert_eq!(
        messages(&checked("broadcast-max", "complete:3", &["broadcast=one-hop"], FIRST)),
        (6, Most::Messages(6))
    );
    assert_eq!(broken(&checked("broadcast-max", "path:3", &["broadcast=one-hop"], FIRST))[0], Property::Leader);
}

/// Without announcement the owner of the largest id may be far from where the waves meet. On two nodes it is not.
#[test]
fn waves_without_announcement_may_leave_the_largest_id_untold() {
    assert_eq!(broken(&checked("tree-waves", "path:3", &["announce=none"], PLAN)), [Property::Leader]);
    assert_eq!(broken(&checked("tree-waves", "path:2", &["announce=none"], PLAN)), []);
}

/// The value of the last active node goes round once more. So it costs as much as Dolev-Klawe-Rodeh.
#[test]
fn the_last_active_node_costs_a_round_of_the_ring() {
    let last = checked("peterson", "ring:5", &["leader=last"], FIRST);
    let typed = verdict(&family_of("dolev-klawe-rodeh", "ring:5", "all", true), FIRST);
    assert_eq!(messages(&last), messages(&typed));
}

#[test]
fn a_wrong_number_of_nodes() {
    let told = |name: &str, topology: &str, n: &str| broken(&checked(name, topology, &[n], FIRST));
    assert_eq!(told("broadcast-max", "path:3", "n=3"), []);
    assert!(told("broadcast-max", "path:3", "n=2").contains(&Property::OneLeader));
    assert_eq!(told("broadcast-max", "path:3", "n=4"), [Property::Leader]);
    assert!(told("time-slice", "ring:3", "n=1").contains(&Property::OneLeader));
    // Too long a slice only takes longer.
    assert_eq!(told("time-slice", "ring:3", "n=5"), []);
    assert!(told("itai-rodeh", "ring:2", "n=1").contains(&Property::OneLeader));
    // Nobody is ever seen to be alone, and tokens circle.
    assert!(told("itai-rodeh", "ring:2", "n=3").contains(&Property::Ends));
}
