//! Alibaba's trace of disaggregated inference, cluster-trace-gpu-v2025 (NSDI 2025): not training.

use super::{Known, Tell, Treatment};

pub(crate) static SERVICES: Known = Known {
    name: "Alibaba inference services (2025)",
    origin: "https://github.com/alibaba/clusterdata (cluster-trace-gpu-v2025)",
    tell: Tell::Columns { all: &["instance_sn", "role", "app_name", "gpu_request", "creation_time"], none: &[] },
    treatment: Treatment::Refused {
        reason: "Inference services: they have no amount of work to finish, so that they are no training jobs",
        repair: "Drop a trace of training jobs; the GPUs that services leave free are an availability log",
    },
};
