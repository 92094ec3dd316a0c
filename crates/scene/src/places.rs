//! One run, a row a GPU or a row a node: who held what when.

use std::ops::Range;

use elastiplan_engine::{Run, SpanState};
use elastiplan_model::{JobId, Trace, order};

use crate::band::{Patch, Shown, Tally};
use crate::columns::{FULL, Item, Ruler, Segment, segments};
use crate::detail::{Detail, LineDetail};
use crate::draw::{Anchor, Dash, DrawList, Fill, Frame, Mark, Paint, Point, TextSize, caption, shortened};
use crate::layers::{Layers, clipped};
use crate::layout::StripLayout;
use crate::levels::Fineness;
use crate::merged::{count, merged_bars, standing_on_ground};
use crate::row::{DETAIL_MIN_PX, TEXTURE_MIN_PX, groove};
use crate::slots::{ModelSlot, ModelSlots};
use crate::strip::{GUTTER_GAP_PX, LABEL_HALF_PX, Phase, edge};
use crate::tenancy::{Piece, Tenancy};

/// Bars of different jobs are set apart from this width on.
const APART_FROM_PX: f64 = 4.0;
/// Nodes are set apart where their GPUs take at least this much.
const NODE_MIN_PX: f64 = 12.0;

/// What has a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Each GPU, node by node.
    Gpu,
    /// Each node.
    Node,
}

impl Unit {
    /// How many rows there are.
    pub fn rows(self, tenancy: &Tenancy) -> usize {
        match self {
            Unit::Gpu => (tenancy.nodes() * tenancy.gpus_per_node()) as usize,
            Unit::Node => tenancy.nodes() as usize,
        }
    }
}

/// One run, a row a GPU or node. A row of one GPU shows its jobs; a row of several the model that holds most of them,
/// as high as the share of them that is held. GPUs that are away are hatched.
#[derive(Clone, Copy, Debug)]
pub struct PlaceStrip<'a> {
    /// The run; it may be partial.
    pub run: &'a Run,
    /// Who held which GPU.
    pub tenancy: &'a Tenancy,
    /// The trace it ran.
    pub trace: &'a Trace,
    /// Colours of models.
    pub slots: &'a ModelSlots,
    /// What has a row.
    pub unit: Unit,
    /// Where rows lie.
    pub layout: StripLayout,
    /// How far the run is.
    pub phase: Phase,
    /// The selected job: outlined, its deadline drawn through the strip.
    pub selected: Option<JobId>,
    /// The job under the pointer, in this strip or another: outlined.
    pub hovered: Option<JobId>,
    /// Levels of detail, where they have been made.
    pub detail: Option<&'a Detail>,
}

impl PlaceStrip<'_> {
    /// The picture. Marks lie inside the plot's frame, labels in the gutter left of it; the ground and gridlines are
    /// not part of it.
    pub fn draw(&self) -> DrawList {
        let mut list = DrawList::default();
        let frame = self.layout.frame;
        if !(frame.width >= 1.0 && frame.height >= 1.0) {
            return list;
        }
        let mut layers = Layers::default();
        let mut pen = PlacePen::new(self);
        for line in self.layout.visible_lines() {
            pen.line(line, &mut layers);
        }
        self.between_nodes(&mut layers);
        edge(self.phase, self.run.end_s, &self.layout, &mut layers);
        self.labels(&mut layers);
        for (job, paint) in [(self.hovered, Paint::Ink2), (self.selected, Paint::Accent)] {
            let outlines = job.into_iter().flat_map(|job| self.outlines(job));
            layers.top.extend(outlines.map(|frame| Mark::Outline { frame, paint, width: 1.0 }));
        }
        let deadline_s = self.selected.and_then(|job| self.trace.jobs().get(job.index())?.deadline_s);
        if let Some(deadline_s) = deadline_s.filter(|&deadline_s| self.layout.scale().shows(deadline_s)) {
            let x = self.layout.scale().x_of(deadline_s);
            layers.top.push(crate::draw::vertical(x, &frame, Paint::Bad, Dash::Medium));
        }
        layers.append_to(&mut list);
        list
    }

    /// GPUs in a row.
    pub(crate) fn gpus_per_row(&self) -> u32 {
        match self.unit {
            Unit::Gpu => 1,
            Unit::Node => self.tenancy.gpus_per_node(),
        }
    }

    /// The GPUs of a line, counted through all nodes.
    pub(crate) fn gpus_of_line(&self, line: usize) -> Range<u32> {
        let rows = self.layout.rows_of_line(line);
        rows.start as u32 * self.gpus_per_row()..rows.end as u32 * self.gpus_per_row()
    }

    /// The nodes that GPUs belong to, each with those of its GPUs as bits.
    pub(crate) fn nodes_of(&self, gpus: &Range<u32>) -> impl Iterator<Item = (u32, u64)> + use<> {
        let (per_node, gpus) = (self.tenancy.gpus_per_node().max(1), gpus.clone());
        (gpus.start / per_node..gpus.end.div_ceil(per_node)).map(move |node| {
            let first = gpus.start.max(node * per_node) - node * per_node;
            let end = (gpus.end.min((node + 1) * per_node)).saturating_sub(node * per_node);
            let below = |gpu: u32| if gpu >= 64 { u64::MAX } else { (1u64 << gpu) - 1 };
            (node, below(end) & !below(first))
        })
    }

    /// How many holdings the nodes of some GPUs have.
    pub(crate) fn holdings_near(&self, gpus: &Range<u32>) -> usize {
        self.nodes_of(gpus).map(|(node, _)| self.run.holdings.range_of(node).len()).sum()
    }

    /// What one GPU did, as parts of its row.
    pub(crate) fn parts_of(&self, gpu: u32, ruler: Ruler) -> impl Iterator<Item = Item> {
        self.pieces_of(gpu, (ruler.start_s, ruler.end_s)).filter_map(move |piece| self.part(&piece, ruler))
    }

    /// What one GPU did in a time.
    pub(crate) fn pieces_of(&self, gpu: u32, within_s: (f64, f64)) -> impl Iterator<Item = Piece> {
        let place = self.nodes_of(&(gpu..gpu + 1)).next().unwrap_or((u32::MAX, 0));
        self.tenancy.within(self.run, place, within_s)
    }

    /// A piece as a part of a row.
    pub(crate) fn part(&self, piece: &Piece, ruler: Ruler) -> Option<Item> {
        let (from, to) = (ruler.px(piece.start_s), ruler.px(piece.end_s));
        let (slot, job, gpus) = (self.slot_of(piece.job), piece.job.0, piece.mask.count_ones());
        (to > from).then_some(Item { from, to, state: piece.state, gpus, slot, job, at: 0 })
    }

    /// Sums what GPUs did. A holding is added as a whole, however often the state of its job changes, and then those
    /// times in which its GPUs stand still.
    pub(crate) fn fill(&self, tally: &mut Tally, gpus: Range<u32>, ruler: Ruler) {
        tally.clear(ruler.columns);
        for (node, mask) in self.nodes_of(&gpus) {
            for holding in self.tenancy.held_within(self.run, (node, mask), (ruler.start_s, ruler.end_s)) {
                let (from, to) = (ruler.px(holding.from_s), ruler.px(holding.end_s));
                let held = (holding.mask & mask).count_ones();
                if to > from {
                    tally.add_held(self.slot_of(holding.job), held, from, to);
                }
                let in_view = holding.take_while(|piece| piece.start_s < ruler.end_s);
                for piece in in_view.filter(|piece| piece.state != SpanState::Running) {
                    let (from, to) = (ruler.px(piece.start_s), ruler.px(piece.end_s));
                    if to > from {
                        tally.add_standing(piece.state, held, from, to);
                    }
                }
            }
            self.add_away(tally, node, mask.count_ones(), ruler);
        }
        tally.sum();
    }

    fn add_away(&self, tally: &mut Tally, node: u32, gpus: u32, ruler: Ruler) {
        for (start_s, end_s) in self.run.absences.of(node) {
            let (from, to) = (ruler.px(start_s), ruler.px(end_s));
            if to > from {
                tally.add_away(gpus, from, to);
            }
        }
    }

    fn slot_of(&self, job: JobId) -> ModelSlot {
        self.tenancy.model_of(job).map_or(ModelSlot::OTHER, |model| self.slots.of(model))
    }

    /// Levels of detail, if they are for these rows and of use at this zoom.
    pub(crate) fn usable_detail(&self) -> Option<&Detail> {
        let s_per_px = self.layout.scale().s_per_px();
        let of_use = |_: &&Detail| Fineness::wanted(self.run.start_s, self.run.end_s, s_per_px).is_some();
        let per_line = self.layout.pitch.rows_per_line();
        self.detail.filter(of_use).filter(|detail| detail.fits(&[], per_line, self.gpus_per_row(), self.slots))
    }

    /// Lines between the GPUs of one node and those of the next.
    fn between_nodes(&self, layers: &mut Layers) {
        let per_node = self.tenancy.gpus_per_node() as usize;
        let px = self.layout.pitch.px();
        if self.unit != Unit::Gpu || self.layout.is_banded() || per_node < 2 || px * (per_node as f64) < NODE_MIN_PX {
            return;
        }
        let frame = self.layout.frame;
        for line in self.layout.visible_lines().filter(|line| line % per_node == 0) {
            let y = self.layout.y_of_line(line).round() - 0.5;
            if y - 0.5 >= frame.top && y + 0.5 <= frame.bottom() {
                let (from, to) = (Point { x: frame.left, y }, Point { x: frame.right(), y });
                layers.on_bars.push(Mark::Line { from, to, paint: Paint::LineStrong, width: 1.0, dash: Dash::Solid });
            }
        }
    }

    fn labels(&self, layers: &mut Layers) {
        let is_low = self.layout.is_banded() || self.layout.pitch.px() < DETAIL_MIN_PX;
        match self.unit {
            Unit::Gpu if !is_low => self.gpu_labels(layers),
            _ => self.node_labels(layers),
        }
    }

    /// "node 16" at a round step: every node where there is room, or every second, fourth, eighth and so on.
    fn node_labels(&self, layers: &mut Layers) {
        let rows_per_node = (self.tenancy.gpus_per_node() / self.gpus_per_row()).max(1) as usize;
        let row_px = self.layout.pitch.px() / self.layout.pitch.rows_per_line() as f64;
        let apart_px = 2.0 * LABEL_HALF_PX + 1.0;
        let mut step = 1;
        while step as f64 * rows_per_node as f64 * row_px < apart_px && step < self.layout.rows {
            step *= 2;
        }
        let lines = self.layout.visible_lines();
        let first = self.layout.rows_of_line(lines.start).start.div_ceil(rows_per_node).next_multiple_of(step);
        let end = self.layout.rows_of_line(lines.end.saturating_sub(1)).end.div_ceil(rows_per_node);
        let mut free_y = f64::NEG_INFINITY;
        for node in (first..end).step_by(step) {
            let line = self.layout.line_of_row(node * rows_per_node);
            free_y = self.label(self.run.node_name(node as u32).into_owned(), line, Paint::Ink3, free_y, layers);
        }
    }

    /// The GPUs of a node by their own number; the first by the node's name.
    fn gpu_labels(&self, layers: &mut Layers) {
        let per_node = self.tenancy.gpus_per_node().max(1);
        let lines = self.layout.visible_lines();
        let mut free_y = f64::NEG_INFINITY;
        for line in lines.clone() {
            let gpu = self.gpus_of_line(line).start;
            // A node is named before its GPUs are.
            if gpu.is_multiple_of(per_node) {
                free_y = self.label(self.run.node_name(gpu / per_node).into_owned(), line, Paint::Ink2, free_y, layers);
            } else if self.layout.pitch.px() > 2.0 * LABEL_HALF_PX || line == lines.start {
                free_y = self.label(format!("GPU {}", gpu % per_node), line, Paint::Ink3, free_y, layers);
            }
        }
    }

    /// A label beside a line, unless one above takes its place until `free_y`. Returns until where places are taken.
    fn label(&self, text: String, line: usize, paint: Paint, free_y: f64, layers: &mut Layers) -> f64 {
        let frame = self.layout.frame;
        let (least, most) = (frame.top + LABEL_HALF_PX, frame.bottom() - LABEL_HALF_PX);
        if least > most {
            return free_y;
        }
        let y = (self.layout.y_of_line(line) + self.layout.pitch.bar_px() / 2.0).clamp(least, most);
        // Digits are lower than their line: the first label, moved down into the frame, leaves room for the next.
        let half_px = TextSize::Caption.digits_px() / 2.0;
        if y - half_px < free_y {
            return free_y;
        }
        let room = frame.left - GUTTER_GAP_PX;
        let text = shortened(&text, TextSize::Caption, room);
        layers.labels.extend(text.map(|text| caption(room, y, Anchor::End, paint, text)));
        y + half_px + 1.0
    }

    /// Around what a job held, as far as it is in view.
    pub fn outlines(&self, job: JobId) -> Vec<Frame> {
        let (plot, scale) = (self.layout.frame, self.layout.scale());
        let window = scale.window();
        let mut held: Vec<(Range<usize>, f64, f64)> = Vec::new();
        for (node, piece) in self.tenancy.of_job(self.run, job) {
            if piece.end_s <= window.start_s() || piece.start_s >= window.end_s() {
                continue;
            }
            let (left, right) = (scale.x_within(piece.start_s).floor(), scale.x_within(piece.end_s).ceil());
            for gpus in runs_of_bits(piece.mask) {
                let first = node * self.tenancy.gpus_per_node();
                let row = |gpu: u32| ((first + gpu) / self.gpus_per_row()) as usize;
                let lines = self.layout.line_of_row(row(gpus.start))..self.layout.line_of_row(row(gpus.end - 1)) + 1;
                held.push((lines, left, right));
            }
        }
        order::sort_by(&mut held, |a, b| (a.0.start, a.0.end).cmp(&(b.0.start, b.0.end)).then(a.1.total_cmp(&b.1)));
        let mut joined: Vec<(Range<usize>, f64, f64)> = Vec::new();
        for (lines, left, right) in held {
            match joined.last_mut() {
                Some(last) if last.0 == lines && left <= last.2 + 1.0 => last.2 = last.2.max(right),
                _ => joined.push((lines, left, right)),
            }
        }
        let around = |(lines, left, right): (Range<usize>, f64, f64)| {
            let top = self.layout.y_of_line(lines.start) - 1.0;
            let height = (lines.len() as f64 - 1.0) * self.layout.pitch.px() + self.layout.pitch.bar_px() + 2.0;
            clipped(Frame { left: left - 1.0, top, width: right - left + 2.0, height }, &plot)
        };
        joined.into_iter().filter_map(around).collect()
    }
}

/// Draws lines one after another, and keeps what can be used again.
struct PlacePen<'a> {
    strip: &'a PlaceStrip<'a>,
    ruler: Ruler,
    detail: Option<&'a Detail>,
    tally: Tally,
    patches: Vec<Patch>,
    segments: Vec<Segment>,
    /// When the node drawn last is away.
    away: (Option<u32>, Vec<Patch>),
}

impl<'a> PlacePen<'a> {
    fn new(strip: &'a PlaceStrip<'a>) -> Self {
        Self {
            strip,
            ruler: Ruler::of(&strip.layout.scale()),
            detail: strip.usable_detail(),
            tally: Tally::new(0),
            patches: Vec::new(),
            segments: Vec::new(),
            away: (None, Vec::new()),
        }
    }

    fn line(&mut self, line: usize, layers: &mut Layers) {
        let layout = &self.strip.layout;
        let plot = layout.frame;
        let bar =
            Frame { left: plot.left, top: layout.y_of_line(line), width: plot.width, height: layout.pitch.bar_px() };
        self.ground(&bar, layers);
        let gpus = self.strip.gpus_of_line(line);
        let detail = self.detail.and_then(|detail| detail.line(line));
        if gpus.len() == 1 {
            match detail {
                Some(LineDetail::Row(levels)) => levels.on(self.ruler, &mut self.segments),
                _ => segments(self.strip.parts_of(gpus.start, self.ruler), &mut self.segments),
            }
            self.away_of(gpus.start / self.strip.tenancy.gpus_per_node().max(1));
            self.away.1.iter().for_each(|patch| self.away_patch(patch, &bar, layers));
            self.one_gpu(&bar, layers);
            return;
        }
        match detail {
            Some(LineDetail::Many(levels)) => levels.on(self.ruler, &mut self.patches),
            _ => {
                self.strip.fill(&mut self.tally, gpus.clone(), self.ruler);
                self.patches = self.tally.of_gpus(gpus.len() as u32);
            }
        }
        for patch in &self.patches {
            self.away_patch(patch, &bar, layers);
            self.patch(patch, &bar, line, layers);
        }
    }

    /// What a row could hold: the time of the run.
    fn ground(&self, bar: &Frame, layers: &mut Layers) {
        let scale = self.strip.layout.scale();
        let (left, right) =
            (scale.x_within(self.strip.run.start_s).round(), scale.x_within(self.strip.run.end_s).round());
        let ground = clipped(Frame { left, width: right - left, ..*bar }, &self.strip.layout.frame);
        layers.ground.extend(ground.map(|frame| Mark::Rect { frame, paint: Paint::Grid, fill: Fill::Solid }));
    }

    fn away_of(&mut self, node: u32) {
        if self.away.0 != Some(node) {
            self.tally.clear(self.ruler.columns);
            self.strip.add_away(&mut self.tally, node, 1, self.ruler);
            self.tally.sum();
            self.away = (Some(node), self.tally.of_gpus(1));
        }
    }

    /// Columns of a bar.
    fn columns(&self, from: usize, to: usize, bar: &Frame) -> Frame {
        Frame { left: bar.left + from as f64, width: (to - from) as f64, ..*bar }
    }

    fn away_patch(&self, patch: &Patch, bar: &Frame, layers: &mut Layers) {
        if patch.away == 0 {
            return;
        }
        let columns = self.columns(patch.from, patch.to, bar);
        let height = standing_on_ground(&columns, patch.away).height;
        let Some(frame) = clipped(Frame { height, ..columns }, &self.strip.layout.frame) else { return };
        layers.away.push(Mark::Rect { frame, paint: Paint::Panel, fill: Fill::Solid });
        layers.away_hatch.push(Mark::Rect { frame, paint: Paint::LineStrong, fill: Fill::Hatch });
    }

    fn patch(&self, patch: &Patch, bar: &Frame, line: usize, layers: &mut Layers) {
        let Shown::Model(slot) = patch.shown else { return };
        let columns = standing_on_ground(&self.columns(patch.from, patch.to, bar), patch.held);
        let Some(frame) = clipped(columns, &self.strip.layout.frame) else { return };
        let is_band = self.strip.layout.is_banded();
        let fill = if is_band { Fill::Share(70) } else { Fill::Solid };
        self.bar(slot, patch.standing.unwrap_or(SpanState::Running), frame, fill, layers);
        if is_band && patch.held == FULL {
            layers.texts.extend(count(&frame, self.strip.layout.rows_of_line(line).len() as u64));
        }
    }

    fn one_gpu(&self, bar: &Frame, layers: &mut Layers) {
        let plot = self.strip.layout.frame;
        let is_merged = |segment: &Segment| segment.merged.is_some();
        let mut parts = self.segments.chunk_by(|a, b| {
            let same = (a.job, a.state) == (b.job, b.state);
            a.to == b.from && is_merged(a) == is_merged(b) && (is_merged(a) || same)
        });
        let mut next = parts.next();
        while let Some(chunk) = next {
            next = parts.next();
            let (Some(first), Some(last)) = (chunk.first(), chunk.last()) else { continue };
            if is_merged(first) {
                merged_bars(chunk, bar, &plot, layers);
                continue;
            }
            let touches =
                next.and_then(<[Segment]>::first).is_some_and(|next| next.from == last.to && next.job != last.job);
            let mut frame = self.columns(first.from, last.to, bar);
            if touches && frame.width >= APART_FROM_PX {
                frame.width -= 1.0;
            }
            let Some(frame) = clipped(frame, &plot) else { continue };
            self.bar(first.slot, first.state, frame, Fill::Solid, layers);
            let is_whole = frame.height >= bar.height;
            layers.texts.extend(self.name(first, &frame).filter(|_| is_whole));
        }
    }

    /// The name of the job on a bar with room for it.
    fn name(&self, segment: &Segment, frame: &Frame) -> Option<Mark> {
        let (size, paint) = (TextSize::Bar, Paint::OnModel(segment.slot));
        if segment.state != SpanState::Running || frame.height < DETAIL_MIN_PX - 1.0 {
            return None;
        }
        let job = self.strip.trace.jobs().get(segment.job as usize)?;
        let text = Some(job.name.clone()).filter(|name| size.width_px(name) + 8.0 <= frame.width)?;
        let at = Point { x: frame.left + 4.0, y: frame.top + frame.height / 2.0 };
        Some(Mark::Text { at, text, anchor: Anchor::Start, size, paint, backed: false })
    }

    /// A bar that tells by its pattern whether anything gets done.
    fn bar(&self, slot: ModelSlot, state: SpanState, frame: Frame, fill: Fill, layers: &mut Layers) {
        let stands = state != SpanState::Running;
        let textured = frame.height >= TEXTURE_MIN_PX - 1.0;
        layers.bar(slot, frame, if stands && !textured { Fill::Share(38) } else { fill });
        let hatch = |fill| Mark::Rect { frame, paint: Paint::Panel, fill };
        match (state, textured) {
            (SpanState::Rescaling, true) => layers.on_bars.push(hatch(Fill::Hatch)),
            (SpanState::Recovering, true) => layers.on_bars.push(hatch(Fill::CrossHatch)),
            (SpanState::Recovering, false) => layers.on_bars.extend(groove(&frame)),
            _ => {}
        }
    }
}

/// Neighbouring bits that are set.
fn runs_of_bits(mask: u64) -> impl Iterator<Item = Range<u32>> {
    let mut left = mask;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let first = left.trailing_zeros();
        let count = (left >> first).trailing_ones();
        let end = first + count;
        left = if end >= 64 { 0 } else { left & !((1u64 << end) - 1) };
        Some(first..end)
    })
}
