//! Names that columns have in the traces and exports of other systems, with the field that they stand for.
//!
//! Two lists: [`SYNONYMS`] has whole names, [`Affixed`] words that count with others around them. How they are compared,
//! [`super::names`] says.

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
    /// The name, with underscores between its words.
    pub name: &'static str,
    /// A field of a mapping, or one of the parts below.
    pub field: &'static str,
    /// How surely.
    pub meaning: Meaning,
}

/// The start of a run: part of a duration.
pub(super) const START: &str = "start";
/// The end of a run: part of a duration.
pub(super) const END: &str = "end";
/// Nodes, workers or replicas: part of a number of GPUs.
pub(super) const NODES: &str = "nodes";
/// GPUs of each of them: part of a number of GPUs.
pub(super) const GPUS_PER_NODE: &str = "gpus_per_node";

const fn clear(field: &'static str, name: &'static str) -> Synonym {
    Synonym { name, field, meaning: Meaning::Clear }
}

const fn doubtful(field: &'static str, name: &'static str, reason: &'static str) -> Synonym {
    Synonym { name, field, meaning: Meaning::Doubtful(reason) }
}

const WHICH_TIME: &str = "the name does not say which time it is";
const PER_WORKER: &str = "it may count the GPUs of one worker only";
const MEAN: &str = "it may be a mean of those in use";
const SLOTS: &str = "a slot may be a processor";
const SEVERAL: &str = "several users";
const WHOSE_BATCH: &str = "it may be the batch of one GPU";
const SCHEDULED: &str = "it may be when the job was given its place, or when it was meant to start";

/// Of several columns for one field, the first in this order is guessed. Names are without a unit at the end.
pub(super) static SYNONYMS: &[Synonym] = &[
    clear("job_id", "job_id"),
    clear("job_id", "jobidraw"),
    clear("job_id", "jobid"),
    clear("job_id", "job_number"),
    clear("job_id", "job_no"),
    clear("job_id", "job_name"),
    clear("job_id", "job"),
    clear("job_id", "name"),
    clear("job_id", "id"),
    clear("job_id", "job_uuid"),
    clear("job_id", "run_id"),
    clear("job_id", "run_name"),
    clear("job_id", "task_id"),
    clear("job_id", "task_name"),
    clear("job_id", "trial_id"),
    clear("job_id", "experiment_id"),
    clear("job_id", "submission_id"),
    clear("job_id", "workload_name"),
    clear("job_id", "training_job_name"),
    clear("job_id", "display_name"),
    clear("job_id", "pod_name"),
    clear("job_id", "uuid"),
    clear("submit_s", "qtime"),
    clear("submit_s", "ctime"),
    doubtful("submit_s", "timestamp", WHICH_TIME),
    doubtful("submit_s", "time", WHICH_TIME),
    doubtful("submit_s", "date", WHICH_TIME),
    doubtful("submit_s", "datetime", WHICH_TIME),
    clear("gpus", "gpus"),
    clear("gpus", "world_size"),
    clear("gpus", "slots_needed"),
    clear("gpus", "slots_per_trial"),
    clear("gpus", "resource_list_ngpus"),
    clear("gpus", "resources_requested_gpus"),
    doubtful("gpus", "gpu_request", PER_WORKER),
    doubtful("gpus", "gpu", PER_WORKER),
    doubtful("gpus", "plan_gpu", PER_WORKER),
    doubtful("gpus", "nvidia_com_gpu", PER_WORKER),
    doubtful("gpus", "amd_com_gpu", PER_WORKER),
    doubtful("gpus", "gpu_limit", PER_WORKER),
    doubtful("gpus", "gpus_used", MEAN),
    doubtful("gpus", "used_gpus", MEAN),
    doubtful("gpus", "gpu_used", MEAN),
    doubtful("gpus", "used_gpu", MEAN),
    doubtful("gpus", "avg_gpus", MEAN),
    doubtful("gpus", "slots", SLOTS),
    doubtful("gpus", "num_slots", SLOTS),
    doubtful("gpus", "num_workers", "a worker may have several GPUs"),
    doubtful("gpus", "num_replicas", "a replica may have several GPUs"),
    clear(GPUS_PER_NODE, "gpus_per_node"),
    clear(GPUS_PER_NODE, "gpu_per_node"),
    clear(GPUS_PER_NODE, "gpus_per_worker"),
    clear(GPUS_PER_NODE, "gpu_per_worker"),
    clear(GPUS_PER_NODE, "gpus_per_replica"),
    clear(GPUS_PER_NODE, "gpu_per_replica"),
    clear(GPUS_PER_NODE, "gpus_per_task"),
    clear(GPUS_PER_NODE, "gpus_per_instance"),
    clear(GPUS_PER_NODE, "gpu_per_instance"),
    clear(GPUS_PER_NODE, "gpus_per_host"),
    clear(GPUS_PER_NODE, "gpus_per_machine"),
    clear(GPUS_PER_NODE, "gpus_per_server"),
    clear(GPUS_PER_NODE, "gpus_per_pod"),
    clear(GPUS_PER_NODE, "gpu_per_pod"),
    clear(GPUS_PER_NODE, "accelerators_per_node"),
    clear(GPUS_PER_NODE, "cards_per_node"),
    clear(GPUS_PER_NODE, "devices_per_node"),
    clear(NODES, "num_workers"),
    clear(NODES, "num_replicas"),
    clear(NODES, "nodect"),
    clear(NODES, "alloc_nodes"),
    clear(NODES, "req_nodes"),
    clear(NODES, "num_exec_hosts"),
    clear("duration_s", "duration"),
    clear("duration_s", "elapsedraw"),
    clear("duration_s", "elapsed"),
    clear("duration_s", "runtime"),
    clear("duration_s", "run"),
    clear("duration_s", "walltime"),
    clear("duration_s", "wallclock"),
    clear("duration_s", "wallclock_time"),
    clear("duration_s", "ru_wallclock"),
    clear("duration_s", "execution_time"),
    clear("duration_s", "exec_time"),
    clear("duration_s", "job_duration"),
    clear("duration_s", "run_duration"),
    clear("duration_s", "execution_duration"),
    clear("duration_s", "running_time"),
    clear("duration_s", "elapsed_time"),
    clear("duration_s", "time_elapsed"),
    clear("duration_s", "resources_used_walltime"),
    clear("duration_s", "training_time"),
    clear("duration_s", "train_time"),
    clear("duration_s", "training_duration"),
    clear("duration_s", "total_runtime"),
    clear("duration_s", "job_runtime"),
    clear("duration_s", "actual_runtime"),
    clear("duration_s", "wall"),
    doubtful("duration_s", "service_time", "it may be the time that was asked for"),
    doubtful("duration_s", "length", "it may be the time that was asked for"),
    clear("model", "model"),
    clear("model", "model_name"),
    clear("model", "application"),
    clear("model", "network"),
    clear("model", "dnn"),
    clear("model", "architecture_name"),
    clear("model", "net_name"),
    clear("model", "network_name"),
    doubtful("model", "workload", "it may name a data set or a script"),
    doubtful("model", "model_type", "it may name a program"),
    doubtful("model", "app", "it may name a program"),
    doubtful("model", "architecture", "it may name a program"),
    doubtful("model", "net", "it may name a program"),
    clear("user", "user"),
    clear("user", "username"),
    clear("user", "user_id"),
    clear("user", "owner"),
    clear("user", "job_owner"),
    clear("user", "submitter"),
    clear("user", "submitted_by"),
    clear("user", "created_by"),
    clear("user", "launched_by"),
    clear("user", "started_by"),
    clear("user", "requested_by"),
    clear("user", "run_by"),
    clear("user", "who"),
    clear("user", "requester"),
    clear("user", "author"),
    clear("user", "creator"),
    clear("user", "user_email"),
    clear("user", "login"),
    clear("user", "login_name"),
    clear("user", "mlflow_user"),
    doubtful("user", "team", SEVERAL),
    doubtful("user", "group", SEVERAL),
    doubtful("user", "organization", SEVERAL),
    doubtful("user", "account", SEVERAL),
    doubtful("user", "project", SEVERAL),
    doubtful("user", "tenant", SEVERAL),
    doubtful("user", "department", SEVERAL),
    doubtful("user", "virtual_cluster", SEVERAL),
    doubtful("user", "vc", SEVERAL),
    clear("deadline_s", "deadline"),
    clear("deadline_s", "ddl"),
    clear("deadline_s", "due"),
    clear("deadline_s", "due_at"),
    clear("deadline_s", "due_by"),
    clear("deadline_s", "due_date"),
    clear("deadline_s", "due_time"),
    clear("deadline_s", "finish_by"),
    clear("deadline_s", "complete_by"),
    clear("deadline_s", "must_finish_by"),
    clear("batch_global", "global_batch_size"),
    clear("batch_global", "batch_global"),
    clear("batch_global", "global_batch"),
    clear("batch_global", "total_batch_size"),
    clear("batch_global", "effective_batch_size"),
    doubtful("batch_global", "batch_size", WHOSE_BATCH),
    doubtful("batch_global", "batch", WHOSE_BATCH),
    clear("gpus_min", "gpus_min"),
    clear("gpus_min", "min_gpus"),
    clear("gpus_min", "gpu_min"),
    clear("gpus_min", "min_gpu"),
    clear("gpus_min", "min_num_gpus"),
    clear("gpus_min", "minimum_gpus"),
    clear("gpus_max", "gpus_max"),
    clear("gpus_max", "max_gpus"),
    clear("gpus_max", "gpu_max"),
    clear("gpus_max", "max_gpu"),
    clear("gpus_max", "max_num_gpus"),
    clear("gpus_max", "maximum_gpus"),
    doubtful(START, "scheduled_time", SCHEDULED),
    doubtful(START, "scheduled_at", SCHEDULED),
    clear(END, "deletion_time"),
    clear(END, "deleted_at"),
];

/// Words that stand for a field with others around them: `job_finished_at`.
pub(super) struct Affixed {
    /// A field of a mapping, or one of the parts above.
    pub field: &'static str,
    /// How surely.
    pub meaning: Meaning,
    /// The words, those of the clearest names first.
    pub cores: &'static [&'static str],
    /// Words that need others around them: a request is no time, but `request_time` is.
    pub only_with_affix: &'static [&'static str],
    /// What may stand before them.
    pub prefixes: &'static [&'static str],
    /// What may stand behind them.
    pub suffixes: &'static [&'static str],
}

const TIME_PREFIXES: &[&str] =
    &["job", "task", "run", "training", "trial", "workload", "pod", "datetime", "timestamp", "time", "date", "ts", "t"];
const TIME_SUFFIXES: &[&str] =
    &["timestamp", "datetime", "time", "date", "at", "on", "ts", "epoch", "unix", "utc", "gmt"];
const COUNT_PREFIXES: &[&str] = &[
    "number",
    "numberof",
    "num",
    "count",
    "no",
    "nr",
    "n",
    "total",
    "job",
    "requested",
    "request",
    "req",
    "required",
    "allocated",
    "alloc",
    "assigned",
];
const COUNT_SUFFIXES: &[&str] =
    &["count", "cnt", "num", "number", "n", "total", "requested", "req", "required", "allocated", "alloc", "assigned"];

impl Affixed {
    /// All of them; of several columns for one field, one of the first counts first.
    pub const ALL: [Self; 6] = [
        Self {
            field: "submit_s",
            meaning: Meaning::Clear,
            cores: &[
                "submit",
                "submitted",
                "submission",
                "sub",
                "queued",
                "enqueued",
                "enqueue",
                "arrival",
                "arrived",
                "arrive",
                "created",
                "creation",
                "create",
                "received",
            ],
            only_with_affix: &["queue", "qsub", "request", "requested"],
            prefixes: TIME_PREFIXES,
            suffixes: TIME_SUFFIXES,
        },
        Self {
            field: START,
            meaning: Meaning::Clear,
            cores: &["start", "started", "begin", "began", "begun", "launch", "launched", "dispatched", "dispatch"],
            only_with_affix: &["starting"],
            prefixes: TIME_PREFIXES,
            suffixes: TIME_SUFFIXES,
        },
        Self {
            field: END,
            meaning: Meaning::Clear,
            cores: &[
                "end",
                "ended",
                "finish",
                "finished",
                "completion",
                "completed",
                "complete",
                "stop",
                "stopped",
                "termination",
                "terminated",
                "done",
            ],
            only_with_affix: &["terminate", "exit", "exited"],
            prefixes: TIME_PREFIXES,
            suffixes: TIME_SUFFIXES,
        },
        Self {
            field: "gpus",
            meaning: Meaning::Clear,
            cores: &["gpus", "accelerators", "cards", "devices"],
            only_with_affix: &["gpu", "accelerator", "card", "device"],
            prefixes: COUNT_PREFIXES,
            suffixes: COUNT_SUFFIXES,
        },
        Self {
            field: NODES,
            meaning: Meaning::Clear,
            cores: &["nodes", "workers", "replicas", "instances", "hosts", "machines", "servers"],
            only_with_affix: &["node", "worker", "replica", "instance", "host", "machine", "server"],
            prefixes: COUNT_PREFIXES,
            suffixes: COUNT_SUFFIXES,
        },
        Self {
            field: "duration_s",
            meaning: Meaning::Clear,
            cores: &[],
            only_with_affix: &["runtime", "elapsed", "duration", "wallclock", "walltime"],
            prefixes: &["job", "task", "run", "training", "total", "trial", "workload", "actual", "pod"],
            suffixes: &["time", "raw", "total"],
        },
    ];
}

/// The reason for doubt where the start of a run is taken for the submission.
pub(super) const ARRIVES_AT_START: &str = "there is no time of submission; jobs are taken to arrive when they start";

/// GPUs of a worker where the name alone does not say so, and the number of workers, of one style each.
pub(super) static WORKERS: &[(&str, &str)] = &[("gpu_request", "worker_num")];

/// Columns with trackable resources of Slurm, those that were given before those that were asked for.
pub(super) static RESOURCES: &[&str] = &["alloctres", "reqtres"];

/// Columns with the state of a job, as words.
pub(super) static STATES: &[&str] = &[
    "state",
    "status",
    "job_state",
    "job_status",
    "pod_phase",
    "phase",
    "outcome",
    "result",
    "final_state",
    "final_status",
    "run_state",
    "run_status",
    "exit_state",
    "completion_status",
    "conclusion",
    "stat",
];

/// The words for a job that is done.
pub(super) static DONE: &[&str] = &[
    "completed",
    "complete",
    "succeeded",
    "success",
    "successful",
    "finished",
    "done",
    "ok",
    "pass",
    "passed",
    "terminated",
    "timeout",
];

/// Columns with the state of a job as a number: 0 for one that is done.
pub(super) static EXIT_CODES: &[&str] = &["exit_status", "exit_code", "return_code", "exitcode", "failed"];

/// Units as the last word of a name.
pub(super) static UNITS: &[(&str, Unit)] = &[
    ("s", Unit::Seconds),
    ("sec", Unit::Seconds),
    ("secs", Unit::Seconds),
    ("second", Unit::Seconds),
    ("seconds", Unit::Seconds),
    ("us", Unit::Microseconds),
    ("usec", Unit::Microseconds),
    ("micros", Unit::Microseconds),
    ("microseconds", Unit::Microseconds),
    ("ms", Unit::Milliseconds),
    ("msec", Unit::Milliseconds),
    ("msecs", Unit::Milliseconds),
    ("millis", Unit::Milliseconds),
    ("milliseconds", Unit::Milliseconds),
    ("min", Unit::Minutes),
    ("mins", Unit::Minutes),
    ("minute", Unit::Minutes),
    ("minutes", Unit::Minutes),
    ("h", Unit::Hours),
    ("hr", Unit::Hours),
    ("hrs", Unit::Hours),
    ("hour", Unit::Hours),
    ("hours", Unit::Hours),
    ("d", Unit::Days),
    ("day", Unit::Days),
    ("days", Unit::Days),
];
