//! Options that say what runs meet, and how their values are read.

use clap::Args;
use elastiplan_engine::Placement;
use elastiplan_model::limits;
use elastiplan_scenario::{Conditions, FaultsText, WhatIf};

/// What is asked to be different from the files, and what runs meet.
#[derive(Args)]
pub struct Options {
    /// For policies that draw random numbers, and for what goes wrong.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Seconds without progress when a running job's GPUs change or a preempted one resumes.
    #[arg(long, visible_alias = "restart-delay-s", value_name = "SECONDS", default_value_t = WhatIf::default().rescale_cost_s)]
    rescale_cost_s: f64,
    /// The same for a change to fewer GPUs, if that is different.
    #[arg(long, value_name = "SECONDS", value_parser = delay)]
    rescale_down_s: Option<f64>,
    /// Seconds without progress at the first start of a job.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = delay)]
    start_delay_s: f64,
    /// Seconds of training between checkpoints: what was done since is lost when a node leaves. Without it nothing is.
    #[arg(long, value_name = "SECONDS", value_parser = interval)]
    checkpoint_interval_s: Option<f64>,
    /// Where GPUs are taken for policies that decide only how many: keep, pack, spread or buddy.
    #[arg(long, value_name = "NAME", default_value = Placement::Keep.name(), value_parser = placer)]
    placer: Placement,
    /// What goes wrong, drawn from the seed: node_mtbf_s=86400,node_repair_s=600,bug_share=0.15,bug_within_s=300,
    /// cancel_share=0.1,estimate_error=0.1,profiling_noise=0.05, or some of them.
    #[arg(long, value_name = "KEY=NUMBER,...", default_value = "none")]
    faults: FaultsText,
    /// How much slower jobs on several nodes are that share one of them with another such job, as a share: 0.25.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = slowdown)]
    interference: f64,
    /// Stop at this time, on the clock of the trace.
    #[arg(long, value_name = "SECONDS", value_parser = time)]
    until: Option<f64>,
    /// Jobs arrive this many times as fast.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    arrival_rate: f64,
    /// The time from submission to deadline, times this.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    deadline_slack: f64,
}

impl Options {
    pub fn what_if(&self) -> WhatIf {
        WhatIf {
            rescale_cost_s: self.rescale_cost_s,
            arrival_rate: self.arrival_rate,
            deadline_slack: self.deadline_slack,
            seed: self.seed,
        }
    }

    pub fn conditions(&self) -> Conditions {
        Conditions {
            rescale_down_s: self.rescale_down_s,
            start_delay_s: self.start_delay_s,
            checkpoint_interval_s: self.checkpoint_interval_s,
            placement: self.placer,
            faults: self.faults.0,
            interference_slowdown: self.interference,
            until_s: self.until,
            ..Conditions::default()
        }
    }
}

fn placer(name: &str) -> Result<Placement, String> {
    let known = || Placement::ALL.iter().map(|placement| placement.name()).collect::<Vec<_>>().join(", ");
    Placement::named(name).ok_or_else(|| format!("{name} is not a placer. There are: {}", known()))
}

fn delay(text: &str) -> Result<f64, String> {
    number(text, "a number of seconds from 0 to 31536000", |value| (0.0..=limits::RESCALE_MAX_S).contains(&value))
}

fn interval(text: &str) -> Result<f64, String> {
    let rule = "a number of seconds above 0, at most 1e11";
    number(text, rule, |value| value > 0.0 && value <= limits::TIME_MAX_S)
}

fn time(text: &str) -> Result<f64, String> {
    number(text, "a number of seconds from 0 to 1e11", |value| (0.0..=limits::TIME_MAX_S).contains(&value))
}

fn slowdown(text: &str) -> Result<f64, String> {
    number(text, "a number from 0 to below 1", |value| (0.0..1.0).contains(&value))
}

fn number(text: &str, rule: &str, holds: impl Fn(f64) -> bool) -> Result<f64, String> {
    text.parse().ok().filter(|value| holds(*value)).ok_or_else(|| format!("{text} is not {rule}"))
}
