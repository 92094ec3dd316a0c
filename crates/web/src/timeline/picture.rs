//! The picture of a strip and the axis: one time window, one order of rows and one set of colours for all.

use elastiplan_engine::Run;
use elastiplan_model::{JobId, Trace};
use elastiplan_present::runs::{RunEntry, RunState, shown};
use elastiplan_scene::axis::{self, Tick};
use elastiplan_scene::{
    Anchor, Banding, DrawList, Frame, GpuLane, Mark, ModelSlots, Paint, Phase, Pitch, Point, Rows, StripLayout,
    TextSize, TimeScale, TimeWindow, fit_pitch, most_present,
};

use super::details::Sources;
use super::rows::{StripRows, unit_of};
use crate::state::order::Show;

/// Width of the labels left of every plot.
pub const GUTTER_PX: f64 = 48.0;
/// The same where rows are high enough for names.
pub const NAMES_GUTTER_PX: f64 = 92.0;
/// The same where rows are GPUs or nodes.
const PLACES_GUTTER_PX: f64 = 66.0;
/// Names appear from this row height on.
const NAMES_FROM_PX: f64 = 10.0;
/// Room right of every plot.
pub const MARGIN_PX: f64 = 14.0;
/// Height of the lane of GPUs in use.
const GPU_LANE_PX: f64 = 32.0;
/// The same where rows of jobs need some of its room.
const LOWER_LANES_PX: [f64; 2] = [24.0, 18.0];
/// Rows of jobs lower than this get room from the lane.
const ROW_MIN_PX: u8 = 3;
/// Height of the shared lane, its heading included.
pub const SHARED_LANE_PX: f64 = 60.0;
/// Height of the axis.
pub const AXIS_PX: f64 = 24.0;
/// The least distance of two ticks.
const TICK_APART_PX: f64 = 70.0;
/// Above the first row.
const ROWS_TOP_PX: f64 = 2.0;
/// Higher bands would be taken for rows.
const BAND_MAX_PX: f64 = 6.0;
/// Between the rows and the lane below them.
const LANE_GAP_PX: f64 = 5.0;

/// The time window, rows and colours that all strips share.
#[derive(Clone, Copy)]
pub struct Picture<'a> {
    /// The jobs.
    pub trace: &'a Trace,
    /// Colours of models.
    pub slots: &'a ModelSlots,
    /// The kind of rows.
    pub show: Show,
    /// Whether jobs share rows.
    pub is_packed: bool,
    /// The bands of stacked GPUs.
    pub banding: &'a Banding,
    /// Changes with the jobs that are shown.
    pub rows_version: u64,
    /// The jobs, in order, where they have rows.
    pub rows: &'a Rows,
    /// How many rows there are.
    pub row_count: usize,
    /// How many of them belong together.
    pub row_group: u32,
    /// The time in view.
    pub window: TimeWindow,
    /// The height of a row, or as large as fits.
    pub pitch: Option<Pitch>,
    /// How far rows are scrolled up.
    pub scroll_px: f64,
    /// The selected job.
    pub selected: Option<JobId>,
    /// The number of GPUs at the top of their lanes.
    pub gpus_top: u32,
}

/// Where the parts of a strip lie on its canvas.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StripFrames {
    /// The rows, or the stacked GPUs.
    pub rows: Frame,
    /// GPUs in use; nothing where GPUs are stacked, jobs share rows, or rows need its room.
    pub lane: Option<Frame>,
}

impl StripFrames {
    /// For a canvas of this size with a row a job.
    pub fn with_rows(width: f64, height: f64, gutter: f64) -> Self {
        Self::with_lane(width, height, gutter, GPU_LANE_PX)
    }

    /// The same with a lane of this height.
    fn with_lane(width: f64, height: f64, gutter: f64, lane_px: f64) -> Self {
        let width = plot_width(width, gutter);
        let rows_height = (height - ROWS_TOP_PX - LANE_GAP_PX - lane_px).max(0.0).floor();
        let lane_top = ROWS_TOP_PX + rows_height + LANE_GAP_PX;
        Self {
            rows: Frame { left: gutter, top: ROWS_TOP_PX, width, height: rows_height },
            lane: Some(Frame { left: gutter, top: lane_top, width, height: lane_px - 1.0 }),
        }
    }

    /// The height of a canvas whose rows get this much.
    pub fn height_for(rows_px: f64) -> f64 {
        ROWS_TOP_PX + rows_px + LANE_GAP_PX + GPU_LANE_PX
    }

    /// For a canvas of this size without a lane.
    pub fn without_lane(width: f64, height: f64, gutter: f64) -> Self {
        let top = if gutter > 0.0 { ROWS_TOP_PX } else { 0.0 };
        let height = (height - top).max(0.0).floor();
        Self { rows: Frame { left: gutter, top, width: plot_width(width, gutter), height }, lane: None }
    }
}

fn plot_width(width: f64, gutter: f64) -> f64 {
    let margin = if gutter > 0.0 { MARGIN_PX } else { 0.0 };
    (width - gutter - margin).max(1.0).floor()
}

/// The largest rows that all fit; where they merge to bands, bands that fill the height. Rows come in groups of which
/// bands have whole ones, or equal parts: the GPUs of a node.
pub fn fitting_pitch(rows: usize, group: u32, height_px: f64) -> Pitch {
    match fit_pitch(rows, height_px) {
        Pitch::Bands { rows: per_band, .. } => {
            let fits = |per_band: &u32| group.is_multiple_of(*per_band) || per_band.is_multiple_of(group.max(1));
            let per_band = (per_band.max(1)..).find(fits).unwrap_or(per_band);
            let bands = rows.div_ceil(per_band.max(1) as usize).max(1);
            let band_px = (height_px / bands as f64).floor().clamp(3.0, BAND_MAX_PX) as u8;
            Pitch::Bands { band_px, rows: per_band }
        }
        pitch => pitch,
    }
}

/// The most GPUs that any shown run had at once: lanes that share a scale can be compared.
pub fn gpus_top(runs: &[RunEntry]) -> u32 {
    shown(runs).filter_map(|entry| Some(most_present(&entry.result.as_ref()?.run))).max().unwrap_or(0)
}

/// How far a run is, for the picture.
pub fn phase_of(entry: &RunEntry) -> Phase {
    match entry.state {
        RunState::Finished => Phase::Finished,
        RunState::Started | RunState::Running(_) => Phase::Running,
        RunState::Cancelled | RunState::Failed(_) => Phase::Stopped,
    }
}

impl<'a> Picture<'a> {
    /// When the axis begins to count.
    pub fn zero_s(&self) -> f64 {
        self.trace.start_s()
    }

    /// Times to pixels over a plot.
    pub fn scale(&self, plot: &Frame) -> TimeScale {
        TimeScale::over(self.window, plot)
    }

    /// The labelled times.
    pub fn ticks(&self, plot: &Frame) -> Vec<Tick> {
        axis::ticks(&self.scale(plot), self.zero_s(), TICK_APART_PX)
    }

    /// The picture of a run that is closed: its GPUs are stacked, whatever the others show.
    pub fn stacked(self) -> Self {
        Self { show: Show::Stack, is_packed: false, ..self }
    }

    /// The picture of a run that is open, or of one that is closed.
    pub fn of_strip(self, is_open: bool) -> Self {
        if is_open { self } else { self.stacked() }
    }

    /// The parts of a strip on a canvas of this size. Rows of jobs that would be very low get room from the lane, and
    /// rows that would merge get all of it, where that helps.
    pub fn frames(&self, width: f64, height: f64, is_narrow: bool) -> StripFrames {
        let gutter = self.gutter_px(height);
        if is_narrow {
            return StripFrames::without_lane(width, height, 0.0);
        }
        let with = StripFrames::with_rows(width, height, gutter);
        let without = StripFrames::without_lane(width, height, gutter);
        let pitch_of = |frames: &StripFrames| self.layout(frames.rows).pitch;
        let is_high = |frames: &StripFrames| matches!(pitch_of(frames), Pitch::Rows { row_px } if row_px >= ROW_MIN_PX);
        let merges = |frames: &StripFrames| matches!(pitch_of(frames), Pitch::Bands { .. });
        match self.show {
            Show::Stack => without,
            Show::Jobs if self.is_packed => without,
            Show::Jobs if self.pitch.is_none() && !is_high(&with) => {
                let lower = LOWER_LANES_PX.map(|lane_px| StripFrames::with_lane(width, height, gutter, lane_px));
                let found = lower.into_iter().find(is_high);
                found.unwrap_or(if merges(&with) && !merges(&without) { without } else { with })
            }
            Show::Jobs | Show::Nodes | Show::Gpus => with,
        }
    }

    /// Where rows lie in a frame.
    pub fn layout(&self, frame: Frame) -> StripLayout {
        let packed = self.is_packed.then_some(Pitch::Packed);
        let pitch = packed.or(self.pitch);
        let pitch = pitch.unwrap_or_else(|| fitting_pitch(self.row_count, self.row_group, frame.height));
        StripLayout { rows: self.row_count, frame, window: self.window, pitch, scroll_px: self.scroll_px }
    }

    /// The room that labels left of the plots need, on a canvas of this height.
    pub fn gutter_px(&self, height: f64) -> f64 {
        if unit_of(self.show).is_some() {
            return PLACES_GUTTER_PX;
        }
        if self.show == Show::Stack || self.is_packed {
            return GUTTER_PX;
        }
        let pitch = self.layout(StripFrames::with_rows(0.0, height, GUTTER_PX).rows).pitch;
        if pitch.px() >= NAMES_FROM_PX { NAMES_GUTTER_PX } else { GUTTER_PX }
    }

    /// Everything on a strip's canvas.
    pub fn strip_marks(&self, entry: &RunEntry, frames: &StripFrames, sources: &Sources) -> DrawList {
        let ticks = self.ticks(&frames.rows);
        let mut list = axis::grid(&ticks, &frames.rows);
        let Some(result) = &entry.result else { return list };
        let (run, gpus_top, window) = (&result.run, self.gpus_top, self.window);
        list.append(StripRows::of(self, run, phase_of(entry), frames.rows, sources).draw());
        if let Some(lane) = frames.lane {
            list.append(axis::grid(&ticks, &lane));
            let policy = entry.colour_index();
            list.append(GpuLane { run, policy, gpus_top, frame: lane, window }.draw());
        }
        list
    }

    /// The outline of a job's row under a run: from its submission to its end.
    pub fn job_outline(&self, run: &Run, job: JobId, frame: Frame) -> Option<Frame> {
        let layout = self.layout(frame);
        let line = layout.line_of_row(self.rows.row_of(job)?);
        let spans = run.spans.range_of(job);
        let first = run.spans.get(spans.start).filter(|_| !spans.is_empty())?;
        let last = run.spans.get(spans.end.checked_sub(1)?)?;
        if last.end_s < self.window.start_s() || first.start_s > self.window.end_s() {
            return None;
        }
        let scale = layout.scale();
        let (left, right) = (scale.x_within(first.start_s).floor(), scale.x_within(last.end_s).ceil());
        let pitch_px = layout.pitch.px();
        let height = pitch_px.max(5.0) + 2.0;
        let top = (layout.y_of_line(line) + (pitch_px - height) / 2.0).round();
        let is_in_view = top + height > frame.top && top < frame.bottom();
        is_in_view.then_some(Frame { left: left - 2.0, top, width: right - left + 4.0, height })
    }
}

/// A line of text.
pub fn text(x: f64, y: f64, words: &str, anchor: Anchor, size: TextSize, paint: Paint) -> Mark {
    Mark::Text { at: Point { x, y }, text: words.into(), anchor, size, paint, backed: false }
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::sample;

    use super::*;
    use crate::timeline::view::View;

    /// Height of the canvas, and the height of a row and of the lane that 48 jobs get.
    #[test]
    fn rows_of_the_sample_do_not_merge() {
        let (workload, _) = sample::scenario(sample::SEED).workload();
        let view = View::new(&workload, &[], None);
        let picture = view.picture(&workload);
        let check = |height: f64, expected: (Pitch, Option<f64>)| {
            let frames = picture.frames(800.0, height, false);
            let lane = frames.lane.map(|lane| lane.height);
            assert_eq!((picture.layout(frames.rows).pitch, lane), expected, "{height}");
        };
        let rows = |row_px: u8| Pitch::Rows { row_px };
        check(240.0, (rows(4), Some(31.0)));
        check(190.0, (rows(3), Some(31.0)));
        // Three strips at 1440 by 900.
        check(173.0, (rows(3), Some(17.0)));
        check(142.0, (rows(2), Some(31.0)));
        check(110.0, (rows(2), None));
    }
}
