//! The selected job among stacked GPUs: its share of its band, where it waits, and its deadline.

use elastiplan_engine::SpanState;
use elastiplan_model::JobId;

use super::picture::StackStrip;
use super::steps::GpuSteps;
use super::{Stack, changes_of};
use crate::columns::{columns_of, holds};
use crate::draw::{Dash, DrawList, Fill, Frame, Mark, Paint, Point, vertical};
use crate::layers::clipped;
use crate::time::TimeScale;

/// A share is at least this high, and each of its pieces this wide: one GPU of hundreds is a fraction of a pixel.
const LEAST_PX: f64 = 3.0;
/// The outline of shares that are high enough for one.
const OUTLINE_PX: f64 = 2.0;

impl StackStrip<'_> {
    /// Marks the selected job.
    pub(super) fn mark_selected(&self, scale: &TimeScale, list: &mut DrawList) {
        let Some(job) = self.selected else { return };
        let rect = |frame, paint| Mark::Rect { frame, paint, fill: Fill::Solid };
        for frame in self.waits_of(job, scale) {
            list.marks.push(rect(frame, Paint::Panel));
            let y = frame.top + (frame.height / 2.0).floor() + 0.5;
            let (from, to) = (Point { x: frame.left, y }, Point { x: frame.right(), y });
            list.marks.push(Mark::Line { from, to, paint: Paint::Ink1, width: 1.0, dash: Dash::Fine });
        }
        // A rim keeps the outline apart from bands as dark as it is; inside, a share has the colour of its band.
        let shares = self.shares_of(job, scale);
        let rims = shares.iter().filter_map(|share| clipped(grown(share), &self.frame));
        list.marks.extend(rims.map(|frame| rect(frame, Paint::Panel)));
        list.marks.extend(shares.iter().map(|&frame| rect(frame, Paint::Ink1)));
        let band = self.banding.band_of(job, self.run, self.trace).and_then(|band| self.banding.bands().get(band));
        let insides = band.into_iter().flat_map(|band| insides(&shares).map(|frame| rect(frame, band.paint)));
        list.marks.extend(insides);
        let deadline_s = self.trace.jobs().get(job.index()).and_then(|job| job.deadline_s);
        let line = |deadline_s| vertical(scale.x_of(deadline_s), &self.frame, Paint::Bad, Dash::Medium);
        list.marks.extend(deadline_s.filter(|&deadline_s| scale.shows(deadline_s)).map(line));
    }

    /// Where a job holds GPUs in view: the part of its band that is as high as its GPUs, at the bottom of the band.
    pub fn outlines(&self, job: JobId) -> Vec<Frame> {
        self.shares_of(job, &TimeScale::over(self.window, &self.frame))
    }

    fn shares_of(&self, job: JobId, scale: &TimeScale) -> Vec<Frame> {
        let mut changes = Vec::new();
        changes_of(&self.run.spans, job, &mut changes);
        let steps = GpuSteps::of(changes);
        let band = self.banding.band_of(job, self.run, self.trace).unwrap_or(0);
        let below = self.stack.bands.get(..band).unwrap_or_default();
        let (mut near, mut near_below) = (0, vec![0; below.len()]);
        let mut shares: Vec<Frame> = Vec::new();
        for column in 0..columns_of(scale) {
            let (from_s, to_s) = self.times_of(column, scale);
            let gpus = steps.mean(from_s, to_s, &mut near);
            if gpus <= 0.0 {
                continue;
            }
            let sum = Stack::sum(below, (from_s, to_s), &mut near_below);
            let bottom_px = self.height_of(sum);
            let height = (self.height_of(sum + gpus) - bottom_px).max(LEAST_PX).min(self.frame.height);
            let top = (self.frame.bottom() - bottom_px - height).max(self.frame.top);
            let left = self.frame.left + column as f64;
            match shares.last_mut() {
                Some(last) if last.right() == left && last.top == top && last.height == height => last.width += 1.0,
                _ => shares.push(Frame { left, top, width: 1.0, height }),
            }
        }
        let is_alone = shares.iter().map(|share| share.width).sum::<f64>() < LEAST_PX;
        if let (true, Some(first)) = (is_alone, shares.first_mut()) {
            first.width = LEAST_PX.min(self.frame.width);
            first.left =
                (first.left - 1.0).clamp(self.frame.left, (self.frame.right() - first.width).max(self.frame.left));
            shares.truncate(1);
        }
        shares
    }

    /// Where a job is in view without GPUs: along the bottom of the plot.
    fn waits_of(&self, job: JobId, scale: &TimeScale) -> Vec<Frame> {
        let is_waiting = |state: SpanState| !holds(state);
        let waits = self.run.spans.of(job).filter(|span| is_waiting(span.state));
        let whole = |(from_s, to_s)| {
            let left = scale.x_within(from_s).round();
            let right = scale.x_within(to_s).round().max(left + 1.0);
            let top = self.frame.bottom() - LEAST_PX;
            clipped(Frame { left, top, width: right - left, height: LEAST_PX }, &self.frame)
        };
        waits.filter_map(|span| whole((span.start_s, span.end_s))).collect()
    }
}

/// The insides of the outline about shares, where there is room for it. Shares that touch have one outline.
fn insides(shares: &[Frame]) -> impl Iterator<Item = Frame> {
    let touch = |a: Option<&Frame>, b: &Frame| a.is_some_and(|a| a.right() == b.left);
    shares.iter().enumerate().filter_map(move |(at, share)| {
        let before = at.checked_sub(1).and_then(|before| shares.get(before));
        let ends = |frame: &Frame| shares.get(at + 1).is_some_and(|next| next.left == frame.right());
        let left = share.left + if touch(before, share) { 0.0 } else { OUTLINE_PX };
        let right = share.right() - if ends(share) { 0.0 } else { OUTLINE_PX };
        let (width, height) = (right - left, share.height - 2.0 * OUTLINE_PX);
        (width > 0.0 && height > 0.0).then_some(Frame { left, top: share.top + OUTLINE_PX, width, height })
    })
}

fn grown(frame: &Frame) -> Frame {
    Frame { left: frame.left - 1.0, top: frame.top - 1.0, width: frame.width + 2.0, height: frame.height + 2.0 }
}
