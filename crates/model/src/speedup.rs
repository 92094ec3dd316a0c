//! Laws for the speed of jobs whose model was not measured: a duration on so many GPUs is one point, and a law gives the
//! shape through it.
//!
//! A law gives the speedup over one GPU. Work is then counted in seconds of one GPU, so that every job passes exactly
//! through its own point, whatever the law. Each law is in a file of its own, with its source.

mod amdahl;
mod assumed;
mod downey;
mod power;
mod sevcik;

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayString;
use serde::{Deserialize, Serialize};

use crate::limits;
pub use amdahl::Amdahl;
pub(crate) use assumed::{Assumed, Shape};
pub use downey::Downey;
pub use power::Power;
pub use sevcik::Sevcik;

/// A law for the speed of jobs without a throughput curve, by the number of GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum SpeedupLaw {
    /// The job runs on as many GPUs as it asks for, and on no other number.
    Rigid,
    /// Twice the GPUs are twice as fast.
    Linear,
    /// A share of the work is serial.
    Amdahl(Amdahl),
    /// Average parallelism, and its variation.
    Downey(Downey),
    /// Imbalance, fixed overhead, and overhead that grows with the GPUs.
    Sevcik(Sevcik),
    /// Every doubling of the GPUs multiplies the throughput per GPU.
    Power(Power),
    /// The measured curve of another model.
    Like(ModelName),
}

/// The name of a model in a law.
pub type ModelName = ArrayString<{ SpeedupLaw::NAME_BYTES_MAX }>;

/// The reason why a text is no law.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not {rule}", rule = SpeedupLaw::RULE)]
pub struct SpeedupLawError(pub String);

impl SpeedupLaw {
    /// The longest name of a model in a law, in bytes.
    pub const NAME_BYTES_MAX: usize = 128;
    /// The rule for its text.
    pub const RULE: &str = "a law: rigid, linear, amdahl:SERIAL (0 to 1), downey:PARALLELISM,VARIATION (from 1, from 0), \
                            sevcik:IMBALANCE,SECONDS,SECONDS_PER_GPU (from 1, from 0, from 0), power:FACTOR (0.5 to 1), \
                            or like:MODEL (up to 128 bytes)";

    /// Whether its parameters are in their ranges.
    pub fn is_sound(&self) -> bool {
        match self {
            Self::Rigid | Self::Linear => true,
            Self::Amdahl(law) => (0.0..=1.0).contains(&law.serial),
            Self::Downey(law) => {
                (1.0..=f64::from(limits::GPUS_MAX)).contains(&law.parallelism) && (0.0..=1e6).contains(&law.variation)
            }
            Self::Sevcik(law) => {
                let seconds = 0.0..=limits::LAW_TIME_MAX_S;
                (1.0..=1e6).contains(&law.imbalance) && [law.fixed_s, law.per_gpu_s].iter().all(|s| seconds.contains(s))
            }
            Self::Power(law) => (0.5..=1.0).contains(&law.factor),
            Self::Like(model) => !model.is_empty(),
        }
    }

    /// How many times as fast as one GPU so many GPUs are, for a job with so many seconds of work on one GPU; 1 and more
    /// of them. `None` for the curve of another model, which is measured.
    pub fn speedup(&self, gpus: u32, work_s: f64) -> Option<f64> {
        let gpus = f64::from(gpus.max(1));
        Some(match self {
            // Other numbers of GPUs are for the limits of the job to exclude.
            Self::Rigid | Self::Linear => gpus,
            Self::Amdahl(law) => law.speedup(gpus),
            Self::Downey(law) => law.speedup(gpus),
            Self::Sevcik(law) => law.speedup(gpus, work_s),
            Self::Power(law) => law.speedup(gpus),
            Self::Like(_) => return None,
        })
    }
}

/// The text that [`SpeedupLaw::from_str`] reads: `amdahl:0.05`.
impl fmt::Display for SpeedupLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rigid => f.write_str("rigid"),
            Self::Linear => f.write_str("linear"),
            Self::Amdahl(Amdahl { serial }) => write!(f, "amdahl:{serial}"),
            Self::Downey(Downey { parallelism, variation }) => write!(f, "downey:{parallelism},{variation}"),
            Self::Sevcik(Sevcik { imbalance, fixed_s, per_gpu_s }) => {
                write!(f, "sevcik:{imbalance},{fixed_s},{per_gpu_s}")
            }
            Self::Power(Power { factor }) => write!(f, "power:{factor}"),
            Self::Like(model) => write!(f, "like:{model}"),
        }
    }
}

impl FromStr for SpeedupLaw {
    type Err = SpeedupLawError;

    fn from_str(text: &str) -> Result<Self, SpeedupLawError> {
        let law = read(text.trim()).filter(Self::is_sound);
        law.ok_or_else(|| SpeedupLawError(text.into()))
    }
}

fn read(text: &str) -> Option<SpeedupLaw> {
    let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
    if name == "like" {
        return ModelName::from(parameters).ok().map(SpeedupLaw::Like);
    }
    let words = || parameters.split(',').map(str::trim).filter(|_| !parameters.is_empty());
    let numbers = words().map(|word| elastiplan_text::number(word).filter(|number| number.is_finite()));
    let numbers = numbers.collect::<Option<Vec<f64>>>()?;
    match (name, numbers.as_slice()) {
        ("rigid", []) => Some(SpeedupLaw::Rigid),
        ("linear", []) => Some(SpeedupLaw::Linear),
        ("amdahl", &[serial]) => Some(SpeedupLaw::Amdahl(Amdahl { serial })),
        ("downey", &[parallelism, variation]) => Some(SpeedupLaw::Downey(Downey { parallelism, variation })),
        ("sevcik", &[imbalance, fixed_s, per_gpu_s]) => {
            Some(SpeedupLaw::Sevcik(Sevcik { imbalance, fixed_s, per_gpu_s }))
        }
        ("power", &[factor]) => Some(SpeedupLaw::Power(Power { factor })),
        _ => None,
    }
}
