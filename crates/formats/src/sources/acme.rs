//! The logs of Shanghai AI Laboratory's Acme (Hu et al., NSDI 2024): clusters Seren and Kalos.

use super::{JobTable, Known, Tell, Treatment};

const ORIGIN: &str = "https://github.com/InternLM/AcmeTrace (data/job_trace)";
const LACKS: &str = "models, batch sizes or deadlines; jobs that failed are kept, as they held GPUs";

pub(crate) static SEREN: Known = Known {
    name: "Acme job log (Seren)",
    origin: ORIGIN,
    tell: Tell::Columns {
        all: &["job_id", "user", "gpu_num", "type", "state", "submit_time", "start_time", "end_time", "gpu_time"],
        none: &["fail_time", "stop_time"],
    },
    treatment: Treatment::Jobs(JobTable::of(
        "job_id=job_id submit_s=submit_time duration_s=end_time-start_time gpus=gpu_num user=user",
        LACKS,
    )),
};

/// Its durations count from the submission, so that they are computed anew.
pub(crate) static KALOS: Known = Known {
    name: "Acme job log (Kalos)",
    origin: ORIGIN,
    tell: Tell::Columns {
        all: &["job_id", "user", "gpu_num", "type", "state", "submit_time", "start_time", "end_time", "fail_time"],
        none: &[],
    },
    treatment: Treatment::Jobs(JobTable {
        assumed: &[(
            "duration_s",
            "From start to end: the column counts from the submission",
            "Nothing to do, if the times are right",
        )],
        ..JobTable::of(
            "job_id=job_id submit_s=submit_time duration_s=end_time-start_time gpus=gpu_num user=user",
            LACKS,
        )
    }),
};

pub(crate) static CONVERTED: Known = Known {
    name: "Acme job log, converted",
    origin: "https://github.com/hyunnnchoi/AcmeTrace (data/converted_trace)",
    tell: Tell::Columns {
        all: &["job_id", "arrival_time", "num_iteration", "iteration_computing_time", "gpu_workers", "gpu_per_worker"],
        none: &[],
    },
    treatment: Treatment::Jobs(JobTable {
        assumed: &[(
            "duration_s",
            "Iterations times the computing and networking time of one, which the converter made up",
            "Use the logs of AcmeTrace for measured times",
        )],
        ..JobTable::of(
            "job_id=job_id submit_s=arrival_time s gpus=gpu_workers*gpu_per_worker \
             duration_s=num_iteration*(iteration_computing_time+iteration_networking_time)",
            "models, batch sizes, users or deadlines",
        )
    }),
};

pub(crate) static SUMMARY: Known = Known {
    name: "Acme summary of clusters",
    origin: ORIGIN,
    tell: Tell::Columns {
        all: &["id", "job_num", "cpu_job_num", "gpu_job_num", "avg_run_time_gpu"],
        none: &["gpu_num"],
    },
    treatment: Treatment::Refused {
        reason: "Means over whole clusters: no single job",
        repair: "Drop trace_seren.csv or trace_kalos.csv of AcmeTrace for the jobs",
    },
};
