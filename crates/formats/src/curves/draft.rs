//! Measured points to curves: the drafts that all throughput files share.
//!
//! A throughput that is 0 or missing says that the model does not run on that many GPUs: there is no point, and if
//! nothing larger runs either, the curve ends for good at its last point.

use std::collections::BTreeMap;

use elastiplan_model::{Curve, CurveKey, CurvePoint, Detail, Diagnostic, Severity};

use crate::text::findings::{Effect, Finding, Findings};
use crate::text::values;

pub(crate) const NOT_RUNNABLE: Finding = Finding::new(
    Effect::None,
    "A throughput above 0 where the model runs",
    "Taken as: does not run on that many GPUs",
    "Fill in the value if it does",
);
/// Measured speeds by the number of GPUs; `None` stands for "does not run".
pub(crate) type Points = BTreeMap<u32, Option<f64>>;

/// The location of the GPUs of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Location {
    /// On as few nodes as possible, or unknown for all points of the curve.
    Packed,
    /// On more nodes than needed.
    Spread,
    /// On this number of nodes.
    Nodes(u32),
}

/// A curve while its points are collected.
#[derive(Default)]
pub(crate) struct Draft {
    packed: Points,
    spread: Points,
    /// By GPUs and nodes.
    by_nodes: BTreeMap<(u32, u32), Option<f64>>,
}

impl From<Points> for Draft {
    fn from(packed: Points) -> Self {
        Self { packed, ..Self::default() }
    }
}

impl Draft {
    /// Adds a point; false if the location already has one.
    pub fn add(&mut self, gpus: u32, location: Location, speed: Option<f64>) -> bool {
        match location {
            Location::Packed => add(&mut self.packed, gpus, speed),
            Location::Spread => add(&mut self.spread, gpus, speed),
            Location::Nodes(nodes) => add(&mut self.by_nodes, (gpus, nodes), speed),
        }
    }

    /// Whether its points are by number of nodes; points without it are not used then.
    pub fn is_by_nodes(&self) -> bool {
        runs(&self.by_nodes)
    }

    /// Whether it has points for spread GPUs as well as for packed ones.
    pub fn has_spread(&self) -> bool {
        runs(&self.spread) && runs(&self.packed) && !self.is_by_nodes()
    }

    /// Whether it has points for spread GPUs only.
    fn is_spread_only(&self) -> bool {
        runs(&self.spread) && !runs(&self.packed) && !self.is_by_nodes()
    }

    fn curve(&self, key: CurveKey) -> Option<Curve> {
        let curve = if self.is_by_nodes() {
            let point = |(&(gpus, nodes), &speed): (&(u32, u32), &Option<f64>)| {
                speed.map(|samples_per_s| (nodes, CurvePoint { gpus, samples_per_s }))
            };
            Curve::by_nodes(key, self.by_nodes.iter().filter_map(point))
        } else {
            let points = |points: &Points| -> Vec<(u32, f64)> {
                points.iter().filter_map(|(&gpus, &speed)| Some((gpus, speed?))).collect()
            };
            let own = if self.is_spread_only() { &self.spread } else { &self.packed };
            let spread =
                points(&self.spread).into_iter().map(|(gpus, samples_per_s)| CurvePoint { gpus, samples_per_s });
            let curve = Curve::new(key, points(own));
            if self.has_spread() { curve.and_then(|curve| curve.with_spread(spread.collect())) } else { curve }
        };
        let curve = curve.ok()?;
        let stops = |speed: &Option<f64>| speed.is_none();
        let packed = self.packed.iter().filter(|(_, speed)| stops(speed)).map(|(&gpus, _)| gpus);
        let by_nodes = self.by_nodes.iter().filter(|(_, speed)| stops(speed)).map(|(&(gpus, _), _)| gpus);
        let ends = packed.chain(by_nodes).any(|gpus| gpus > curve.gpus_largest());
        Some(if ends { curve.ending_at_last_point() } else { curve })
    }
}

fn add<K: Ord>(points: &mut BTreeMap<K, Option<f64>>, at: K, speed: Option<f64>) -> bool {
    let before = points.len();
    points.entry(at).or_insert(speed);
    points.len() > before
}

/// Whether the model runs at one of the points.
fn runs<K>(points: &BTreeMap<K, Option<f64>>) -> bool {
    points.values().any(Option::is_some)
}

/// The number of measured points of a curve, wherever their GPUs were.
pub(crate) fn points_of(curve: &Curve) -> usize {
    let own = curve.points().len();
    match curve.detail() {
        Detail::CountOnly | Detail::Law(_) | Detail::Profile(_) => own,
        Detail::Spread(spread) => own + spread.len(),
        Detail::ByNodes(groups) => groups.iter().map(|(_, points)| points.len()).sum(),
    }
}

/// The curves of collected points, with findings about models that run nowhere, that were measured only once, or only
/// on spread GPUs.
pub(crate) fn finish(
    drafts: impl IntoIterator<Item = (CurveKey, impl Into<Draft>)>,
    findings: &mut Findings,
) -> Vec<Curve> {
    let (mut curves, mut nowhere, mut single) = (Vec::new(), Few::default(), Few::default());
    let mut spread_only = Few::default();
    for (key, draft) in drafts {
        let (key, draft) = (CurveKey { model: values::name(key.model.into()).into_owned(), ..key }, draft.into());
        match draft.curve(key.clone()) {
            Some(curve) => {
                if curve.points().len() == 1 && curve.runs_beyond() {
                    single.add(&key);
                }
                if draft.is_spread_only() {
                    spread_only.add(&key);
                }
                curves.push(curve);
            }
            None => nowhere.add(&key),
        }
    }
    nowhere.report(findings, Severity::Error, "A number of GPUs on which the model runs", "Curve left out");
    let everywhere = "The points for spread GPUs are used for packed ones too";
    spread_only.report(findings, Severity::Warning, "Points for packed GPUs beside those for spread ones", everywhere);
    let held = "Its speed is used for every larger number of GPUs";
    single.report(findings, Severity::Info, "Two measured points or more make a curve", held);
    curves
}

/// Curves that one finding is about: the first by name, and how many there are.
#[derive(Default)]
struct Few {
    first: Option<CurveKey>,
    count: u64,
}

impl Few {
    fn add(&mut self, key: &CurveKey) {
        self.first.get_or_insert_with(|| key.clone());
        self.count += 1;
    }

    fn report(self, findings: &mut Findings, severity: Severity, rule: &str, outcome: &str) {
        let Some(first) = self.first else { return };
        let value = match self.count {
            1 => first.to_string(),
            count => format!("{first} and {} more", count - 1),
        };
        let finding = Diagnostic::new(severity, rule, outcome, "Add measured points");
        findings.file(finding.with_value(value).with_count(self.count));
    }
}
