//! One run, a row a job: what is drawn where.

use elastiplan_engine::Run;
use elastiplan_model::{JobId, Trace};

use crate::band::{Shown, Tally};
use crate::columns::Ruler;
use crate::detail::{Detail, LineDetail};
use crate::draw::{Anchor, Dash, DrawList, Fill, Frame, Mark, Paint, Point, TextSize, caption, shortened, vertical};
use crate::layers::{Layers, clipped};
use crate::layout::{Pitch, StripLayout};
use crate::levels::Fineness;
use crate::merged::count;
use crate::row::RowPen;
use crate::rows::Rows;
use crate::slots::{ModelSlot, ModelSlots};

/// Between the gutter's labels and the plot.
pub(crate) const GUTTER_GAP_PX: f64 = 7.0;
/// Half the height of a label.
pub(crate) const LABEL_HALF_PX: f64 = 5.0;

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It came to its end, or to the time at which it was to stop.
    Finished,
    /// It is being computed: a hairline marks how far it is.
    Running,
    /// It was cancelled or failed: what would come after is hatched.
    Stopped,
}

/// One run, a row a job.
#[derive(Clone, Copy, Debug)]
pub struct Strip<'a> {
    /// The run; it may be partial.
    pub run: &'a Run,
    /// The trace it ran.
    pub trace: &'a Trace,
    /// Colours of models.
    pub slots: &'a ModelSlots,
    /// The jobs that have a row, in order.
    pub rows: &'a Rows,
    /// Where rows lie.
    pub layout: StripLayout,
    /// How far the run is.
    pub phase: Phase,
    /// The selected job: tinted, outlined, kept in view, its deadline drawn through the strip.
    pub selected: Option<JobId>,
    /// The job under the pointer, in this strip or another: outlined.
    pub hovered: Option<JobId>,
    /// Levels of detail, where they have been made.
    pub detail: Option<&'a Detail>,
}

impl Strip<'_> {
    /// The picture. Marks lie inside the plot's frame, labels in the gutter left of it; ground and gridlines are not
    /// part of it.
    pub fn draw(&self) -> DrawList {
        let mut list = DrawList::default();
        let frame = self.layout.frame;
        if !(frame.width >= 1.0 && frame.height >= 1.0) {
            return list;
        }
        let mut layers = Layers::default();
        edge(self.phase, self.run.end_s, &self.layout, &mut layers);
        let mut pen = RowPen::new(self);
        match self.layout.pitch {
            Pitch::Bands { .. } => self.bands(&mut layers),
            Pitch::Rows { .. } | Pitch::Packed => {
                for line in self.layout.visible_lines() {
                    if let Some(job) = self.rows.job_at(line).filter(|&job| Some(job) != self.selected) {
                        pen.draw(job, self.layout.y_of_line(line), &mut layers);
                    }
                }
            }
        }
        self.groups(&mut layers);
        self.labels(&mut layers);
        self.hover(&mut layers);
        layers.append_to(&mut list);
        self.selection(&mut pen, &mut list);
        list
    }

    /// The slot of a job's model.
    pub(crate) fn slot_of(&self, job: JobId) -> ModelSlot {
        self.trace.jobs().get(job.index()).map_or(ModelSlot::OTHER, |job| self.slots.of(job.model))
    }

    /// Levels of detail, if they are for these rows and of use at this zoom.
    pub(crate) fn usable_detail(&self) -> Option<&Detail> {
        let s_per_px = self.layout.scale().s_per_px();
        let of_use = |_: &&Detail| Fineness::wanted(self.run.start_s, self.run.end_s, s_per_px).is_some();
        let per_line = self.layout.pitch.rows_per_line();
        self.detail.filter(of_use).filter(|detail| detail.fits(self.rows.jobs(), per_line, 0, self.slots))
    }

    fn bands(&self, layers: &mut Layers) {
        let (frame, ruler) = (self.layout.frame, Ruler::of(&self.layout.scale()));
        let bar_px = self.layout.pitch.bar_px();
        let detail = self.usable_detail();
        let (mut tally, mut patches) = (Tally::new(0), Vec::new());
        for line in self.layout.visible_lines() {
            let jobs = self.rows.jobs().get(self.layout.rows_of_line(line)).unwrap_or_default();
            match detail.and_then(|detail| detail.line(line)) {
                Some(LineDetail::Many(levels)) => levels.on(ruler, &mut patches),
                _ => {
                    tally.fill(self.run, self.trace, self.slots, jobs, ruler);
                    patches = tally.of_jobs();
                }
            }
            let top = self.layout.y_of_line(line);
            for patch in &patches {
                let left = frame.left + patch.from as f64;
                let whole = Frame { left, top, width: (patch.to - patch.from) as f64, height: bar_px };
                let Some(region) = clipped(whole, &frame) else { continue };
                let y = region.top + (region.height / 2.0).floor().min(region.height - 0.5) + 0.5;
                let (from, to) = (Point { x: region.left, y }, Point { x: region.right(), y });
                let line = |paint, dash| Mark::Line { from, to, paint, width: 1.0, dash };
                match patch.shown {
                    Shown::Model(slot) => {
                        layers.bar(slot, region, Fill::Share(70));
                        layers.texts.extend(count(&region, jobs.len() as u64));
                    }
                    Shown::Waiting => layers.waiting.push(line(Paint::Wait, Dash::Solid)),
                    Shown::Preempted => layers.preempted.push(line(Paint::Ink2, Dash::Medium)),
                    Shown::Nothing => {}
                }
            }
        }
    }

    /// Labels in the gutter: the first, last and selected row; names where rows are high enough.
    fn labels(&self, layers: &mut Layers) {
        let lines = self.layout.visible_lines();
        let pitch_px = self.layout.pitch.px();
        let named = !self.layout.is_banded() && pitch_px >= 10.0;
        // A row of 10 px is lower than a line of text: every second one is named.
        let every = if pitch_px * 2.0 > 22.0 { 1 } else { 2 };
        let last = lines.end.saturating_sub(1);
        let mut free_y = f64::NEG_INFINITY;
        let selected = self.selected.and_then(|job| Some((job, self.rows.row_of(job)?)));
        let selected = selected.and_then(|(job, row)| Some((job, self.label_y(self.pinned_middle(row))?)));
        if let Some((job, y)) = selected {
            layers.labels.extend(self.row_label(job, y, named, Paint::Ink1));
        }
        for line in lines.clone() {
            let is_end = line == lines.start || line == last;
            if !(is_end || (named && line % every == 0)) {
                continue;
            }
            let rows = self.layout.rows_of_line(line);
            let row = if line == last && line != lines.start { rows.end.saturating_sub(1) } else { rows.start };
            let Some(job) = self.rows.job_at(row) else { continue };
            let middle = self.layout.y_of_line(line) + self.layout.pitch.bar_px() / 2.0;
            let Some(y) = self.label_y(middle) else { continue };
            let beside_selected = selected.is_some_and(|(_, taken)| (y - taken).abs() < 2.0 * LABEL_HALF_PX);
            if y - LABEL_HALF_PX >= free_y && !beside_selected {
                free_y = y + LABEL_HALF_PX;
                layers.labels.extend(self.row_label(job, y, named, Paint::Ink3));
            }
        }
    }

    /// The middle of a label near `middle`, inside the frame; `None` if no label fits.
    fn label_y(&self, middle: f64) -> Option<f64> {
        let (least, most) = (self.layout.frame.top + LABEL_HALF_PX, self.layout.frame.bottom() - LABEL_HALF_PX);
        (least <= most).then(|| middle.clamp(least, most))
    }

    fn row_label(&self, job: JobId, y: f64, named: bool, paint: Paint) -> Option<Mark> {
        let room = self.layout.frame.left - GUTTER_GAP_PX;
        let number = elastiplan_text::format::count(u64::from(job.0) + 1);
        let text = match self.trace.jobs().get(job.index()) {
            Some(job) if named => shortened(&job.name, TextSize::Caption, room)?,
            _ => {
                let word = format!("job {number}");
                if TextSize::Caption.width_px(&word) <= room { word } else { number }
            }
        };
        Some(caption(room, y, Anchor::End, paint, text))
    }

    fn hover(&self, layers: &mut Layers) {
        let Some(line) = self.hovered.and_then(|job| self.rows.row_of(job)).map(|r| self.layout.line_of_row(r)) else {
            return;
        };
        layers.top.extend(self.outline(self.layout.y_of_line(line), Paint::Ink2));
    }

    /// The outline of a line, 1 px outside of it.
    fn outline(&self, top: f64, paint: Paint) -> Option<Mark> {
        let frame = self.layout.frame;
        let around = Frame { top: top - 1.0, height: self.layout.pitch.bar_px() + 2.0, ..frame };
        Some(Mark::Outline { frame: clipped(around, &frame)?, paint, width: 1.0 })
    }

    /// The top of a row that is kept in view.
    pub(crate) fn pinned_top(&self, row: usize) -> f64 {
        let frame = self.layout.frame;
        let lowest = (frame.bottom() - self.layout.pitch.px()).max(frame.top);
        self.layout.y_of_line(self.layout.line_of_row(row)).clamp(frame.top, lowest)
    }

    fn pinned_middle(&self, row: usize) -> f64 {
        self.pinned_top(row) + self.layout.pitch.bar_px() / 2.0
    }

    /// The selected job on top of everything: where its row is, or at the edge beyond which it was scrolled.
    fn selection(&self, pen: &mut RowPen<'_>, list: &mut DrawList) {
        let Some(job) = self.selected else { return };
        let frame = self.layout.frame;
        let mut layers = Layers::default();
        if let Some(row) = self.rows.row_of(job) {
            let top = self.pinned_top(row);
            let whole = Frame { top, height: self.layout.pitch.bar_px(), ..frame };
            let tint = |frame| Mark::Rect { frame, paint: Paint::Select, fill: Fill::Solid };
            // In a band, the others of the band stay to be seen.
            layers.ground.extend(clipped(whole, &frame).filter(|_| !self.layout.is_banded()).map(tint));
            pen.draw(job, top, &mut layers);
            layers.top.extend(self.outline(top, Paint::Accent));
        }
        let deadline_s = self.trace.jobs().get(job.index()).and_then(|job| job.deadline_s);
        if let Some(deadline_s) = deadline_s.filter(|&deadline_s| self.layout.scale().shows(deadline_s)) {
            let x = self.layout.scale().x_of(deadline_s);
            layers.top.push(vertical(x, &frame, Paint::Bad, Dash::Medium));
        }
        layers.append_to(list);
    }
}

/// The edge of what is known of a run that did not finish.
pub(crate) fn edge(phase: Phase, end_s: f64, layout: &StripLayout, layers: &mut Layers) {
    let frame = layout.frame;
    let x = layout.scale().x_of(end_s);
    if phase == Phase::Finished || x > frame.right() {
        return;
    }
    if phase == Phase::Stopped {
        let left = x.max(frame.left).ceil();
        let unknown = clipped(Frame { left, width: frame.right() - left, ..frame }, &frame);
        layers.ground.extend(unknown.map(|frame| Mark::Rect { frame, paint: Paint::Line, fill: Fill::Hatch }));
    }
    if x >= frame.left {
        layers.top.push(vertical(x, &frame, Paint::Ink3, Dash::Solid));
    }
}
