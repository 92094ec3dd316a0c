//! The study of the inputs: how it begins, and how its axes and goals are changed.

use elastiplan_metrics::{MetricInfo, Metrics};
use elastiplan_policies::PolicySpec;
use elastiplan_present::goal::{Goal, GoalKind};
use elastiplan_study::{Find, GoalPart, Spec, Study, StudyError, ValuesPart, lacks_limit_on_declined};

use super::inputs::Inputs;
use super::page::Page;
use super::run_spec::RunSpec;
use super::study_axes::{NODES, sensible};
use super::study_parts::goal_part;

/// The metric that keeps policies from declining what is hard.
pub const DECLINED: &str = "job_drop_ratio";
/// The share of declined jobs that is offered as a limit.
pub const DECLINED_MAX: f64 = 0.05;
/// The share of deadlines that is asked for where no limit was chosen.
const DEADLINES_MIN: f64 = 0.95;

impl Inputs {
    /// The runs whose policies a study compares: those that follow the inputs and are not hidden, each policy once. The
    /// first is the baseline.
    pub fn study_runs(&self) -> Vec<&RunSpec> {
        let mut runs: Vec<&RunSpec> = Vec::new();
        for run in self.runs().iter().filter(|run| run.is_in_studies()) {
            if !runs.iter().any(|other| other.policy == run.policy) {
                runs.push(run);
            }
        }
        runs
    }

    /// The policies that a study compares.
    pub fn study_policies(&self) -> Vec<PolicySpec> {
        self.study_runs().into_iter().map(|run| run.policy.clone()).collect()
    }
}

impl Page {
    /// The study of the inputs, or the one to begin with: nodes around those that are there, and the goal of the page.
    pub fn study_spec(&self) -> Spec {
        let inputs = self.planner.inputs();
        inputs.study.clone().unwrap_or_else(|| self.vary(NODES))
    }

    /// The study with another axis, with sensible values. Where there is no study, one begins with the goal of the page.
    pub fn vary(&self, key: &str) -> Spec {
        let inputs = self.planner.inputs();
        let policies = inputs.study_policies();
        let mut spec = inputs.study.clone().unwrap_or_else(|| Spec { goals: self.first_goals(), ..Spec::default() });
        let is_there = spec.axes.iter().any(|(known, _)| known == key);
        let values = sensible(key, &inputs.world(), &policies).filter(|_| !is_there);
        spec.axes.extend(values.map(|values| (key.to_string(), values)));
        spec
    }

    /// Why a goal of a study cannot be met or missed by the jobs of the page; which jobs are drawn by other seeds, the
    /// worker knows.
    pub fn goal_fault(&self, study: &Study) -> Option<StudyError> {
        let world = self.planner.inputs().world();
        let are_drawn = world.data.redrawing(world.conditions.seed).is_some();
        if are_drawn { study.check_prices(&world.conditions) } else { study.check_goals(|_| world.scenario()) }.err()
    }

    /// Whether some job of the page has a deadline.
    pub fn have_deadlines(&self) -> bool {
        self.planner.inputs().data.trace.jobs().iter().any(|job| job.deadline_s.is_some())
    }

    /// The goal of the page as goals of a study. Without a limit, deadlines get the usual one, and others what the baseline
    /// has now: how many nodes less would do?
    fn first_goals(&self) -> Vec<GoalPart> {
        let Goal { kind, limit } = self.goal();
        let now = || {
            let entry = self.planner.shown.as_ref()?.entries.first()?;
            let value = (kind.info()?.value)(&entry.result.as_ref()?.summary.metrics)?;
            Some(rounded_up(value))
        };
        let limit = limit.or_else(|| if kind == GoalKind::Deadlines { Some(DEADLINES_MIN) } else { now() });
        let first = limit.map(|limit| goal_part(kind.key(), kind == GoalKind::Deadlines, limit));
        let mut goals: Vec<GoalPart> = first.into_iter().collect();
        if lacks_declined(&goals).is_some() {
            goals.push(declined());
        }
        goals
    }
}

/// Two digits are enough for a limit that nobody chose.
fn rounded_up(value: f64) -> f64 {
    if !(value.is_finite() && value > 0.0) {
        return value;
    }
    let digits = libm::pow(10.0, libm::floor(libm::log10(value)) - 1.0);
    (value / digits).ceil() * digits
}

/// The study without an axis.
pub fn without_axis(mut spec: Spec, key: &str) -> Spec {
    spec.axes.retain(|(known, _)| known != key);
    spec.find = spec.find.filter(|find| find.axis() != key);
    spec
}

/// The study with other values of an axis.
pub fn with_values(mut spec: Spec, key: &str, values: ValuesPart) -> Spec {
    if let Some((_, known)) = spec.axes.iter_mut().find(|(known, _)| known == key) {
        *known = values;
    }
    spec
}

/// The study with the smallest value looked for on this axis.
pub fn finding(mut spec: Spec, key: &str) -> Spec {
    spec.find = Some(Find::Smallest(key.into()));
    spec
}

/// The study with another goal at a place, or with one more.
pub fn with_goal(mut spec: Spec, at: usize, goal: GoalPart) -> Spec {
    match spec.goals.get_mut(at) {
        Some(known) => *known = goal,
        None => spec.goals.push(goal),
    }
    spec
}

/// The study without the goal at a place. What is looked for needs a goal.
pub fn without_goal(mut spec: Spec, at: usize) -> Spec {
    if at < spec.goals.len() {
        spec.goals.remove(at);
    }
    spec.find = spec.find.filter(|_| !spec.goals.is_empty());
    spec
}

/// The limit on declined jobs that is offered.
pub fn declined() -> GoalPart {
    goal_part(DECLINED, false, DECLINED_MAX)
}

/// The metric of a goal that is over completed jobs, where none asks how many were declined.
pub fn lacks_declined(goals: &[GoalPart]) -> Option<&'static MetricInfo> {
    lacks_limit_on_declined(goals.iter().map(|goal| goal.metric.as_str()))
}

/// A further goal to begin with: the first of the usual ones that is not there. Jobs without deadlines meet none.
pub fn next_goal(goals: &[GoalPart], have_deadlines: bool) -> GoalPart {
    let usual = [
        goal_part(GoalKind::Deadlines.key(), true, DEADLINES_MIN),
        declined(),
        goal_part("p95_queueing_s", false, 3600.0),
        goal_part("gpu_utilization", true, 0.5),
    ];
    let is_there = |goal: &GoalPart| goals.iter().any(|known| known.metric == goal.metric);
    usual.into_iter().skip(usize::from(!have_deadlines)).find(|goal| !is_there(goal)).unwrap_or_else(declined)
}

/// The name of a metric in a chip.
pub fn metric_label(key: &str) -> String {
    match key {
        DECLINED => "Declined".into(),
        key => Metrics::info(key).map_or(key, |info| info.label).into(),
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_formats::{Options, Source, import};

    use super::*;
    use crate::state::edit::Edit;
    use crate::state::study_parts::limit_words;
    use crate::state::testing::page_with_pool;

    fn words(spec: &Spec) -> String {
        let axes: Vec<&str> = spec.axes.iter().map(|(key, _)| key.as_str()).collect();
        let goal = |goal: &GoalPart| format!("{} {}", metric_label(&goal.metric), limit_words(goal));
        let goals: Vec<String> = spec.goals.iter().map(goal).collect();
        format!("{}: {}", axes.join(" "), goals.join(" and "))
    }

    #[test]
    fn a_study_begins_with_nodes_and_the_goal_of_the_page() {
        let (mut page, ..) = page_with_pool();
        let mut check = |goal: Option<&str>, expected: &str| {
            page.goal = goal.map(|goal| goal.parse().unwrap());
            let spec = page.study_spec();
            assert_eq!(words(&spec), expected);
            assert!(Study::new(&spec, &page.planner.inputs().policies(), 3).is_ok());
        };
        check(None, "cluster.nodes: Deadlines met ≥ 95%");
        check(Some("deadlines ≥ 99%"), "cluster.nodes: Deadlines met ≥ 99%");
        check(Some("p95 waiting ≤ 30m"), "cluster.nodes: p95 waiting ≤ 30m and Declined ≤ 5%");
        check(Some("cost ≤ $400"), "cluster.nodes: Cost ≤ $400");
        check(Some("cost"), "cluster.nodes: ");
    }

    #[test]
    fn goals_that_no_job_has_a_value_for_are_named() {
        let (mut page, ..) = page_with_pool();
        let jobs = b"job_id,submit_s,model,gpus,samples\na,0,resnet50,2,1000\n";
        let import = import(vec![Source::from_bytes("jobs.csv", jobs.as_slice())], &Options::default(), &mut |_| {});
        let (data, _) = page.planner.inputs().data.with(import, 1, 0.0);
        page.planner.edit(Edit::Load(data.unwrap(), None), 0.0);
        let check = |metric: &str, expected: Option<&str>| {
            let goals = vec![goal_part(metric, false, 1.0)];
            let spec = Spec { goals, ..page.vary(NODES) };
            let study = Study::new(&spec, &page.planner.inputs().study_policies(), 3).unwrap();
            let found = page.goal_fault(&study).map(|error| crate::state::study_parts::fault_words(&error));
            assert_eq!(found.as_deref(), expected, "{metric}");
        };
        check("avg_jct_s", None);
        let none = "Deadlines met is not a goal for these jobs: no job has a deadline. Use jobs with deadlines (a column \
                    deadline_s, or a best-effort share below 1), or another goal";
        check("deadline_satisfactory_ratio", Some(none));
        let none = "Cost is not a goal for these jobs: no price is set. Set a price per GPU-hour, or another goal";
        check("cost_dollars", Some(none));
    }

    #[test]
    fn axes_come_and_go_one_by_one() {
        let (mut page, ..) = page_with_pool();
        let vary = |page: &mut Page, key: &str| {
            let spec = page.vary(key);
            page.planner.edit(Edit::Study(Some(spec)), 0.0);
        };
        vary(&mut page, "what_if.rescale_cost_s");
        vary(&mut page, NODES);
        vary(&mut page, NODES);
        vary(&mut page, "seed");
        let spec = page.planner.inputs().study.clone().unwrap();
        assert_eq!(words(&spec), "what_if.rescale_cost_s cluster.nodes: Deadlines met ≥ 95%");
        let spec = without_axis(finding(spec, NODES), NODES);
        assert_eq!((words(&spec).as_str(), &spec.find), ("what_if.rescale_cost_s: Deadlines met ≥ 95%", &None));
        page.planner.undo(0.0);
        assert_eq!(words(page.planner.inputs().study.as_ref().unwrap()), "what_if.rescale_cost_s: Deadlines met ≥ 95%");
        page.planner.undo(0.0);
        assert_eq!(page.planner.inputs().study, None);
    }

    #[test]
    fn goals_are_added_changed_and_taken_away() {
        let goals = |spec: &Spec| words(spec).replacen(": ", "", 1);
        let spec = with_goal(Spec::default(), 9, goal_part("avg_jct_s", false, 3600.0));
        assert_eq!(lacks_declined(&spec.goals).map(|metric| metric.key), Some("avg_jct_s"));
        let spec = with_goal(spec, 1, declined());
        assert!(lacks_declined(&spec.goals).is_none());
        assert_eq!(goals(&spec), "Mean completion ≤ 1h and Declined ≤ 5%");
        let spec = with_goal(spec, 0, next_goal(&[], true));
        assert_eq!(goals(&spec), "Deadlines met ≥ 95% and Declined ≤ 5%");
        let spec = with_goal(spec.clone(), 2, next_goal(&spec.goals, true));
        assert_eq!(goals(&spec), "Deadlines met ≥ 95% and Declined ≤ 5% and p95 waiting ≤ 1h");
        assert_eq!(next_goal(&[], false), declined());
        let spec = finding(without_goal(without_goal(without_goal(spec, 2), 9), 0), NODES);
        assert_eq!(goals(&spec), "Declined ≤ 5%");
        assert_eq!(without_goal(spec, 0).find, None);
    }

    #[test]
    fn a_study_compares_the_policies_of_runs_that_follow_the_inputs() {
        let check = |edits: Vec<Edit>, expected: &str| {
            let mut inputs = Inputs::sample();
            edits.into_iter().for_each(|edit| edit.apply(&mut inputs));
            let names: Vec<String> = inputs.study_policies().iter().map(ToString::to_string).collect();
            assert_eq!(names.join(" "), expected);
        };
        check(vec![], "fixed equal-share elastic-dp");
        check(vec![Edit::Duplicate(2), Edit::Hide(3, true)], "fixed equal-share");
        check(vec![Edit::Pin(3, true), Edit::Move(2, 1)], "equal-share fixed");
    }

    #[test]
    fn limits_that_nobody_chose_have_two_digits() {
        let check = |value: f64, expected: f64| assert_eq!(rounded_up(value), expected);
        check(3961.5, 4000.0);
        check(0.0, 0.0);
        check(12.0, 12.0);
    }
}
