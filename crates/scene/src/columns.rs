//! A row of spans as pixel columns. A span wider than a pixel gets the columns that it covers for the most part; in a
//! column that two or three spans share, the state that takes most of it wins. Where more meet, the column is merged:
//! it tells by its height for how much of its time GPUs were held, so that what is drawn has the area of what was.

use std::ops::Range;

use elastiplan_engine::{SpanState, Spans};

use crate::slots::ModelSlot;
use crate::time::TimeScale;

/// Heights of merged columns are counted in these.
pub(crate) const FULL: u8 = 16;
/// A column in which as many spans meet is merged.
const MERGES_FROM: u32 = 4;

/// Consecutive columns that look alike.
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
    /// The model's colour.
    pub slot: ModelSlot,
    /// Whose it is, where a row has spans of several jobs.
    pub job: u32,
    /// Where the widest of its spans lies in the columns it was read from.
    pub span: usize,
    /// Of columns in which many spans meet.
    pub merged: Option<Merged>,
}

/// Many spans in few columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Merged {
    /// For how much of the time GPUs were held, of [`FULL`].
    pub held: u8,
    /// Spans that begin here.
    pub spans: u32,
}

/// Times to columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ruler {
    pub start_s: f64,
    pub end_s: f64,
    px_per_s: f64,
    pub columns: usize,
}

impl Ruler {
    /// The whole columns of a plot.
    pub(crate) fn of(scale: &TimeScale) -> Self {
        let (window, columns) = (scale.window(), columns_of(scale));
        Self { start_s: window.start_s(), end_s: window.end_s(), px_per_s: 1.0 / scale.s_per_px(), columns }
    }

    /// Buckets of time, a column each.
    pub(crate) fn buckets(start_s: f64, bucket_s: f64, buckets: usize) -> Self {
        Self { start_s, end_s: start_s + bucket_s * buckets as f64, px_per_s: 1.0 / bucket_s, columns: buckets }
    }

    /// Where a time lies, limited to the columns there are.
    pub(crate) fn px(&self, time_s: f64) -> f64 {
        ((time_s - self.start_s) * self.px_per_s).clamp(0.0, self.columns as f64)
    }
}

/// Something that takes a part of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// Its begin, in columns.
    pub from: f64,
    /// Its end, in columns.
    pub to: f64,
    pub state: SpanState,
    pub gpus: u32,
    pub slot: ModelSlot,
    pub job: u32,
    /// Where it lies in the columns it was read from.
    pub at: usize,
}

/// How many states a span may have.
const STATES: usize = SpanState::Recovering as usize + 1;

/// Whole columns of a plot.
pub(crate) fn columns_of(scale: &TimeScale) -> usize {
    scale.width_px().floor().min(65_536.0) as usize
}

/// Whether GPUs are held in a state.
pub(crate) fn holds(state: SpanState) -> bool {
    matches!(state, SpanState::Running | SpanState::Rescaling | SpanState::Recovering)
}

/// The spans of a range that reach into the window, with their begin and end in columns.
pub(crate) fn visible(
    spans: &Spans,
    range: Range<usize>,
    ruler: Ruler,
) -> impl Iterator<Item = (usize, f64, f64)> + use<'_> {
    let (start_s, end_s) = (ruler.start_s, ruler.end_s);
    let ends_s = spans.end_s.get(range.clone()).unwrap_or_default();
    let first = match (ends_s.first(), ends_s.last()) {
        (Some(_), Some(&last_end_s)) if last_end_s <= start_s => ends_s.len(),
        (Some(&first_end_s), _) if first_end_s <= start_s => ends_s.partition_point(|&end_s| end_s <= start_s),
        _ => 0,
    };
    let range = range.start + first..range.end;
    let begins_s = spans.start_s.get(range.clone()).unwrap_or_default();
    let ends_s = ends_s.get(first..).unwrap_or_default();
    begins_s
        .iter()
        .zip(ends_s)
        .zip(range)
        .take_while(move |((begin_s, _), _)| **begin_s < end_s)
        .map(move |((&begin_s, &end_s), at)| (at, ruler.px(begin_s), ruler.px(end_s)))
        .filter(|(_, from, to)| to > from)
}

/// The spans of a job as parts of a row.
pub(crate) fn items(
    spans: &Spans,
    range: Range<usize>,
    slot: ModelSlot,
    ruler: Ruler,
) -> impl Iterator<Item = Item> + use<'_> {
    visible(spans, range, ruler).filter_map(move |(at, from, to)| {
        let (&state, &gpus) = (spans.state.get(at)?, spans.gpus.get(at)?);
        Some(Item { from, to, state, gpus, slot, job: 0, at })
    })
}

/// Writes the segments of a row, left to right; its parts must be in order and not overlap. A row of which anything is
/// in view has at least one.
pub(crate) fn segments(items: impl Iterator<Item = Item>, out: &mut Vec<Segment>) {
    out.clear();
    let mut writer = Writer { out, column: Column::default(), faint: None };
    for item in items {
        let (first, last) = (item.from.floor(), item.to.floor());
        if first == last {
            writer.add(first as usize, item.to - item.from, &item, true);
            continue;
        }
        writer.add(first as usize, first + 1.0 - item.from, &item, true);
        if last > first + 1.0 {
            writer.flush();
            writer.push(plain(first as usize + 1, last as usize, &item));
        }
        if item.to > last {
            writer.add(last as usize, item.to - last, &item, false);
        }
    }
    writer.flush();
    if let (true, Some((_, segment))) = (writer.out.is_empty(), writer.faint) {
        writer.out.push(segment);
    }
}

fn plain(from: usize, to: usize, item: &Item) -> Segment {
    let Item { state, gpus, slot, job, at: span, .. } = *item;
    Segment { from, to, state, gpus, slot, job, span, merged: None }
}

/// What is known of the column at hand: how much of it each state takes, and the widest part of each.
#[derive(Default)]
struct Column {
    at: usize,
    met: u32,
    begun: u32,
    taken: [f64; STATES],
    widest: [Option<(f64, Item)>; STATES],
    by_slot: [f64; ModelSlot::COUNT],
}

struct Writer<'a> {
    out: &'a mut Vec<Segment>,
    column: Column,
    /// The fullest column that is covered by less than half: all there is of a row narrower than a pixel.
    faint: Option<(f64, Segment)>,
}

impl Writer<'_> {
    fn add(&mut self, column: usize, width_px: f64, item: &Item, begins: bool) {
        if column != self.column.at {
            self.flush();
            self.column.at = column;
        }
        self.column.met += 1;
        self.column.begun += u32::from(begins);
        let state = item.state as usize;
        if let (Some(taken), Some(widest)) = (self.column.taken.get_mut(state), self.column.widest.get_mut(state)) {
            *taken += width_px;
            if widest.is_none_or(|(most, _)| width_px > most) {
                *widest = Some((width_px, *item));
            }
        }
        if let Some(of_slot) = self.column.by_slot.get_mut(item.slot.index()).filter(|_| holds(item.state)) {
            *of_slot += width_px;
        }
    }

    fn flush(&mut self) {
        if self.column.met == 0 {
            return;
        }
        let column = std::mem::take(&mut self.column);
        let covered: f64 = column.taken.iter().sum();
        let mut segment = match column.met >= MERGES_FROM {
            true => column.merged(),
            false => column.fullest(|_| true).map(|item| plain(column.at, column.at + 1, item)),
        };
        let is_seen = covered >= 0.5 || segment.is_some_and(|it| it.merged.is_some_and(|merged| merged.held > 0));
        match segment.take() {
            Some(segment) if is_seen => self.push(segment),
            Some(segment) if self.faint.is_none_or(|(most, _)| covered > most) => {
                self.faint = Some((covered, Segment { merged: None, ..segment }));
            }
            _ => {}
        }
    }

    fn push(&mut self, segment: Segment) {
        let Some(last) = self.out.last_mut().filter(|last| last.to == segment.from) else {
            return self.out.push(segment);
        };
        match (&mut last.merged, segment.merged) {
            (None, None)
                if (last.state, last.gpus, last.job, last.slot)
                    == (segment.state, segment.gpus, segment.job, segment.slot) =>
            {
                last.to = segment.to;
            }
            (Some(before), Some(merged))
                if before.held == merged.held && (last.slot, last.state) == (segment.slot, segment.state) =>
            {
                before.spans += merged.spans;
                last.to = segment.to;
            }
            _ => self.out.push(segment),
        }
    }
}

impl Column {
    /// The widest part of the state that takes most of the column.
    fn fullest(&self, counts: impl Fn(SpanState) -> bool) -> Option<&Item> {
        let parts =
            self.taken.iter().zip(&self.widest).filter_map(|(taken, widest)| Some((taken, &widest.as_ref()?.1)));
        parts.filter(|(_, item)| counts(item.state)).max_by(|a, b| a.0.total_cmp(b.0)).map(|(_, item)| item)
    }

    fn merged(&self) -> Option<Segment> {
        let held_px: f64 = self.by_slot.iter().sum();
        let held = (held_px * f64::from(FULL)).round().min(f64::from(FULL)) as u8;
        let item = if held > 0 {
            self.fullest(holds)?
        } else {
            self.fullest(|state| !holds(state)).or(self.fullest(|_| true))?
        };
        let slots = (0..ModelSlot::COUNT).map(ModelSlot::new).zip(self.by_slot);
        let slot = slots.rev().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(item.slot, |(slot, _)| slot);
        let merged = Some(Merged { held, spans: self.begun });
        Some(Segment {
            gpus: 0,
            slot: if held > 0 { slot } else { item.slot },
            merged,
            ..plain(self.at, self.at + 1, item)
        })
    }
}
