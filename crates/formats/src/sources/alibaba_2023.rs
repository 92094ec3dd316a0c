//! Alibaba's trace of pods, cluster-trace-gpu-v2023, "openb" (FGD, USENIX ATC 2023).

use super::{JobTable, Known, Tell, Treatment, left_out};

const ORIGIN: &str = "https://github.com/alibaba/clusterdata (cluster-trace-gpu-v2023/csv)";

pub(crate) static PODS: Known = Known {
    name: "Alibaba pod list (2023)",
    origin: ORIGIN,
    tell: Tell::Columns {
        all: &["name", "num_gpu", "gpu_milli", "pod_phase", "creation_time", "deletion_time", "scheduled_time"],
        none: &[],
    },
    treatment: Treatment::Jobs(JobTable {
        conditions: &[(
            "pod_phase!=Pending",
            left_out("A pod that ran", "Nothing to do: a pod that was never scheduled used no GPU"),
        )],
        assumed: &[(
            "job_id",
            "Each pod is a job: the trace does not say which pods belong together",
            "Nothing to do: most pods have one GPU",
        )],
        ..JobTable::of(
            "job_id=name submit_s=creation_time s duration_s=(deletion_time-scheduled_time) s \
             gpus=num_gpu*gpu_milli/1000",
            "models, batch sizes, users or deadlines; pods that ran on have the end of the trace",
        )
    }),
};

pub(crate) static PODS_WITHOUT_TIMES: Known = Known {
    name: "Alibaba pod list without times (2023)",
    origin: ORIGIN,
    tell: Tell::Exactly(&["name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"]),
    treatment: Treatment::Refused {
        reason: "Pods without times: when they came and how long they ran is not in this file",
        repair: "Drop openb_pod_list_default.csv, which has times",
    },
};

pub(crate) static NODES: Known = Known {
    name: "Alibaba node list (2023)",
    origin: ORIGIN,
    tell: Tell::Exactly(&["sn", "cpu_milli", "memory_mib", "gpu", "model"]),
    treatment: Treatment::Refused {
        reason: "Nodes with their GPUs: no jobs, and no times",
        repair: "Set Nodes and GPUs per node; drop openb_pod_list_default.csv for the jobs",
    },
};
