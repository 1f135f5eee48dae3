//! Rows grouped by algorithm and size: measured values beside proved bounds, and how they grow.

use bellwether_core::Formula;
use bellwether_draw::chart::BoundKind;

use crate::plan::{Cell, Entrant, Plan};
use crate::row::Row;
use crate::statistics::{Growth, Sample};
use crate::{Networks, Quantity};

/// The measurements of an algorithm with its ids.
pub struct Curve<'a> {
    /// The algorithm and its ids.
    pub entrant: &'a Entrant,
    /// What it is called: the algorithm, and its ids if there are several.
    pub name: String,
    /// The points by size, in ascending order.
    pub points: Vec<Point<'a>>,
    /// How the mean grows with the number of nodes.
    pub growth: Option<Growth>,
    /// The cells that the budget excludes.
    pub skipped: Vec<&'a Cell>,
}

/// A proved bound of an algorithm, if it applies.
pub struct Bound {
    /// The formula of the bound.
    pub formula: &'static Formula,
    /// What the bound limits.
    pub kind: BoundKind,
    /// The value of the bound at a point.
    pub of: fn(&Point<'_>) -> Option<f64>,
}

impl Curve<'_> {
    /// The unit of a quantity, if it is not the same for all algorithms.
    pub fn unit(&self, quantity: Quantity) -> Option<&'static str> {
        let timing = self.points.first()?.rows[0].timing;
        match quantity {
            Quantity::Time | Quantity::Failover => Some(timing.unit()),
            Quantity::Phases => self.entrant.info.phases.map(|phases| phases.name).filter(|name| *name != "phases"),
            _ => None,
        }
    }

    /// Whether a synchronizer sent any messages.
    pub fn has_overhead(&self) -> bool {
        self.points.iter().any(|point| point.overhead > 0.0)
    }

    /// The proved bounds of a quantity.
    pub fn bounds(&self, quantity: Quantity) -> Vec<Bound> {
        let bounds = &self.entrant.info.bounds;
        let (mean, worst) = (bounds.mean.as_ref(), bounds.worst.as_ref());
        let best = bounds.best.as_ref().filter(|_| mean.is_none() && worst.is_none());
        let is_exact = mean.zip(worst).is_some_and(|(mean, worst)| mean.text == worst.text);
        // Every proved curve of a quantity is a line of this table.
        let said = match quantity {
            Quantity::Messages if is_exact => vec![(worst, BoundKind::Exact)],
            Quantity::Messages => {
                vec![(best, BoundKind::Least), (mean, BoundKind::Average), (worst, BoundKind::Most)]
            }
            Quantity::Announce => vec![(Some(&bounds.announce), BoundKind::Exact)],
            Quantity::Time => vec![(bounds.time.as_ref(), BoundKind::Most)],
            Quantity::Phases => {
                let phases = self.entrant.info.phases.as_ref();
                let mean = phases.and_then(|phases| phases.mean.as_ref());
                let most = phases.and_then(|phases| phases.most.as_ref());
                vec![(mean, BoundKind::Average), (most, BoundKind::Most)]
            }
            Quantity::Failover => {
                vec![(bounds.failover.as_ref().map(|bound| &bound.formula), BoundKind::Most)]
            }
            Quantity::Bits | Quantity::PerNode => vec![],
        };
        let bound = |(formula, kind): (&'static Formula, BoundKind)| {
            let of: fn(&Point<'_>) -> Option<f64> = match kind {
                BoundKind::Least => |point| point.best,
                BoundKind::Average => |point| point.mean,
                BoundKind::Most => |point| point.worst,
                BoundKind::Exact => |point| point.exact,
                BoundKind::Needed => |_| None, // it is no bound of a run
            };
            Bound { formula, kind, of }
        };
        let said = said.into_iter().filter_map(|(formula, kind)| Some(bound((formula?, kind))));
        said.filter(|bound| self.points.iter().any(|point| (bound.of)(point).is_some())).collect()
    }
}

/// The measurements of an algorithm on networks of one size.
pub struct Point<'a> {
    /// The runs.
    pub rows: &'a [Row],
    /// The number of runs that were right.
    pub right: usize,
    /// The values of the runs that were right; `None` if there are none.
    pub sample: Option<Sample>,
    /// The proved minimum, smallest over the networks.
    pub best: Option<f64>,
    /// The proved mean, averaged over the networks.
    pub mean: Option<f64>,
    /// The proved maximum, largest over the networks.
    pub worst: Option<f64>,
    /// The proved maximum, averaged over the networks. It is used where it is also the minimum.
    pub exact: Option<f64>,
    /// The largest ratio of a run's value to the proved maximum on its network.
    pub of_worst: Option<f64>,
    /// The mean number of messages of a synchronizer.
    pub overhead: f64,
}

impl Point<'_> {
    /// The number of nodes.
    pub fn nodes(&self) -> u32 {
        self.rows[0].nodes
    }

    /// The number of runs in which the nodes were only told a bound on the diameter.
    pub fn diameter_bounds(&self) -> usize {
        self.rows.iter().filter(|row| row.diameter_bound.is_some()).count()
    }

    /// The values that these parts of the right runs do not exceed; `None` if there are no values.
    pub fn quantiles<const N: usize>(&self, quantity: Quantity, parts: [f64; N]) -> Option<[f64; N]> {
        let mut values: Vec<f64> =
            self.rows.iter().filter(|row| row.ok).filter_map(|row| row.value(quantity)).collect();
        values.sort_by(f64::total_cmp);
        let place = |part: f64| ((part * values.len() as f64).ceil() as usize).clamp(1, values.len()) - 1;
        (!values.is_empty()).then(|| parts.map(|part| values[place(part)]))
    }

    /// The measured mean divided by the proved mean.
    pub fn of_mean(&self) -> Option<f64> {
        ratio(self.sample.map(|sample| sample.mean), self.mean)
    }
}

fn ratio(measured: Option<f64>, proved: Option<f64>) -> Option<f64> {
    measured.zip(proved.filter(|proved| *proved > 0.0)).map(|(measured, proved)| measured / proved)
}

/// The curves of a quantity, in the order in which the algorithms were named. Algorithms without runs are left out.
pub fn curves<'a>(plan: &'a Plan, rows: &'a [Row], quantity: Quantity) -> Vec<Curve<'a>> {
    let same = |a: &Row, b: &Row| a.algorithm == b.algorithm && a.ids == b.ids && a.topology == b.topology;
    let cells: Vec<&[Row]> = rows.chunk_by(same).collect();
    let curve = |entrant: &'a Entrant| {
        let ids = entrant.ids();
        let cells = cells.iter().filter(|rows| rows[0].algorithm == entrant.info.name && rows[0].ids == ids);
        let points: Vec<Point<'_>> = cells.map(|rows| point(rows, quantity)).collect();
        let means = points.iter().filter_map(|point| Some((f64::from(point.nodes()), point.sample?.mean)));
        let means: Vec<(f64, f64)> = means.collect();
        let sizes = means.chunk_by(|(a, _), (b, _)| a == b).count();
        // Two networks that are given need not have more in common than their sizes.
        let enough = if matches!(plan.networks, Networks::Given(_)) { 3 } else { 2 };
        let growth = (sizes >= enough).then(|| Growth::of(&means)).flatten();
        let skipped = plan.skipped.iter().filter(|cell| cell.entrant.is(entrant)).collect();
        let others = plan.entrants.iter().filter(|other| other.info.name == entrant.info.name).count();
        let ids = ids.filter(|_| others > 1).map_or(String::new(), |ids| format!(", {ids} ids"));
        let name = format!("{}{ids}", entrant.info.name);
        Curve { entrant, name, points, growth, skipped }
    };
    plan.entrants.iter().map(curve).filter(|curve| !curve.points.is_empty()).collect()
}

fn point(rows: &[Row], quantity: Quantity) -> Point<'_> {
    let right = rows.iter().filter(|row| row.ok);
    let values: Vec<f64> = right.clone().filter_map(|row| row.value(quantity)).collect();
    let proved = |which: usize| {
        let all: Option<Vec<f64>> = rows.iter().map(|row| row.proved(quantity)[which]).collect();
        Sample::of(&all?)
    };
    let overhead: Vec<f64> = right.clone().map(|row| row.overhead as f64).collect();
    // Rounding could make the mean of equal numbers differ from them.
    let average = |sample: Sample| if sample.least == sample.most { sample.least } else { sample.mean };
    let of_worst = right.clone().filter_map(|row| ratio(row.value(quantity), row.proved(quantity)[2]));
    Point {
        rows,
        right: right.count(),
        sample: Sample::of(&values),
        best: proved(0).map(|sample| sample.least),
        mean: proved(1).map(average),
        worst: proved(2).map(|sample| sample.most),
        exact: proved(2).map(average),
        of_worst: proved(2).and_then(|_| of_worst.reduce(f64::max)),
        overhead: Sample::of(&overhead).map_or(0.0, |sample| sample.mean),
    }
}
