//! A sweep as a chart.

use std::path::PathBuf;

use bellwether_draw::Caption;
use bellwether_draw::chart::{self, BoundKind, Chart, Drawn, Measured, Series};

use super::args::{Quantity, SweepArgs};
use super::letters;
use super::plan::Plan;
use super::summary::{Bound, Curve};
use super::tell::Tale;
use crate::drawing::{Canvas, ground};
use crate::failure::Failure;
use crate::show::grouped;

/// The file of the chart, begun; its ending says what it is.
pub fn canvas(args: &SweepArgs) -> Result<Canvas, Failure> {
    let ending = |wanted: &str| {
        let is = |path: &&PathBuf| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(wanted));
        args.plot.as_ref().filter(is).cloned()
    };
    let (svg, png) = (ending("svg"), ending("png"));
    if let (Some(path), None, None) = (&args.plot, &svg, &png) {
        return Err(Failure::Usage(format!("--plot: {} ends neither in .svg nor in .png", path.display())));
    }
    if args.dark && png.is_none() {
        return Err(Failure::Usage("--dark is for a PNG: an SVG is as dark as its reader wants it".into()));
    }
    Canvas::new(&svg, &png, ground(args.dark))
}

/// The chart.
pub fn svg(tale: &Tale<'_>) -> String {
    let quantity = tale.args.quantity;
    let series: Vec<Series> = tale.curves.iter().map(|curve| series(tale.plan, curve, quantity)).collect();
    let drawn = series.iter().flat_map(|series| &series.points).filter(|point| point.mean > 0.0);
    let sizes: Vec<u32> = drawn.map(|point| point.x as u32).collect();
    let range = match (sizes.iter().min(), sizes.iter().max()) {
        (Some(least), Some(most)) if least < most => format!("from {} to {} nodes", grouped(*least), grouped(*most)),
        (Some(size), _) => format!("{} nodes", grouped(*size)),
        _ => "nothing to draw".into(),
    };
    let runs = if tale.plan.runs == 1 { "1 run".into() } else { format!("{} runs", grouped(tale.plan.runs)) };
    let wrong = tale.wrong().count() as u64;
    let wrong = if wrong == 0 { String::new() } else { format!(" · {} elections went wrong", grouped(wrong)) };
    let part = tale.args.shard.map_or(String::new(), |shard| format!(" · part {shard} alone"));
    let (held, all) = (tale.rows.len() as u64, tale.planned);
    let stopped =
        if held < all { format!(" · stopped: {} of {} runs", grouped(held), grouped(all)) } else { String::new() };
    let caption = Caption {
        title: format!("{} on {}", capitalised(quantity.in_words()), tale.plan.networks),
        outcome: format!("{runs} each · {range}{part}{stopped}{wrong}"),
        repeat: tale.repeat(),
    };
    let notes = notes(&series);
    Chart { caption, x: "number of nodes n".into(), y: quantity.in_words().into(), notes, series }.svg()
}

fn series(plan: &Plan, curve: &Curve<'_>, quantity: Quantity) -> Series {
    let points: Vec<Measured> = curve
        .points
        .iter()
        .filter_map(|point| {
            let sample = point.sample?;
            let x = point.nodes().into();
            Some(Measured { x, mean: sample.mean, least: sample.least, most: sample.most })
        })
        .collect();
    let zero = !points.is_empty() && points.iter().all(|point| point.mean == 0.0);
    let counts_apart = curve.has_overhead() && matches!(quantity, Quantity::Messages | Quantity::Bits);
    let said = [
        zero.then(|| "always 0, so not on this scale".into()),
        curve.unit(quantity).filter(|_| !zero).map(|unit| format!("in {unit}")),
        counts_apart.then(|| "without the synchronizer's messages".into()),
    ];
    let said: Vec<String> = said.into_iter().flatten().collect();
    Series {
        name: curve.info.name.into(),
        fit: curve.growth.map(|growth| (growth.factor, growth.exponent)),
        bounds: curve.bounds(quantity).iter().map(|bound| proved(plan, curve, bound)).collect(),
        note: (!said.is_empty()).then(|| said.join(", ")),
        points,
    }
}

/// What is proved, as a curve where the number of nodes alone determines it; else as it is on the networks that were
/// drawn, at the sizes that were measured.
fn proved(plan: &Plan, curve: &Curve<'_>, bound: &Bound) -> chart::Bound {
    let measured = curve.points.iter().filter_map(|point| Some((point.nodes(), (bound.of)(point)?)));
    let measured: Vec<(u32, f64)> = measured.collect();
    let of = |nodes: u32| (bound.formula.of)(plan.size(curve.info, nodes));
    let follows = measured.iter().all(|(nodes, value)| (of(*nodes) - value).abs() <= 1e-9 * value);
    // What was too dear to be measured is still proved.
    let sizes = || measured.iter().map(|(nodes, _)| *nodes).chain(curve.skipped.iter().map(|cell| cell.nodes()));
    let (points, drawn) = match (sizes().min(), sizes().max()) {
        (Some(least), Some(most)) if follows => (chart::traced(least, most, of), Drawn::Curve),
        _ => {
            let positive = measured.iter().filter(|(_, value)| *value > 0.0);
            (positive.map(|(nodes, value)| (f64::from(*nodes), *value)).collect(), Drawn::Dashes)
        }
    };
    chart::Bound { formula: bound.formula.text.into(), kind: bound.kind, points, drawn }
}

/// What letters and dashes mean, as far as there are any.
fn notes(series: &[Series]) -> String {
    let bounds = || series.iter().flat_map(|series| &series.bounds).filter(|bound| !bound.points.is_empty());
    let letters = letters::explained(bounds().map(|bound| &bound.formula[..]));
    let of_dashes = [
        (BoundKind::Exact, "the mean of what is exact"),
        (BoundKind::Average, "the mean of what is on average"),
        (BoundKind::Most, "the largest of what is at most"),
        (BoundKind::Least, "the smallest of what is at least"),
    ];
    let is_dashed = |kind: BoundKind| bounds().any(|bound| bound.drawn == Drawn::Dashes && bound.kind == kind);
    let dashes: Vec<&str> = of_dashes.into_iter().filter(|(kind, _)| is_dashed(*kind)).map(|(_, text)| text).collect();
    let dashes = (!dashes.is_empty()).then(|| format!("dashes sum up the networks of a size: {}", dashes.join(", ")));
    let letters = Some(letters).filter(|letters| !letters.is_empty());
    letters.into_iter().chain(dashes).collect::<Vec<_>>().join(" · ")
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
