//! A row of spans as pixel columns. A span wider than a pixel gets the columns that it covers for the most part; in a
//! column that several spans share, the state that takes most of it wins, so that a thousand spans in ten pixels cost
//! ten marks and still show what mostly happened.

use std::ops::Range;

use elastiplan_engine::{SpanState, Spans};

use crate::TimeScale;

/// Consecutive columns in one state with one number of GPUs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Segment {
    /// First column, counted from the left of the plot.
    pub from: usize,
    /// One past the last column.
    pub to: usize,
    /// What takes most of it.
    pub state: SpanState,
    /// GPUs held.
    pub gpus: u32,
    /// Where the first of its spans lies in the columns of the run.
    pub span: usize,
}

/// How many states a span may have.
const STATES: usize = SpanState::Recovering as usize + 1;

/// Whole columns of a plot.
pub(crate) fn columns_of(scale: &TimeScale) -> usize {
    scale.width_px().floor().min(65_536.0) as usize
}

/// The spans of a range that reach into the window, with their begin and end in pixels from the left of the plot.
pub(crate) fn visible<'a>(
    spans: &'a Spans,
    range: Range<usize>,
    scale: &TimeScale,
) -> impl Iterator<Item = (usize, f64, f64)> + use<'a> {
    let window = scale.window();
    let (start_s, end_s) = (window.start_s(), window.end_s());
    let px_per_s = 1.0 / scale.s_per_px();
    let columns = columns_of(scale) as f64;
    let ends_s = spans.end_s.get(range.clone()).unwrap_or_default();
    let first = match ends_s.first() {
        Some(&first_end_s) if first_end_s <= start_s => ends_s.partition_point(|&end_s| end_s <= start_s),
        _ => 0,
    };
    let range = range.start + first..range.end;
    let begins_s = spans.start_s.get(range.clone()).unwrap_or_default();
    let ends_s = ends_s.get(first..).unwrap_or_default();
    let in_px = move |time_s: f64| ((time_s - start_s) * px_per_s).clamp(0.0, columns);
    begins_s
        .iter()
        .zip(ends_s)
        .zip(range)
        .take_while(move |((begin_s, _), _)| **begin_s < end_s)
        .map(move |((&begin_s, &end_s), at)| (at, in_px(begin_s), in_px(end_s)))
        .filter(|(_, from, to)| to > from)
}

/// Writes the segments of a job's spans, left to right. A job that is in view has at least one.
pub(crate) fn segments(spans: &Spans, range: Range<usize>, scale: &TimeScale, out: &mut Vec<Segment>) {
    out.clear();
    let mut writer = Writer { spans, out, column: Column::default(), faint: None };
    for (at, from, to) in visible(spans, range, scale) {
        let (first, last) = (from.floor(), to.floor());
        if first == last {
            writer.add(first as usize, to - from, at);
            continue;
        }
        writer.add(first as usize, first + 1.0 - from, at);
        if last > first + 1.0 {
            writer.flush();
            writer.push(first as usize + 1, last as usize, at);
        }
        if to > last {
            writer.add(last as usize, to - last, at);
        }
    }
    writer.flush();
    if let (true, Some((_, segment))) = (writer.out.is_empty(), writer.faint) {
        writer.out.push(segment);
    }
}

/// What is known of the column at hand: how much of it each state takes, and the widest span of each.
#[derive(Default)]
struct Column {
    at: usize,
    taken: [f64; STATES],
    widest: [(f64, usize); STATES],
}

struct Writer<'a> {
    spans: &'a Spans,
    out: &'a mut Vec<Segment>,
    column: Column,
    /// The fullest column that is covered by less than half: all there is of a job narrower than a pixel.
    faint: Option<(f64, Segment)>,
}

impl Writer<'_> {
    fn add(&mut self, column: usize, width_px: f64, span: usize) {
        if column != self.column.at {
            self.flush();
            self.column.at = column;
        }
        let state = self.spans.state.get(span).map_or(0, |&state| state as usize);
        if let (Some(taken), Some(widest)) = (self.column.taken.get_mut(state), self.column.widest.get_mut(state)) {
            *taken += width_px;
            if width_px > widest.0 {
                *widest = (width_px, span);
            }
        }
    }

    fn flush(&mut self) {
        let column = std::mem::take(&mut self.column);
        let covered: f64 = column.taken.iter().sum();
        let fullest = column.taken.iter().zip(column.widest).max_by(|a, b| a.0.total_cmp(b.0));
        let Some((_, (_, span))) = fullest.filter(|_| covered > 0.0) else {
            return;
        };
        if covered >= 0.5 {
            self.push(column.at, column.at + 1, span);
        } else if self.faint.is_none_or(|(most, _)| covered > most) {
            self.faint = self.segment(column.at, column.at + 1, span).map(|segment| (covered, segment));
        }
    }

    fn push(&mut self, from: usize, to: usize, span: usize) {
        let Some(segment) = self.segment(from, to, span) else {
            return;
        };
        match self.out.last_mut() {
            Some(last) if last.to == from && last.state == segment.state && last.gpus == segment.gpus => last.to = to,
            _ => self.out.push(segment),
        }
    }

    fn segment(&self, from: usize, to: usize, span: usize) -> Option<Segment> {
        let (&state, &gpus) = (self.spans.state.get(span)?, self.spans.gpus.get(span)?);
        Some(Segment { from, to, state, gpus, span })
    }
}
