//! One job in a packed row: bars with its name and GPUs, what it waits, how it ended.

use elastiplan_engine::SpanState;
use elastiplan_model::JobId;
use elastiplan_text::format;

use crate::columns::{Ruler, Segment, holds, visible};
use crate::draw::{Anchor, Fill, Frame, Mark, Paint, Point, TextSize};
use crate::layers::{Layers, clipped};
use crate::row::{Row, RowPen};
use crate::strip::Strip;

/// A pause is hatched over at least this much, so that it is seen.
const HATCH_MIN_PX: f64 = 4.5;
/// The narrowest piece that carries its number of GPUs.
const NUMBER_MIN_PX: f64 = 15.0;
/// The narrowest piece that carries the short name of its job.
const SHORT_NAME_MIN_PX: f64 = 62.0;
/// The shortest line that says how long a job waits.
const WAITING_MIN_PX: f64 = 66.0;
/// Between the edge of a piece and what is written in it.
const PAD_PX: f64 = 4.0;
/// Jobs with more spans than this for each pixel column are hatched as their columns say.
const SPANS_PER_COLUMN: usize = 2;

/// Draws jobs one after another.
pub(super) struct PackedPen<'a> {
    strip: &'a Strip<'a>,
    pen: RowPen<'a>,
    segments: Vec<Segment>,
    pauses: Vec<Pause>,
}

/// GPUs held without progress, in pixels from the left of the plot.
#[derive(Clone, Copy)]
struct Pause {
    from: f64,
    to: f64,
    state: SpanState,
}

/// A part of a bar with one number of GPUs, without the hatch over its begin.
struct Piece {
    from: f64,
    to: f64,
    gpus: String,
}

impl<'a> PackedPen<'a> {
    pub(super) fn new(strip: &'a Strip<'a>) -> Self {
        Self { strip, pen: RowPen::new(strip), segments: Vec::new(), pauses: Vec::new() }
    }

    /// Draws a job with the top of its row at `top`.
    pub(super) fn draw(&mut self, job: JobId, top: f64, layers: &mut Layers) {
        let frame = self.strip.layout.frame;
        let bar = Frame { top, height: self.strip.layout.pitch.bar_px(), ..frame };
        let mut found = std::mem::take(&mut self.segments);
        self.pen.columns_of(job, &mut found);
        let row = Row { job, slot: self.strip.slot_of(job), bar, fade_x: self.pen.fade_x(job) };
        let mut pauses = std::mem::take(&mut self.pauses);
        self.find_pauses(job, &found, &mut pauses);
        self.bars(&row, &found, layers);
        for pause in &pauses {
            self.hatch(&row, pause, layers);
        }
        self.names(&row, &found, &pauses, layers);
        for segment in found.iter().filter(|segment| segment.merged.is_none()) {
            layers.texts.extend(self.wait_words(&row, segment));
        }
        self.pen.ending(&row, found.last(), layers);
        (self.segments, self.pauses) = (found, pauses);
    }

    /// Bars and lines. Pieces with other GPUs are set apart by the hatch between them.
    fn bars(&self, row: &Row, found: &[Segment], layers: &mut Layers) {
        let left = self.strip.layout.frame.left;
        let kind = |segment: &Segment| match segment.merged {
            Some(_) => None,
            None if holds(segment.state) => Some(SpanState::Running),
            None => Some(segment.state),
        };
        for same in found.chunk_by(|a, b| a.to == b.from && kind(a) == kind(b)) {
            let (Some(first), Some(last)) = (same.first(), same.last()) else { continue };
            match kind(first) {
                Some(state) => self.pen.state(row, state, left + first.from as f64, left + last.to as f64, layers),
                None => self.pen.merged(row, same, layers),
            }
        }
    }

    /// Where a job holds GPUs without progress: at its true place, widened to be seen as far as the next pause leaves
    /// room.
    fn find_pauses(&self, job: JobId, found: &[Segment], out: &mut Vec<Pause>) {
        out.clear();
        let (spans, ruler) = (&self.strip.run.spans, Ruler::of(&self.strip.layout.scale()));
        let is_pause = |state: SpanState| holds(state) && state != SpanState::Running;
        let range = spans.range_of(job);
        if range.len() > SPANS_PER_COLUMN * ruler.columns {
            let pauses = found.iter().filter(|segment| segment.merged.is_none() && is_pause(segment.state));
            out.extend(pauses.map(|segment| Pause {
                from: segment.from as f64,
                to: segment.to as f64,
                state: segment.state,
            }));
            return;
        }
        let Some(end) = found.iter().rev().find(|segment| holds(segment.state)).map(|segment| segment.to as f64) else {
            return;
        };
        for (at, from, to) in visible(spans, range, ruler) {
            let state = spans.state.get(at).copied().filter(|&state| is_pause(state));
            let column = found.partition_point(|segment| segment.to as f64 <= from);
            let is_merged = found.get(column).is_some_and(|segment| segment.merged.is_some());
            out.extend(state.filter(|_| !is_merged).map(|state| Pause { from, to, state }));
        }
        for at in 0..out.len() {
            let next = out.get(at + 1).map_or(end, |next| (next.from + out.get(at).map_or(0.0, |it| it.from)) / 2.0);
            if let Some(pause) = out.get_mut(at) {
                pause.to = pause.to.max((pause.from + HATCH_MIN_PX).min(next));
            }
        }
    }

    fn hatch(&self, row: &Row, pause: &Pause, layers: &mut Layers) {
        let plot = &self.strip.layout.frame;
        let from = plot.left + pause.from.round();
        let whole = Frame { left: from, width: plot.left + pause.to - from, ..row.bar };
        let fill = if pause.state == SpanState::Recovering { Fill::CrossHatch } else { Fill::Hatch };
        let hatch = |frame| Mark::Rect { frame, paint: Paint::Panel, fill };
        layers.on_bars.extend(clipped(whole, plot).map(hatch));
    }

    /// The job's name in the first piece with room for it, and the GPUs of each piece.
    fn names(&self, row: &Row, found: &[Segment], pauses: &[Pause], layers: &mut Layers) {
        let left = self.strip.layout.frame.left;
        let mut pauses = pauses.iter().peekable();
        let mut pieces = Vec::new();
        for segment in found.iter().filter(|segment| segment.state == SpanState::Running && segment.merged.is_none()) {
            let (mut from, to) = (segment.from as f64, segment.to as f64);
            while let Some(pause) = pauses.next_if(|pause| pause.from < to) {
                from = from.max(pause.to);
            }
            let to = row.fade_x.map_or(left + to, |fade_x| fade_x.min(left + to));
            pieces.push(Piece { from: left + from, to, gpus: format::count(segment.gpus.into()) });
        }
        let named = self.place_name(row, &pieces);
        let y = row.bar.top + row.bar.height / 2.0;
        let mut write = |x: f64, text: String, anchor: Anchor, size: TextSize| {
            let frame = &self.strip.layout.frame;
            let half_px = size.digits_px() / 2.0;
            if y - half_px >= frame.top && y + half_px <= frame.bottom() {
                let (at, paint) = (Point { x, y }, Paint::OnModel(row.slot));
                layers.texts.push(Mark::Text { at, text, anchor, size, paint, backed: false });
            }
        };
        for (at, piece) in pieces.into_iter().enumerate() {
            match &named {
                Some((place, name)) if *place == at => {
                    write(piece.from + PAD_PX, name.clone(), Anchor::Start, TextSize::Caption);
                    write(piece.to - PAD_PX, piece.gpus, Anchor::End, TextSize::Bar);
                }
                _ => {
                    let width = TextSize::Bar.width_px(&piece.gpus) + PAD_PX;
                    if piece.to - piece.from >= NUMBER_MIN_PX.max(width) {
                        write((piece.from + piece.to) / 2.0, piece.gpus, Anchor::Middle, TextSize::Bar);
                    }
                }
            }
        }
    }

    /// The first piece with room for the whole name, or else for the short one.
    fn place_name(&self, row: &Row, pieces: &[Piece]) -> Option<(usize, String)> {
        let widest = pieces.iter().map(|piece| piece.to - piece.from).fold(0.0, f64::max);
        if widest < SHORT_NAME_MIN_PX {
            return None;
        }
        let job = self.strip.trace.jobs().get(row.job.index())?;
        let whole = format!("{} {}", self.strip.trace.model_name(job.model), job.name);
        let is_number = !job.name.is_empty() && job.name.chars().all(|letter| letter.is_ascii_digit());
        let short = if is_number { format!("#{}", job.name) } else { job.name.clone() };
        let number = format!("#{}", u64::from(row.job.0) + 1);
        [whole, short, number].into_iter().find_map(|name| {
            let needs = TextSize::Caption.width_px(&name) + 3.0 * PAD_PX;
            let fits = |piece: &Piece| {
                let room = piece.to - piece.from - TextSize::Bar.width_px(&piece.gpus);
                room >= needs && piece.to - piece.from >= SHORT_NAME_MIN_PX
            };
            Some((pieces.iter().position(fits)?, name))
        })
    }

    /// "waiting 1h 38m" on a line with room for it.
    fn wait_words(&self, row: &Row, segment: &Segment) -> Option<Mark> {
        let verb = match segment.state {
            SpanState::Waiting => "waiting",
            SpanState::Preempted => "preempted",
            _ => return None,
        };
        let frame = &self.strip.layout.frame;
        let (from, to) = (frame.left + segment.from as f64, frame.left + segment.to as f64);
        if to - from < WAITING_MIN_PX {
            return None;
        }
        let span = self.strip.run.spans.get(segment.span)?;
        let (text, size) = (format!("{verb} {}", format::duration(span.end_s - span.start_s)), TextSize::Bar);
        let at = Point { x: (from + to) / 2.0, y: row.bar.top + row.bar.height / 2.0 };
        let half_px = size.digits_px() / 2.0;
        let is_inside = at.y - half_px >= frame.top && at.y + half_px <= frame.bottom();
        let fits = is_inside && to - from >= size.width_px(&text) + PAD_PX;
        fits.then_some(Mark::Text { at, text, anchor: Anchor::Middle, size, paint: Paint::Ink3, backed: true })
    }
}
