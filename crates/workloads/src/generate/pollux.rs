//! `pollux`: the synthetic workload of Pollux's evaluation.
//!
//! Qiao et al., "Pollux: Co-adaptive Cluster Scheduling for Goodput-Optimized Deep Learning", OSDI 2021, sections 5.1 to
//! 5.3: jobs of four sizes by GPU time, submitted over the eight hours of a day in the middle of which most come, each a
//! whole training of one of the models of [`POLLUX`]. Jobs are tuned, or configured as users of Microsoft's cluster did
//! it. Times are whole seconds.
//!
//! [`POLLUX`]: crate::published::POLLUX

mod configure;

use elastiplan_model::order::sort_by;
use elastiplan_model::{Job, ModelId, Trace, Work};
use rand::RngExt;

use super::{Conflict, Generator, JOBS_MAX, Method, Parameter, Values, common, job, pick, rare, stream, trace};
use crate::published;
use configure::Configurations;

pub(super) const POLLUX: Generator = Generator {
    name: "pollux",
    summary: "Eight hours with a peak in the fourth, mostly small jobs, tuned or as users configure them",
    source: "Pollux, sections 5.1 to 5.3",
    curves: published::POLLUX.name,
    parameters: PARAMETERS,
    check,
    method: Method::Pollux,
};

const PARAMETERS: &[Parameter] = &[
    common("jobs", "Jobs", "How many jobs at load 1", 160.0, 1.0, JOBS_MAX).whole(),
    common("load", "Load", "Jobs are so many times as many in the same time", 1.0, 0.01, 100.0),
    common("realistic", "Configured by users", "Share of jobs with the GPUs and batch sizes of users", 0.0, 0.0, 1.0),
    rare("small", "Small jobs", "CIFAR-10 and NCF, in proportion to the others", 76.0, 1000.0),
    rare("medium", "Medium jobs", "DeepSpeech2 and BERT, in proportion to the others", 17.0, 1000.0),
    rare("large", "Large jobs", "YOLOv3, in proportion to the others", 5.0, 1000.0),
    rare("x_large", "Very large jobs", "ImageNet, in proportion to the others", 2.0, 1000.0),
    rare("bert_share", "BERT among medium jobs", "Share of medium jobs that train BERT", 0.0, 1.0),
];

/// Submissions in each of the eight hours: those of Microsoft's trace from 4 to 12 o'clock (of jobs that run for at
/// least a minute and take less than 1,000 GPU-hours), the fourth hour of which is the peak of the day.
const BY_HOUR: [f64; 8] = [2240.0, 3728.0, 5169.0, 6585.0, 3499.0, 3154.0, 2933.0, 2603.0];

/// Jobs of one size.
struct Category {
    /// The parameter that says how many there are.
    share: &'static str,
    models: &'static [&'static str],
    /// The GPUs that users asked for, and how often: in the same trace and hours, by GPU time.
    gpus: &'static [(u32, f64)],
}

const CATEGORIES: [Category; 4] = [
    Category {
        share: "small",
        models: &["cifar10", "ncf"],
        gpus: &[(1, 22_462.0), (2, 72.0), (4, 201.0), (8, 88.0), (16, 10.0)],
    },
    Category {
        share: "medium",
        models: &["deepspeech2", "bert"],
        gpus: &[(1, 5013.0), (2, 8.0), (4, 77.0), (8, 97.0), (12, 2.0), (16, 17.0), (24, 4.0), (32, 10.0)],
    },
    Category {
        share: "large",
        models: &["yolov3"],
        gpus: &[(1, 837.0), (2, 41.0), (4, 252.0), (8, 168.0), (12, 1.0), (16, 12.0), (32, 9.0), (64, 2.0)],
    },
    Category {
        share: "x_large",
        models: &["imagenet"],
        gpus: &[(1, 111.0), (2, 6.0), (4, 133.0), (8, 237.0), (16, 32.0), (32, 9.0)],
    },
];

fn check(values: &Values<'_>) -> Option<Conflict> {
    let jobs = values.get("jobs") * values.get("load");
    if jobs > JOBS_MAX {
        let rule = format!("small enough for at most {JOBS_MAX} jobs: jobs is {}", values.get("jobs"));
        return Some(Conflict { parameter: "load", rule });
    }
    let any = CATEGORIES.iter().any(|category| values.get(category.share) > 0.0);
    (!any).then(|| Conflict { parameter: "small", rule: "above 0, as one of small to x_large has to be".into() })
}

/// How often a model is trained among those of its category.
fn weight(values: &Values<'_>, model: &str) -> f64 {
    match model {
        "bert" => values.get("bert_share"),
        "deepspeech2" => 1.0 - values.get("bert_share"),
        _ => 1.0,
    }
}

/// Every quantity of a job has a stream of its own: more load, or more jobs of users, leaves the others as they are.
pub(super) fn draw(values: &Values<'_>, seed: u64) -> Trace {
    let mut streams: [_; 7] = std::array::from_fn(|number| stream(seed, number as u64));
    let models = published::POLLUX.models();
    let mut configurations: Vec<_> = published::POLLUX.formulas.iter().map(Configurations::of).collect();
    let count = values.0.jobs();
    let mut jobs: Vec<Job> = Vec::with_capacity(count);
    for _ in 0..count {
        let [arrival, size, model, by_user, setting, gpus, batch] =
            std::array::from_fn(|at| streams.get_mut(at).map_or(0.0, |stream| stream.random::<f64>()));
        let shares = CATEGORIES.iter().map(|category| (category, values.get(category.share)));
        let Some(category) = pick(shares, size) else { continue };
        let of_category = category.models.iter().map(|name| (*name, weight(values, name)));
        let name = pick(of_category, model).unwrap_or_default();
        let known = models.iter().position(|known| *known == name);
        let Some((id, of_model)) = known.and_then(|id| Some((id, configurations.get_mut(id)?))) else { continue };
        let asks = match by_user < values.get("realistic") {
            true => of_model.of_user(pick(category.gpus.iter().copied(), gpus).unwrap_or(1), batch),
            false => of_model.tuned(setting),
        };
        let Some(asks) = asks else { continue };
        let drawn = job(String::new(), submit_s(arrival), ModelId(id as u32), asks.gpus, Work::Trainings(1.0));
        jobs.push(Job { batch_global: Some(asks.batch_global), gpus_max: Some(of_model.gpus_max()), ..drawn });
    }
    // Names count in order of submission.
    sort_by(&mut jobs, |a, b| a.submit_s.total_cmp(&b.submit_s));
    for (number, job) in (1..).zip(&mut jobs) {
        let model = models.get(job.model.0 as usize).copied().unwrap_or_default();
        job.name = format!("{model}-{number}");
    }
    trace(models, jobs)
}

/// Seconds after the start of the eight hours: `at` (from 0 to 1) is the share of submissions before.
fn submit_s(at: f64) -> f64 {
    let mut left = at * BY_HOUR.iter().sum::<f64>();
    let mut start_s = 0.0;
    for submissions in BY_HOUR {
        if left < submissions {
            return (start_s + 3600.0 * left / submissions).floor();
        }
        left -= submissions;
        start_s += 3600.0;
    }
    start_s - 1.0
}
