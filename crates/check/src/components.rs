//! Strongly connected components (Tarjan 1972), without recursion.

/// The component of each state. An edge never leads to a component with a larger number.
pub fn components<I: Iterator<Item = u32>>(states: usize, successors: impl Fn(u32) -> I) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let mut component = vec![UNSEEN; states];
    let mut number = vec![UNSEEN; states];
    let mut low = vec![0; states];
    let mut open = Vec::new();
    let (mut numbers, mut complete) = (0, 0);
    for root in 0..states as u32 {
        if number[root as usize] != UNSEEN {
            continue;
        }
        let mut path = vec![(root, successors(root))];
        number[root as usize] = numbers;
        low[root as usize] = numbers;
        numbers += 1;
        open.push(root);
        while let Some((state, ahead)) = path.last_mut() {
            let state = *state;
            if let Some(next) = ahead.next() {
                if number[next as usize] == UNSEEN {
                    number[next as usize] = numbers;
                    low[next as usize] = numbers;
                    numbers += 1;
                    open.push(next);
                    path.push((next, successors(next)));
                } else if component[next as usize] == UNSEEN {
                    low[state as usize] = low[state as usize].min(number[next as usize]);
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                low[*before as usize] = low[*before as usize].min(low[state as usize]);
            }
            if low[state as usize] == number[state as usize] {
                while let Some(member) = open.pop() {
                    component[member as usize] = complete;
                    if member == state {
                        break;
                    }
                }
                complete += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cycles_and_a_tail() {
        // 0 -> 1 <-> 2 -> 3 <-> 4, and 5 alone.
        let edges: [&[u32]; 6] = [&[1], &[2], &[1, 3], &[4], &[3], &[]];
        let component = components(6, |state| edges[state as usize].iter().copied());
        assert_eq!(component[1], component[2]);
        assert_eq!(component[3], component[4]);
        assert!(component[0] > component[1] && component[1] > component[3]);
    }
}
