//! Limits on comparing runs.

use elastiplan_compare::{Candidate, Comparability, Obstacle, RunEnd};
use elastiplan_engine::{Outcome, Run};
use elastiplan_model::Workload;

use crate::runs::{RunEntry, RunState};

/// Why some differences are missing, a line each; nothing where all are there, or one policy is on its own.
pub fn notes(entries: &[RunEntry], workload: &Workload) -> Vec<String> {
    let trace = workload.trace();
    let names: Vec<String> = entries.iter().map(|entry| entry.name_among(entries)).collect();
    let candidate = |(entry, name)| {
        let (RunEntry { state, result, .. }, name): (&RunEntry, &String) = (entry, name);
        let end = match state {
            RunState::Started | RunState::Running(_) => RunEnd::Running,
            RunState::Finished => RunEnd::Whole,
            RunState::Cancelled => RunEnd::Stopped,
            RunState::Failed(_) => RunEnd::Failed,
        };
        let run = result.as_ref().map(|result| &result.run);
        Candidate { name, trace, run, end }
    };
    let candidates: Vec<Candidate> = entries.iter().zip(&names).map(candidate).collect();
    // A run on its way says so itself, and one policy needs no comparison.
    let is_said_elsewhere = |obstacle: &&Obstacle| {
        use Obstacle::{NoRecord, NotWhole, OneRun};
        matches!(obstacle, OneRun | NoRecord { .. } | NotWhole { end: RunEnd::Running, .. })
    };
    let obstacles = Comparability::of(&candidates).obstacles;
    obstacles.iter().filter(|obstacle| !is_said_elsewhere(obstacle)).map(Obstacle::words).collect()
}

/// Whether two runs complete the very same jobs: only then do means over completed jobs compare.
pub fn complete_the_same(one: &Run, other: &Run) -> bool {
    let is_completed = |outcome: &Outcome| *outcome == Outcome::Completed;
    one.jobs.outcome.iter().map(is_completed).eq(other.jobs.outcome.iter().map(is_completed))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use elastiplan_planner::{PolicyRun, run};
    use elastiplan_scenario::sample;

    use super::*;

    fn entries(policies: &[&str]) -> (Workload, Vec<RunEntry>) {
        let scenario = sample::scenario(sample::SEED);
        let (workload, _) = scenario.workload();
        let entry = |(slot, policy): (usize, &&str)| {
            let policy: elastiplan_policies::PolicySpec = policy.parse().unwrap();
            RunEntry::finished(slot, run(&scenario, &workload, &policy).unwrap())
        };
        let entries = policies.iter().enumerate().map(entry).collect();
        (workload, entries)
    }

    #[test]
    fn nothing_is_said_of_runs_that_compare() {
        let (workload, entries) = entries(&["fixed", "elastic-dp"]);
        assert_eq!(notes(&entries, &workload), Vec::<String>::new());
        assert_eq!(notes(&entries[..1], &workload), Vec::<String>::new());
    }

    #[test]
    fn a_run_that_failed_half_way_and_one_that_completes_other_jobs_are_told() {
        let (workload, mut entries) = entries(&["fixed", "elastic-dp"]);
        entries[1].state = RunState::Cancelled;
        assert!(notes(&entries, &workload)[0].starts_with("elastic-dp stopped at "));
        entries[1].state = RunState::Finished;
        let mut other = PolicyRun::clone(entries[1].result.as_ref().unwrap());
        other.run.jobs.outcome[3] = Outcome::Dropped;
        assert!(!complete_the_same(&other.run, &entries[0].result.as_ref().unwrap().run));
        entries[1].result = Some(Rc::new(other));
        assert_eq!(
            notes(&entries, &workload),
            ["elastic-dp completes 47 jobs, the baseline 48: their times are not compared"]
        );
    }
}
