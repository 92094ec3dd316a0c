//! What lies under a pointer. A row is read the way it is drawn, so that what is pointed at is what was seen.

use elastiplan_engine::{Span, SpanState};
use elastiplan_model::{JobId, ModelId};

use crate::columns::holds;
use crate::layout::Pitch;
use crate::row::RowPen;
use crate::stack::StackHit;
use crate::strip::Strip;
use crate::tenancy::Piece;

/// How far beside a job's bar still counts, in pixels: one pixel cannot be pointed at.
const NEAR_PX: f64 = 2.0;

/// What lies under a pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hit {
    /// A job's row.
    Job(JobHit),
    /// A band of several jobs.
    Band(BandHit),
    /// GPUs.
    Place(PlaceHit),
    /// Stacked GPUs.
    Stack(StackHit),
}

impl Hit {
    /// The job pointed at: of a band, the one that holds most GPUs at that time.
    pub fn job(&self) -> Option<JobId> {
        match self {
            Hit::Job(hit) => Some(hit.job),
            Hit::Band(hit) => hit.job,
            Hit::Place(hit) => hit.job,
            Hit::Stack(_) => None,
        }
    }
}

/// A job's row at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobHit {
    /// The job.
    pub job: JobId,
    /// The time pointed at, in seconds on the clock of the trace.
    pub time_s: f64,
    /// What it was doing, as drawn: of several spans within a pixel, the one that the pixel shows. `None` where
    /// nothing is drawn within 2 px: before its submission and after its end.
    pub span: Option<Span>,
}

/// A band at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BandHit {
    /// The job of its first row.
    pub first: JobId,
    /// The job of its last row.
    pub last: JobId,
    /// The time pointed at, in seconds on the clock of the trace.
    pub time_s: f64,
    /// Jobs in the band.
    pub jobs: u32,
    /// Jobs that hold GPUs at that time.
    pub holding: u32,
    /// Jobs that wait or are preempted at that time.
    pub waiting: u32,
    /// GPUs held at that time.
    pub gpus: u32,
    /// The job that holds most of them.
    pub job: Option<JobId>,
    /// The model that holds most of them.
    pub model: Option<ModelId>,
}

/// GPUs of a line at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaceHit {
    /// The first of its GPUs, counted through all nodes.
    pub first_gpu: u32,
    /// How many GPUs it has.
    pub gpus: u32,
    /// The time pointed at, in seconds on the clock of the trace.
    pub time_s: f64,
    /// Its GPUs that are held at that time.
    pub held: u32,
    /// Its GPUs that are away at that time.
    pub away: u32,
    /// Jobs that hold some of them within the pixel.
    pub jobs: u32,
    /// The job that holds them most within the pixel.
    pub job: Option<JobId>,
    /// What that job held.
    pub piece: Option<Piece>,
}

impl Strip<'_> {
    /// What lies at a point; `None` outside the plot and below the last row.
    pub fn hit(&self, x: f64, y: f64) -> Option<Hit> {
        if !self.layout.frame.contains(x, y) {
            return None;
        }
        if let Pitch::Bands { .. } = self.layout.pitch {
            return self.hit_band(x, self.layout.line_at(y)?);
        }
        let job = self.job_at(y)?;
        let time_s = self.layout.scale().time_at(x);
        Some(Hit::Job(JobHit { job, time_s, span: self.span_at(job, x) }))
    }

    /// The nearest edge of a span of the row pointed at, if it lies within `reach_px` (6 by the rules of the page).
    pub fn snap(&self, x: f64, y: f64, reach_px: f64) -> Option<f64> {
        if self.layout.is_banded() || !self.layout.frame.contains(x, y) {
            return None;
        }
        self.edge_near(self.job_at(y)?, x, reach_px)
    }

    /// The nearest edge of a span of a job, if it lies within `reach_px`.
    pub(crate) fn edge_near(&self, job: JobId, x: f64, reach_px: f64) -> Option<f64> {
        let (spans, scale) = (&self.run.spans, self.layout.scale());
        let range = spans.range_of(job);
        let time_s = scale.time_at(x);
        // The spans of a job touch: its edges are the begins of all and the end of the last.
        let begins_s = spans.start_s.get(range.clone())?;
        let last_s = range.last().and_then(|last| spans.end_s.get(last));
        let after = begins_s.partition_point(|&begin_s| begin_s < time_s);
        let before = after.checked_sub(1).and_then(|before| begins_s.get(before));
        let distance_px = |edge_s: f64| (scale.x_of(edge_s) - x).abs();
        [before, begins_s.get(after), last_s]
            .into_iter()
            .flatten()
            .copied()
            .filter(|&edge_s| distance_px(edge_s) <= reach_px)
            .min_by(|&a, &b| distance_px(a).total_cmp(&distance_px(b)))
    }

    /// The job whose row is drawn at a height: a selected job may be drawn at the edge, over another's row.
    fn job_at(&self, y: f64) -> Option<JobId> {
        let pinned = self.selected.filter(|&job| {
            let row = self.rows.row_of(job);
            row.is_some_and(|row| (0.0..self.layout.pitch.px()).contains(&(y - self.pinned_top(row))))
        });
        pinned.or_else(|| self.rows.job_at(self.layout.line_at(y)?))
    }

    pub(crate) fn span_at(&self, job: JobId, x: f64) -> Option<Span> {
        let (spans, scale) = (&self.run.spans, self.layout.scale());
        let mut drawn = Vec::new();
        RowPen::new(self).columns_of(job, &mut drawn);
        let column = x - self.layout.frame.left;
        let beside_px = |from: usize, to: usize| (from as f64 - column).max(column - to as f64).max(0.0);
        let segment = drawn
            .iter()
            .filter(|segment| beside_px(segment.from, segment.to) <= NEAR_PX)
            .min_by(|a, b| beside_px(a.from, a.to).total_cmp(&beside_px(b.from, b.to)))?;
        // Where edges touch, the one to the right begins.
        let segment = drawn.iter().find(|s| (s.from as f64..s.to as f64).contains(&column)).unwrap_or(segment);
        let time_s = scale.time_at(x);
        let range = spans.range_of(job);
        let ends_s = spans.end_s.get(range.clone()).unwrap_or_default();
        let at = range.start + ends_s.partition_point(|&end_s| end_s <= time_s);
        let exact = spans.get(at).filter(|span| at < range.end && span.start_s <= time_s);
        let is_seen = |span: &Span| match segment.merged {
            Some(merged) if merged.held > 0 => holds(span.state),
            Some(_) => span.state == segment.state,
            None => span.state == segment.state && span.gpus == segment.gpus,
        };
        exact.filter(is_seen).or(spans.get(segment.span))
    }

    fn hit_band(&self, x: f64, line: usize) -> Option<Hit> {
        let spans = &self.run.spans;
        let time_s = self.layout.scale().time_at(x);
        let jobs = self.rows.jobs().get(self.layout.rows_of_line(line))?;
        let (first, last) = (*jobs.first()?, *jobs.last()?);
        let (mut holding, mut waiting, mut gpus) = (0, 0, 0);
        let mut most: Option<(u32, JobId)> = None;
        let mut of_models = vec![0u32; self.trace.models().len()];
        for &job in jobs {
            let range = spans.range_of(job);
            let ends_s = spans.end_s.get(range.clone()).unwrap_or_default();
            let at = range.start + ends_s.partition_point(|&end_s| end_s <= time_s);
            let Some(span) = spans.get(at).filter(|span| at < range.end && span.start_s <= time_s) else {
                continue;
            };
            if let SpanState::Waiting | SpanState::Preempted = span.state {
                waiting += 1;
                continue;
            }
            holding += 1;
            gpus += span.gpus;
            if most.is_none_or(|(gpus, _)| span.gpus > gpus) {
                most = Some((span.gpus, job));
            }
            let model = self.trace.jobs().get(job.index()).and_then(|job| of_models.get_mut(job.model.0 as usize));
            if let Some(of_model) = model {
                *of_model += span.gpus;
            }
        }
        // The first of equals, as in the picture.
        let by_model = of_models.iter().zip(0..of_models.len() as u32).rev();
        let dominant = by_model.max_by_key(|(gpus, _)| **gpus).filter(|(gpus, _)| **gpus > 0);
        Some(Hit::Band(BandHit {
            first,
            last,
            time_s,
            jobs: jobs.len() as u32,
            holding,
            waiting,
            gpus,
            job: most.map(|(_, job)| job),
            model: dominant.map(|(_, model)| ModelId(model)),
        }))
    }
}
