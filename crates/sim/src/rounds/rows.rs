//! Rows of nodes that are wired alike: the neighbours of the next one are the next of its neighbours.
//!
//! Most of a grid or torus are such rows. What all of a row hear stands in as many slices of registers as each has ports: nobody
//! has to look up where its neighbours are.

use std::ops::Range;

use bellwether_world::{Node, Wiring};

use super::news::BATCH;

/// As many ports as each node of a row has.
pub(super) const PORTS: usize = 4;

/// To begin a shorter row takes about as long as it saves, and longer where the nodes are not in a cache.
const SHORT: usize = 24;

/// Neighbouring nodes, in a row or not; not more than a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// How many nodes there are.
    pub(super) length: usize,
    /// If they are a row: the neighbours of the first.
    pub(super) beside: Option<[Node; PORTS]>,
}

/// All of these nodes, piece by piece.
pub(super) fn pieces(wiring: &impl Wiring, nodes: Range<Node>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut node = nodes.start;
    while node < nodes.end {
        let most = BATCH.min((nodes.end - node) as usize);
        let beside = four(wiring, node);
        let is_next = |&place: &u32| four(wiring, node + place) == beside.map(|beside| beside.map(|far| far + place));
        let alike = (1..most as Node).take_while(is_next).count() + 1;
        let row = beside.filter(|_| alike >= SHORT);
        match pieces.last_mut() {
            Some(Piece { length, beside: None }) if row.is_none() && *length + alike <= BATCH => *length += alike,
            _ => pieces.push(Piece { length: alike, beside: row }),
        }
        node += alike as Node;
    }
    pieces
}

/// The neighbours of a node that has so many.
fn four(wiring: &impl Wiring, node: Node) -> Option<[Node; PORTS]> {
    let mut neighbours = wiring.neighbours(node);
    let four = [neighbours.next()?, neighbours.next()?, neighbours.next()?, neighbours.next()?];
    neighbours.next().is_none().then_some(four)
}

#[cfg(test)]
mod tests {
    use bellwether_world::Topology;

    use super::*;

    /// All pieces of a network from a node on, which are what they say they are; and how many nodes are in rows.
    fn look(network: &str, first: Node) -> (Vec<Piece>, usize) {
        let network = network.parse::<Topology>().unwrap().build(1).unwrap();
        let pieces = pieces(&network, first..network.nodes());
        let mut node = first;
        for Piece { length, beside } in &pieces {
            assert!((1..=BATCH).contains(length));
            for place in 0..*length as Node {
                if let Some(beside) = beside {
                    assert!(network.neighbours(node + place).eq(beside.map(|far| far + place)));
                }
            }
            node += *length as Node;
        }
        assert_eq!(node, network.nodes());
        let rows = pieces.iter().filter(|piece| piece.beside.is_some()).map(|piece| piece.length).sum();
        (pieces, rows)
    }

    #[test]
    fn a_grid_is_made_of_rows_and_borders() {
        let row = |first: Node| Piece { length: 30, beside: Some([first - 32, first - 1, first + 1, first + 32]) };
        let border = |length| Piece { length, beside: None };
        let expected = [border(33), row(33), border(2), row(65), border(33)];
        assert_eq!(look("grid:4x32", 0), (expected.to_vec(), 60));
        assert_eq!(look("grid:4x32", 40), (vec![border(25), row(65), border(33)], 30));
    }

    #[test]
    fn rows_are_as_long_as_they_pay() {
        assert_eq!(look("grid:25x25", 0).1, 0, "rows of 23 are too short");
        assert_eq!(look("grid:26x26", 0).1, 24 * 24);
        assert_eq!(look("torus:40x40", 0).1, 40 * 38);
        assert_eq!(look("ws:600:4:0", 0).1, 596, "a ring with chords is a row but for its seam");
        assert!((1..596).contains(&look("ws:600:4:0.02", 0).1), "where a link leads elsewhere, a row ends");
        let (pieces, rows) = look("grid:3x600", 0);
        assert_eq!((pieces.len(), rows), (3 + 3 + 3, 598));
        for network in ["complete:9", "hypercube:6", "regular:300:4", "ws:600:6:0", "ring:40", "star:600", "path:1"] {
            assert_eq!(look(network, 0).1, 0, "{network}");
        }
    }
}
