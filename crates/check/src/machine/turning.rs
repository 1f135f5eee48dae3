//! Where processes differ only in their place on a ring, states that are the same up to a turn are taken for one.

use super::Machine;
use crate::layout::Nodes;
use crate::row::Row;

impl Machine {
    /// Turns the ring until its row is the smallest.
    pub(super) fn turn(&mut self, row: &mut Row) {
        let n = self.layout.nodes;
        let per_node = self.layout.links.len() / n;
        let rest = self.rest(row.cells()).clone();
        let flags = |node: usize| {
            let has = |set: Nodes| u32::from(set >> node & 1 == 1);
            has(rest.waiting) | has(rest.started) << 1 | has(rest.decided) << 2
        };
        let old = row.cells().to_vec();
        let cells = &old;
        // What is said of a node and of the links that leave it; those are numbered by sender.
        let said = |turn: usize| {
            (0..n).flat_map(move |node| {
                let node = (node + turn) % n;
                let links = n + node * per_node..n + (node + 1) * per_node;
                [cells[node], flags(node)].into_iter().chain(cells[links].iter().copied())
            })
        };
        let turn = (1..n).fold(0, |best, turn| if said(turn).lt(said(best)) { turn } else { best });
        if turn == 0 {
            return;
        }
        for node in 0..n {
            let from = (node + turn) % n;
            row.set(node, old[from]);
            for link in 0..per_node {
                row.set(n + node * per_node + link, old[n + from * per_node + link]);
            }
        }
        let turned = |set: Nodes| (0..n).fold(0, |all, node| all | (set >> ((node + turn) % n) & 1) << node);
        let (waiting, started, decided) = (turned(rest.waiting), turned(rest.started), turned(rest.decided));
        self.revise(row, |rest| (rest.waiting, rest.started, rest.decided) = (waiting, started, decided));
    }
}
