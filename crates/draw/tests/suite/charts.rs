//! Charts: measurements and bounds have places, names and descriptions.

use bellwether_draw::bars::{self, Bar, Bars, Column};
use bellwether_draw::chart::{Bound, BoundKind, Chart, Drawn, Fit, Guide, Measured, Series, traced};
use bellwether_draw::{Caption, Ground, png};
use roxmltree::{Document, Node};

use crate::support::Pixels;

fn chart() -> Chart {
    let sizes = [16.0, 32.0, 64.0];
    let measured = |x: f64| Measured { x, mean: 3.0 * x, least: 2.0 * x, most: 5.0 * x };
    let bound = |kind, of: fn(f64) -> f64| Bound {
        formula: "f<n>".into(),
        kind,
        points: traced(16, 64, |n| of(n.into())),
        drawn: Drawn::Curve,
    };
    let series = |name: &str, bounds| Series {
        name: name.into(),
        points: sizes.map(measured).to_vec(),
        fit: Some(Fit { law: "n^1.00".into(), of: Box::new(|n| 3.0 * n) }),
        bounds,
        note: None,
    };
    let steep = bound(BoundKind::Most, |x| x * x * x);
    let mut silent = series("silent", vec![]);
    silent.points.iter_mut().for_each(|point| (point.mean, point.least, point.most) = (0.0, 0.0, 0.0));
    silent.fit = None;
    silent.note = Some("always 0".into());
    let caption = Caption { title: "Messages".into(), outcome: "3 runs".into(), repeat: "again".into() };
    let one = series("one", vec![bound(BoundKind::Average, |x| 3.0 * x), steep]);
    let two = series("two", vec![bound(BoundKind::Average, |x| 3.0 * x)]);
    let notes = "n nodes".into();
    let guide = Some(Guide { name: "n log n".into(), of: |n| n * libm::log2(n) });
    Chart { caption, x: "n".into(), y: "messages".into(), notes, series: vec![one, two, silent], guide }
}

fn with<'a>(document: &'a Document<'_>, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.attribute("class") == Some(class))
}

#[test]
fn a_chart_shows_points_spreads_fits_and_bounds() {
    let svg = chart().svg();
    let document = Document::parse(&svg).unwrap();
    let titles: Vec<_> =
        document.descendants().filter(|node| node.has_tag_name("title")).filter_map(|it| it.text()).collect();
    assert!(titles.contains(&"one at 16: 48, from 32 to 80"), "{titles:?}");
    assert!(titles.contains(&"proved at most: f<n>"));
    // Zero has no place on a logarithmic scale, so there is no point.
    assert!(!titles.iter().any(|title| title.starts_with("silent at")));
    assert!(svg.contains("always 0"));
    // Two series have a fit and a spread. Their common curve is drawn once, and also in the key and the legend.
    assert_eq!(with(&document, "fit").count(), 2 + 1);
    assert_eq!(with(&document, "average").count(), 1 + 2 + 1);
    let describes = document.descendants().find(|node| node.has_tag_name("desc")).and_then(|it| it.text()).unwrap();
    assert!(describes.contains("one: 48 at 16 to 192 at 64, growing as n^1.00."), "{describes}");
    // Nothing lies outside the picture, even if a curve is steep.
    for path in document.descendants().filter_map(|node| node.attribute("d")) {
        assert!(!path.contains("NaN") && !path.contains("inf") && !path.contains('e'), "{path}");
    }
}

/// The texts of a picture.
fn texts<'a>(document: &'a Document<'_>) -> Vec<&'a str> {
    document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|it| it.text()).collect()
}

/// A chart of one series with these sizes and this bound.
fn of_one(sizes: &[f64], bound: Bound) -> Chart {
    let mut chart = chart();
    let measured = |x: &f64| Measured { x: *x, mean: 3.0 * x, least: 2.0 * x, most: 5.0 * x };
    chart.series.truncate(1);
    chart.series[0].points = sizes.iter().map(measured).collect();
    chart.series[0].bounds = vec![bound];
    chart
}

#[test]
fn what_leaves_the_picture_says_where_and_with_which_value() {
    let svg = chart().svg();
    let document = Document::parse(&svg).unwrap();
    // 64³ is far above 320, the largest measured value.
    assert!(texts(&document).contains(&"262,144 at 64"), "{:?}", texts(&document));
    // A bound that is closer has its place.
    let square = Bound {
        formula: "n²".into(),
        kind: BoundKind::Most,
        points: traced(16, 64, |n| f64::from(n * n)),
        drawn: Drawn::Curve,
    };
    let svg = of_one(&[16.0, 32.0, 64.0], square).svg();
    assert!(!svg.contains(" at 64</text>"));
}

#[test]
fn what_depends_on_the_networks_is_a_dash_at_each_size_and_so_is_a_single_value() {
    let bound = |drawn, points: &[(f64, f64)]| Bound {
        formula: "2m".into(),
        kind: BoundKind::Most,
        points: points.to_vec(),
        drawn,
    };
    let dashes = |chart: Chart| {
        let svg = chart.svg();
        let document = Document::parse(&svg).unwrap();
        // The first one is in the picture; the others are in the key and in the legend.
        with(&document, "most").next().unwrap().attribute("d").unwrap().matches('M').count()
    };
    let sizes = [16.0, 32.0];
    assert_eq!(dashes(of_one(&sizes, bound(Drawn::Dashes, &[(16.0, 90.0), (32.0, 190.0)]))), 2);
    assert_eq!(dashes(of_one(&sizes, bound(Drawn::Curve, &[(16.0, 90.0), (32.0, 190.0)]))), 1);
    let single = of_one(&[16.0], bound(Drawn::Curve, &[(16.0, 90.0)])).svg();
    let document = Document::parse(&single).unwrap();
    assert!(with(&document, "most").next().unwrap().attribute("d").unwrap().contains('L'));
}

#[test]
fn axes_name_the_sizes_that_were_measured_in_one_style() {
    let none = || Bound { formula: "0".into(), kind: BoundKind::Most, points: vec![], drawn: Drawn::Curve };
    for sizes in [&[16.0][..], &[20.0, 40.0, 60.0, 80.0], &[4.0, 8.0, 16.0]] {
        let svg = of_one(sizes, none()).svg();
        let document = Document::parse(&svg).unwrap();
        let named: Vec<&str> = with(&document, "faint mid").filter_map(|node| node.text()).collect();
        let mut expected: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        expected.push("n nodes".into());
        assert_eq!(named, expected);
    }
    let svg = of_one(&[10.0, 10_000_000.0], none()).svg();
    let document = Document::parse(&svg).unwrap();
    let mut heights = with(&document, "faint end").filter_map(|node| node.text());
    assert!(heights.all(|text| text.contains("10")), "{:?}", texts(&document));
}

#[test]
fn nothing_measured_is_a_chart_too() {
    let empty = Chart { series: vec![], ..chart() }.svg();
    assert!(Document::parse(&empty).is_ok());
}

#[test]
fn a_dark_picture_is_dark_and_a_light_one_light() {
    let svg = chart().svg();
    let corner = |ground| Pixels::of(&svg, ground).at((0.0, 0.0));
    assert_eq!((corner(Ground::Light), corner(Ground::Dark)), ([0xff; 3], [0x16, 0x18, 0x1d]));
}

#[test]
fn bars_say_what_they_are() {
    let bar = |parts: &[f64], bound: Option<(f64, &str)>| {
        let bound = bound.map(|(value, label)| bars::Limit { value, label: label.into() });
        Some(Bar { parts: parts.to_vec(), label: "7".into(), bound })
    };
    let messages = vec![bar(&[5.0, 2.0, 0.0], Some((9.0, "9"))), bar(&[7.0, 0.0, 3.0], Some((1e9, "10⁹")))];
    let columns = vec![
        Column { title: "messages".into(), bars: messages },
        Column { title: "time".into(), bars: vec![bar(&[7.0], None), None] },
    ];
    let names = vec!["peterson".into(), "le-lann".into()];
    let parts = ["to elect", "to announce", "of the synchronizer"].map(String::from).to_vec();
    let svg = Bars { caption: Caption::default(), names, columns, parts }.svg();
    assert_eq!(png(&svg, Ground::Light).err(), None);
    let document = Document::parse(&svg).unwrap();
    assert!(svg.contains("peterson: messages 7 (proved at most 9), time 7. le-lann: messages 7 (proved at most 10⁹)."));
    // A far bound would make all bars short, so an arrow points to it. The near bound is a mark, as in the legend.
    assert_eq!(with(&document, "follower").count(), 2);
    assert!(texts(&document).contains(&"≤ 10⁹ →"));
    assert_eq!((with(&document, "k1 head").count(), with(&document, "k2 head").count()), (2, 2));
    assert!(svg.contains(">·<"));
}
