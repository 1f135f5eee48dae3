//! A sweep as a chart.

use std::path::PathBuf;

use bellwether_draw::Caption;
use bellwether_draw::chart::{self, Chart, Measured, Series};

use super::args::{Quantity, SweepArgs};
use super::summary::Curve;
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
    let sizes = || tale.curves.iter().flat_map(|curve| &curve.points).map(super::summary::Point::nodes);
    let (least, most) = (sizes().min().unwrap_or_default(), sizes().max().unwrap_or_default());
    let runs = if tale.plan.runs == 1 { "1 run".into() } else { format!("{} runs", grouped(tale.plan.runs)) };
    let wrong = tale.wrong().count() as u64;
    let wrong = if wrong == 0 { String::new() } else { format!(" · {} elections went wrong", grouped(wrong)) };
    let caption = Caption {
        title: format!("{} on {}", capitalised(quantity.in_words()), tale.plan.kind),
        outcome: format!("{runs} each · from {} to {} nodes{wrong}", grouped(least), grouped(most)),
        repeat: tale.repeat(),
    };
    let series = tale.curves.iter().map(|curve| series(curve, quantity)).collect();
    Chart { caption, x: "number of nodes n".into(), y: quantity.in_words().into(), series }.svg()
}

fn series(curve: &Curve<'_>, quantity: Quantity) -> Series {
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
    let bounds = curve.bounds(quantity).into_iter().map(|bound| {
        let measured = curve.points.iter().filter_map(|point| Some((point.nodes().into(), (bound.of)(point)?)));
        // What was too dear to be measured is still proved.
        let beyond = curve.skipped.iter().map(|cell| (cell.size.n, (bound.formula.of)(cell.size)));
        let points = measured.chain(beyond).filter(|(_, value)| *value > 0.0).collect();
        chart::Bound { formula: bound.formula.text.into(), kind: bound.kind, points }
    });
    Series {
        name: curve.info.name.into(),
        fit: curve.growth.map(|growth| (growth.factor, growth.exponent)),
        bounds: bounds.collect(),
        note: if zero {
            Some("always 0, so not on this scale".into())
        } else {
            curve.unit(quantity).map(|unit| format!("in {unit}"))
        },
        points,
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
