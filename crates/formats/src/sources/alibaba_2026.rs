//! Alibaba's trace of guaranteed and spot jobs, cluster-trace-v2026-spot-gpu (GFS, ASPLOS 2026).

use super::{JobTable, Known, Tell, Treatment};

const ORIGIN: &str = "https://github.com/alibaba/clusterdata (cluster-trace-v2026-spot-gpu)";

pub(crate) static JOBS: Known = Known {
    name: "Alibaba spot job table (2026)",
    origin: ORIGIN,
    tell: Tell::Columns {
        all: &["job_name", "organization", "gpu_request", "worker_num", "submit_time", "duration", "job_type"],
        none: &[],
    },
    treatment: Treatment::Jobs(JobTable {
        assumed: &[(
            "gpu_type",
            "All GPUs are of one type; guaranteed and spot jobs are alike",
            "To plan for one type, give the mapping with: where gpu_model=A10; for one class: where job_type=HP",
        )],
        ..JobTable::of(
            "job_id=job_name submit_s=submit_time s duration_s=duration s gpus=gpu_request*worker_num \
             user=organization",
            "models, batch sizes, deadlines or states",
        )
    }),
};

pub(crate) static NODES: Known = Known {
    name: "Alibaba spot node table (2026)",
    origin: ORIGIN,
    tell: Tell::Exactly(&["gpu_model", "gpu_capacity_num", "cpu_num", "node_name"]),
    treatment: Treatment::Refused {
        reason: "Nodes with their GPUs: no jobs, and no times",
        repair: "Set Nodes and GPUs per node; drop job_info_df.csv for the jobs",
    },
};
