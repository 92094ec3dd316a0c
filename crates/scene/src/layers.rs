//! Marks of a strip by layer, so that bars never cover crosses, and a painter changes colour rarely.

use crate::draw::{DrawList, Fill, Frame, Mark, Paint, Point};
use crate::slots::ModelSlot;

/// The marks of a strip, in the order of their painting.
#[derive(Default)]
pub(crate) struct Layers {
    /// Tints and hatches behind everything.
    pub ground: Vec<Mark>,
    /// The ground of what is away.
    pub away: Vec<Mark>,
    /// Hatches of what is away.
    pub away_hatch: Vec<Mark>,
    /// Bars, a list a model.
    bars: [Vec<Mark>; ModelSlot::COUNT],
    /// Hatch and caps on bars.
    pub on_bars: Vec<Mark>,
    /// Waiting lines.
    pub waiting: Vec<Mark>,
    /// Preempted lines.
    pub preempted: Vec<Mark>,
    /// Rules under what is past a deadline.
    pub rules: Vec<Mark>,
    /// Crosses of missed deadlines.
    pub missed: Vec<Mark>,
    /// Crosses of dropped jobs.
    pub dropped: Vec<Mark>,
    /// GPU numbers and other text in the plot.
    pub texts: Vec<Mark>,
    /// Labels in the gutter.
    pub labels: Vec<Mark>,
    /// Outlines and lines on top of everything.
    pub top: Vec<Mark>,
}

impl Layers {
    pub(crate) fn bar(&mut self, slot: ModelSlot, frame: Frame, fill: Fill) {
        if let Some(bars) = self.bars.get_mut(slot.index()) {
            bars.push(Mark::Rect { frame, paint: Paint::Model(slot), fill });
        }
    }

    pub(crate) fn append_to(self, list: &mut DrawList) {
        list.marks.extend(self.ground);
        list.marks.extend(self.away);
        list.marks.extend(self.away_hatch);
        list.marks.extend(self.bars.into_iter().flatten());
        for layer in [self.on_bars, self.waiting, self.preempted, self.rules, self.missed, self.dropped] {
            list.marks.extend(layer);
        }
        for layer in [self.texts, self.labels, self.top] {
            list.marks.extend(layer);
        }
    }
}

/// The part of a rectangle that lies in a frame; `None` if nothing of it does.
pub(crate) fn clipped(rect: Frame, to: &Frame) -> Option<Frame> {
    let (left, top) = (rect.left.max(to.left), rect.top.max(to.top));
    let (right, bottom) = (rect.right().min(to.right()), rect.bottom().min(to.bottom()));
    (right > left && bottom > top).then_some(Frame { left, top, width: right - left, height: bottom - top })
}

/// A point moved so that what reaches `reach` from it lies in a frame; `None` if there is no room at all.
pub(crate) fn kept_inside(at: Point, reach: f64, frame: &Frame) -> Option<Point> {
    let room = frame.width >= 2.0 * reach && frame.height >= 2.0 * reach;
    room.then(|| Point {
        x: at.x.clamp(frame.left + reach, frame.right() - reach),
        y: at.y.clamp(frame.top + reach, frame.bottom() - reach),
    })
}
