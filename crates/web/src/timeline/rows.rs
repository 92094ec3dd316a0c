//! What a strip shows: stacked GPUs, or rows of jobs, GPUs or nodes.

use elastiplan_engine::Run;
use elastiplan_model::JobId;
use elastiplan_scene::{
    Detail, DrawList, Frame, Hit, MissingDetail, PackedStrip, Phase, PlaceStrip, StackStrip, Strip, Unit,
};

use super::details::Sources;
use super::picture::Picture;
use crate::state::order::Show;

/// What a strip shows.
pub enum StripRows<'a> {
    /// A row a job.
    Jobs(Strip<'a>),
    /// Rows that jobs share.
    Packed(PackedStrip<'a>),
    /// A row a GPU or node.
    Places(PlaceStrip<'a>),
    /// GPUs in use, stacked.
    Stack(StackStrip<'a>),
}

/// The unit of a row; `None` for jobs and stacked GPUs.
pub fn unit_of(show: Show) -> Option<Unit> {
    match show {
        Show::Stack | Show::Jobs => None,
        Show::Gpus => Some(Unit::Gpu),
        Show::Nodes => Some(Unit::Node),
    }
}

impl<'a> StripRows<'a> {
    /// A run's rows, for painting and for hit tests.
    pub fn of(picture: &Picture<'a>, run: &'a Run, phase: Phase, frame: Frame, sources: &'a Sources) -> Self {
        let Picture { trace, slots, rows, selected, window, gpus_top, banding, .. } = *picture;
        if picture.show == Show::Stack {
            let stack = &sources.stack;
            return StripRows::Stack(StackStrip {
                run,
                trace,
                banding,
                stack,
                gpus_top,
                frame,
                window,
                phase,
                selected,
            });
        }
        if picture.is_packed {
            let place = (frame, window, sources.scroll_px);
            return StripRows::Packed(PackedStrip::new((run, trace, slots), &sources.packed, place, phase, selected));
        }
        let (layout, hovered, detail) = (picture.layout(frame), None, Some(&*sources.detail));
        match (unit_of(picture.show), &sources.tenancy) {
            (Some(unit), Some(tenancy)) => {
                let strip = PlaceStrip { run, tenancy, trace, slots, unit, layout, phase, selected, hovered, detail };
                StripRows::Places(strip)
            }
            _ => StripRows::Jobs(Strip { run, trace, slots, rows, layout, phase, selected, hovered, detail }),
        }
    }

    /// The picture.
    pub fn draw(&self) -> DrawList {
        match self {
            StripRows::Jobs(strip) => strip.draw(),
            StripRows::Packed(strip) => strip.draw(),
            StripRows::Places(strip) => strip.draw(),
            StripRows::Stack(strip) => strip.draw(),
        }
    }

    /// The hit at a point.
    pub fn hit(&self, x: f64, y: f64) -> Option<Hit> {
        match self {
            StripRows::Jobs(strip) => strip.hit(x, y),
            StripRows::Packed(strip) => strip.hit(x, y),
            StripRows::Places(strip) => strip.hit(x, y),
            StripRows::Stack(strip) => strip.hit(x, y).map(Hit::Stack),
        }
    }

    /// The nearest edge in the row pointed at.
    pub fn snap(&self, x: f64, y: f64, reach_px: f64) -> Option<f64> {
        match self {
            StripRows::Jobs(strip) => strip.snap(x, y, reach_px),
            StripRows::Packed(strip) => strip.snap(x, y, reach_px),
            StripRows::Places(strip) => strip.snap(x, y, reach_px),
            StripRows::Stack(_) => None,
        }
    }

    /// Lines about what lies under the pointer.
    pub fn tooltip(&self, hit: &Hit) -> Vec<String> {
        match (self, hit) {
            (StripRows::Jobs(strip), hit) => strip.tooltip(hit),
            (StripRows::Packed(strip), hit) => strip.tooltip(hit),
            (StripRows::Places(strip), hit) => strip.tooltip(hit),
            (StripRows::Stack(strip), Hit::Stack(hit)) => strip.tooltip(hit),
            (StripRows::Stack(_), _) => Vec::new(),
        }
    }

    /// Makes the levels of detail that `may_make` lets it; whether all are there.
    pub fn prepare(&self, detail: &mut Detail, may_make: impl FnMut(MissingDetail) -> bool) -> bool {
        match self {
            StripRows::Jobs(strip) => strip.prepare(detail, may_make),
            StripRows::Places(strip) => strip.prepare(detail, may_make),
            StripRows::Packed(_) | StripRows::Stack(_) => true,
        }
    }

    /// Around a job.
    pub fn outlines(&self, picture: &Picture, job: JobId) -> Vec<Frame> {
        match self {
            StripRows::Jobs(strip) => picture.job_outline(strip.run, job, strip.layout.frame).into_iter().collect(),
            StripRows::Packed(strip) => strip.outline(job).into_iter().collect(),
            StripRows::Places(strip) => strip.outlines(job),
            StripRows::Stack(strip) => strip.outlines(job),
        }
    }
}
