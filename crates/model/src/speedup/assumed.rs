//! Curves by a law, for jobs whose model has none.

use super::SpeedupLaw;
use crate::{Curve, CurveKey, Curves, Job, Trace, Work};

/// A law for the jobs without a curve of one trace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assumed {
    pub law: SpeedupLaw,
    /// GPUs that the law is computed up to.
    pub gpus_max: u32,
}

/// The shape of a job's speed under a law.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// The curve with this name, which is that of jobs with so many seconds of work on one GPU.
    Curve { name: String, work_s: f64 },
    /// A curve, of which the job uses one point only: it runs on the GPUs that it asks for.
    Rigid(String),
    /// The same, since the overheads of the law alone take longer than the job.
    TooShort(String),
    /// The measured curve of this model.
    Like(String),
    /// None: the job does not say how long it takes.
    NoDuration,
}

impl Assumed {
    /// A law for a trace on a cluster with so many GPUs.
    pub fn new(law: SpeedupLaw, trace: &Trace, gpus_total: u32) -> Self {
        let most = trace.jobs().iter().map(|job| job.gpus_requested.max(job.gpus_max.unwrap_or(1))).max();
        Self { law, gpus_max: most.unwrap_or(1).max(gpus_total).min(crate::limits::GPUS_MAX) }
    }

    /// The shape for a job of a model without a curve.
    pub fn shape(&self, job: &Job, model: &str) -> Shape {
        let gpus = f64::from(job.gpus_requested);
        let duration_s = match job.work {
            Work::DurationOnRequested(duration_s) => duration_s,
            Work::GpuSeconds(gpu_seconds) => gpu_seconds / gpus,
            Work::Samples(_) | Work::Iterations(_) | Work::Epochs { .. } | Work::Trainings(_) => {
                return Shape::NoDuration;
            }
        };
        let name = format!("{model} by {}", self.law);
        match self.law {
            SpeedupLaw::Like(model) => Shape::Like(model.to_string()),
            SpeedupLaw::Rigid => Shape::Rigid(name),
            SpeedupLaw::Sevcik(law) => match law.work_s(gpus, duration_s) {
                Some(work_s) => {
                    let work_s = law.class_of(work_s);
                    Shape::Curve { name: format!("{name} with {work_s:.3e} s of work"), work_s }
                }
                None => Shape::TooShort(format!("{model} by rigid")),
            },
            _ => Shape::Curve { name, work_s: duration_s },
        }
    }

    /// Adds the curves that jobs of a trace need.
    pub fn add_curves(&self, trace: &Trace, curves: &mut Curves) {
        for job in trace.jobs() {
            let model = trace.model_name(job.model);
            if !curves.of_model(model).is_empty() {
                continue;
            }
            let (name, law, work_s) = match self.shape(job, model) {
                Shape::Curve { name, work_s } => (name, self.law, work_s),
                Shape::Rigid(name) | Shape::TooShort(name) => (name, SpeedupLaw::Rigid, 1.0),
                Shape::Like(_) | Shape::NoDuration => continue,
            };
            if curves.of_model(&name).is_empty()
                && let Some(curve) = self.curve(law, name, work_s)
            {
                curves.insert(curve);
            }
        }
    }

    /// The curve of a law for jobs with so much work: its samples are seconds of work on one GPU.
    fn curve(&self, law: SpeedupLaw, name: String, work_s: f64) -> Option<Curve> {
        let points = gpu_counts(self.gpus_max).map(|gpus| Some((gpus, law.speedup(gpus, work_s)?)));
        let key = CurveKey { model: name, batch_global: None };
        Curve::new(key, points.collect::<Option<Vec<_>>>()?).ok().map(Curve::ending_at_last_point)
    }
}

/// Every number up to 64; then in steps of a 64th, between which a straight line is off by less than 1 in 30,000.
fn gpu_counts(most: u32) -> impl Iterator<Item = u32> {
    let next = move |gpus: &u32| (*gpus < most).then(|| (gpus + (gpus / 64).max(1)).min(most));
    std::iter::successors(Some(1), next)
}
