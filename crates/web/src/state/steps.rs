//! The steps of undo as a list: what changed in each, and how well its best run did.

pub mod names;

use elastiplan_metrics::Metrics;
use elastiplan_present::goal::best::{Best, best_by_goal};
use elastiplan_present::metric_text::Difference;
use elastiplan_present::runs::RunState;

use super::edit::Edit;
use super::inputs::Inputs;
use super::page::Page;
use super::pool::{Client, Pool};
use super::run_set::RunSet;

/// Results of steps by the numbers of their values, kept when their runs ended: a few numbers each.
#[derive(Default)]
pub struct StepResults(Vec<(u32, Vec<Best>)>);

/// Where a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was undone.
    Undone,
    /// The present inputs.
    Present,
    /// An earlier one.
    Done,
}

/// A step as it is listed.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRow {
    /// The number of its inputs.
    pub number: u32,
    /// What changed.
    pub name: String,
    /// When, in milliseconds on the clock of the page.
    pub at_ms: f64,
    /// The goal's metric of its best run: `mean 42m`; `None` where it was never run.
    pub result: Option<String>,
    /// The best run.
    pub best: Option<String>,
    /// The difference from the step before.
    pub change: Option<Difference>,
    /// Where it stands.
    pub standing: Standing,
}

impl StepResults {
    fn of(&self, number: u32) -> Option<&[Best]> {
        self.0.iter().find(|(known, _)| *known == number).map(|(_, results)| results.as_slice())
    }
}

/// Whether all runs of a set came to an end of their own.
fn has_ended(set: &RunSet) -> bool {
    let has = |state: &RunState| matches!(state, RunState::Finished | RunState::Failed(_));
    set.has_results() && set.entries.iter().all(|entry| has(&entry.state))
}

impl Page {
    /// Keeps the results of steps whose runs have ended since. Returns whether there are new ones.
    pub fn note_steps(&mut self) -> bool {
        let planner = &self.planner;
        let Some(shown) = planner.shown.as_ref().filter(|set| has_ended(set)) else { return false };
        let history = planner.history();
        let known = |number: u32| self.step_results.get::<StepResults>().is_some_and(|kept| kept.of(number).is_some());
        if known(history.number()) || planner.is_stale() {
            return false;
        }
        let mut new: Vec<(u32, Vec<Best>)> = Vec::new();
        let results = |set: &RunSet| best_by_goal(&set.entries, &set.bound.workload);
        new.push((history.number(), results(shown)));
        // Steps that were left before this part of the page was there.
        for step in history.steps().filter(|step| step.number != history.number() && !known(step.number)) {
            if let Some(set) = planner.kept().iter().find(|set| set.inputs == step.value) {
                new.push((step.number, results(set)));
            }
        }
        let is_there = |number: u32| history.steps().any(|step| step.number == number);
        let mut kept = self.step_results.take::<StepResults>().unwrap_or_default();
        kept.0.retain(|(number, _)| is_there(*number));
        kept.0.extend(new);
        self.step_results.put(kept);
        true
    }

    /// The steps, the latest first.
    pub fn step_rows(&self) -> Vec<StepRow> {
        let (history, goal) = (self.planner.history(), self.goal());
        let best = |number: u32| {
            let results = self.step_results.get::<StepResults>()?.of(number)?;
            results.iter().find(|best| best.kind == goal.kind)
        };
        let mut rows: Vec<StepRow> = Vec::new();
        let mut before: Option<(&Inputs, Option<&Best>)> = None;
        let mut standing = Standing::Done;
        for step in history.steps() {
            let inputs = &step.value;
            let own = best(step.number);
            let name = match before {
                Some((before, _)) => self.step_name(before, inputs),
                None if step.number == 0 => format!("Start: {}", inputs.name),
                None => "Earlier steps are not kept".into(),
            };
            let of_before = before.filter(|(before, _)| before.data == inputs.data).and_then(|(_, best)| best);
            if step.number == history.number() {
                standing = Standing::Present;
            }
            rows.push(StepRow {
                number: step.number,
                name,
                at_ms: step.at_ms,
                result: own.map(|own| own.words(&goal)),
                best: own.map(|own| own.name.clone()),
                change: own.zip(of_before).and_then(|(own, before)| own.change_from(before)),
                standing,
            });
            if standing == Standing::Present {
                standing = Standing::Undone;
            }
            before = Some((inputs, own));
        }
        rows.reverse();
        rows
    }

    fn step_name(&self, before: &Inputs, after: &Inputs) -> String {
        names::name(before, after, &|title| self.presets.titled(title).is_some())
    }

    /// The names of the steps that undo and redo would go over.
    pub fn step_names(&self) -> [Option<String>; 2] {
        let history = self.planner.history();
        let now = history.present();
        let undone = history.before().map(|before| self.step_name(before, now));
        [undone, history.after().map(|after| self.step_name(now, after))]
    }

    /// Pins the runs of a step beside the present ones.
    pub fn compare_with_step<C: Client>(&mut self, pool: &mut Pool<C>, number: u32) {
        let rows = self.step_rows();
        let name = rows.iter().find(|row| row.number == number).map(|row| row.name.clone()).unwrap_or_default();
        let history = self.planner.history();
        let Some(step) = history.steps().find(|step| step.number == number) else { return };
        let mut inputs = history.present().clone();
        inputs.compare_with(&step.value);
        let before = history.number();
        self.edit(pool, Edit::CompareWith(Box::new(inputs)));
        self.say(match self.planner.history().number() == before {
            true => "Its runs are beside these already".to_string(),
            false => format!("Compared with the step: {name}"),
        });
    }

    /// The metric of the list, as its heading has it.
    pub fn step_metric(&self) -> &'static str {
        Metrics::info(self.goal().kind.key()).map_or("", |info| info.label)
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_present::goal::{Goal, GoalKind};
    use elastiplan_scenario::fields::Value;

    use super::*;
    use crate::state::testing::{page_with_pool, run_all};

    fn listed(page: &Page) -> Vec<String> {
        let row = |row: &StepRow| {
            let change = row.change.as_ref().map(|change| format!(", {}", change.text)).unwrap_or_default();
            format!("{:?} {}: {}{change}", row.standing, row.name, row.result.as_deref().unwrap_or("-"))
        };
        page.step_rows().iter().map(row).collect()
    }

    #[test]
    fn steps_have_names_and_the_metric_of_their_best_run() {
        let (mut page, mut pool, _) = page_with_pool();
        page.goal = Some(Goal::best(GoalKind::MeanCompletion));
        run_all(&mut page);
        let cost = |cost_s| Edit::Field("what_if.rescale_cost_s", Value::Number(cost_s));
        page.edit(&mut pool, cost(60.0));
        run_all(&mut page);
        page.edit(&mut pool, Edit::Nodes(12));
        page.edit(&mut pool, Edit::Nodes(8));
        page.now_ms = 5000.0;
        page.edit(&mut pool, Edit::Nodes(20));
        run_all(&mut page);
        let all = listed(&page);
        assert_eq!(all.len(), 4);
        assert!(all[0].starts_with("Present Nodes 8 → 20: mean "), "{all:?}");
        assert_eq!(all[1], "Done Nodes 16 → 8: -", "it was never run");
        assert!(all[2].starts_with("Done Rescale cost 30 s → 60 s: mean ") && all[2].ends_with(" later"), "{all:?}");
        assert!(all[3].starts_with("Done Start: "), "{all:?}");
        page.planner.undo(1.0);
        page.planner.undo(2.0);
        let undone = listed(&page);
        assert!(undone[0].starts_with("Undone Nodes 8 → 20: mean ") && undone[2].starts_with("Present Rescale"));
        assert_eq!(page.step_names(), [Some("Rescale cost 30 s → 60 s".to_string()), Some("Nodes 16 → 8".to_string())]);
        page.goal = Some(Goal::best(GoalKind::P95Waiting));
        assert!(listed(&page)[3].contains(": p95 waiting "), "every goal's metric is kept: {:?}", listed(&page));
    }

    #[test]
    fn results_are_kept_when_the_runs_are_not() {
        let (mut page, mut pool, _) = page_with_pool();
        for nodes in 20..30 {
            page.now_ms += 2000.0;
            page.edit(&mut pool, Edit::Nodes(nodes));
            run_all(&mut page);
        }
        let results = page.step_rows().iter().filter(|row| row.result.is_some()).count();
        // The sample was not run before the first edit.
        assert_eq!(results, 10);
        assert_eq!(page.planner.kept().len(), 6);
    }

    #[test]
    fn comparing_with_a_step_is_one_step_and_twice_is_once() {
        let (mut page, mut pool, _) = page_with_pool();
        run_all(&mut page);
        page.edit(&mut pool, Edit::Nodes(20));
        run_all(&mut page);
        page.compare_with_step(&mut pool, 0);
        assert!(page.status.text.starts_with("Compared with the step: Start: "), "{}", page.status.text);
        run_all(&mut page);
        let set = page.planner.shown.as_ref().unwrap();
        let entries: Vec<String> = set
            .entries
            .iter()
            .map(|entry| format!("{} {}{}", entry.letter(), entry.name(), if entry.is_pinned { " pinned" } else { "" }))
            .collect();
        let expected = [
            "A fixed pinned",
            "B equal-share pinned",
            "C elastic-dp pinned",
            "D fixed",
            "E equal-share",
            "F elastic-dp",
        ];
        assert_eq!(entries, expected);
        page.compare_with_step(&mut pool, 0);
        assert_eq!(page.status.text, "Its runs are beside these already");
        assert_eq!(page.planner.history().steps().count(), 3);
        assert_eq!(page.step_names()[0].as_deref(), Some("Compared with an earlier step"));
        page.planner.undo(1.0);
        assert_eq!(page.planner.inputs().runs().len(), 3);
    }
}
