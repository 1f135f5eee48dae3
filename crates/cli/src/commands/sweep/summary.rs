//! Rows by algorithm and size: what was measured beside what is proved, and how it grows.

use bellwether_core::{Formula, Info};
use bellwether_draw::chart::BoundKind;

use super::args::Quantity;
use super::plan::{Cell, Plan};
use super::row::Row;
use super::statistics::{Growth, Sample};

/// What was measured of an algorithm.
pub struct Curve<'a> {
    /// The algorithm.
    pub info: &'static Info,
    /// By size, in ascending order.
    pub points: Vec<Point<'a>>,
    /// How the mean grows with the number of nodes.
    pub growth: Option<Growth>,
    /// The sizes that it could not afford.
    pub skipped: Vec<&'a Cell>,
}

/// What is proved of an algorithm, where it applies.
pub struct Bound {
    /// As a function of the network.
    pub formula: &'static Formula,
    /// What it says.
    pub kind: BoundKind,
    /// What it comes to at a size.
    pub of: fn(&Point<'_>) -> Option<f64>,
}

impl Curve<'_> {
    /// What a quantity is counted in, where that is not the same for all algorithms.
    pub fn unit(&self, quantity: Quantity) -> Option<&'static str> {
        let timing = self.points.first()?.rows[0].timing;
        (quantity == Quantity::Time).then(|| timing.unit())
    }

    /// Whether there is anything that a synchronizer sent.
    pub fn has_overhead(&self) -> bool {
        self.points.iter().any(|point| point.overhead > 0.0)
    }

    /// What is proved about a quantity.
    pub fn bounds(&self, quantity: Quantity) -> Vec<Bound> {
        let bounds = &self.info.bounds;
        let (mean, worst) = (bounds.mean.as_ref(), bounds.worst.as_ref());
        let average = |formula| (formula, BoundKind::Average);
        let most = |formula| (formula, BoundKind::Most);
        let said = match quantity {
            Quantity::Messages => match (mean, worst) {
                (Some(mean), Some(worst)) if mean.text == worst.text => [None, Some((worst, BoundKind::Exact))],
                (None, None) => [None, bounds.best.as_ref().map(|formula| (formula, BoundKind::Least))],
                _ => [mean.map(average), worst.map(most)],
            },
            Quantity::Announce => [None, Some((&bounds.announce, BoundKind::Exact))],
            Quantity::Time => [None, bounds.time.as_ref().map(most)],
            Quantity::Bits | Quantity::PerNode => [None, None],
        };
        let bound = |(formula, kind): (&'static Formula, BoundKind)| {
            let of: fn(&Point<'_>) -> Option<f64> = match kind {
                BoundKind::Least => |point| point.best,
                BoundKind::Average => |point| point.mean,
                BoundKind::Most => |point| point.worst,
                BoundKind::Exact => |point| point.exact,
            };
            Bound { formula, kind, of }
        };
        let said = said.into_iter().flatten().map(bound);
        said.filter(|bound| self.points.iter().any(|point| (bound.of)(point).is_some())).collect()
    }
}

/// What was measured of an algorithm on networks of one size.
pub struct Point<'a> {
    /// Its runs.
    pub rows: &'a [Row],
    /// How many of them were right.
    pub right: usize,
    /// What those took; `None` if there is none.
    pub sample: Option<Sample>,
    /// At least so much was proved, on the network where that is least;
    pub best: Option<f64>,
    /// so much on average,
    pub mean: Option<f64>,
    /// and at most so much, on the network where that is most.
    pub worst: Option<f64>,
    /// Where what is proved at most is also proved at least: so much, on average over the networks.
    pub exact: Option<f64>,
    /// The most that a run took by what is proved at most on its network.
    pub of_worst: Option<f64>,
    /// What a synchronizer sent besides, on average.
    pub overhead: f64,
}

impl Point<'_> {
    /// The number of nodes.
    pub fn nodes(&self) -> u32 {
        self.rows[0].nodes
    }

    /// In how many of the runs everybody was told a bound on the diameter only.
    pub fn diameter_bounds(&self) -> usize {
        self.rows.iter().filter(|row| row.diameter_bound.is_some()).count()
    }

    /// What was measured on average by what is proved on average.
    pub fn of_mean(&self) -> Option<f64> {
        ratio(self.sample.map(|sample| sample.mean), self.mean)
    }
}

fn ratio(measured: Option<f64>, proved: Option<f64>) -> Option<f64> {
    measured.zip(proved.filter(|proved| *proved > 0.0)).map(|(measured, proved)| measured / proved)
}

/// The curves of a quantity, in the order in which the algorithms were named; those with no runs are left out.
pub fn curves<'a>(plan: &'a Plan, rows: &'a [Row], quantity: Quantity) -> Vec<Curve<'a>> {
    let cells: Vec<&[Row]> = rows.chunk_by(|a, b| a.algorithm == b.algorithm && a.nodes == b.nodes).collect();
    let curve = |info: &&'static Info| {
        let cells = cells.iter().filter(|rows| rows[0].algorithm == info.name);
        let points: Vec<Point<'_>> = cells.map(|rows| point(rows, quantity)).collect();
        let means = points.iter().filter_map(|point| Some((f64::from(point.nodes()), point.sample?.mean)));
        let growth = Growth::of(&means.collect::<Vec<_>>());
        let skipped = plan.skipped.iter().filter(|cell| cell.info.name == info.name).collect();
        Curve { info, points, growth, skipped }
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
    // The mean of equal numbers, added up, may be another one.
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
        of_worst: of_worst.reduce(f64::max),
        overhead: Sample::of(&overhead).map_or(0.0, |sample| sample.mean),
    }
}
