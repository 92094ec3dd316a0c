//! Slurm's accounting as JSON: `sacct --json`, as versions since 21.08 write it.
//!
//! ```json
//! {"jobs": [{"job_id": 1001, "user": "u01", "state": {"current": ["COMPLETED"]},
//!   "time": {"submission": 1710032400, "start": 1710032700, "end": 1710041700, "elapsed": 9000},
//!   "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 8}]}}]}
//! ```

use serde::Deserialize;

use super::job_rows::JobMaker;
use super::slurm::{self, Facts, Gpus};
use super::{Fold, GIVE_LAW, Known, Tell, TextReader, Treatment, fold};
use crate::format::Rows;
use crate::report::FileKind;
use crate::text::findings::Findings;
use crate::text::json::{List, Scalar, for_each};
use crate::text::records::Records;

pub(crate) static LIST: Known = Known {
    name: "Slurm accounting (sacct --json)",
    origin: "sacct -a --json -S 2026-07-01",
    tell: Tell::Start(|start| {
        let has = |word: &str| start.contains(word);
        let by_meta = has("\"meta\"") && (has("\"Slurm\"") || has("\"slurm\"") || has("openapi"));
        start.trim_start().starts_with('{') && (by_meta || has("\"jobs\"") && has("\"account\""))
    }),
    treatment: Treatment::Text(TextReader {
        kind: FileKind::JobsKnown,
        read,
        lacks: slurm::LACKS,
        next: GIVE_LAW,
        assumed: &[],
    }),
};

#[derive(Deserialize)]
struct SlurmJob {
    #[serde(default)]
    job_id: Scalar,
    #[serde(default)]
    array: Array,
    #[serde(default)]
    user: Scalar,
    #[serde(default)]
    state: State,
    #[serde(default)]
    time: Times,
    #[serde(default)]
    tres: Resources,
}

#[derive(Default, Deserialize)]
struct Array {
    #[serde(default)]
    job_id: Scalar,
    #[serde(default)]
    task_id: Scalar,
}

#[derive(Default, Deserialize)]
struct State {
    #[serde(default)]
    current: Scalar,
}

#[derive(Default, Deserialize)]
struct Times {
    #[serde(default)]
    submission: Scalar,
    #[serde(default)]
    start: Scalar,
    #[serde(default)]
    end: Scalar,
    #[serde(default)]
    elapsed: Scalar,
}

#[derive(Default, Deserialize)]
struct Resources {
    #[serde(default)]
    allocated: Vec<Resource>,
    #[serde(default)]
    requested: Vec<Resource>,
}

#[derive(Deserialize)]
struct Resource {
    #[serde(default)]
    r#type: Scalar,
    #[serde(default)]
    name: Scalar,
    #[serde(default)]
    count: Scalar,
}

fn read(records: &mut Records<'_, '_>, findings: &mut Findings) -> Rows {
    let Some(mut maker) = JobMaker::new(slurm::FIELDS) else { return Rows::Jobs(Default::default()) };
    for_each(records, List::Named("jobs"), findings, |number, job: SlurmJob, findings| {
        slurm::add(number, &facts(&job), &mut maker, findings);
    });
    let mut rows = maker.finish(findings);
    fold(&mut rows, Fold::LastRun, findings);
    Rows::Jobs(rows)
}

fn facts(job: &SlurmJob) -> Facts {
    // A time of 0 is none.
    let moment = |time: &Scalar| time.number().filter(|seconds| *seconds > 0.0);
    let Times { submission, start, end, elapsed } = &job.time;
    let array = job.array.job_id.number().filter(|id| *id > 0.0);
    let id = match array.zip(job.array.task_id.number()) {
        Some((array, task)) => format!("{array}_{task}"),
        None => job.job_id.cell(),
    };
    Facts {
        id,
        is_step: false,
        is_waiting_array: false,
        state: job.state.current.cell(),
        user: job.user.cell(),
        submit: submission.cell(),
        submit_s: moment(submission),
        deadline_s: None,
        elapsed_s: elapsed.number().or_else(|| Some(moment(end)? - moment(start)?)),
        gpus: gpus(&job.tres.allocated).or_else(|| gpus(&job.tres.requested)),
    }
}

/// The GPUs among resources; `None` where there are no resources at all.
fn gpus(resources: &[Resource]) -> Option<Gpus> {
    if resources.is_empty() {
        return None;
    }
    let names: Vec<(String, f64)> = resources
        .iter()
        .filter(|resource| resource.r#type == Scalar::Text("gres".into()))
        .filter_map(|resource| Some((resource.name.cell(), resource.count.number()?)))
        .collect();
    let counts = names.iter().map(|(name, count)| (name.as_str(), *count));
    Some(Gpus::of_named(counts).unwrap_or(Gpus::Whole(0.0)))
}
