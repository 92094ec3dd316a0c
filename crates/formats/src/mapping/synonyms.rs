//! Names that columns have in the traces of other systems, with the field that they stand for.

use super::expression::Unit;

/// How surely a name stands for its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Nothing else is called so.
    Clear,
    /// It may mean something else: the reason says what.
    Doubtful(&'static str),
}

/// A name of a column.
pub(super) struct Synonym {
    pub name: &'static str,
    pub field: &'static str,
    pub meaning: Meaning,
}

const fn clear(field: &'static str, name: &'static str) -> Synonym {
    Synonym { name, field, meaning: Meaning::Clear }
}

const fn doubtful(field: &'static str, name: &'static str, reason: &'static str) -> Synonym {
    Synonym { name, field, meaning: Meaning::Doubtful(reason) }
}

const START: &str = "there is no time of submission; jobs are taken to arrive when they start";
const WHICH_TIME: &str = "the name does not say which time it is";
const PER_WORKER: &str = "it may count the GPUs of one worker only";
const WHOSE_BATCH: &str = "it may be the batch of one GPU";

/// Of several columns for one field, the first in this order is guessed. Names are in lower case, without a unit at the
/// end, with underscores for blanks.
pub(super) static SYNONYMS: &[Synonym] = &[
    clear("job_id", "job_id"),
    clear("job_id", "jobidraw"),
    clear("job_id", "jobid"),
    clear("job_id", "job_name"),
    clear("job_id", "jobname"),
    clear("job_id", "job"),
    clear("job_id", "name"),
    clear("job_id", "id"),
    clear("job_id", "run_id"),
    clear("job_id", "task_id"),
    clear("submit_s", "submit"),
    clear("submit_s", "submit_time"),
    clear("submit_s", "submittime"),
    clear("submit_s", "submission_time"),
    clear("submit_s", "submitted"),
    clear("submit_s", "submitted_at"),
    clear("submit_s", "submitted_time"),
    clear("submit_s", "submit_ts"),
    clear("submit_s", "submit_date"),
    clear("submit_s", "arrival"),
    clear("submit_s", "arrival_time"),
    clear("submit_s", "queued_at"),
    clear("submit_s", "queue_time"),
    clear("submit_s", "created_at"),
    clear("submit_s", "creation_time"),
    clear("submit_s", "creationtimestamp"),
    clear("submit_s", "creation_timestamp"),
    doubtful("submit_s", "start_time", START),
    doubtful("submit_s", "start", START),
    doubtful("submit_s", "started_at", START),
    doubtful("submit_s", "start_ts", START),
    doubtful("submit_s", "timestamp", WHICH_TIME),
    doubtful("submit_s", "time", WHICH_TIME),
    doubtful("submit_s", "date", WHICH_TIME),
    clear("gpus", "gpus"),
    clear("gpus", "num_gpus"),
    clear("gpus", "num_gpu"),
    clear("gpus", "gpu_num"),
    clear("gpus", "gpu_count"),
    clear("gpus", "gpus_count"),
    clear("gpus", "n_gpus"),
    clear("gpus", "ngpus"),
    clear("gpus", "numgpus"),
    clear("gpus", "gpus_requested"),
    clear("gpus", "requested_gpus"),
    clear("gpus", "gpus_req"),
    clear("gpus", "req_gpus"),
    clear("gpus", "total_gpus"),
    clear("gpus", "world_size"),
    doubtful("gpus", "gpu_request", PER_WORKER),
    doubtful("gpus", "gpu", PER_WORKER),
    doubtful("gpus", "plan_gpu", PER_WORKER),
    doubtful("gpus", "num_workers", "a worker may have several GPUs"),
    doubtful("gpus", "num_replicas", "a replica may have several GPUs"),
    clear("duration_s", "duration"),
    clear("duration_s", "elapsedraw"),
    clear("duration_s", "elapsed"),
    clear("duration_s", "runtime"),
    clear("duration_s", "run_time"),
    clear("duration_s", "run"),
    clear("duration_s", "walltime"),
    clear("duration_s", "wall_time"),
    clear("duration_s", "execution_time"),
    clear("duration_s", "job_duration"),
    clear("model", "model"),
    clear("model", "model_name"),
    clear("model", "application"),
    clear("model", "network"),
    doubtful("model", "workload", "it may name a data set or a script"),
    clear("user", "user"),
    clear("user", "username"),
    clear("user", "user_name"),
    clear("user", "user_id"),
    clear("user", "owner"),
    clear("user", "submitter"),
    doubtful("user", "team", "several users"),
    doubtful("user", "group", "several users"),
    doubtful("user", "organization", "several users"),
    doubtful("user", "account", "several users"),
    clear("deadline_s", "deadline"),
    clear("deadline_s", "ddl"),
    doubtful("batch_global", "batch_size", WHOSE_BATCH),
    doubtful("batch_global", "batch", WHOSE_BATCH),
    clear("batch_global", "global_batch_size"),
    clear("batch_global", "batch_global"),
    clear("gpus_min", "gpus_min"),
    clear("gpus_min", "min_gpus"),
    clear("gpus_max", "gpus_max"),
    clear("gpus_max", "max_gpus"),
];

/// Whether a column of this name holds the start of a run, which may stand for the submission.
pub(super) fn means_start(name: &str) -> bool {
    let plain = name.trim().to_lowercase().replace([' ', '-'], "_");
    SYNONYMS.iter().any(|synonym| synonym.name == plain && synonym.meaning == Meaning::Doubtful(START))
}

/// Columns for the start and the end of a run, of one style each.
pub(super) static RUNS: &[(&str, &str)] = &[
    ("start_time", "end_time"),
    ("start", "end"),
    ("started_at", "finished_at"),
    ("started_at", "ended_at"),
    ("start_time", "finish_time"),
    ("start_time", "completion_time"),
    ("starttime", "endtime"),
    ("start_ts", "end_ts"),
    ("begin", "end"),
    ("start_date", "end_date"),
    ("scheduled_time", "deletion_time"),
];

/// GPUs of a worker and the number of workers, of one style each.
pub(super) static WORKERS: &[(&str, &str)] =
    &[("gpu_request", "worker_num"), ("gpus_per_node", "nodes"), ("gpus_per_worker", "workers")];

/// Columns with trackable resources of Slurm, those that were given before those that were asked for.
pub(super) static RESOURCES: &[&str] = &["alloctres", "reqtres"];

/// Columns with the state of a job.
pub(super) static STATES: &[&str] = &["state", "status", "job_state", "pod_phase"];

/// Units at the end of a name, after an underscore.
static UNITS: &[(&str, Unit)] = &[
    ("s", Unit::Seconds),
    ("sec", Unit::Seconds),
    ("secs", Unit::Seconds),
    ("seconds", Unit::Seconds),
    ("us", Unit::Microseconds),
    ("ms", Unit::Milliseconds),
    ("millis", Unit::Milliseconds),
    ("min", Unit::Minutes),
    ("mins", Unit::Minutes),
    ("minutes", Unit::Minutes),
    ("h", Unit::Hours),
    ("hours", Unit::Hours),
    ("hrs", Unit::Hours),
    ("days", Unit::Days),
];

/// A name without the unit at its end, and that unit.
pub(super) fn without_unit(plain: &str) -> (&str, Option<Unit>) {
    let split = plain.rsplit_once('_').map(|(stem, end)| (stem, end.trim_matches(['(', ')', '[', ']'])));
    let unit = |end: &str| UNITS.iter().find(|(word, _)| *word == end).map(|(_, unit)| *unit);
    match split.and_then(|(stem, end)| Some((stem, unit(end)?))) {
        Some((stem, unit)) => (stem, Some(unit)),
        None => (plain, None),
    }
}
