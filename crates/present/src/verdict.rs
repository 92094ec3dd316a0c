//! The verdict: which policy is best, by how much, and at what price. In words, from finished runs.

use elastiplan_metrics::{Comparison, EQUAL_WITHIN_S, Summary, first_difference_s};
use elastiplan_model::Workload;
use elastiplan_planner::PolicyRun;
use elastiplan_text::format;

use crate::comparable::complete_the_same;
use crate::runs::{RunEntry, RunState};
use elastiplan_text::words;

/// The tone of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A fact.
    Plain,
    /// A fact that stands out.
    Strong,
    /// The price.
    Worse,
    /// Something failed.
    Bad,
}

/// Some words and how they are meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Phrase {
    /// The words.
    pub text: String,
    /// Their tone.
    pub tone: Tone,
}

/// Jobs by how they end under a policy, compared with the baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    /// The policy.
    pub policy: String,
    /// Its place among the runs.
    pub slot: usize,
    /// The baseline.
    pub baseline: String,
    /// The counts.
    pub comparison: Comparison,
    /// The first moment at which the two differ, on the clock of the trace.
    pub first_difference_s: Option<f64>,
}

/// The verdict on a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// One sentence.
    pub headline: String,
    /// The line below.
    pub second: Vec<Phrase>,
    /// The bar at the side.
    pub outcomes: Option<Outcomes>,
}

/// A finished run with what the verdict needs of it.
struct Whole<'a> {
    name: String,
    entry: &'a RunEntry,
    summary: &'a Summary,
    run: &'a elastiplan_engine::Run,
}

impl Whole<'_> {
    fn completed(&self) -> u64 {
        self.summary.metrics.jobs_completed
    }

    fn mean_s(&self) -> f64 {
        self.summary.metrics.avg_jct_s.unwrap_or(f64::INFINITY)
    }
}

impl Verdict {
    /// Makes it from runs of `workload`.
    pub fn of(entries: &[RunEntry], workload: &Workload) -> Self {
        let whole: Vec<Whole> = entries.iter().filter_map(|entry| whole(entry, entries)).collect();
        let mut verdict = match (entries.first(), whole.as_slice()) {
            (None, _) => Self::plain("Tick a policy to see what it does"),
            (Some(_), []) => Self::without_results(entries),
            (Some(first), [only]) if entries.len() == 1 || only.entry.slot == first.slot => alone(only),
            (Some(first), [baseline, ..]) if baseline.entry.slot == first.slot => compared(&whole, baseline, workload),
            (Some(first), [other, ..]) => {
                let mut verdict = alone(best(&whole).unwrap_or(other));
                let text = format!(
                    "Differences are not shown: the baseline, {}, has not finished. ",
                    first.name_among(entries)
                );
                verdict.second.insert(0, plain(text));
                verdict
            }
        };
        verdict.second.extend(whole.iter().filter_map(drops));
        verdict.second.extend(given_up(&whole));
        if !whole.is_empty() {
            verdict.second.extend(entries.iter().filter_map(|entry| not_whole(entry, entries)));
        }
        verdict
    }

    fn plain(headline: impl Into<String>) -> Self {
        Self { headline: headline.into(), second: Vec::new(), outcomes: None }
    }

    fn without_results(entries: &[RunEntry]) -> Self {
        let running = entries.iter().filter(|entry| entry.is_running());
        let running: Vec<String> = running.map(|entry| entry.name_among(entries)).collect();
        let running: Vec<&str> = running.iter().map(String::as_str).collect();
        let headline = match running.as_slice() {
            [] => {
                let is_failed = entries.iter().any(|entry| matches!(entry.state, RunState::Failed(_)));
                if is_failed { "No policy finished".into() } else { "Stopped before any policy finished".into() }
            }
            names => format!("Running {}", words::list(names)),
        };
        let second = entries.iter().filter_map(|entry| not_whole(entry, entries)).collect();
        Self { headline, second, outcomes: None }
    }
}

fn whole<'a>(entry: &'a RunEntry, entries: &[RunEntry]) -> Option<Whole<'a>> {
    let PolicyRun { summary, run, .. } = entry.whole()?;
    Some(Whole { name: entry.name_among(entries), entry, summary, run })
}

/// The most jobs completed, and of those the shortest mean.
fn best<'a, 'b: 'a>(whole: impl IntoIterator<Item = &'a Whole<'b>>) -> Option<&'a Whole<'b>> {
    let order = |a: &&Whole, b: &&Whole| b.completed().cmp(&a.completed()).then(a.mean_s().total_cmp(&b.mean_s()));
    whole.into_iter().min_by(order)
}

fn plain(text: impl Into<String>) -> Phrase {
    Phrase { text: text.into(), tone: Tone::Plain }
}

/// One policy: facts.
fn alone(only: &Whole) -> Verdict {
    let metrics = &only.summary.metrics;
    let headline = match metrics.avg_jct_s {
        Some(mean_s) => format!("{} finishes the average job in {}", only.name, format::duration(mean_s)),
        None => format!("{} finishes no job", only.name),
    };
    let mut second = deadlines(only, None);
    if let (Some(p50_s), Some(p99_s)) = (metrics.p50_jct_s, metrics.p99_jct_s) {
        let (p50, p99) = (format::duration(p50_s), format::duration(p99_s));
        second.push(plain(format!("Half of the jobs take at most {p50}, 99% at most {p99}. ")));
    }
    Verdict { headline, second, outcomes: None }
}

/// Several policies: the best against the baseline; or, where the baseline is best, against the next.
fn compared(whole: &[Whole], baseline: &Whole, workload: &Workload) -> Verdict {
    let Some(winner) = best(whole) else { return Verdict::plain("") };
    let is_baseline = winner.entry.slot == baseline.entry.slot;
    let others = whole.iter().filter(|other| other.entry.slot != winner.entry.slot);
    let Some(rival) = (if is_baseline { best(others) } else { Some(baseline) }) else { return alone(winner) };
    // The bar always counts against the baseline.
    let shown = if is_baseline { rival } else { winner };
    let comparison = Comparison::between(shown.run, baseline.run, workload, EQUAL_WITHIN_S);
    let mut second = deadlines(winner, Some(rival));
    second.push(price(winner, rival, workload));
    let outcomes = Outcomes {
        policy: shown.name.clone(),
        slot: shown.entry.slot,
        baseline: baseline.name.clone(),
        comparison,
        first_difference_s: first_difference_s(shown.run, baseline.run),
    };
    Verdict { headline: headline(winner, rival), second, outcomes: Some(outcomes) }
}

fn headline(winner: &Whole, rival: &Whole) -> String {
    let (name, other) = (&winner.name, &rival.name);
    if winner.completed() != rival.completed() {
        let completed = of_total(winner.completed(), winner.summary.metrics.jobs_total);
        return format!("{name} completes {completed} jobs, {other} {}", format::count(rival.completed()));
    }
    if !complete_the_same(winner.run, rival.run) {
        let completed = format::count(winner.completed());
        return format!("{name} and {other} complete {completed} jobs each, not the same ones");
    }
    let (Some(mean_s), Some(other_s)) = (winner.summary.metrics.avg_jct_s, rival.summary.metrics.avg_jct_s) else {
        return "No policy finishes a job".into();
    };
    let sooner = 1.0 - mean_s / other_s.max(f64::MIN_POSITIVE);
    let difference = match sooner {
        sooner if sooner >= 0.005 => format!("{} sooner than {other}", format::percent(sooner)),
        _ => format!("as soon as {other}"),
    };
    format!("{name} finishes the average job in {}, {difference}", format::duration(mean_s))
}

/// The deadlines that are met, beside those that a rival meets; nothing if no job has one.
fn deadlines(whole: &Whole, rival: Option<&Whole>) -> Vec<Phrase> {
    let (met, total) = (whole.summary.deadlines_met, whole.summary.deadlines_total);
    if total == 0 {
        return Vec::new();
    }
    let is_worse = rival.is_some_and(|rival| met < rival.summary.deadlines_met);
    let tone = if is_worse { Tone::Worse } else { Tone::Strong };
    let beside = rival.map(|rival| format!(", {} {}", rival.name, format::count(rival.summary.deadlines_met)));
    let rest = format!(" deadlines{}. ", beside.unwrap_or_default());
    vec![plain("It meets "), Phrase { text: of_total(met, total), tone }, plain(rest)]
}

/// The strongest metric that got worse; never left out.
fn price(winner: &Whole, rival: &Whole, workload: &Workload) -> Phrase {
    let (mine, others) = (&winner.summary.metrics, &rival.summary.metrics);
    let times = [
        ("The slowest jobs pay: p99", mine.p99_jct_s, others.p99_jct_s),
        ("The median job pays: p50", mine.p50_jct_s, others.p50_jct_s),
        ("Mean waiting", mine.avg_queueing_s, others.avg_queueing_s),
        ("Makespan", mine.makespan_s, others.makespan_s),
    ];
    let known = times.into_iter().filter_map(|(what, mine, others)| Some((what, mine?, others?)));
    // Times over completed jobs compare only where the same jobs completed.
    let is_comparable = winner.completed() == rival.completed();
    // Half a per cent and a second are needed to call it worse: less cannot be seen in the words.
    let is_worse = |mine: f64, others: f64| is_comparable && mine > others * 1.005 && mine - others > 1.0;
    let worse = known.filter(|(_, mine, others)| is_worse(*mine, *others));
    let ratio = |(_, mine, others): &(&str, f64, f64)| mine / others.max(1.0);
    if let Some((what, mine, others)) = worse.max_by(|a, b| ratio(a).total_cmp(&ratio(b))) {
        let (from, to) = (format::duration(others), format::duration(mine));
        return Phrase { text: format!("{what} rises from {from} to {to}. "), tone: Tone::Worse };
    }
    if is_comparable && mine.rescale_gpu_s > others.rescale_gpu_s * 1.005 {
        let (cost, other_cost) = (format::gpu_hours(mine.rescale_gpu_s), format::gpu_hours(others.rescale_gpu_s));
        let text = format!("Rescaling costs {cost}, {} {other_cost}. ", rival.name);
        return Phrase { text, tone: Tone::Worse };
    }
    match Comparison::between(winner.run, rival.run, workload, EQUAL_WITHIN_S) {
        Comparison { sooner: 0, later: 0, .. } => plain("No difference larger than 1 minute on any job. "),
        Comparison { later: 0, .. } => plain("No job ends more than 1 minute later. "),
        Comparison { later, .. } => {
            let text = format!("{} later. ", words::counted(later, "job ends", "jobs end"));
            Phrase { text, tone: Tone::Worse }
        }
    }
}

fn drops(whole: &Whole) -> Option<Phrase> {
    let metrics = &whole.summary.metrics;
    let (dropped, unfinished) = (metrics.jobs_dropped, metrics.jobs_unfinished);
    let dropped = (dropped > 0).then(|| format!("drops {}", of_total(dropped, metrics.jobs_total)));
    let unfinished = (unfinished > 0).then(|| format!("never finishes {}", of_total(unfinished, metrics.jobs_total)));
    let parts: Vec<String> = dropped.into_iter().chain(unfinished).collect();
    let text = format!("{} {} jobs. ", whole.name, parts.join(" and "));
    (!parts.is_empty()).then_some(Phrase { text, tone: Tone::Worse })
}

/// Runs that would have gone on for ever, and what to do next.
fn given_up(whole: &[Whole]) -> Vec<Phrase> {
    let given_up: Vec<&Whole> = whole.iter().filter(|whole| whole.run.stalled).collect();
    if given_up.is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> = given_up.iter().map(|whole| whole.name.as_str()).collect();
    let were = if names.len() == 1 { "was" } else { "were" };
    let text = format!("{} {were} given up: nothing got further. ", words::list(&names));
    let has_nodes = given_up.iter().any(|whole| whole.run.series.gpus_present.last().is_some_and(|gpus| *gpus > 0));
    let advice = match has_nodes {
        true => "Let nodes fail less often, checkpoint more often, or lower the rescale cost. ",
        false => "No node was left: add some that are always there, or stop at a set time. ",
    };
    vec![Phrase { text, tone: Tone::Bad }, plain(advice)]
}

fn not_whole(entry: &RunEntry, entries: &[RunEntry]) -> Option<Phrase> {
    let name = entry.name_among(entries);
    match &entry.state {
        RunState::Failed(failure) => {
            Some(Phrase { text: format!("{name} failed: {}. ", failure.message), tone: Tone::Bad })
        }
        RunState::Cancelled => Some(plain(match &entry.result {
            Some(result) => {
                let at = format::duration(result.run.end_s - result.run.start_s);
                let finished = words::counted(result.summary.metrics.jobs_completed, "job", "jobs");
                format!("{name} stopped at {at}; {finished} finished, their times stand. ")
            }
            None => format!("{name} stopped before its first job. "),
        })),
        _ => None,
    }
}

fn of_total(part: u64, total: u64) -> String {
    format!("{} of {}", format::count(part), format::count(total))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use crate::runs::RunFailure;
    use elastiplan_model::Cluster;
    use elastiplan_planner::run;
    use elastiplan_scenario::{Scenario, sample};

    use super::*;

    fn runs(scenario: &Scenario, policies: &[&str]) -> (Vec<RunEntry>, Workload) {
        let (workload, _) = scenario.workload();
        let entry = |(slot, policy): (usize, &&str)| {
            let policy: elastiplan_policies::PolicySpec = policy.parse().unwrap();
            RunEntry::finished(slot, run(scenario, &workload, &policy).unwrap())
        };
        (policies.iter().enumerate().map(entry).collect(), workload)
    }

    fn second(verdict: &Verdict) -> String {
        verdict.second.iter().map(|phrase| phrase.text.as_str()).collect()
    }

    #[test]
    fn the_best_is_named_with_its_price() {
        let (entries, workload) = runs(&sample::scenario(sample::SEED), &["fixed", "equal-share", "elastic-dp"]);
        let verdict = Verdict::of(&entries, &workload);
        assert!(verdict.headline.contains("finishes the average job in"), "{}", verdict.headline);
        assert!(verdict.headline.ends_with("sooner than fixed"), "{}", verdict.headline);
        assert!(second(&verdict).starts_with("It meets "), "{}", second(&verdict));
        assert!(verdict.second.iter().any(|phrase| phrase.tone == Tone::Worse), "{}", second(&verdict));
        let outcomes = verdict.outcomes.unwrap();
        let counts = outcomes.comparison;
        assert_eq!(counts.sooner + counts.equal + counts.later, 48);
        assert!(outcomes.first_difference_s.is_some());
    }

    #[test]
    fn where_the_baseline_is_best_it_is_compared_with_the_next() {
        let (entries, workload) = runs(&sample::scenario(sample::SEED), &["equal-share", "fixed"]);
        let verdict = Verdict::of(&entries, &workload);
        assert!(verdict.headline.starts_with("equal-share") && verdict.headline.ends_with("sooner than fixed"));
        assert_eq!(verdict.outcomes.unwrap().policy, "fixed");
    }

    #[test]
    fn equal_policies_are_told_as_such() {
        let (entries, workload) = runs(&sample::scenario(sample::SEED), &["fixed", "fixed"]);
        let verdict = Verdict::of(&entries, &workload);
        assert!(verdict.headline.ends_with("as soon as fixed B"), "{}", verdict.headline);
        assert!(second(&verdict).contains("No difference larger than 1 minute on any job"));
    }

    #[test]
    fn one_policy_gives_facts_and_none_an_invitation() {
        let (entries, workload) = runs(&sample::scenario(sample::SEED), &["elastic-dp"]);
        let verdict = Verdict::of(&entries, &workload);
        assert!(verdict.outcomes.is_none() && !verdict.headline.contains("than"));
        assert_eq!(Verdict::of(&[], &workload).headline, "Tick a policy to see what it does");
    }

    #[test]
    fn dropped_jobs_come_before_means() {
        let mut scenario = sample::scenario(sample::SEED);
        scenario.cluster = Cluster::new(2, 8).unwrap();
        let (entries, workload) = runs(&scenario, &["fixed", "equal-share"]);
        let verdict = Verdict::of(&entries, &workload);
        assert!(verdict.headline.starts_with("equal-share completes 48 of 48 jobs, fixed "), "{}", verdict.headline);
        assert!(second(&verdict).contains("fixed drops "), "{}", second(&verdict));
    }

    #[test]
    fn a_baseline_that_was_stopped_gives_no_differences_and_a_failure_is_named() {
        let (mut entries, workload) = runs(&sample::scenario(sample::SEED), &["fixed", "equal-share", "elastic-dp"]);
        entries[0].state = RunState::Cancelled;
        let failure = RunFailure { message: "it broke".into(), detail: String::new() };
        entries[1].state = RunState::Failed(failure);
        let verdict = Verdict::of(&entries, &workload);
        assert!(verdict.outcomes.is_none() && verdict.headline.starts_with("elastic-dp finishes"));
        let second = second(&verdict);
        assert!(second.contains("fixed stopped at") && second.contains("equal-share failed: it broke"), "{second}");
    }

    #[test]
    fn runs_that_were_given_up_are_named_together_with_what_to_do() {
        let (mut entries, workload) = runs(&sample::scenario(sample::SEED), &["fixed", "equal-share"]);
        for entry in &mut entries {
            let mut result = PolicyRun::clone(entry.result.as_ref().unwrap());
            result.run.stalled = true;
            entry.result = Some(Rc::new(result));
        }
        let words = second(&Verdict::of(&entries, &workload));
        assert!(words.contains("fixed and equal-share were given up: nothing got further. Let nodes"), "{words}");
    }
}
