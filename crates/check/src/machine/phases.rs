//! Phases are counted from the earliest one in a state. So states repeat, even if an election may go on for ever.

use super::{DEAD, Machine};
use crate::row::Row;

impl Machine {
    /// Counts everything back to the first phase. Returns by how many phases the latest has advanced, and by how many
    /// phases everything was counted back.
    pub(super) fn rewind(&mut self, latest_before: u64, row: &mut Row) -> (u32, u64) {
        let (earliest, latest) = self.phases(row.cells());
        let by = earliest.unwrap_or(1).saturating_sub(1);
        if by > 0 {
            for place in 0..self.layout.nodes {
                let local = row.cells()[place];
                if local != DEAD {
                    row.set(place, self.steps.rewind(local - 1, by) + 1);
                }
            }
            for place in self.layout.nodes..self.layout.extras() {
                let Self { steps, queues, .. } = self;
                let rewound = |message| steps.automaton_mut().rewind_message(message, by);
                row.set(place, queues.map(row.cells()[place], rewound));
            }
            self.steps.learn();
        }
        (latest.saturating_sub(latest_before) as u32, by)
    }

    /// The latest phase of a state.
    pub(super) fn latest_stage(&self, cells: &[u32]) -> u64 {
        self.phases(cells).1
    }

    /// The earliest and the latest phase of a state.
    fn phases(&self, cells: &[u32]) -> (Option<u64>, u64) {
        let processes = cells[..self.layout.nodes].iter().filter(|local| **local != DEAD);
        let processes = processes.filter_map(|local| self.steps.local(*local - 1).phase);
        let parcels = self.busy(cells).flat_map(|link| self.queues.content(self.queue(cells, link)));
        let messages = parcels.filter_map(|parcel| self.steps.message(parcel.message()).phase);
        let all = processes.chain(messages).map(|phase| phase.0);
        all.fold((None, 0), |(least, most): (Option<u64>, u64), phase| {
            (Some(least.map_or(phase, |least| least.min(phase))), most.max(phase))
        })
    }
}
