//! The data of Lucid (Hu et al., ASPLOS 2023): series of counts, and speeds on one GPU.

use super::{Known, Tell, Treatment};

const ORIGIN: &str = "https://github.com/S-Lab-System-Group/Lucid (simulation)";

pub(crate) static SERIES: Known = Known {
    name: "Lucid series of jobs",
    origin: ORIGIN,
    tell: Tell::Columns { all: &["time", "submit_job_all", "start_job_all", "end_job_all"], none: &[] },
    treatment: Treatment::Refused {
        reason: "Jobs counted every ten minutes: no single job",
        repair: "Drop cluster_log.csv of HeliosData for the jobs of Venus",
    },
};

pub(crate) static COLOCATED: Known = Known {
    name: "Lucid speeds of two jobs on one GPU",
    origin: ORIGIN,
    tell: Tell::Columns { all: &["model1", "batchsize1", "speed1", "model2", "batchsize2", "speed2"], none: &[] },
    treatment: Treatment::Refused {
        reason: "Speeds of two jobs that share a GPU: here a GPU has one job",
        repair: "Drop throughput curves: model, gpus, samples_per_s",
    },
};

pub(crate) static SINGLE: Known = Known {
    name: "Lucid speeds on one GPU",
    origin: ORIGIN,
    tell: Tell::Columns { all: &["model", "dataset", "batchsize", "amp", "speed"], none: &["model1"] },
    treatment: Treatment::Refused {
        reason: "Speeds on one GPU, in a unit that is not said: no curve over GPUs",
        repair: "If they are samples per second, make curves of one point: awk -F, 'NR==1 \
                 {print \"model,batch_global,gpus,samples_per_s\"} NR>1 && $4==0 {print $1\"-\"$2\",\"$3\",1,\"$5}'",
    },
};

pub(crate) static CAPACITY: Known = Known {
    name: "Lucid nodes of virtual clusters",
    origin: ORIGIN,
    tell: Tell::Exactly(&["num"]),
    treatment: Treatment::Refused {
        reason: "Nodes of each virtual cluster: no jobs",
        repair: "Set Nodes to that of a virtual cluster, or to their sum, and GPUs per node to 8",
    },
};
