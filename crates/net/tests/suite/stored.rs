//! A network in a trace: reading it back gives the same.

use bellwether_net::{Network, Topology, Wires, Wiring};
use proptest::prelude::*;
use serde_json::{from_str, to_string};

use crate::support::{graphs, network};

#[test]
fn the_name_is_enough_where_it_says_everything() {
    for name in [
        "ring:8",
        "path:3",
        "grid:3x4",
        "torus:3x4",
        "hypercube:3",
        "complete:5",
        "binary-tree:9",
        "star:4",
        "graph6:DhC",
    ] {
        assert_eq!(to_string(&network(name)).unwrap(), format!("\"{name}\""));
    }
    assert_eq!(
        to_string(&network("gnp:3:0.9")).unwrap(),
        r#"{"name":"gnp:3:0.9","nodes":3,"links":[[0,1],[0,2],[1,2]]}"#
    );
    assert_eq!(
        to_string(&network("complete:3").as_ring().unwrap()).unwrap(),
        r#"{"name":"complete:3","nodes":3,"links":[[0,1],[0,2],[1,2]],"oriented":true}"#
    );
}

#[test]
fn what_cannot_be_a_network_is_refused_before_it_takes_memory() {
    let refusal = |text: &str| from_str::<Network>(text).unwrap_err().to_string();
    assert!(refusal(r#""gnp:9:0.5""#).contains("the links must be listed"));
    assert!(refusal(r#""file:a""#).contains("the links must be listed"));
    assert!(refusal(r#""complete:60000""#).contains("more than 10000000 links"));
    assert!(refusal(r#"{"name":"x","nodes":4000000000,"links":[]}"#).contains("0 links cannot connect"));
    assert!(refusal(r#"{"name":"x","nodes":2,"links":[[0,1]],"names":["a"]}"#).contains("1 names for 2 nodes"));
    assert!(refusal(r#"{"name":"x","nodes":2,"links":[[0,1]],"oriented":true}"#).contains("is a ring"));
    assert!(refusal(r#"{"name":"star:3","nodes":3,"links":[[0,1],[1,2]]}"#).contains("not those of star:3"));
    assert!(refusal(r#""graph6:~~~~~~~~""#).contains("68719476735 nodes need"));
    assert!(refusal(r#"{"name":"graph6:Bw","nodes":3,"links":[[0,1],[1,2]]}"#).contains("not those of graph6:Bw"));
    assert!(refusal("3").contains("a network: its name"));
}

#[test]
fn every_family_comes_back() {
    for name in [
        "ring:1",
        "ring:2",
        "torus:1x5",
        "tree:9",
        "gnp:9:0.5",
        "regular:8:3",
        "regular:9:2",
        "ws:9:4:0.2",
        "graph6:Dhc",
    ] {
        let network = network(name);
        for network in [Some(network.clone()), network.as_ring()].into_iter().flatten() {
            assert_eq!(from_str::<Network>(&to_string(&network).unwrap()).unwrap(), network, "{name}");
        }
    }
}

proptest! {
    #[test]
    fn any_network_comes_back(graph in graphs(30), named: bool) {
        let names = if named { (0..graph.nodes()).map(|node| format!("é \"{node}\"\n")).collect() } else { vec![] };
        let network = Network { name: "file:a b.dot".into(), wires: Wires::Graph(graph), names };
        prop_assert_eq!(from_str::<Network>(&to_string(&network).unwrap()).unwrap(), network);
    }

    #[test]
    fn any_network_can_be_spelt_out(graph in graphs(80)) {
        let topology = Topology::Graph6(graph.clone());
        prop_assert_eq!(topology.to_string().parse(), Ok(topology.clone()));
        let network = topology.build(0).unwrap();
        prop_assert_eq!(&network.wires, &Wires::Graph(graph));
        prop_assert_eq!(to_string(&network).unwrap(), to_string(&topology.to_string()).unwrap());
        prop_assert_eq!(from_str::<Network>(&to_string(&network).unwrap()).unwrap(), network);
    }

    #[test]
    fn any_text_is_a_network_or_refused(text in "[?-~]{0,12}|.{0,6}") {
        if let Ok(topology) = format!("graph6:{text}").parse::<Topology>() {
            prop_assert!(topology.build(0).is_ok());
        }
    }
}
