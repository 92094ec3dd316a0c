//! Workloads that are drawn. A generator is a file here, one line in [`GENERATORS`] and one in [`Generator::draw`]; what it lets a person set is a
//! list, from which documents, the command line and the page make what they show.
//!
//! Same generator, same parameters, same seed: the same jobs to the bit, everywhere.

mod bftrainer;
mod elasticflow;
mod ibm;
mod idle_nodes;
mod modelarts;
mod pollux;
mod spec;

use elastiplan_model::{Job, ModelId, Trace, Work};
use rand_chacha::ChaCha8Rng;

use crate::published::{A100, T4};

pub use idle_nodes::IdleNodesSpec;
pub use spec::{GeneratorError, GeneratorSpec};

/// All generators, in the order in which a person meets them.
pub const GENERATORS: &[&Generator] = &[
    &elasticflow::OF_A100,
    &elasticflow::OF_T4,
    &pollux::POLLUX,
    &bftrainer::BFTRAINER,
    &modelarts::MODELARTS_JOBS,
    &ibm::IBM_BENCHMARK,
];

/// The most jobs that are drawn at a time.
pub const JOBS_MAX: f64 = 1_000_000.0;

/// A way to draw jobs.
#[derive(Debug)]
pub struct Generator {
    /// What it is asked for by.
    pub name: &'static str,
    /// What it draws, in one sentence.
    pub summary: &'static str,
    /// Where it is from: paper and section.
    pub source: &'static str,
    /// The published curves that its models are of.
    pub curves: &'static str,
    /// What can be set.
    pub parameters: &'static [Parameter],
    /// What the values have to do with each other, where it is wrong.
    check: fn(&Values<'_>) -> Option<Conflict>,
    method: Method,
}

/// How a generator draws. It is a word rather than a function, so that a page that shows [`GENERATORS`] does not contain
/// the code that draws.
#[derive(Clone, Copy, Debug)]
enum Method {
    ElasticFlowA100,
    ElasticFlowT4,
    Pollux,
    BfTrainer,
    ModelArts,
    Ibm,
}

/// A number that can be set.
#[derive(Debug)]
pub struct Parameter {
    /// Its name in documents, with its unit.
    pub name: &'static str,
    /// What a person calls it.
    pub label: &'static str,
    /// What it does, in one phrase.
    pub help: &'static str,
    /// If nothing is said.
    pub default: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// Whether only whole numbers will do.
    pub whole: bool,
    /// Whether it is among the first things that a person would set.
    pub is_common: bool,
}

impl Parameter {
    /// What values it takes, in words.
    pub fn rule(&self) -> String {
        let Self { min, max, .. } = self;
        let kind = if self.whole { "a whole number" } else { "a number" };
        format!("{kind} from {min} to {max}")
    }

    /// The same for whole numbers alone.
    const fn whole(self) -> Self {
        Self { whole: true, ..self }
    }

    /// The same with another minimum.
    const fn at_least(self, min: f64) -> Self {
        Self { min, ..self }
    }

    /// Whether it takes this value.
    pub fn takes(&self, value: f64) -> bool {
        (self.min..=self.max).contains(&value) && (!self.whole || value.trunc() == value)
    }
}

/// A value that another one rules out.
struct Conflict {
    parameter: &'static str,
    rule: String,
}

/// All values of a generator's parameters.
struct Values<'a>(&'a GeneratorSpec);

impl Values<'_> {
    /// A value; 0 if the generator has no parameter of this name.
    fn get(&self, name: &str) -> f64 {
        self.0.value(name).unwrap_or_default()
    }
}

impl Generator {
    /// The one of this name.
    pub fn named(name: &str) -> Option<&'static Generator> {
        GENERATORS.iter().copied().find(|generator| generator.name == name)
    }

    fn check(&self, spec: &GeneratorSpec) -> Option<Conflict> {
        (self.check)(&Values(spec))
    }

    fn draw(&self, spec: &GeneratorSpec, seed: u64) -> Trace {
        let values = &Values(spec);
        match self.method {
            Method::ElasticFlowA100 => elasticflow::draw(&A100, values, seed),
            Method::ElasticFlowT4 => elasticflow::draw(&T4, values, seed),
            Method::Pollux => pollux::draw(values, seed),
            Method::BfTrainer => bftrainer::draw(values, seed),
            Method::ModelArts => modelarts::draw(values, seed),
            Method::Ibm => ibm::draw(values, seed),
        }
    }
}

const fn common(
    name: &'static str,
    label: &'static str,
    help: &'static str,
    default: f64,
    min: f64,
    max: f64,
) -> Parameter {
    Parameter { name, label, help, default, min, max, whole: false, is_common: true }
}

const fn rare(name: &'static str, label: &'static str, help: &'static str, default: f64, max: f64) -> Parameter {
    Parameter { name, label, help, default, min: 0.0, max, whole: false, is_common: false }
}

/// The first choice at which the shares up to it exceed `at` (from 0 to 1) of all; the last with a share above 0 for
/// what rounding leaves over. `None` where no share is above 0.
fn pick<T>(choices: impl DoubleEndedIterator<Item = (T, f64)> + Clone, at: f64) -> Option<T> {
    let mut left = at * choices.clone().map(|(_, share)| share).sum::<f64>();
    for (choice, share) in choices.clone() {
        if share > 0.0 && left < share {
            return Some(choice);
        }
        left -= share;
    }
    choices.rev().find(|(_, share)| *share > 0.0).map(|(choice, _)| choice)
}

/// A generator of random numbers for one quantity of a workload: what is asked of one leaves the others as they are.
fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    use rand::SeedableRng;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    rng
}

/// The trace of drawn jobs, which are in range.
fn trace(models: Vec<&str>, jobs: Vec<Job>) -> Trace {
    let models = models.into_iter().map(Into::into).collect();
    Trace::new(models, jobs).unwrap_or_else(|error| unreachable!("drawn jobs are in range: {error}"))
}

/// A job of which only the usual is said.
fn job(name: String, submit_s: f64, model: ModelId, gpus_requested: u32, work: Work) -> Job {
    Job {
        name,
        source_row: 0,
        submit_s,
        model,
        batch_global: None,
        gpus_requested,
        gpus_min: None,
        gpus_max: None,
        work,
        deadline_s: None,
        user: None,
        rescale: None,
        batch_range: None,
        priority: None,
    }
}
