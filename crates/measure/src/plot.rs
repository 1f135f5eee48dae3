//! A sweep as a chart.

use bellwether_draw::Caption;
use bellwether_draw::chart::{self, BoundKind, Chart, Drawn, Fit, Guide, Measured, Series};
use bellwether_world::numbers::grouped;

use crate::plan::Plan;
use crate::summary::{Bound, Curve};
use crate::{Findings, Networks, Quantity, letters};

/// The chart.
pub fn svg(findings: &Findings<'_>) -> String {
    let quantity = findings.quantity;
    let mut series: Vec<Series> = findings.curves.iter().map(|curve| series(findings.plan, curve, quantity)).collect();
    needed(findings, &mut series);
    let drawn = series.iter().flat_map(|series| &series.points).filter(|point| point.mean > 0.0);
    let sizes: Vec<u32> = drawn.map(|point| point.x as u32).collect();
    let range = match (sizes.iter().min(), sizes.iter().max()) {
        (Some(least), Some(most)) if least < most => format!("from {} to {} nodes", grouped(*least), grouped(*most)),
        (Some(size), _) => format!("{} nodes", grouped(*size)),
        _ => "nothing to draw".into(),
    };
    let runs = if findings.plan.runs == 1 { "1 run".into() } else { format!("{} runs", grouped(findings.plan.runs)) };
    let wrong = findings.wrong().count() as u64;
    let wrong = if wrong == 0 { String::new() } else { format!(" · {} elections went wrong", grouped(wrong)) };
    let unknown = findings.unknown().count() as u64;
    let unknown = if unknown == 0 { String::new() } else { format!(" · {} not judged", grouped(unknown)) };
    let part = findings.shard.map_or(String::new(), |shard| format!(" · part {shard} alone"));
    let (held, all) = (findings.rows.len() as u64, findings.planned);
    let stopped =
        if held < all { format!(" · stopped: {} of {} runs", grouped(held), grouped(all)) } else { String::new() };
    let caption = Caption {
        title: format!("{} on {}", capitalised(quantity.in_words()), findings.plan.networks),
        outcome: format!("{runs} each · {range}{part}{stopped}{wrong}{unknown}"),
        repeat: findings.repeat(),
    };
    let notes = notes(findings.plan, &series);
    let counts = matches!(quantity, Quantity::Messages | Quantity::Bits);
    let guide = counts.then(|| Guide { name: "n log n".into(), of: |n| n * libm::log2(n) });
    Chart { caption, x: "number of nodes n".into(), y: quantity.in_words().into(), notes, series, guide }.svg()
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
        name: curve.name.clone(),
        fit: curve.growth.map(|growth| Fit { law: growth.law(), of: Box::new(move |n| growth.at(n)) }),
        bounds: curve.bounds(quantity).iter().map(|bound| proved(plan, curve, bound)).collect(),
        note: (!said.is_empty()).then(|| said.join(", ")),
        points,
    }
}

/// Adds the lower bounds that hold for all algorithms of a kind, each to the first curve of its kind.
fn needed(findings: &Findings<'_>, series: &mut [Series]) {
    let Findings { plan, quantity: Quantity::Messages, curves, .. } = findings else { return };
    let mut told = vec![];
    for (curve, series) in curves.iter().zip(series) {
        let Some(needed) = curve.entrant.info.bounds.needed.filter(|_| plan.all_start(curve.entrant.info)) else {
            continue;
        };
        let nodes = || series.points.iter().map(|point| point.x as u32);
        let (Some(least), Some(most)) = (nodes().min(), nodes().max()) else { continue };
        let of = |nodes: u32| (needed.messages.of)(plan.size(curve.entrant.info, nodes));
        if told.contains(&needed.messages.text) {
            continue;
        }
        told.push(needed.messages.text);
        let formula = needed.messages.text.into();
        // Some bounds hold at some sizes only.
        let holds_everywhere = [least, least + 1, most].into_iter().all(|nodes| of(nodes).is_finite());
        let (points, drawn) = if holds_everywhere {
            (chart::traced(least, most, of), Drawn::Curve)
        } else {
            let there = nodes().filter(|nodes| of(*nodes) > 0.0);
            (there.map(|nodes| (f64::from(nodes), of(nodes))).collect(), Drawn::Dashes)
        };
        if !points.is_empty() {
            series.bounds.push(chart::Bound { formula, kind: BoundKind::Needed, points, drawn });
        }
    }
}

/// A proved bound. It is a curve if the number of nodes alone determines it. Otherwise it has points at the measured
/// sizes, for the networks that were drawn.
fn proved(plan: &Plan, curve: &Curve<'_>, bound: &Bound) -> chart::Bound {
    let measured = curve.points.iter().filter_map(|point| Some((point.nodes(), (bound.of)(point)?)));
    let measured: Vec<(u32, f64)> = measured.collect();
    let of = |nodes: u32| (bound.formula.of)(plan.size(curve.entrant.info, nodes));
    let follows = measured.iter().all(|(nodes, value)| (of(*nodes) - value).abs() <= 1e-9 * value);
    // Sizes that were too expensive to measure still have a bound.
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

/// Explains the letters and dashes that occur.
fn notes(plan: &Plan, series: &[Series]) -> String {
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
    let dashes = (!dashes.is_empty()).then(|| match &plan.networks {
        Networks::Kind(_) => format!("dashes sum up the networks of a size: {}", dashes.join(", ")),
        Networks::Given(_) => "a dash is what is proved about one network".into(),
    });
    let letters = Some(letters).filter(|letters| !letters.is_empty());
    letters.into_iter().chain(dashes).collect::<Vec<_>>().join(" · ")
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
