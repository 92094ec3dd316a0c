//! A map of cells: colours that part at the goal, numbers, and the goal's edge.

use elastiplan_scene::{Anchor, Dash, Frame, Point, TextSize};

use super::Drawing;
use crate::drawing::ink::Ink;
use crate::drawing::marks::Mark;
use crate::figure::Tone;
use crate::figure::points::{Cells, MapCell};

/// Between two cells.
const GAP_PX: f64 = 1.5;
/// How much of the colour of what is best or worst lies over the panel.
const DEEPEST: f64 = 0.5;
/// How much lies there just beyond the goal, so that both sides can be told apart.
const LEAST: f64 = 0.05;
/// Cells have numbers from this size on.
const NUMBER_PX: (f64, f64) = (30.0, 20.0);

/// The frame of a cell in a plot.
pub fn cell_frame(cells: &Cells, plot: &Frame, column: u32, row: u32) -> Frame {
    let (width, height) = (plot.width / f64::from(cells.columns.max(1)), plot.height / f64::from(cells.rows.max(1)));
    let (left, top) = (plot.left + f64::from(column) * width, plot.bottom() - f64::from(row + 1) * height);
    Frame { left, top, width, height }
}

/// How much of the colour of better or worse lies over the panel in a cell of this shade.
pub fn depth(shade: f64) -> f64 {
    LEAST + (DEEPEST - LEAST) * shade.abs().min(1.0)
}

impl Drawing<'_> {
    /// All cells with their edges.
    pub(super) fn cells(&self, marks: &mut Vec<Mark>, plot: &Frame, cells: &Cells) {
        for cell in &cells.cells {
            self.cell(marks, cell, &cell_frame(cells, plot, cell.column, cell.row));
        }
        let at = |(across, up): (f64, f64)| Point {
            x: plot.left + across / f64::from(cells.columns.max(1)) * plot.width,
            y: plot.bottom() - up / f64::from(cells.rows.max(1)) * plot.height,
        };
        for [from, to] in cells.goal_edges() {
            // Half of its thickness longer at both ends, so that corners close.
            let is_level = from.1 == to.1;
            let (from, to) = (at(from), at(to));
            let frame = match is_level {
                true => Frame { left: from.x - 1.0, top: from.y - 1.0, width: to.x - from.x + 2.0, height: 2.0 },
                false => Frame { left: from.x - 1.0, top: to.y - 1.0, width: 2.0, height: from.y - to.y + 2.0 },
            };
            self.rule(marks, Ink::Strong, frame);
        }
    }

    fn cell(&self, marks: &mut Vec<Mark>, cell: &MapCell, frame: &Frame) {
        let gap = GAP_PX.min(frame.width / 8.0);
        let corners = [
            Point { x: frame.left + gap / 2.0, y: frame.top + gap / 2.0 },
            Point { x: frame.right() - gap / 2.0, y: frame.bottom() - gap / 2.0 },
        ]
        .map(|corner| self.at(corner));
        let middle = Point { x: frame.left + frame.width / 2.0, y: frame.top + frame.height / 2.0 };
        match cell.shade {
            Some(shade) => {
                let tone = if shade < 0.0 { Tone::Worse } else { Tone::Better };
                let rgb = self.over_panel(self.rgb(Ink::Tone(tone)), depth(shade));
                marks.push(Mark::Rect(corners, rgb, 1.0));
            }
            None => marks.push(Mark::Rect(corners, self.rgb(Ink::Grid), 1.0)),
        }
        let fits = frame.width >= NUMBER_PX.0 && frame.height >= NUMBER_PX.1;
        if fits && TextSize::Caption.width_px(&cell.text) <= frame.width {
            self.text(marks, &cell.text, TextSize::Caption, Ink::Strong, middle, Anchor::Middle);
        } else if cell.shade.is_none() && !cell.text.is_empty() {
            // What failed is marked at any size.
            let half = (frame.width.min(frame.height) / 4.0).min(3.5);
            for slope in [1.0, -1.0] {
                let tip = |way: f64| Point { x: middle.x + way * half, y: middle.y + way * slope * half };
                self.line(marks, &[tip(-1.0), tip(1.0)], Ink::Weak, 1.2, Dash::Solid);
            }
        }
    }
}
