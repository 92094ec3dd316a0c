//! Where rows lie: the height of a row, bands of rows where there is no room for that, and scrolling.

use std::ops::Range;

use crate::draw::Frame;
use crate::time::{TimeScale, TimeWindow};

/// The heights that a row may have.
pub const PITCHES_PX: [u8; 6] = [2, 3, 4, 6, 10, 17];
/// The height of a packed row.
const PACKED_PX: f64 = 14.0;

/// How rows share the height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pitch {
    /// Each has this many pixels, one of [`PITCHES_PX`].
    Rows {
        /// Height of a row.
        row_px: u8,
    },
    /// Several make a band.
    Bands {
        /// Height of a band.
        band_px: u8,
        /// Rows in a band; the last may have fewer.
        rows: u32,
    },
    /// Rows that jobs share one after another: 14 px each.
    Packed,
}

/// The largest pitch at which all rows fit; bands of 3 px if not even 2 px a row do.
pub fn fit_pitch(rows: usize, height_px: f64) -> Pitch {
    let fits = |row_px: &&u8| rows as f64 * f64::from(**row_px) <= height_px;
    match PITCHES_PX.iter().rev().find(fits) {
        Some(&row_px) => Pitch::Rows { row_px },
        None => Pitch::bands(rows, height_px, 3),
    }
}

impl Pitch {
    /// Bands of this height that hold all rows.
    pub fn bands(rows: usize, height_px: f64, band_px: u8) -> Self {
        let band_px = band_px.max(3);
        let bands = ((height_px / f64::from(band_px)).floor() as usize).max(1);
        Pitch::Bands { band_px, rows: rows.div_ceil(bands).max(1) as u32 }
    }

    /// Pixels from one row or band to the next.
    pub fn px(self) -> f64 {
        match self {
            Pitch::Rows { row_px } => f64::from(row_px.max(1)),
            Pitch::Bands { band_px, .. } => f64::from(band_px.max(1)),
            Pitch::Packed => PACKED_PX,
        }
    }

    /// Height of a bar: bars touch below 6 px, and leave 1 px from there, or 2 between packed rows.
    pub fn bar_px(self) -> f64 {
        match self.px() {
            px if self == Pitch::Packed => px - 2.0,
            px if px < 6.0 => px,
            px => px - 1.0,
        }
    }

    /// The next larger or smaller pitch of a row, for zooming rows; itself at the ends.
    pub fn stepped(self, larger: bool) -> Self {
        let now = self.px();
        let mut next = PITCHES_PX.iter().filter(|&&px| if larger { f64::from(px) > now } else { f64::from(px) < now });
        let found = if larger { next.next() } else { next.next_back() };
        match (self, found) {
            (Pitch::Bands { .. }, _) if larger => Pitch::Rows { row_px: 2 },
            (Pitch::Rows { .. }, Some(&row_px)) => Pitch::Rows { row_px },
            _ => self,
        }
    }

    /// Rows that share a line.
    pub(crate) fn rows_per_line(self) -> usize {
        match self {
            Pitch::Rows { .. } | Pitch::Packed => 1,
            Pitch::Bands { rows, .. } => rows.max(1) as usize,
        }
    }
}

/// Where the rows of a strip lie. A *line* is what has its own pixels: a row, or a band of rows.
#[derive(Clone, Copy, Debug)]
pub struct StripLayout {
    /// How many rows there are: jobs, GPUs or nodes.
    pub rows: usize,
    /// The plot.
    pub frame: Frame,
    /// The time in view.
    pub window: TimeWindow,
    /// The height of a row.
    pub pitch: Pitch,
    /// How far the rows are scrolled up, in pixels; limited to what there is.
    pub scroll_px: f64,
}

impl StripLayout {
    /// All rows and all of `window`, as large as fits.
    pub fn fit(rows: usize, frame: Frame, window: TimeWindow) -> Self {
        Self { rows, frame, window, pitch: fit_pitch(rows, frame.height), scroll_px: 0.0 }
    }

    /// Times to pixels.
    pub fn scale(&self) -> TimeScale {
        TimeScale::over(self.window, &self.frame)
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.rows.div_ceil(self.pitch.rows_per_line())
    }

    /// The height of all lines.
    pub fn content_px(&self) -> f64 {
        self.lines() as f64 * self.pitch.px()
    }

    /// How far it can be scrolled.
    pub fn scroll_max_px(&self) -> f64 {
        (self.content_px() - self.frame.height).max(0.0)
    }

    /// How far it is scrolled: `scroll_px`, limited and whole.
    pub fn scrolled_px(&self) -> f64 {
        self.scroll_px.max(0.0).min(self.scroll_max_px()).round()
    }

    /// The smallest change of scrolling that brings a row into view, as a new `scroll_px`.
    pub fn scroll_to(&self, row: usize) -> f64 {
        let top = (row / self.pitch.rows_per_line()) as f64 * self.pitch.px();
        let highest = top + self.pitch.px() - self.frame.height;
        self.scrolled_px().max(highest).min(top).max(0.0)
    }

    /// The line that a row is part of.
    pub fn line_of_row(&self, row: usize) -> usize {
        row / self.pitch.rows_per_line()
    }

    /// The rows of a line.
    pub fn rows_of_line(&self, line: usize) -> Range<usize> {
        let per_line = self.pitch.rows_per_line();
        let end = self.rows;
        line.saturating_mul(per_line).min(end)..line.saturating_add(1).saturating_mul(per_line).min(end)
    }

    /// The top of a line; may lie outside the frame.
    pub fn y_of_line(&self, line: usize) -> f64 {
        self.frame.top + line as f64 * self.pitch.px() - self.scrolled_px()
    }

    /// The lines of which something can be seen.
    pub fn visible_lines(&self) -> Range<usize> {
        let pitch_px = self.pitch.px();
        let first = (self.scrolled_px() / pitch_px).floor() as usize;
        let end = ((self.scrolled_px() + self.frame.height.max(0.0)) / pitch_px).ceil() as usize;
        first.min(self.lines())..end.min(self.lines())
    }

    /// The line at a height, if there is one.
    pub fn line_at(&self, y: f64) -> Option<usize> {
        if !(self.frame.top..self.frame.bottom()).contains(&y) {
            return None;
        }
        let line = ((y - self.frame.top + self.scrolled_px()) / self.pitch.px()).floor() as usize;
        (line < self.lines()).then_some(line)
    }

    /// Whether lines are bands.
    pub fn is_banded(&self) -> bool {
        matches!(self.pitch, Pitch::Bands { .. })
    }
}
