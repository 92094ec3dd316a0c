//! One job's row: its states as marks.

use elastiplan_engine::{Outcome, SpanState};
use elastiplan_model::{JobId, is_late};
use elastiplan_text::format;

use crate::columns::{Ruler, Segment, items, segments};
use crate::detail::{Detail, LineDetail};
use crate::draw::{Anchor, Cross, Dash, Fill, Frame, Mark, Paint, Point, TextSize};
use crate::layers::{Layers, clipped, kept_inside};
use crate::merged::merged_bars;
use crate::slots::ModelSlot;
use crate::strip::{Phase, Strip};
use crate::time::TimeScale;

/// The length over which a job that is still open fades into the unknown.
const FADE_PX: f64 = 20.0;
/// The narrowest bar that carries its number of GPUs.
const NUMBER_MIN_PX: f64 = 15.0;
/// The shortest waiting line that says how long.
const WAITING_LABEL_MIN_PX: f64 = 60.0;
/// Rows as high as this say how long a job waits: the words are higher than bars.
const WORDS_MIN_PX: f64 = 17.0;
/// Rows as high as this carry numbers, names and caps.
pub(crate) const DETAIL_MIN_PX: f64 = 10.0;
/// Bars as high as this carry hatch and deadline rules.
pub(crate) const TEXTURE_MIN_PX: f64 = 6.0;

/// Draws rows one after another, and keeps what can be used again.
pub(crate) struct RowPen<'a> {
    strip: &'a Strip<'a>,
    scale: TimeScale,
    detail: Option<&'a Detail>,
    segments: Vec<Segment>,
}

/// Where a row lies, and what of a job is drawn in it.
pub(crate) struct Row {
    pub job: JobId,
    pub slot: ModelSlot,
    /// The bar, over the whole width of the plot; not clipped.
    pub bar: Frame,
    /// Where the fade of an open job begins, if it has one.
    pub fade_x: Option<f64>,
}

impl<'a> RowPen<'a> {
    pub(crate) fn new(strip: &'a Strip<'a>) -> Self {
        Self { strip, scale: strip.layout.scale(), detail: strip.usable_detail(), segments: Vec::new() }
    }

    /// What is drawn of a job, as columns.
    pub(crate) fn columns_of(&self, job: JobId, out: &mut Vec<Segment>) {
        let (spans, ruler) = (&self.strip.run.spans, Ruler::of(&self.scale));
        let row = self.strip.rows.row_of(job).filter(|_| !self.strip.layout.is_banded());
        match self.detail.zip(row).and_then(|(detail, row)| detail.line(row)) {
            Some(LineDetail::Row(levels)) => levels.on(ruler, out),
            _ => segments(items(spans, spans.range_of(job), self.strip.slot_of(job), ruler), out),
        }
    }

    /// Draws a job with the top of its row at `top`.
    pub(crate) fn draw(&mut self, job: JobId, top: f64, layers: &mut Layers) {
        let frame = self.strip.layout.frame;
        let bar = Frame { left: frame.left, top, width: frame.width, height: self.strip.layout.pitch.bar_px() };
        let mut found = std::mem::take(&mut self.segments);
        self.columns_of(job, &mut found);
        let row = Row { job, slot: self.strip.slot_of(job), bar, fade_x: self.fade_x(job) };

        // Bars that differ only in GPUs are one bar; waiting lines likewise.
        let is_merged = |segment: &Segment| segment.merged.is_some();
        let alike = |a: &Segment, b: &Segment| is_merged(a) == is_merged(b) && (is_merged(a) || a.state == b.state);
        for same in found.chunk_by(|a, b| a.to == b.from && alike(a, b)) {
            if let (Some(first), Some(last)) = (same.first(), same.last()) {
                if is_merged(first) {
                    self.merged(&row, same, layers);
                    continue;
                }
                let (from, to) = (frame.left + first.from as f64, frame.left + last.to as f64);
                self.state(&row, first.state, from, to, layers);
            }
        }
        if self.strip.layout.pitch.px() >= DETAIL_MIN_PX {
            for segment in &found {
                layers.texts.extend(self.text_of(&row, segment));
            }
        }
        self.ending(&row, found.last(), layers);
        self.segments = found;
    }

    /// Where the fade of a job that is still open at the edge of what is known begins.
    pub(crate) fn fade_x(&self, job: JobId) -> Option<f64> {
        let run = self.strip.run;
        let last = run.spans.get(run.spans.range_of(job).last()?)?;
        let open = run.jobs.outcome.get(job.index()) == Some(&Outcome::Unfinished) && last.end_s >= run.end_s;
        // While it is being computed, the edge moves and is marked by a hairline.
        (open && self.strip.phase != Phase::Running).then(|| self.scale.x_of(run.end_s) - FADE_PX)
    }

    pub(crate) fn state(&self, row: &Row, state: SpanState, from: f64, to: f64, layers: &mut Layers) {
        match state {
            SpanState::Waiting => {
                layers.waiting.extend(self.mid_line(row, from, to, Paint::Wait, Dash::Solid));
            }
            SpanState::Preempted => {
                layers.preempted.extend(self.mid_line(row, from, to, Paint::Ink2, Dash::Medium));
            }
            SpanState::Running | SpanState::Rescaling | SpanState::Recovering => {
                let fade_x = row.fade_x.unwrap_or(f64::INFINITY).max(from).min(to).round();
                self.bar(row, state, from, fade_x, false, layers);
                self.bar(row, state, fade_x, to, true, layers);
            }
        }
    }

    /// Columns in which many spans meet: bars as high as the share of time in which GPUs were held.
    pub(crate) fn merged(&self, row: &Row, columns: &[Segment], layers: &mut Layers) {
        let frame = self.strip.layout.frame;
        for segment in columns.iter().filter(|segment| segment.merged.is_some_and(|merged| merged.held == 0)) {
            let (from, to) = (frame.left + segment.from as f64, frame.left + segment.to as f64);
            self.state(row, segment.state, from, to, layers);
        }
        merged_bars(columns, &row.bar, &frame, layers);
    }

    fn bar(&self, row: &Row, state: SpanState, from: f64, to: f64, faded: bool, layers: &mut Layers) {
        let whole = Frame { left: from, width: to - from, ..row.bar };
        let Some(frame) = clipped(whole, &self.strip.layout.frame) else {
            return;
        };
        let textured = row.bar.height >= TEXTURE_MIN_PX - 1.0;
        let standing = state != SpanState::Running;
        let fill = if faded || (standing && !textured) { Fill::Share(38) } else { Fill::Solid };
        layers.bar(row.slot, frame, fill);
        match (state, textured) {
            (SpanState::Recovering, true) => {
                layers.on_bars.push(Mark::Rect { frame, paint: Paint::Panel, fill: Fill::CrossHatch });
            }
            (SpanState::Recovering, false) => layers.on_bars.extend(groove(&frame)),
            (_, true) if faded || standing => {
                layers.on_bars.push(Mark::Rect { frame, paint: Paint::Panel, fill: Fill::Hatch });
            }
            _ => {}
        }
    }

    fn mid_line(&self, row: &Row, from: f64, to: f64, paint: Paint, dash: Dash) -> Option<Mark> {
        let frame = self.strip.layout.frame;
        let y = row.bar.top + (row.bar.height / 2.0).floor() + 0.5;
        let inside = y - 0.5 >= frame.top && y + 0.5 <= frame.bottom();
        let (from, to) = (Point { x: from, y }, Point { x: to.min(frame.right()), y });
        (inside && to.x > from.x).then_some(Mark::Line { from, to, paint, width: 1.0, dash })
    }

    fn text_of(&self, row: &Row, segment: &Segment) -> Option<Mark> {
        if segment.merged.is_some() {
            return None;
        }
        let frame = self.strip.layout.frame;
        let (from, to) = (frame.left + segment.from as f64, frame.left + segment.to as f64);
        let (text, size, paint, least_px) = match segment.state {
            SpanState::Running => {
                let text = format::count(segment.gpus.into());
                (text, TextSize::Bar, Paint::OnModel(row.slot), NUMBER_MIN_PX)
            }
            SpanState::Waiting if self.strip.layout.pitch.px() >= WORDS_MIN_PX => {
                let span = self.strip.run.spans.get(segment.span)?;
                let text = format!("waiting {}", format::duration(span.end_s - span.start_s));
                (text, TextSize::Caption, Paint::Ink3, WAITING_LABEL_MIN_PX)
            }
            _ => return None,
        };
        let at = Point { x: (from + to) / 2.0, y: row.bar.top + row.bar.height / 2.0 };
        if row.fade_x.is_some_and(|fade_x| at.x > fade_x) {
            return None;
        }
        let fits = to - from >= least_px.max(size.width_px(&text) + 4.0);
        let half_px = size.digits_px() / 2.0;
        let inside = at.y - half_px >= frame.top && at.y + half_px <= frame.bottom();
        let backed = segment.state == SpanState::Waiting;
        (fits && inside).then_some(Mark::Text { at, text, anchor: Anchor::Middle, size, paint, backed })
    }

    /// How the job ended: cap, rule past the deadline, crosses.
    pub(crate) fn ending(&self, row: &Row, last: Option<&Segment>, layers: &mut Layers) {
        let run = self.strip.run;
        let Some(job) = self.strip.trace.jobs().get(row.job.index()) else {
            return;
        };
        let outcome = run.jobs.outcome.get(row.job.index()).copied().unwrap_or(Outcome::Unfinished);
        if outcome == Outcome::Dropped {
            layers.dropped.extend(self.cross(row, job.submit_s, 0.0, Cross::Hollow, Paint::Ink2));
            return;
        }
        let was_submitted = !run.spans.range_of(row.job).is_empty();
        let ended_s = match run.jobs.end_s.get(row.job.index()).copied().flatten() {
            Some(end_s) if outcome != Outcome::Unfinished => Some(end_s),
            _ if was_submitted => Some(run.end_s),
            _ => None,
        };
        let Some(end_s) = ended_s else {
            return;
        };
        if matches!(outcome, Outcome::Failed | Outcome::Cancelled) {
            return self.broken_off(row, outcome, end_s, layers);
        }
        if outcome == Outcome::Completed {
            layers.on_bars.extend(self.cap(row, end_s, last));
        }
        if let Some(deadline_s) = job.deadline_s.filter(|&deadline_s| is_late(end_s, deadline_s)) {
            layers.rules.extend(self.rule(row, deadline_s.max(job.submit_s), end_s));
            // The edge of a run that is being computed is no end; the rule says enough.
            if outcome == Outcome::Completed || self.strip.phase != Phase::Running {
                let reach = cross_reach_px(row);
                layers.missed.extend(self.cross(row, end_s, reach + 1.5, Cross::Missed, Paint::Bad));
            }
        }
    }

    /// The end of a job that did not complete: it has no deadline to miss.
    fn broken_off(&self, row: &Row, outcome: Outcome, end_s: f64, layers: &mut Layers) {
        let after_px = cross_reach_px(row) + 1.5;
        match outcome {
            Outcome::Failed => layers.missed.extend(self.cross(row, end_s, after_px, Cross::Failed, Paint::Bad)),
            _ => layers.dropped.extend(self.cross(row, end_s, after_px, Cross::Cancelled, Paint::Ink2)),
        }
    }

    fn cap(&self, row: &Row, end_s: f64, last: Option<&Segment>) -> Option<Mark> {
        let segment = last.filter(|segment| {
            segment.merged.is_none() && segment.state == SpanState::Running && segment.to > segment.from + 1
        })?;
        let visible = self.strip.layout.pitch.px() >= DETAIL_MIN_PX && self.scale.shows(end_s);
        let left = self.strip.layout.frame.left + segment.to as f64 - 1.0;
        let frame = clipped(Frame { left, width: 1.0, ..row.bar }, &self.strip.layout.frame)?;
        visible.then_some(Mark::Rect { frame, paint: Paint::ModelDark(row.slot), fill: Fill::Solid })
    }

    fn rule(&self, row: &Row, from_s: f64, to_s: f64) -> Option<Mark> {
        let (from, to) = (self.scale.x_within(from_s).round(), self.scale.x_within(to_s).round());
        let below = Frame { left: from, width: to - from, top: row.bar.bottom() - 2.0, height: 2.0 };
        let frame = clipped(below, &self.strip.layout.frame)?;
        let high_enough = self.strip.layout.pitch.px() >= TEXTURE_MIN_PX;
        high_enough.then_some(Mark::Rect { frame, paint: Paint::Bad, fill: Fill::Solid })
    }

    fn cross(&self, row: &Row, time_s: f64, after_px: f64, cross: Cross, paint: Paint) -> Option<Mark> {
        let frame = &self.strip.layout.frame;
        let in_view = self.scale.shows(time_s) && row.bar.bottom() > frame.top && row.bar.top < frame.bottom();
        let reach = cross_reach_px(row);
        let at = Point { x: self.scale.x_of(time_s) + after_px, y: row.bar.top + row.bar.height / 2.0 };
        let at = kept_inside(at, reach, frame).filter(|_| in_view)?;
        Some(Mark::Cross { at, reach, cross, paint })
    }
}

/// What tells recovering from rescaling in bars too low for a hatch: a line along their middle.
pub(crate) fn groove(bar: &Frame) -> Option<Mark> {
    let frame = Frame { top: bar.top + ((bar.height - 1.0) / 2.0).floor(), height: 1.0, ..*bar };
    (bar.height >= 3.0).then_some(Mark::Rect { frame, paint: Paint::Panel, fill: Fill::Solid })
}

/// Crosses stand out of rows that are lower than they are: below 5 px a cross cannot be told from a dot.
fn cross_reach_px(row: &Row) -> f64 {
    (row.bar.height / 2.0).clamp(2.5, 3.5)
}
