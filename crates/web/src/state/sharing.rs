//! The scenario of the page as a link and a file.

use elastiplan_policies::PolicySpec;
use elastiplan_present::runs::RunState;
use elastiplan_scenario::Scenario;
use elastiplan_worker::Packed;
use elastiplan_worker::keeping::{KnownResult, ShareOrder, SharedScenario, ShownView};
use elastiplan_workloads::{Drawing, DrawnJobs};

use super::data::Origin;
use super::opened::screen_name;
use super::page::Page;
use super::run_spec::RunSpec;

/// What the dialog shows.
pub struct Sharing {
    /// The request for it.
    pub request: Option<u32>,
    /// The name of the file.
    pub file_name: String,
    /// Runs of the list that a scenario cannot hold.
    pub left_out: usize,
    /// The answer, or why there is none.
    pub answer: Option<Result<Shared, String>>,
}

/// A shared scenario.
pub struct Shared {
    /// The link in words.
    pub scenario: SharedScenario,
    /// The bundle, to be saved.
    pub bundle: Packed,
    /// Files that the link needs, to be saved.
    pub files: Vec<Packed>,
}

/// Whether a run follows the inputs in everything but its policy.
fn is_plain(run: &RunSpec) -> bool {
    !run.is_pinned() && run.overrides.is_empty() && run.forks.is_empty()
}

impl Page {
    /// What is to be shared, for a page of this address; and how many runs cannot be part of it.
    pub fn share_order(&self, base: &str) -> (ShareOrder, usize) {
        let inputs = self.planner.inputs();
        let is_any_plain = inputs.runs().iter().any(is_plain);
        let mut policies: Vec<PolicySpec> = Vec::new();
        for run in inputs.runs().iter().filter(|run| !is_any_plain || is_plain(run)) {
            if !policies.contains(&run.policy) {
                policies.push(run.policy.clone());
            }
        }
        let scenario = inputs.scenario();
        let known = self.known_results(&scenario);
        let name = self.presets.name_of(inputs);
        let order = ShareOrder {
            base: base.into(),
            title: name,
            preset: self.presets.unchanged(inputs),
            drawing: self.share_drawing(scenario.conditions.seed),
            scenario,
            policies,
            study: inputs.study.clone(),
            view: self.shown_view(),
            known,
            build: self.build_id.to_string(),
        };
        let left_out = inputs.runs().iter().filter(|run| !is_plain(run)).count();
        (order, if is_any_plain { left_out } else { 0 })
    }

    /// Names of data that may have been drawn or looked up; the worker compares them.
    fn share_drawing(&self, seed: u64) -> Drawing {
        let data = &self.planner.inputs().data;
        let jobs = match &data.trace_origin {
            Origin::Sample => Some((DrawnJobs::Sample, seed)),
            Origin::Generated(spec) => Some((DrawnJobs::Generated(spec.clone()), seed)),
            Origin::Published(_) | Origin::Files(_) => None,
        };
        let curves = match &data.curves_origin {
            Origin::Published(info) => Some(info.name.clone()),
            _ => None,
        };
        Drawing { jobs, curves, idle_nodes: None }
    }

    /// Digests of shown runs that follow the inputs.
    fn known_results(&self, scenario: &Scenario) -> Vec<KnownResult> {
        let Some(set) = self.planner.shown.as_ref().filter(|_| !self.planner.is_stale()) else { return Vec::new() };
        let runs = set.inputs.runs().iter().zip(&set.entries);
        let finished = runs.filter(|(run, entry)| is_plain(run) && entry.state == RunState::Finished);
        let known = |(_, entry): (_, &elastiplan_present::runs::RunEntry)| {
            let digest = entry.result.as_ref()?.digest.clone();
            Some(KnownResult { policy: entry.policy.to_string(), seed: scenario.conditions.seed, digest })
        };
        let mut results: Vec<KnownResult> = Vec::new();
        for result in finished.filter_map(known) {
            if !results.iter().any(|other| other.policy == result.policy) {
                results.push(result);
            }
        }
        results
    }

    /// What is shown.
    fn shown_view(&self) -> ShownView {
        let trace = &self.planner.inputs().data.trace;
        let job = self.focus.job.and_then(|job| trace.jobs().get(job.index())).map(|job| job.name.to_string());
        let (from, to) = self.focus.range_s.map(|(from, to)| (from - trace.start_s(), to - trace.start_s())).unzip();
        let chart = self.chart.map(String::from);
        ShownView { view: Some(screen_name(self.screen).into()), chart, job, t: None, from, to }
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::fields::Value;

    use crate::state::edit::Edit;
    use crate::state::message::Screen;
    use crate::state::testing::page_with_pool;

    #[test]
    fn runs_with_settings_of_their_own_are_left_out() {
        let (mut page, mut pool, _) = page_with_pool();
        page.screen = Screen::Jobs;
        page.edit(&mut pool, Edit::Duplicate(2));
        page.edit(&mut pool, Edit::Differ(1, "cluster.nodes", Some(Value::Whole(20))));
        let (order, left_out) = page.share_order("https://example.org/");
        let policies: Vec<String> = order.policies.iter().map(ToString::to_string).collect();
        assert_eq!((policies, left_out), (vec!["equal-share".into(), "elastic-dp".into()], 1));
        assert_eq!(order.view.view.as_deref(), Some("jobs"));
        assert!(order.known.is_empty() && order.preset.is_none(), "no run has ended");
    }
}
