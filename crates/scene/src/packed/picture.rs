//! The picture of packed rows, and what lies under a pointer.

use elastiplan_engine::Run;
use elastiplan_model::{JobId, Trace};
use elastiplan_text::format;

use super::pen::PackedPen;
use super::rows::PackedRows;
use crate::draw::{Dash, DrawList, Fill, Frame, Mark, Paint, vertical};
use crate::groups::{Together, draw_groups};
use crate::hit::{Hit, JobHit};
use crate::layers::{Layers, clipped};
use crate::layout::{Pitch, StripLayout};
use crate::rows::Rows;
use crate::slots::ModelSlots;
use crate::strip::{Phase, Strip, edge};
use crate::time::TimeWindow;

/// How far beside a job still counts.
const NEAR_PX: f64 = 2.0;
/// From the plot to the scrollbar.
const BAR_GAP_PX: f64 = 5.0;
/// Width of the scrollbar.
const BAR_PX: f64 = 5.0;
/// The least height of what is dragged in it.
const THUMB_MIN_PX: f64 = 20.0;

/// One run in packed rows.
#[derive(Clone, Copy, Debug)]
pub struct PackedStrip<'a> {
    /// The run; it may be partial.
    pub run: &'a Run,
    /// The trace it ran.
    pub trace: &'a Trace,
    /// Colours of models.
    pub slots: &'a ModelSlots,
    /// Which job has which row.
    pub packed: &'a PackedRows,
    /// No rows: jobs have theirs from `packed`.
    no_rows: &'a Rows,
    /// Where rows lie.
    pub layout: StripLayout,
    /// How far the run is.
    pub phase: Phase,
    /// The selected job: outlined, its deadline drawn through the strip.
    pub selected: Option<JobId>,
}

static NO_ROWS: Rows = Rows::NONE;

impl<'a> PackedStrip<'a> {
    /// A run in a frame, its rows scrolled up by `scroll_px`.
    pub fn new(
        (run, trace, slots): (&'a Run, &'a Trace, &'a ModelSlots),
        packed: &'a PackedRows,
        (frame, window, scroll_px): (Frame, TimeWindow, f64),
        phase: Phase,
        selected: Option<JobId>,
    ) -> Self {
        let layout = StripLayout { rows: packed.len(), frame, window, pitch: Pitch::Packed, scroll_px };
        Self { run, trace, slots, packed, no_rows: &NO_ROWS, layout, phase, selected }
    }

    /// The picture. Marks lie inside the plot's frame, but for the scrollbar right of it.
    pub fn draw(&self) -> DrawList {
        let mut list = DrawList::default();
        let frame = self.layout.frame;
        if !(frame.width >= 1.0 && frame.height >= 1.0) {
            return list;
        }
        let mut layers = Layers::default();
        edge(self.phase, self.run.end_s, &self.layout, &mut layers);
        let strip = self.strip();
        let mut pen = PackedPen::new(&strip);
        for line in self.layout.visible_lines() {
            for job in self.packed.jobs_in(line) {
                pen.draw(job, self.layout.y_of_line(line), &mut layers);
            }
        }
        let together = |(name, rows, jobs)| Together { name, rows, jobs };
        draw_groups(&self.layout, self.packed.groups().map(together), &mut layers);
        if let Some(job) = self.selected {
            let outline = |frame| Mark::Outline { frame, paint: Paint::Accent, width: 1.0 };
            layers.top.extend(self.outline(job).map(outline));
            let deadline_s = self.trace.jobs().get(job.index()).and_then(|job| job.deadline_s);
            let deadline_s = deadline_s.filter(|&deadline_s| self.layout.scale().shows(deadline_s));
            let line = |deadline_s| vertical(self.layout.scale().x_of(deadline_s), &frame, Paint::Bad, Dash::Medium);
            layers.top.extend(deadline_s.map(line));
        }
        let thumb = |frame| Mark::Rect { frame, paint: Paint::LineStrong, fill: Fill::Solid };
        layers.top.extend(self.thumb().map(thumb));
        layers.append_to(&mut list);
        list
    }

    /// "94 jobs hold GPUs, rows 1–16 of 78, 35 only wait".
    pub fn words(&self) -> String {
        let count = |jobs: usize| format::count(jobs as u64);
        let jobs = self.packed.holding();
        let mut words = format!("{} {} GPUs", count(jobs), if jobs == 1 { "job holds" } else { "jobs hold" });
        let lines = self.layout.visible_lines();
        if lines.len() < self.packed.len() {
            words += &format!(", rows {}–{} of {}", lines.start + 1, lines.end, count(self.packed.len()));
        }
        match self.packed.only_waiting() {
            0 => words,
            waiting => format!("{words}, {} only wait{}", count(waiting), if waiting == 1 { "s" } else { "" }),
        }
    }

    /// The part of the scrollbar that stands for what is in view; `None` where all rows are.
    pub fn thumb(&self) -> Option<Frame> {
        let (frame, most_px) = (self.layout.frame, self.layout.scroll_max_px());
        if most_px <= 0.0 || frame.height < THUMB_MIN_PX {
            return None;
        }
        let height = (frame.height * frame.height / self.layout.content_px()).max(THUMB_MIN_PX).round();
        let top = frame.top + ((frame.height - height) * self.layout.scrolled_px() / most_px).round();
        Some(Frame { left: frame.right() + BAR_GAP_PX, top, width: BAR_PX, height })
    }

    /// What lies at a point; `None` outside the plot and between jobs.
    pub fn hit(&self, x: f64, y: f64) -> Option<Hit> {
        let (job, time_s) = (self.job_at(x, y)?, self.layout.scale().time_at(x));
        Some(Hit::Job(JobHit { job, time_s, span: self.strip().span_at(job, x) }))
    }

    /// The nearest edge of a span of the job pointed at, if it lies within `reach_px`.
    pub fn snap(&self, x: f64, y: f64, reach_px: f64) -> Option<f64> {
        self.strip().edge_near(self.job_at(x, y)?, x, reach_px)
    }

    /// At most four lines about what lies under the pointer.
    pub fn tooltip(&self, hit: &Hit) -> Vec<String> {
        self.strip().tooltip(hit)
    }

    /// Around a job, as far as it is in view.
    pub fn outline(&self, job: JobId) -> Option<Frame> {
        let row = self.packed.row_of(job)?;
        let placed = self.packed.placed_in(row).find(|placed| placed.job == job)?;
        let scale = self.layout.scale();
        let (left, right) = (scale.x_within(placed.start_s).floor(), scale.x_within(placed.end_s).ceil());
        let (top, height) = (self.layout.y_of_line(row) - 1.0, self.layout.pitch.bar_px() + 2.0);
        clipped(Frame { left: left - 1.0, top, width: right - left + 2.0, height }, &self.layout.frame)
    }

    fn job_at(&self, x: f64, y: f64) -> Option<JobId> {
        if !self.layout.frame.contains(x, y) {
            return None;
        }
        let scale = self.layout.scale();
        let beside_px = |from_s: f64, to_s: f64| (scale.x_of(from_s) - x).max(x - scale.x_of(to_s)).max(0.0);
        let placed = self.packed.placed_in(self.layout.line_at(y)?);
        let near = placed.map(|placed| (beside_px(placed.start_s, placed.end_s), placed.job));
        near.filter(|(px, _)| *px <= NEAR_PX).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, job)| job)
    }

    /// The same run as a strip of rows, for what both share.
    fn strip(&self) -> Strip<'a> {
        let Self { run, trace, slots, no_rows: rows, layout, phase, .. } = *self;
        Strip { run, trace, slots, rows, layout, phase, selected: None, hovered: None, detail: None }
    }
}
