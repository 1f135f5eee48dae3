//! Whether a row agrees with what is proved: its bounds with the formulas, and its costs with its bounds.

use bellwether_core::{Formula, Info, Model, Size};
use bellwether_world::Timing;

use crate::row::{Row, Written};

/// Bounds are computed in floating point.
const TOLERANCE: f64 = 1e-9;

/// The first column in which a right election exceeds its own bounds; `None` if none does. The judge accepts no such
/// election.
pub fn exceeds(row: &Row) -> Option<String> {
    let Row { messages, announce, time, phases, proved_best, proved_worst, proved_announce, proved_time, .. } = row;
    let above = |column: &str, measured: f64, bound: &Option<Written<f64>>, name: &str| {
        let bound = bound.as_ref().map(|bound| bound.0).filter(|bound| measured > bound * (1.0 + TOLERANCE))?;
        Some(format!("column {column}: {measured} is more than {name} {bound}"))
    };
    let below = || {
        let best = proved_best.as_ref().map(|best| best.0);
        let best = best.filter(|best| (*messages as f64) < best * (1.0 - TOLERANCE))?;
        Some(format!("column messages: {messages} is less than proved_best {best}"))
    };
    above("messages", *messages as f64, proved_worst, "proved_worst")
        .or_else(below)
        .or_else(|| above("announce", *announce as f64, proved_announce, "proved_announce"))
        .or_else(|| above("time", time.as_ref()?.0.as_f64(), proved_time, "proved_time"))
        .or_else(|| above("phases", (*phases)? as f64, &row.proved_phases, "proved_phases"))
        .or_else(|| above("failover", row.failover.as_ref()?.0.as_f64(), &row.proved_failover, "proved_failover"))
}

/// The first bound that is not what the formula gives; `None` if all are. A formula is left out if it depends on
/// something in which the sizes differ. `proves` says which bounds there are.
pub fn contradicts(row: &Row, info: &Info, sizes: [Size; 2], proves: [bool; 8]) -> Option<String> {
    let (bounds, phases) = (&info.bounds, info.phases.as_ref());
    let ahead = if info.model == Model::Asynchronous && row.timing == Timing::Rounds { 1.0 } else { 0.0 };
    let columns = [
        ("proved_best", &row.proved_best, bounds.best.as_ref(), 0.0),
        ("proved_mean", &row.proved_mean, bounds.mean.as_ref(), 0.0),
        ("proved_worst", &row.proved_worst, bounds.worst.as_ref(), 0.0),
        ("proved_announce", &row.proved_announce, Some(&bounds.announce), 0.0),
        ("proved_time", &row.proved_time, bounds.time.as_ref(), ahead),
        ("proved_mean_phases", &row.proved_mean_phases, phases.and_then(|phases| phases.mean.as_ref()), 0.0),
        ("proved_phases", &row.proved_phases, phases.and_then(|phases| phases.most.as_ref()), 0.0),
        ("proved_failover", &row.proved_failover, bounds.failover.as_ref().map(|bound| &bound.formula), 0.0),
    ];
    columns.into_iter().zip(proves).find_map(|((column, told, formula, more), is_proved)| {
        let formula = formula.filter(|_| is_proved);
        let (told, Formula { text, of }) = match (told, formula) {
            (Some(told), Some(formula)) => (told.0, formula),
            (Some(told), None) => {
                return Some(format!("column {column}: {}, where nothing is proved about {}", told.0, info.name));
            }
            (None, Some(formula)) => {
                return Some(format!("column {column} is empty, where the formula {} holds", formula.text));
            }
            (None, None) => return None,
        };
        let [one, other] = sizes.map(|size| of(size) + more);
        let differs = one == other && (told - one).abs() > TOLERANCE * one.abs().max(1.0);
        differs.then(|| format!("column {column}: {told}, where the formula {text} gives {one}"))
    })
}
