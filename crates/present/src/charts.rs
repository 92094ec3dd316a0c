//! The kinds of charts: each module makes a [`Figure`] from runs, a log of nodes or measured times.
//!
//! The functions here make all figures of a comparison that have something to show, in the order of the page's menus.

pub mod against;
pub mod bars;
pub mod by_group;
pub mod distribution;
pub mod idle_nodes;
mod lines;
pub mod of_job;
pub mod over_time;
pub mod scaling;

pub use against::{against, comparable};
pub use bars::{bars, metrics};
pub use by_group::{By, by_group};
pub use distribution::{Spread, distribution};
pub use idle_nodes::{OfLog, of_log};
pub use of_job::{OfJob, of_job};
pub use over_time::over_time;
pub use scaling::{OfScaling, ScalingModel, of_scaling, scaling_models};

use elastiplan_compare::{Badge, Story};
use elastiplan_model::{Availability, Curves, Trace, Workload};

use crate::course::Course;
use crate::figure::Figure;
use crate::figure::axis::Spacing;
use crate::paper::Paper;
use crate::runs::RunEntry;

/// The figures of runs of one workload.
pub fn figures_of_runs(runs: &[RunEntry], workload: &Workload, paper: &Paper) -> Vec<Figure> {
    let distributions = Spread::ALL.into_iter().map(|spread| distribution(spread, runs, workload, paper, None));
    let compared = comparable(runs).filter_map(|entry| Badge::of_slot(entry.slot));
    let scatters = compared.filter_map(|badge| against(runs, workload, badge, Spacing::Log));
    let known = By::ALL.into_iter().filter(|by| by.is_known(workload.trace()));
    let groups = known.map(|by| by_group(by, runs, workload));
    let lines = Course::all_of(workload).map(|course| over_time(course, runs, workload));
    let bars = metrics(runs).into_iter().map(|info| bars(info, runs, paper));
    let mut figures: Vec<Figure> = distributions.chain(scatters).chain(groups).chain(lines).collect();
    for mut figure in bars {
        // Some metrics are means of a quantity over time, and called the same.
        if figures.iter().any(|other| other.name == figure.name) {
            figure.name += "-by-policy";
        }
        figures.push(figure);
    }
    figures.retain(|figure| !figure.is_empty());
    figures
}

/// The figures of one job under each policy. Times are written from `zero_s` on.
pub fn figures_of_job(stories: &[(RunEntry, Story)], job: &str, zero_s: f64) -> Vec<Figure> {
    let known = OfJob::ALL.into_iter().filter(|shown| shown.is_known(stories));
    known.map(|shown| of_job(shown, stories, job, zero_s)).filter(|figure| !figure.is_empty()).collect()
}

/// The figures of a log of nodes. `has_names`: the log names nodes rather than counting them.
pub fn figures_of_log(log: &Availability, has_names: bool) -> Vec<Figure> {
    let figures = OfLog::ALL.into_iter().map(|shown| of_log(shown, log, has_names));
    figures.filter(|figure| !figure.is_empty()).collect()
}

/// The figures of each model whose times were measured, each named after its model too. `source`: who published them.
pub fn figures_of_scaling(curves: &Curves, trace: &Trace, source: Option<&str>) -> Vec<Figure> {
    let mut figures = Vec::new();
    for model in scaling_models(curves, trace) {
        for shown in OfScaling::ALL {
            let figure = of_scaling(shown, &model, source);
            figures.push(Figure { name: format!("{}-{}", figure.name, file_part(&model.name)), ..figure });
        }
    }
    figures.retain(|figure| !figure.is_empty());
    figures
}

/// A name as a part of a file's name: letters, digits and hyphens.
fn file_part(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use elastiplan_compare::GROUPED_WITHIN_S;
    use elastiplan_model::JobId;

    use super::*;
    use crate::testing::{sample_runs, trained_runs};

    #[test]
    fn figures_have_names_of_their_own_and_something_to_show() {
        let (runs, workload) = trained_runs(&["fixed", "equal-share"]);
        let story = |entry: &RunEntry| {
            let run = &entry.result.as_ref()?.run;
            Some((entry.clone(), Story::of(run, &workload, JobId(0), GROUPED_WITHIN_S)?))
        };
        let stories: Vec<(RunEntry, Story)> = runs.iter().filter_map(story).collect();
        let mut figures = figures_of_runs(&runs, &workload, &Paper::default());
        figures.extend(figures_of_job(&stories, "a", 0.0));
        assert!(figures.iter().all(|figure| !figure.is_empty() && figure.table.rows.len() > 1));
        let names: BTreeSet<&str> = figures.iter().map(|figure| figure.name.as_str()).collect();
        assert_eq!(names.len(), figures.len());
        for name in ["completion-times", "each-job-a-against-b", "goodput", "avg-jct-s", "job-speed-up"] {
            assert!(names.contains(name), "{name} is not in {names:?}");
        }
        assert!(!names.contains("decision-times"), "decisions were not timed");
    }

    #[test]
    fn one_run_is_compared_with_none() {
        let (runs, workload) = sample_runs(&["fixed"]);
        let figures = figures_of_runs(&runs, &workload, &Paper::default());
        assert!(!figures.iter().any(|figure| figure.name.starts_with("each-job")));
    }
}
