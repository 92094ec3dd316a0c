//! A lane in which the lines of all runs lie over each other.

use crate::draw::{Dash, DrawList, Frame, Mark, Paint, Point};
use crate::labels::Labels;
use crate::lane::gutter;
use crate::series::Series;
use crate::time::{TimeScale, TimeWindow};

/// One line.
#[derive(Clone, Copy, Debug)]
pub struct SeriesLine<'a> {
    /// Its values.
    pub series: &'a Series,
    /// The policy it is of, 0 to 3 for A to D.
    pub policy: u8,
    /// What stands beside it.
    pub label: &'a str,
}

/// Lines of several runs over one axis.
#[derive(Clone, Copy, Debug)]
pub struct SeriesLane<'a> {
    /// The lines; the first is painted last, on top.
    pub lines: &'a [SeriesLine<'a>],
    /// The top of the axis, where it is always the same: 1 for a share.
    pub top: Option<f64>,
    /// How values are written.
    pub write: fn(f64) -> String,
    /// The plot.
    pub frame: Frame,
    /// The time in view.
    pub window: TimeWindow,
}

impl SeriesLane<'_> {
    /// The picture: a line a run with its label, and a base at 0. Heights do not change with the time in view. Labels
    /// that find no free place are left out.
    pub fn draw(&self) -> DrawList {
        let (least, most) = self.extent();
        let scale = TimeScale::over(self.window, &self.frame);
        let y = self.y_of(0.0, least, most);
        let (from, to) = (Point { x: self.frame.left, y }, Point { x: self.frame.right(), y });
        let mut marks = vec![Mark::Line { from, to, paint: Paint::Line, width: 1.0, dash: Dash::Solid }];
        marks.extend(gutter(&self.frame, &(self.write)(most), &(self.write)(least)));
        let lines: Vec<Vec<Vec<Point>>> =
            self.lines.iter().map(|line| self.paths(line.series, &scale, least, most)).collect();
        let whole: Vec<Vec<Point>> = lines.iter().map(|paths| paths.concat()).collect();
        let mut labels = Labels::new(self.frame, &whole);
        let mut texts = Vec::new();
        for (line, points) in self.lines.iter().zip(&whole) {
            texts.extend(labels.place(points, line.label.to_string(), Paint::Policy(line.policy)));
        }
        for (line, paths) in self.lines.iter().zip(lines).rev() {
            let (paint, dash) = (Paint::Policy(line.policy), Dash::of_policy(line.policy));
            let drawn = paths.into_iter().filter(|points| points.len() > 1);
            marks.extend(drawn.map(|points| Mark::Path { points, paint, width: 1.0, dash }));
        }
        marks.append(&mut texts);
        DrawList { marks }
    }

    /// The ends of the axis: 0 is always on it.
    fn extent(&self) -> (f64, f64) {
        let extents = self.lines.iter().filter_map(|line| line.series.extent());
        let (least, most) = extents.fold((0.0_f64, 0.0_f64), |all, own| (all.0.min(own.0), all.1.max(own.1)));
        let most = self.top.map_or(most, |top| top.max(most));
        (least, if most > least { most } else { least + 1.0 })
    }

    fn y_of(&self, value: f64, least: f64, most: f64) -> f64 {
        let share = ((value - least) / (most - least)).clamp(0.0, 1.0);
        self.frame.bottom() - 0.5 - (share * (self.frame.height - 1.0).max(0.0)).round()
    }

    /// The line as far as it is in view, in parts where values are missing. Of the corners within a pixel column the
    /// first, the lowest, the highest and the last are kept.
    fn paths(&self, series: &Series, scale: &TimeScale, least: f64, most: f64) -> Vec<Vec<Point>> {
        let (times_s, values) = series.corners();
        let window = scale.window();
        // One corner beyond each edge, so that lines go on to it.
        let first = times_s.partition_point(|&time_s| time_s <= window.start_s()).saturating_sub(1);
        let end = (times_s.partition_point(|&time_s| time_s < window.end_s()) + 1).min(times_s.len());
        if window.end_s() <= *times_s.first().unwrap_or(&f64::INFINITY)
            || window.start_s() >= *times_s.last().unwrap_or(&f64::NEG_INFINITY)
        {
            return Vec::new();
        }
        let corners = times_s.iter().zip(values).take(end).skip(first);
        let mut paths = Paths::default();
        let (mut x, mut column_end_s) = (0.0, f64::NEG_INFINITY);
        for (place, (&time_s, &value)) in corners.enumerate() {
            // At the edges the line is cut where it crosses them.
            let inside_s = time_s.clamp(window.start_s(), window.end_s());
            let value = match inside_s == time_s {
                true => value,
                false if place == 0 => series.at(inside_s).unwrap_or(f64::NAN),
                false => before(times_s, values, inside_s).unwrap_or(f64::NAN),
            };
            // Most corners lie in the column of the one before.
            if inside_s >= column_end_s {
                x = (scale.x_within(inside_s).floor() + 0.5).clamp(self.frame.left, self.frame.right());
                column_end_s = scale.time_at(x + 0.5);
            }
            if value.is_finite() { paths.add(x, value) } else { paths.end() }
        }
        paths.end();
        let point = |(x, value): (f64, f64)| Point { x, y: self.y_of(value, least, most) };
        let mut drawn: Vec<Vec<Point>> =
            paths.done.into_iter().map(|path| path.into_iter().map(point).collect()).collect();
        drawn.iter_mut().for_each(Vec::dedup);
        drawn
    }
}

/// The value just before a time.
fn before(times_s: &[f64], values: &[f64], time_s: f64) -> Option<f64> {
    let next = times_s.partition_point(|&corner_s| corner_s < time_s);
    let (from_s, from) = (*times_s.get(next.checked_sub(1)?)?, *values.get(next - 1)?);
    let (to_s, to) = (*times_s.get(next)?, *values.get(next)?);
    Some(if from == to { from } else { from + (to - from) * (time_s - from_s) / (to_s - from_s) })
}

/// Paths that are being made, thinned to what pixels can show: places across, with values.
#[derive(Default)]
struct Paths {
    done: Vec<Vec<(f64, f64)>>,
    open: Vec<(f64, f64)>,
    /// The column at hand: its place, and the first, the least, the greatest and the last value in it.
    column: Option<(f64, [f64; 4])>,
}

impl Paths {
    fn add(&mut self, x: f64, value: f64) {
        match &mut self.column {
            Some((at, [_, least, most, last])) if *at == x => {
                *least = least.min(value);
                *most = most.max(value);
                *last = value;
            }
            _ => {
                self.flush();
                self.column = Some((x, [value; 4]));
            }
        }
    }

    fn flush(&mut self) {
        if let Some((x, values)) = self.column.take() {
            self.open.extend(values.map(|value| (x, value)));
        }
    }

    fn end(&mut self) {
        self.flush();
        if !self.open.is_empty() {
            self.done.push(std::mem::take(&mut self.open));
        }
    }
}
