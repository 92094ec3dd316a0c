//! The vocabulary of a picture: marks in CSS pixels with named colours. The painter decides what a name looks
//! like, so that themes, forced colours and exports need nothing from here.

use crate::slots::ModelSlot;

/// A rectangle in CSS pixels: the plot of a strip or lane. What lies left of it, from 0 to `left`, is its gutter for
/// labels. Whole numbers keep edges crisp.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Left edge.
    pub left: f64,
    /// Top edge.
    pub top: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl Frame {
    /// The right edge.
    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    /// The bottom edge.
    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Whether a point lies inside; the right and bottom edges do not.
    pub fn contains(&self, x: f64, y: f64) -> bool {
        (self.left..self.right()).contains(&x) && (self.top..self.bottom()).contains(&y)
    }
}

/// A colour by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paint {
    /// Fill of a model's bars.
    Model(ModelSlot),
    /// The darker cap at the end of a completed job.
    ModelDark(ModelSlot),
    /// Text on a model's fill.
    OnModel(ModelSlot),
    /// Line and area of a run, 0 to 7 for A to H; all others are grey.
    Policy(u8),
    /// The waiting line.
    Wait,
    /// Text and the cursor.
    Ink1,
    /// Secondary text, preempted lines, dropped jobs.
    Ink2,
    /// Captions and axis labels.
    Ink3,
    /// Dividers.
    Line,
    /// Baselines.
    LineStrong,
    /// Gridlines.
    Grid,
    /// What the user chose.
    Accent,
    /// The tint behind what the user chose.
    Select,
    /// Missed deadlines.
    Bad,
    /// The ground that charts lie on.
    Panel,
}

/// How a rectangle is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Opaque.
    Solid,
    /// At this opacity, in percent.
    Share(u8),
    /// Lines at 45 degrees, 5 px apart, with nothing between them.
    Hatch,
    /// The same in both directions.
    CrossHatch,
}

/// The dashes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// None.
    Solid,
    /// 1 on, 3 off: capacity that never changes, the sixth run.
    Dotted,
    /// 2 on, 2 off: the fourth run.
    Fine,
    /// 4 on, 3 off: preempted, deadlines.
    Medium,
    /// 5 on, 3 off: the second run.
    Wide,
    /// 7 on, 2 off, 2 on, 2 off: the fifth run.
    DashDot,
    /// 10 on, 3 off: the seventh run.
    Long,
    /// 5 on, then two short pieces: the eighth run.
    DashDotDot,
}

impl Dash {
    /// Lengths on and off in turn, as a canvas takes them; empty for a solid line.
    pub fn pattern(self) -> &'static [f64] {
        match self {
            Dash::Solid => &[],
            Dash::Dotted => &[1.0, 3.0],
            Dash::Fine => &[2.0, 2.0],
            Dash::Medium => &[4.0, 3.0],
            Dash::Wide => &[5.0, 3.0],
            Dash::DashDot => &[7.0, 2.0, 2.0, 2.0],
            Dash::Long => &[10.0, 3.0],
            Dash::DashDotDot => &[5.0, 2.0, 1.0, 2.0, 1.0, 2.0],
        }
    }

    /// The dashes of a run's lines, 0 to 7 for A to H; lines of further runs are solid.
    pub fn of_policy(policy: u8) -> Self {
        match policy {
            1 => Dash::Wide,
            3 => Dash::Fine,
            4 => Dash::DashDot,
            5 => Dash::Dotted,
            6 => Dash::Long,
            7 => Dash::DashDotDot,
            _ => Dash::Solid,
        }
    }
}

/// Which part of a text lies at its `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// Size and weight of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextSize {
    /// 10 px, weight 600: GPU numbers in bars.
    Bar,
    /// 11 px, weight 400: labels and captions.
    Caption,
    /// 11 px, weight 600: labels of lines.
    CaptionStrong,
    /// 12 px, weight 500: headings of lanes.
    Dense,
}

impl TextSize {
    /// Height of the font.
    pub fn px(self) -> f64 {
        match self {
            TextSize::Bar => 10.0,
            TextSize::Caption | TextSize::CaptionStrong => 11.0,
            TextSize::Dense => 12.0,
        }
    }

    /// About how high digits are.
    pub fn digits_px(self) -> f64 {
        self.px() * 0.75
    }

    /// CSS weight.
    pub fn weight(self) -> u16 {
        match self {
            TextSize::Bar | TextSize::CaptionStrong => 600,
            TextSize::Dense => 500,
            TextSize::Caption => 400,
        }
    }

    /// About how wide a text is. Fonts cannot be measured here: this errs to the wide side for common ones.
    pub fn width_px(self, text: &str) -> f64 {
        text.chars().count() as f64 * self.px() * 0.6
    }
}

/// Which mark of an end that is not a good one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cross {
    /// A deadline was missed: two strokes of 1.5 px.
    Missed,
    /// Dropped or declined: the outline of a cross, 1 px, with nothing inside.
    Hollow,
    /// Died of a bug: a filled square.
    Failed,
    /// Cancelled by its user: the outline of a square, 1 px, with nothing inside.
    Cancelled,
}

/// A corner of a line or area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// One thing to paint.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A filled rectangle.
    Rect {
        /// Where.
        frame: Frame,
        /// Its colour.
        paint: Paint,
        /// How it is filled.
        fill: Fill,
    },
    /// The outline of a rectangle; its line lies inside the frame.
    Outline {
        /// Where.
        frame: Frame,
        /// Its colour.
        paint: Paint,
        /// Thickness of the line.
        width: f64,
    },
    /// A straight line, horizontal or vertical.
    Line {
        /// One end.
        from: Point,
        /// The other end.
        to: Point,
        /// Its colour.
        paint: Paint,
        /// Thickness.
        width: f64,
        /// Its dashes.
        dash: Dash,
    },
    /// A line through corners.
    Path {
        /// The corners, at least two.
        points: Vec<Point>,
        /// Its colour.
        paint: Paint,
        /// Thickness.
        width: f64,
        /// Its dashes.
        dash: Dash,
    },
    /// What lies between a line through corners and a horizontal base.
    Area {
        /// The corners, at least two.
        points: Vec<Point>,
        /// The base.
        base_y: f64,
        /// Its colour.
        paint: Paint,
        /// Its opacity, in percent.
        share: u8,
    },
    /// A cross or square.
    Cross {
        /// Its middle.
        at: Point,
        /// From the middle to a tip, along each axis.
        reach: f64,
        /// Which.
        cross: Cross,
        /// Its colour.
        paint: Paint,
    },
    /// A line of text.
    Text {
        /// Where its anchor lies, and its vertical middle.
        at: Point,
        /// The words.
        text: String,
        /// Which part of it lies at `at`.
        anchor: Anchor,
        /// Size and weight.
        size: TextSize,
        /// Its colour.
        paint: Paint,
        /// Whether the ground is painted behind it, 2 px wider on each side, so that it can be read over lines.
        backed: bool,
    },
}

/// A picture: marks in painting order. Marks of one kind and colour mostly follow each other, so that a painter which
/// remembers the colour it set last sets few.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawList {
    /// What to paint, first to last.
    pub marks: Vec<Mark>,
}

impl DrawList {
    /// Puts another picture on top.
    pub fn append(&mut self, mut other: DrawList) {
        self.marks.append(&mut other.marks);
    }

    /// How many marks there are.
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }
}

/// A vertical line of 1 px in the pixel column that holds `x`.
pub(crate) fn vertical(x: f64, frame: &Frame, paint: Paint, dash: Dash) -> Mark {
    let x = x.floor().clamp(frame.left, (frame.right() - 1.0).max(frame.left)) + 0.5;
    Mark::Line { from: Point { x, y: frame.top }, to: Point { x, y: frame.bottom() }, paint, width: 1.0, dash }
}

/// A caption.
pub(crate) fn caption(x: f64, y: f64, anchor: Anchor, paint: Paint, text: impl Into<String>) -> Mark {
    let (at, text) = (Point { x, y }, text.into());
    Mark::Text { at, text, anchor, size: TextSize::Caption, paint, backed: false }
}

/// As much of a name as fits; `None` if next to nothing does. Names in a trace mostly differ at their ends, so what is
/// left out is the middle.
pub fn shortened(text: &str, size: TextSize, width_px: f64) -> Option<String> {
    if size.width_px(text) <= width_px {
        return Some(text.into());
    }
    let letters = (width_px / size.width_px("0")).floor() as usize;
    let tail = (letters / 2).min(4);
    let skipped = text.chars().count().saturating_sub(tail);
    let head = text.chars().take(letters.saturating_sub(tail + 1)).chain(['…']);
    (letters >= 4).then(|| head.chain(text.chars().skip(skipped)).collect())
}
