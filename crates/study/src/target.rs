//! What an axis varies, and how a scenario or a policy is changed to one of its values.

use std::sync::Arc;

use elastiplan_model::{Curve, Curves, Law, PowerLaw, Trace};
use elastiplan_policies::{Parameter, PolicySpec};
use elastiplan_scenario::Scenario;
use elastiplan_scenario::fields::{FIELDS, Field};
use elastiplan_text::nearest;

use crate::StudyError;

/// The key of the share of the jobs.
pub const JOBS_SHARE: &str = "jobs.share";
/// The key of how well jobs scale.
pub const POWER_FACTOR: &str = "curves.power.factor";

/// What is varied.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// A field of the scenario.
    Field(&'static Field),
    /// A parameter of all runs of a policy.
    Parameter { policy: &'static str, parameter: &'static Parameter },
    /// The share of the jobs that are there: every third of them, for a third.
    JobsShare,
    /// Every doubling of the GPUs multiplies the throughput per GPU by this factor; one GPU is as fast as measured.
    PowerFactor,
}

impl Target {
    /// The target of a key; it has to be there in one of the policies if it is a parameter.
    pub fn named(key: &str, policies: &[PolicySpec]) -> Result<Self, StudyError> {
        match key {
            JOBS_SHARE => return Ok(Self::JobsShare),
            POWER_FACTOR => return Ok(Self::PowerFactor),
            "seed" => {
                return Err(StudyError::new(
                    "axes.seed",
                    "an axis of seeds",
                    "varied: write \"seeds\" beside the axes",
                ));
            }
            _ => {}
        }
        if let Some(field) = Field::named(key) {
            return Ok(Self::Field(field));
        }
        let entries = policies.iter().filter_map(PolicySpec::entry);
        let parameters = entries.flat_map(|entry| entry.parameters.iter().map(move |known| (entry.name, known)));
        let parameters: Vec<(&str, &'static Parameter)> = parameters.collect();
        let key_of = |(policy, parameter): &(&str, &Parameter)| format!("{policy}.{}", parameter.name);
        if let Some(&(policy, parameter)) = parameters.iter().find(|known| key == key_of(known)) {
            return Ok(Self::Parameter { policy, parameter });
        }
        let known = FIELDS.iter().map(|field| field.key.to_string()).chain([JOBS_SHARE.into(), POWER_FACTOR.into()]);
        let known: Vec<String> = known.chain(parameters.iter().map(key_of)).collect();
        let meant = nearest(key, known.iter().map(String::as_str))
            .map_or(String::new(), |key| format!("; did you mean {key}?"));
        let rule = format!("a field of the scenario or a parameter of one of its policies{meant}");
        Err(StudyError::new("axes", key, rule))
    }

    /// Its name in sentences: `nodes`.
    pub fn label(&self) -> String {
        match self {
            Self::Field(field) => field.label().to_lowercase(),
            Self::Parameter { policy, parameter } => format!("{} of {policy}", parameter.label().0),
            Self::JobsShare => "share of the jobs".into(),
            Self::PowerFactor => "throughput per GPU with each doubling".into(),
        }
    }

    /// The unit of a parameter's values; that of a field stands with its control.
    pub fn unit(&self) -> &'static str {
        match self {
            Self::Parameter { parameter, .. } => parameter.label().1,
            _ => "",
        }
    }

    /// Whether it changes the runs of a policy.
    pub fn concerns(&self, spec: &PolicySpec) -> bool {
        !matches!(self, Self::Parameter { policy, .. } if *policy != spec.name())
    }

    /// The rule that a value breaks, if any.
    pub fn fault(&self, value: &str, policies: &[PolicySpec]) -> Option<String> {
        let in_range = |least: f64, most: f64| value.parse().is_ok_and(|value: f64| (least..=most).contains(&value));
        match self {
            Self::Field(field) => field.parse(value).err().map(|_| field.access.rule().into()),
            Self::Parameter { parameter, .. } => {
                let own = policies.iter().filter(|spec| self.concerns(spec));
                own.filter_map(|spec| spec.with(parameter.name, value).err()).map(|error| error.to_string()).next()
            }
            Self::JobsShare => (!in_range(0.000_1, 1.0)).then(|| "a share above 0, at most 1".into()),
            Self::PowerFactor => {
                (!in_range(0.5, 1.0)).then(|| "a factor from 0.5, with which more GPUs are no faster, to 1".into())
            }
        }
    }

    /// The policy at a value.
    pub fn policy(&self, spec: PolicySpec, value: &str) -> PolicySpec {
        match self {
            Self::Parameter { parameter, .. } if self.concerns(&spec) => {
                spec.with(parameter.name, value).unwrap_or(spec)
            }
            _ => spec,
        }
    }

    /// Changes a scenario to a value, which was checked.
    pub fn change(&self, scenario: &mut Scenario, value: &str) {
        match self {
            Self::Field(field) => {
                if let Ok(value) = field.parse(value) {
                    field.write(scenario, value);
                }
            }
            Self::Parameter { .. } => {}
            Self::JobsShare => scenario.trace = Arc::new(thinned(&scenario.trace, value.parse().unwrap_or(1.0))),
            Self::PowerFactor => {
                scenario.curves = Arc::new(with_factor(&scenario.curves, value.parse().unwrap_or(1.0)));
            }
        }
    }
}

/// Every job that brings the count so far up to the share: evenly over the trace, the same jobs at every point.
fn thinned(trace: &Trace, share: f64) -> Trace {
    let due = |count: usize| (count as f64 * share + 1e-9).floor();
    trace.filtered(|id, _| due(id.index() + 1) > due(id.index()))
}

/// The curves as power laws with this factor, each as fast on its smallest number of GPUs as it was. A curve that cannot
/// be written so is kept.
fn with_factor(curves: &Curves, factor: f64) -> Curves {
    let mut changed = Curves::default();
    for curve in curves.as_slice() {
        let smallest = curve.gpus_smallest();
        let doublings = libm::log2(f64::from(smallest));
        let single = curve.samples_per_s(smallest) / (f64::from(smallest) * libm::pow(factor, doublings));
        let law = PowerLaw { samples_per_s: single, factor, gpus_max: curve.gpus_largest() };
        let scaled = Curve::from_law(curve.key().clone(), Law::Power(law));
        changed.insert(scaled.unwrap_or_else(|_| curve.clone()));
    }
    changed
}
