//! What runs meet, as a person sets it: in hours, minutes and per cent, one number at a time.

use elastiplan_scenario::{ConditionsError, Faults, Placement};
use elastiplan_scenario::Conditions;

/// One number among the conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Mean time between failures of a node.
    NodeFailures,
    /// How long a failed node is away.
    Repair,
    /// Training between checkpoints.
    Checkpoints,
    /// Share of jobs with a bug.
    Bugs,
    /// A bug shows within so much training.
    BugsWithin,
    /// Share of jobs that users cancel.
    Cancelled,
    /// How far estimates of the work left may be off.
    Estimates,
    /// How much slower distributed jobs are that share a node.
    Interference,
    /// Without progress at the first start.
    StartDelay,
    /// The time to stop, since the first submission.
    StopAt,
}

const HOUR_S: f64 = 3600.0;
const MINUTE_S: f64 = 60.0;
/// One per cent, as a share.
const PER_CENT: f64 = 0.01;

/// The conditions before anybody has changed them: nothing special. How long repairs and bugs take is there for when
/// they come.
pub fn default_conditions() -> Conditions {
    let faults = Faults { node_repair_s: 30.0 * MINUTE_S, bug_within_s: HOUR_S, ..Faults::default() };
    Conditions { faults, ..Conditions::default() }
}

impl Condition {
    /// All of them, in the order in which a person meets them.
    pub const ALL: [Condition; 10] = [
        Condition::NodeFailures,
        Condition::Repair,
        Condition::Checkpoints,
        Condition::Bugs,
        Condition::BugsWithin,
        Condition::Cancelled,
        Condition::Estimates,
        Condition::Interference,
        Condition::StartDelay,
        Condition::StopAt,
    ];

    /// Its name.
    pub fn label(self) -> &'static str {
        match self {
            Condition::NodeFailures => "Node fails every",
            Condition::Repair => "Repair takes",
            Condition::Checkpoints => "Checkpoint every",
            Condition::Bugs => "Jobs with a bug",
            Condition::BugsWithin => "Bug shows within",
            Condition::Cancelled => "Jobs cancelled",
            Condition::Estimates => "Estimates off by",
            Condition::Interference => "Interference",
            Condition::StartDelay => "Start delay",
            Condition::StopAt => "Stop at",
        }
    }

    /// The unit of its field, and what one of it is in seconds or as a share.
    pub fn unit(self) -> (&'static str, f64) {
        match self {
            Condition::NodeFailures | Condition::StopAt => ("h", HOUR_S),
            Condition::Repair | Condition::Checkpoints | Condition::BugsWithin => ("min", MINUTE_S),
            Condition::Bugs | Condition::Cancelled | Condition::Estimates | Condition::Interference => ("%", PER_CENT),
            Condition::StartDelay => ("s", 1.0),
        }
    }

    /// What it means.
    pub fn help(self) -> &'static str {
        match self {
            Condition::NodeFailures => "Hours between failures of one node, on average. Empty: never",
            Condition::Checkpoints => "Training since the last one is lost with a node. Empty: nothing is lost",
            Condition::Estimates => "How far off the work left is that policies are told",
            Condition::Interference => "How much slower jobs on several nodes are that share one of them",
            Condition::StopAt => "Hours after the first submission. Empty: when all is done",
            Condition::StartDelay => "Without progress, when a job starts first",
            Condition::Repair | Condition::Bugs | Condition::BugsWithin | Condition::Cancelled => "",
        }
    }

    /// Whether there may be none.
    pub fn is_optional(self) -> bool {
        matches!(self, Condition::NodeFailures | Condition::Checkpoints | Condition::StopAt)
    }

    /// Whether it means something as the others are.
    pub fn applies(self, conditions: &Conditions) -> bool {
        match self {
            Condition::Repair => conditions.faults.node_mtbf_s.is_some(),
            Condition::BugsWithin => conditions.faults.bug_share > 0.0,
            _ => true,
        }
    }

    /// Its value in the unit of its field.
    pub fn get(self, conditions: &Conditions) -> Option<f64> {
        let faults = &conditions.faults;
        let value = match self {
            Condition::NodeFailures => faults.node_mtbf_s?,
            Condition::Repair => faults.node_repair_s,
            Condition::Checkpoints => conditions.checkpoint_interval_s?,
            Condition::Bugs => faults.bug_share,
            Condition::BugsWithin => faults.bug_within_s,
            Condition::Cancelled => faults.cancel_share,
            Condition::Estimates => faults.estimate_error,
            Condition::Interference => conditions.interference_slowdown,
            Condition::StartDelay => conditions.start_delay_s,
            Condition::StopAt => conditions.until_s?,
        };
        // Twelve digits are more than anybody types, and hide what division leaves behind.
        Some((value / self.unit().1 * 1e6).round() / 1e6)
    }

    /// The conditions with another value, given in the unit of its field; or why that cannot be, in the engine's words.
    pub fn set(self, conditions: &Conditions, value: Option<f64>) -> Result<Conditions, String> {
        let unit = self.unit().1;
        // Dividing by a hundred is exact where multiplying with a hundredth is not.
        let scaled = value.map(|value| if unit == PER_CENT { value / 100.0 } else { value * unit });
        if scaled.is_none() && !self.is_optional() {
            return Err("A number is needed".into());
        }
        let mut changed = conditions.clone();
        let (faults, plain) = (&mut changed.faults, scaled.unwrap_or(0.0));
        match self {
            Condition::NodeFailures => faults.node_mtbf_s = scaled,
            Condition::Repair => faults.node_repair_s = plain,
            Condition::Checkpoints => changed.checkpoint_interval_s = scaled,
            Condition::Bugs => faults.bug_share = plain,
            Condition::BugsWithin => faults.bug_within_s = plain,
            Condition::Cancelled => faults.cancel_share = plain,
            Condition::Estimates => faults.estimate_error = plain,
            Condition::Interference => changed.interference_slowdown = plain,
            Condition::StartDelay => changed.start_delay_s = plain,
            Condition::StopAt => changed.until_s = scaled,
        }
        match changed.validate() {
            Ok(()) => Ok(changed),
            Err(error) => Err(self.in_words(&error)),
        }
    }

    /// The engine's message, which speaks of seconds and shares, without the name: the field has one.
    fn in_words(self, error: &SettingsError) -> String {
        let of_what = match self.unit().0 {
            "%" => "As a share, ",
            "s" => "",
            _ => "In seconds, ",
        };
        let message = error.to_string();
        let words = message.split_once(": ").map_or(message.as_str(), |(_, words)| words);
        format!("{of_what}{words}")
    }
}

/// What differs from the default, a few words each: `pack placement`, `nodes fail every 100 h`.
pub fn differences(conditions: &Conditions) -> Vec<String> {
    let mut words = Vec::new();
    if conditions.placement != Placement::default() {
        words.push(format!("{} placement", conditions.placement.name()));
    }
    if let Some(prices) = &conditions.prices {
        let (least, most) = prices
            .steps()
            .fold((f64::INFINITY, 0.0), |(least, most), (_, price)| (f64::min(least, price), f64::max(most, price)));
        words.push(format!("GPUs from {least:.2} to {most:.2} $ an hour"));
    }
    let default = default_conditions();
    for condition in Condition::ALL {
        let (value, before) = (condition.get(conditions), condition.get(&default));
        if value == before || !condition.applies(conditions) {
            continue;
        }
        let Some(value) = value else { continue };
        let amount = match condition.unit().0 {
            "%" => format!("{value}%"),
            unit => format!("{value} {unit}"),
        };
        words.push(match condition {
            Condition::NodeFailures => format!("nodes fail every {amount}"),
            Condition::Repair => format!("repair {amount}"),
            Condition::Checkpoints => format!("checkpoints every {amount}"),
            Condition::Bugs => format!("{amount} bugs"),
            Condition::BugsWithin => format!("bugs within {amount}"),
            Condition::Cancelled => format!("{amount} cancelled"),
            Condition::Estimates => format!("estimates ±{amount}"),
            Condition::Interference => format!("interference {amount}"),
            Condition::StartDelay => format!("start delay {amount}"),
            Condition::StopAt => format!("stop at {amount}"),
        });
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_were_set() {
        let mut conditions = default_conditions();
        let values = [100.5, 45.0, 30.0, 7.0, 20.0, 0.1, 29.0, 25.0, 12.0, 24.0];
        for (condition, value) in Condition::ALL.into_iter().zip(values) {
            conditions = condition.set(&conditions, Some(value)).unwrap();
            assert_eq!(condition.get(&conditions), Some(value));
        }
        assert_eq!(conditions.faults.node_mtbf_s, Some(361_800.0));
        assert_eq!(conditions.faults.bug_share, 0.07);
        assert_eq!(
            differences(&conditions).join(", "),
            "nodes fail every 100.5 h, repair 45 min, checkpoints every 30 min, 7% bugs, bugs within 20 min, \
             0.1% cancelled, estimates ±29%, interference 25%, start delay 12 s, stop at 24 h"
        );
        assert_eq!(Condition::StopAt.set(&conditions, None).unwrap().until_s, None);
        assert!(differences(&default_conditions()).is_empty());
        let prices = Some(elastiplan_model::Prices::new([(0.0, 2.5), (3600.0, 0.9)]).unwrap());
        let priced = Conditions { prices, ..default_conditions() };
        assert_eq!(differences(&priced), ["GPUs from 0.90 to 2.50 $ an hour"]);
        // They stay when something else is changed.
        assert_eq!(Condition::Bugs.set(&priced, Some(3.0)).unwrap().prices, priced.prices);
    }

    #[test]
    fn the_engine_says_what_cannot_be() {
        let refused = |condition: Condition, value| condition.set(&default_conditions(), Some(value)).unwrap_err();
        assert_eq!(refused(Condition::Bugs, 150.0), "As a share, 1.5 is not a number from 0 to 1");
        assert_eq!(refused(Condition::Interference, 100.0), "As a share, 1 is not a number from 0 to below 1");
        assert_eq!(refused(Condition::NodeFailures, 0.0), "In seconds, 0 is not at least 1 s");
        assert_eq!(refused(Condition::StopAt, -1.0), "In seconds, -3600 is not a number of seconds from 0 to 1e12");
        assert_eq!(Condition::Repair.set(&default_conditions(), None).unwrap_err(), "A number is needed");
        assert!(Condition::Checkpoints.set(&default_conditions(), Some(0.0)).is_err());
    }
}
