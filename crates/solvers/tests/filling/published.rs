//! What the public artifact of ElasticFlow computed, call for call, on its trace of 195 jobs with slots of 240 s.

use std::collections::BTreeMap;
use std::path::Path;

use elastiplan_solvers::{Clock, Demand, FreeGpus, Level, Plan, Step, minimum_share, minimum_share_after};
use serde_json::Value;

use crate::data_pack::folder;

const SLOTS: Clock = Clock::Slots { slot_s: 240.0 };

/// Speeds by model, batch and number of GPUs, in iterations a second.
fn speeds(folder: &Path) -> BTreeMap<(String, u64), Vec<Level>> {
    let text = std::fs::read_to_string(folder.join("profiles/throughputs_long.csv")).unwrap();
    let mut speeds: BTreeMap<(String, u64), Vec<Level>> = BTreeMap::new();
    for line in text.lines().skip(1).filter(|line| line.starts_with("A100,")) {
        let cells: Vec<&str> = line.split(',').collect();
        let [_, model, batch, gpus, speed] = cells[..] else { panic!("{line}") };
        let Ok(work_per_s) = speed.parse::<f64>() else { continue };
        let level = Level { gpus: gpus.parse().unwrap(), work_per_s };
        speeds.entry((model.into(), batch.parse().unwrap())).or_default().push(level);
    }
    speeds
}

fn steps(value: &Value) -> Vec<Step> {
    let step = |pair: &Value| Step { from_s: pair[0].as_f64().unwrap(), gpus: pair[1].as_u64().unwrap() as u32 };
    value.as_array().unwrap().iter().map(step).collect()
}

/// The same steps, without those that change nothing or come after the end.
fn essential(steps: &[Step], end_s: f64) -> Vec<Step> {
    let mut steps: Vec<Step> = steps.iter().copied().filter(|step| step.from_s < end_s).collect();
    steps.dedup_by(|later, earlier| later.gpus == earlier.gpus);
    steps
}

/// GPUs times seconds of steps as the artifact adds them up: those after the end count too.
fn held(steps: &[Step], end_s: f64) -> f64 {
    let next = steps.iter().skip(1).map(|step| step.from_s).chain([end_s]);
    steps.iter().zip(next).map(|(step, next_s)| f64::from(step.gpus) * (next_s - step.from_s)).sum()
}

/// The same of a plan of ours that holds a level first.
fn counted(plan: &Plan, free: &FreeGpus, demand: &Demand<'_>, now_s: f64) -> f64 {
    let slots = ((demand.deadline_s - now_s) / 240.0).ceil();
    if free.next_after(now_s).is_none_or(|change_s| plan.release_s <= change_s) {
        return plan.gpu_seconds();
    }
    plan.gpu_seconds_to_change(free, now_s + slots * 240.0)
}

fn check(vector: &Value, speeds: &BTreeMap<(String, u64), Vec<Level>>) -> Result<(), String> {
    let number = |name: &str| vector[name].as_f64().unwrap_or_else(|| panic!("{name} in {vector}"));
    let model = vector["model"].as_str().unwrap().to_string();
    let most = number("max_gpu") as u32;
    let mut levels = speeds[&(model, number("batch") as u64)].clone();
    levels.retain(|level| level.gpus <= most);
    let now_s = number("now");
    let demand = Demand {
        levels: &levels,
        work: number("iter_left"),
        deadline_s: number("ddl"),
        gpus_now: None,
        unpaid_s: 0.0,
        pay_s: &|_, _| 0.0,
    };
    let mut free = FreeGpus::from_steps(steps(&vector["free_in"])).unwrap();
    let next_level = vector["mode"] == "next_level";
    let plan = if next_level {
        let gpus = number("assigned_now") as u32;
        let first = levels.iter().copied().find(|level| level.gpus == gpus).unwrap();
        minimum_share_after(&free, now_s, first, &demand, SLOTS).0
    } else {
        minimum_share(&free, now_s, &demand, SLOTS)
    };
    let same = |what: &str, ours: String, theirs: String| {
        if ours == theirs { Ok(()) } else { Err(format!("call {}: {what} {ours}, expected {theirs}", vector["call"])) }
    };
    let (end_s, real_end_s) = (number("end"), number("real_end"));
    same("end", plan.release_s.to_string(), end_s.to_string())?;
    same("real end", plan.end_s.to_string(), real_end_s.to_string())?;
    let theirs = essential(&steps(&vector["plan"]), end_s);
    same("plan", format!("{:?}", essential(&plan.steps, end_s)), format!("{theirs:?}"))?;
    same("in time", (plan.end_s <= demand.deadline_s).to_string(), vector["meets_deadline"].to_string())?;
    if next_level {
        let added = number("assigned_now") - number("cur_gpus");
        let marginal =
            (counted(&plan, &free, &demand, now_s) - held(&steps(&vector["cur_plan"]), number("cur_end"))) / added;
        same("marginal", marginal.to_string(), number("marginal_gpu_s_per_gpu").to_string())?;
    }
    assert!(free.reserve(&plan));
    same(
        "free after",
        format!("{:?}", free.steps()),
        format!("{:?}", essential(&steps(&vector["free_out"]), f64::INFINITY)),
    )
}

#[test]
fn plans_ends_and_marginal_values_are_those_of_the_artifact() {
    let Some(folder) = folder("elasticflow") else { return };
    let speeds = speeds(&folder);
    let vectors = std::fs::read_to_string(folder.join("plan-vectors-195job-s240.jsonl")).unwrap();
    let results: Vec<_> = vectors.lines().map(|line| check(&serde_json::from_str(line).unwrap(), &speeds)).collect();
    let wrong: Vec<String> = results.iter().filter_map(|result| result.clone().err()).collect();
    assert_eq!(results.len(), 921);
    assert!(wrong.is_empty(), "{} of 921 differ:\n{}", wrong.len(), wrong.join("\n"));
}
