//! A chart as plain data, with a table that says the same in words. Pixels and colours are chosen when it is drawn.

pub mod axis;
pub mod points;
pub mod table;

use elastiplan_model::{JobId, Origin};

use self::axis::Axis;
use self::points::{Cells, Curve, CurvePoint, ParallelAxis};
use self::table::Table;
use crate::runs::RunEntry;

/// Characters of a run's name in its label at most.
const NAME_CHARS: usize = 40;
/// Characters of settings in the label of a run at most.
const SETTINGS_CHARS: usize = 24;

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// The name of its files, without an ending.
    pub name: String,
    /// The quantity with its unit.
    pub title: String,
    /// Its content in a sentence.
    pub summary: String,
    /// Across.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// The compared series, the first on top; points lie in the order given.
    pub series: Vec<Series>,
    /// Lines to read the others by.
    pub guides: Vec<Guide>,
    /// Published values.
    pub paper: Vec<PaperMark>,
    /// Names of colours, where marks do not bear them: a row above the plot.
    pub key: Vec<(Tone, String)>,
    /// Notes below the plot.
    pub notes: Vec<String>,
    /// The same as a table.
    pub table: Table,
}

/// Marks that belong together and look alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its label.
    pub label: String,
    /// Its colour.
    pub tone: Tone,
    /// Its marks.
    pub shape: Shape,
}

impl Series {
    /// The marks of a run, with its label and its colour.
    pub fn of(entry: &RunEntry, shape: Shape) -> Self {
        Self { label: label_of(entry), tone: tone_of(entry), shape }
    }
}

/// A colour by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tone {
    /// A run's, 0 to 7 for A to H and grey for all others; lines have its dashes too.
    Policy(u8),
    /// Better than the baseline.
    Better,
    /// As good.
    Equal,
    /// Worse.
    Worse,
    /// A missed deadline.
    Missed,
    /// A series that belongs to no policy.
    First,
    /// A series compared with that; its lines are dashed.
    Second,
}

/// Marks, in the units of the axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Corners of a line, in pieces where there is nothing between.
    Line(Vec<Vec<(f64, f64)>>),
    /// Dots; crosses where the tone is that of missed deadlines.
    Dots(Vec<Dot>),
    /// Dots, rings and crosses: values that are measured, interpolated and assumed.
    Origins(Vec<OriginMark>),
    /// A bar from 0, at its place up.
    Bar {
        /// Its middle.
        place: f64,
        /// Its end; nothing where the value is missing.
        value: Option<f64>,
        /// The value as it is written.
        text: String,
    },
    /// The points of a policy in a study.
    Curve(Curve),
    /// A map of a study's points.
    Cells(Cells),
}

/// A mark for a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// The job.
    pub job: JobId,
}

impl Dot {
    /// By how much it lies above the diagonal.
    pub fn difference(&self) -> f64 {
        self.y - self.x
    }
}

/// A mark that says where its value comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OriginMark {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// The origin of the value.
    pub origin: Origin,
}

/// Lines that help to read the marks.
#[derive(Clone, Debug, PartialEq)]
pub enum Guide {
    /// The line of equal values on both axes; the halves above and below it have names and tints.
    Diagonal {
        /// The upper half: what is worse.
        above: String,
        /// The lower half: what is better.
        below: String,
    },
    /// The limit of a goal at a value up, its name outside or at the axis as there is room.
    Goal {
        /// The value.
        value: f64,
        /// Its name: `goal 95%`.
        label: String,
        /// The value as the axis writes it.
        short: String,
    },
    /// One of several parallel axes.
    Parallel(ParallelAxis),
    /// A dotted line at a value up.
    Level {
        /// The value.
        value: f64,
        /// Its name.
        label: String,
    },
}

/// A value of a paper: a hollow diamond.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperMark {
    /// Across.
    pub x: f64,
    /// Up.
    pub y: f64,
    /// The colour of what it is a value of.
    pub tone: Tone,
    /// The value with the place of its publication.
    pub source: String,
}

impl Figure {
    /// Whether there is nothing to see.
    pub fn is_empty(&self) -> bool {
        self.series.iter().all(|series| match &series.shape {
            Shape::Line(pieces) => pieces.iter().all(Vec::is_empty),
            Shape::Dots(dots) => dots.is_empty(),
            Shape::Origins(marks) => marks.is_empty(),
            Shape::Bar { value, .. } => value.is_none(),
            Shape::Curve(curve) => curve.points.iter().all(|point| point.y.is_none()),
            Shape::Cells(cells) => cells.cells.iter().all(|cell| cell.shade.is_none()),
        })
    }

    /// The curves, each with its place among the series.
    pub fn curves(&self) -> impl Iterator<Item = (usize, &Curve)> + '_ {
        self.series.iter().enumerate().filter_map(|(place, series)| match &series.shape {
            Shape::Curve(curve) => Some((place, curve)),
            _ => None,
        })
    }

    /// The points of all curves.
    pub fn curve_points(&self) -> impl Iterator<Item = &CurvePoint> + '_ {
        self.curves().flat_map(|(_, curve)| &curve.points)
    }

    /// The map of cells, if it is one.
    pub fn cells(&self) -> Option<&Cells> {
        self.series.iter().find_map(|series| match &series.shape {
            Shape::Cells(cells) => Some(cells),
            _ => None,
        })
    }

    /// Every mark that stands for a job, with its place across and up.
    pub fn dots(&self) -> impl Iterator<Item = (Dot, Tone)> + '_ {
        self.series.iter().flat_map(|series| {
            let dots: &[Dot] = match &series.shape {
                Shape::Dots(dots) => dots,
                _ => &[],
            };
            dots.iter().map(|dot| (*dot, series.tone))
        })
    }
}

/// The label of a run: its letter, and its name or what the user calls it.
pub fn label_of(entry: &RunEntry) -> String {
    let name = entry.label.as_deref().unwrap_or(entry.name());
    let short: String = match name.chars().count() > NAME_CHARS {
        true => name.chars().take(NAME_CHARS - 1).chain(['…']).collect(),
        false => name.into(),
    };
    format!("{} {short}", entry.letter())
}

/// The label of a run among others: where several have the same policy, with what differs between them.
pub fn label_among<'a>(entry: &RunEntry, mut others: impl Iterator<Item = &'a RunEntry>) -> String {
    let is_twice = others.any(|other| other.slot != entry.slot && other.name() == entry.name());
    let settings = match entry.differs.is_empty() {
        true => entry.parameters(),
        false => entry.differs.join(", "),
    };
    if is_twice && entry.label.is_none() && !settings.is_empty() {
        let short: String = settings.chars().take(SETTINGS_CHARS).collect();
        let rest = if settings.chars().nth(SETTINGS_CHARS).is_some() { "…" } else { "" };
        return format!("{} {short}{rest}", label_of(entry));
    }
    label_of(entry)
}

/// The colour of a run.
pub fn tone_of(entry: &RunEntry) -> Tone {
    Tone::Policy(entry.colour_index())
}

/// The corners of steps: each value holds from its place until the next.
pub fn corners(start: (f64, f64), steps: impl IntoIterator<Item = (f64, f64)>, end: f64) -> Vec<(f64, f64)> {
    let mut corners = vec![start];
    let mut value = start.1;
    for (at, next) in steps.into_iter().take_while(|(at, _)| *at <= end) {
        corners.push((at, value));
        value = next;
        corners.push((at, value));
    }
    corners.push((end, value));
    corners
}
