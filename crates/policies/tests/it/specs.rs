//! Policy ids: parsing, printing and error messages.

use elastiplan_policies::{Kind, PolicySpec, REGISTRY, find};
use expect_test::{Expect, expect};
use proptest::prelude::*;

/// The id in its one spelling, or what is wrong with it.
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&described(text.parse()));
}

fn described(spec: Result<PolicySpec, elastiplan_policies::SpecError>) -> String {
    spec.map_or_else(|error| error.to_string(), |spec| spec.to_string())
}

#[test]
fn ids_and_their_one_spelling() {
    check("fixed", expect!["fixed"]);
    check(" fixed [ backfill = true ] ", expect!["fixed[backfill=true]"]);
    check("fixed[]", expect!["fixed"]);
    check("elastic-dp[queue=false,delta_s=060.50,]", expect!["elastic-dp[delta_s=60.5,queue=false]"]);
    check("elastic-dp[gpus_max=-0,delta_s=1e3]", expect!["elastic-dp[delta_s=1000,gpus_max=0]"]);
    // A value that was given is kept, even if it is the default.
    check("elastic-dp[delta_s=600]", expect!["elastic-dp[delta_s=600]"]);
}

#[test]
fn invalid_ids_are_refused() {
    check("", expect!["nothing: write a policy as name or name[parameter=value,...]"]);
    check("fixed[backfill=true", expect!["fixed[backfill=true: write a policy as name or name[parameter=value,...]"]);
    check("fixed[backfill]", expect!["fixed[backfill]: write a policy as name or name[parameter=value,...]"]);
    check(
        "fixed]",
        expect![
            "fixed] is not a policy. There are: fixed, shortest-first, equal-share, bftrainer, modelarts, modelarts-greedy, elastic-dp, elasticflow, edf, tiresias, optimus, pollux, gandiva, themis, chronus, throughput-autoscaling, spot"
        ],
    );
    check(
        "Fixed",
        expect![
            "Fixed is not a policy. There are: fixed, shortest-first, equal-share, bftrainer, modelarts, modelarts-greedy, elastic-dp, elasticflow, edf, tiresias, optimus, pollux, gandiva, themis, chronus, throughput-autoscaling, spot"
        ],
    );
    check("fixed[speed=3]", expect!["fixed has no parameter speed. It has: backfill"]);
    check("shortest-first[speed=3]", expect!["shortest-first has no parameter speed. It has: none"]);
    check(
        "bftrainer[objective=samples]",
        expect!["bftrainer, objective: samples is not throughput, scaling-efficiency or weighted"],
    );
    check("equal-share[share=]", expect!["equal-share, share: an empty value is not paper or replayer"]);
    check("fixed[backfill=yes]", expect!["fixed, backfill: yes is not true or false"]);
    check("fixed[backfill=]", expect!["fixed, backfill: an empty value is not true or false"]);
    check("elastic-dp[delta_s=-1]", expect!["elastic-dp, delta_s: -1 is not a number from 0 to 31536000"]);
    check("elastic-dp[delta_s=NaN]", expect!["elastic-dp, delta_s: NaN is not a number from 0 to 31536000"]);
    check("elastic-dp[delta_s=inf]", expect!["elastic-dp, delta_s: inf is not a number from 0 to 31536000"]);
    check("elastic-dp[gpus_max=2.5]", expect!["elastic-dp, gpus_max: 2.5 is not a whole number from 0 to 65536"]);
    check("elastic-dp[queue=true,queue=true]", expect!["elastic-dp: queue is given twice"]);
    check("fixed[backfill=true]]", expect!["fixed, backfill: true] is not true or false"]);
}

#[test]
fn setting_one_parameter() {
    let check = |id: &str, parameter: &str, value: &str, expected: Expect| {
        expected.assert_eq(&described(id.parse::<PolicySpec>().unwrap().with(parameter, value)));
    };
    check("elastic-dp", "delta_s", "60", expect!["elastic-dp[delta_s=60]"]);
    check("elastic-dp[queue=false]", "delta_s", "60", expect!["elastic-dp[delta_s=60,queue=false]"]);
    check("elastic-dp[delta_s=60]", "delta_s", "30", expect!["elastic-dp[delta_s=30]"]);
    check("elastic-dp[delta_s=60]", "delta_s", "6e2", expect!["elastic-dp"]);
    check("elastic-dp", "delta_s", "soon", expect!["elastic-dp, delta_s: soon is not a number from 0 to 31536000"]);
    check("shortest-first", "delta_s", "60", expect!["shortest-first has no parameter delta_s. It has: none"]);
    check("bftrainer", "objective", "weighted", expect!["bftrainer[objective=weighted]"]);
    check("bftrainer[objective=weighted]", "objective", "throughput", expect!["bftrainer"]);
}

#[test]
fn values_are_given_or_by_default() {
    let spec: PolicySpec = "elastic-dp[delta_s=60]".parse().unwrap();
    let value = |name: &str| spec.value(name).unwrap_or("no such parameter".into());
    assert_eq!(["delta_s", "queue", "gpus_max", "speed"].map(value), ["60", "true", "0", "no such parameter"]);
    assert_eq!(spec.name(), "elastic-dp");
}

#[test]
fn the_registry_is_in_order() {
    for entry in REGISTRY {
        assert_eq!(find(entry.name).unwrap().summary, entry.summary, "{} is there twice", entry.name);
        assert!(!entry.summary.is_empty() && !entry.source.is_empty());
        for parameter in entry.parameters {
            let default = parameter.kind.default_text();
            let text = format!("{}[{}={default}]", entry.name, parameter.name);
            assert_eq!(text.parse::<PolicySpec>().unwrap().to_string(), text, "the default is a value it takes");
            assert!(!parameter.help.is_empty() && !parameter.kind.rule().is_empty());
        }
    }
}

/// Any policy with any of its parameters given, in any order, as text.
fn id() -> impl Strategy<Value = String> {
    let entry = prop::sample::select(REGISTRY.to_vec());
    let number = prop_oneof![0.0..1.0f64, Just(0.0), Just(1.0)];
    let given = prop::collection::vec((any::<bool>(), number, any::<u32>()), 8);
    (entry, given).prop_map(|(entry, given)| {
        let mut parameters: Vec<_> = entry.parameters.iter().zip(given).filter(|(_, (given, _, _))| *given).collect();
        parameters.sort_by_key(|(_, (_, _, order))| *order);
        let pair = |(parameter, (_, share, order)): (&elastiplan_policies::Parameter, (bool, f64, u32))| {
            let value = match parameter.kind {
                Kind::Flag { .. } => (order % 2 == 0).to_string(),
                Kind::Choice { words } => words[order as usize % words.len()].to_string(),
                Kind::NumberOrAuto { .. } if order % 2 == 0 => "auto".into(),
                Kind::NumberOrAuto { min, max, .. } => (min + share * (max - min)).to_string(),
                Kind::Number { min, max, whole, .. } => {
                    let value = min + share * (max - min);
                    if whole { value.floor() } else { value }.to_string()
                }
            };
            format!("{}={value}", parameter.name)
        };
        format!("{}[{}]", entry.name, parameters.into_iter().map(pair).collect::<Vec<_>>().join(","))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn printing_and_reading_give_the_same(id in id()) {
        let spec: PolicySpec = id.parse().unwrap();
        let printed = spec.to_string();
        prop_assert_eq!(printed.parse::<PolicySpec>().unwrap(), spec.clone());
        prop_assert_eq!(PolicySpec::try_from(String::from(spec.clone())).unwrap(), spec.clone());
        prop_assert!(spec.build(0).is_some());
        // Every value that was given reads the same.
        for pair in id.split(['[', ',', ']']).filter(|pair| pair.contains('=')) {
            let (name, value) = pair.split_once('=').unwrap();
            prop_assert_eq!(spec.value(name).unwrap(), value);
        }
    }

    #[test]
    fn no_text_panics(text in "[a-z=,\\[\\]. 0-9-]{0,40}", entry in prop::sample::select(REGISTRY.to_vec())) {
        let _ = text.parse::<PolicySpec>();
        if let Ok(spec) = format!("{}[{text}]", entry.name).parse::<PolicySpec>() {
            prop_assert_eq!(spec.to_string().parse::<PolicySpec>().unwrap(), spec);
        }
    }
}
