//! The inputs of Tiresias's simulator (Gu et al., NSDI 2019), whose header many later simulators share.

use super::{JobTable, Known, Tell, Treatment};

const ORIGIN: &str = "https://github.com/SymbioticLab/Tiresias (simulator)";

pub(crate) static JOBS: Known = Known {
    name: "Tiresias job trace",
    origin: ORIGIN,
    tell: Tell::Columns {
        all: &["job_id", "num_gpu", "submit_time", "iterations", "model_name", "duration", "interval"],
        none: &["expect_time_list"],
    },
    treatment: Treatment::Jobs(JobTable {
        assumed: &[(
            "duration_s",
            "Seconds on the GPUs asked for; the iterations do not fit them and are not used",
            "Nothing to do",
        )],
        ..JobTable::of(
            "job_id=job_id submit_s=submit_time s duration_s=duration s gpus=num_gpu model=model_name",
            "batch sizes, users or deadlines",
        )
    }),
};

pub(crate) static CLUSTER: Known = Known {
    name: "Tiresias cluster",
    origin: ORIGIN,
    tell: Tell::Columns { all: &["num_switch", "num_node_p_switch", "num_gpu_p_node"], none: &[] },
    treatment: Treatment::Refused {
        reason: "The size of a cluster: no jobs",
        repair: "Set Nodes to num_switch times num_node_p_switch, and GPUs per node to num_gpu_p_node",
    },
};

pub(crate) static DURATIONS: Known = Known {
    name: "Tiresias GPU times of past jobs",
    origin: ORIGIN,
    tell: Tell::Exactly(&["duration"]),
    treatment: Treatment::Refused {
        reason: "GPU times of past jobs, without submissions and GPUs: a policy's knowledge, not jobs",
        repair: "Drop a job trace, such as 60_job.csv",
    },
};
