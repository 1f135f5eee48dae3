//! Stages are counted from the earliest that is still there: where an election may go on for ever, states come again.

use super::{DEAD, Machine};
use crate::row::Row;

impl Machine {
    /// Counts everything back to the first stage. Tells by how many stages the latest has advanced from this one, and by
    /// how many all were counted back.
    pub(super) fn rewind(&mut self, latest_before: u64, row: &mut Row) -> (u32, u64) {
        let (earliest, latest) = self.stages(row.cells());
        let by = earliest.unwrap_or(1).saturating_sub(1);
        if by > 0 {
            for place in 0..self.layout.nodes {
                let local = row.cells()[place];
                if local != DEAD {
                    row.set(place, self.steps.rewind(local - 1, by) + 1);
                }
            }
            for place in self.layout.nodes..self.layout.rest() {
                let Self { steps, queues, .. } = self;
                let rewound = |message| steps.automaton_mut().rewind_message(message, by);
                row.set(place, queues.map(row.cells()[place], rewound));
            }
            self.steps.learn();
        }
        (latest.saturating_sub(latest_before) as u32, by)
    }

    /// The latest stage of a state.
    pub(super) fn latest_stage(&self, cells: &[u32]) -> u64 {
        self.stages(cells).1
    }

    /// The earliest and the latest stage of a state.
    fn stages(&self, cells: &[u32]) -> (Option<u64>, u64) {
        let processes = cells[..self.layout.nodes].iter().filter(|local| **local != DEAD);
        let processes = processes.filter_map(|local| self.steps.local(*local - 1).stage);
        let parcels = self.busy(cells).flat_map(|link| self.queues.content(self.queue(cells, link)));
        let messages = parcels.filter_map(|parcel| self.steps.message(parcel.message()).stage);
        let all = processes.chain(messages).map(|stage| stage.0);
        all.fold((None, 0), |(least, most): (Option<u64>, u64), stage| {
            (Some(least.map_or(stage, |least| least.min(stage))), most.max(stage))
        })
    }
}
