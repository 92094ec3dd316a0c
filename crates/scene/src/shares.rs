//! GPUs in use, stacked by model: who had what share when.

use elastiplan_engine::Run;
use elastiplan_model::Trace;

use crate::band::Tally;
use crate::columns::Ruler;
use crate::draw::{DrawList, Fill, Frame, Mark, Paint};
use crate::lane::capacity;
use crate::rows::Rows;
use crate::slots::{ModelSlot, ModelSlots};
use crate::time::{TimeScale, TimeWindow};

/// GPUs in use of one run, stacked by model.
#[derive(Clone, Copy, Debug)]
pub struct Shares<'a> {
    /// The run; it may be partial.
    pub run: &'a Run,
    /// The trace it ran.
    pub trace: &'a Trace,
    /// Colours of models.
    pub slots: &'a ModelSlots,
    /// The jobs that count.
    pub rows: &'a Rows,
    /// What the height of the plot stands for: the most GPUs that any of the runs beside each other had.
    pub gpus_top: u32,
    /// The plot.
    pub frame: Frame,
    /// The time in view.
    pub window: TimeWindow,
}

impl Shares<'_> {
    /// The picture: the first model lies at the bottom; the GPUs that there are lie behind, as a line.
    pub fn draw(&self) -> DrawList {
        let scale = TimeScale::over(self.window, &self.frame);
        let mut tally = Tally::new(0);
        tally.fill(self.run, self.trace, self.slots, self.rows.jobs(), Ruler::of(&scale));
        let mut marks = capacity(self.run, self.gpus_top, &scale, &self.frame);
        let line = marks.pop();
        let px_per_gpu = self.frame.height.max(0.0) / f64::from(self.gpus_top.max(1));
        // Tops are rounded as sums, so that stacked parts touch and none drifts.
        let mut sums = vec![0.0; tally.columns()];
        for slot in (0..ModelSlot::COUNT).map(ModelSlot::new) {
            let mut open: Option<Frame> = None;
            for (column, sum) in sums.iter_mut().enumerate() {
                let below_px = (*sum * px_per_gpu).round().min(self.frame.height);
                *sum += tally.gpus(slot, column);
                let above_px = (*sum * px_per_gpu).round().min(self.frame.height);
                let (top, height) = (self.frame.bottom() - above_px, above_px - below_px);
                match &mut open {
                    Some(frame) if frame.top == top && frame.height == height => frame.width += 1.0,
                    _ => {
                        marks.extend(open.take().map(|frame| solid(frame, slot)));
                        let left = self.frame.left + column as f64;
                        open = (height > 0.0).then_some(Frame { left, top, width: 1.0, height });
                    }
                }
            }
            marks.extend(open.map(|frame| solid(frame, slot)));
        }
        marks.extend(line);
        DrawList { marks }
    }
}

fn solid(frame: Frame, slot: ModelSlot) -> Mark {
    Mark::Rect { frame, paint: Paint::Model(slot), fill: Fill::Solid }
}
