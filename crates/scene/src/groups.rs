//! Where groups of rows begin, and what they are called.

use elastiplan_text::format;

use crate::draw::{Anchor, Dash, Mark, Paint, Point, TextSize, shortened};
use crate::layers::Layers;
use crate::strip::Strip;

/// A group lower than this has no name.
const NAMED_MIN_PX: f64 = 13.0;
/// From the top of a group to the middle of its name.
const NAME_PX: f64 = 7.0;

impl Strip<'_> {
    /// A line where each group begins, with its name where there is room.
    pub(crate) fn groups(&self, layers: &mut Layers) {
        let (frame, groups) = (self.layout.frame, self.rows.groups());
        let top_of = |row: usize| self.layout.y_of_line(self.layout.line_of_row(row));
        let ends = groups.iter().skip(1).map(|group| group.first).chain([self.rows.len()]);
        for (group, end) in groups.iter().zip(ends) {
            let end_row = end.saturating_sub(1);
            let bottom = (top_of(end_row) + self.layout.pitch.px()).min(frame.bottom());
            let begin = top_of(group.first);
            let top = begin.max(frame.top);
            if bottom <= top {
                continue;
            }
            if begin > frame.top {
                let y = begin.floor() - 0.5;
                let (from, to) = (Point { x: frame.left, y }, Point { x: frame.right(), y });
                layers.top.push(Mark::Line { from, to, paint: Paint::LineStrong, width: 1.0, dash: Dash::Solid });
            }
            let jobs = (end - group.first) as u64;
            let words = format!("{} · {}", group.name, format::count(jobs));
            let name = shortened(&words, TextSize::CaptionStrong, frame.width / 2.0);
            if let Some(text) = name.filter(|_| bottom - top >= NAMED_MIN_PX) {
                let at = Point { x: frame.right() - 6.0, y: top + NAME_PX };
                let (anchor, size, paint) = (Anchor::End, TextSize::CaptionStrong, Paint::Ink2);
                layers.top.push(Mark::Text { at, text, anchor, size, paint, backed: true });
            }
        }
    }
}
