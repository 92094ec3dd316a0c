//! Slurm's accounting as JSON: `sacct --json`, as versions since 21.08 write it.
//!
//! ```json
//! {"jobs": [{"job_id": 1001, "user": "u01", "state": {"current": ["COMPLETED"]},
//!   "time": {"submission": 1710032400, "start": 1710032700, "end": 1710041700, "elapsed": 9000},
//!   "tres": {"allocated": [{"type": "gres", "name": "gpu", "count": 8}]}}]}
//! ```

use super::job_rows::JobMaker;
use super::slurm::{self, Facts, Gpus};
use super::{Fold, GIVE_LAW, Known, Tell, TextReader, Treatment, fold};
use crate::format::Rows;
use crate::report::FileKind;
use crate::text::findings::Findings;
use crate::text::json::{Json, List, for_each};
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

/// The members of objects that are read; a number may be an object itself.
const NAMES: &[&str] = &[
    "job_id",
    "array",
    "task_id",
    "user",
    "state",
    "current",
    "time",
    "submission",
    "start",
    "end",
    "elapsed",
    "tres",
    "allocated",
    "requested",
    "type",
    "name",
    "count",
    "set",
    "infinite",
    "number",
];

fn read(records: &mut Records<'_, '_>, findings: &mut Findings) -> Rows {
    let Some(mut maker) = JobMaker::new(slurm::FIELDS) else { return Rows::Jobs(Default::default()) };
    for_each(records, List::Named("jobs"), NAMES, findings, &mut |number, job, findings| {
        slurm::add(number, &facts(&job), &mut maker, findings);
    });
    let mut rows = maker.finish(findings);
    fold(&mut rows, Fold::LastRun, findings);
    Rows::Jobs(rows)
}

fn facts(job: &Json) -> Facts {
    let (array, time, resources) = (job.member("array"), job.member("time"), job.member("tres"));
    // A time of 0 is none.
    let moment = |name: &str| time.member(name).number().filter(|seconds| *seconds > 0.0);
    let elapsed_s = time.member("elapsed").number();
    let array_id = array.member("job_id").number().filter(|id| *id > 0.0);
    let id = match array_id.zip(array.member("task_id").number()) {
        Some((array_id, task)) => format!("{array_id}_{task}"),
        None => job.member("job_id").cell(),
    };
    Facts {
        id,
        is_step: false,
        is_waiting_array: false,
        state: job.member("state").member("current").cell(),
        user: job.member("user").cell(),
        submit: time.member("submission").cell(),
        submit_s: moment("submission"),
        deadline_s: None,
        elapsed_s: elapsed_s.or_else(|| Some(moment("end")? - moment("start")?)),
        gpus: gpus(resources.member("allocated")).or_else(|| gpus(resources.member("requested"))),
    }
}

/// The GPUs among resources; `None` where there are no resources at all.
fn gpus(resources: &Json) -> Option<Gpus> {
    let resources = resources.list();
    if resources.is_empty() {
        return None;
    }
    let names: Vec<(String, f64)> = resources
        .iter()
        .filter(|resource| resource.member("type").cell() == "gres")
        .filter_map(|resource| Some((resource.member("name").cell(), resource.member("count").number()?)))
        .collect();
    let counts = names.iter().map(|(name, count)| (name.as_str(), *count));
    Some(Gpus::of_named(counts).unwrap_or(Gpus::Whole(0.0)))
}
