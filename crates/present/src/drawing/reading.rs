//! The values under a cursor: of all lines at one place across, or of one bar.

use elastiplan_scene::{Frame, Point};

use crate::figure::{Figure, Series, Shape, Tone};

/// What a figure shows at the cursor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The place across, 0 to 1, of the cursor's line; `None` where a bar is read.
    pub across: Option<f64>,
    /// The bar that is read, or the group of bars, counted from the top; `None` where lines are read.
    pub bar: Option<usize>,
    /// Where: a value of the axis across, or the name of a bar's group.
    pub head: String,
    /// What, in the order of the series: colour, badge or name, and value as the page writes it.
    pub values: Vec<(Tone, String, String)>,
}

impl Reading {
    /// The whole as one line: `1h 03m: A 63%, B 71%`.
    pub fn words(&self) -> String {
        let values: Vec<String> = self.values.iter().map(|(_, name, value)| format!("{name} {value}")).collect();
        let values = values.join(", ");
        if self.head.is_empty() { values.trim().into() } else { format!("{}: {}", self.head, values.trim()) }
    }
}

/// The letter of a run from its label, or the whole label of another series.
pub fn badge_of(tone: Tone, label: &str) -> &str {
    match tone {
        Tone::Policy(_) => label.split(' ').next().unwrap_or(label),
        _ => label,
    }
}

/// What lies under a pointer in a plot; `None` outside it, and in figures of dots.
pub fn reading_at(figure: &Figure, plot: &Frame, at: Point) -> Option<Reading> {
    let is_inside = (plot.left - 4.0..=plot.right() + 4.0).contains(&at.x);
    match figure.y.scale.is_of_bars() {
        true => of_bar(figure, ((plot.bottom() - at.y) / plot.height) * figure.y.to),
        false => is_inside.then(|| of_lines(figure, (at.x - plot.left) / plot.width)).flatten(),
    }
}

/// The values of all lines at a place across, 0 to 1; `None` where there are no lines.
pub fn of_lines(figure: &Figure, across: f64) -> Option<Reading> {
    let across = across.clamp(0.0, 1.0);
    let x = figure.x.value(across);
    let line = |series: &Series| match &series.shape {
        Shape::Line(pieces) => {
            let value = pieces.iter().find_map(|piece| value_at(piece, x))?;
            Some((series.tone, badge_of(series.tone, &series.label).into(), figure.y.scale.words(value)))
        }
        _ => None,
    };
    let has_lines = figure.series.iter().any(|series| matches!(series.shape, Shape::Line(_)));
    let values = figure.series.iter().filter_map(line).collect();
    has_lines.then(|| Reading { across: Some(across), bar: None, head: figure.x.scale.words(x), values })
}

/// The height of a line at a place: between two corners on the straight line, and after a jump where there is one.
fn value_at(piece: &[(f64, f64)], x: f64) -> Option<f64> {
    let next = piece.partition_point(|(at, _)| *at <= x);
    let (from_x, from) = *piece.get(next.checked_sub(1)?)?;
    match piece.get(next) {
        Some((to_x, to)) => Some(from + (to - from) * (x - from_x) / (to_x - from_x)),
        None => (x == from_x).then_some(from),
    }
}

/// How many bars, or groups of bars, a figure has.
pub fn bar_count(figure: &Figure) -> usize {
    bars_of(figure).len() / figure.key.len().max(1)
}

/// A bar, or the bars of a group, counted from the top, with what a paper says of it.
pub fn of_bars(figure: &Figure, bar: usize) -> Option<Reading> {
    let bars = bars_of(figure);
    if figure.key.is_empty() {
        let (place, series, text) = bars.get(bar)?;
        let paper = figure.paper.iter().filter(|mark| mark.y == *place);
        let paper = paper.map(|mark| {
            (mark.tone, "paper".to_string(), format!("{} ({})", figure.x.scale.words(mark.x), mark.source))
        });
        let own = (series.tone, series.label.clone(), (*text).clone());
        let values = std::iter::once(own).chain(paper).collect();
        return Some(Reading { across: None, bar: Some(bar), head: String::new(), values });
    }
    // Bars of a group follow each other, as many as there are names of colours; the first has the group's name.
    let first = bar * figure.key.len();
    let group = bars.get(first..first + figure.key.len())?;
    let value = |((_, series, text), (_, name)): (&PlacedBar, &(Tone, String))| {
        (series.tone, badge_of(series.tone, name).into(), (*text).clone())
    };
    let head = group.first().map_or_else(String::new, |(_, series, _)| series.label.clone());
    let values = group.iter().zip(&figure.key).map(value).collect();
    Some(Reading { across: None, bar: Some(bar), head, values })
}

/// Where a bar, or a group of bars, lies: from its lower to its upper edge, in units of the axis.
pub fn extent_of_bars(figure: &Figure, bar: usize) -> Option<(f64, f64)> {
    let each = figure.key.len().max(1);
    let bars = bars_of(figure);
    let places = bars.get(bar * each..(bar + 1) * each)?.iter().map(|(place, ..)| *place);
    let ends = places.fold((f64::INFINITY, f64::NEG_INFINITY), |ends, place| (ends.0.min(place), ends.1.max(place)));
    Some((ends.0 - 0.5, ends.1 + 0.5))
}

/// A bar with its place up, and the words at its end.
type PlacedBar<'a> = (f64, &'a Series, &'a String);

/// All bars, from the top down.
fn bars_of(figure: &Figure) -> Vec<PlacedBar<'_>> {
    let places = figure.series.iter().filter_map(|series| match &series.shape {
        Shape::Bar { place, text, .. } => Some((*place, series, text)),
        _ => None,
    });
    places.collect()
}

/// The bar nearest to a place up, with the bars of its group.
fn of_bar(figure: &Figure, up: f64) -> Option<Reading> {
    let bars = bars_of(figure);
    let near = bars.iter().enumerate().min_by(|a, b| (a.1.0 - up).abs().total_cmp(&(b.1.0 - up).abs()))?;
    of_bars(figure, near.0 / figure.key.len().max(1))
}

#[cfg(test)]
mod tests {
    use elastiplan_metrics::Metrics;

    use super::*;
    use crate::charts::{By, Spread, bars, by_group, distribution, over_time};
    use crate::course::Course;
    use crate::figure::axis::Spacing;
    use crate::paper::Paper;
    use crate::testing::{paper, sample_runs};

    const PLOT: Frame = Frame { left: 30.0, top: 8.0, width: 300.0, height: 170.0 };

    #[test]
    fn a_distribution_tells_the_share_of_each_run() {
        let (runs, workload) = sample_runs(&["fixed", "equal-share", "elastic-dp"]);
        for spacing in [Spacing::Linear, Spacing::Log] {
            let figure = distribution(Spread::Completion, &runs, &workload, &Paper::default(), Some(spacing));
            for step in 0..=50 {
                let at = Point { x: PLOT.left + PLOT.width * f64::from(step) / 50.0, y: 60.0 };
                let found = reading_at(&figure, &PLOT, at).unwrap();
                let within_s = figure.x.value(f64::from(step) / 50.0);
                for (entry, (_, name, value)) in runs.iter().zip(&found.values) {
                    let jobs = &entry.result.as_ref().unwrap().run.jobs;
                    let times_s =
                        workload.trace().iter().map(|(id, job)| jobs.end_s[id.index()].unwrap() - job.submit_s);
                    let share = times_s.filter(|time_s| *time_s <= within_s).count() as f64 / 48.0;
                    assert_eq!(
                        (name.as_str(), value),
                        (&*entry.letter().to_string(), &elastiplan_text::format::percent(share))
                    );
                }
            }
        }
    }

    #[test]
    fn a_quantity_over_time_tells_the_count_of_each_run() {
        let (runs, workload) = sample_runs(&["fixed", "elastic-dp"]);
        let figure = over_time(Course::JobsWaiting, &runs, &workload);
        let found = of_lines(&figure, 0.4).unwrap();
        let time_s = workload.trace().start_s() + figure.x.value(0.4);
        for (entry, (_, _, value)) in runs.iter().zip(&found.values) {
            let series = &entry.result.as_ref().unwrap().run.series;
            assert_eq!(*value, series.jobs_waiting[series.row_at(time_s).unwrap()].to_string());
        }
        assert!(found.words().contains(": A "), "{}", found.words());
        assert_eq!(reading_at(&figure, &PLOT, Point { x: 10.0, y: 50.0 }), None);
    }

    #[test]
    fn lines_are_read_after_a_jump_between_corners_and_not_beyond_their_ends() {
        let check =
            |piece: &[(f64, f64)], x: f64, expected: Option<f64>| assert_eq!(value_at(piece, x), expected, "{x}");
        let stairs = [(0.0, 1.0), (2.0, 1.0), (2.0, 5.0), (4.0, 5.0)];
        check(&stairs, 1.0, Some(1.0));
        check(&stairs, 2.0, Some(5.0));
        check(&stairs, 4.0, Some(5.0));
        check(&stairs, 4.1, None);
        check(&stairs, -0.1, None);
        check(&[(0.0, 1.0), (4.0, 3.0)], 1.0, Some(1.5));
        check(&[], 1.0, None);
    }

    #[test]
    fn a_bar_tells_its_value_and_that_of_the_paper() {
        let (runs, workload) = sample_runs(&["fixed", "elastic-dp"]);
        let info = Metrics::info("avg_jct_s").unwrap();
        let figure = bars(info, &runs, &paper("avg_jct_s", "elastic-dp", 3600.0, "Table 3"));
        let lower = reading_at(&figure, &PLOT, Point { x: 90.0, y: PLOT.bottom() - 10.0 }).unwrap().words();
        assert!(lower.starts_with("B elastic-dp ") && lower.ends_with(", paper 1h 00m (Table 3)"), "{lower}");
        let figure = by_group(By::Model, &runs, &workload);
        let found = reading_at(&figure, &PLOT, Point { x: 90.0, y: PLOT.top + 1.0 }).unwrap();
        assert_eq!(found.head, figure.table.rows[0][0].words());
        let values: Vec<String> = found.values.iter().map(|(_, name, value)| format!("{name} {value}")).collect();
        let row = &figure.table.rows[0];
        assert_eq!(values, [format!("A {}", row[2].words()), format!("B {}", row[3].words())]);
    }
}
