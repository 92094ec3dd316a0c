//! What differs between two runs, or between inputs and earlier ones, in words.

use std::sync::Arc;

use elastiplan_policies::PolicySpec;
use elastiplan_present::verdict::Changed;
use elastiplan_scenario::Fork;
use elastiplan_scenario::fields::{FIELDS, Field};

use super::world::World;

/// Changes that a sentence names.
const NAMED_MAX: usize = 2;

/// A field whose value differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The key of the field; `None` for a setting of the policy.
    pub key: Option<&'static str>,
    /// Its name.
    pub label: String,
    /// The value of the first run.
    pub from: String,
    /// The value of the second run.
    pub to: String,
}

/// What changed from one run to another.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatChanged {
    /// The fields and settings.
    pub changes: Vec<Change>,
    /// Fields that are the same, the seed not counted.
    pub same: usize,
    /// Whether they run the same jobs with the same curves and log.
    pub is_same_data: bool,
    /// `Nodes 16 → 20. The other 19 fields, the jobs and the seed are the same`
    pub words: String,
}

const SEED: &str = "seed";

/// What differs from the inputs, a few words each: `72 nodes`.
pub fn chips(own: &World, inputs: &World) -> Vec<String> {
    let fields = changed_fields(own, inputs).map(|field| chip(field, own));
    let mut chips: Vec<String> = fields.collect();
    chips.extend(own_forks(own, inputs).map(Fork::words));
    chips.extend(other_data(own, inputs));
    if own.data.log != inputs.data.log {
        chips.push(if own.data.log.is_some() { "other nodes come and go" } else { "no log of nodes" }.into());
    }
    chips
}

/// Forks that the other does not have.
fn own_forks<'a>(own: &'a World, other: &'a World) -> impl Iterator<Item = &'a Fork> {
    own.conditions.forks.iter().filter(|fork| !other.conditions.forks.contains(fork))
}

/// What changed from earlier inputs to these, a few words each.
pub fn changes_since(before: &World, now: &World) -> Vec<Changed> {
    let earlier = |now: &str| match now.strip_prefix("other") {
        Some(what) => format!("the earlier{what}"),
        None => "the earlier data".into(),
    };
    let data = other_data(now, before).into_iter().take(1).map(|now| Changed { before: earlier(&now), now });
    let fields =
        changed_fields(before, now).map(|field| Changed { now: chip(field, now), before: chip(field, before) });
    data.chain(fields).collect()
}

/// Which data are others. Curves belong to their jobs; those that a study made of the inputs' own are named.
fn other_data(own: &World, inputs: &World) -> Vec<String> {
    let (data, now) = (&own.data, &inputs.data);
    let has_own_jobs = !Arc::ptr_eq(&data.trace, &now.trace);
    let has_own_curves = !Arc::ptr_eq(&data.curves, &now.curves);
    let derived = data.derived.as_ref();
    let of_jobs = derived.filter(|derived| Arc::ptr_eq(&derived.trace, &now.trace));
    let of_curves = derived.filter(|derived| Arc::ptr_eq(&derived.curves, &now.curves));
    let mut words: Vec<String> = Vec::new();
    match of_jobs {
        Some(derived) if has_own_jobs => words.extend(derived.jobs.clone()),
        None if has_own_jobs => return vec!["other jobs".into()],
        _ => {}
    }
    match of_curves.and_then(|derived| derived.changed_curves.clone()) {
        Some(changed) if has_own_curves => words.push(changed),
        _ if has_own_curves => words.push("other curves".into()),
        _ => {}
    }
    words
}

/// What changed from one run to another.
pub fn what_changed((a, policy_a): (&World, &PolicySpec), (b, policy_b): (&World, &PolicySpec)) -> WhatChanged {
    let mut changes: Vec<Change> = Vec::new();
    if policy_a != policy_b {
        let (from, to) = (policy_a.to_string(), policy_b.to_string());
        changes.push(Change { key: None, label: "Policy".into(), from, to });
    }
    let fields = changed_fields(a, b).map(|field| Change {
        key: Some(field.key),
        label: field.control.as_ref().map_or(field.name, |control| control.label).into(),
        from: value_words(field, a),
        to: value_words(field, b),
    });
    changes.extend(fields);
    let words = |own: &World, other: &World| -> Vec<String> { own_forks(own, other).map(Fork::words).collect() };
    let (from, to) = (words(a, b), words(b, a));
    if !(from.is_empty() && to.is_empty()) {
        let words = |forks: Vec<String>| if forks.is_empty() { "none".into() } else { forks.join(", ") };
        changes.push(Change { key: None, label: "Fork".into(), from: words(from), to: words(to) });
    }
    let is_same_data = a.data == b.data;
    let is_same_seed = a.conditions.seed == b.conditions.seed;
    let changed = changes.iter().filter(|change| change.key.is_some_and(|key| key != SEED)).count();
    let same = FIELDS.len() - 1 - changed;
    let words = sentence(&changes, same, is_same_data, is_same_seed);
    WhatChanged { changes, same, is_same_data, words }
}

fn sentence(changes: &[Change], same: usize, is_same_data: bool, is_same_seed: bool) -> String {
    let mut named: Vec<String> =
        changes.iter().take(NAMED_MAX).map(|Change { label, from, to, .. }| format!("{label} {from} → {to}")).collect();
    if changes.len() > NAMED_MAX {
        named.push(format!("and {} more", changes.len() - NAMED_MAX));
    }
    let mut rest = vec![format!("the other {same} fields")];
    rest.extend(is_same_data.then(|| "the jobs".to_string()));
    rest.extend(is_same_seed.then(|| "the seed".to_string()));
    let last = rest.pop().unwrap_or_default();
    let rest = if rest.is_empty() { last } else { format!("{} and {last}", rest.join(", ")) };
    let rest = rest.replacen("the", "The", 1);
    let named = match (named.is_empty(), is_same_data) {
        (true, true) => "Nothing".into(),
        (true, false) => "Other jobs: only totals are compared".into(),
        (false, true) => named.join(", "),
        (false, false) => format!("{}. Other jobs: only totals are compared", named.join(", ")),
    };
    format!("{named}. {rest} are the same")
}

/// Fields whose values differ.
pub fn changed_fields<'a>(a: &'a World, b: &'a World) -> impl Iterator<Item = &'static Field> + 'a {
    FIELDS.iter().filter(|field| field.get(a) != field.get(b))
}

/// A value with its unit; `none` where it is absent.
pub fn value_words(field: &'static Field, world: &World) -> String {
    field.words(world, world.data.trace.start_s())
}

/// A field with its value: `20 nodes`.
fn chip(field: &'static Field, world: &World) -> String {
    let value = value_words(field, world);
    match &field.control {
        Some(control) if !control.summary.is_empty() && value != "none" => {
            let words = control.summary.replace("{}", &value);
            if value == "1" { words.replace("nodes", "node").replace("GPUs", "GPU") } else { words }
        }
        Some(control) => format!("{}: {value}", control.label),
        None => format!("{}: {value}", field.name),
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::fields::Value;

    use super::*;
    use crate::state::inputs::Inputs;

    thread_local! {
        static SAMPLE: World = Inputs::sample().world();
    }

    fn with(fields: &[(&str, Value)]) -> World {
        let mut world = SAMPLE.with(World::clone);
        for (key, value) in fields {
            world.set(Field::named(key).unwrap(), *value);
        }
        world
    }

    #[test]
    fn what_differs_is_a_few_words_each() {
        let check =
            |key: &str, value, expected: &[&str]| assert_eq!(chips(&with(&[(key, value)]), &with(&[])), expected);
        check("cluster.nodes", Value::Whole(20), &["20 nodes"]);
        check("cluster.nodes", Value::Whole(1), &["1 node"]);
        check("cluster.nodes", Value::Whole(16), &[]);
        check("cluster.gpus_per_node", Value::Whole(4), &["4 GPUs per node"]);
        check("what_if.rescale_cost_s", Value::Number(60.0), &["rescale cost 60 s"]);
        check("what_if.arrival_rate", Value::Number(1.5), &["arrivals × 1.5"]);
        check("conditions.price_per_gpu_hour", Value::Number(2.0), &["$2 per GPU-h"]);
        check("conditions.rescale_down_s", Value::Number(9.0), &["rescale_down_s: 9"]);
        check("conditions.faults.bug_share", Value::Number(0.07), &["7% of jobs fail"]);
        check("seed", Value::Whole(4), &["seed 4"]);
        check("cluster.nodes", Value::Whole(0), &[]);
        let mut forked = with(&[]);
        forked.conditions.forks.push("at=1d7h nodes=20".parse().unwrap());
        assert_eq!(chips(&forked, &with(&[])), ["from 1d 07h: 20 nodes"]);
    }

    #[test]
    fn changes_of_inputs_have_their_units_and_name_other_jobs() {
        let check = |before: &World, now: &World, expected: &[(&str, &str)]| {
            let changes = changes_since(before, now);
            let told: Vec<_> = changes.iter().map(|change| (change.now.as_str(), change.before.as_str())).collect();
            assert_eq!(told, expected);
        };
        let cost = |cost_s| with(&[("what_if.rescale_cost_s", Value::Number(cost_s))]);
        check(&cost(30.0), &cost(60.0), &[("rescale cost 60 s", "rescale cost 30 s")]);
        check(&cost(30.0), &cost(30.0), &[]);
        let nodes =
            with(&[("cluster.nodes", Value::Whole(20)), ("conditions.checkpoint_interval_s", Value::Number(60.0))]);
        let expected = [("20 nodes", "16 nodes"), ("checkpoints every 1 min", "Checkpoint every: none")];
        check(&with(&[]), &nodes, &expected);
        let mut foreign = with(&[]);
        foreign.data.trace = Arc::new((*foreign.data.trace).clone());
        check(&with(&[]), &foreign, &[("other jobs", "the earlier jobs")]);
    }

    #[test]
    fn what_changed_is_a_sentence() {
        let [fixed, other] = ["fixed", "fixed[backfill=true]"].map(|text| text.parse::<PolicySpec>().unwrap());
        let check = |fields: &[(&str, Value)], policy: &PolicySpec, expected: &str| {
            assert_eq!(what_changed((&with(&[]), &fixed), (&with(fields), policy)).words, expected);
        };
        let all = FIELDS.len() - 1;
        let rest = |changed: usize| format!("The other {} fields, the jobs and the seed are the same", all - changed);
        let nodes = ("cluster.nodes", Value::Whole(20));
        let cost = ("what_if.rescale_cost_s", Value::Number(60.0));
        let until = ("conditions.until_s", Value::Number(3600.0));
        check(&[nodes], &fixed, &format!("Nodes 16 → 20. {}", rest(1)));
        check(&[nodes, cost], &fixed, &format!("Nodes 16 → 20, Rescale cost 30 s → 60 s. {}", rest(2)));
        check(
            &[nodes, cost, until],
            &fixed,
            &format!("Nodes 16 → 20, Rescale cost 30 s → 60 s, and 1 more. {}", rest(3)),
        );
        check(&[until], &fixed, &format!("End simulation after none → 1 h. {}", rest(1)));
        check(&[], &other, &format!("Policy fixed → fixed[backfill=true]. {}", rest(0)));
        check(&[], &fixed, &format!("Nothing. {}", rest(0)));
        let mut forked = with(&[]);
        forked.conditions.forks.push("at=1d7h nodes=20".parse().unwrap());
        let words = what_changed((&with(&[]), &fixed), (&forked, &fixed)).words;
        assert_eq!(words, format!("Fork none → from 1d 07h: 20 nodes. {}", rest(0)));
        let seed = [("seed", Value::Whole(4))];
        check(&seed, &fixed, &format!("Seed 3 → 4. The other {all} fields and the jobs are the same"));
        let mut foreign = with(&[]);
        foreign.data.trace = Arc::new((*foreign.data.trace).clone());
        let changed = what_changed((&with(&[]), &fixed), (&foreign, &fixed));
        assert!(!changed.is_same_data && changed.words.starts_with("Other jobs: only totals are compared. The other"));
    }
}
