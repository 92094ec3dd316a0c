//! Alibaba's PAI trace, cluster-trace-gpu-v2020 (Weng et al., NSDI 2022): seven tables whose headers are files of their
//! own. Jobs have no GPUs there; tasks have: in per cent of a GPU, for each instance.
//!
//! ```csv
//! 4f057009a5d481acec67b088,tensorflow,1.0,Terminated,1739162.0,1739200.0,600.0,29.296875,50.0,MISC
//! ```

use super::{Fold, JobTable, Known, Tell, Treatment, is_hash, is_number, left_out};
use crate::text::findings::Finding;

const ORIGIN: &str = "https://github.com/alibaba/clusterdata (cluster-trace-gpu-v2020)";
const DROP_TASKS: &str = "Drop pai_task_table.csv, which has jobs with their GPUs";
const STATES: [&str; 4] = ["Running", "Terminated", "Failed", "Waiting"];

const NOT_WAITING: (&str, Finding) =
    ("status!=Waiting", left_out("A task that ran", "Nothing to do: a task that waited used no GPU"));
const ENDED: (&str, Finding) =
    ("status!=Running", left_out("A task that ended", "Nothing to do: how long it ran is not in the trace"));

const TASK_COLUMNS: &[&str] = &[
    "job_name",
    "task_name",
    "inst_num",
    "status",
    "start_time",
    "end_time",
    "plan_cpu",
    "plan_mem",
    "plan_gpu",
    "gpu_type",
];

const TASK_JOBS: JobTable = JobTable {
    conditions: &[NOT_WAITING, ENDED],
    fold: Fold::Parts,
    assumed: &[
        ("submit_s", "The start of a job's first task", "Nothing to do: tasks start when they are submitted"),
        (
            "gpus",
            "Only tasks of whole GPUs are read",
            "To round up, give the mapping with gpus=ceil(inst_num*max(plan_gpu,0)/100)",
        ),
    ],
    ..JobTable::of(
        "job_id=job_name submit_s=start_time s duration_s=(end_time-start_time) s gpus=inst_num*max(plan_gpu,0)/100",
        "models, batch sizes, users or deadlines; times count from a secret moment",
    )
};

pub(crate) static TASKS: Known = Known {
    name: "Alibaba PAI task table (2020)",
    origin: ORIGIN,
    tell: Tell::FirstRow { delimiter: b',', names: TASK_COLUMNS, fits: is_task },
    treatment: Treatment::Jobs(TASK_JOBS),
};

fn is_task(cells: &[&str]) -> bool {
    let [job, task, number, status, ..] = cells else { return false };
    is_hash(job) && !is_number(task) && is_number(number) && STATES.contains(status)
}

pub(crate) static TASKS_WITH_HEADER: Known =
    Known { tell: Tell::Columns { all: TASK_COLUMNS, none: &[] }, treatment: Treatment::Jobs(TASK_JOBS), ..TASKS };

pub(crate) static SIMULATOR: Known = Known {
    name: "Alibaba PAI simulator jobs (2020)",
    origin: ORIGIN,
    tell: Tell::Columns { all: &["job_id", "submit_time", "num_inst", "num_gpu", "num_cpu", "duration"], none: &[] },
    treatment: Treatment::Jobs(JobTable::of(
        "job_id=job_id submit_s=submit_time s duration_s=duration s gpus=num_inst*num_gpu/100",
        "models, batch sizes or deadlines",
    )),
};

const JOB_COLUMNS: &[&str] = &["job_name", "inst_id", "user", "status", "start_time", "end_time"];

pub(crate) static JOBS: Known = Known {
    name: "Alibaba PAI job table (2020)",
    origin: ORIGIN,
    tell: Tell::FirstRow { delimiter: b',', names: JOB_COLUMNS, fits: is_job },
    treatment: Treatment::Refused {
        reason: "The job table of PAI has no GPUs: its task table has",
        repair: DROP_TASKS,
    },
};

fn is_job(cells: &[&str]) -> bool {
    matches!(cells, [job, instance, user, status, ..]
        if is_hash(job) && is_hash(instance) && is_hash(user) && STATES.contains(status))
}

pub(crate) static JOBS_WITH_HEADER: Known = Known {
    tell: Tell::Exactly(JOB_COLUMNS),
    treatment: Treatment::Refused {
        reason: "The job table of PAI has no GPUs: its task table has",
        repair: DROP_TASKS,
    },
    ..JOBS
};

const INSTANCE_COLUMNS: &[&str] =
    &["job_name", "task_name", "inst_name", "worker_name", "inst_id", "status", "start_time", "end_time", "machine"];
const NO_INSTANCES: Treatment =
    Treatment::Refused { reason: "Instances of PAI have no GPUs: its task table has", repair: DROP_TASKS };

pub(crate) static INSTANCES: Known = Known {
    name: "Alibaba PAI instance table (2020)",
    origin: ORIGIN,
    tell: Tell::FirstRow { delimiter: b',', names: INSTANCE_COLUMNS, fits: is_instance },
    treatment: NO_INSTANCES,
};

fn is_instance(cells: &[&str]) -> bool {
    matches!(cells, [job, _, instance, _, _, status, ..]
        if is_hash(job) && is_hash(instance) && STATES.contains(status))
}

pub(crate) static INSTANCES_WITH_HEADER: Known =
    Known { tell: Tell::Exactly(INSTANCE_COLUMNS), treatment: NO_INSTANCES, ..INSTANCES };

const TAG_COLUMNS: &[&str] = &["inst_id", "user", "gpu_type_spec", "group", "workload"];
const NO_TAGS: Treatment = Treatment::Refused { reason: "Tags of instances: no GPUs and no times", repair: DROP_TASKS };

pub(crate) static TAGS: Known = Known {
    name: "Alibaba PAI group tags (2020)",
    origin: ORIGIN,
    tell: Tell::FirstRow {
        delimiter: b',',
        names: TAG_COLUMNS,
        fits: |cells| matches!(cells, [inst, user, _, group, _] if is_hash(inst) && is_hash(user) && is_hash(group)),
    },
    treatment: NO_TAGS,
};

pub(crate) static TAGS_WITH_HEADER: Known = Known { tell: Tell::Exactly(TAG_COLUMNS), treatment: NO_TAGS, ..TAGS };

const MACHINE_COLUMNS: &[&str] = &["machine", "gpu_type", "cap_cpu", "cap_mem", "cap_gpu"];
const NO_MACHINES: Treatment = Treatment::Refused {
    reason: "Machines with their GPUs: no jobs, and no times",
    repair: "Set Nodes and GPUs per node; drop pai_task_table.csv for the jobs",
};

pub(crate) static MACHINES: Known = Known {
    name: "Alibaba PAI machines (2020)",
    origin: ORIGIN,
    tell: Tell::FirstRow {
        delimiter: b',',
        names: MACHINE_COLUMNS,
        fits: |cells| {
            matches!(cells, [machine, kind, cpu, memory, gpu] if is_hash(machine) && !is_number(kind)
                && [cpu, memory, gpu].into_iter().all(|cell| is_number(cell)))
        },
    },
    treatment: NO_MACHINES,
};

pub(crate) static MACHINES_WITH_HEADER: Known =
    Known { tell: Tell::Exactly(MACHINE_COLUMNS), treatment: NO_MACHINES, ..MACHINES };

pub(crate) static METRICS: Known = Known {
    name: "Alibaba PAI machine metrics (2020)",
    origin: ORIGIN,
    tell: Tell::Columns { all: &["worker_name", "machine", "machine_gpu", "machine_load_1"], none: &[] },
    treatment: Treatment::Refused { reason: "Utilisation of machines: no jobs", repair: DROP_TASKS },
};

pub(crate) static SENSORS: Known = Known {
    name: "Alibaba PAI sensors (2020)",
    origin: ORIGIN,
    tell: Tell::Columns { all: &["job_name", "worker_name", "gpu_wrk_util", "avg_gpu_wrk_mem"], none: &[] },
    treatment: Treatment::Refused { reason: "Utilisation of instances: no GPUs and no times", repair: DROP_TASKS },
};

pub(crate) static BATCH_TIMES: Known = Known {
    name: "Alibaba PAI mini-batch times (2020)",
    origin: ORIGIN,
    tell: Tell::Columns { all: &["worker", "gpu", "time", "batch_time_norm"], none: &[] },
    treatment: Treatment::Refused {
        reason: "Times of mini-batches from 0 to 1000, without a unit: no throughput follows from them",
        repair: DROP_TASKS,
    },
};
