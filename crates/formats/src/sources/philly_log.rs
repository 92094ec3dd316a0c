//! Microsoft's Philly trace (Jeon et al., USENIX ATC 2019) as it was published: `cluster_job_log`, a list of jobs as
//! JSON, each with its attempts and their GPUs.
//!
//! ```json
//! [{"status": "Pass", "vc": "ee9e8c", "jobid": "application_1506638472019_10258", "user": "ce2f1f",
//!   "submitted_time": "2017-10-07 01:27:05", "attempts": [{"start_time": "2017-10-07 01:27:20",
//!   "end_time": "2017-10-07 01:36:54", "detail": [{"ip": "m95", "gpus": ["gpu0", "gpu1"]}]}]}]
//! ```

use serde::Deserialize;

use super::job_rows::JobMaker;
use super::{GIVE_LAW, Known, Tell, TextReader, Treatment, left_out};
use crate::format::Rows;
use crate::mapping::moment;
use crate::report::FileKind;
use crate::text::findings::{Finding, Findings};
use crate::text::json::{Length, List, Scalar, for_each};
use crate::text::records::Records;

const NEVER_RAN: Finding = left_out("A job that ran", "Nothing to do: a job that was never started used no GPU");
const NO_END: Finding = left_out("An attempt that ended", "Nothing to do: how long it ran is not in the log");
const NO_TIME: Finding = left_out("A job runs for some time", "Nothing to do: a job of 0 s uses no GPU time");

pub(crate) static LOG: Known = Known {
    name: "Philly job log",
    origin: "https://github.com/msr-fiddle/philly-traces (cluster_job_log)",
    tell: Tell::Start(|start| {
        let has = |word: &str| start.contains(word);
        start.trim_start().starts_with('[') && has("\"attempts\"") && has("\"vc\"")
    }),
    treatment: Treatment::Text(TextReader {
        kind: FileKind::JobsKnown,
        read,
        lacks: "models, batch sizes or deadlines; jobs that failed are kept, as they held GPUs",
        next: GIVE_LAW,
        assumed: &[
            ("duration_s", "All attempts of a job together, without the time between them", "Nothing to do"),
            ("gpus", "Those of the attempt with the most", "Nothing to do: attempts have as many, but for a few"),
        ],
    }),
};

const FIELDS: &[(&str, &str)] = &[
    ("job_id", "jobid"),
    ("submit_s", "submitted_time"),
    ("gpus", "gpus"),
    ("duration_s", "attempts"),
    ("user", "user"),
];

#[derive(Deserialize)]
struct PhillyJob {
    #[serde(default)]
    jobid: Scalar,
    #[serde(default)]
    user: Scalar,
    #[serde(default)]
    submitted_time: Scalar,
    #[serde(default)]
    attempts: Vec<Attempt>,
}

#[derive(Deserialize)]
struct Attempt {
    #[serde(default)]
    start_time: Scalar,
    #[serde(default)]
    end_time: Scalar,
    #[serde(default)]
    detail: Vec<Detail>,
}

#[derive(Deserialize)]
struct Detail {
    #[serde(default)]
    gpus: Length,
}

impl Attempt {
    fn gpus(&self) -> u32 {
        self.detail.iter().fold(0, |sum, detail| sum.saturating_add(detail.gpus.0))
    }

    /// Seconds from start to end; `None` if one of the two is missing.
    fn seconds(&self) -> Option<f64> {
        let moment = |time: &Scalar| moment(time.cell().as_bytes());
        Some(moment(&self.end_time)? - moment(&self.start_time)?)
    }
}

fn read(records: &mut Records<'_, '_>, findings: &mut Findings) -> Rows {
    let Some(mut maker) = JobMaker::new(FIELDS) else { return Rows::Jobs(Default::default()) };
    for_each(records, List::Whole, findings, |number, job: PhillyJob, findings| {
        add(number, &job, &mut maker, findings);
    });
    Rows::Jobs(maker.finish(findings))
}

fn add(number: u64, job: &PhillyJob, maker: &mut JobMaker, findings: &mut Findings) {
    if job.attempts.is_empty() {
        return maker.report(NEVER_RAN, "duration_s", b"0", findings);
    }
    let ended: Vec<f64> = job.attempts.iter().filter_map(Attempt::seconds).filter(|seconds| *seconds >= 0.0).collect();
    let duration_s: f64 = ended.iter().sum();
    if ended.is_empty() {
        return maker.report(NO_END, "duration_s", job.attempts.len().to_string().as_bytes(), findings);
    }
    if duration_s == 0.0 {
        return maker.report(NO_TIME, "duration_s", b"0", findings);
    }
    let gpus = job.attempts.iter().map(Attempt::gpus).max().unwrap_or_default();
    if gpus == 0 {
        return maker.report(crate::mapping::NO_GPU, "gpus", b"0", findings);
    }
    let submitted = job.submitted_time.cell();
    let submit_s = moment(submitted.as_bytes()).map_or(submitted, |seconds| seconds.to_string());
    let (gpus, duration_s) = (gpus.to_string(), duration_s.to_string());
    let (name, user) = (job.jobid.cell(), job.user.cell());
    let values = [&name, &submit_s, &gpus, &duration_s, &user].map(|value| value.as_bytes());
    maker.add(number, &values, findings);
}
