//! What a comparison is about: the metric by which runs are judged, and the limit that they should keep.
//!
//! A goal is data: it can be written, read again, stored in documents, and chosen from a list. Who meets it is in
//! [`standing`].

pub mod best;
mod rounding;
pub mod standing;

use std::fmt;
use std::str::FromStr;

use elastiplan_compare::query;
use elastiplan_metrics::{Better, MetricInfo, Metrics};
use elastiplan_model::Workload;
use elastiplan_text::format;

pub use rounding::short_duration;
pub use rounding::value_text;

/// The metric that a goal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalKind {
    /// Share of deadlines met: the most, or at least a share.
    Deadlines,
    /// Mean completion time: the least, or at most so many seconds.
    MeanCompletion,
    /// 95th percentile of the waiting time: the least, or at most so many seconds.
    P95Waiting,
    /// Cost: the least, or at most so many dollars.
    Cost,
}

/// What runs are judged by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// The metric.
    pub kind: GoalKind,
    /// The limit, in the unit of the metric: a share from 0 to 1, seconds or dollars. `None`: the best run wins.
    pub limit: Option<f64>,
}

impl GoalKind {
    /// All of them, in the order of a menu.
    pub const ALL: [GoalKind; 4] = [Self::Deadlines, Self::MeanCompletion, Self::P95Waiting, Self::Cost];

    /// The key of its metric in the catalogue.
    pub fn key(self) -> &'static str {
        match self {
            Self::Deadlines => "deadline_satisfactory_ratio",
            Self::MeanCompletion => "avg_jct_s",
            Self::P95Waiting => "p95_queueing_s",
            Self::Cost => "cost_dollars",
        }
    }

    /// Its name in a menu.
    pub fn label(self) -> &'static str {
        match self {
            Self::Deadlines => "deadlines",
            Self::MeanCompletion => "mean completion",
            Self::P95Waiting => "p95 waiting",
            Self::Cost => "cost",
        }
    }

    /// The entry of the catalogue.
    pub fn info(self) -> Option<&'static MetricInfo> {
        Metrics::info(self.key())
    }

    /// Which way is better.
    pub fn better(self) -> Better {
        if self == Self::Deadlines { Better::Higher } else { Better::Lower }
    }

    /// The sign between name and limit.
    pub fn sign(self) -> char {
        if self == Self::Deadlines { '≥' } else { '≤' }
    }

    /// What the goal asks for without a limit.
    pub fn without_limit(self) -> &'static str {
        match self {
            Self::Deadlines => "most",
            _ => "lowest",
        }
    }

    /// A limit of it, as an example of how one is written.
    pub fn example(self) -> &'static str {
        match self {
            Self::Deadlines => "99%",
            Self::MeanCompletion => "2h 30m",
            Self::P95Waiting => "30m",
            Self::Cost => "$400",
        }
    }

    /// Reads a limit: `99%`, `0.99`, `2h 30m`, `$400`, `19.2k`. `None` for text that is no limit of this goal.
    pub fn read_limit(self, text: &str) -> Option<f64> {
        let text = text.trim();
        let value = match self {
            Self::Deadlines => match text.strip_suffix('%') {
                Some(percent) => elastiplan_text::number(percent.trim())? / 100.0,
                None => elastiplan_text::number(text)?,
            },
            Self::MeanCompletion | Self::P95Waiting => {
                let packed: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
                query::time_s(&packed).ok()?
            }
            Self::Cost => read_dollars(text)?,
        };
        self.is_limit(value).then_some(value)
    }

    fn is_limit(self, value: f64) -> bool {
        let most = if self == Self::Deadlines { 1.0 } else { 1e15 };
        (0.0..=most).contains(&value)
    }

    /// A limit as it is written, exact enough to be read as the same.
    pub fn limit_text(self, limit: f64) -> String {
        match self {
            Self::Deadlines => {
                // A share such as 0.07 has more digits as a percentage than it was written with.
                let percent = (limit * 1e10).round() / 1e8;
                format!("{percent}%")
            }
            Self::MeanCompletion | Self::P95Waiting => {
                let text = short_duration(limit);
                if self.read_limit(&text) == Some(limit) { text } else { format!("{limit}s") }
            }
            Self::Cost => {
                let text = format!("${}", format::number(limit));
                if self.read_limit(&text) == Some(limit) { text } else { format!("${limit}") }
            }
        }
    }
}

/// `$400`, `19.2k`, `1,200.50`.
fn read_dollars(text: &str) -> Option<f64> {
    let digits: String = text.trim_start_matches('$').chars().filter(|letter| !matches!(letter, ',' | ' ')).collect();
    let (number, factor) = match digits.strip_suffix(['k', 'K']) {
        Some(number) => (number.to_string(), 1_000.0),
        None => (digits, 1.0),
    };
    Some(elastiplan_text::number(&number)? * factor)
}

impl Goal {
    /// The best run by this metric, without a limit.
    pub const fn best(kind: GoalKind) -> Self {
        Self { kind, limit: None }
    }

    /// A run that keeps the limit.
    pub const fn within(kind: GoalKind, limit: f64) -> Self {
        Self { kind, limit: Some(limit) }
    }

    /// The goal of a workload for which none was chosen: deadlines if any job has one, else mean completion.
    pub fn guess(workload: &Workload) -> Self {
        let has_deadlines = workload.trace().jobs().iter().any(|job| job.deadline_s.is_some());
        Self::best(if has_deadlines { GoalKind::Deadlines } else { GoalKind::MeanCompletion })
    }

    /// Goals to choose from: every metric, without a limit and with the usual ones.
    pub fn choices() -> Vec<Goal> {
        const HOUR_S: f64 = 3600.0;
        let limits = |kind: GoalKind| match kind {
            GoalKind::Deadlines => &[0.9, 0.95, 0.99, 1.0][..],
            GoalKind::P95Waiting => &[600.0, 1800.0, HOUR_S, 4.0 * HOUR_S],
            GoalKind::MeanCompletion | GoalKind::Cost => &[],
        };
        let of_kind = |kind: GoalKind| {
            let with_limits = limits(kind).iter().map(move |limit| Self::within(kind, *limit));
            std::iter::once(Self::best(kind)).chain(with_limits)
        };
        GoalKind::ALL.into_iter().flat_map(of_kind).collect()
    }

    /// Whether a value of the metric keeps the limit; `None` without a limit.
    pub fn is_met_by(&self, value: f64) -> Option<bool> {
        self.limit.map(|limit| match self.kind.better() {
            Better::Higher => value >= limit,
            _ => value <= limit,
        })
    }

    /// The goal as documents hold it, exact: `deadline_satisfactory_ratio>=0.99`, `avg_jct_s`.
    pub fn key(&self) -> String {
        let sign = if self.kind.better() == Better::Higher { ">=" } else { "<=" };
        match self.limit {
            Some(limit) => format!("{}{sign}{limit}", self.kind.key()),
            None => self.kind.key().into(),
        }
    }
}

/// `deadlines ≥ 99%`, `mean completion`.
impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, limit } = *self;
        match limit {
            Some(limit) => write!(f, "{} {} {}", kind.label(), kind.sign(), kind.limit_text(limit)),
            None => f.write_str(kind.label()),
        }
    }
}

/// Reads what [`Goal`]'s `Display` and [`Goal::key`] write.
impl FromStr for Goal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sign = text.find(['≥', '≤', '<', '>']);
        let (name, rest) = text.split_at(sign.unwrap_or(text.len()));
        let (name, limit) = (name.trim(), rest.trim_start_matches(['≥', '≤', '<', '>', '=']).trim());
        let Some(kind) = GoalKind::ALL.into_iter().find(|kind| name == kind.label() || name == kind.key()) else {
            let names = GoalKind::ALL.map(GoalKind::label).join(", ");
            return Err(format!("{name} is not a goal: goals are {names}"));
        };
        if sign.is_none() {
            return Ok(Self::best(kind));
        }
        let asks_for_more = rest.starts_with(['≥', '>']);
        // Under its key, a limit is a number in the unit of the metric.
        let number = || elastiplan_text::number(limit).filter(|value| kind.is_limit(*value));
        let value = if name == kind.key() { number() } else { kind.read_limit(limit) };
        match value {
            Some(value) if asks_for_more == (kind.better() == Better::Higher) => Ok(Self::within(kind, value)),
            _ => Err(format!("{text} is not a goal: write {} {} {}", kind.label(), kind.sign(), kind.example())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_read_as_they_are_written() {
        let more = ["avg_jct_s<=3961.5", "cost_dollars<=19.25", "deadline_satisfactory_ratio>=0.07"];
        let goals = Goal::choices().into_iter().chain(more.map(|text| text.parse().unwrap()));
        for goal in goals {
            assert_eq!(goal.to_string().parse(), Ok(goal), "{goal}");
            assert_eq!(goal.key().parse(), Ok(goal), "{}", goal.key());
        }
    }

    #[test]
    fn goals_have_words() {
        let check = |goal: Goal, text: &str, key: &str| {
            assert_eq!((goal.to_string().as_str(), goal.key().as_str()), (text, key));
            assert_eq!(text.parse(), Ok(goal));
        };
        check(Goal::within(GoalKind::Deadlines, 0.99), "deadlines ≥ 99%", "deadline_satisfactory_ratio>=0.99");
        check(Goal::best(GoalKind::MeanCompletion), "mean completion", "avg_jct_s");
        check(Goal::within(GoalKind::MeanCompletion, 9000.0), "mean completion ≤ 2h 30m", "avg_jct_s<=9000");
        check(Goal::within(GoalKind::P95Waiting, 1800.0), "p95 waiting ≤ 30m", "p95_queueing_s<=1800");
        check(Goal::within(GoalKind::Cost, 1200.0), "cost ≤ $1,200", "cost_dollars<=1200");
    }

    #[test]
    fn what_is_no_goal_says_what_is() {
        let check = |text: &str, expected: &str| assert_eq!(text.parse::<Goal>().unwrap_err(), expected);
        check("joy", "joy is not a goal: goals are deadlines, mean completion, p95 waiting, cost");
        check("deadlines ≥ 101%", "deadlines ≥ 101% is not a goal: write deadlines ≥ 99%");
        check("deadlines ≤ 99%", "deadlines ≤ 99% is not a goal: write deadlines ≥ 99%");
        check("mean completion ≤ 5", "mean completion ≤ 5 is not a goal: write mean completion ≤ 2h 30m");
        check("cost ≤ NaN", "cost ≤ NaN is not a goal: write cost ≤ $400");
    }

    #[test]
    fn limits_are_read_with_their_units() {
        let check = |kind: GoalKind, text: &str, expected: Option<f64>| assert_eq!(kind.read_limit(text), expected);
        check(GoalKind::Deadlines, "95 %", Some(0.95));
        check(GoalKind::Deadlines, "0.5", Some(0.5));
        check(GoalKind::P95Waiting, "1h 30m", Some(5400.0));
        check(GoalKind::P95Waiting, "30", None);
        check(GoalKind::Cost, "$19.2k", Some(19_200.0));
        check(GoalKind::Cost, "1,200.5", Some(1200.5));
        check(GoalKind::Cost, "", None);
        check(GoalKind::Cost, "-3", None);
    }
}
