//! The traces of Chronus (Gao et al., SoCC 2021): Philly's jobs with deadlines. Times are in minutes.

use super::{JobTable, Known, Tell, Treatment};

pub(crate) static JOBS: Known = Known {
    name: "Chronus job trace",
    origin: "https://github.com/S-Lab-System-Group/ChronusArtifact (code/data/exp)",
    tell: Tell::Columns {
        all: &[
            "job_id",
            "num_gpu",
            "submit_time",
            "model_name",
            "duration",
            "expect_time_list",
            "expect_value_list",
            "best_effort",
        ],
        none: &[],
    },
    treatment: Treatment::Jobs(JobTable {
        assumed: &[
            ("submit_s", "Times are in minutes, as their range says: the trace does not", "See docs/import.md"),
            (
                "deadline_s",
                "The first expected time after the submission; later ones of soft deadlines, and values, are not used",
                "Nothing to do: a deadline is one moment",
            ),
        ],
        ..JobTable::of(
            "job_id=job_id submit_s=submit_time min duration_s=duration min gpus=num_gpu model=model_name user=user \
             deadline_s=submit_time min+after(expect_time_list,'') min best_effort=best_effort",
            "batch sizes",
        )
    }),
};
