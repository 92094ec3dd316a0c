//! Published results of the scenario that is shown, beside ours.

use elastiplan_metrics::{MetricInfo, Metrics, Unit};
use elastiplan_planner::{PaperComparison, PaperValue, PolicyResult};
use elastiplan_text::format;

use crate::figure::{PaperMark, tone_of};
use crate::quantity::Quantity;
use crate::runs::RunEntry;

/// Values of a paper, with their source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paper {
    source: String,
    values: Vec<PaperValue>,
    /// Seed of the drawn jobs; `None` where jobs are not drawn.
    drawn_with: Option<u64>,
}

/// A published value and ours, formatted.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperRow {
    /// The metric, and what it is relative to.
    pub heading: String,
    /// The policy.
    pub policy: String,
    /// Its slot, if it is among the runs.
    pub slot: Option<usize>,
    /// The paper's value.
    pub paper: String,
    /// Ours.
    pub ours: String,
    /// Ours minus the paper's: in points for shares, in jobs for numbers of jobs, and in percent for the rest.
    pub difference: String,
    /// The place of its publication.
    pub source: String,
}

/// A value as it stands beside that of a paper, with its unit.
pub fn beside_paper(unit: Unit, value: f64) -> String {
    match unit {
        // Papers have three digits.
        Unit::Ratio => format!("{:.1}%", value * 100.0),
        Unit::Factor => format!("×{}", format::number(value)),
        _ => Quantity::of(unit).with_unit(value),
    }
}

/// What the paper prints: a value, or a range of them.
pub fn printed(unit: Unit, published: &PaperValue) -> String {
    match published.range {
        Some([least, most]) => format!("{} to {}", beside_paper(unit, least), beside_paper(unit, most)),
        None => beside_paper(unit, published.value),
    }
}

fn difference(unit: Unit, ours: f64, published: &PaperValue) -> String {
    let difference = published.difference(ours);
    match unit {
        Unit::Ratio => format::points(difference),
        Unit::Jobs if difference > 0.0 => format!("+{}", format::number(difference)),
        Unit::Jobs => format::number(difference),
        _ => format::change(ours, ours - difference),
    }
}

impl Paper {
    /// Values of a paper; `drawn_with` is the seed of the jobs, where they are drawn.
    pub fn new(source: String, values: Vec<PaperValue>, drawn_with: Option<u64>) -> Self {
        Self { source, values, drawn_with }
    }

    /// The values, as published.
    pub fn values(&self) -> &[PaperValue] {
        &self.values
    }

    /// The paper: authors, title, year, and figure.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The metrics that the paper publishes.
    pub fn metrics(&self) -> impl Iterator<Item = &'static MetricInfo> + '_ {
        self.values.iter().filter_map(|value| Metrics::info(&value.metric))
    }

    /// Every published value with ours; ours is a dash for policies that have not finished.
    pub fn rows(&self, runs: &[RunEntry]) -> Vec<PaperRow> {
        let results = runs.iter().filter_map(RunEntry::whole).map(PolicyResult::from).collect();
        let row = |pair: &PaperComparison<'_>| {
            let (published, unit, ours) = (pair.paper, pair.measure.unit(), pair.mean());
            let over = published.relative_to.as_ref().map(|other| format!(" over {other}")).unwrap_or_default();
            PaperRow {
                heading: format!("{}{over}", pair.measure.label()),
                policy: published.policy.to_string(),
                slot: runs.iter().find(|run| run.policy == published.policy).map(|run| run.slot),
                paper: printed(unit, published),
                ours: format::or_dash(ours, |ours| beside_paper(unit, ours)),
                difference: format::or_dash(ours, |ours| difference(unit, ours, published)),
                source: published.source.clone(),
            }
        };
        PaperComparison::of(&self.values, &[results]).iter().map(row).collect()
    }

    /// The source of the values, and the seed of ours where jobs are drawn.
    pub fn note(&self) -> String {
        match self.drawn_with {
            None => self.source.clone(),
            Some(seed) => format!(
                "{}. Ours is of one set of generated jobs, seed {seed}; the fidelity notes have other seeds, and reasons \
                 for differences",
                self.source
            ),
        }
    }

    /// The mark of a metric's published value for one run: in the unit of the metric across, at `y` up. A value relative
    /// to another policy is multiplied by our value of it.
    pub fn mark(&self, metric: &str, entry: &RunEntry, runs: &[RunEntry], y: f64) -> Option<PaperMark> {
        let published =
            self.values.iter().find(|published| published.metric == metric && published.policy == entry.policy)?;
        let place = if published.source.is_empty() { &self.source } else { &published.source };
        let mark = PaperMark { x: published.value, y, tone: tone_of(entry), source: place.clone() };
        let Some(other) = &published.relative_to else { return Some(mark) };
        let other = runs.iter().find(|run| run.policy == *other)?;
        let ours = (Metrics::info(metric)?.value)(&other.result.as_ref()?.summary.metrics)?;
        let source = format!("{place}: ×{} of {}", published.value, other.letter());
        Some(PaperMark { x: published.value * ours, source, ..mark })
    }
}

/// The note that explains the diamonds of a figure, where there are any.
pub fn note(marks: &[PaperMark]) -> Option<String> {
    let mut sources: Vec<&str> = Vec::new();
    for mark in marks.iter().filter(|mark| !mark.source.is_empty()) {
        if !sources.contains(&mark.source.as_str()) {
            sources.push(&mark.source);
        }
    }
    let cited = if sources.is_empty() { String::new() } else { format!(" ({})", sources.join("; ")) };
    (!marks.is_empty()).then(|| format!("◇ what the paper says{cited}"))
}

#[cfg(test)]
mod tests {
    use elastiplan_metrics::Completions;

    use super::*;
    use crate::testing::sample_runs;

    fn paper() -> Paper {
        let value = |policy: &str, value: f64, relative_to: Option<&str>| PaperValue {
            policy: policy.parse().unwrap(),
            metric: "avg_jct_s".into(),
            value,
            range: None,
            relative_to: relative_to.map(|other| other.parse().unwrap()),
            source: "Table 3".into(),
        };
        let values = vec![value("fixed", 5_000.0, None), value("elastic-dp", 0.5, Some("fixed"))];
        Paper::new("A paper".into(), values, None)
    }

    #[test]
    fn a_value_relative_to_another_policy_is_that_many_times_ours() {
        let (runs, _) = sample_runs(&["fixed", "elastic-dp"]);
        let ours = runs[0].result.as_ref().unwrap().summary.metrics.avg_jct_s.unwrap();
        let check = |run: usize, value: f64, source: &str| {
            let mark = paper().mark("avg_jct_s", &runs[run], &runs, 50.0).unwrap();
            assert_eq!(mark, PaperMark { x: value, y: 50.0, tone: tone_of(&runs[run]), source: source.into() });
        };
        check(0, 5_000.0, "Table 3");
        check(1, ours * 0.5, "Table 3: ×0.5 of A");
        assert_eq!(paper().mark("makespan_s", &runs[0], &runs, 50.0), None);
    }

    #[test]
    fn values_stand_beside_ours_with_their_difference() {
        let (runs, _) = sample_runs(&["fixed", "elastic-dp"]);
        let rows = paper().rows(&runs);
        assert_eq!((rows[0].slot, rows[0].paper.as_str(), rows[0].source.as_str()), (Some(0), "1h 23m", "Table 3"));
        assert_eq!((rows[1].heading.as_str(), rows[1].paper.as_str()), ("Mean completion over fixed", "×0.5"));
        assert!(rows.iter().all(|row| row.ours != format::DASH && row.difference != format::DASH), "{rows:?}");
        let rows = paper().rows(&runs[..1]);
        assert_eq!(
            (rows[1].slot, rows[1].ours.as_str(), rows[1].difference.as_str()),
            (None, format::DASH, format::DASH)
        );
    }

    /// Two rows that differ in the parameters of the other policy only, as in Figure 8 of IBM, are told apart; a range
    /// stands as it is printed.
    #[test]
    fn rows_name_parameters_and_printed_ranges() {
        let (runs, _) = sample_runs(&["fixed", "fixed[backfill=true]"]);
        let published = |other: &str, range| PaperValue {
            relative_to: Some(other.parse().unwrap()),
            range,
            ..paper().values[1].clone()
        };
        let values = vec![published("fixed[backfill=true]", None), published("fixed", Some([0.4, 0.6]))];
        let rows = Paper::new("A paper".into(), values, Some(3)).rows(&runs);
        let found: Vec<(&str, &str)> = rows.iter().map(|row| (row.heading.as_str(), row.paper.as_str())).collect();
        let over = ["Mean completion over fixed[backfill=true]", "Mean completion over fixed"];
        assert_eq!(found, [(over[0], "×0.5"), (over[1], "×0.4 to ×0.6")]);
    }

    #[test]
    fn jobs_beside_another_policy_are_no_multiple_of_it() {
        let (runs, _) = sample_runs(&["fixed", "elastic-dp"]);
        let published = PaperValue { metric: "additional_jobs".into(), value: 17.4, ..paper().values[1].clone() };
        let rows = Paper::new("A paper".into(), vec![published], None).rows(&runs);
        let completions = |run: usize| Completions::of(&runs[run].result.as_ref().unwrap().run);
        let ours = completions(1).additional_to(&completions(0), 100).unwrap();
        let [heading, paper, own] = [&rows[0].heading, &rows[0].paper, &rows[0].ours].map(String::as_str);
        assert_eq!((heading, paper, own), ("Additional jobs over fixed", "17.4", format::number(ours).as_str()));
        assert_eq!(rows[0].difference, format::number(ours - 17.4));
    }
}
