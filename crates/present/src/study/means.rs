//! Answers by means alone, for studies with so few seeds that nothing is claimed with confidence.

use super::StudyView;

/// Below so many seeds there are no intervals.
pub const SEEDS_LEAST: u32 = 5;

/// Whether points have runs, but none has enough seeds for an interval.
pub fn are_few(view: &StudyView) -> bool {
    let most = view.seeds.iter().copied().max().unwrap_or(0);
    most > 0 && most < SEEDS_LEAST
}

/// Whether the means of all goals' metrics at a point keep their limits; `None` where one is not known.
pub fn meet(view: &StudyView, policy: usize, point: usize) -> Option<bool> {
    let mut are_met = !view.goals.is_empty();
    for goal in &view.goals {
        let estimate = view.estimate(&goal.metric, policy, point).filter(|estimate| estimate.missing == 0)?;
        are_met &= goal.is_met_by(estimate.mean);
    }
    Some(are_met)
}

/// The place on a line from which on all means meet the goals, or for a largest value up to which: `Some(None)` if there
/// is none, and `None` while points of the line are unknown.
pub fn answer(view: &StudyView, policy: usize, line: &[usize]) -> Option<Option<usize>> {
    let met: Vec<bool> = line.iter().map(|point| meet(view, policy, *point)).collect::<Option<_>>()?;
    Some(match view.is_largest {
        true => met.iter().position(|met| !met).unwrap_or(met.len()).checked_sub(1),
        false => Some(met.iter().rposition(|met| !met).map_or(0, |at| at + 1)).filter(|at| *at < met.len()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::load_study;
    use super::*;

    #[test]
    fn means_answer_where_nothing_is_claimed() {
        let check = |met: [bool; 4], is_largest: bool, expected: Option<usize>| {
            let mut view = load_study();
            view.is_largest = is_largest;
            let line: Vec<usize> = view.line(3, 0).into_iter().take(4).collect();
            view.goals.truncate(1);
            for (point, met) in line.iter().zip(met) {
                view.metrics[0].estimates[*point].as_mut().unwrap().mean = if met { 0.96 } else { 0.94 };
            }
            assert!(are_few(&view));
            assert_eq!(answer(&view, 0, &line), Some(expected), "{met:?} {is_largest}");
            view.metrics[0].estimates[line[2]] = None;
            assert_eq!(answer(&view, 0, &line), None);
        };
        check([false, false, true, true], false, Some(2));
        check([false, true, false, true], false, Some(3));
        check([true; 4], false, Some(0));
        check([true, true, true, false], false, None);
        check([true, true, false, true], true, Some(1));
        check([true; 4], true, Some(3));
        check([false, true, true, true], true, None);
    }
}
