//! What jobs lack and the scenario draws: models, deadlines, users; and batch sizes that follow from their own.
//!
//! Every job has a stream of random numbers of its own, by its name and the seed of the scenario: a job that is added or
//! left out changes nothing for the others, and all policies meet the same jobs.

mod interval;
mod models;
mod users;

use elastiplan_model::{
    Assumption, BatchRange, CurveKey, Curves, Diagnostic, Job, JobId, ModelId, Severity, Trace, Workload, limits, order,
};
use elastiplan_text::{format, words};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::Conditions;
pub use interval::Interval;
pub use models::ModelMix;
pub use users::Users;

/// What is drawn or assumed for jobs that lack it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Drawn {
    /// The seed, 0 where nothing random is drawn: binding depends on it only then.
    seed: u64,
    deadlines: Option<Interval>,
    models: Option<ModelMix>,
    batches: Option<Interval>,
    users: Option<Users>,
}

impl Conditions {
    /// Whether the seed draws something of the jobs.
    pub fn draws_of_jobs(&self) -> bool {
        self.deadline_tightness.is_some() || self.model_mix.is_some() || self.users.is_some()
    }

    pub(crate) fn drawn(&self) -> Drawn {
        Drawn {
            seed: if self.draws_of_jobs() { self.seed } else { 0 },
            deadlines: self.deadline_tightness,
            models: self.model_mix,
            batches: self.batch_range,
            users: self.users,
        }
    }
}

impl Drawn {
    /// The trace with models, batch sizes and users for jobs that lack them; `None` where nothing changes. They keep
    /// jobs valid and in order.
    pub fn completed(&self, trace: &Trace, curves: &Curves, findings: &mut Vec<Diagnostic>) -> Option<Trace> {
        if self.models.is_none() && self.batches.is_none() && self.users.is_none() {
            return None;
        }
        let mut models = trace.models().to_vec();
        let mut jobs = trace.jobs().to_vec();
        let [mut with_model, mut with_batches, mut with_user] = [const { Vec::new() }; 3];
        let mix = self.models.map(|mix| mix.weighted(curves));
        let users = self.users.map(|users| users.sums());
        for job in &mut jobs {
            let draws = Draws::of(self.seed, &job.name);
            let is_nameless = is_without_model(&models, job.model);
            if let Some(key) = mix.as_ref().filter(|_| is_nameless).and_then(|mix| mix.pick(draws.model, draws.batch)) {
                set_model(job, key, &mut models);
                with_model.push(job.source_row);
            }
            if let Some(range) = self.batches.and_then(|factors| batch_range(job, factors)) {
                job.batch_range = Some(range);
                with_batches.push(job.source_row);
            }
            if let (Some(users), None) = (&users, &job.user) {
                job.user = Some(users.pick(draws.user));
                with_user.push(job.source_row);
            }
        }
        let seed = self.seed;
        if let Some(mix) = self.models {
            let without = || jobs.iter().filter(|job| is_without_model(&models, job.model)).map(|job| job.source_row);
            findings.extend(match curves.is_empty() && mix.is_of_curves() {
                true => finding(Severity::Error, "model", without().collect(), |jobs| {
                    let outcome = format!("No model is drawn for {jobs}");
                    (
                        "Curves to draw models from",
                        outcome,
                        "Add throughput curves, or write a mix of models with weights",
                    )
                }),
                false => finding(Severity::Warning, "model", with_model, |jobs| {
                    let outcome = format!("Drawn for {jobs} from {mix}, with seed {seed}");
                    ("A model for each job", outcome, "Add the column model")
                }),
            });
        }
        if let Some(factors) = self.batches {
            findings.extend(finding(Severity::Warning, "batch_min", with_batches, |jobs| {
                let outcome = format!("{factors} times the batch size of its own is assumed for {jobs}");
                ("A range of batch sizes", outcome, "Add the columns batch_min and batch_max")
            }));
        }
        if let Some(users) = self.users {
            findings.extend(finding(Severity::Warning, "user", with_user, |jobs| {
                let outcome = format!("Drawn for {jobs} among {}, with seed {seed}", users.words());
                ("A user for each job", outcome, "Add the column user")
            }));
        }
        Trace::new(models, jobs).ok()
    }

    /// Draws deadlines for jobs without one: so many times the run time on the GPUs that they ask for, as a trace with
    /// them would have it, before factors of work and deadlines.
    pub fn add_deadlines(&self, conditions: &Conditions, workload: &mut Workload, findings: &mut Vec<Diagnostic>) {
        let Some(tightness) = self.deadlines else { return };
        let (mut rows, mut short) = (Vec::new(), 0);
        workload.add_deadlines(|job, run_s| {
            let factor = deadline_factor(tightness, self.seed, &job.name);
            let slack_s = factor * (run_s / conditions.work) * conditions.deadline_slack;
            rows.push(job.source_row);
            short += u64::from(slack_s < run_s);
            job.submit_s + slack_s
        });
        findings.extend(finding(Severity::Warning, "deadline_s", rows, |jobs| {
            let more_gpus = match short {
                0 => String::new(),
                short => format!(". {} need more GPUs than they ask for to meet it", format::count(short)),
            };
            let times = format!("{tightness} times the run time on the GPUs requested");
            let outcome = format!("Drawn for {jobs}: {times}, with seed {}{more_gpus}", self.seed);
            ("A deadline for each job", outcome, "Add the column deadline_s")
        }));
    }

    /// Notes in a workload what was drawn for which job; `before` are the jobs as they were loaded, in the same order.
    pub fn note(&self, before: &Trace, workload: &mut Workload) {
        if self.models.is_none() && self.batches.is_none() && self.users.is_none() {
            return;
        }
        let mut noted = Vec::new();
        let mut loaded = before.jobs().iter();
        // Binding leaves jobs out and keeps the order.
        for (id, job) in workload.trace().iter() {
            let Some(known) = loaded.find(|known| known.name == job.name) else { break };
            let was_nameless = is_without_model(before.models(), known.model);
            let has_model = !is_without_model(workload.trace().models(), job.model);
            let changes = [
                (was_nameless && has_model, Assumption::Model),
                (known.batch_range.is_none() && job.batch_range.is_some(), Assumption::Batches),
                (known.user.is_none() && job.user.is_some(), Assumption::User),
            ];
            noted.extend(changes.into_iter().filter(|(is_new, _)| *is_new).map(|(_, what)| (id, what)));
        }
        let note = |(id, what): (JobId, Assumption)| workload.note_assumption(id, what);
        noted.into_iter().for_each(note);
    }
}

/// The factor that is drawn for the deadline of a job of this name: the deadline is the submission plus so many times the
/// run time on the GPUs that the job asks for.
pub fn deadline_factor(tightness: Interval, seed: u64, job_name: &str) -> f64 {
    tightness.at(Draws::of(seed, job_name).deadline)
}

fn is_without_model(models: &[String], model: ModelId) -> bool {
    models.get(model.0 as usize).is_none_or(|name| name == Trace::NO_MODEL)
}

/// Gives a job a model, and the batch size of its curve where it has none and no range to choose from.
fn set_model(job: &mut Job, key: &CurveKey, models: &mut Vec<String>) {
    let known = models.iter().position(|name| *name == key.model);
    let index = known.unwrap_or_else(|| {
        models.push(key.model.clone());
        models.len() - 1
    });
    job.model = ModelId(u32::try_from(index).unwrap_or_default());
    if job.batch_range.is_none() {
        job.batch_global = job.batch_global.or(key.batch_global);
    }
}

/// The range of batch sizes around a job's own; `None` where it has a range, or no batch size.
fn batch_range(job: &Job, factors: Interval) -> Option<BatchRange> {
    let own = job.batch_global.filter(|_| job.batch_range.is_none())?;
    let times = |factor: f64| (f64::from(own) * factor).round().clamp(1.0, f64::from(limits::BATCH_MAX)) as u32;
    Some(BatchRange { least: times(factors.from()).min(own), most: times(factors.to()).max(own) })
}

/// What was done for jobs of these rows: the rule, the outcome for so many jobs in words, and the advice. `None` for no
/// jobs.
fn finding(
    severity: Severity,
    column: &str,
    mut rows: Vec<u64>,
    words_for: impl FnOnce(&str) -> (&'static str, String, &'static str),
) -> Option<Diagnostic> {
    if rows.is_empty() {
        return None;
    }
    let (rule, outcome, repair) = words_for(&words::counted(rows.len() as u64, "job", "jobs"));
    let mut found = Diagnostic::new(severity, rule, outcome, repair).in_column(column).with_count(0);
    order::sort_by_key(&mut rows, |row| *row);
    // Jobs that were not read have no row.
    rows.into_iter().for_each(|row| found.add_row(Some(row).filter(|&row| row > 0)));
    Some(found)
}

/// The random numbers of a job, from 0 to below 1. All are drawn, whether they are needed or not: what is drawn in
/// addition changes nothing else.
struct Draws {
    deadline: f64,
    model: f64,
    batch: f64,
    user: f64,
}

impl Draws {
    fn of(seed: u64, job_name: &str) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream(job_name));
        let [deadline, model, batch, user] = std::array::from_fn(|_| random.random());
        Self { deadline, model, batch, user }
    }
}

/// The number of a job's stream: its name by FNV-1a, beyond the streams of faults.
fn stream(name: &str) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    name.bytes().fold(BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME)) | 1 << 63
}
