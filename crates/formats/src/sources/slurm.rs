//! What all forms of Slurm's accounting share: the command that writes it, its resources, and which of its rows are
//! jobs.

use super::job_rows::JobMaker;
use super::left_out;
use crate::mapping::{NO_GPU, NO_TIME};
use crate::text::findings::{Effect, Finding, Findings};

pub(crate) const COMMAND: &str =
    "sacct -a -X -P -S 2026-07-01 -o JobID,User,State,Submit,Start,End,ElapsedRaw,NNodes,ReqTRES,AllocTRES";
pub(crate) const RUN_COMMAND: &str = "Run this and drop what it writes: sacct -a -X -P -S 2026-07-01 -o \
    JobID,User,State,Submit,Start,End,ElapsedRaw,NNodes,ReqTRES,AllocTRES > jobs.txt";
pub(crate) const LACKS: &str = "models, batch sizes and mostly no deadlines; a time limit is no deadline; jobs that failed are kept, as they held GPUs";
pub(crate) const ASSUMED: &[(&str, &str, &str)] =
    &[("submit_s", "Times are local times without a zone, and are taken as UTC", "Nothing to do: only days shift")];

pub(crate) const FIELDS: &[(&str, &str)] = &[
    ("job_id", "JobID"),
    ("submit_s", "Submit"),
    ("gpus", "AllocTRES"),
    ("duration_s", "ElapsedRaw"),
    ("deadline_s", "Deadline"),
    ("user", "User"),
];

pub(crate) const STEP: Finding =
    left_out("A job, not a step of one", "Nothing to do: the job's own row counts; sacct -X writes no steps");
const NEVER_RAN: Finding = left_out("A job that started", "Nothing to do: a job that never started used no GPU");
const SHARE: Finding =
    left_out("Whole GPUs, no shares (gres/shard) and no slices (MIG)", "Nothing to do: several such jobs share a GPU");
const RUNNING: Finding = Finding::new(
    Effect::Repaired,
    "A job that ended",
    "Taken to last as long as it had run when the log was written",
    "Write the log again once it has ended, or take its row out",
);

/// GPUs of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Gpus {
    Whole(f64),
    /// Parts of GPUs.
    Share,
}

impl Gpus {
    pub fn times(self, nodes: f64) -> Self {
        match self {
            Self::Whole(gpus) => Self::Whole(gpus * nodes),
            Self::Share => Self::Share,
        }
    }

    /// The GPUs of names with counts: `gpu` is the sum of all types; `gpu:a100` counts where there is no sum.
    pub fn of_named<'n>(counts: impl Iterator<Item = (&'n str, f64)>) -> Option<Self> {
        let (mut total, mut typed, mut is_share) = (None, None, false);
        for (name, count) in counts {
            match name.split_once(':') {
                None if name == "gpu" => total = Some(count),
                None if name == "shard" => is_share |= count > 0.0,
                Some(("gpu", slice)) if is_slice(slice) => is_share |= count > 0.0,
                Some(("gpu", _)) => typed = Some(typed.unwrap_or(0.0) + count),
                _ => {}
            }
        }
        if is_share { Some(Self::Share) } else { total.or(typed).map(Self::Whole) }
    }
}

/// Whether a type of GPU is a slice of one, such as `1g.10gb` or `a100_1g.10gb`.
fn is_slice(kind: &str) -> bool {
    kind.rsplit('_')
        .next()
        .and_then(|last| last.split_once("g."))
        .is_some_and(|(parts, memory)| parts.parse::<u32>().is_ok() && memory.trim_end_matches("+me").ends_with("gb"))
}

/// The GPUs among the resources of a job: `billing=64,cpu=64,gres/gpu:a100=8,gres/gpu=8`. None where there are no
/// resources at all.
pub(crate) fn gpus_of_job(resources: &str) -> Option<Gpus> {
    if resources.trim().is_empty() {
        return None;
    }
    let counts = resources.split(',').filter_map(|resource| {
        let (name, count) = resource.trim().strip_prefix("gres/")?.split_once('=')?;
        Some((name, count.parse().ok()?))
    });
    Some(Gpus::of_named(counts).unwrap_or(Gpus::Whole(0.0)))
}

/// The GPUs on each node of a job, as older versions write them: `gpu:a100:8`, `gpu:8(S:0-1)`, `gpu`.
pub(crate) fn gpus_of_node(resources: &str) -> Option<Gpus> {
    let counts = resources.split(',').filter_map(|resource| {
        let bare = resource.trim().split('(').next()?.trim_start_matches("gres:");
        let (name, count) =
            bare.rsplit_once(':').and_then(|(name, count)| Some((name, count.parse().ok()?))).unwrap_or((bare, 1.0));
        Some((name, count))
    });
    Gpus::of_named(counts)
}

/// What an entry of the accounting says.
pub(crate) struct Facts {
    pub id: String,
    pub is_step: bool,
    /// Whether it stands for tasks of an array that have not started.
    pub is_waiting_array: bool,
    pub state: String,
    pub user: String,
    /// The submission as it is written, and in seconds.
    pub submit: String,
    pub submit_s: Option<f64>,
    pub deadline_s: Option<f64>,
    pub elapsed_s: Option<f64>,
    /// `None` where it says nothing of its resources.
    pub gpus: Option<Gpus>,
}

/// Adds the job of an entry, or the reason why it is none.
pub(crate) fn add(line: u64, facts: &Facts, maker: &mut JobMaker, findings: &mut Findings) {
    let Facts { id, state, .. } = facts;
    let is_state = |word: &str| state.split_ascii_whitespace().next().is_some_and(|own| own.eq_ignore_ascii_case(word));
    if facts.is_step {
        return maker.report(STEP, "job_id", id.as_bytes(), findings);
    }
    if facts.is_waiting_array || is_state("PENDING") {
        return maker.report(NEVER_RAN, "job_id", id.as_bytes(), findings);
    }
    let gpus = match facts.gpus {
        Some(Gpus::Share) => return maker.report(SHARE, "gpus", id.as_bytes(), findings),
        Some(Gpus::Whole(gpus)) if gpus > 0.0 => gpus,
        Some(Gpus::Whole(_)) | None => return maker.report(NO_GPU, "gpus", id.as_bytes(), findings),
    };
    if facts.elapsed_s == Some(0.0) {
        let finding = if is_state("CANCELLED") { NEVER_RAN } else { NO_TIME };
        return maker.report(finding, "duration_s", id.as_bytes(), findings);
    }
    if is_state("RUNNING") || is_state("SUSPENDED") {
        maker.report(RUNNING, "duration_s", id.as_bytes(), findings);
    }
    let submit = facts.submit_s.map_or(facts.submit.clone(), |seconds| seconds.to_string());
    let deadline = facts.deadline_s.map(|seconds| seconds.to_string()).unwrap_or_default();
    let (gpus, elapsed) = (gpus.to_string(), facts.elapsed_s.map(|seconds| seconds.to_string()).unwrap_or_default());
    let values = [id, &submit, &gpus, &elapsed, &deadline, &facts.user].map(|value| value.as_bytes());
    maker.add(line, &values, findings);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gpus_among_the_resources_of_a_job() {
        let check = |text: &str, expected: Option<Gpus>| assert_eq!(gpus_of_job(text), expected, "{text}");
        check("", None);
        check("billing=16,cpu=16,mem=64G,node=1", Some(Gpus::Whole(0.0)));
        // Typed and untyped counts are of the same GPUs.
        check("cpu=64,gres/gpu:a100=8,gres/gpu=8,mem=512G", Some(Gpus::Whole(8.0)));
        check("cpu=64,gres/gpu:a100=4,gres/gpu:v100=2", Some(Gpus::Whole(6.0)));
        check("gres/gpu=1,gres/gpumem=40G,gres/gpuutil=90", Some(Gpus::Whole(1.0)));
        check("gres/gpu:1g.10gb=1,gres/gpu=1", Some(Gpus::Share));
        check("gres/gpu:a100_3g.20gb=1", Some(Gpus::Share));
        check("cpu=4,gres/shard=2", Some(Gpus::Share));
    }

    #[test]
    fn gpus_of_each_node() {
        let check = |text: &str, expected: Option<Gpus>| assert_eq!(gpus_of_node(text), expected, "{text}");
        check("gpu:a100:8", Some(Gpus::Whole(8.0)));
        check("gpu:8(S:0-1)", Some(Gpus::Whole(8.0)));
        check("gres:gpu:4", Some(Gpus::Whole(4.0)));
        check("gpu", Some(Gpus::Whole(1.0)));
        check("gpu:a100:2,gpu:v100:2", Some(Gpus::Whole(4.0)));
        check("", None);
        check("craynetwork:1", None);
    }
}
