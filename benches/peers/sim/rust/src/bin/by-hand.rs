//! The limit: each election as a loop over arrays, which can do nothing else, with unit delays.

use std::hint::black_box;

use cpu_time::ProcessTime;
use peer_sim::Job;

fn main() {
    let job = Job::from_args();
    let begun = ProcessTime::now();
    let (mut told, mut messages) = (Vec::new(), 0);
    for _ in 0..job.elections {
        let ids = black_box(&job.ids);
        let (leader, sent) = if job.grid { floodmax(ids) } else { chang_roberts(ids) };
        (told, messages) = (leader, messages + sent);
    }
    job.report(&told, messages, begun);
}

fn chang_roberts(ids: &[u64]) -> (Vec<u64>, u64) {
    let nodes = ids.len() as u32;
    let after = |node: u32| if node + 1 == nodes { 0 } else { node + 1 };
    let mut tokens: Vec<(u32, u64)> = (0..nodes).map(|node| (after(node), ids[node as usize])).collect();
    let mut messages = tokens.len() as u64;
    loop {
        // Those that go on move up; whether one does is no branch, which chance would mislead.
        let mut kept = 0;
        for token in 0..tokens.len() {
            let (at, id) = tokens[token];
            if id == ids[at as usize] {
                return announce(id, at, messages, nodes);
            }
            tokens[kept] = (after(at), id);
            kept += usize::from(id > ids[at as usize]);
        }
        tokens.truncate(kept);
        messages += kept as u64;
    }
}

fn announce(id: u64, leader: u32, mut messages: u64, nodes: u32) -> (Vec<u64>, u64) {
    let mut told = vec![0; nodes as usize];
    let mut at = leader;
    while told[at as usize] != id {
        told[at as usize] = id;
        messages += 1;
        at = (at + 1) % nodes;
    }
    (told, messages)
}

fn floodmax(ids: &[u64]) -> (Vec<u64>, u64) {
    let side = ids.len().isqrt();
    let (mut best, mut next) = (ids.to_vec(), ids.to_vec());
    let mut messages = 0;
    for _ in 0..2 * (side - 1) {
        for row in 0..side {
            let line = &best[row * side..][..side];
            let above = if row > 0 { &best[(row - 1) * side..][..side] } else { line };
            let below = if row + 1 < side { &best[(row + 1) * side..][..side] } else { line };
            let out = &mut next[row * side..][..side];
            for column in 0..side {
                let left = line[column.saturating_sub(1)];
                let right = line[(column + 1).min(side - 1)];
                out[column] = line[column].max(above[column]).max(below[column]).max(left).max(right);
            }
        }
        messages += 4 * (side * (side - 1)) as u64;
        std::mem::swap(&mut best, &mut next);
    }
    (best, messages)
}
