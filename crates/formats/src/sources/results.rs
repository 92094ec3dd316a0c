//! Tables of results: what a simulator, a scheduler or this planner made of a trace. They are recognised, and refused
//! with what to drop instead.

use super::slurm::RUN_COMMAND;
use super::{Known, Tell, Treatment};
use crate::mapping::names_gpus;
use crate::text::header::Header;

const REPLAYER: &str = "https://github.com/dummy4binary/BFTrainer-Log-Replayer (its results)";
const SLURM: &str = "squeue, sprio, sshare or scontrol of Slurm";
const DROP_TRACE: &str = "Drop the trace of jobs that these results were made of";

/// A source that cannot serve.
const fn refused(name: &'static str, origin: &'static str, tell: Tell, words: [&'static str; 2]) -> Known {
    let [reason, repair] = words;
    Known { name, origin, tell, treatment: Treatment::Refused { reason, repair } }
}

const fn with(all: &'static [&'static str]) -> Tell {
    Tell::Columns { all, none: &[] }
}

pub(crate) static OF_POLICIES: Known = refused(
    "Results of policies",
    "a simulator",
    Tell::Header(has_completion_times),
    ["Completion times that a policy reached: results, and no trace of jobs", DROP_TRACE],
);

/// Whether columns hold completion times or makespans, and none the GPUs that jobs ask for.
fn has_completion_times(header: &Header) -> bool {
    let is_result = |name: &str| name.split('_').any(|word| matches!(word, "jct" | "makespan"));
    let plain = (0..header.names.len()).filter_map(|index| header.plain_name(index));
    plain.clone().count() > 2
        && plain.clone().any(is_result)
        && !plain.clone().any(|name| name == "gpus" || names_gpus(name))
}

pub(crate) static FRAGMENTS: Known = refused(
    "Lengths of idle times",
    "https://github.com/BFTrainer/BFTrainer (fragments.npy)",
    Tell::Exactly(&["idle_fragment_s"]),
    [
        "Lengths of idle times, but neither their nodes nor when they began: no log of nodes",
        "Drop a log of intervals: node, idle_start, idle_end",
    ],
);

pub(crate) static REPLAYED_RUNS: Known = refused(
    "Results of BFTrainer's replayer",
    REPLAYER,
    with(&["log", "jobs", "policy", "t_fwd_s", "max_trainers"]),
    [
        "Results of replayed policies: no jobs, curves or nodes",
        "Drop the tables of Trainers (JNPs, Jbnd) and a log of nodes",
    ],
);

pub(crate) static REPLAYED_DECISIONS: Known = refused(
    "Decisions of BFTrainer's replayer",
    REPLAYER,
    with(&["jobs", "t_fwd_s", "n_nodes", "trainer_rows", "current_counts", "optimum"]),
    [
        "Single decisions with their best value: no jobs, curves or nodes",
        "Drop the tables of Trainers (JNPs, Jbnd) and a log of nodes",
    ],
);

pub(crate) static REPLAYED_STEPS: Known = refused(
    "Steps of BFTrainer's replayer",
    REPLAYER,
    with(&["t", "thr", "rate", "rescost", "nleft", "njoin"]),
    [
        "The steps of a replayed policy: no jobs, curves or nodes",
        "Drop the tables of Trainers (JNPs, Jbnd) and a log of nodes",
    ],
);

pub(crate) static REPLAYED_JOBS: Known = refused(
    "Trainers of BFTrainer's replayer",
    REPLAYER,
    Tell::Exactly(&["job", "start_s", "done_s", "samples"]),
    [
        "When replayed Trainers began and ended: results, without submission and nodes",
        "Drop the tables of Trainers (JNPs, Jbnd)",
    ],
);

pub(crate) static SLURM_STATES: Known = refused(
    "States of Slurm's queue",
    SLURM,
    with(&["t", "job", "state", "reason", "priority", "planned_start"]),
    ["The states of jobs as squeue showed them, again and again: no run times", RUN_COMMAND],
);

pub(crate) static SLURM_QUEUE: Known = refused(
    "Slurm's queue (squeue)",
    SLURM,
    Tell::Start(|start| start.lines().next().is_some_and(|first| first.trim_end().ends_with("NODELIST(REASON)"))),
    ["Jobs that wait or run now: it is not said how long they take", RUN_COMMAND],
);

pub(crate) static SLURM_PRIORITIES: Known = refused(
    "Slurm's priorities (sprio)",
    SLURM,
    with(&["age", "fairshare", "jobsize", "partition", "qos"]),
    ["What the priorities of waiting jobs are made of: neither GPUs nor run times", RUN_COMMAND],
);

pub(crate) static SLURM_SHARES: Known = refused(
    "Slurm's shares (sshare)",
    SLURM,
    Tell::Header(has_shares),
    ["Shares and usage of accounts: no jobs", RUN_COMMAND],
);

/// Whether these are the columns of `sshare`, as it spells them or with underscores.
fn has_shares(header: &Header) -> bool {
    let has = |name: &str| {
        (0..header.names.len()).any(|at| header.plain_name(at).is_some_and(|own| own.replace('_', "") == name))
    };
    ["account", "user", "rawshares", "rawusage", "fairshare"].into_iter().all(has)
}

pub(crate) static SLURM_RESULTS: Known = refused(
    "Jobs as Slurm ran them (scontrol)",
    SLURM,
    with(&["job", "submit", "eligible", "start", "end", "scheduler", "priority_last"]),
    [
        "What Slurm did with jobs: GPUs are named by node and index, and a submission is that of the last run",
        "Drop jobs.csv of the same folder, or what sacct writes",
    ],
);

pub(crate) static KUEUE_CASES: Known = refused(
    "Cases of preemption of Kueue",
    "https://github.com/kubernetes-sigs/kueue (pkg/scheduler/preemption)",
    Tell::Start(|start| {
        let has = |word: &str| start.contains(word);
        start.trim_start().starts_with('{') && has("\"admitted\"") && has("\"incoming\"") && has("\"preempted\"")
    }),
    [
        "Quotas, and which of a few workloads are preempted: no times of jobs",
        "Write jobs that have finished: kubectl get workloads -A -o json",
    ],
);
