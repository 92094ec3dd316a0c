//! Points that the seeds of a study have not decided, in words.

use elastiplan_statistics::VALUES_MIN;
use elastiplan_statistics::feasibility::Feasibility;
use elastiplan_study::{PolicyAnswer, Results, Study, Unconfirmed, Unit};
use elastiplan_text::{format, words};

use super::worse::point_name;

/// So many seeds a point can be asked for at once; with more, half of the points are a better start.
const SEEDS_OF_ALL: u32 = 200;

/// How many points a finished study with goals has not decided, and about how many seeds would: `3 points are not decided
/// against the goal with 10 seeds; about 45 seeds would decide all of them.` `None` where none is open, where runs are
/// still wanted, and where seeds are too few to claim anything.
pub fn undecided_words(study: &Study, results: &Results) -> Option<String> {
    if study.goal_limits().next().is_none() || study.seeds.most() < VALUES_MIN || !study.next(results).is_empty() {
        return None;
    }
    let (mut open, mut seeds) = (0, Vec::new());
    for Unit { point, policy, .. } in study.own_units() {
        let has_gap = study.gap(results, point, policy).is_some();
        if !has_gap && study.judge(results, point, policy) == Feasibility::Open {
            open += 1;
            seeds.extend(study.seeds_to_decide(results, point, policy));
        }
    }
    elastiplan_model::order::sort_by_key(&mut seeds, |seeds| *seeds);
    (open > 0).then(|| undecided_sentence(open, study.seeds.most() as u32, &seeds))
}

/// The points that meet the goals with their seeds, but not with fresh ones, a sentence for each answer, without its full
/// stop: `fixed with 3 nodes meets the goal with 10 seeds, but not with 10 fresh ones: it stays open`.
pub fn unconfirmed_words(study: &Study, answers: &[PolicyAnswer]) -> Vec<String> {
    let goal = if study.goal_limits().count() == 1 { "goal" } else { "goals" };
    let of_answer = |answer: &PolicyAnswer| {
        let name = study.policies.get(answer.policy)?.to_string();
        let at = |unconfirmed: &Unconfirmed| point_name(study, unconfirmed.point as u32);
        Some(match answer.unconfirmed.as_slice() {
            [] => return None,
            [one] => {
                let (at, seeds) = (at(one), one.seeds);
                format!(
                    "{name} with {at} meets the {goal} with {seeds} seeds, but not with {seeds} fresh ones: it stays open"
                )
            }
            [first, .., last] => format!(
                "{name} meets the {goal} at {} points from {} to {}, but not with as many fresh seeds: they stay open",
                answer.unconfirmed.len(),
                at(first),
                at(last),
            ),
        })
    };
    answers.iter().filter_map(of_answer).collect()
}

/// The same of so many open points, with the seeds that would decide each where that is known, the fewest first.
pub(super) fn undecided_sentence(open: usize, seeds_most: u32, seeds_to_decide: &[u32]) -> String {
    let verb = if open == 1 { "is" } else { "are" };
    let points = words::counted(open as u64, "point", "points");
    let seeds = |count: u32| format!("about {} seeds would decide", format::count(count.into()));
    let half = seeds_to_decide.get(open.div_ceil(2).saturating_sub(1));
    let rest = match (half, seeds_to_decide.get(open.saturating_sub(1))) {
        (_, Some(all)) if open == 1 => format!("; {} it", seeds(*all)),
        (_, Some(all)) if *all <= SEEDS_OF_ALL => format!("; {} all of them", seeds(*all)),
        (Some(half), _) => format!("; {} half of them", seeds(*half)),
        _ if open == 1 => ": its mean is so near that 1,000 seeds would not decide it".into(),
        _ => ": their means are so near that 1,000 seeds would not decide most of them".into(),
    };
    format!("{points} {verb} not decided against the goal with {seeds_most} seeds{rest}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_that_would_decide_are_told() {
        let check = |open: usize, seeds: &[u32], expected: &str| {
            let words = undecided_sentence(open, 10, seeds);
            assert_eq!(words.split_once(" with 10 seeds").unwrap().1, expected, "{words}");
        };
        check(1, &[45], "; about 45 seeds would decide it.");
        check(1, &[900], "; about 900 seeds would decide it.");
        check(3, &[20, 30, 45], "; about 45 seeds would decide all of them.");
        check(3, &[20, 30, 900], "; about 30 seeds would decide half of them.");
        check(4, &[20, 30], "; about 30 seeds would decide half of them.");
        check(4, &[20], ": their means are so near that 1,000 seeds would not decide most of them.");
        check(1, &[], ": its mean is so near that 1,000 seeds would not decide it.");
        let words = undecided_sentence(1, 40, &[]);
        assert!(words.starts_with("1 point is not decided against the goal with 40 seeds"), "{words}");
    }
}
