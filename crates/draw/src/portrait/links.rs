//! The links of a network, with the messages that they carried and the cuts.

use bellwether_core::Port;
use bellwether_net::{Node, Wiring};
use bellwether_world::Fault;

use super::Portrait;
use crate::caption::{self, grouped};
use crate::legend::{Entry, Glyph};
use crate::sheet::{self, Sheet};
use crate::signs;
use crate::svg::{Path, Point, Svg};

/// With more links than this, some are not drawn, unless there are at most twice as many links as nodes.
const MOST: u64 = 4_000;
/// The largest number of links drawn in one path.
const TOGETHER: usize = 400;
/// The width of links in a crowded picture: thin lines are drawn fast and overlap less.
const THIN: f64 = 0.5;
/// In a crowded picture links differ by opacity.
const OPACITY: [f64; 4] = [0.25, 0.45, 0.7, 1.0];

/// The style of a link.
#[derive(Clone, Copy, PartialEq)]
struct Stroke {
    class: &'static str,
    wide: f64,
    opacity: f64,
}

impl Portrait {
    /// The number of links drawn.
    fn links_drawn(&self) -> u64 {
        self.network.links().min(MOST.max(2 * u64::from(self.network.nodes())))
    }

    /// The links that are drawn: all of them, or an evenly spread subset.
    fn drawn(&self) -> impl Iterator<Item = (Node, Port)> {
        let (drawn, all) = (self.links_drawn(), self.network.links().max(1));
        let is_drawn = move |index: u64| (index + 1) * drawn / all > index * drawn / all;
        sheet::ends(&self.network).zip(0..).filter(move |(_, index)| is_drawn(*index)).map(|(end, _)| end)
    }

    /// The largest number of messages on a link.
    fn busiest(&self) -> u64 {
        let loads = sheet::ends(&self.network).filter_map(|(node, port)| self.load(node, port));
        loads.map(|(there, back)| there + back).max().unwrap_or(0)
    }

    /// The style of a link by its number of messages: more messages make it wider or more opaque.
    fn look(&self, load: Option<(u64, u64)>, busiest: u64) -> Stroke {
        let radius = sheet::radius(&self.network);
        let class = if load == Some((0, 0)) { "link idle" } else { "link" };
        let share = load.map(|(there, back)| ((there + back) as f64 / busiest.max(1) as f64).sqrt());
        if sheet::is_crowded(&self.network) {
            let level = share.map_or(1, |share| (share * (OPACITY.len() - 1) as f64) as usize);
            return Stroke { class, wide: THIN, opacity: OPACITY[level] };
        }
        let wide = share.map_or(0.04 * radius, |share| (0.35 * radius).max(2.0) * share);
        Stroke { class, wide: 0.6 + wide, opacity: 1.0 }
    }

    /// Draws the links.
    pub(super) fn links(&self, svg: &mut Svg, sheet: &Sheet) {
        let busiest = self.busiest();
        svg.tag("g").with("class", "links").open();
        if sheet::is_crowded(&self.network) {
            self.bundles(svg, sheet, busiest);
        } else {
            self.drawn().for_each(|(node, port)| self.link(svg, sheet, node, port, busiest));
        }
        svg.close();
    }

    /// Draws a link, with its description.
    fn link(&self, svg: &mut Svg, sheet: &Sheet, node: Node, port: Port, busiest: u64) {
        let (far, _) = self.network.far(node, port);
        let load = self.load(node, port);
        let Stroke { class, wide, .. } = self.look(load, busiest);
        let tag = svg.tag("path").with("class", class).at("stroke-width", wide);
        let path = self.path(Path::default(), sheet, node, port);
        tag.with("data-from", node).with("data-to", far).with("d", path).open();
        let load = load.map_or(String::new(), |(there, back)| format!(": {} →, {} ←", grouped(there), grouped(back)));
        let (from, to) = (self.network.printed_name(node), self.network.printed_name(far));
        svg.tag("title").text(&format!("{from} – {to}{load}"));
        svg.close();
    }

    /// Draws links with the same style together: a picture of very many links would take minutes otherwise.
    fn bundles(&self, svg: &mut Svg, sheet: &Sheet, busiest: u64) {
        let mut bundles: Vec<(Stroke, usize, Path)> = vec![];
        let draw = |svg: &mut Svg, Stroke { class, wide, opacity }: Stroke, path: Path| {
            let tag = svg.tag("path").with("class", class).at("stroke-width", wide);
            tag.with("stroke-opacity", opacity).with("d", path).empty();
        };
        for (node, port) in self.drawn() {
            let look = self.look(self.load(node, port), busiest);
            let place = bundles.iter().position(|(other, ..)| *other == look).unwrap_or_else(|| {
                bundles.push((look, 0, Path::default()));
                bundles.len() - 1
            });
            let (_, count, path) = &mut bundles[place];
            *path = self.path(std::mem::take(path), sheet, node, port);
            *count += 1;
            if *count == TOGETHER {
                *count = 0;
                draw(svg, look, std::mem::take(path));
            }
        }
        bundles.into_iter().filter(|(_, count, _)| *count > 0).for_each(|(look, _, path)| draw(svg, look, path));
    }

    /// The path with one more link.
    fn path(&self, path: Path, sheet: &Sheet, node: Node, port: Port) -> Path {
        let (far, _) = self.network.far(node, port);
        let (a, b) = (sheet.places[node as usize], sheet.places[far as usize]);
        match sheet.bow(&self.network, node, port) {
            _ if node == far => path.circle((a.0, a.1 - 1.6 * sheet.radius), 1.6 * sheet.radius),
            Some(over) => path.from(a).curve(over, b),
            None => path.from(a).to(b),
        }
    }

    /// The faults that cut links.
    fn faults(&self) -> impl Iterator<Item = &Fault> {
        let faults = self.run.iter().flat_map(|run| &run.scenario.faults);
        faults.filter(|fault| matches!(fault, Fault::Cut(..) | Fault::OneWay(..)))
    }

    /// Marks the cut links: with a cross, or with an arrow if only one direction is cut.
    pub(super) fn cuts(&self, svg: &mut Svg, sheet: &Sheet) {
        const REACH: f64 = 13.0;
        for fault in self.faults() {
            let (Fault::Cut(from, to, _) | Fault::OneWay(from, to, _)) = fault else { continue };
            let leads = |port: &Port| self.network.far(*from, *port).0 == *to;
            let Some(port) = (0..self.network.ports(*from)).map(Port).find(leads) else { continue };
            svg.tag("g").with("class", "severed").open();
            svg.tag("title").text(&caption::cut(fault, &self.network));
            let (a, b) = (sheet.places[*from as usize], sheet.places[*to as usize]);
            let (x, y) = middle(a, sheet.bow(&self.network, *from, port), b);
            let length = ((b.0 - a.0) * (b.0 - a.0) + (b.1 - a.1) * (b.1 - a.1)).sqrt().max(1e-9);
            let reach = REACH.min(length / 4.0);
            let (dx, dy) = (reach * (b.0 - a.0) / length, reach * (b.1 - a.1) / length);
            match fault {
                Fault::OneWay(..) => signs::way(svg, (x - dx, y - dy), (x + dx, y + dy)),
                _ => signs::lost(svg, (x, y)),
            }
            svg.close();
        }
    }

    /// The legend entries for links.
    pub(super) fn link_entries(&self) -> Vec<Entry> {
        let busiest = self.busiest();
        let mut loads: Vec<u64> = [1, busiest / 4, busiest].into_iter().filter(|load| *load > 0).collect();
        loads.dedup();
        let entry = |load: u64| {
            let Stroke { wide, opacity, .. } = self.look(Some((load, 0)), busiest);
            let text = if load == 1 { "1 message".into() } else { format!("{} messages", grouped(load)) };
            Entry { glyph: Glyph::Link(wide, opacity), text }
        };
        let mut entries: Vec<Entry> = loads.into_iter().filter(|_| self.run.is_some()).map(entry).collect();
        let (drawn, all) = (self.links_drawn(), self.network.links());
        if drawn < all {
            let text = format!("only {} of {} links are drawn", grouped(drawn), grouped(all));
            entries.push(Entry { glyph: Glyph::Link(THIN, 1.0), text });
        }
        if self.faults().any(|fault| matches!(fault, Fault::Cut(..))) {
            entries.push(Entry { glyph: Glyph::Lost, text: "link is cut".into() });
        }
        if self.faults().any(|fault| matches!(fault, Fault::OneWay(..))) {
            entries.push(Entry { glyph: Glyph::OneWay, text: "link is cut in this direction only".into() });
        }
        entries
    }
}

/// The middle of a link, which may be curved towards a point.
fn middle(a: Point, over: Option<Point>, b: Point) -> Point {
    let (x, y) = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    over.map_or((x, y), |over| ((x + over.0) / 2.0, (y + over.1) / 2.0))
}
