//! The lane of one run: GPUs in use and GPUs there.

use elastiplan_engine::Run;
use elastiplan_text::format;

use crate::draw::{Anchor, Dash, DrawList, Frame, Mark, Paint, Point, caption};
use crate::steps::{corners, peak};
use crate::time::{TimeScale, TimeWindow};

/// Between a plot and what is written beside it.
const GAP_PX: f64 = 7.0;

/// The most GPUs that a run had at once.
pub fn most_present(run: &Run) -> u32 {
    match run.series.gpus_present.is_empty() {
        true => run.gpus_total,
        false => peak(&run.series.gpus_present),
    }
}

/// Counts at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// GPUs held.
    pub gpus: u32,
    /// GPUs of the nodes that are there.
    pub gpus_present: u32,
    /// Jobs that hold some.
    pub running: u32,
    /// Jobs that wait.
    pub waiting: u32,
}

impl Counts {
    /// Counts of a run at a time; `None` before its first submission, and after what is known of a run that did not
    /// finish. After a finished run they stay as they were at its end.
    pub fn at(run: &Run, time_s: f64) -> Option<Self> {
        if !run.finished && time_s > run.end_s {
            return None;
        }
        let row = run.series.row_at(time_s)?;
        Some(Self {
            gpus: *run.series.gpus_in_use.get(row)?,
            gpus_present: *run.series.gpus_present.get(row)?,
            running: *run.series.jobs_running.get(row)?,
            waiting: *run.series.jobs_waiting.get(row)?,
        })
    }

    /// "12 of 40 GPUs · 8 waiting".
    pub fn readout(&self) -> String {
        let (gpus, waiting) = (format::count(self.gpus.into()), format::count(self.waiting.into()));
        format!("{gpus} of {} · {waiting} waiting", format::gpus(self.gpus_present))
    }
}

/// GPUs in use of one run, and how many there are.
#[derive(Clone, Copy, Debug)]
pub struct GpuLane<'a> {
    /// The run; it may be partial.
    pub run: &'a Run,
    /// Its policy, 0 to 3 for A to D.
    pub policy: u8,
    /// What the height of the plot stands for: the most GPUs that any of the runs beside each other had.
    pub gpus_top: u32,
    /// The plot.
    pub frame: Frame,
    /// The time in view.
    pub window: TimeWindow,
}

impl GpuLane<'_> {
    /// The picture: the area under GPUs in use, the GPUs that there are as a line, labels in the gutter.
    pub fn draw(&self) -> DrawList {
        let (frame, paint) = (self.frame, Paint::Policy(self.policy));
        let scale = TimeScale::over(self.window, &frame);
        let mut marks = capacity(self.run, self.gpus_top, &scale, &frame);
        let points = corners(self.run, &self.run.series.gpus_in_use, 0, self.gpus_top, &scale, &frame);
        if points.len() > 1 {
            marks.push(Mark::Area { points: points.clone(), base_y: frame.bottom(), paint, share: 16 });
            // The dashes that tell policies apart are for lines that cross; here each has its own lane.
            marks.push(Mark::Path { points, paint, width: 1.0, dash: Dash::Solid });
        }
        marks.extend(gutter(&frame, &format::count(self.gpus_top.into()), "GPUs"));
        DrawList { marks }
    }
}

/// The GPUs that there are, in a plot whose height is `gpus_top`: a dotted line over the whole width where they never
/// change, steps where they do.
pub(crate) fn capacity(run: &Run, gpus_top: u32, scale: &TimeScale, frame: &Frame) -> Vec<Mark> {
    let present = &run.series.gpus_present;
    let first = present.first().copied().unwrap_or(run.gpus_total);
    if present.iter().all(|gpus| *gpus == first) {
        let share = (f64::from(first) / f64::from(gpus_top.max(1))).min(1.0);
        let y = frame.bottom() - 0.5 - (share * (frame.height - 1.0).max(0.0)).round();
        let (from, to) = (Point { x: frame.left, y }, Point { x: frame.right(), y });
        return vec![Mark::Line { from, to, paint: Paint::Ink3, width: 1.0, dash: Dash::Dotted }];
    }
    let points = corners(run, present, first, gpus_top, scale, frame);
    if points.len() < 2 {
        return Vec::new();
    }
    // The ground under the line tells it from what is in use, where both change often.
    let ground = Mark::Area { points: points.clone(), base_y: frame.bottom(), paint: Paint::Wait, share: 14 };
    vec![ground, Mark::Path { points, paint: Paint::Ink3, width: 1.0, dash: Dash::Solid }]
}

/// The labels at the top and bottom left of a lane; the lower one only where there is room for both.
pub(crate) fn gutter(frame: &Frame, top: &str, bottom: &str) -> Vec<Mark> {
    let x = frame.left - GAP_PX;
    let label = |y: f64, text: &str| caption(x, y, Anchor::End, Paint::Ink3, text);
    let mut marks = vec![label(frame.top + 5.0, top)];
    if frame.height >= 26.0 {
        marks.push(label(frame.bottom() - 5.0, bottom));
    }
    marks
}
