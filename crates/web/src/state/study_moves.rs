//! Moving over the points of a study, and which of them is compared with which.

use elastiplan_present::figure::points::PointId;
use elastiplan_present::study::{AnswerView, AxisView, PointStep, StudyView, point_words, step};

use super::page::Page;
use super::study::{Shown, StudyMsg, StudyState};

/// A move from a policy and a point to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// To the next known point in a direction.
    Step(PointStep),
    /// To the policy above, whatever lies up.
    PolicyAbove,
    /// To the policy below.
    PolicyBelow,
}

/// The policy and the point after a move. At the edge it stays where it is.
pub fn moved(view: &StudyView, (policy, point): (usize, usize), how: Move) -> (usize, usize) {
    match how {
        Move::Step(direction) => {
            let to = step(view, PointId { policy: policy as u32, point: point as u32 }, direction);
            (to.policy as usize, to.point as usize)
        }
        Move::PolicyAbove => (policy.saturating_sub(1), point),
        Move::PolicyBelow => ((policy + 1).min(view.policies.len().saturating_sub(1)), point),
    }
}

/// The point that is looked at first: the smallest answer, otherwise the middle of the axis. Other axes have the factor
/// that changes nothing, or else their middle.
pub fn first_look(view: &StudyView) -> (usize, usize) {
    let usual = |axis: &AxisView| {
        let is_factor = axis.values.iter().any(|value| value.shown.starts_with('×'));
        let one = axis.values.iter().position(|value| is_factor && value.number == Some(1.0));
        one.unwrap_or(axis.values.len() / 2)
    };
    let middle = view.point(&view.axes.iter().map(usual).collect::<Vec<_>>());
    let is_there = |answer: &&AnswerView| answer.line.contains(&(middle as u32));
    let answers = view.answers.iter().filter(is_there).filter_map(|answer| Some((answer.answer?, answer)));
    let best = answers.min_by_key(|(place, _)| *place);
    let of_answer = best.and_then(|(place, of)| Some((of.policy as usize, *of.line.get(place as usize)? as usize)));
    of_answer.unwrap_or((0, middle))
}

impl StudyState {
    /// What is shown, with the policy and the point that are looked at, if they are there.
    pub fn looked_at(&self) -> Option<(&Shown, usize, usize)> {
        let shown = self.shown.as_ref()?;
        let (policy, point) = (self.policy as usize, self.point as usize);
        let view = &shown.view;
        let is_there = policy < view.policies.len() && point < view.points();
        let (policy, point) = if is_there && self.has_looked { (policy, point) } else { first_look(view) };
        Some((shown, policy, point))
    }

    /// The same, or the policy and the point that the pointer is over.
    pub fn pointed_at(&self) -> Option<(&Shown, usize, usize)> {
        let (shown, policy, point) = self.looked_at()?;
        let (over, at) = self.pointed.map_or((policy, point), |(policy, point)| (policy as usize, point as usize));
        let is_there = over < shown.view.policies.len() && at < shown.view.points();
        Some(if is_there { (shown, over, at) } else { (shown, policy, point) })
    }

    /// The metric of the large picture, by its key: the chosen one, that of the first goal, or mean completion.
    pub fn metric_key(&self, view: &StudyView) -> String {
        let chosen = self.metric.as_deref().filter(|key| view.metric(key).is_some());
        let of_goal = view.goals.first().map(|goal| goal.metric.as_str());
        let first = || view.metrics.first().map(|metric| metric.key.as_str());
        let usual = of_goal.or(view.metric("avg_jct_s").map(|metric| metric.key.as_str())).or_else(first);
        chosen.or(usual).unwrap_or_default().to_string()
    }
}

impl Page {
    /// Moves to another policy or point.
    pub(super) fn move_in_study(&mut self, how: Move) {
        let Some((shown, policy, point)) = self.study.looked_at() else { return };
        let (policy, point) = moved(&shown.view, (policy, point), how);
        self.look_at(policy as u32, point as u32);
    }

    /// Looks at a policy and a point.
    pub(super) fn look_at(&mut self, policy: u32, point: u32) {
        (self.study.policy, self.study.point, self.study.has_looked) = (policy, point, true);
        self.study.pointed = None;
    }

    /// The message that opens a run beside that of the point that is looked at.
    pub(super) fn open_beside_in_study(&mut self, second: (u32, u32)) -> Option<StudyMsg> {
        let (_, policy, point) = self.study.looked_at()?;
        let first = (policy as u32, point as u32);
        (first != second).then(|| StudyMsg::Open(vec![first, second]))
    }

    /// The message that opens the run of the point that is looked at; beside the one that was opened or marked before,
    /// if two are asked for. The first of two is marked only.
    pub fn open_in_study(&mut self, is_second: bool) -> Option<StudyMsg> {
        let (shown, policy, point) = self.study.looked_at()?;
        let words = point_words(&shown.view, point);
        let here = (policy as u32, point as u32);
        let first = self.study.marked.replace(here).filter(|first| *first != here);
        match (is_second, first) {
            (false, _) => Some(StudyMsg::Open(vec![here])),
            (true, Some(first)) => Some(StudyMsg::Open(vec![first, here])),
            (true, None) => {
                self.say(format!("Marked: {words}. Shift Enter at another point compares the two"));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use elastiplan_present::study::AxisPlace;

    use super::*;
    use crate::state::testing::page_with_pool;

    fn axis(label: &str, values: &[&str]) -> AxisView {
        let place = |text: &&str| AxisPlace {
            text: text.trim_start_matches("× ").into(),
            shown: (*text).into(),
            number: text.trim_start_matches("× ").parse().ok(),
        };
        AxisView {
            key: if label == "Nodes" { "cluster.nodes" } else { label }.into(),
            label: label.into(),
            values: values.iter().map(place).collect(),
            ignored_by: Vec::new(),
        }
    }

    /// Three policies; five sizes, and where two axes are asked for three loads, which lie next to each other.
    fn view(axes: usize) -> StudyView {
        let all = [axis("Nodes", &["8", "16", "24", "32", "40"]), axis("Arrival rate", &["× 0.5", "× 1", "× 2"])];
        let mut view = StudyView {
            policies: vec!["fixed".into(), "edf".into(), "pollux".into()],
            axes: all.into_iter().take(axes).collect(),
            ..StudyView::default()
        };
        view.seeds = vec![3; 3 * view.points()];
        view
    }

    fn check(axes: usize, from: (usize, usize), how: Move, expected: (usize, usize)) {
        assert_eq!(moved(&view(axes), from, how), expected, "{how:?} from {from:?} with {axes} axes");
    }

    #[test]
    fn moves_go_along_axes_and_policies_and_stop_at_edges() {
        check(1, (1, 2), Move::Step(PointStep::Right), (1, 3));
        check(1, (1, 4), Move::Step(PointStep::Right), (1, 4));
        check(1, (1, 2), Move::Step(PointStep::Up), (0, 2));
        // With two axes, a size is three points from the next, and policies have keys of their own.
        check(2, (1, 4), Move::Step(PointStep::Right), (1, 7));
        check(2, (1, 4), Move::Step(PointStep::Up), (1, 5));
        check(2, (1, 4), Move::PolicyBelow, (2, 4));
        check(2, (2, 4), Move::PolicyBelow, (2, 4));
        check(2, (0, 4), Move::PolicyAbove, (0, 4));
    }

    #[test]
    fn the_smallest_answer_is_looked_at_first() {
        let answer = |policy: u32, answer: Option<u32>| AnswerView {
            policy,
            line: vec![0, 1, 2, 3, 4],
            answer,
            bracket: None,
            isolated: Vec::new(),
            confirmed: None,
            is_settled: true,
            words: String::new(),
        };
        let (mut view, two) = (view(1), view(2));
        assert_eq!(first_look(&view), (0, 2), "without an answer, the middle");
        view.answers = vec![answer(0, None), answer(1, Some(3)), answer(2, Some(1))];
        assert_eq!(first_look(&view), (2, 1));
        assert_eq!(first_look(&two), (0, 7), "a load as it is");
    }

    #[test]
    fn a_second_point_is_opened_beside_the_first() {
        let (mut page, ..) = page_with_pool();
        assert!(page.open_in_study(false).is_none(), "without a study there is nothing to open");
        page.study.shown = Some(Shown { view: Rc::new(view(1)), runs: vec![1, 2, 3], is_stale: false });
        let opened = |page: &mut Page, is_second| match page.open_in_study(is_second) {
            Some(StudyMsg::Open(points)) => points,
            _ => Vec::new(),
        };
        page.look_at(1, 3);
        assert_eq!(opened(&mut page, true), [], "the first is marked");
        assert_eq!(page.status.text, "Marked: 32 nodes. Shift Enter at another point compares the two");
        assert_eq!(opened(&mut page, true), [], "a point is not compared with itself");
        page.move_in_study(Move::Step(PointStep::Right));
        assert_eq!(opened(&mut page, true), [(1, 3), (1, 4)]);
        assert_eq!(opened(&mut page, false), [(1, 4)]);
        page.move_in_study(Move::Step(PointStep::Up));
        assert_eq!(opened(&mut page, true), [(1, 4), (0, 4)], "an opened one counts as the first");
    }
}
