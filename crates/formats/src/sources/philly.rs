//! Microsoft's Philly trace (Jeon et al., USENIX ATC 2019): the table of Pollux's artifact, with a row for each job.
//!
//! ```csv
//! timestamp,duration,num_gpus,gpu_time,cluster
//! 2017-10-09 07:01:55,66.0,1,66.0,11cb48
//! ```

use super::{JobTable, Known, Tell, Treatment};

pub(crate) static TABLE: Known = Known {
    name: "Philly job table",
    origin: "https://github.com/petuum/adaptdl (branch osdi21-artifact, simulator/traces/philly.csv)",
    tell: Tell::Exactly(&["timestamp", "duration", "num_gpus", "gpu_time", "cluster"]),
    treatment: Treatment::Jobs(JobTable::of(
        "submit_s=timestamp duration_s=duration s gpus=num_gpus user=cluster",
        "names of jobs, models, batch sizes or deadlines; the virtual cluster is read as the user",
    )),
};

pub(crate) static NODES: Known = Known {
    name: "Philly nodes by the minute",
    origin: "https://github.com/S-Lab-System-Group/HeliosArtifact",
    tell: Tell::Exactly(&["time", "active", "total"]),
    treatment: Treatment::Refused {
        reason: "Active nodes of Philly by the minute: idle ones are the difference of two columns",
        repair: "Make a log of counts: awk -F, 'NR==1 {print \"timestamp,idle_nodes\"} NR>1 {print $1\",\"$3-$2}'",
    },
};
