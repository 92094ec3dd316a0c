//! Files that describe clusters and settings of simulators: recognised, and refused, since a cluster is set in the
//! scenario.

use super::{Known, Tell, Treatment};

const SET_CLUSTER: &str = "Set Nodes and GPUs per node to its numbers";

pub(crate) static GAVEL_CLUSTER: Known = Known {
    name: "Gavel cluster",
    origin: "https://github.com/stanford-futuredata/gavel (scheduler/traces/msr)",
    tell: Tell::Start(|start| start.trim_start().starts_with('{') && start.contains("\"philly\": [\"")),
    treatment: Treatment::Refused {
        reason: "The size of a cluster, as numbers of V100, P100 and K80: no jobs",
        repair: SET_CLUSTER,
    },
};

pub(crate) static SHOCKWAVE_SETTINGS: Known = Known {
    name: "Shockwave settings",
    origin: "https://github.com/uw-mad-dash/shockwave (scheduler/configurations)",
    tell: Tell::Start(|start| start.trim_start().starts_with('{') && start.contains("\"future_rounds\"")),
    treatment: Treatment::Refused {
        reason: "Settings of Shockwave's policy: no jobs",
        repair: "Set the parameters of a policy beside its name",
    },
};

pub(crate) static CHRONUS_SPEEDS: Known = Known {
    name: "Chronus speeds by nodes",
    origin: "https://github.com/S-Lab-System-Group/ChronusArtifact (code/data/model_info.json)",
    tell: Tell::Start(|start| {
        let is_object = start.trim_start().starts_with('{');
        is_object && start.contains("\": {\"2\": {\"1\": 1.0")
    }),
    treatment: Treatment::Refused {
        reason: "Speeds of models on several nodes relative to one: no throughput",
        repair: "Give a law of speedup instead, such as --law amdahl:0.05",
    },
};

pub(crate) static SYNERGY_CLUSTER: Known = Known {
    name: "Synergy cluster",
    origin: "https://github.com/msr-fiddle/synergy (simulator/configs)",
    tell: Tell::Start(|start| start.trim_start().starts_with("[CLUSTER]")),
    treatment: Treatment::Refused {
        reason: "The size of a cluster: no jobs",
        repair: "Set Nodes to racks times servers_per_rack, and GPUs per node to gpus_per_server",
    },
};

pub(crate) static KUBERNETES_NODES: Known = Known {
    name: "Kubernetes nodes",
    origin: "kubectl get nodes -o yaml",
    tell: Tell::Start(|start| start.contains("apiVersion:") && start.lines().any(|line| line.trim() == "kind: Node")),
    treatment: Treatment::Refused { reason: "Nodes of a cluster: no jobs", repair: SET_CLUSTER },
};
