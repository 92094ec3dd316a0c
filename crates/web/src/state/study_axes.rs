//! What a study can vary, and sensible values around the present one.

use elastiplan_model::order;
use elastiplan_policies::{AUTO, Kind, Parameter, PolicySpec, REGISTRY};
use elastiplan_scenario::Placement;
use elastiplan_scenario::fields::{Access, ControlKind, FIELDS, Field, Settings, Unit};
use elastiplan_study::{JOBS_SHARE, POWER_FACTOR, RangePart, ValuePart, ValuesPart};

use super::world::World;

/// The key of the nodes.
pub const NODES: &str = "cluster.nodes";

const MINUTE_S: f64 = 60.0;
const HOUR_S: f64 = 3600.0;
/// Values of a range that doubles.
const DOUBLINGS: usize = 5;
/// Whole steps of a range from half to twice.
const STEPS: f64 = 15.0;
/// Fewer whole values make no curve.
const WHOLE_MIN: f64 = 12.0;

/// Something that can be varied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisChoice {
    /// Its key in documents.
    pub key: String,
    /// Its name: `Nodes`, `elastic-dp: delta`.
    pub label: String,
    /// A phrase on what it means; may be empty.
    pub about: &'static str,
}

/// All that can be varied for these policies, in the order of a list.
pub fn choices(policies: &[PolicySpec]) -> Vec<AxisChoice> {
    let fields = FIELDS.iter().filter(|field| is_field_varied(field)).map(|field| AxisChoice {
        key: field.key.into(),
        label: label(field.key),
        about: about(field),
    });
    let others = [
        (JOBS_SHARE, "Fewer jobs of the same trace, evenly over time"),
        (POWER_FACTOR, "How good curves have to be: 1 is perfect scaling, at 0.5 more GPUs are no faster"),
    ];
    let others = others.map(|(key, about)| AxisChoice { key: key.into(), label: label(key), about });
    let mut all: Vec<AxisChoice> = fields.chain(others).collect();
    for policy in policies {
        let known = policy.entry().map(|entry| entry.parameters).unwrap_or_default();
        let parameters = known.iter().map(|parameter| {
            let key = parameter_key(policy.name(), parameter);
            AxisChoice { label: label(&key), key, about: parameter.help }
        });
        for choice in parameters {
            if !all.contains(&choice) {
                all.push(choice);
            }
        }
    }
    order::sort_by_key(&mut all, |choice| u8::from(choice.key != NODES));
    all
}

/// What a field means; what its option says where it has no control.
fn about(field: &Field) -> &'static str {
    match (&field.control, &field.option) {
        (Some(control), _) => control.help,
        (None, Some(option)) => option.help,
        (None, None) => "",
    }
}

/// The key of a parameter: `elastic-dp.delta_s`.
pub fn parameter_key(policy: &str, parameter: &Parameter) -> String {
    format!("{policy}.{}", parameter.name)
}

/// What an axis is called, by its key.
pub fn label(key: &str) -> String {
    match (key, Field::named(key)) {
        (JOBS_SHARE, _) => "Share of the jobs".into(),
        (POWER_FACTOR, _) => "Throughput per GPU at each doubling".into(),
        (_, Some(field)) => field.label(),
        (_, None) => parameter_of(key).map_or_else(
            || key.replacen('.', ": ", 1),
            |(policy, parameter)| format!("{policy}: {}", parameter.label().0),
        ),
    }
}

/// The parameter of a key, with its policy.
pub fn parameter_of(key: &str) -> Option<(&'static str, &'static Parameter)> {
    let (policy, name) = key.split_once('.')?;
    let entry = REGISTRY.iter().find(|entry| entry.name == policy)?;
    Some((entry.name, entry.parameters.iter().find(|parameter| parameter.name == name)?))
}

/// Whether a field can be varied. Seeds are drawn at every point anyway.
fn is_field_varied(field: &Field) -> bool {
    // Mixes of models and numbers of users have no sensible values around the present one.
    !matches!(field.access, Access::Whole { .. } | Access::Models { .. } | Access::Users { .. })
}

/// Sensible values of an axis around the present one; `None` for what cannot be varied.
pub fn sensible(key: &str, world: &World, policies: &[PolicySpec]) -> Option<ValuesPart> {
    match key {
        JOBS_SHARE => return Some(range(0.1, 1.0, 0.1)),
        POWER_FACTOR => return Some(range(0.6, 1.0, 0.05)),
        _ => {}
    }
    if let Some(field) = Field::named(key) {
        return of_field(field, world);
    }
    let of_policy = |policy: &PolicySpec| {
        let known = policy.entry()?.parameters;
        let parameter = known.iter().find(|parameter| key == parameter_key(policy.name(), parameter))?;
        Some((parameter, policy.value(parameter.name)?))
    };
    let (parameter, value) = policies.iter().find_map(of_policy)?;
    Some(of_parameter(parameter, &value))
}

/// Laws from no gain to the greatest: what jobs without a curve gain from more GPUs.
const LAWS: [&str; 4] = ["rigid", "amdahl:0.2", "amdahl:0.05", "linear"];

/// Factors from tight to wide.
const INTERVALS: [&str; 4] = ["0.5..1", "0.5..1.5", "1..2", "2..4"];

fn of_field(field: &'static Field, world: &World) -> Option<ValuesPart> {
    let present = field.get(world).number();
    // The nodes of a log are there whatever is set.
    let least = world.data.log.as_ref().filter(|_| field.key == NODES).map_or(0, |log| log.availability.nodes());
    let fits = |value: f64| field.parse(&value.to_string()).is_ok() && value >= f64::from(least);
    let control = field.control.as_ref();
    match field.access {
        Access::Whole { .. } | Access::Models { .. } | Access::Users { .. } => None,
        Access::Interval { .. } => Some(words(INTERVALS.iter().copied())),
        Access::Law { .. } => Some(words(LAWS.iter().copied())),
        Access::Placement { .. } => Some(words(Placement::ALL.iter().map(|placement| placement.name()))),
        Access::Count { .. } if field.key == NODES => Some(whole(present.unwrap_or(1.0), fits)),
        Access::Count { .. } => match doubled(present.unwrap_or(1.0), fits) {
            // Half and twice of it do not exist.
            ValuesPart::List(_) => Some(whole(present.unwrap_or(1.0), fits)),
            values => Some(values),
        },
        Access::Number { .. } | Access::Optional { .. } => {
            let unit = control.map(|control| control.unit);
            let is_price = control.is_some_and(|control| control.kind == ControlKind::Price);
            Some(match unit {
                Some(Unit::Factor) => factors(present.unwrap_or(1.0), 0.0, fits),
                Some(Unit::HoursAfterStart) => instants(present, world, fits),
                Some(Unit::Percent) => shares(present.unwrap_or_default(), 0.0, fits),
                Some(Unit::Minutes) => lasting(present, 30.0 * MINUTE_S, fits),
                Some(Unit::Hours) => lasting(present, 100.0 * HOUR_S, fits),
                _ if is_price => lasting(present, 2.0, fits),
                None if !field.key.ends_with("_s") => shares(present.unwrap_or_default(), 0.0, fits),
                None | Some(Unit::Seconds | Unit::One) => {
                    // Another cost of rescaling is about as large as that which is there.
                    lasting(present, world.conditions().rescale_cost_s.max(30.0), fits)
                }
            })
        }
    }
}

fn of_parameter(parameter: &'static Parameter, value: &str) -> ValuesPart {
    match parameter.kind {
        Kind::Flag { .. } => ValuesPart::List(vec![ValuePart::Flag(false), ValuePart::Flag(true)]),
        Kind::Choice { words: known } => words(known.iter().copied()),
        Kind::Number { default, min, max, whole } => {
            let present = elastiplan_text::number(value).unwrap_or(default);
            numbers(parameter.name, present, (min, max, whole))
        }
        Kind::NumberOrAuto { default, min, max } => {
            let present = elastiplan_text::number(value);
            let found = numbers(parameter.name, present.unwrap_or(default), (min, max, false));
            match present {
                Some(_) => found,
                None => {
                    let auto = ValuePart::Word(AUTO.into());
                    ValuesPart::List(std::iter::once(auto).chain(listed(&found)).collect())
                }
            }
        }
    }
}

/// Values of a parameter that is a number.
fn numbers(name: &str, present: f64, (min, max, is_whole): (f64, f64, bool)) -> ValuesPart {
    let fits = |value: f64| (min..=max).contains(&value) && (!is_whole || value.fract() == 0.0);
    match () {
        () if is_whole => whole(present, fits),
        () if name.ends_with("_s") => lasting(Some(present), MINUTE_S, fits),
        () if min >= 0.0 && max <= 1.0 => shares(present, 0.1, fits),
        () if present > 0.0 => factors(present, 0.0, fits),
        () if max - min <= 10.0 => {
            let step = (max - min) / 10.0;
            with_present((0..=10).map(|at| min + step * f64::from(at)).collect(), step, present)
        }
        () => lasting(Some(present), 1.0, fits),
    }
}

/// Whole numbers from about half to twice.
fn whole(present: f64, fits: impl Fn(f64) -> bool) -> ValuesPart {
    let step = (1.5 * present / STEPS).round().max(1.0);
    let below = (present / 2.0 / step).floor();
    let above = (present / step).floor().max(WHOLE_MIN - 1.0 - below);
    let least = (0..=below as u32).map(|at| present - step * f64::from(at)).filter(|&value| fits(value));
    let most = (0..=above as u32).map(|at| present + step * f64::from(at)).filter(|&value| fits(value));
    range(least.last().unwrap_or(present), most.last().unwrap_or(present), step)
}

/// Each twice the one before, the present one in the middle where that fits.
fn doubled(present: f64, fits: impl Fn(f64) -> bool) -> ValuesPart {
    let all: Vec<f64> = (-4..=4).map(|at| present * libm::exp2(f64::from(at))).filter(|&value| fits(value)).collect();
    let middle = all.iter().position(|&value| value == present).unwrap_or_default();
    let first = middle.saturating_sub(DOUBLINGS / 2).min(all.len().saturating_sub(DOUBLINGS));
    let shown: Vec<f64> = all.into_iter().skip(first).take(DOUBLINGS).collect();
    match shown.as_slice() {
        [from, .., to] => ValuesPart::Range(RangePart { from: *from, to: *to, step: None, times: Some(2.0) }),
        _ => ValuesPart::List(vec![ValuePart::Number(present)]),
    }
}

/// Durations and prices: doubled around the present one, or around the usual one where there is none.
fn lasting(present: Option<f64>, usual: f64, fits: impl Fn(f64) -> bool) -> ValuesPart {
    match present {
        Some(present) if present > 0.0 => doubled(present, fits),
        Some(present) => {
            let others = (-1..=3).map(|at| usual * libm::exp2(f64::from(at))).filter(|&value| fits(value));
            list(std::iter::once(present).chain(others).collect())
        }
        None => doubled(usual, fits),
    }
}

/// From half to twice, in steps of a quarter.
fn factors(present: f64, offset: f64, fits: impl Fn(f64) -> bool) -> ValuesPart {
    let step = present / 4.0;
    let all: Vec<f64> = (2..=8).map(|at| offset + step * f64::from(at)).filter(|&value| fits(value)).collect();
    with_present(all, step, offset + present)
}

/// Tenths; of what is usually small, up to a half.
fn shares(present: f64, least: f64, fits: impl Fn(f64) -> bool) -> ValuesPart {
    let most = if least > 0.0 || present > 0.5 { 10 } else { 5 };
    let tenths = (0..=most).map(|at| f64::from(at) / 10.0);
    with_present(tenths.filter(|&value| value >= least && fits(value)).collect(), 0.1, present)
}

/// Ends of the simulation, on the clock of the trace: from half to twice as long after the first submission.
fn instants(present: Option<f64>, world: &World, fits: impl Fn(f64) -> bool) -> ValuesPart {
    let trace = &world.data.trace;
    let start_s = trace.start_s();
    let last_s = trace.jobs().iter().map(|job| job.submit_s).fold(start_s, f64::max);
    let usual_s = ((last_s - start_s) / HOUR_S).ceil().max(1.0) * HOUR_S;
    match present {
        Some(present) if present > start_s => factors(present - start_s, start_s, fits),
        Some(present) => {
            let others = factors(usual_s, start_s, fits);
            ValuesPart::List(std::iter::once(ValuePart::Number(present)).chain(listed(&others)).collect())
        }
        None => factors(usual_s, start_s, fits),
    }
}

/// Equal steps, if the present value is one of them; or else a list with it.
fn with_present(values: Vec<f64>, step: f64, present: f64) -> ValuesPart {
    let is_there = values.iter().any(|value| (value - present).abs() < 1e-9 * step.max(1.0));
    match values.as_slice() {
        [from, .., to] if is_there => range(*from, *to, step),
        _ => list(values.into_iter().chain([present]).collect()),
    }
}

fn range(from: f64, to: f64, step: f64) -> ValuesPart {
    ValuesPart::Range(RangePart { from, to, step: Some(step), times: None })
}

fn list(mut values: Vec<f64>) -> ValuesPart {
    order::sort_by_number(&mut values, |&value| value);
    values.dedup();
    ValuesPart::List(values.into_iter().map(ValuePart::Number).collect())
}

fn words<'a>(words: impl Iterator<Item = &'a str>) -> ValuesPart {
    ValuesPart::List(words.map(|word| ValuePart::Word(word.into())).collect())
}

fn listed(values: &ValuesPart) -> Vec<ValuePart> {
    match values {
        ValuesPart::List(list) => list.clone(),
        ValuesPart::Range(RangePart { from, to, step, times }) => {
            let next = |value: &f64| Some(times.map_or(value + step.unwrap_or(1.0), |times| value * times));
            let all = std::iter::successors(Some(*from), next).take_while(|value| *value <= to * (1.0 + 1e-9));
            all.take(DOUBLINGS * 4).map(ValuePart::Number).collect()
        }
    }
}

/// A label within a sentence: `vary nodes`, `vary GPUs per node`.
pub fn in_sentence(label: &str) -> String {
    let is_word = label.chars().nth(1).is_some_and(char::is_lowercase);
    let first: String = label.chars().take(1).map(|letter| letter.to_ascii_lowercase()).collect();
    let rest: String = label.chars().skip(1).collect();
    if is_word { first + &rest } else { label.into() }
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::fields::Value;
    use elastiplan_study::Axis;

    use super::*;
    use crate::state::edit::Edit;
    use crate::state::inputs::Inputs;

    /// The values of an axis with a field set; empty if the field is not.
    fn check(key: &'static str, present: Option<Value>, expected: &str) {
        let mut inputs = Inputs::sample();
        present.into_iter().for_each(|value| Edit::Field(key, value).apply(&mut inputs));
        let policies = inputs.policies();
        let values = sensible(key, &inputs.world(), &policies).unwrap();
        let axis = Axis::new(key, &values, &policies).unwrap();
        let texts: Vec<&str> = axis.values.iter().map(|value| value.text.as_str()).collect();
        assert_eq!(texts.join(" "), expected, "{key}");
    }

    /// The present value of a field or parameter as it is written in documents; `None` for one that is absent.
    fn present(key: &str, world: &World, policies: &[PolicySpec]) -> Option<String> {
        match (key, Field::named(key)) {
            (JOBS_SHARE, _) => Some("1".into()),
            (POWER_FACTOR, _) => None,
            (_, Some(field)) => match field.get(world) {
                Value::Absent => None,
                value => Some(value.to_string()),
            },
            (_, None) => policies.iter().find_map(|policy| {
                let parameter = key.strip_prefix(policy.name())?.strip_prefix('.')?;
                policy.value(parameter)
            }),
        }
    }

    #[test]
    fn values_lie_around_the_present_one() {
        check(NODES, None, "8 10 12 14 16 18 20 22 24 26 28 30 32");
        check(NODES, Some(Value::Whole(1)), "1 2 3 4 5 6 7 8 9 10 11 12");
        check(NODES, Some(Value::Whole(54)), "29 34 39 44 49 54 59 64 69 74 79 84 89 94 99 104");
        check("cluster.gpus_per_node", Some(Value::Whole(8)), "2 4 8 16 32");
        check("cluster.gpus_per_node", Some(Value::Whole(64)), "4 8 16 32 64");
        check("cluster.gpus_per_node", Some(Value::Whole(3)), "3 6 12 24 48");
        check("cluster.gpus_per_node", Some(Value::Whole(37)), "21 25 29 33 37 41 45 49 53 57 61");
        check("what_if.arrival_rate", None, "0.5 0.75 1 1.25 1.5 1.75 2");
        check("what_if.work", Some(Value::Number(100.0)), "50 75 100");
        check("what_if.rescale_cost_s", Some(Value::Number(30.0)), "7.5 15 30 60 120");
        check("what_if.rescale_cost_s", Some(Value::Number(0.0)), "0 15 30 60 120 240");
        check("conditions.price_per_gpu_hour", Some(Value::Absent), "0.5 1 2 4 8");
        check("conditions.faults.bug_share", None, "0 0.1 0.2 0.3 0.4 0.5");
        check("conditions.faults.bug_share", Some(Value::Number(0.07)), "0 0.07 0.1 0.2 0.3 0.4 0.5");
        check("conditions.faults.node_mtbf_s", None, "90000 180000 360000 720000 1440000");
        check("conditions.placement", None, "keep pack spread buddy");
        check(JOBS_SHARE, None, "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
    }

    /// Whether the values are ones that a study takes, with the present one among them where it can be.
    fn is_sensible(key: &str, world: &World, policies: &[PolicySpec]) {
        let values = sensible(key, world, policies).unwrap_or_else(|| panic!("{key} can be varied"));
        let axis = Axis::new(key, &values, policies).unwrap_or_else(|error| panic!("{error}"));
        assert!((2..=20).contains(&axis.values.len()), "{key}: {}", axis.values.len());
        if let Some(present) = present(key, world, policies) {
            let is_present = |text: &str| match (text.parse::<f64>(), present.parse::<f64>()) {
                (Ok(a), Ok(b)) => (a - b).abs() <= 1e-9 * b.abs().max(1.0),
                _ => text == present,
            };
            assert!(axis.values.iter().any(|value| is_present(&value.text)), "{key}: {present} of {values:?}");
        }
    }

    #[test]
    fn every_choice_has_values_that_a_study_takes() {
        let sample = Inputs::sample();
        for entry in REGISTRY {
            let policies = [entry.name.parse().unwrap()];
            for choice in choices(&policies) {
                is_sensible(&choice.key, &sample.world(), &policies);
            }
        }
        assert_eq!(sensible("seed", &sample.world(), &[]), None);
        assert_eq!(sensible("no such thing", &sample.world(), &[]), None);
    }

    #[test]
    fn every_field_has_sensible_values_wherever_it_stands() {
        for field in FIELDS.iter().filter(|field| is_field_varied(field)) {
            for value in [0.0, 0.01, 0.3, 0.77, 1.0, 2.0, 7.0, 37.0, 64.0, 1000.0, 65_536.0, 86_400.0] {
                let mut inputs = Inputs::sample();
                let value = match field.access {
                    Access::Count { .. } => Value::Whole(value as u64),
                    _ => Value::Number(value),
                };
                Edit::Field(field.key, value).apply(&mut inputs);
                is_sensible(field.key, &inputs.world(), &inputs.policies());
            }
        }
    }

    #[test]
    fn every_parameter_has_sensible_values_wherever_it_stands() {
        for entry in REGISTRY {
            for parameter in entry.parameters {
                for value in ["0", "0.5", "1", "3", "60", "300", "10000", AUTO, "true"] {
                    let spec: PolicySpec = entry.name.parse().unwrap();
                    let Ok(spec) = spec.with(parameter.name, value) else { continue };
                    let key = parameter_key(entry.name, parameter);
                    is_sensible(&key, &Inputs::sample().world(), &[spec]);
                }
            }
        }
    }

    #[test]
    fn labels_stand_in_sentences() {
        let check = |label: &str, expected: &str| assert_eq!(in_sentence(label), expected);
        check("Nodes", "nodes");
        check("GPUs per node", "GPUs per node");
        check("elastic-dp: delta", "elastic-dp: delta");
    }

    #[test]
    fn choices_start_with_nodes_and_have_each_parameter_once() {
        let policies: Vec<PolicySpec> =
            ["fixed", "elastic-dp", "elastic-dp[delta_s=60]"].map(|text| text.parse().unwrap()).into();
        let all = choices(&policies);
        assert_eq!(all.first().map(|choice| choice.label.as_str()), Some("Nodes"));
        let of = |key: &str| all.iter().filter(|choice| choice.key == key).count();
        let own = all.iter().find(|choice| choice.key == "elastic-dp.delta_s");
        assert_eq!(own.map(|choice| choice.label.as_str()), Some("elastic-dp: delta"));
        assert_eq!((of("elastic-dp.delta_s"), of("seed"), of(JOBS_SHARE), of(POWER_FACTOR)), (1, 0, 1, 1));
    }
}
