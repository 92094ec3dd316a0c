//! Measured points of a curve in a document.

use std::collections::BTreeSet;

use elastiplan_model::{Curve, CurveError, CurveKey, CurvePoint, Efficiency};
use serde::{Deserialize, Serialize};

use super::Speed;
use super::place::{Checked, Place};

/// Points by the number of GPUs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct MeasuredPart {
    /// GPUs on as few nodes as possible, or on whatever nodes without the other list.
    points: Vec<CurvePoint>,
    /// GPUs on more nodes than are needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spread: Option<Vec<CurvePoint>>,
    /// Whether it runs on more GPUs than were measured, as fast as on the most that were.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    runs_beyond: bool,
}

/// Points by the numbers of GPUs and nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct ByNodesPart {
    points: Vec<NodesPointPart>,
    /// Whether it runs on more GPUs than were measured, as fast as on the most that were.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    runs_beyond: bool,
}

/// A point that says on how many nodes it was measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct NodesPointPart {
    gpus: u32,
    nodes: u32,
    /// Samples processed in a second by all GPUs together.
    samples_per_s: f64,
}

fn yes() -> bool {
    true
}

fn is_yes(value: &bool) -> bool {
    *value
}

fn ending(curve: Curve, runs_beyond: bool) -> Curve {
    if runs_beyond { curve } else { curve.ending_at_last_point() }
}

impl MeasuredPart {
    pub fn of(curve: &Curve, spread: Option<&Vec<CurvePoint>>) -> Self {
        Self { points: curve.points().to_vec(), spread: spread.cloned(), runs_beyond: curve.runs_beyond() }
    }
}

impl Speed for MeasuredPart {
    fn check(&self, place: &Place, _: Option<u32>) -> Checked {
        check_points(place, "points", &self.points)?;
        self.spread.as_ref().map_or(Ok(()), |spread| check_points(place, "spread", spread))
    }

    fn curve(&self, key: CurveKey, _: Option<&Efficiency>) -> Result<Curve, CurveError> {
        let curve = Curve::new(key, self.points.iter().map(|point| (point.gpus, point.samples_per_s)))?;
        let curve = match &self.spread {
            Some(spread) => curve.with_spread(spread.clone())?,
            None => curve,
        };
        Ok(ending(curve, self.runs_beyond))
    }
}

/// Checks points in any order, each number of GPUs once.
fn check_points(place: &Place, list: &str, points: &[CurvePoint]) -> Checked {
    let mut known = BTreeSet::new();
    check_list(place, list, points, |place, &CurvePoint { gpus, samples_per_s }| {
        place.gpus(gpus)?;
        place.speed(samples_per_s)?;
        place.check("gpus", gpus, known.insert(gpus), "a number of GPUs that stands there once")
    })
}

/// Checks that a list has a point, and each of them.
fn check_list<T>(place: &Place, list: &str, points: &[T], mut check: impl FnMut(&Place, &T) -> Checked) -> Checked {
    place.not_empty(list, points, "point")?;
    points.iter().enumerate().try_for_each(|(at, point)| check(&place.entry(list, at), point))
}

impl ByNodesPart {
    pub fn of(curve: &Curve, groups: &[(u32, Vec<CurvePoint>)]) -> Self {
        let on = |(nodes, points): &(u32, Vec<CurvePoint>)| {
            let nodes = *nodes;
            let point = move |&CurvePoint { gpus, samples_per_s }: &_| NodesPointPart { gpus, nodes, samples_per_s };
            points.iter().map(point).collect::<Vec<_>>()
        };
        Self { points: groups.iter().flat_map(on).collect(), runs_beyond: curve.runs_beyond() }
    }
}

impl Speed for ByNodesPart {
    fn check(&self, place: &Place, _: Option<u32>) -> Checked {
        let mut known = BTreeSet::new();
        check_list(place, "points", &self.points, |place, &NodesPointPart { gpus, nodes, samples_per_s }| {
            place.gpus(gpus)?;
            place.nodes(nodes, gpus)?;
            place.speed(samples_per_s)?;
            let once = "a number of nodes that stands there once for these GPUs";
            place.check("nodes", nodes, known.insert((gpus, nodes)), once)
        })
    }

    fn curve(&self, key: CurveKey, _: Option<&Efficiency>) -> Result<Curve, CurveError> {
        let row = |&NodesPointPart { gpus, nodes, samples_per_s }: &_| (nodes, CurvePoint { gpus, samples_per_s });
        Curve::by_nodes(key, self.points.iter().map(row)).map(|curve| ending(curve, self.runs_beyond))
    }
}
