//! If processes differ only in their place on a ring, states that differ only by a turn count as one.

use super::Machine;
use crate::layout::Nodes;
use crate::row::Row;

impl Machine {
    /// Turns the ring until its row is the smallest.
    pub(super) fn turn(&mut self, row: &mut Row) {
        let n = self.layout.nodes;
        let per_node = self.layout.links.len() / n;
        let extras = self.extras(row.cells()).clone();
        let flags = |node: usize| {
            let has = |set: Nodes| u32::from(set >> node & 1 == 1);
            has(extras.waiting) | has(extras.started) << 1 | has(extras.decided) << 2
        };
        let old = row.cells().to_vec();
        let cells = &old;
        // The cells of a node and of the links that leave it. Links are numbered by sender.
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
        let (waiting, started, decided) = (turned(extras.waiting), turned(extras.started), turned(extras.decided));
        self.revise(row, |extras| (extras.waiting, extras.started, extras.decided) = (waiting, started, decided));
    }
}
