//! Marks of studies: what a policy does at a point, as a curve, a cell of a map, or a line across axes.

use super::axis::Tick;

/// A policy at a point of a study, both by their places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PointId {
    /// The policy.
    pub policy: u32,
    /// The point.
    pub point: u32,
}

/// A line through the points of one policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// How it is drawn.
    pub style: CurveStyle,
    /// Its points in the order of the line; one without a value interrupts it.
    pub points: Vec<CurvePoint>,
}

/// How a curve is drawn, and how a pointer finds its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveStyle {
    /// Line, band and points, with its name beside it. A pointer finds the nearest place across.
    Large,
    /// Line and band. A pointer finds the nearest place across.
    Small,
    /// Points joined by a fine line. A pointer finds the nearest point.
    Scatter,
    /// One point of a study as a line across parallel axes. A pointer finds the nearest line.
    Path,
}

/// A point of a curve, in the units of the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// What it stands for.
    pub id: PointId,
    /// Across.
    pub x: f64,
    /// Up; `None` where nothing is known.
    pub y: Option<f64>,
    /// The ends of its interval.
    pub band: Option<(f64, f64)>,
    /// Its mark.
    pub mark: PointMark,
    /// Whether it is worse than its left neighbour: it has a ring.
    pub got_worse: bool,
}

/// The mark of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PointMark {
    /// None: a corner of the line.
    #[default]
    Plain,
    /// A hollow dot.
    Hollow,
    /// A filled dot.
    Filled,
    /// A larger filled dot with a dotted line down to the axis.
    Answer,
    /// A cross; at the foot of the plot where there is no value.
    Gap,
}

/// A map of cells. Its axes have a unit for each column and row.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// How many columns.
    pub columns: u32,
    /// How many rows.
    pub rows: u32,
    /// The cells; those that are missing are unknown.
    pub cells: Vec<MapCell>,
}

/// A cell of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct MapCell {
    /// What it stands for.
    pub id: PointId,
    /// Its column, from the left.
    pub column: u32,
    /// Its row, from below.
    pub row: u32,
    /// From -1, worst, over 0, at the goal, to 1, best; `None` where nothing is known.
    pub shade: Option<f64>,
    /// The value as it is written in the cell.
    pub text: String,
    /// Whether it meets the goal; `None` where there is none, or no value.
    pub meets: Option<bool>,
}

impl Cells {
    /// The cell of a column and a row.
    pub fn at(&self, column: u32, row: u32) -> Option<&MapCell> {
        self.cells.iter().find(|cell| cell.column == column && cell.row == row)
    }

    /// The edges between cells that meet the goal and cells that miss it, in units of the axes; along the left side of the
    /// map where the first cell of a row meets it. None where no cell misses it.
    pub fn goal_edges(&self) -> Vec<[(f64, f64); 2]> {
        let meets = |column: u32, row: u32| self.at(column, row).and_then(|cell| cell.meets);
        if self.cells.iter().all(|cell| cell.meets != Some(false)) {
            return Vec::new();
        }
        let mut edges = Vec::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                let Some(own) = meets(column, row) else { continue };
                let (x, y) = (f64::from(column), f64::from(row));
                let left = if column == 0 { Some(false) } else { meets(column - 1, row) };
                if left == Some(!own) {
                    edges.push([(x, y), (x, y + 1.0)]);
                }
                if row > 0 && meets(column, row - 1) == Some(!own) {
                    edges.push([(x, y), (x + 1.0, y)]);
                }
            }
        }
        edges
    }
}

/// One of several parallel axes.
#[derive(Clone, Debug, PartialEq)]
pub struct ParallelAxis {
    /// Where it stands across.
    pub x: f64,
    /// Its name, above it.
    pub name: String,
    /// Its labelled values, from 0 at its foot to 1.
    pub ticks: Vec<Tick>,
    /// Where the ends of a chosen part can be moved to by keys, from its foot up: the values of what was varied, 20 steps
    /// of a result.
    pub stops: Vec<Tick>,
    /// Whether it is a result, and not what was varied.
    pub is_result: bool,
    /// The part of it that was chosen, from 0 to 1.
    pub chosen: Option<(f64, f64)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows from above, as they are seen: `#` meets the goal, `.` misses it, `?` is unknown.
    fn check(map: &[&str], expected: &[[(f64, f64); 2]]) {
        let rows = map.len() as u32;
        let cell = |(row, line): (u32, &str)| -> Vec<MapCell> {
            let cell = |(column, mark): (u32, char)| MapCell {
                id: PointId::default(),
                column,
                row,
                shade: None,
                text: String::new(),
                meets: (mark != '?').then_some(mark == '#'),
            };
            (0..).zip(line.chars()).map(cell).collect()
        };
        let cells = (0..).zip(map.iter().rev().copied()).flat_map(cell).collect();
        let columns = map.first().map_or(0, |line| line.len() as u32);
        assert_eq!(Cells { columns, rows, cells }.goal_edges(), expected, "{map:?}");
    }

    #[test]
    fn the_goal_has_an_edge_between_cells_that_meet_and_cells_that_miss_it() {
        check(&["..", ".."], &[]);
        check(&["##", "##"], &[]);
        check(&[".#", "##"], &[[(0.0, 0.0), (0.0, 1.0)], [(0.0, 1.0), (1.0, 1.0)], [(1.0, 1.0), (1.0, 2.0)]]);
        check(&[".?#"], &[]);
        check(&[".#.#"], &[[(1.0, 0.0), (1.0, 1.0)], [(2.0, 0.0), (2.0, 1.0)], [(3.0, 0.0), (3.0, 1.0)]]);
    }
}
