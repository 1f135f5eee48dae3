//! Random numbers from one seed. Each purpose has its own stream, the same on every machine and in every version.
//!
//! The generator is `ChaCha8`. Its output is fixed by its specification, and it has 2^64 independent streams. Any place
//! of a stream can be reached at once, so a process' stream costs one number instead of a generator. Numbers below a
//! bound, orders and delays are made from the bits here, because a library may change its method.

use bellwether_core::{Draws, Span};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// What random numbers are used for. The streams are independent: the delays of a run do not change its ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The order of the ids.
    Ids,
    /// The set of initiators.
    Initiators,
    /// How long messages take.
    Delays,
    /// The random choices of this process.
    Choices(u32),
    /// Which messages suffer a fault.
    Faults,
    /// The links of a random network.
    Topology,
    /// The seeds of repeated runs on networks with this number of nodes.
    Runs(u32),
    /// Random faults, and when they strike.
    Incidents,
    /// The exercise of this student from this template.
    Exercise(u32, u32),
}

/// One stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream of this purpose in the run with this seed.
    #[must_use]
    pub fn new(seed: u64, purpose: Purpose) -> Self {
        let (domain, stream) = match purpose {
            Purpose::Ids => (1, 0),
            Purpose::Initiators => (2, 0),
            Purpose::Delays => (3, 0),
            Purpose::Choices(node) => (4, u64::from(node)),
            Purpose::Faults => (6, 0),
            Purpose::Topology => (5, 0),
            Purpose::Runs(nodes) => (7, u64::from(nodes)),
            Purpose::Incidents => (9, 0),
            Purpose::Exercise(student, template) => (8, u64::from(student) << 32 | u64::from(template)),
        };
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8] = domain;
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        Self(generator)
    }

    /// The same stream, continued from a position that [`place`](Self::place) returned.
    #[must_use]
    pub fn at(mut self, place: u64) -> Self {
        self.0.set_word_pos(place.into());
        self
    }

    /// How far the stream has been read.
    #[must_use]
    pub fn place(&self) -> u64 {
        self.0.get_word_pos() as u64
    }

    /// A number in `0..bound`, each with exactly the same probability (Lemire's multiplication, with rejection).
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "nothing to choose from");
        let unfair = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.0.next_u64()) * u128::from(bound);
            if product as u64 >= unfair {
                return (product >> 64) as u64;
            }
        }
    }

    /// A number spread evenly over (0, 1].
    pub fn unit(&mut self) -> f64 {
        const STEPS: u64 = 1 << f64::MANTISSA_DIGITS;
        (self.below(STEPS) + 1) as f64 / STEPS as f64
    }

    /// Shuffles `items`: all orders have the same probability (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end as u64 + 1) as usize);
        }
    }

    /// A delay spread evenly over (0, 1].
    #[inline]
    pub fn uniform_delay(&mut self) -> Span {
        uniform(self.0.next_u32())
    }
}

impl Draws for Stream {
    fn draw(&mut self, arity: u64) -> u64 {
        self.below(arity)
    }
}

/// The delays of messages. The delay of the k-th message in one direction of a link depends only on the seed, the
/// direction and k. So all algorithms meet the same delays on a network, and can be compared.
///
/// The bits are a hash of direction and number, with a key from the stream of delays. They are mixed as in `SplitMix64`
/// (Steele, Lea and Flood, 2014).
#[derive(Clone, Copy, Debug)]
pub struct Delays(u64);

impl Delays {
    /// The delays in the run with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Stream::new(seed, Purpose::Delays).0.next_u64())
    }

    /// The delays in one direction of a link, starting with message 0.
    #[inline]
    #[must_use]
    pub fn in_direction(self, direction: usize) -> DelaysAhead {
        DelaysAhead(mixed(self.0.wrapping_add(STEP.wrapping_mul(direction as u64))))
    }
}

/// The delays in one direction of a link, starting with some message.
#[derive(Clone, Copy, Debug)]
pub struct DelaysAhead(u64);

impl DelaysAhead {
    /// The delays that remain after this number of messages.
    #[inline]
    #[must_use]
    pub fn after(self, messages: u64) -> Self {
        Self(self.0.wrapping_add(STEP.wrapping_mul(messages)))
    }

    /// The first of these delays, spread evenly over (0, 1].
    #[inline]
    #[must_use]
    pub fn uniform(self) -> Span {
        uniform(self.bits())
    }

    /// The first of these delays, from the exponential distribution of rate 4, given that it is at most 1.
    #[must_use]
    pub fn exponential(self) -> Span {
        const RATE: f64 = 4.0;
        let within = -libm::expm1(-RATE);
        let uniform = f64::from(self.bits()) / (f64::from(u32::MAX) + 1.0);
        let delay = -libm::log1p(-uniform * within) / RATE;
        Span(((delay * Span::UNIT.0 as f64) as u64 + 1).min(Span::UNIT.0))
    }

    #[inline]
    fn bits(self) -> u32 {
        (mixed(self.0) >> 32) as u32
    }
}

/// The golden ratio as a 64-bit fraction: the step of `SplitMix64`.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits: every bit of the result depends on all bits.
#[inline]
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// A delay spread evenly over (0, 1].
#[inline]
fn uniform(bits: u32) -> Span {
    Span(((u64::from(bits) * Span::UNIT.0) >> 32) + 1)
}

/// The seed of a run on a network with this number of nodes. Runs are numbered from 0. Every size has its own seeds.
/// The seed has 53 bits, so readers of JSON keep it exactly.
#[must_use]
pub fn seed_of_run(seed: u64, nodes: u32, run: u32) -> u64 {
    const WORDS: u64 = 2;
    Stream::new(seed, Purpose::Runs(nodes)).at(WORDS * u64::from(run)).below(1 << f64::MANTISSA_DIGITS)
}

/// The random choices of all processes: scripted first, then from each one's own stream.
#[derive(Clone, Debug)]
pub struct Choices {
    seed: u64,
    /// By node: the scripted values, which are taken first.
    script: Vec<Vec<u64>>,
    /// By node: the number of scripted values taken, and the position in the stream. Empty until a process chooses.
    taken: Vec<(u32, u64)>,
    nodes: u32,
    misfit: Option<String>,
}

impl Choices {
    /// Choices for this number of nodes; `script` may have fewer entries.
    #[must_use]
    pub fn new(seed: u64, nodes: u32, script: Vec<Vec<u64>>) -> Self {
        Self { seed, script, taken: Vec::new(), nodes, misfit: None }
    }

    /// The next choice of `node` among `arity` values.
    pub fn choose(&mut self, node: u32, arity: u64) -> u64 {
        if self.taken.is_empty() {
            self.taken = vec![(0, 0); self.nodes as usize];
        }
        let (scripted, place) = &mut self.taken[node as usize];
        let script = self.script.get(node as usize).map_or(&[][..], Vec::as_slice);
        if let Some(&value) = script.get(*scripted as usize) {
            *scripted += 1;
            if value < arity {
                return value;
            }
            self.misfit.get_or_insert(format!(
                "draw {scripted} of node {node} is scripted as {value}, but the choice is among 0 to {}",
                arity - 1
            ));
            return 0;
        }
        let mut stream = Stream::new(self.seed, Purpose::Choices(node)).at(*place);
        let value = stream.below(arity);
        *place = stream.place();
        value
    }

    /// The first scripted value that was outside its choice, as a message.
    #[must_use]
    pub fn misfit(&self) -> Option<&str> {
        self.misfit.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values that every version must give: a change here changes every recorded run.
    #[test]
    fn the_streams_never_change() {
        let mut ids: Vec<u64> = (1..=10).collect();
        Stream::new(1, Purpose::Ids).shuffle(&mut ids);
        assert_eq!(ids, [9, 2, 7, 5, 1, 6, 10, 4, 8, 3]);
        let mut stream = Stream::new(1, Purpose::Delays);
        assert_eq!([(); 3].map(|()| stream.uniform_delay().0), [173232, 503293, 548817]);
        let delays = |(direction, number)| Delays::new(1).in_direction(direction).after(number);
        let delays = [(0, 0), (0, 1), (5, 3)].map(delays);
        assert_eq!(delays.map(|delays| delays.uniform().0), [444171, 421323, 802046]);
        assert_eq!(delays.map(|delays| delays.exponential().0), [143192, 133441, 387034]);
        let mut choices = Choices::new(1, 2, vec![]);
        assert_eq!([0, 1, 0, 1, 0].map(|node| choices.choose(node, 100)), [65, 1, 81, 74, 95]);
        assert_eq!(
            [(8, 0), (8, 1), (16, 0)].map(|(nodes, run)| seed_of_run(1, nodes, run)),
            [2605542092086509, 4856810338039373, 5778755541827194]
        );
    }

    #[test]
    fn a_process_draws_the_same_whatever_the_others_do() {
        let mut alone = Choices::new(7, 3, vec![]);
        let mut among = Choices::new(7, 3, vec![]);
        for _ in 0..100 {
            among.choose(0, 6);
            assert_eq!(alone.choose(2, 6), among.choose(2, 6));
            among.choose(1, 3);
        }
    }

    #[test]
    fn scripted_draws_come_first_and_must_fit() {
        let mut scripted = Choices::new(7, 2, vec![vec![], vec![4, 9]]);
        let mut free = Choices::new(7, 2, vec![]);
        assert_eq!(scripted.choose(1, 5), 4);
        assert_eq!(scripted.misfit(), None);
        scripted.choose(1, 5);
        assert_eq!(scripted.misfit(), Some("draw 2 of node 1 is scripted as 9, but the choice is among 0 to 4"));
        assert_eq!(scripted.choose(1, 5), free.choose(1, 5), "then the seed goes on");
    }

    #[test]
    fn numbers_below_a_bound_are_even() {
        let mut stream = Stream::new(3, Purpose::Ids);
        let mut seen = [0; 6];
        for _ in 0..60_000 {
            seen[stream.below(6) as usize] += 1;
        }
        // Six standard deviations of a binomial with p = 1/6.
        assert!(seen.iter().all(|&count: &i32| (count - 10_000).abs() < 550), "{seen:?}");
    }

    #[test]
    fn delays_stay_in_the_unit_interval_and_have_their_means() {
        let delays = Delays::new(5);
        let mean = |sum: u64| sum as f64 / 1e5 / Span::UNIT.0 as f64;
        // Many messages on one link, one on each of many, and a hundred on each of a thousand.
        for (links, messages) in [(1, 100_000), (100_000, 1), (1_000, 100)] {
            let mut sums = [0, 0];
            for (direction, number) in (0..links).flat_map(|link| (0..messages).map(move |number| (link, number))) {
                let delays = delays.in_direction(direction).after(number);
                let delays = [delays.uniform(), delays.exponential()];
                assert!(delays.iter().all(|&delay| Span(0) < delay && delay <= Span::UNIT), "{delays:?}");
                sums = [sums[0] + delays[0].0, sums[1] + delays[1].0];
            }
            assert!((mean(sums[0]) - 0.5).abs() < 0.005);
            // 1/4 - e^-4/(1 - e^-4)
            assert!((mean(sums[1]) - 0.231_342).abs() < 0.005);
        }
    }

    #[test]
    fn delays_of_neighbouring_links_and_messages_have_nothing_to_do_with_each_other() {
        let delays = Delays::new(9);
        let uniform = |direction, number| delays.in_direction(direction).after(number).uniform();
        let centred = |direction, number| uniform(direction, number).0 as f64 / Span::UNIT.0 as f64 - 0.5;
        for (link, message) in [(0, 1), (1, 0), (1, 1), (2, 0)] {
            let products = (0..300).flat_map(|direction| {
                (0..300).map(move |number| centred(direction, number) * centred(direction + link, number + message))
            });
            // The mean of 90,000 products of variance 1/144: six standard deviations.
            assert!((products.sum::<f64>() / 90_000.0).abs() < 6.0 / 12.0 / 300.0);
        }
    }
}
