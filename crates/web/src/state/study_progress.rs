//! How far a study is, in words.

use elastiplan_present::study::{Ended, Progress, SEEDS_LEAST, Stage};
use elastiplan_text::{format, words};

/// Whether pressing Run goes on with it.
pub fn is_unfinished(progress: &Progress) -> bool {
    !matches!(progress.stage, Stage::Over(Ended::Complete))
}

/// The share of the wanted runs that is there.
pub fn share(progress: &Progress) -> f64 {
    f64::from(progress.runs) / f64::from(progress.runs_wanted.max(progress.runs).max(1))
}

/// `802 of 840 runs`.
pub fn runs(progress: &Progress) -> String {
    let wanted = u64::from(progress.runs_wanted.max(progress.runs));
    let kept = match progress.runs_kept {
        0 => String::new(),
        kept => format!(", {} kept", format::count(u64::from(kept))),
    };
    format!("{} of {}{kept}", format::count(u64::from(progress.runs)), words::counted(wanted, "run", "runs"))
}

/// `, 4s left`; the time that it took, once it is over.
pub fn time(progress: &Progress, is_running: bool) -> String {
    let words = |seconds: f64| match seconds >= 1.0 {
        true => format::duration(seconds.round()),
        false => words::wall(seconds * 1_000.0),
    };
    let left = progress.left_s.filter(|_| is_running).map(|left_s| format!("{} left", words(left_s.max(1.0))));
    let took = (!is_running && progress.elapsed_s > 0.0).then(|| words(progress.elapsed_s));
    left.or(took).map(|words| format!(", {words}")).unwrap_or_default()
}

/// `76 of 84 points settled, 8 open`, and why it is over.
pub fn standing(progress: &Progress, is_running: bool) -> String {
    let total = u64::from(progress.settled + progress.open + progress.gaps);
    let is_complete = matches!(progress.stage, Stage::Over(Ended::Complete)) && !is_running;
    let part = |count: u32, words: &str| if count == 0 { String::new() } else { format!(", {count} {words}") };
    let gaps = part(progress.gaps, "failed or without a value");
    if progress.settled == 0 && progress.open > 0 && (1..SEEDS_LEAST).contains(&progress.seeds_most) {
        let seeds = words::counted(progress.seeds_most.into(), "seed decides", "seeds decide");
        let done = if is_complete { "All runs are done. " } else { "" };
        return format!("{done}{seeds} no point: {SEEDS_LEAST} at least{gaps}");
    }
    let of_total = format!("{} of {} settled", progress.settled, words::counted(total, "point", "points"));
    let open = part(progress.open, if is_complete { "undecided" } else { "open" });
    let done = if is_complete && progress.open > 0 { "All runs are done. " } else { "" };
    let points = format!("{done}{of_total}{open}{gaps}");
    match (progress.stage, is_running) {
        (Stage::Coarse, true) => "First picture: few sizes, few seeds".into(),
        (Stage::Fresh, true) => "Fresh seeds confirm the answers".into(),
        (Stage::Over(Ended::Stopped), false) => format!("Stopped. {points}"),
        (Stage::Over(Ended::BudgetUsed), false) => format!("Time budget used up. {points}"),
        (Stage::Over(Ended::Complete), false) if progress.open == 0 && progress.gaps == 0 => {
            format!("All {} settled", words::counted(total, "point", "points"))
        }
        _ => points,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress(stage: Stage) -> Progress {
        Progress {
            stage,
            runs: 802,
            runs_wanted: 840,
            settled: 76,
            open: 8,
            elapsed_s: 41.0,
            left_s: Some(4.0),
            ..Progress::default()
        }
    }

    fn check(of: Progress, is_running: bool, expected: [&str; 2]) {
        assert_eq!([runs(&of) + &time(&of, is_running), standing(&of, is_running)], expected);
    }

    #[test]
    fn progress_counts_runs_and_points() {
        check(progress(Stage::Open), true, ["802 of 840 runs, 4s left", "76 of 84 points settled, 8 open"]);
        check(progress(Stage::Coarse), true, ["802 of 840 runs, 4s left", "First picture: few sizes, few seeds"]);
        let stopped = progress(Stage::Over(Ended::Stopped));
        check(stopped, false, ["802 of 840 runs, 41s", "Stopped. 76 of 84 points settled, 8 open"]);
        let budget = Progress { runs_kept: 612, ..progress(Stage::Over(Ended::BudgetUsed)) };
        let words = "Time budget used up. 76 of 84 points settled, 8 open";
        check(budget, false, ["802 of 840 runs, 612 kept, 41s", words]);
        let whole = Progress { runs: 840, settled: 84, open: 0, ..progress(Stage::Over(Ended::Complete)) };
        check(whole, false, ["840 of 840 runs, 41s", "All 84 points settled"]);
        let complete = Progress { runs: 840, seeds_most: 10, ..progress(Stage::Over(Ended::Complete)) };
        let words = "All runs are done. 76 of 84 points settled, 8 undecided";
        check(complete.clone(), false, ["840 of 840 runs, 41s", words]);
        let gaps = Progress { gaps: 2, open: 0, ..complete.clone() };
        check(gaps, false, ["840 of 840 runs, 41s", "76 of 78 points settled, 2 failed or without a value"]);
        let few = Progress { settled: 0, open: 84, seeds_most: 3, ..complete };
        check(few.clone(), false, ["840 of 840 runs, 41s", "All runs are done. 3 seeds decide no point: 5 at least"]);
        let single = Progress { seeds_most: 1, stage: Stage::Points, left_s: None, ..few };
        check(single, true, ["840 of 840 runs", "1 seed decides no point: 5 at least"]);
    }

    #[test]
    fn the_bar_is_full_when_more_runs_are_there_than_wanted() {
        assert_eq!(share(&Progress { runs: 9, runs_wanted: 3, ..Progress::default() }), 1.0);
        assert_eq!(share(&Progress::default()), 0.0);
    }
}
