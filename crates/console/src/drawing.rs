//! Pictures of a run, taken while it is played and written when it is over.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use bellwether_core::{Info, Rulebook};
use bellwether_draw::spacetime::{self, Direction};
use bellwether_draw::{Diagram, DiagramBuilder, Ground, Lanes, Portrait, Reel, Remarks, png, text};
use bellwether_world::trace::Event;
use bellwether_world::{Proved, Scenario};
use clap::{ArgGroup, Args};

use crate::draft::Draft;
use crate::failure::Failure;
use crate::files;
use crate::style::DIM;
use crate::table::width;

/// What is drawn, and how.
#[derive(Args, Clone, Debug, Default)]
#[command(
    next_help_heading = "Pictures", group(ArgGroup::new("picture").multiple(true)),
    group(ArgGroup::new("laned").multiple(true))
)]
pub struct DrawArgs {
    /// Draw the run: a lane for each node, an arrow for each message; with too many messages, their number
    #[arg(long, value_name = "FILE", groups = ["picture", "laned"])]
    pub svg: Option<PathBuf>,
    /// Draw it as PNG
    #[arg(long, value_name = "FILE", groups = ["picture", "laned"])]
    pub png: Option<PathBuf>,
    /// Draw the PNG on a dark ground; an SVG follows the theme of its viewer
    #[arg(long, requires = "png")]
    pub dark: bool,
    /// Draw the run in the terminal, with the rules that nodes followed and the variables that changed
    #[arg(long, conflicts_with = "json", group = "laned")]
    pub text: bool,
    /// Write a page that plays it in a browser, forwards and backwards: one file that loads nothing
    #[arg(long, value_name = "FILE", group = "laned")]
    pub html: Option<PathBuf>,
    /// What is drawn: time (messages from lane to lane), or network (its nodes, and what its links carried)
    /// [default: time]
    #[arg(long, value_name = "VIEW", requires = "picture")]
    pub view: Option<View>,
    /// Where time goes: down or right  [default: down]
    #[arg(long, value_name = "WHERE", requires = "picture")]
    pub direction: Option<Direction>,
    /// The nodes that have lanes, in this order, as in 0,3,5-9; or by-id: all, by their ids
    #[arg(long, value_name = "NODES", requires = "laned")]
    pub lanes: Option<Lanes>,
}

/// A picture that needs no more words.
#[derive(Args, Clone, Debug)]
pub struct ImageArgs {
    /// Draw it
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Draw it as PNG
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Draw the PNG on a dark ground; an SVG follows the theme of its viewer
    #[arg(long, requires = "png")]
    pub dark: bool,
}

impl ImageArgs {
    /// Begins the files.
    pub fn canvas(&self) -> Result<Canvas, Failure> {
        Canvas::new(&self.svg, &self.png, ground(self.dark))
    }

    /// Makes sure that each picture has its own file, and that none of these files is also read.
    pub fn own_files(&self, read: &[Option<&Path>]) -> Result<(), Failure> {
        files::own_files(&self.files(), read).map_err(Failure::Usage)
    }

    /// The files that are written, with the options that name them.
    pub fn files(&self) -> [(&'static str, &Option<PathBuf>); 2] {
        [("--svg", &self.svg), ("--png", &self.png)]
    }
}

/// What is drawn of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The space-time diagram.
    #[default]
    Time,
    /// The network.
    Network,
}

impl FromStr for View {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "time" => Ok(Self::Time),
            "network" => Ok(Self::Network),
            _ => Err(format!("'{text}' is none of time, network")),
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "time",
            Self::Network => "network",
        })
    }
}

impl DrawArgs {
    /// Whether there is anything to draw.
    pub fn are_given(&self) -> bool {
        self.is_picture() || self.html.is_some()
    }

    /// The files that are written, with the options that name them.
    pub fn files(&self) -> [(&'static str, &Option<PathBuf>); 3] {
        [("--svg", &self.svg), ("--png", &self.png), ("--html", &self.html)]
    }

    /// Whether a picture is wanted. A page alone is none.
    fn is_picture(&self) -> bool {
        self.svg.is_some() || self.png.is_some() || self.text
    }
}

/// The largest number of rows of a picture in the terminal that was asked for.
const MOST_ROWS: usize = 400;

/// A diagram for the terminal, in at most this number of rows.
///
/// # Errors
/// If it does not fit. The error says what would be needed.
pub fn in_terminal(diagram: &Diagram, most_rows: usize) -> Result<String, String> {
    Ok(indented(&text::draw(diagram, width() - 2, most_rows)?))
}

/// What happens inside the nodes of a diagram, for the terminal. Empty if there is too much of it.
fn steps_in_terminal(diagram: &Diagram) -> String {
    let steps = indented(&text::steps(diagram, width() - 2, MOST_ROWS));
    if steps.is_empty() { steps } else { format!("\n{steps}") }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}").trim_end().to_string() + "\n").collect()
}

/// A file that is being written, with its path.
struct File(PathBuf, Draft);

impl File {
    /// Begins a file, if it is wanted.
    fn begin(path: &Option<PathBuf>) -> Result<Option<Self>, Failure> {
        path.as_ref().map(|path| Draft::new(path).map(|draft| Self(path.clone(), draft))).transpose()
    }

    /// Completes it with this content.
    fn keep(self, content: &[u8]) -> Result<(), Failure> {
        let Self(path, mut draft) = self;
        draft.write_all(content).and_then(|()| draft.keep()).map_err(|error| Failure::output(&path, error))
    }
}

/// The files of a picture, begun.
pub struct Canvas {
    svg: Option<File>,
    png: Option<File>,
    ground: Ground,
}

/// The ground of a PNG.
pub fn ground(dark: bool) -> Ground {
    if dark { Ground::Dark } else { Ground::Light }
}

impl Canvas {
    /// Begins the files. A PNG gets this ground.
    pub fn new(svg: &Option<PathBuf>, png: &Option<PathBuf>, ground: Ground) -> Result<Self, Failure> {
        Ok(Self { svg: File::begin(svg)?, png: File::begin(png)?, ground })
    }

    /// Whether any file is wanted.
    fn is_wanted(&self) -> bool {
        self.svg.is_some() || self.png.is_some()
    }

    /// Completes the files with this picture.
    pub fn write(self, picture: &str) -> Result<(), Failure> {
        if let Some(file) = self.png {
            let bytes = png(picture, self.ground).map_err(|error| Failure::file(&file.0, error))?;
            file.keep(&bytes)?;
        }
        self.svg.map_or(Ok(()), |file| file.keep(picture.as_bytes()))
    }
}

/// The files of a run's pictures, begun.
pub struct Canvases {
    picture: Canvas,
    page: Option<File>,
}

impl Canvases {
    /// Begins the files.
    pub fn new(args: &DrawArgs) -> Result<Self, Failure> {
        let picture = Canvas::new(&args.svg, &args.png, ground(args.dark))?;
        Ok(Self { picture, page: File::begin(&args.html)? })
    }
}

/// Pictures that are being taken.
pub struct Drawing {
    canvas: Canvas,
    sketch: Option<Sketch>,
    page: Option<(File, Box<Reel>)>,
    direction: Direction,
    text: bool,
    repeat: String,
}

enum Sketch {
    Time(Box<DiagramBuilder>),
    Network(Box<Portrait>),
}

impl Sketch {
    fn new(args: &DrawArgs, scenario: &Scenario, anonymous: bool, lanes: &Lanes) -> Result<Self, Failure> {
        let sketch = match args.view.unwrap_or_default() {
            View::Time => {
                DiagramBuilder::new(scenario, anonymous, lanes).map(|recorder| Self::Time(Box::new(recorder)))
            }
            View::Network => {
                for (option, given) in [
                    ("--text", args.text),
                    ("--lanes", args.lanes.is_some()),
                    ("--direction", args.direction.is_some()),
                ] {
                    if given {
                        return Err(Failure::Usage(format!("{option} is for --view time: leave it out")));
                    }
                }
                Portrait::of_run(scenario, anonymous).map(|portrait| Self::Network(Box::new(portrait)))
            }
        };
        sketch.map_err(Failure::Usage)
    }

    fn event(&mut self, event: &Event) -> Result<(), String> {
        match self {
            Self::Time(recorder) => recorder.event(event),
            Self::Network(portrait) => portrait.event(event),
        }
    }
}

impl Drawing {
    /// The pictures of a run that has not begun, with the command that repeats it.
    pub fn new(
        canvases: Canvases,
        args: &DrawArgs,
        info: &Info,
        scenario: &Scenario,
        repeat: String,
    ) -> Result<Self, Failure> {
        let (anonymous, lanes) = (info.is_anonymous(), args.lanes.clone().unwrap_or_default());
        let sketch = args.is_picture().then(|| Sketch::new(args, scenario, anonymous, &lanes)).transpose()?;
        let reel = |file| {
            Reel::may_hold(scenario, Proved::new(info, scenario).best)?;
            let reel = Reel::new(scenario, anonymous, &lanes)?;
            Ok((file, Box::new(reel.with_rules(&Rulebook::of(info)))))
        };
        let page = canvases.page.map(reel).transpose().map_err(Failure::Usage)?;
        let direction = args.direction.unwrap_or_default();
        Ok(Self { canvas: canvases.picture, sketch, page, direction, text: args.text, repeat })
    }

    /// Follows an event.
    pub fn event(&mut self, event: &Event) -> Result<(), Failure> {
        let sketched = self.sketch.as_mut().map_or(Ok(()), |sketch| sketch.event(event));
        let followed = sketched.and_then(|()| self.page.as_mut().map_or(Ok(()), |(_, reel)| reel.event(event)));
        followed.map_err(|error| Failure::Usage(format!("this cannot be drawn: {error}")))
    }

    /// Writes the pictures of a run, with these remarks. Returns the picture for the terminal, if there is one.
    pub fn finish(self, remarks: &Remarks<'_>) -> Result<Option<String>, Failure> {
        if let Some((file, reel)) = self.page {
            file.keep(reel.finish(remarks, &self.repeat).as_bytes())?;
        }
        let (svg, text) = match self.sketch {
            None => return Ok(None),
            Some(Sketch::Network(portrait)) => (portrait.svg(remarks, &self.repeat), None),
            Some(Sketch::Time(recorder)) => {
                let diagram = recorder.finish(remarks, self.repeat);
                let text = self.text.then(|| {
                    let drawn = in_terminal(&diagram, MOST_ROWS).map(|drawn| drawn + &steps_in_terminal(&diagram));
                    let instead = "choose fewer nodes with --lanes, or take --html FILE or --svg FILE";
                    drawn.unwrap_or_else(|reason| format!("  {DIM}({reason}: {instead}){DIM:#}\n"))
                });
                let wanted = self.canvas.is_wanted();
                (if wanted { spacetime::svg(&diagram, self.direction) } else { String::new() }, text)
            }
        };
        self.canvas.write(&svg)?;
        Ok(text)
    }
}
