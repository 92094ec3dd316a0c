//! Microsoft's Philly trace (Jeon et al., USENIX ATC 2019) as it was published: `cluster_job_log`, a list of jobs as
//! JSON, each with its attempts and their GPUs.
//!
//! ```json
//! [{"status": "Pass", "vc": "ee9e8c", "jobid": "application_1506638472019_10258", "user": "ce2f1f",
//!   "submitted_time": "2017-10-07 01:27:05", "attempts": [{"start_time": "2017-10-07 01:27:20",
//!   "end_time": "2017-10-07 01:36:54", "detail": [{"ip": "m95", "gpus": ["gpu0", "gpu1"]}]}]}]
//! ```

use super::job_rows::JobMaker;
use super::{GIVE_LAW, Known, Tell, TextReader, Treatment, left_out};
use crate::format::Rows;
use crate::mapping::moment;
use crate::report::FileKind;
use crate::text::findings::{Finding, Findings};
use crate::text::json::{Json, List, for_each};
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

/// The members of objects that are read.
const NAMES: &[&str] = &["jobid", "user", "submitted_time", "attempts", "start_time", "end_time", "detail", "gpus"];

/// The GPUs of an attempt.
fn gpus(attempt: &Json) -> usize {
    attempt.member("detail").list().iter().map(|detail| detail.member("gpus").list().len()).sum()
}

/// Seconds of an attempt from start to end; `None` if one of the two is missing.
fn seconds(attempt: &Json) -> Option<f64> {
    let moment = |name: &str| moment(attempt.member(name).cell().as_bytes());
    Some(moment("end_time")? - moment("start_time")?)
}

fn read(records: &mut Records<'_, '_>, findings: &mut Findings) -> Rows {
    let Some(mut maker) = JobMaker::new(FIELDS) else { return Rows::Jobs(Default::default()) };
    for_each(records, List::Whole, NAMES, findings, &mut |number, job, findings| {
        add(number, &job, &mut maker, findings);
    });
    Rows::Jobs(maker.finish(findings))
}

fn add(number: u64, job: &Json, maker: &mut JobMaker, findings: &mut Findings) {
    let attempts = job.member("attempts").list();
    if attempts.is_empty() {
        return maker.report(NEVER_RAN, "duration_s", b"0", findings);
    }
    let ended: Vec<f64> = attempts.iter().filter_map(seconds).filter(|seconds| *seconds >= 0.0).collect();
    let duration_s: f64 = ended.iter().sum();
    if ended.is_empty() {
        return maker.report(NO_END, "duration_s", attempts.len().to_string().as_bytes(), findings);
    }
    if duration_s == 0.0 {
        return maker.report(NO_TIME, "duration_s", b"0", findings);
    }
    let gpus = attempts.iter().map(gpus).max().unwrap_or_default();
    if gpus == 0 {
        return maker.report(crate::mapping::NO_GPU, "gpus", b"0", findings);
    }
    let submitted = job.member("submitted_time").cell();
    let submit_s = moment(submitted.as_bytes()).map_or(submitted, |seconds| seconds.to_string());
    let (gpus, duration_s) = (gpus.to_string(), duration_s.to_string());
    let (name, user) = (job.member("jobid").cell(), job.member("user").cell());
    let values = [&name, &submit_s, &gpus, &duration_s, &user].map(|value| value.as_bytes());
    maker.add(number, &values, findings);
}
