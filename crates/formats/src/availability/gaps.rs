//! Gaps of a log: moments before which nothing was written for much longer than usual.

use elastiplan_model::order::by_number;

use crate::text::findings::{Effect, Finding, Findings, UsedRow};
use crate::text::times::Times;

const GAP: Finding = Finding::new(
    Effect::None,
    "Rows at most ten times as far apart as 99 in 100 of them",
    "Nodes are taken to stay as in the row before",
    "Nothing to do if nothing changed; if recording stopped, load the parts by themselves",
);
/// Fewer steps than these say nothing of what is usual.
const GAP_STEPS_MIN: usize = 10;
/// A gap is longer than usual by at least this factor.
const GAP_FACTOR: f64 = 10.0;

/// Adds findings about rows in use that follow a gap: whether nothing changed in it or nothing was recorded, a log does
/// not say. Rows are given with their times.
pub(crate) fn report(times: &Times, rows: impl Iterator<Item = (f64, UsedRow)>, findings: &mut Findings) {
    let rows: Vec<(f64, UsedRow)> = rows.collect();
    let moments: Vec<&(f64, UsedRow)> = by_number(&rows, |(time, _)| *time);
    let step_s = |from: f64, to: f64| times.seconds(to, from) - times.seconds(from, from);
    let steps = moments.array_windows().map(|[(from, ..), (to, ..)]| step_s(*from, *to));
    let steps: Vec<f64> = steps.filter(|step_s| *step_s > 0.0).collect();
    if steps.len() < GAP_STEPS_MIN {
        return;
    }
    let usual_s = by_number(&steps, |step_s| *step_s).get((steps.len() - 1) * 99 / 100).map_or(0.0, |step_s| **step_s);
    let gaps = moments.array_windows().filter_map(|[(from, before), (to, row)]| {
        let step_s = step_s(*from, *to);
        (step_s > GAP_FACTOR * usual_s).then(|| (*row, format!("{step_s} s after row {}", before.line)))
    });
    findings.deferred(GAP, &gaps.collect::<Vec<_>>());
}
