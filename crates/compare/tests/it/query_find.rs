//! Which jobs a query finds: by hand, and against a plain second reading of its meaning.

use elastiplan_compare::query::{Compare, Condition, NumberField, State, TextField};
use elastiplan_compare::{Badge, Jobs, Query};
use elastiplan_engine::{Outcome, Run};
use elastiplan_metrics::EQUAL_WITHIN_S;
use elastiplan_model::{JobId, Workload};
use proptest::prelude::*;

use crate::query_text::query;
use crate::runs::{random, sampled, there};

#[test]
fn queries_find_jobs_of_the_sample() {
    let (runs, workload) = sampled(&["fixed", "elastic-dp"]);
    let runs = there(&runs);
    let jobs = Jobs::new(&workload, &runs, EQUAL_WITHIN_S);
    let found = |text: &str| text.parse::<Query>().unwrap().find(&jobs).len();
    let check = |text: &str, expected: usize| assert_eq!(found(text), expected, "{text}");
    check("", 48);
    check("completed", 48);
    check("-completed", 0);
    check("dropped", 0);
    check("nobody", 0);
    check("user:ann", 0);
    assert_eq!(found("model:VGG-16"), found("vgg"));
    assert_eq!(found("model:VGG-16 or alexnet"), found("vgg") + found("model:AlexNet"));
    assert_eq!(found("-model:VGG-16"), 48 - found("vgg"));
    assert_eq!(found("sooner:B") + found("equal:B") + found("later:B"), 48);
    assert_eq!(found("sooner"), found("sooner:B"), "of two runs only the second can be sooner");
    assert_eq!(found("equal:A"), 48);
    assert_eq!(found("diff>1m"), found("later:B"));
    assert_eq!(found("missed:A") + found("met:A"), found("met or missed"));
    assert_eq!(found("missed"), found("missed:A or missed:B"), "without a letter any run will do");
    assert_eq!(found("-missed"), found("-missed:A -missed:B"), "its opposite is none of them");
    check("later:D", 0);
    assert!(found("gpus>4 gpus<=16") > 0 && found("submit<1h") < 48);
}

#[test]
fn a_policy_that_is_not_there_is_told() {
    let check = |text: &str, runs, expected: Option<&str>| {
        let query: Query = text.parse().unwrap();
        assert_eq!(query.unknown_run(runs).map(Badge::letter).as_deref(), expected);
    };
    check("missed:C a or later:D", 2, Some("C"));
    check("missed:C a or later:D", 3, Some("D"));
    check("later:9 jct:10>2h", 8, Some("9"));
    check("later:9 jct:10>2h", 9, Some("10"));
    check("later:9 jct:10>2h", 10, None);
    check("missed:C a or later:D jct>2h", 4, None);
}

/// Whether a condition holds, word by word.
fn holds(condition: &Condition, workload: &Workload, runs: &[Run], id: JobId) -> bool {
    let at = id.index();
    let job = &workload.trace().jobs()[at];
    let model = workload.trace().model_name(job.model).to_lowercase();
    let (name, user) = (job.name.to_lowercase(), job.user.as_ref().map(|user| user.to_lowercase()));
    let is_open = |run: &Run| !run.finished && run.jobs.outcome[at] == Outcome::Unfinished;
    let end_s = |run: &Run| run.jobs.end_s[at].filter(|_| run.jobs.outcome[at] == Outcome::Completed);
    let difference = |run: &Run| {
        let known = !is_open(run) && !is_open(&runs[0]);
        known.then(|| match (end_s(run), end_s(&runs[0])) {
            (Some(a), Some(b)) => a - b,
            (Some(_), None) => f64::NEG_INFINITY,
            (None, Some(_)) => f64::INFINITY,
            (None, None) => 0.0,
        })
    };
    let under = |wanted: &Option<Badge>, only_others: bool| -> Vec<&Run> {
        let slots = 0..runs.len();
        slots
            .filter(|slot| wanted.map_or(!only_others || *slot > 0, |w| w.slot() == *slot))
            .map(|slot| &runs[slot])
            .collect()
    };
    match condition {
        Condition::Text(text) => {
            let text = text.to_lowercase();
            [Some(name), Some(model), user].iter().flatten().any(|own| own.contains(&text))
        }
        Condition::Named { field, exactly, text } => {
            let own = match field {
                TextField::Name => Some(name),
                TextField::Model => Some(model),
                TextField::User => user,
            };
            let text = text.to_lowercase();
            own.is_some_and(|own| if *exactly { own == text } else { own.contains(&text) })
        }
        Condition::Number { field, run, compare, value } => {
            let number = |of: &Run| match field {
                NumberField::Gpus => Some(f64::from(job.gpus_requested)),
                NumberField::Submit => Some(job.submit_s - workload.trace().jobs()[0].submit_s),
                NumberField::Jct => end_s(of).map(|end_s| end_s - job.submit_s),
                NumberField::Wait => Some(of.jobs.queueing_s[at]),
                NumberField::Resizes => Some(f64::from(of.jobs.rescales[at])),
                NumberField::Preemptions => Some(f64::from(of.jobs.preemptions[at])),
                NumberField::Difference => difference(of)
                    .filter(|s| s.is_finite())
                    .filter(|_| end_s(of).is_some() && end_s(&runs[0]).is_some()),
            };
            let same = if field.is_time() { 0.5 } else { 0.0 };
            under(run, *field == NumberField::Difference).into_iter().filter_map(number).any(|number| match compare {
                Compare::Above => number > *value,
                Compare::AtLeast => number >= *value,
                Compare::Below => number < *value,
                Compare::AtMost => number <= *value,
                Compare::Equals => number == *value || (number - value).abs() < same,
            })
        }
        Condition::Is { state, run } => {
            let met = |run: &Run| {
                let deadline_s = job.deadline_s?;
                let is_to_come = is_open(run) && deadline_s > run.end_s;
                (!is_to_come).then(|| end_s(run).is_some_and(|end_s| end_s <= deadline_s))
            };
            let ended = |run: &Run, outcome| run.jobs.outcome[at] == outcome;
            under(run, matches!(state, State::Sooner | State::Equal | State::Later)).into_iter().any(
                |run| match state {
                    State::Completed => ended(run, Outcome::Completed),
                    State::Dropped => ended(run, Outcome::Dropped),
                    State::Failed => ended(run, Outcome::Failed),
                    State::Cancelled => ended(run, Outcome::Cancelled),
                    State::Unfinished => ended(run, Outcome::Unfinished),
                    State::Met => met(run) == Some(true),
                    State::Missed => met(run) == Some(false),
                    State::Sooner => difference(run).is_some_and(|s| s < -EQUAL_WITHIN_S),
                    State::Equal => difference(run).is_some_and(|s| s.abs() <= EQUAL_WITHIN_S),
                    State::Later => difference(run).is_some_and(|s| s > EQUAL_WITHIN_S),
                },
            )
        }
    }
}

/// Numbers and names that jobs of random runs have.
fn near(query: Query, time_s: f64) -> Query {
    let mut query = query;
    for term in query.clauses.iter_mut().flat_map(|clause| &mut clause.terms) {
        match &mut term.condition {
            Condition::Text(text) | Condition::Named { text, .. } => *text = text.chars().take(1).collect(),
            Condition::Number { field, run, value, .. } => {
                *run = run.and_then(|run| Badge::of_slot(run.slot() % 4));
                *value = if field.is_time() { (*value % time_s).abs() } else { *value % 6.0 };
            }
            Condition::Is { run, .. } => *run = run.and_then(|run| Badge::of_slot(run.slot() % 4)),
        }
    }
    query
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn a_query_finds_what_its_words_say((runs, workload) in random(3), query in query(), time_s in 1.0..200.0_f64) {
        let query = near(query, time_s);
        let of_term = |id: JobId| move |term: &elastiplan_compare::query::Term| (term.negated, term.condition.clone(), id);
        let fits = |id: &JobId| query.clauses.iter().all(|clause| {
            clause.terms.iter().map(of_term(*id)).any(|(negated, condition, id)| {
                holds(&condition, &workload, &runs, id) != negated
            })
        });
        let expected: Vec<JobId> = workload.trace().iter().map(|(id, _)| id).filter(fits).collect();
        let runs = there(&runs);
        prop_assert_eq!(query.find(&Jobs::new(&workload, &runs, EQUAL_WITHIN_S)), expected);
    }
}
