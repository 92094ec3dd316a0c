//! A point that is worse than its neighbour, in words.

use elastiplan_metrics::Better;
use elastiplan_statistics::Interval;
use elastiplan_study::{Difference, Reversal, Study, Worse};
use elastiplan_text::{format, words};

use crate::quantity::Quantity;

/// One line: `elasticflow with 7 nodes is worse than with 6 nodes: deadlines met −1.2pt (−2pt to −0.4pt), lower in 8 of 10
/// seeds`.
pub fn worse_line(study: &Study, worse: &Worse) -> String {
    let policy = study.policies.get(worse.policy as usize).map(ToString::to_string).unwrap_or_default();
    let [here, there] = [worse.point, worse.neighbour].map(|point| point_name(study, point));
    let metric = worse.metric.label.to_lowercase();
    let what =
        format!("{policy} with {here} is worse than with {there}: {metric} {}", difference_words(worse.difference));
    let way = if worse.metric.better == Better::Higher { "lower" } else { "higher" };
    match worse.seeds {
        1 => format!("{what} on this one draw"),
        seeds => format!("{what}, {way} in {} of {seeds} seeds", worse.seeds_worse),
    }
}

/// One line: `edf: deadlines met is worse with more in 14 of 20 seeds, most in seed 5: 51% with 4 nodes, 88% with 3 nodes`.
pub fn reversal_line(study: &Study, reversal: &Reversal) -> String {
    let &Reversal { metric, seeds_reversed, seeds, value, neighbour_value, .. } = reversal;
    let policy = study.policies.get(reversal.policy as usize).map(ToString::to_string).unwrap_or_default();
    let [here, there] = [reversal.point, reversal.neighbour].map(|point| point_name(study, point));
    let more = if study.is_largest { "less" } else { "more" };
    let texts = Quantity::of(metric.unit).told_apart(&[Some(value), Some(neighbour_value)]);
    let [value, neighbour_value] = [0, 1].map(|at| texts.get(at).cloned().unwrap_or_default());
    format!(
        "{policy}: {} got worse with {more} in {seeds_reversed} of {seeds} seeds, most in seed {}: {value} with {here}, \
         {neighbour_value} with {there}",
        metric.label.to_lowercase(),
        study.seed(reversal.unit()),
    )
}

/// The values of a point: `7 nodes`, `7 nodes and arrival rate 1.2`.
pub fn point_name(study: &Study, point: u32) -> String {
    let values: Vec<String> = study.values(point).map(|(axis, value)| axis.at(value)).collect();
    words::list(&values.iter().map(String::as_str).collect::<Vec<_>>())
}

/// `−1.2pt (−2pt to −0.4pt)`; without the interval where there is none.
pub fn difference_words(difference: Difference) -> String {
    let (Interval { mean, low, high, .. }, write): (Interval, fn(f64) -> String) = match difference {
        Difference::Absolute(interval) => (interval, format::points),
        Difference::Ratio(interval) => (interval, |ratio| format::change(ratio, 1.0)),
    };
    match low == high {
        true => write(mean),
        false => format!("{} ({} to {})", write(mean), write(low), write(high)),
    }
}
