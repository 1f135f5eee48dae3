//! The states of a small network and all transitions between them, for questions about cycles and chances.

use rustc_hash::FxHashMap;

use crate::costs;
use crate::ledger::{GLANCE, Ledger, Page, Stop};
use crate::machine::{Machine, Transition};
use crate::shortest::{Path, Tree};
use crate::store::States;

/// All states that can be reached, by number; 0 is the first.
pub struct StateGraph {
    /// By state: where its actions begin.
    first_action: Vec<u32>,
    actions: Vec<Action>,
    edges: Vec<Edge>,
    /// By state: whether there is nothing left that must happen.
    pub is_settled: Vec<bool>,
    /// How each state was found first.
    pub tree: Tree,
    /// The states themselves.
    pub store: States,
}

/// A move that is possible in a state.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    /// The move.
    pub step: Transition,
    /// The number that it shares with the moves of other states that do the same; `None` if it need never happen.
    pub duty: Option<u32>,
    first_edge: u32,
}

/// One way in which a move may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The state that it leads to.
    pub to: u32,
    /// Election messages sent.
    pub cost: u32,
    /// By how many phases the network advances.
    pub phases: u32,
    /// One over its probability.
    pub ways: u64,
}

impl StateGraph {
    /// Finds all states.
    ///
    /// # Errors
    /// If the search was stopped.
    pub fn new(machine: &mut Machine, ledger: &Ledger) -> Result<Self, Stop> {
        Ok(Self::up_to(machine, ledger, usize::MAX)?.expect("there is no limit"))
    }

    /// Finds all states; `None` if there are more than this.
    ///
    /// # Errors
    /// If the search was stopped.
    pub fn up_to(machine: &mut Machine, ledger: &Ledger, at_most: usize) -> Result<Option<Self>, Stop> {
        let mut row = machine.first()?;
        let mut graph = Self {
            first_action: vec![],
            actions: vec![],
            edges: vec![],
            is_settled: vec![],
            tree: Tree::default(),
            store: States::new(row.cells().len()),
        };
        let mut page = Page::new(ledger);
        let mut duties = Duties::default();
        graph.store.insert(&row);
        let mut moves = vec![];
        let mut state = 0;
        while (state as usize) < graph.store.states() {
            if graph.store.states() > at_most {
                return Ok(None);
            }
            graph.store.load(state, &mut row);
            let here = row.moment();
            moves.clear();
            let owed = machine.moves(row.cells(), &mut moves);
            graph.is_settled.push(owed == 0);
            graph.first_action.push(graph.actions.len() as u32);
            for &step in &moves {
                let duty = duties.of(step, machine.plan().freedom.reorder);
                graph.actions.push(Action { step, duty, first_edge: graph.edges.len() as u32 });
                for way in 0..machine.ways(row.cells(), step)? {
                    let effect = machine.apply(&mut row, step, way)?;
                    let (to, is_new) = graph.store.insert(&row);
                    row.back_to(here);
                    if is_new {
                        graph.tree.push(state, step, way);
                    }
                    let (cost, phases, ways) = (effect.cost, effect.phases, effect.ways);
                    graph.edges.push(Edge { to, cost, phases, ways });
                    if (graph.edges.len() as u64).is_multiple_of(GLANCE) {
                        let (states, edges) = (graph.store.states() as u64, graph.edges.len() as u64);
                        page.enter(states, edges, 0, states - u64::from(state), machine.bytes() + graph.bytes())?;
                    }
                }
            }
            state += 1;
        }
        let (states, edges) = (graph.store.states() as u64, graph.edges.len() as u64);
        page.enter(states, edges, 0, 0, machine.bytes() + graph.bytes())?;
        graph.first_action.push(graph.actions.len() as u32);
        Ok(Some(graph))
    }

    fn bytes(&self) -> u64 {
        let edges = self.edges.len() * size_of::<Edge>();
        let actions = self.actions.len() * size_of::<Action>();
        self.store.bytes() + self.tree.bytes() + (edges + actions + 8 * self.is_settled.len()) as u64
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.is_settled.len()
    }

    /// The numbers of the actions of a state.
    pub fn actions_of(&self, state: u32) -> std::ops::Range<usize> {
        self.first_action[state as usize] as usize..self.first_action[state as usize + 1] as usize
    }

    /// An action by number.
    pub fn action(&self, action: usize) -> Action {
        self.actions[action]
    }

    /// All actions.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// The ways in which an action may go.
    pub fn edges_of(&self, action: usize) -> &[Edge] {
        let end = self.actions.get(action + 1).map_or(self.edges.len(), |next| next.first_edge as usize);
        &self.edges[self.actions[action].first_edge as usize..end]
    }

    /// The election messages of the cheapest schedule that settles, and of the dearest schedule of all. `None` if there
    /// is no such schedule, or no bound.
    pub fn costs(&self) -> (Option<u64>, Option<u64>) {
        let is_end = |state: u32| self.is_settled[state as usize];
        let most = costs::most(self.states(), |state| self.priced(state));
        let most = most.map(|(component, most)| most[component[0] as usize]);
        (costs::least(self.states(), is_end, |state| self.priced(state)), most)
    }

    fn priced(&self, state: u32) -> impl Iterator<Item = (u32, u32)> {
        self.actions_of(state).flat_map(|action| self.edges_of(action)).map(|edge| (edge.to, edge.cost))
    }

    /// A dearest schedule; `None` if there is no bound.
    pub fn dearest(&self) -> Option<Path> {
        let (component, most) = costs::most(self.states(), |state| self.priced(state))?;
        let value = |state: u32| most[component[state as usize] as usize];
        let (mut state, mut path) = (0, Path::new());
        // Each state is passed once: a cycle that costs nothing would not end.
        let mut passed = vec![false; self.states()];
        loop {
            passed[state as usize] = true;
            let ways = self.actions_of(state).flat_map(|action| {
                let step = self.action(action).step;
                (0..).zip(self.edges_of(action)).map(move |(way, edge)| (step, way, edge))
            });
            let dearest = ways.filter(|(.., edge)| !passed[edge.to as usize]);
            let dearest = dearest.max_by_key(|(.., edge)| u64::from(edge.cost) + value(edge.to));
            let Some((step, way, edge)) = dearest else { return Some(path) };
            path.push((step, way));
            state = edge.to;
        }
    }

    /// A shortest schedule with more than this many election messages; `None` if there is none.
    ///
    /// # Errors
    /// If it would look at more than `most` schedules.
    pub fn costing_more_than(&self, messages: u64, most: usize) -> Result<Option<Path>, Stop> {
        // By state: the most that a schedule so far has cost on the way there. A cheaper one that comes later is no
        // use.
        let mut dearest: Vec<Option<u64>> = vec![None; self.states()];
        dearest[0] = Some(0);
        // The states in the order of being reached, each with the place before, the move and the cost.
        let mut reached = vec![(0u32, usize::MAX, None, 0u64)];
        let mut next = 0;
        while next < reached.len() {
            let (state, _, _, cost) = reached[next];
            for action in self.actions_of(state) {
                for (way, edge) in (0..).zip(self.edges_of(action)) {
                    let cost = cost + u64::from(edge.cost);
                    let best = &mut dearest[edge.to as usize];
                    if best.is_some_and(|best| best >= cost) {
                        continue;
                    }
                    *best = Some(cost);
                    reached.push((edge.to, next, Some((self.action(action).step, way)), cost));
                    if cost > messages {
                        let before = |place: &usize| Some(reached[*place].1).filter(|place| *place != usize::MAX);
                        let back = std::iter::successors(Some(reached.len() - 1), before);
                        let mut path: Path = back.filter_map(|place| reached[place].2).collect();
                        path.reverse();
                        return Ok(Some(path));
                    }
                    if reached.len() > most {
                        return Err(Stop::States);
                    }
                }
            }
            next += 1;
        }
        Ok(None)
    }
}

/// Numbers for the moves that must happen some time.
#[derive(Default)]
struct Duties {
    numbers: FxHashMap<Transition, u32>,
}

impl Duties {
    /// On a FIFO link all deliveries are the same duty, independent of the message. Both deliveries of a repeated
    /// message are the same duty too.
    fn of(&mut self, step: Transition, reorder: bool) -> Option<u32> {
        let duty = match step {
            Transition::Deliver { link, parcel, .. } => {
                let parcel = if reorder { parcel.copy() } else { crate::queues::Parcel::fresh(0) };
                Transition::Deliver { link, parcel, keep: false }
            }
            other => other,
        };
        let next = self.numbers.len() as u32;
        step.is_owed().then(|| *self.numbers.entry(duty).or_insert(next))
    }
}
