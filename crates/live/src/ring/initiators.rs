//! The initiators of an election.

use bellwether_random::Stream;
use bellwether_world::initiators::Initiators;

/// The initiators among the living workers. If too few workers live, there are fewer than asked for. If there would be
/// none, the first living worker is taken.
pub fn among(living: &[usize], initiators: &Initiators, chance: &mut Stream) -> Vec<usize> {
    let mut chosen = match initiators {
        Initiators::All => living.to_vec(),
        Initiators::One => living.iter().take(1).copied().collect(),
        Initiators::List(list) => living.iter().copied().filter(|worker| list.contains(&worker.to_string())).collect(),
        Initiators::Random(count) => {
            let mut all = living.to_vec();
            chance.shuffle(&mut all);
            all.truncate(*count as usize);
            all
        }
    };
    if chosen.is_empty() {
        chosen.extend(living.first());
    }
    chosen.sort_unstable();
    chosen
}
