//! A PNG shows what the SVG says, in its places and colours. Unknown input is an error.

use std::fs;

use bellwether_draw::spacetime::{self, Direction};
use bellwether_draw::{Ground, Portrait, Remarks, png};

use crate::support::{Pixels, TRACES, diagram, events, reader};

const WHITE: [u8; 3] = [255; 3];
const BLACK: [u8; 3] = [0; 3];
const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];

/// A white page of 100 by 60, with this content.
fn page(drawn: &str) -> String {
    let ground = "<path fill='#ffffff' d='M0 0h100v60h-100z'/>";
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='100' height='60'>{ground}{drawn}</svg>")
}

fn pixels(drawn: &str) -> Pixels {
    Pixels::of(&page(drawn), Ground::Light)
}

/// Whether two boxes are the same, up to `slack`.
fn fills(ink: [f64; 4], whole: [f64; 4], slack: f64) -> bool {
    ink.iter().zip(whole).all(|(side, other)| (side - other).abs() <= slack)
}

#[test]
fn every_picture_of_the_gallery_and_of_every_trace_is_understood() {
    let mut pictures = vec![];
    for file in fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "svg") {
            continue;
        }
        pictures.push((path.display().to_string(), fs::read_to_string(path).unwrap()));
    }
    assert!(pictures.len() > 30);
    for (name, trace) in TRACES {
        let diagram = diagram(trace);
        pictures.push((name.into(), spacetime::svg(&diagram, Direction::Down)));
        pictures.push((name.into(), spacetime::svg(&diagram, Direction::Right)));
        let mut portrait = Portrait::of_run(&reader(trace).header.scenario, false).unwrap();
        events(trace).iter().for_each(|event| portrait.event(event).unwrap());
        pictures.push((name.into(), portrait.svg(&Remarks::default(), "")));
    }
    for (name, svg) in pictures {
        assert_eq!(png(&svg, Ground::Light).err(), None, "{name}");
    }
}

#[test]
fn what_this_crate_does_not_write_is_an_error() {
    for drawn in [
        "<rect width='5' height='5'/>",
        "<g><rect/></g>",
        "<svg width='5' height='5'></svg>",
        "<path d='M1 1h5v5z' clip-path='url(#a)'/>",
        "<path d='M1 1h5v5z' opacity='0.5'/>",
        "<path d='M1 1h5v5z' fill='red'/>",
        "<path d='M1 1h5v5z' fill='#ffff'/>",
        "<path d='M1 1h5v5z' stroke-width='NaN'/>",
        "<path d='M1 1h5v5z' stroke-dasharray='3'/>",
        "<path d='M1 1h5v5z' style='filter:none'/>",
        "<path d='M1 1h5v5z' transform='skewX(5)'/>",
        "<path d='M1 1h5v5z' transform='rotate(45)'/>",
        "<path d='M1 1h5v5z' transform='translate(5'/>",
        "<path d='L1 1'/>",
        "<path d='M1 1zL5 5'/>",
        "<path d='M1 1L5'/>",
        "<path d='M1 1C1 1 2 2 3 3'/>",
        "<path d='M1 1a4 4 0 0 1 4 4'/>",
        "<path d='M1 1h--5'/>",
        "<path d='1 1'/>",
        "<text x='wide'>a</text>",
        "<text>a<tspan>b</tspan></text>",
        "<text>&nbsp;</text>",
        "<text font-weight='bold'>a</text>",
        "<style>a.b{fill:none}</style>",
        "<style>.a .b .c{fill:none}</style>",
        "<style>.a{float:left}</style>",
        "<style>@media print{.a{fill:none}}</style>",
        "<!-- nothing -->",
        "<path d='M1 1h5v5z'><rect/></path>",
        "<g>",
        "</g>",
        "loose words",
    ] {
        assert!(png(&page(drawn), Ground::Light).is_err(), "{drawn}");
    }
    let one = page("");
    for svg in ["", "<g></g>", "<svg/>", "<svg></svg>", &one[..one.len() - 1], &format!("{one}{one}")] {
        assert!(png(svg, Ground::Light).is_err(), "{svg}");
    }
    assert!(png(&one.replace("height='60'", "height='60' viewBox='0 0 50 30'"), Ground::Light).is_err());
    assert!(png(&one.replace("height='60'", "height='60' viewBox='0 0 100 60'"), Ground::Light).is_ok());
}

#[test]
fn every_outline_is_where_it_says() {
    for (path, whole, inside, outside) in [
        ("M10 20L50 20L50 40z", [10.0, 20.0, 50.0, 40.0], (45.0, 25.0), (15.0, 35.0)),
        ("M10 20h40v20h-40z", [10.0, 20.0, 50.0, 40.0], (11.0, 39.0), (51.0, 39.0)),
        ("M10 20.5h40v-10.5z", [10.0, 10.0, 50.0, 20.5], (48.0, 12.0), (20.0, 12.0)),
        // A curve reaches half the way to its control point.
        ("M10 10Q30 50 50 10z", [10.0, 10.0, 50.0, 30.0], (30.0, 28.0), (30.0, 32.0)),
        ("M10 30a20 20 0 1 0 40 0a20 20 0 1 0 -40 0z", [10.0, 10.0, 50.0, 50.0], (17.0, 17.0), (14.0, 14.0)),
        // Each half circle is on its own side.
        ("M10 30a20 20 0 1 0 40 0z", [10.0, 30.0, 50.0, 50.0], (30.0, 48.0), (30.0, 28.0)),
        // A radius and a diameter that were rounded independently.
        ("M10 30a1.3 1.3 0 1 0 2.5 0a1.3 1.3 0 1 0 -2.5 0z", [10.0, 28.75, 12.5, 31.25], (11.0, 30.0), (11.0, 32.0)),
        ("M10 10h5v5zM20 10h5v5z", [10.0, 10.0, 25.0, 15.0], (24.0, 11.0), (17.0, 11.0)),
    ] {
        let pixels = pixels(&format!("<path d='{path}'/>"));
        assert!(fills(pixels.ink().unwrap(), whole, 0.5), "{path}: {:?}", pixels.ink());
        assert_eq!((pixels.at(inside), pixels.at(outside)), (BLACK, WHITE), "{path}");
    }
    assert_eq!(pixels("<path d=''/>").ink(), None);
}

#[test]
fn lines_have_their_width_their_ends_and_their_gaps() {
    let line =
        |attributes: &str| pixels(&format!("<path stroke='#000000' stroke-width='8' {attributes} d='M20 30L80 30'/>"));
    assert!(fills(line("").ink().unwrap(), [20.0, 26.0, 80.0, 34.0], 0.1));
    assert!(fills(line("stroke-linecap='round'").ink().unwrap(), [16.0, 26.0, 84.0, 34.0], 0.1));
    assert_eq!(pixels("<path stroke='#000000' stroke-width='0' d='M20 30L80 30'/>").ink(), None);
    let dashed = line("stroke-dasharray='10 5'");
    let seen = [21.0, 29.0, 31.0, 34.0, 36.0, 44.0, 46.0, 69.0].map(|x| dashed.at((x, 30.0)) == BLACK);
    assert_eq!(seen, [true, true, false, false, true, true, false, true]);
    let solid = "<g stroke-dasharray='10 5'><path stroke='#000000' stroke-dasharray='none' d='M20 30L80 30'/></g>";
    assert_eq!(pixels(solid).at((32.0, 30.0)), BLACK);
    // A sharp corner is pointed or round.
    let corner = |join: &str| {
        pixels(&format!("<path fill='none' stroke='#000000' stroke-width='8' {join} d='M20 50L20 20L50 20'/>"))
    };
    let tip = (16.5, 16.5);
    assert_eq!((corner("").at(tip), corner("stroke-linejoin='round'").at(tip)), (BLACK, WHITE));
}

#[test]
fn what_lies_behind_shows_through() {
    let half = pixels("<path fill='#ff0000' fill-opacity='0.5' d='M0 0h20v20h-20z'/>").at((10.0, 10.0));
    assert!(half[0] == 255 && (126..=129).contains(&half[1]) && half[1] == half[2], "{half:?}");
    let both = pixels(
        "<g stroke-opacity='0.5'><path fill='#0000ff' stroke='#ff0000' stroke-width='8' d='M20 20h20v20h-20z'/></g>",
    );
    assert_eq!(both.at((30.0, 30.0)), BLUE);
    let [outer, inner] = [(17.0, 30.0), (23.0, 30.0)].map(|place| both.at(place));
    assert!(outer[0] == 255 && outer[1] > 100 && inner[2] > 100 && inner[1] == 0, "{outer:?} {inner:?}");
}

#[test]
fn groups_move_enlarge_and_turn() {
    let square = "<path d='M0 0h10v5h-10z'/>";
    for (transform, whole) in [
        ("translate(20 30)", [20.0, 30.0, 30.0, 35.0]),
        ("translate(20 30) scale(2)", [20.0, 30.0, 40.0, 40.0]),
        ("scale(2) translate(20 10)", [40.0, 20.0, 60.0, 30.0]),
        ("translate(20 30) rotate(-90)", [20.0, 20.0, 25.0, 30.0]),
        ("rotate(90 20 30)", [45.0, 10.0, 50.0, 20.0]),
    ] {
        let ink = pixels(&format!("<g transform='{transform}'>{square}</g>")).ink().unwrap();
        assert!(fills(ink, whole, 0.1), "{transform}: {ink:?}");
    }
    let nested = "<g transform='scale(2)'><g transform='translate(10 5)'><path d='M0 0h10v5h-10z'/></g></g>";
    assert!(fills(pixels(nested).ink().unwrap(), [20.0, 10.0, 40.0, 20.0], 0.1));
    // An element after a group is not affected by the group.
    let after = format!("<g transform='translate(50 50)'></g>{square}");
    assert!(fills(pixels(&after).ink().unwrap(), [0.0, 0.0, 10.0, 5.0], 0.1));
}

#[test]
fn a_letter_stands_on_its_line_where_it_is_anchored() {
    // The letter H in the font: 0.098 to 0.654 of the size wide, 0.729 high; the next letter begins at 0.752.
    let letter =
        |attributes: &str| pixels(&format!("<text x='50' y='40' font-size='20px' {attributes}>H</text>")).ink();
    assert!(fills(letter("").unwrap(), [51.96, 25.4, 63.1, 40.0], 0.6), "{:?}", letter(""));
    let middle = letter("text-anchor='middle'").unwrap();
    assert!(fills(middle, [44.4, 25.4, 55.6, 40.0], 0.6), "{middle:?}");
    let end = letter("text-anchor='end'").unwrap();
    assert!(fills(end, [36.9, 25.4, 48.0, 40.0], 0.6), "{end:?}");
    let turned = letter("transform='rotate(90 50 40)'").unwrap();
    assert!(fills(turned, [50.0, 41.96, 64.6, 53.1], 0.6), "{turned:?}");
    let small = letter("style='font-size:10px'").unwrap();
    assert!(fills(small, [50.98, 32.7, 56.5, 40.0], 0.6), "{small:?}");
    // Edges are smooth.
    let round = pixels("<text x='50' y='40' font-size='20px'>O</text>");
    assert!(round.all().any(|pixel| pixel != WHITE && pixel != BLACK));
}

#[test]
fn words_are_told_as_they_were_before_they_were_escaped() {
    let text = |text: &str| pixels(&format!("<text x='5' y='40'>{text}</text>")).all().collect::<Vec<_>>();
    assert_eq!(text("&quot;a&gt;"), text("\"a>"));
    assert_ne!(text("&amp;"), text("amp"));
    assert_ne!(text("&lt;"), text(""));
    assert_eq!(text("\n a  \n b "), text("a b"));
    assert_ne!(text("ab"), text("a b"));
    // Letters that fit into each other are kerned.
    let long = |text: &str| pixels(&format!("<text x='5' y='40'>{text}</text>")).ink().unwrap()[2];
    assert!(long("AVAVAV") < long("AAAVVV"));
}

#[test]
fn a_letter_that_the_font_does_not_have_is_a_box() {
    let text = |text: &str| pixels(&format!("<text x='50' y='40' font-size='20px'>{text}</text>"));
    let [one, two] = ["選", "挙"].map(text);
    let [left, top, right, bottom] = one.ink().unwrap();
    assert!(right - left > 8.0 && bottom - top > 12.0);
    assert_eq!(one.at(((left + right) / 2.0, (top + bottom) / 2.0)), WHITE);
    assert!(one.all().eq(two.all()));
    let next = text("選l").ink().unwrap();
    assert!(next[2] > right + 1.0);
}

#[test]
fn letters_lie_above_their_halo() {
    let text = |colours: &str| format!("<text x='20' y='50' font-size='40px' {colours}>l</text>");
    let halo = text("fill='#ff0000' stroke='#ff0000' stroke-width='8'");
    let (alone, both) = (pixels(&halo), pixels(&(halo + &text("fill='#0000ff'"))));
    let middle = alone.ink().map(|[left, _, right, _]| ((left + right) / 2.0, 35.0)).unwrap();
    assert_eq!((alone.at(middle), both.at(middle)), (RED, BLUE));
    assert_eq!(both.at((middle.0 - 4.5, 35.0)), RED);
    assert_eq!(alone.ink(), both.ink());
}

#[test]
fn the_stronger_rule_holds() {
    let square = |sheet: &str, drawn: &str| pixels(&format!("<style>{sheet}</style>{drawn}")).at((5.0, 5.0));
    let path = "<path class='one two' d='M0 0h10v10h-10z'/>";
    assert_eq!(square(".one{fill:#ff0000}", path), RED);
    assert_eq!(square(".on{fill:#ff0000}.onee{fill:#ff0000}", path), BLACK);
    assert_eq!(square(".one{fill:#ff0000}.two{fill:#0000ff}", path), BLUE);
    assert_eq!(square(".two{fill:#0000ff}.one{fill:#ff0000}", path), RED);
    assert_eq!(square(".one{fill:#ff0000}path{fill:#0000ff}", path), RED);
    let within = |class: &str| format!("<g class='{class}'><g>{path}</g></g>");
    let rules = ".far .one{fill:#ff0000}.one{fill:#0000ff}";
    assert_eq!((square(rules, &within("far")), square(rules, &within("near"))), (RED, BLUE));
    let said = |said: &str| path.replace("class", &format!("{said} class"));
    assert_eq!(square(".one{fill:#ff0000}", &said("fill='#0000ff'")), RED);
    assert_eq!(square(".one{fill:#ff0000}", &said("style='fill:#0000ff'")), BLUE);
    // The properties of a group apply to its content, unless the content overrides them.
    let coloured = "<g class='k0' fill='currentColor'><path d='M0 0h10v10h-10z'/></g>";
    assert_eq!(square(".k0{color:#ff0000}", coloured), RED);
    // The place of the style sheet does not matter.
    assert_eq!(pixels(&format!("{path}<style>.one{{fill:#ff0000}}</style>")).at((5.0, 5.0)), RED);
}

#[test]
fn a_dark_ground_has_rules_of_its_own() {
    let sheet = "<style>.one{fill:#ff0000}\n@media (prefers-color-scheme:dark){\n.one{fill:#0000ff}\n}\n</style>";
    let svg = page(&format!("{sheet}<path class='one' d='M0 0h10v10h-10z'/>"));
    let of = |ground| Pixels::of(&svg, ground).at((5.0, 5.0));
    assert_eq!((of(Ground::Light), of(Ground::Dark)), (RED, BLUE));
}
