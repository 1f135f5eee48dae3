//! The processes that the workers run.

use bellwether_core::{Id, Local, Process, Settings as Parameters, Span, Truth, Unmet};

/// The processes of all workers, by position, asleep.
pub fn processes<P: Process>(ids: &[Id]) -> Result<Vec<P>, Unmet> {
    let size = ids.len();
    let parameters = Parameters::new();
    let process = |(position, &id): (usize, &Id)| {
        let neighbours = [ids[(position + 1) % size], ids[(position + size - 1) % size]];
        let truth = Truth {
            ports: 2,
            id,
            size: size as u64,
            diameter: size as u64 - 1,
            neighbours: &neighbours,
            max_delay: Span::UNIT,
        };
        P::new(&Local::granted(P::INFO, &truth, &parameters))
    };
    ids.iter().enumerate().map(process).collect()
}
