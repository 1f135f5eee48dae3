//! Every way in which a small network can go, and some of the ways of a larger one.

use bellwether_random::{Purpose, Stream};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::network::{Elector, Move, State, Trouble, Wiring};

/// What was seen on every way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// How many states there are.
    pub states: usize,
    /// In how many of them some election has two leaders.
    pub torn: usize,
}

/// The states, each with the one from which it was reached first, and how.
type States<P> = IndexMap<State<P>, Option<(usize, Move)>, FxBuildHasher>;

/// Goes every way. Everywhere one more election may be held, in calm, and must then elect one leader.
///
/// # Errors
/// What went wrong, and the shortest way there.
pub fn explore<P: Elector>(wiring: &Wiring, trouble: Trouble) -> Result<Seen, String> {
    let mut states: States<P> = IndexMap::default();
    states.insert(State::new(wiring, trouble), None);
    // By state: the calm ones that lead to it.
    let mut earlier: Vec<Vec<usize>> = vec![vec![]];
    let (mut at, mut torn, mut settled) = (0, 0, vec![]);
    while at < states.len() {
        let (state, _) = states.get_index(at).unwrap();
        let told = |what: String| format!("{what}: {:?}", way(&states, at));
        torn += usize::from(look(state).map_err(told)?);
        let moves = state.moves();
        if moves.is_empty() {
            end(state, wiring).map_err(told)?;
            settled.push(at);
        }
        let is_calm = state.is_calm();
        let make = |next| match state.make(wiring, next) {
            Ok(after) => Ok((next, after)),
            Err(what) => Err(format!("{}, {next:?}", told(what))),
        };
        for (next, after) in moves.into_iter().map(make).collect::<Result<Vec<_>, _>>()? {
            let entry = states.entry(after);
            let index = entry.index();
            entry.or_insert(Some((at, next)));
            earlier.resize(states.len(), vec![]);
            if is_calm {
                earlier[index].push(at);
            }
        }
        at += 1;
    }
    let mut can_settle = vec![false; states.len()];
    while let Some(state) = settled.pop() {
        if !std::mem::replace(&mut can_settle[state], true) {
            settled.append(&mut earlier[state]);
        }
    }
    match states.keys().zip(&can_settle).position(|(state, can)| state.is_calm() && !can) {
        Some(stuck) => Err(format!("the last election cannot end: {:?}", way(&states, stuck))),
        None => Ok(Seen { states: states.len(), torn }),
    }
}

/// Goes one way by chance, to the end of one more election. Returns in how many states some election has two leaders.
///
/// # Errors
/// What went wrong, and the way there.
pub fn wander<P: Elector>(wiring: &Wiring, trouble: Trouble, seed: u64) -> Result<usize, String> {
    const STEPS: usize = 100_000;
    let mut chance = Stream::new(seed, Purpose::Faults);
    let mut state = State::<P>::new(wiring, trouble);
    let (mut way, mut torn) = (vec![], 0);
    for _ in 0..STEPS {
        let told = |what: String| format!("{what}, with seed {seed}: {way:?}");
        torn += usize::from(look(&state).map_err(told)?);
        let mut moves = state.moves();
        if moves.is_empty() {
            return end(&state, wiring).map(|()| torn).map_err(told);
        }
        // Calm comes late: when nothing else is left, or once in a while.
        if chance.below(50) > 0 && !moves.iter().all(|next| matches!(next, Move::Calm(_))) {
            moves.retain(|next| !matches!(next, Move::Calm(_)));
        }
        let next = moves[chance.below(moves.len() as u64) as usize];
        state = state.make(wiring, next).map_err(|what| format!("{}, {next:?}", told(what)))?;
        way.push(next);
    }
    Err(format!("no end after {STEPS} steps, with seed {seed}"))
}

/// Whether an election has two leaders. The last one, in which nothing fails, must not.
fn look<P: Elector>(state: &State<P>) -> Result<bool, String> {
    match state.torn() {
        Some(election) if state.is_last(election) => Err("the last election has two leaders".into()),
        torn => Ok(torn.is_some()),
    }
}

/// Nothing can happen any more.
fn end<P: Elector>(state: &State<P>, wiring: &Wiring) -> Result<(), String> {
    if state.is_settled(wiring) { Ok(()) } else { Err("the last election elects nobody".into()) }
}

/// The moves that lead to a state.
fn way<P: Elector>(states: &States<P>, to: usize) -> Vec<Move> {
    let mut moves: Vec<Move> =
        std::iter::successors(states[to], |&(from, _)| states[from]).map(|(_, next)| next).collect();
    moves.reverse();
    moves
}
