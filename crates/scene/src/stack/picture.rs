//! The picture of a stack, and what lies under a pointer.

use elastiplan_engine::Run;
use elastiplan_model::{JobId, Trace};
use elastiplan_text::format;

use super::{BANDS_MAX, Banding, Stack};
use crate::columns::columns_of;
use crate::draw::{Anchor, Dash, DrawList, Fill, Frame, Mark, Paint, Point, TextSize};
use crate::lane::{Counts, most_present};
use crate::layers::Layers;
use crate::layout::StripLayout;
use crate::steps::corners;
use crate::strip::{Phase, edge};
use crate::time::{TimeScale, TimeWindow};

/// Plots as high as this say how many GPUs there are.
const WORDS_MIN_PX: f64 = 30.0;
/// From the capacity to the middle of the words about it.
const WORDS_PX: f64 = 7.0;
/// A band with less than this is not mentioned.
const LEAST_GPUS: f32 = 0.05;

/// GPUs in use of one run, stacked.
#[derive(Clone, Copy, Debug)]
pub struct StackStrip<'a> {
    /// The run; it may be partial.
    pub run: &'a Run,
    /// The trace it ran.
    pub trace: &'a Trace,
    /// The bands that all runs share.
    pub banding: &'a Banding,
    /// GPUs of each band over time.
    pub stack: &'a Stack,
    /// What the height of the plot stands for: the most GPUs that any of the runs beside each other had.
    pub gpus_top: u32,
    /// The plot.
    pub frame: Frame,
    /// The time in view.
    pub window: TimeWindow,
    /// How far the run is.
    pub phase: Phase,
    /// The selected job: its share of its band is marked, its deadline drawn through the strip.
    pub selected: Option<JobId>,
}

/// What lies under a pointer: means over the time of a pixel column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StackHit {
    /// The time pointed at, in seconds on the clock of the trace.
    pub time_s: f64,
    /// The band pointed at; `None` above all bands.
    pub band: Option<usize>,
    /// GPUs of each band, the lowest first.
    pub gpus: [f32; BANDS_MAX],
}

impl StackStrip<'_> {
    /// The picture: bands from the bottom up, each pixel column the mean of its time; the GPUs that there are as a
    /// dotted line, which steps where nodes come and go, with their number above it.
    pub fn draw(&self) -> DrawList {
        let mut list = DrawList::default();
        if !(self.frame.width >= 1.0 && self.frame.height >= 1.0) {
            return list;
        }
        let (scale, mut layers) = (TimeScale::over(self.window, &self.frame), Layers::default());
        let layout = StripLayout::fit(0, self.frame, self.window);
        edge(self.phase, self.run.end_s, &layout, &mut layers);
        let (ground, top) = (std::mem::take(&mut layers.ground), layers.top);
        list.marks.extend(ground);
        self.bands(&scale, &mut list);
        self.capacity(&scale, &mut list);
        self.mark_selected(&scale, &mut list);
        list.marks.extend(top);
        list
    }

    fn bands(&self, scale: &TimeScale, list: &mut DrawList) {
        // Tops are rounded as sums, so that stacked bands touch and none drifts.
        let mut sums = vec![0.0; columns_of(scale)];
        for (steps, band) in self.stack.bands.iter().zip(self.banding.bands()) {
            let rect = |frame: Frame| Mark::Rect { frame, paint: band.paint, fill: Fill::Solid };
            let (mut open, mut near): (Option<Frame>, usize) = (None, 0);
            for (column, sum) in sums.iter_mut().enumerate() {
                let (from_s, to_s) = self.times_of(column, scale);
                let below_px = self.height_of(*sum);
                *sum += steps.mean(from_s, to_s, &mut near);
                let above_px = self.height_of(*sum);
                let (top, height) = (self.frame.bottom() - above_px, above_px - below_px);
                match &mut open {
                    Some(frame) if frame.top == top && frame.height == height => frame.width += 1.0,
                    _ => {
                        list.marks.extend(open.take().map(rect));
                        let left = self.frame.left + column as f64;
                        open = (height > 0.0).then_some(Frame { left, top, width: 1.0, height });
                    }
                }
            }
            list.marks.extend(open.map(rect));
        }
    }

    /// The time of a pixel column.
    pub(super) fn times_of(&self, column: usize, scale: &TimeScale) -> (f64, f64) {
        let left = self.frame.left + column as f64;
        (scale.time_at(left), scale.time_at(left + 1.0))
    }

    /// How high so many GPUs are, in whole pixels.
    pub(super) fn height_of(&self, gpus: f64) -> f64 {
        let px_per_gpu = self.frame.height / f64::from(self.gpus_top.max(1));
        (gpus * px_per_gpu).round().min(self.frame.height.floor())
    }

    fn capacity(&self, scale: &TimeScale, list: &mut DrawList) {
        let (run, frame) = (self.run, self.frame);
        let present = &run.series.gpus_present;
        let first = present.first().copied().unwrap_or(run.gpus_total);
        let is_constant = present.iter().all(|gpus| *gpus == first);
        // Nodes stay when the last job has ended.
        let mark = if is_constant {
            let share = (f64::from(first) / f64::from(self.gpus_top.max(1))).min(1.0);
            let y = frame.bottom() - 0.5 - (share * (frame.height - 1.0).max(0.0)).round();
            let (from, to) = (Point { x: frame.left, y }, Point { x: frame.right(), y });
            Mark::Line { from, to, paint: Paint::Ink3, width: 1.0, dash: Dash::Dotted }
        } else {
            let points = corners(run, present, first, self.gpus_top, scale, &frame);
            Mark::Path { points, paint: Paint::Ink3, width: 1.0, dash: Dash::Dotted }
        };
        let last = match &mark {
            Mark::Line { to, .. } => *to,
            Mark::Path { points, .. } => match points.last() {
                Some(last) if points.len() > 1 => *last,
                _ => return,
            },
            _ => return,
        };
        list.marks.push(mark);
        if frame.height < WORDS_MIN_PX {
            return;
        }
        let most = format::gpus(if is_constant { first } else { most_present(run) });
        let text = if is_constant { most } else { format!("at most {most}") };
        let has_room = last.y - WORDS_PX - TextSize::Caption.px() / 2.0 >= frame.top;
        let y = if has_room { last.y - WORDS_PX } else { last.y + WORDS_PX };
        let at = Point { x: frame.right() - 2.0, y };
        let (anchor, size, paint) = (Anchor::End, TextSize::Caption, Paint::Ink3);
        if TextSize::Caption.width_px(&text) + 4.0 <= frame.width {
            list.marks.push(Mark::Text { at, text, anchor, size, paint, backed: true });
        }
    }

    /// What lies at a point; `None` outside the plot.
    pub fn hit(&self, x: f64, y: f64) -> Option<StackHit> {
        if !self.frame.contains(x, y) {
            return None;
        }
        let scale = TimeScale::over(self.window, &self.frame);
        let (from_s, to_s) = self.times_of((x - self.frame.left).floor() as usize, &scale);
        let (mut gpus, mut sum, mut band) = ([0.0; BANDS_MAX], 0.0, None);
        for ((at, place), steps) in gpus.iter_mut().enumerate().zip(&self.stack.bands) {
            let mean = steps.mean(from_s, to_s, &mut 0);
            *place = mean as f32;
            let bottom = self.frame.bottom() - self.height_of(sum);
            sum += mean;
            let top = self.frame.bottom() - self.height_of(sum);
            if (top..bottom).contains(&y) {
                band = Some(at);
            }
        }
        Some(StackHit { time_s: scale.time_at(x), band, gpus })
    }

    /// Lines about what lies under the pointer: the time with GPUs in use and there, then the bands from the top of the
    /// picture down, the one pointed at marked.
    pub fn tooltip(&self, hit: &StackHit) -> Vec<String> {
        let s_per_px = self.window.span_s() / self.frame.width.max(1.0);
        let when = format::moment(hit.time_s - self.run.start_s, s_per_px);
        let held: f32 = hit.gpus.iter().sum();
        let there = Counts::at(self.run, hit.time_s).map_or(most_present(self.run), |counts| counts.gpus_present);
        let mut lines = vec![format!("{when}: {} of {}", rounded(held), format::gpus(there))];
        let shown = self.banding.bands().iter().zip(hit.gpus).enumerate().rev();
        lines.extend(shown.filter(|(_, (_, gpus))| *gpus >= LEAST_GPUS).map(|(at, (band, gpus))| {
            let mark = if hit.band == Some(at) { "▸ " } else { "" };
            format!("{mark}{}: {}", band.name, rounded(gpus))
        }));
        lines
    }
}

/// Whole where it is whole to a tenth: means are not.
fn rounded(gpus: f32) -> String {
    let tenths = (f64::from(gpus) * 10.0).round() / 10.0;
    if tenths.fract() == 0.0 { format::count(tenths as u64) } else { format!("{tenths:.1}") }
}
