//! Where groups of rows begin, and what they are called.

use std::ops::Range;

use elastiplan_text::format;

use crate::draw::{Anchor, Dash, Mark, Paint, Point, TextSize, shortened};
use crate::layers::Layers;
use crate::layout::StripLayout;
use crate::rows::RowGroup;
use crate::strip::Strip;

/// From the top of a group to the middle of its name.
const NAME_PX: f64 = 7.0;
/// From one name to the next.
const APART_PX: f64 = 12.0;

/// Rows that stand together: what they are called, which they are, and how many jobs they have.
pub(crate) struct Together<'a> {
    pub name: &'a str,
    pub rows: Range<usize>,
    pub jobs: usize,
}

/// A group of which something is in view.
struct Place {
    name: String,
    jobs: u64,
    top: f64,
    /// Whether its first row is in view.
    begins: bool,
}

impl Strip<'_> {
    /// The groups of its rows.
    pub(crate) fn groups(&self, layers: &mut Layers) {
        let groups = self.rows.groups();
        let ends = groups.iter().skip(1).map(|group| group.first).chain([self.rows.len()]);
        let together = groups.iter().zip(ends).map(|(RowGroup { name, first }, end)| Together {
            name,
            rows: *first..end,
            jobs: end - first,
        });
        draw_groups(&self.layout, together, layers);
    }
}

/// A line where each group begins, with its name and how many jobs it has. Names of low groups move down, off the names
/// above them; if not all fit, those of the smallest groups are left out.
pub(crate) fn draw_groups<'a>(layout: &StripLayout, groups: impl Iterator<Item = Together<'a>>, layers: &mut Layers) {
    let frame = layout.frame;
    let mut places: Vec<Place> = groups.filter_map(|group| place(layout, &group)).collect();
    let lines = places.iter().filter(|place| place.begins).map(|place| {
        let y = place.top.floor() - 0.5;
        let (from, to) = (Point { x: frame.left, y }, Point { x: frame.right(), y });
        Mark::Line { from, to, paint: Paint::LineStrong, width: 1.0, dash: Dash::Solid }
    });
    // All lines lie under all names: none is struck through.
    layers.top.extend(lines);
    let room = ((frame.height - 2.0 * NAME_PX) / APART_PX).floor() + 1.0;
    let room = if room >= 1.0 { room as usize } else { 0 };
    while places.len() > room {
        let Some((smallest, _)) = places.iter().enumerate().min_by_key(|(_, place)| place.jobs) else { break };
        places.remove(smallest);
    }
    let mut free_y = frame.top + NAME_PX;
    for (nth, place) in places.iter().enumerate() {
        let below = (places.len() - 1 - nth) as f64;
        let lowest = frame.bottom() - NAME_PX - below * APART_PX;
        let y = (place.top + NAME_PX).max(free_y).min(lowest);
        free_y = y + APART_PX;
        let words = format!("{} · {}", place.name, format::count(place.jobs));
        let at = Point { x: frame.right() - 6.0, y };
        let (anchor, size, paint) = (Anchor::End, TextSize::CaptionStrong, Paint::Ink2);
        let text = shortened(&words, size, frame.width / 2.0);
        layers.top.extend(text.map(|text| Mark::Text { at, text, anchor, size, paint, backed: true }));
    }
}

fn place(layout: &StripLayout, group: &Together) -> Option<Place> {
    let frame = layout.frame;
    let top_of = |row: usize| layout.y_of_line(layout.line_of_row(row));
    let bottom = (top_of(group.rows.end.saturating_sub(1)) + layout.pitch.px()).min(frame.bottom());
    let begin = top_of(group.rows.start);
    let (top, begins) = (begin.max(frame.top), begin > frame.top);
    (bottom > top).then(|| Place { name: group.name.to_string(), jobs: group.jobs as u64, top, begins })
}
