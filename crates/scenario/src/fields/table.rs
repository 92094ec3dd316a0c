//! The table itself.

use elastiplan_model::{Cluster, limits};

use super::{Access, CommandOption, Control, ControlKind, Field, Range, Unit};

const RESCALE: Range = Range::closed(0.0, limits::RESCALE_MAX_S, "a number of seconds from 0 to 31,536,000");
const SECONDS: Range = Range::closed(0.0, limits::TIME_MAX_S, "a number of seconds from 0 to 1e11");
const INTERVAL: Range = Range {
    min: 0.0,
    max: limits::TIME_MAX_S,
    closed: (false, true),
    rule: "a number of seconds above 0, at most 1e11",
};
/// The end of time of the engine, 30,000 years.
const INSTANT: Range = Range::closed(0.0, 1e12, "a number of seconds from 0 to 1e12");
const MTBF: Range = Range::closed(1.0, limits::TIME_MAX_S, "at least 1 s");
const REPAIR: Range = Range::closed(0.0, limits::TIME_MAX_S, "at least 1 s where nodes fail");
const SHARE: Range = Range::closed(0.0, 1.0, "a number from 0 to 1");
const ERROR: Range = Range::closed(0.0, 0.99, "a number from 0 to 0.99");
const SLOWDOWN: Range = Range { min: 0.0, max: 1.0, closed: (true, false), rule: "a number from 0 to below 1" };
const FACTOR: Range = Range::closed(0.01, 100.0, "a number from 0.01 to 100");
const NODES: Range = Range::closed(1.0, Cluster::NODES_MAX as f64, "a whole number from 1 to 65,536");
const GPUS_PER_NODE: Range = Range::closed(1.0, Cluster::GPUS_PER_NODE_MAX as f64, "a whole number from 1 to 64");
const PRICE: Range = Range::closed(0.0, 1e6, "a number of dollars from 0 to 1,000,000");
/// Whole numbers beyond this are not exact in a number field.
const SEED_MAX: f64 = 4_294_967_295.0;

/// An access to a member of the conditions.
macro_rules! access {
    ($kind:ident $($member:ident).+ $(, $range:expr)?) => {
        Access::$kind {
            $(range: &$range,)?
            get: |conditions| conditions.$($member).+,
            set: |conditions, value| conditions.$($member).+ = value,
        }
    };
}

const fn option(name: &'static str, value_name: &'static str, help: &'static str) -> Option<CommandOption> {
    Some(CommandOption { name, alias: None, value_name, help })
}

const fn slider(label: &'static str, position: u8, summary: &'static str, [min, max, step]: [f64; 3]) -> Control {
    let kind = ControlKind::Slider { min, max, step };
    Control { label, help: "", unit: Unit::Factor, kind, position, summary, applies: |_| true }
}

const fn whole(label: &'static str, position: u8, summary: &'static str, max: f64) -> Control {
    let kind = ControlKind::Whole { max };
    Control { label, help: "", unit: Unit::One, kind, position, summary, applies: |_| true }
}

const fn number(label: &'static str, unit: Unit, position: u8, summary: &'static str, help: &'static str) -> Control {
    Control { label, help, unit, kind: ControlKind::Number, position, summary, applies: |_| true }
}

/// All fields, in the order of documents and of the command line.
pub const FIELDS: &[Field] = &[
    Field {
        key: "seed",
        name: "seed",
        access: access!(Whole seed),
        option: option("seed", "SEED", "For policies that draw random numbers, and for what goes wrong"),
        control: Some(Control {
            label: "Seed",
            help: "For policies that draw random numbers",
            unit: Unit::One,
            kind: ControlKind::Whole { max: SEED_MAX },
            position: 7,
            summary: "seed {}",
            applies: |_| true,
        }),
    },
    Field {
        key: "cluster.nodes",
        name: "nodes",
        access: Access::Count {
            range: &NODES,
            get: Cluster::nodes,
            with: |cluster, nodes| cluster.resized(nodes, cluster.gpus_per_node()).ok(),
        },
        option: None,
        control: Some(whole("Nodes", 0, "{} nodes", Cluster::NODES_MAX as f64)),
    },
    Field {
        key: "cluster.gpus_per_node",
        name: "gpus_per_node",
        access: Access::Count {
            range: &GPUS_PER_NODE,
            get: Cluster::gpus_per_node,
            with: |cluster, gpus| cluster.resized(cluster.nodes(), gpus).ok(),
        },
        option: None,
        control: Some(whole("GPUs per node", 1, "{} GPUs per node", Cluster::GPUS_PER_NODE_MAX as f64)),
    },
    Field {
        key: "what_if.rescale_cost_s",
        name: "rescale cost",
        access: access!(Number rescale_cost_s, RESCALE),
        option: Some(CommandOption {
            name: "rescale-cost-s",
            alias: Some("restart-delay-s"),
            value_name: "SECONDS",
            help: "Seconds without progress when a running job's GPUs change or a preempted one resumes",
        }),
        control: Some(Control {
            unit: Unit::Seconds,
            ..slider("Rescale cost", 2, "rescale cost {}", [0.0, 600.0, 5.0])
        }),
    },
    Field {
        key: "conditions.rescale_down_s",
        name: "rescale_down_s",
        access: access!(Optional rescale_down_s, RESCALE),
        option: option("rescale-down-s", "SECONDS", "The same for a change to fewer GPUs, if that is different"),
        control: None,
    },
    Field {
        key: "conditions.rescale_per_doubling_s",
        name: "rescale_per_doubling_s",
        access: access!(Number rescale_per_doubling_s, RESCALE),
        option: None,
        control: None,
    },
    Field {
        key: "conditions.start_delay_s",
        name: "start_delay_s",
        access: access!(Number start_delay_s, RESCALE),
        option: option("start-delay-s", "SECONDS", "Seconds without progress at the first start of a job"),
        control: Some(number("Start delay", Unit::Seconds, 9, "start delay {}", "Delay before a job's first progress")),
    },
    Field {
        key: "conditions.checkpoint_interval_s",
        name: "checkpoint_interval_s",
        access: access!(Optional checkpoint_interval_s, INTERVAL),
        option: option(
            "checkpoint-interval-s",
            "SECONDS",
            "Seconds of training between checkpoints: what was done since is lost when a node leaves. Without it nothing \
             is",
        ),
        control: Some(number(
            "Checkpoint every",
            Unit::Minutes,
            3,
            "checkpoints every {}",
            "Training since the last one is lost with a node. Empty: nothing is lost",
        )),
    },
    Field {
        key: "conditions.placement",
        name: "placement",
        access: access!(Placement placement),
        option: option(
            "placer",
            "NAME",
            "Where GPUs are taken for policies that decide only how many: keep, pack, spread or buddy",
        ),
        control: Some(Control { kind: ControlKind::Choice, ..number("Placement", Unit::One, 0, "{} placement", "") }),
    },
    Field {
        key: "conditions.faults.node_mtbf_s",
        name: "node_mtbf_s",
        access: access!(Optional faults.node_mtbf_s, MTBF),
        option: None,
        control: Some(number(
            "Node fails every",
            Unit::Hours,
            1,
            "nodes fail every {}",
            "Hours between failures of one node, on average. Empty: never",
        )),
    },
    Field {
        key: "conditions.faults.node_repair_s",
        name: "node_repair_s",
        access: access!(Number faults.node_repair_s, REPAIR),
        option: None,
        control: Some(Control {
            applies: |conditions| conditions.faults.node_mtbf_s.is_some(),
            ..number("Repair takes", Unit::Minutes, 2, "repair {}", "")
        }),
    },
    Field {
        key: "conditions.faults.bug_share",
        name: "bug_share",
        access: access!(Number faults.bug_share, SHARE),
        option: None,
        control: Some(number("Jobs that fail", Unit::Percent, 4, "{} of jobs fail", "")),
    },
    Field {
        key: "conditions.faults.bug_within_s",
        name: "bug_within_s",
        access: access!(Number faults.bug_within_s, SECONDS),
        option: None,
        control: Some(Control {
            applies: |conditions| conditions.faults.bug_share > 0.0,
            ..number("They fail within", Unit::Minutes, 5, "within {}", "")
        }),
    },
    Field {
        key: "conditions.faults.cancel_share",
        name: "cancel_share",
        access: access!(Number faults.cancel_share, SHARE),
        option: None,
        control: Some(number("Jobs cancelled", Unit::Percent, 6, "{} cancelled", "")),
    },
    Field {
        key: "conditions.faults.estimate_error",
        name: "estimate_error",
        access: access!(Number faults.estimate_error, ERROR),
        option: None,
        control: Some(number(
            "Estimates off by",
            Unit::Percent,
            7,
            "estimates ±{}",
            "Error in the remaining work that policies see",
        )),
    },
    Field {
        key: "conditions.faults.profiling_noise",
        name: "profiling_noise",
        access: access!(Number faults.profiling_noise, ERROR),
        option: None,
        control: None,
    },
    Field {
        key: "conditions.interference_slowdown",
        name: "interference_slowdown",
        access: access!(Number interference_slowdown, SLOWDOWN),
        option: option(
            "interference",
            "SHARE",
            "Slowdown of multi-node jobs that share a node with another such job, as a share: 0.25",
        ),
        control: Some(number(
            "Interference",
            Unit::Percent,
            8,
            "interference {}",
            "Slowdown of multi-node jobs that share a node",
        )),
    },
    Field {
        key: "conditions.price_per_gpu_hour",
        name: "price_per_gpu_hour",
        access: access!(Optional price_per_gpu_hour, PRICE),
        option: option("price-per-gpu-hour", "DOLLARS", "What a GPU costs in an hour, used or not"),
        control: Some(Control {
            kind: ControlKind::Price,
            ..number(
                "Price per GPU-h",
                Unit::One,
                5,
                "${} per GPU-h",
                "Dollars for a GPU and hour. Empty: costs are not shown",
            )
        }),
    },
    Field {
        key: "conditions.until_s",
        name: "time to stop",
        access: access!(Optional until_s, INSTANT),
        option: option("until", "SECONDS", "End the simulation at this time, on the clock of the trace"),
        control: Some(number(
            "End simulation after",
            Unit::HoursAfterStart,
            10,
            "ends after {}",
            "Hours after the first submission. Empty: when all is done",
        )),
    },
    Field {
        key: "conditions.law",
        name: "law",
        access: access!(Law law),
        option: option(
            "law",
            "LAW",
            "The speed of jobs whose model has no curve, through their duration as the one point: rigid, linear, \
             amdahl:0.05, downey:32,1, sevcik:1.02,0.05,0, power:0.8 or like:MODEL",
        ),
        control: None,
    },
    Field {
        key: "conditions.deadline_tightness",
        name: "deadline tightness",
        access: access!(Interval deadline_tightness),
        option: option(
            "deadlines",
            "FROM..TO",
            "Deadlines drawn for jobs without one, between these factors of the run time on the GPUs that they ask for: \
             0.5..1.5",
        ),
        control: None,
    },
    Field {
        key: "conditions.model_mix",
        name: "model mix",
        access: access!(Models model_mix),
        option: option(
            "models",
            "MIX",
            "Models drawn for jobs without one: resnet50:3,bert:1, or curves for each loaded curve as likely as another",
        ),
        control: None,
    },
    Field {
        key: "conditions.batch_range",
        name: "batch range",
        access: access!(Interval batch_range),
        option: option(
            "batch-range",
            "FROM..TO",
            "Batch sizes that jobs with a single one may have, as factors of it: 0.5..4",
        ),
        control: None,
    },
    Field {
        key: "conditions.users",
        name: "users",
        access: access!(Users users),
        option: option(
            "users",
            "USERS",
            "Users drawn for jobs without one: 40, or zipf:40 for the n-th 1/n times as often as the first",
        ),
        control: None,
    },
    Field {
        key: "what_if.arrival_rate",
        name: "arrival rate",
        access: access!(Number arrival_rate, FACTOR),
        option: option("arrival-rate", "FACTOR", "Jobs arrive this many times as fast"),
        control: Some(slider("Arrival rate", 3, "arrivals × {}", [0.25, 4.0, 0.05])),
    },
    Field {
        key: "what_if.deadline_slack",
        name: "deadlines",
        access: access!(Number deadline_slack, FACTOR),
        option: option("deadline-slack", "FACTOR", "The time from submission to deadline, times this"),
        control: Some(slider("Deadlines", 4, "deadlines × {}", [0.25, 4.0, 0.05])),
    },
    Field {
        key: "what_if.work",
        name: "work",
        access: access!(Number work, FACTOR),
        option: option("work", "FACTOR", "The work of every job, times this"),
        control: Some(slider("Work", 6, "work × {}", [0.25, 4.0, 0.05])),
    },
];
