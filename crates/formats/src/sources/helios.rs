//! The logs of SenseTime's Helios (Hu et al., SC 2021): four clusters, 3.36 million jobs.

use super::{JobTable, Known, Tell, Treatment};
use crate::text::header::Header;

const DATA: &str = "https://github.com/S-Lab-System-Group/HeliosData (data.zip, cluster_log.csv)";
const ARTIFACT: &str = "https://github.com/S-Lab-System-Group/HeliosArtifact";
const NO_JOBS: &str = "Drop cluster_log.csv of HeliosData for the jobs";

pub(crate) static JOBS: Known = Known {
    name: "Helios job log",
    origin: DATA,
    tell: Tell::Columns {
        all: &["job_id", "user", "vc", "gpu_num", "node_num", "state", "submit_time", "duration", "queue"],
        none: &["type"],
    },
    treatment: Treatment::Jobs(JobTable::of(
        "job_id=job_id submit_s=submit_time duration_s=duration s gpus=gpu_num user=user",
        "models, batch sizes or deadlines; jobs that failed are kept, as they held GPUs",
    )),
};

pub(crate) static GPUS_BY_DAY: Known = Known {
    name: "Helios GPUs by virtual cluster and day",
    origin: DATA,
    tell: Tell::Header(has_virtual_clusters),
    treatment: Treatment::Refused {
        reason: "GPUs of each virtual cluster by day: neither jobs nor single nodes",
        repair: "Set Nodes and GPUs per node to the total of a day",
    },
};

/// Whether the columns are a date, virtual clusters such as `vc4om`, and their sum.
fn has_virtual_clusters(header: &Header) -> bool {
    let is_cluster = |name: &&String| name.starts_with("vc") && name.len() == 5;
    let ends = header.find("date").is_some() && header.find("total").is_some();
    ends && header.names.len() > 2 && header.names.iter().filter(is_cluster).count() + 2 == header.names.len()
}

pub(crate) static SERIES: Known = Known {
    name: "Helios series by the minute",
    origin: ARTIFACT,
    tell: Tell::Columns { all: &["time", "total_job_num", "total_gpu_num", "idle_gpu_num"], none: &[] },
    treatment: Treatment::Refused {
        reason: "Jobs and GPUs counted by the minute: idle GPUs, not idle nodes",
        repair: "Make a log of counts of whole nodes of 8 GPUs: awk -F, 'NR==1 {print \"timestamp,idle_nodes\"} \
                 NR>1 {print $1\",\"int($11/8)}'",
    },
};

pub(crate) static SUMMARY: Known = Known {
    name: "Helios summary of clusters",
    origin: ARTIFACT,
    tell: Tell::Columns { all: &["id", "gpu_num", "job_num", "cpu_job_num", "gpu_job_num"], none: &[] },
    treatment: Treatment::Refused { reason: "Means over whole clusters: no single job", repair: NO_JOBS },
};

pub(crate) static CAPACITY: Known = Known {
    name: "Nodes of virtual clusters",
    origin: ARTIFACT,
    tell: Tell::Exactly(&["vc", "node_num"]),
    treatment: Treatment::Refused {
        reason: "Nodes of each virtual cluster: no jobs",
        repair: "Set Nodes to that of a virtual cluster, or to their sum",
    },
};
