//! Controls of the page for the fields of the conditions, in the units that a person thinks in.

use elastiplan_model::order;
use elastiplan_scenario::fields::{Access, Control, ControlKind, FIELDS, Field, OutOfRange, Settings, Unit, Value};
use elastiplan_scenario::{Conditions, Faults};

const HOUR_S: f64 = 3600.0;
const MINUTE_S: f64 = 60.0;

/// The page's default conditions: nothing special happens. Durations of repairs and of bugs are filled in for when
/// there are some.
pub fn default_conditions() -> Conditions {
    let faults = Faults { node_repair_s: 30.0 * MINUTE_S, bug_within_s: HOUR_S, ..Faults::default() };
    Conditions { faults, ..Conditions::default() }
}

/// A field with its control.
#[derive(Clone, Copy)]
pub struct Controlled {
    /// The field.
    pub field: &'static Field,
    /// Its control.
    pub control: &'static Control,
}

impl PartialEq for Controlled {
    fn eq(&self, other: &Self) -> bool {
        self.field.key == other.field.key
    }
}

/// The controls among the what-ifs, or those among faults and costs, from top to bottom.
pub fn controls(is_what_if: bool) -> Vec<Controlled> {
    let of_what_if = |kind| matches!(kind, ControlKind::Slider { .. } | ControlKind::Whole { .. } | ControlKind::Price);
    let all = FIELDS.iter().filter_map(|field| Some(Controlled { field, control: field.control.as_ref()? }));
    let mut controls: Vec<Controlled> = all.filter(|found| of_what_if(found.control.kind) == is_what_if).collect();
    order::sort_by_key(&mut controls, |found| found.control.position);
    controls
}

impl Controlled {
    /// The number that the control shows, in its unit; `start_s` is the first submission.
    pub fn shown(self, settings: &dyn Settings, start_s: f64) -> Option<f64> {
        Some(self.control.unit.shown(self.field.get(settings).number()?, start_s))
    }

    /// The value of the field for a number in the unit of the control.
    pub fn value(self, shown: Option<f64>, start_s: f64) -> Value {
        if let (Access::Whole { .. } | Access::Count { .. }, Some(shown)) = (&self.field.access, shown) {
            return if shown.fract() == 0.0 { Value::Whole(shown as u64) } else { Value::Number(shown) };
        }
        let value = shown.map(|shown| match self.control.unit {
            Unit::Hours => shown * HOUR_S,
            Unit::HoursAfterStart => start_s + shown * HOUR_S,
            Unit::Minutes => shown * MINUTE_S,
            // Dividing by a hundred is exact where multiplying with a hundredth is not.
            Unit::Percent => shown / 100.0,
            Unit::One | Unit::Factor | Unit::Seconds => shown,
        });
        value.into()
    }

    /// The reason why a number in the unit of the control cannot be set, in words.
    pub fn fault(self, conditions: &Conditions, shown: Option<f64>, start_s: f64) -> Option<String> {
        if shown.is_none() && !self.field.access.is_optional() {
            return Some("A number is needed".into());
        }
        let OutOfRange { value, rule, .. } = set(self.field, conditions, self.value(shown, start_s)).err()?;
        // The rule is about seconds and shares.
        let of_what = match self.control.unit {
            Unit::Percent => "As a share, ",
            Unit::Hours | Unit::HoursAfterStart | Unit::Minutes => "In seconds, ",
            Unit::One | Unit::Factor | Unit::Seconds => "",
        };
        Some(format!("{of_what}{value} is not {rule}"))
    }
}

/// The conditions with another value of a field; or the rule that this would break.
pub fn set(field: &Field, conditions: &Conditions, value: Value) -> Result<Conditions, OutOfRange> {
    let mut changed = conditions.clone();
    field.set(&mut changed, value)?;
    changed.validate()?;
    Ok(changed)
}

/// What differs from the default, a few words each: `pack placement`, `nodes fail every 100 h`.
pub fn differences(conditions: &Conditions, start_s: f64) -> Vec<String> {
    let default = default_conditions();
    let mut words: Vec<String> = Vec::new();
    for found in controls(false) {
        let Controlled { field, control } = found;
        let is_choice = control.kind == ControlKind::Choice;
        if field.get(conditions) != field.get(&default) && (control.applies)(conditions) {
            let amount = match (found.shown(conditions, start_s), control.unit.words().0) {
                (Some(value), "%") => Some(format!("{value}%")),
                (Some(value), unit) => Some(format!("{value} {unit}")),
                (None, _) => is_choice.then(|| field.get(conditions).to_string()),
            };
            words.extend(amount.map(|amount| control.summary.replace("{}", &amount)));
        }
        if is_choice {
            words.extend(prices_in_words(conditions));
        }
    }
    words
}

fn prices_in_words(conditions: &Conditions) -> Option<String> {
    let steps = conditions.prices.as_ref()?.steps();
    let (least, most) =
        steps.fold((f64::INFINITY, 0.0), |(least, most), (_, price)| (f64::min(least, price), f64::max(most, price)));
    Some(format!("GPUs from {least:.2} to {most:.2} $ an hour"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn control(label: &str) -> Controlled {
        controls(false).into_iter().find(|found| found.control.label == label).unwrap()
    }

    #[test]
    fn values_come_back_as_they_were_set() {
        let mut conditions = default_conditions();
        let values = [100.5, 45.0, 30.0, 7.0, 20.0, 0.1, 29.0, 25.0, 12.0, 24.0];
        let numbers = controls(false).into_iter().filter(|found| found.control.kind == ControlKind::Number);
        for (found, value) in numbers.zip(values) {
            conditions = set(found.field, &conditions, found.value(Some(value), 600.0)).unwrap();
            assert_eq!(found.shown(&conditions, 600.0), Some(value));
        }
        assert_eq!(conditions.faults.node_mtbf_s, Some(361_800.0));
        assert_eq!(conditions.faults.bug_share, 0.07);
        assert_eq!(conditions.until_s, Some(600.0 + 24.0 * 3600.0));
        assert_eq!(
            differences(&conditions, 600.0).join(", "),
            "nodes fail every 100.5 h, repair 45 min, checkpoints every 30 min, 7% of jobs fail, within 20 min, \
             0.1% cancelled, estimates ±29%, interference 25%, start delay 12 s, ends after 24 h"
        );
        assert_eq!(set(control("End simulation after").field, &conditions, Value::Absent).unwrap().until_s, None);
        assert!(differences(&default_conditions(), 0.0).is_empty());
        let prices = Some(Arc::new(elastiplan_model::Prices::new([(0.0, 2.5), (3600.0, 0.9)]).unwrap()));
        let priced = Conditions { prices, ..default_conditions() };
        assert_eq!(differences(&priced, 0.0), ["GPUs from 0.90 to 2.50 $ an hour"]);
        // They stay when something else is changed.
        let bugs = control("Jobs that fail").field;
        assert_eq!(set(bugs, &priced, Value::Number(0.03)).unwrap().prices, priced.prices);
    }

    #[test]
    fn numbers_out_of_range_are_refused_with_their_own_rule() {
        let refused = |label: &str, value| control(label).fault(&default_conditions(), value, 0.0).unwrap();
        assert_eq!(refused("Jobs that fail", Some(150.0)), "As a share, 1.5 is not a number from 0 to 1");
        assert_eq!(refused("Interference", Some(100.0)), "As a share, 1 is not a number from 0 to below 1");
        assert_eq!(refused("Node fails every", Some(0.0)), "In seconds, 0 is not at least 1 s");
        assert_eq!(
            refused("End simulation after", Some(-1.0)),
            "In seconds, -3600 is not a number of seconds from 0 to 1e12"
        );
        assert_eq!(refused("Repair takes", None), "A number is needed");
        assert_eq!(
            refused("Checkpoint every", Some(0.0)),
            "In seconds, 0 is not a number of seconds above 0, at most 1e11"
        );
        let rule = "-1 is not a number of seconds from 0 to 31,536,000";
        assert_eq!(refused("Start delay", Some(-1.0)), rule);
    }

    /// Fields that only documents and the command line set.
    const WITHOUT_CONTROL: [(&str, &str); 8] = [
        ("conditions.rescale_down_s", "one slider sets the cost of both directions"),
        ("conditions.rescale_per_doubling_s", "a measured constant of a published simulator"),
        ("conditions.faults.profiling_noise", "it matters to the policies that profile jobs alone"),
        ("conditions.law", "it stands below the workload, where jobs have no curve"),
        ("conditions.deadline_tightness", "it stands below the workload, where jobs have no deadline"),
        ("conditions.model_mix", "it stands below the workload, where jobs have no model"),
        ("conditions.batch_range", "few curves are known at several batch sizes"),
        ("conditions.users", "no policy decides by users"),
    ];

    #[test]
    fn every_field_has_a_control_that_sets_and_checks_it_or_a_reason_to_have_none() {
        let all = [controls(true), controls(false)].concat();
        for field in FIELDS {
            let reason = WITHOUT_CONTROL.iter().find(|(key, _)| *key == field.key);
            let found = all.iter().find(|found| found.field.key == field.key);
            assert_eq!(found.is_some(), reason.is_none(), "{}: a control, or a reason: {reason:?}", field.key);
            let Some(found) = found else { continue };
            assert!(!found.control.label.is_empty(), "{}", field.key);
            let is_number = matches!(found.control.kind, ControlKind::Slider { .. } | ControlKind::Number);
            if field.access.is_of_cluster() {
                // The inputs set machines: `state::edit` tests it.
                continue;
            }
            let changed = set(field, &default_conditions(), field.example()).unwrap();
            assert_eq!(field.get(&changed), field.example(), "{}", field.key);
            if is_number {
                let shown = found.shown(&changed, 0.0);
                let again = set(field, &changed, found.value(shown, 0.0)).unwrap();
                let [value, expected] = [&again, &changed].map(|conditions| field.get(conditions).number().unwrap());
                assert!((value - expected).abs() <= 1e-6 * expected.max(1.0) * 3600.0, "{}: {value}", field.key);
                let fault = found.fault(&default_conditions(), Some(-1.5e13), 0.0).unwrap();
                assert!(fault.ends_with(&format!(" is not {}", field.access.rule())), "{fault}");
            }
        }
    }

    #[test]
    fn every_control_is_in_one_section() {
        let all = FIELDS.iter().filter(|field| field.control.is_some()).count();
        assert_eq!(controls(true).len() + controls(false).len(), all);
        for found in controls(true).into_iter().chain(controls(false)) {
            let same = |other: &&Controlled| other.control.label == found.control.label;
            assert_eq!(controls(true).iter().chain(&controls(false)).filter(same).count(), 1);
        }
    }
}
