//! Keys on the points of a study.

use super::maps::second_axis;
use super::{Cell, StudyView};
use crate::figure::points::PointId;

/// A step with an arrow key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointStep {
    /// To a smaller value of the axis of the question.
    Left,
    /// To a larger one.
    Right,
    /// To the policy before; in maps, to the row above.
    Up,
    /// To the policy after; in maps, to the row below.
    Down,
}

/// The next known point in a direction; where it is if there is none.
pub fn step(view: &StudyView, from: PointId, step: PointStep) -> PointId {
    let from = PointId {
        policy: from.policy.min(view.policies.len().saturating_sub(1) as u32),
        point: from.point.min(view.points().saturating_sub(1) as u32),
    };
    let place_on = |axis: usize| view.places(from.point as usize).get(axis).copied().unwrap_or_default();
    let along = |axis: usize, forward: bool| -> Vec<PointId> {
        let line = view.line(from.point as usize, axis).into_iter();
        let ids = line.map(|point| PointId { point: point as u32, ..from });
        ahead(ids.collect(), place_on(axis), forward)
    };
    let candidates = match (step, second_axis(view)) {
        (PointStep::Left, _) => along(view.find, false),
        (PointStep::Right, _) => along(view.find, true),
        (PointStep::Up, Some(axis)) => along(axis, true),
        (PointStep::Down, Some(axis)) => along(axis, false),
        (PointStep::Up | PointStep::Down, None) => {
            let policies = (0..view.policies.len() as u32).map(|policy| PointId { policy, ..from });
            ahead(policies.collect(), from.policy as usize, step == PointStep::Down)
        }
    };
    candidates.into_iter().find(|id| is_known(view, *id)).unwrap_or(from)
}

/// What comes after a place, or before it, the nearest first.
fn ahead(all: Vec<PointId>, place: usize, forward: bool) -> Vec<PointId> {
    match forward {
        true => all.into_iter().skip(place + 1).collect(),
        false => all.into_iter().take(place).rev().collect(),
    }
}

/// Whether there is a run: a value to read, or a failure.
pub fn is_known(view: &StudyView, id: PointId) -> bool {
    let at = view.at(id.policy as usize, id.point as usize);
    view.seeds.get(at).is_some_and(|seeds| *seeds > 0) || view.cells.get(at).is_some_and(|cell| *cell != Cell::Unknown)
}
