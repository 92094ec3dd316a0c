//! Jobs of Kubernetes as `kubectl get ... -o json` writes them: Jobs, Kueue's Workloads, Volcano's Jobs, and those of
//! Kubeflow's training operator, alone, in a list, or several documents one after the other. Native builds read YAML, too.
//!
//! ```json
//! {"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "batch/v1", "kind": "Job",
//!   "metadata": {"name": "bert", "namespace": "nlp", "creationTimestamp": "2026-07-01T00:00:00Z"},
//!   "spec": {"parallelism": 4, "template": {"spec": {"containers": [
//!     {"name": "main", "resources": {"limits": {"nvidia.com/gpu": "8"}}}]}}},
//!   "status": {"startTime": "2026-07-01T00:01:00Z", "completionTime": "2026-07-01T02:01:00Z"}}]}
//! ```

mod object;
#[cfg(feature = "yaml")]
mod yaml;

use std::collections::{BTreeMap, BTreeSet};

use self::object::{NAMES, Name, Object};
use super::job_rows::JobMaker;
use super::{Assumed, GIVE_LAW, Known, Tell, TextReader, Treatment, left_out};
use crate::format::Rows;
use crate::mapping::{NO_GPU, NO_TIME, moment};
use crate::report::FileKind;
use crate::text::findings::{Finding, Findings};
use crate::text::json::{Json, for_each_document};
use crate::text::refusal::Refusal;

const ORIGIN: &str = "kubectl get jobs,pytorchjobs -A -o json";
const EXPORT: &str = "Write jobs that have finished by kubectl get jobs -A -o json, or a table with a row for each job: \
                      its submission, GPUs and run time";

const TEMPLATE: Finding = left_out(
    "A job that ran: this is a job template, which says neither when jobs were submitted nor how long they ran",
    "Write jobs that have finished by kubectl get jobs -A -o json",
);
const RUNNING: Finding = left_out("A job that ended", "Nothing to do: how long it will run is not known");
const OTHER_KIND: Finding = left_out(
    "A Job, Workload, PyTorchJob, TFJob, MPIJob, XGBoostJob, PaddleJob or JAXJob",
    "Nothing to do: other objects are no jobs",
);
const SAME_JOB: Finding =
    left_out("One object for a job: the first", "Nothing to do: a Workload and the job that it admits are one");
const ENDS_EARLY: Finding = Finding::row_out("An end after the start", "Correct one of the two");

const LACKS: &str = "models, batch sizes, deadlines or weights, as priority classes are an order; jobs that failed are kept, \
     as they held GPUs";
const ASSUMED: &[Assumed] = &[
    ("duration_s", "From the last start to the end, as the status has them", "Nothing to do"),
    ("gpus", "GPUs of all pods together, with those of a job's parallelism or replicas", "Nothing to do"),
    ("user", "The queue, or the namespace of jobs without one", "Nothing to do"),
    ("gpus_min", "Of jobs with an elastic policy or a least parallelism, theirs", "Nothing to do"),
];

pub(crate) static JSON: Known = Known {
    name: "Kubernetes jobs",
    origin: ORIGIN,
    tell: Tell::Start(|start| {
        let has = |word: &str| start.contains(word);
        start.trim_start().starts_with('{') && has("\"apiVersion\"") && has("\"kind\"")
    }),
    treatment: Treatment::Text(TextReader {
        kind: FileKind::JobsKnown,
        read: |records, findings| {
            read(findings, |findings, visit| for_each_document(records, "items", NAMES, findings, visit))
        },
        lacks: LACKS,
        next: GIVE_LAW,
        assumed: ASSUMED,
    }),
};

pub(crate) static YAML: Known = Known {
    name: "Kubernetes jobs in YAML",
    origin: ORIGIN,
    tell: Tell::Start(|start| {
        let has_kind = |line: &str| line.trim_start_matches(['-', ' ']).starts_with("kind:");
        start.lines().any(|line| line.starts_with("apiVersion:")) && start.lines().any(has_kind)
    }),
    #[cfg(feature = "yaml")]
    treatment: Treatment::Text(TextReader {
        kind: FileKind::JobsKnown,
        read: |records, findings| {
            read(findings, |findings, visit| yaml::for_each_document(records, "items", NAMES, findings, visit))
        },
        lacks: LACKS,
        next: GIVE_LAW,
        assumed: ASSUMED,
    }),
    #[cfg(not(feature = "yaml"))]
    treatment: Treatment::Refused {
        reason: "YAML is read by the command line only",
        repair: "Write the jobs as JSON: kubectl get jobs -A -o json",
    },
};

/// Calls a function with each object and its number.
type Visit<'v> = dyn FnMut(u64, Json, &mut Findings) + 'v;

const FIELDS: &[(&str, &str)] = &[
    ("job_id", "metadata.name"),
    ("submit_s", "creationTimestamp"),
    ("gpus", "nvidia.com/gpu"),
    ("duration_s", "completionTime"),
    ("user", "queue"),
];

fn read(findings: &mut Findings, each: impl FnOnce(&mut Findings, &mut Visit<'_>)) -> Rows {
    let Some(maker) = JobMaker::new(FIELDS) else { return Rows::Jobs(Default::default()) };
    let mut reader =
        Reader { maker, names: BTreeSet::new(), has_started: false, templates: Vec::new(), others: BTreeMap::new() };
    each(findings, &mut |number, json, findings| reader.add(number, &Object::of(&json), findings));
    match reader.refusal() {
        Some(refusal) => Rows::None(refusal),
        None => Rows::Jobs(reader.maker.finish(findings)),
    }
}

struct Reader {
    maker: JobMaker,
    /// Jobs that were read, with the jobs that they belong to.
    names: BTreeSet<Name>,
    /// Whether a job was started at all.
    has_started: bool,
    /// The names of templates.
    templates: Vec<String>,
    /// Kinds that are no jobs, with how many there are.
    others: BTreeMap<String, u64>,
}

impl Reader {
    /// Why none of the objects is a job that can be read, if it is so for all of them.
    fn refusal(&self) -> Option<Refusal> {
        if self.has_started {
            return None;
        }
        let kinds: Vec<&str> = self.others.keys().map(String::as_str).collect();
        match self.templates.as_slice() {
            [] if kinds.is_empty() => None,
            [] => {
                let reason = format!("Kubernetes objects, but none is a job: {}", kinds.join(", "));
                Some(Refusal::new(reason, EXPORT))
            }
            names => {
                let what = if names.len() == 1 { "A job template" } else { "Job templates" };
                let reason = format!(
                    "{what} alone ({}): it is not said when jobs were submitted, nor how long they ran",
                    crate::text::values::first_names(&names.iter().map(String::as_str).collect::<Vec<_>>())
                );
                Some(Refusal::new(reason, EXPORT))
            }
        }
    }

    fn add(&mut self, number: u64, object: &Object, findings: &mut Findings) {
        if !object.name.is_job() {
            *self.others.entry(object.name.kind.clone()).or_default() += 1;
            return findings.row(OTHER_KIND, || object.name.kind.clone());
        }
        let Some((submit, start_s)) = object.submitted().zip(object.start_s) else {
            self.templates.push(object.name.name.clone());
            return findings.row(TEMPLATE, || object.name.name.clone());
        };
        self.has_started = true;
        let owner = object.owner.as_ref().filter(|owner| owner.is_job());
        let is_known = self.names.contains(&object.name) || owner.is_some_and(|owner| self.names.contains(owner));
        let (maker, name) = (&mut self.maker, object.name.in_words());
        let report = |finding, field, value: &str, maker: &JobMaker, findings: &mut Findings| {
            maker.report(finding, field, value.as_bytes(), findings);
        };
        let Some(end_s) = object.end_s else { return report(RUNNING, "duration_s", &name, maker, findings) };
        match end_s - start_s {
            _ if is_known => report(SAME_JOB, "job_id", &name, maker, findings),
            duration_s if duration_s < 0.0 => {
                report(ENDS_EARLY, "duration_s", &duration_s.to_string(), maker, findings)
            }
            0.0 => report(NO_TIME, "duration_s", "0", maker, findings),
            _ if object.gpus == 0.0 => report(NO_GPU, "gpus", &name, maker, findings),
            duration_s => {
                let submit_s = moment(submit.as_bytes()).map_or(submit.clone(), |seconds| seconds.to_string());
                let (gpus, duration_s) = (object.gpus.to_string(), duration_s.to_string());
                let values = [&name, &submit_s, &gpus, &duration_s, &object.user].map(|value| value.as_bytes());
                let before = maker.rows.jobs.len();
                maker.add(number, &values, findings);
                if let Some(job) = maker.rows.jobs.get_mut(before) {
                    (job.gpus_min, job.gpus_max) = object.limits(job.gpus_requested);
                    self.names.insert(object.name.clone());
                    self.names.extend(owner.cloned());
                }
            }
        }
    }
}
