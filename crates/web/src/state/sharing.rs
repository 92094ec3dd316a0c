//! The scenario of the page as a link and a file.

use elastiplan_worker::Packed;
use elastiplan_worker::keeping::{ShareOrder, SharedScenario, ShownView};

use super::kept::is_plain;
use super::opened::screen_name;
use super::page::Page;
use super::run_spec::RunSpec;

/// What the dialog shows.
pub struct Sharing {
    /// The request for it.
    pub request: Option<u32>,
    /// The name of the file.
    pub file_name: String,
    /// Runs of the list that a link cannot hold.
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

impl Page {
    /// What is to be shared, for a page of this address; and how many runs a link cannot hold.
    pub fn share_order(&self, base: &str) -> (ShareOrder, usize) {
        let inputs = self.planner.inputs();
        let (mut work, _) = self.work_order(&[]);
        if let Some(world) = work.worlds.first_mut() {
            world.title = self.presets.name_of(inputs);
        }
        let further = inputs.runs().iter().filter(|run| !is_plain(run)).count();
        let is_listed = |run: &RunSpec| run.name.is_some() || run.is_hidden;
        if further == 0 && !inputs.runs().iter().any(is_listed) && work.policies.len() == inputs.runs().len() {
            work.runs.clear();
        }
        (ShareOrder { base: base.into(), preset: self.presets.unchanged(inputs), work }, further)
    }

    /// What is shown.
    pub(super) fn shown_view(&self) -> ShownView {
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
    fn runs_with_settings_of_their_own_are_in_the_file_alone() {
        let (mut page, mut pool, _) = page_with_pool();
        page.screen = Screen::Jobs;
        page.edit(&mut pool, Edit::Duplicate(2));
        page.edit(&mut pool, Edit::Differ(1, "cluster.nodes", Some(Value::Whole(20))));
        let (order, left_out) = page.share_order("https://example.org/");
        let policies: Vec<String> = order.work.policies.iter().map(ToString::to_string).collect();
        assert_eq!((policies, left_out), (vec!["equal-share".into(), "elastic-dp".into()], 1));
        let fields: Vec<String> = order.work.runs.iter().map(|run| run.fields.join(" ")).collect();
        assert_eq!(fields, ["cluster.nodes=20", "", "", ""]);
        assert_eq!(order.work.view.view.as_deref(), Some("jobs"));
        assert!(order.work.known.is_empty() && order.preset.is_none(), "no run has ended");
    }
}
