//! Charts: what is measured and proved has its place, its name and its words.

use bellwether_draw::bars::{Bar, Bars, Column};
use bellwether_draw::chart::{Bound, BoundKind, Chart, Measured, Series};
use bellwether_draw::{Caption, Ground, png};
use roxmltree::{Document, Node};

fn chart() -> Chart {
    let sizes = [16.0, 32.0, 64.0];
    let measured = |x: f64| Measured { x, mean: 3.0 * x, least: 2.0 * x, most: 5.0 * x };
    let bound =
        |kind, of: fn(f64) -> f64| Bound { formula: "f<n>".into(), kind, points: sizes.map(|x| (x, of(x))).to_vec() };
    let series = |name: &str, bounds| Series {
        name: name.into(),
        points: sizes.map(measured).to_vec(),
        fit: Some((3.0, 1.0)),
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
    Chart { caption, x: "n".into(), y: "messages".into(), series: vec![one, two, silent] }
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
    // What is zero has no place on a logarithmic scale, and no point.
    assert!(!titles.iter().any(|title| title.starts_with("silent at")));
    assert!(svg.contains("always 0"));
    // Two series have a fit and a spread; the curve that both share is drawn once, besides in the key and the legend.
    assert_eq!(with(&document, "fit").count(), 2 + 1);
    assert_eq!(with(&document, "average").count(), 1 + 2 + 1);
    let describes = document.descendants().find(|node| node.has_tag_name("desc")).and_then(|it| it.text()).unwrap();
    assert!(describes.contains("one: 48 at 16 to 192 at 64, growing as n^1.00."), "{describes}");
    // Nothing lies outside of the picture, however steep a curve is.
    for path in document.descendants().filter_map(|node| node.attribute("d")) {
        assert!(!path.contains("NaN") && !path.contains("inf") && !path.contains('e'), "{path}");
    }
}

#[test]
fn nothing_measured_is_a_chart_too() {
    let empty = Chart { series: vec![], ..chart() }.svg();
    assert!(Document::parse(&empty).is_ok());
}

#[test]
fn a_dark_picture_is_dark_and_a_light_one_light() {
    let svg = chart().svg();
    let corner = |ground| {
        let bytes = png(&svg, ground).unwrap();
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; decoder.output_buffer_size().unwrap()];
        decoder.next_frame(&mut pixels).unwrap();
        [pixels[0], pixels[1], pixels[2]]
    };
    assert_eq!((corner(Ground::Light), corner(Ground::Dark)), ([0xff; 3], [0x16, 0x18, 0x1d]));
}

#[test]
fn bars_say_what_they_are() {
    let bar = |parts: &[f64], bound| Some(Bar { parts: parts.to_vec(), label: "7".into(), bound });
    let columns = vec![
        Column { title: "messages".into(), bars: vec![bar(&[5.0, 2.0], Some(9.0)), bar(&[7.0, 0.0], Some(1e9))] },
        Column { title: "time".into(), bars: vec![bar(&[7.0], None), None] },
    ];
    let names = vec!["peterson".into(), "le-lann".into()];
    let parts = vec!["to elect".into(), "to announce".into()];
    let svg = Bars { caption: Caption::default(), names, columns, parts }.svg();
    let document = Document::parse(&svg).unwrap();
    assert!(svg.contains("peterson: messages 7, time 7. le-lann: messages 7."));
    // A bound that is far away would make all bars short: it is not shown. The other one is, and in the legend.
    assert_eq!(with(&document, "follower").count(), 2);
    assert_eq!(with(&document, "k1 head").count(), 2);
    assert!(svg.contains(">·<"));
}
