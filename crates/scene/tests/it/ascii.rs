//! Paints a draw list with letters, so that a layout can be seen in a test. A letter stands for a cell of several
//! pixels: what is painted last in a cell is seen.
//!
//! `#` a bar (`1`, `2`, ... its model's slot), `%` hatch or a faint bar, `-` waiting, `~` preempted, `_` a deadline
//! rule, `|` a vertical line, `:` a dashed one, `X` missed, `x` dropped, `.` a tint, `+` an outline, `/` hatched ground,
//! `\` away, `,` the time of the run on a GPU's row, `*` a step line, `'` an area, `"` hatch in both directions, `F` failed, `C` cancelled.

use elastiplan_scene::{Anchor, Cross, Dash, DrawList, Fill, Frame, Mark, Paint, Point};

pub struct Ascii {
    cell: (f64, f64),
    columns: usize,
    cells: Vec<Vec<char>>,
}

/// The picture of a width and height in pixels, a letter a cell.
pub fn paint(list: &DrawList, size: (f64, f64), cell: (f64, f64)) -> String {
    let columns = (size.0 / cell.0).ceil() as usize;
    let rows = (size.1 / cell.1).ceil() as usize;
    let mut ascii = Ascii { cell, columns, cells: vec![vec![' '; columns]; rows] };
    for mark in &list.marks {
        ascii.mark(mark);
    }
    // A margin keeps the blanks on the left.
    let line = |cells: &Vec<char>| format!("|{}", cells.iter().collect::<String>().trim_end());
    ascii.cells.iter().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

impl Ascii {
    fn mark(&mut self, mark: &Mark) {
        match mark {
            Mark::Rect { frame, paint, fill } => {
                let letter = match (paint, fill) {
                    (Paint::Model(slot), Fill::Solid) => char::from(b'1' + slot.index() as u8),
                    (Paint::Model(slot), Fill::Share(70)) => char::from(b'a' + slot.index() as u8),
                    (Paint::Model(_), _) | (Paint::Panel, Fill::Hatch) => '%',
                    (Paint::Panel, Fill::CrossHatch) => '"',
                    (Paint::Panel, Fill::Solid) => '=',
                    (Paint::ModelDark(_), _) => ']',
                    (Paint::Bad, _) => '_',
                    (Paint::Select, _) => '.',
                    (Paint::Line, Fill::Hatch) => '/',
                    (Paint::LineStrong, Fill::Hatch) => '\\',
                    (Paint::Grid, Fill::Solid) => ',',
                    other => panic!("no letter for {other:?}"),
                };
                self.fill(frame, letter);
            }
            Mark::Outline { frame, .. } => {
                for x in [frame.left, frame.right() - 1.0] {
                    self.fill(&Frame { left: x, width: 1.0, ..*frame }, '+');
                }
            }
            Mark::Line { from, to, paint, dash, .. } if from.y == to.y => {
                let letter = match (paint, dash) {
                    (Paint::Wait, _) => '-',
                    (_, Dash::Medium) => '~',
                    (_, Dash::Dotted) => '.',
                    _ => '_',
                };
                self.fill(&Frame { left: from.x, top: from.y - 0.5, width: to.x - from.x, height: 1.0 }, letter);
            }
            Mark::Line { from, to, dash, .. } => {
                let letter = if *dash == Dash::Solid { '|' } else { ':' };
                self.fill(&Frame { left: from.x - 0.5, top: from.y, width: 1.0, height: to.y - from.y }, letter);
            }
            Mark::Path { points, .. } => self.path(points),
            Mark::Area { points, base_y, .. } => {
                for (a, b) in points.iter().zip(points.iter().skip(1)) {
                    self.fill(&Frame { left: a.x, top: a.y, width: b.x - a.x, height: base_y - a.y }, '\'');
                }
            }
            Mark::Cross { at, cross, .. } => {
                let letter = match cross {
                    Cross::Missed => 'X',
                    Cross::Hollow => 'x',
                    Cross::Failed => 'F',
                    Cross::Cancelled => 'C',
                };
                self.fill(&Frame { left: at.x, top: at.y, width: 0.1, height: 0.1 }, letter);
            }
            Mark::Text { at, text, anchor, size, .. } => {
                // A letter a cell is narrower or wider than the text is; its anchor stays where it is.
                let width = text.chars().count() as f64 * self.cell.0;
                let left = match anchor {
                    Anchor::Start => at.x,
                    Anchor::Middle => at.x - width / 2.0,
                    Anchor::End => at.x - width,
                };
                assert!(size.px() >= 10.0);
                for (letter, nth) in text.chars().zip(0..) {
                    let left = left + f64::from(nth) * self.cell.0;
                    self.fill(&Frame { left, top: at.y, width: 0.1, height: 0.1 }, letter);
                }
            }
        }
    }

    fn path(&mut self, points: &[Point]) {
        for (a, b) in points.iter().zip(points.iter().skip(1)) {
            let (left, top) = (a.x.min(b.x), a.y.min(b.y));
            let frame = Frame { left, top, width: (a.x - b.x).abs() + 0.1, height: (a.y - b.y).abs() + 0.1 };
            self.fill(&frame, '*');
        }
    }

    /// Cells of which the frame covers the middle, and at least one.
    fn fill(&mut self, frame: &Frame, letter: char) {
        let cells = |from: f64, length: f64, cell: f64| {
            let first = (from / cell + 1e-9).floor();
            let last = ((from + length) / cell - 0.5).floor();
            (first.max(0.0) as usize)..=(last.max(first).max(0.0) as usize)
        };
        for row in cells(frame.top, frame.height, self.cell.1) {
            for column in cells(frame.left, frame.width, self.cell.0).take_while(|&column| column < self.columns) {
                if let Some(place) = self.cells.get_mut(row).and_then(|row| row.get_mut(column)) {
                    *place = letter;
                }
            }
        }
    }
}
