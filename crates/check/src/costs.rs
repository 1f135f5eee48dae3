//! The cheapest and the dearest way through a graph.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::components::components;

/// The cost of the cheapest way from state 0 to an end; `None` if there is none.
pub fn least<I: Iterator<Item = (u32, u32)>>(
    states: usize,
    is_end: impl Fn(u32) -> bool,
    edges: impl Fn(u32) -> I,
) -> Option<u64> {
    cheapest(states, is_end, edges).map(|(paid, _)| paid)
}

/// The cost of the cheapest way, and the states on it (Dijkstra 1959).
pub fn cheapest<I: Iterator<Item = (u32, u32)>>(
    states: usize,
    is_end: impl Fn(u32) -> bool,
    edges: impl Fn(u32) -> I,
) -> Option<(u64, Vec<u32>)> {
    let mut known = vec![u64::MAX; states];
    let mut before = vec![None; states];
    let mut ahead = BinaryHeap::from([Reverse((0, 0))]);
    known[0] = 0;
    while let Some(Reverse((paid, state))) = ahead.pop() {
        if is_end(state) {
            let mut way: Vec<u32> = std::iter::successors(Some(state), |state| before[*state as usize]).collect();
            way.reverse();
            return Some((paid, way));
        }
        for (to, cost) in edges(state) {
            let paid = paid + u64::from(cost);
            if paid < known[to as usize] {
                known[to as usize] = paid;
                before[to as usize] = Some(state);
                ahead.push(Reverse((paid, to)));
            }
        }
    }
    None
}

/// The component of each state, and for each component the cost of the dearest way from there; `None` if there is no
/// bound.
pub fn most<I: Iterator<Item = (u32, u32)>>(states: usize, edges: impl Fn(u32) -> I) -> Option<(Vec<u32>, Vec<u64>)> {
    let component = components(states, |state| edges(state).map(|(to, _)| to));
    let mut by_component: Vec<u32> = (0..states as u32).collect();
    by_component.sort_unstable_by_key(|state| component[*state as usize]);
    // Edges only lead to components with smaller numbers, so the costs of all successors are known.
    let mut most = vec![0; states];
    for state in by_component {
        let here = component[state as usize] as usize;
        for (to, cost) in edges(state) {
            let there = component[to as usize] as usize;
            if there != here {
                most[here] = most[here].max(u64::from(cost) + most[there]);
            } else if cost > 0 {
                return None;
            }
        }
    }
    Some((component, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_that_costs_has_no_dearest_way() {
        let edges: [&[(u32, u32)]; 4] = [&[(1, 5), (2, 1)], &[(3, 0)], &[(1, 1), (0, 0)], &[]];
        let of = |edges: [&'static [(u32, u32)]; 4]| move |state: u32| edges[state as usize].iter().copied();
        assert_eq!(cheapest(4, |state| state == 3, of(edges)), Some((2, vec![0, 2, 1, 3])));
        // The cycle of 0 and 2 costs 1 each time.
        assert_eq!(most(4, of(edges)), None);
        let free: [&[(u32, u32)]; 4] = [&[(1, 5), (2, 0)], &[(3, 0)], &[(1, 7), (0, 0)], &[]];
        let (component, values) = most(4, of(free)).unwrap();
        assert_eq!(values[component[0] as usize], 7);
        assert_eq!(least(4, |_| false, of(free)), None);
    }
}
