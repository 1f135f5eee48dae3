//! The output of a sweep: a table as text, an object as JSON.

use std::io::{self, Write};

use bellwether_ask::line;
use bellwether_console::Here;
use bellwether_console::failure::Failure;
use bellwether_console::style::{BAD, BOLD, DIM};
use bellwether_console::table::align;
use bellwether_measure::{Curve, Findings, LogLinear, Networks, Point, Quantity, Row, Sample};
use bellwether_tell::Object;
use bellwether_world::numbers::{grouped, number, plain};
use serde_json::{Value, json};

use super::args::SweepArgs;

/// The largest number of wrong elections listed.
const SHOWN: usize = 5;

/// Everything that is reported.
pub struct SweepReport<'a> {
    /// The options.
    pub args: &'a SweepArgs,
    /// The findings.
    pub findings: &'a Findings<'a>,
}

impl SweepReport<'_> {
    /// The command line that repeats the findings. A part needs its file.
    fn repeat(&self) -> String {
        let csv = self.args.csv.as_ref().filter(|_| self.findings.shard.is_some());
        line::extended(self.findings.repeat(), &json!({"csv": csv.map(|csv| csv.display().to_string())}))
    }

    /// The command line that resumes a stopped sweep, if its rows are kept.
    fn resume(&self) -> Option<String> {
        let SweepArgs { csv, plot, dark, .. } = self.args;
        let csv = csv.as_ref().filter(|_| !self.findings.is_complete())?.display().to_string();
        let plot = plot.as_ref().map(|plot| plot.display().to_string());
        let files = json!({"csv": csv, "plot": plot, "dark": dark, "resume": true});
        Some(line::extended(self.findings.repeat(), &files))
    }

    /// Writes a table for each algorithm.
    pub fn human(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let findings = self.findings;
        let Findings { plan, rows, quantity, shard, planned, curves } = findings;
        let runs = if plan.runs == 1 { "1 run".into() } else { format!("{} runs", grouped(plan.runs)) };
        let part = shard.map_or(String::new(), |shard| format!(" · part {shard} of them"));
        let networks = &plan.networks;
        writeln!(out, "{BOLD}{}{BOLD:#} on {networks} {DIM}· {runs} each{part}{DIM:#}\n", quantity.in_words())?;
        for curve in curves {
            self.table(out, curve)?;
        }
        let mut line = |name: &str, text: String| writeln!(out, "  {DIM}{name:<10}{DIM:#} {text}");
        if !self.findings.is_complete() {
            let held = rows.len() as u64;
            line("stopped", format!("after {} of {} runs", grouped(held), grouped(*planned)))?;
        }
        let left_out = self.left_out();
        if left_out > 0 {
            line("left out", format!("{} nodes that are not in the largest part of their file", grouped(left_out)))?;
        }
        let (wrong, unknown): (Vec<&Row>, Vec<&Row>) = (findings.wrong().collect(), findings.unknown().collect());
        for (word, some, style) in [("wrong", wrong, BAD), ("not judged", unknown, BOLD)] {
            if some.is_empty() {
                continue;
            }
            let [count, of] = [some.len(), rows.len()].map(|count| grouped(count as u64));
            line(word, format!("{style}{count} of {of} elections{style:#}, left out of the tables"))?;
            for (outcome, repeat) in findings.repeats(some.iter().copied(), SHOWN, &Here)? {
                line("", format!("{outcome}: {repeat}"))?;
            }
            if some.len() > SHOWN {
                line("", format!("and {} more", grouped((some.len() - SHOWN) as u64)))?;
            }
        }
        line("repeat", self.repeat())?;
        if let Some(resume) = self.resume() {
            line("go on", resume)?;
        }
        Ok(out.flush()?)
    }

    /// How many nodes of files are left out.
    fn left_out(&self) -> u64 {
        let cells = &self.findings.plan.cells;
        let first = cells.iter().map(|cell| &cell.entrant).next();
        let once = cells.iter().filter(|cell| first.is_some_and(|first| cell.entrant.is(first)));
        once.filter_map(|cell| cell.given.as_ref()).map(|given| u64::from(given.left_out)).sum()
    }

    fn table(&self, out: &mut dyn Write, curve: &Curve<'_>) -> io::Result<()> {
        let Curve { name, points, growth, skipped, .. } = curve;
        writeln!(out, "  {BOLD}{name}{BOLD:#}{DIM}{}{DIM:#}", self.formulas(curve))?;
        let given = matches!(self.findings.plan.networks, Networks::Given(_));
        let heads = [
            "nodes",
            "runs",
            "mean",
            "± 95 %",
            "deviation",
            "least",
            "most",
            "proved mean",
            "ratio",
            "proved most",
            "ratio",
            "overhead",
        ];
        let mut rows: Vec<Vec<String>> = vec![heads.map(String::from).to_vec()];
        rows.extend(points.iter().map(cells));
        // Columns without any bound are left out.
        let empty = |column: usize| rows[1..].iter().all(|row| row[column] == "·");
        let kept: Vec<usize> = (0..heads.len()).filter(|column| *column < 7 || !empty(*column)).collect();
        let rows: Vec<Vec<String>> = rows.iter().map(|row| kept.iter().map(|&c| row[c].clone()).collect()).collect();
        let mut right: Vec<usize> = (0..kept.len()).collect();
        let mut rows = rows;
        if given {
            let names = points.iter().map(|point| point.rows[0].topology.clone());
            rows.iter_mut()
                .zip(["network".into()].into_iter().chain(names))
                .for_each(|(row, name)| row.insert(0, name));
            right = (1..=kept.len()).collect();
        }
        for (index, line) in align(&rows, &right).iter().enumerate() {
            if index == 0 { writeln!(out, "    {DIM}{line}{DIM:#}")? } else { writeln!(out, "    {line}")? }
        }
        if curve.has_overhead() {
            let counted = if self.findings.quantity == Quantity::PerNode { "counted in" } else { "counted apart" };
            writeln!(out, "    {DIM}overhead: the synchronizer's messages on average, {counted}{DIM:#}")?;
        }
        let bounds: usize = points.iter().map(Point::diameter_bounds).sum();
        if bounds > 0 {
            let runs: usize = points.iter().map(|point| point.rows.len()).sum();
            let [bounds, of] = [bounds, runs].map(|count| grouped(count as u64));
            writeln!(
                out,
                "    {DIM}in {bounds} of {of} runs D is a bound: to find the diameter would take too long{DIM:#}"
            )?;
        }
        if let Some(growth) = growth {
            let margin = growth.margin.map_or(String::new(), |margin| format!(" ± {margin:.3}"));
            let power = format!("n^{:.3}{margin}", growth.exponent);
            match growth.log_linear {
                None => writeln!(out, "    grows as {power}")?,
                Some(LogLinear { a, b }) => {
                    let (sign, b) = if b < 0.0 { ("-", -b) } else { ("+", b) };
                    let law = format!("n log n: {a:.3} n lg n {sign} {b:.3} n");
                    writeln!(out, "    grows as {law} {DIM}(as a power: {power}){DIM:#}")?;
                }
            }
        }
        if let (Some(first), Some(budget)) = (skipped.first(), self.findings.plan.budget) {
            let cost = number(first.cost.unwrap_or_default().round());
            let least = if given { &first.name } else { &format!("{} nodes", grouped(first.nodes())) };
            let budget = grouped(budget);
            writeln!(out, "    {DIM}from {least} left out: {cost} messages and more, beyond {budget}{DIM:#}")?;
        }
        writeln!(out)
    }

    /// The unit, and the formulas of the proved bounds.
    fn formulas(&self, curve: &Curve<'_>) -> String {
        let proved = curve.bounds(self.findings.quantity);
        let proved: Vec<String> =
            proved.iter().map(|bound| format!("{} {}", bound.formula.text, bound.kind.in_words())).collect();
        let unit = curve.unit(self.findings.quantity).map_or(String::new(), |unit| format!("  in {unit}"));
        if proved.is_empty() { unit } else { format!("{unit}  proved: {}", proved.join(", ")) }
    }

    /// All findings as JSON; the keys are part of the interface.
    pub fn json(&self) -> Result<Object, Failure> {
        let Findings { plan, rows, quantity, planned, curves, .. } = self.findings;
        let mut object = Object::default();
        let mut put = |key: &'static str, value: Value| object.put(key, &value);
        put("topology", json!(plan.networks.to_string()));
        put("quantity", json!(quantity.to_string()));
        put("meaning", json!(quantity.in_words()));
        put("runs", json!(plan.runs));
        put("algorithms", curves.iter().map(curve_json).collect());
        put("planned", json!(planned));
        put("held", json!(rows.len()));
        put("complete", json!(self.findings.is_complete()));
        put("wrong", json!(self.findings.wrong().count()));
        let repeats = self.findings.repeats(self.findings.wrong(), SHOWN, &Here)?;
        put(
            "wrong_runs",
            repeats.iter().map(|(outcome, repeat)| json!({"outcome": outcome, "repeat": repeat})).collect(),
        );
        put("not_judged", json!(self.findings.unknown().count()));
        put("ok", json!(rows.iter().all(|row| row.ok)));
        put("left_out", json!(self.left_out()));
        put("repeat", json!(self.repeat()));
        self.resume().iter().for_each(|resume| put("resume", json!(resume)));
        Ok(object)
    }
}

fn cells(point: &Point<'_>) -> Vec<String> {
    let nothing = || "·".to_string();
    let or_nothing = |value: Option<f64>, text: fn(f64) -> String| value.map_or_else(nothing, text);
    let of = |value: fn(&Sample) -> f64| point.sample.as_ref().map(value);
    let (right, all) = (point.right, point.rows.len());
    vec![
        grouped(point.nodes()),
        if right == all { all.to_string() } else { format!("{right}/{all}") },
        or_nothing(of(|sample| sample.mean), number),
        or_nothing(point.sample.and_then(|sample| sample.margin()), number),
        or_nothing(point.sample.and_then(|sample| sample.deviation), number),
        or_nothing(of(|sample| sample.least), number),
        or_nothing(of(|sample| sample.most), number),
        or_nothing(point.mean, number),
        or_nothing(point.of_mean(), share),
        or_nothing(point.worst, number),
        or_nothing(point.of_worst, share),
        or_nothing(Some(point.overhead).filter(|overhead| *overhead > 0.0), number),
    ]
}

/// A ratio with three digits.
fn share(ratio: f64) -> String {
    format!("{ratio:.3}")
}

fn curve_json(curve: &Curve<'_>) -> Value {
    let growth = curve.growth.map(|growth| {
        let law = growth.log_linear.map_or(json!("power"), |LogLinear { a, b }| json!({"n_lg_n": a, "n": b}));
        json!({"exponent": growth.exponent, "ci95": growth.margin, "law": law})
    });
    json!({
        "algorithm": curve.entrant.info.name,
        "ids": curve.entrant.ids(),
        "points": curve.points.iter().map(point_json).collect::<Vec<_>>(),
        "growth": growth,
        "skipped": curve.skipped.iter().map(|cell| cell.nodes()).collect::<Vec<_>>(),
    })
}

fn point_json(point: &Point<'_>) -> Value {
    let row = &point.rows[0];
    let of = |value: Option<f64>| value.map(plain);
    let sample = point.sample.map(|sample| {
        json!({"mean": plain(sample.mean), "ci95": sample.margin(), "deviation": sample.deviation,
            "least": plain(sample.least), "most": plain(sample.most)})
    });
    json!({
        "nodes": row.nodes,
        "topology": row.topology,
        "timing": row.timing.to_string(),
        "runs": point.rows.len(),
        "right": point.right,
        "measured": sample,
        "proved": {"best": of(point.best), "mean": of(point.mean), "worst": of(point.worst)},
        "ratio": {"mean": point.of_mean(), "worst": point.of_worst},
        "overhead": plain(point.overhead),
        "diameter_bounds": point.diameter_bounds(),
    })
}
