//! Values over time as lines in one plot, one for each policy: of a whole run, or of one job.

use elastiplan_metrics::Steps;
use elastiplan_text::format;

use crate::course::Values;
use crate::figure::axis::{Axis, Scale};
use crate::figure::table::{Cell, Column, Table};
use crate::figure::{Figure, Guide, Series, Shape, corners, label_of};
use crate::runs::RunEntry;

/// Rows of the table.
const ROWS: u32 = 20;
/// Restless values are averaged over so many intervals, where they would otherwise be a block of ink.
const STRETCHES: u32 = 120;

/// The quantity that lines show.
pub struct Quantity {
    /// The name of its files.
    pub name: String,
    /// With its unit.
    pub title: String,
    /// Its scale.
    pub scale: Scale,
    /// Whether it changes with every change of a job's GPUs, and back.
    pub is_restless: bool,
}

impl Quantity {
    fn cell(&self, value: f64) -> Cell {
        if self.scale == Scale::Percent { Cell::Percent(value) } else { Cell::Number(value) }
    }
}

/// Values of one run, on the clock of the trace.
pub struct RunLine<'a> {
    entry: &'a RunEntry,
    values: Values,
    end_s: f64,
    /// The time over which the values are averaged, where they are.
    averaged_s: Option<f64>,
}

impl<'a> RunLine<'a> {
    /// Values of a run from one time to another; shares are written in percent.
    pub fn new(quantity: &Quantity, entry: &'a RunEntry, mut values: Values, (start_s, end_s): (f64, f64)) -> Self {
        let mut averaged_s = None;
        if let Values::Steps(steps) = &mut values {
            if quantity.scale == Scale::Percent {
                steps.value.iter_mut().flatten().for_each(|value| *value *= 100.0);
            }
            if quantity.is_restless && steps.time_s.len() > STRETCHES as usize {
                *steps = means(steps, start_s, end_s);
                averaged_s = Some((end_s - start_s) / f64::from(STRETCHES));
            }
        }
        Self { entry, values, end_s, averaged_s }
    }
}

/// The figure of these lines. Times are written from `zero_s` on, and begin at `from_s` on the clock of the trace.
pub fn lines(
    quantity: &Quantity,
    lines: &[RunLine],
    (zero_s, from_s): (f64, f64),
    level: Option<(f64, String)>,
) -> Figure {
    let most = lines.iter().map(|line| line.values.most()).fold(0.0, f64::max);
    let since_s = from_s - zero_s;
    let until_s = lines.iter().map(|line| line.end_s - zero_s).fold(since_s, f64::max);
    let series = |line: &RunLine| Series::of(line.entry, Shape::Line(pieces(&line.values, zero_s, line.end_s)));
    let peak = |line: &RunLine| format!("{} {}", label_of(line.entry), quantity.cell(line.values.most()).words());
    let peaks: Vec<String> = lines.iter().map(peak).collect();
    let averaged_s = lines.iter().filter_map(|line| line.averaged_s).reduce(f64::max);
    let reach = level.as_ref().map_or(most, |(value, _)| most.max(*value));
    Figure {
        name: quantity.name.clone(),
        title: quantity.title.clone(),
        summary: format!("{} over time, at most: {}", quantity.title, peaks.join(", ")),
        x: Axis::times(since_s, until_s),
        y: Axis::from_zero(quantity.scale, reach),
        series: lines.iter().map(series).collect(),
        guides: level.map(|(value, label)| Guide::Level { value, label }).into_iter().collect(),
        notes: averaged_s.map(|s| format!("Means over at most {}", format::duration(s))).into_iter().collect(),
        table: table(quantity, lines, zero_s, (since_s, until_s)),
        ..Figure::default()
    }
}

/// The mean over each stretch of the time for which there is a value.
fn means(steps: &Steps<Option<f64>>, from_s: f64, to_s: f64) -> Steps<Option<f64>> {
    let length_s = (to_s - from_s) / f64::from(STRETCHES);
    let ends = steps.time_s.iter().skip(1).copied().chain([to_s]);
    let mut held = steps.time_s.iter().copied().zip(ends).zip(&steps.value).peekable();
    let mean = |nth: u32| {
        let (start_s, end_s) = (from_s + f64::from(nth) * length_s, from_s + f64::from(nth + 1) * length_s);
        let (mut sum, mut known_s) = (0.0, 0.0);
        while let Some(((since_s, until_s), value)) = held.peek().copied() {
            let inside_s = (until_s.min(end_s) - since_s.max(start_s)).max(0.0);
            if let Some(value) = value {
                sum += value * inside_s;
                known_s += inside_s;
            }
            // What goes on belongs to the next stretch too.
            if until_s > end_s {
                break;
            }
            held.next();
        }
        (start_s, (known_s > 0.0).then(|| sum / known_s))
    };
    Steps::from_rows((0..STRETCHES).map(mean).collect::<Vec<_>>())
}

/// Corners from `zero_s` on, in pieces where values are missing.
fn pieces(values: &Values, zero_s: f64, end_s: f64) -> Vec<Vec<(f64, f64)>> {
    let steps = match values {
        Values::Line(line) => {
            let corners = line.time_s.iter().zip(&line.value);
            return vec![corners.map(|(time_s, value)| (time_s - zero_s, *value)).collect()];
        }
        Values::Steps(steps) => steps,
    };
    let rows: Vec<(f64, Option<f64>)> = steps.time_s.iter().copied().zip(steps.value.iter().copied()).collect();
    let mut pieces = Vec::new();
    let mut begun = 0;
    for (at, (time_s, value)) in rows.iter().enumerate() {
        if value.is_none() {
            pieces.extend(piece(rows.get(begun..at), *time_s, zero_s));
            begun = at + 1;
        }
    }
    pieces.extend(piece(rows.get(begun..), end_s, zero_s));
    pieces
}

/// The corners of values that follow each other.
fn piece(rows: Option<&[(f64, Option<f64>)]>, end_s: f64, zero_s: f64) -> Option<Vec<(f64, f64)>> {
    let (first, rest) = rows?.split_first()?;
    let steps = rest.iter().filter_map(|(time_s, value)| Some((time_s - zero_s, (*value)?)));
    Some(corners((first.0 - zero_s, first.1?), steps, end_s - zero_s))
}

/// The values at times that are equally far from each other.
fn table(quantity: &Quantity, lines: &[RunLine], zero_s: f64, (from_s, to_s): (f64, f64)) -> Table {
    let heads = lines.iter().map(|line| (label_of(line.entry), line.entry.name()).into());
    let row = |nth: u32| {
        let since_s = from_s + (to_s - from_s) * f64::from(nth) / f64::from(ROWS);
        let cell = |line: &RunLine| {
            let value = line.values.at(zero_s + since_s).filter(|_| zero_s + since_s <= line.end_s);
            value.map_or(Cell::Missing, |value| quantity.cell(value))
        };
        std::iter::once(Cell::Time(since_s)).chain(lines.iter().map(cell)).collect()
    };
    let columns = std::iter::once(Column::from(("Time", "time_s"))).chain(heads);
    Table::new(columns, (0..=ROWS).filter(|_| !lines.is_empty()).map(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_leaves_a_gap() {
        let steps = Steps { time_s: vec![10.0, 20.0, 30.0, 40.0], value: vec![Some(1.0), Some(2.0), None, Some(3.0)] };
        let pieces = pieces(&Values::Steps(steps), 10.0, 50.0);
        assert_eq!(pieces, [vec![(0.0, 1.0), (10.0, 1.0), (10.0, 2.0), (20.0, 2.0)], vec![(30.0, 3.0), (40.0, 3.0)],]);
    }

    #[test]
    fn means_weigh_by_time_and_skip_what_is_missing() {
        let value = vec![Some(4.0), Some(8.0), None, Some(2.0)];
        let steps = Steps { time_s: vec![0.0, 0.25, 0.75, 2.5], value };
        let means = means(&steps, 0.0, f64::from(STRETCHES));
        assert_eq!(means.value, [Some((4.0 * 0.25 + 8.0 * 0.5) / 0.75), None, Some(2.0)]);
        assert_eq!(means.time_s, [0.0, 1.0, 2.0]);
    }
}
