//! The replay traces of Synergy (Mohan et al., OSDI 2022): no header, and a unit of time that is nowhere.

use super::{Known, Tell, Treatment, is_number};

pub(crate) static JOBS: Known = Known {
    name: "Synergy replay trace",
    origin: "https://github.com/msr-fiddle/synergy (simulator)",
    tell: Tell::FirstRow {
        delimiter: b',',
        names: &["job_id", "model", "arrival", "total_iterations", "num_gpus"],
        fits: |cells| {
            let [job, model, others @ ..] = cells else { return false };
            let words = !is_number(model) && model.bytes().any(|byte| byte.is_ascii_alphabetic());
            is_number(job) && words && others.iter().all(|cell| is_number(cell))
        },
    },
    treatment: Treatment::Refused {
        reason: "Synergy's traces do not say the unit of their arrivals, nor how long an iteration takes",
        repair: "Read it with curves by: --map \
                 'job_id=job_id model=model submit_s=arrival s iterations=total_iterations gpus=num_gpus batch_global=1' \
                 (s, min or h)",
    },
};
