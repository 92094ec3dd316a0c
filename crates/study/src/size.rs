//! How many runs a study takes, about how long, and how it can be made smaller.

use elastiplan_policies::PolicySpec;
use elastiplan_text::{format, words};

use crate::{Axis, POINTS_MAX, RangePart, Seeds, Spec, ValuesPart};

/// A study of more runs is not begun without being asked for once more: it takes hours, and gigabytes.
const RUNS_MAX: f64 = 50_000.0;
/// A study that takes longer, in seconds, is warned about.
const TIME_MAX_S: f64 = 1800.0;

/// The size of a study before it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Points of the grid.
    pub points: f64,
    /// How many policies there are.
    pub policies: usize,
    /// The seeds of a point, at least and at most.
    pub seeds: (usize, usize),
    /// Runs at least: those of an axis that does not concern a policy are made once.
    pub runs: f64,
    /// About how many seconds these take.
    pub time_s: f64,
}

/// A smaller study that is offered.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// The study.
    pub spec: Spec,
    /// Every which value of long axes it keeps.
    pub every: usize,
    /// What it is: `Every fourth value: 34m`.
    pub words: String,
}

/// The size of a study of these policies, each with the milliseconds that a run of it takes, with so many runs at once.
/// `None` where an axis cannot be used.
pub fn size(spec: &Spec, policies: &[(PolicySpec, f64)], at_once: usize) -> Option<Size> {
    let of_study: Vec<PolicySpec> = policies.iter().map(|(policy, _)| policy.clone()).collect();
    let axes = spec.axes.iter().map(|(key, values)| Axis::new(key, values, &of_study));
    let axes: Vec<Axis> = axes.collect::<Result<_, _>>().ok()?;
    let points_of = |is_counted: &dyn Fn(&Axis) -> bool| -> f64 {
        axes.iter().filter(|axis| is_counted(axis)).map(|axis| axis.values.len() as f64).product()
    };
    let seeds = match &spec.seeds {
        Seeds::Until { at_least, at_most, .. } => (*at_least as usize, *at_most as usize),
        fixed => (fixed.most(), fixed.most()),
    };
    let (mut runs, mut work_ms) = (0.0, 0.0);
    for (policy, wall_ms) in policies {
        let own = points_of(&|axis| axis.concerns(policy)) * seeds.0 as f64;
        runs += own;
        work_ms += own * wall_ms;
    }
    let time_s = work_ms / 1000.0 / at_once.max(1) as f64;
    Some(Size { points: points_of(&|_| true), policies: policies.len(), seeds, runs, time_s })
}

impl Size {
    /// `21 points × 4 policies × 10 seeds: 840 runs, about 4s`.
    pub fn words(&self) -> String {
        let (least, most) = self.seeds;
        let points = words::counted(self.points as u64, "point", "points");
        let policies = words::counted(self.policies as u64, "policy", "policies");
        let seeds = match (least == most, most) {
            (true, 1) => "1 seed".to_string(),
            (true, _) => format!("{most} seeds"),
            (false, _) => format!("{least} to {most} seeds"),
        };
        let from = if least == most { "" } else { "from " };
        format!("{points} × {policies} × {seeds}: {from}{}, {}", self.runs_words(), self.time_words())
    }

    fn runs_words(&self) -> String {
        words::counted(self.runs as u64, "run", "runs")
    }

    fn time_words(&self) -> String {
        if self.time_s < 1.0 { "about a second".into() } else { format!("about {}", format::duration(self.time_s)) }
    }

    /// Whether it has too many runs to begin with them.
    pub fn is_too_many(&self) -> bool {
        self.points > POINTS_MAX as f64 || self.runs > RUNS_MAX
    }

    /// Whether it is so large that something smaller should be offered.
    pub fn is_large(&self) -> bool {
        self.is_too_many() || self.time_s > TIME_MAX_S
    }

    /// `1,000,000 runs, about 9h`.
    pub fn warning(&self) -> Option<String> {
        self.is_large().then(|| format!("{}, {}", self.runs_words(), self.time_words()))
    }
}

/// A study that leaves out values of the longest axes until it is not large any more; `None` for one that is not, and
/// where that cannot be had.
pub fn cut(spec: &Spec, policies: &[(PolicySpec, f64)], at_once: usize) -> Option<Cut> {
    if !size(spec, policies, at_once)?.is_large() {
        return None;
    }
    let of_study: Vec<PolicySpec> = policies.iter().map(|(policy, _)| policy.clone()).collect();
    [2_usize, 4, 8, 16, 32, 64, 128, 256, 512, 1024].into_iter().find_map(|every| {
        let smaller = thinned(spec, &of_study, every)?;
        let size = size(&smaller, policies, at_once).filter(|size| !size.is_large())?;
        let nth = match every {
            2 => "second".to_string(),
            4 => "fourth".into(),
            8 => "eighth".into(),
            every => format!("{every}{}", if every % 10 == 2 && every % 100 != 12 { "nd" } else { "th" }),
        };
        Some(Cut {
            spec: smaller,
            every,
            words: format!("Every {nth} value: {}, {}", size.runs_words(), size.time_words()),
        })
    })
}

/// The study with every so many-th value of its axes; ends stay where steps allow. Short axes keep all. `None` where an
/// axis cannot be used.
pub fn thinned(spec: &Spec, policies: &[PolicySpec], every: usize) -> Option<Spec> {
    let mut smaller = spec.clone();
    for (key, values) in &mut smaller.axes {
        let axis = Axis::new(key, values, policies).ok()?;
        if every < 2 || axis.values.len() < 2 * every {
            continue;
        }
        match values {
            ValuesPart::List(list) => {
                let kept = list.iter().step_by(every).cloned().collect();
                *list = kept;
            }
            ValuesPart::Range(RangePart { step, times: None, .. }) => {
                *step = Some(step.unwrap_or(1.0) * every as f64);
            }
            ValuesPart::Range(RangePart { times: Some(times), .. }) => *times = libm::pow(*times, every as f64),
        }
    }
    Some(smaller)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(json: &[(&str, f64, f64, f64)], seeds: Seeds) -> Spec {
        let range = |from, to, step| ValuesPart::Range(RangePart { from, to, step: Some(step), times: None });
        let axes = json.iter().map(|&(key, from, to, step)| (key.to_string(), range(from, to, step))).collect();
        Spec { axes, seeds, ..Spec::default() }
    }

    fn policies(wall_ms: f64) -> Vec<(PolicySpec, f64)> {
        ["fixed", "elastic-dp"].map(|name| (name.parse().unwrap(), wall_ms)).into()
    }

    fn check(spec: &Spec, wall_ms: f64, expected: &str) {
        assert_eq!(size(spec, &policies(wall_ms), 2).unwrap().words(), expected);
    }

    #[test]
    fn runs_are_counted_before_they_are_made() {
        let nodes = ("cluster.nodes", 8.0, 64.0, 1.0);
        check(&spec(&[nodes], Seeds::Count(10)), 10.0, "57 points × 2 policies × 10 seeds: 1,140 runs, about 6s");
        let until = Seeds::Until { at_least: 10, at_most: 40, half_width: None };
        let expected = "57 points × 2 policies × 10 to 40 seeds: from 1,140 runs, about a second";
        check(&spec(&[nodes], until), 1.0, expected);
        // A parameter concerns its policy alone: fixed is run once for all its values.
        let own = ("elastic-dp.delta_s", 60.0, 600.0, 60.0);
        check(&spec(&[own], Seeds::Count(1)), 1000.0, "10 points × 2 policies × 1 seed: 11 runs, about 6s");
        assert_eq!(size(&spec(&[("no such thing", 1.0, 2.0, 1.0)], Seeds::Count(1)), &policies(1.0), 2), None);
    }

    #[test]
    fn a_large_study_is_offered_smaller() {
        let grid = |step| {
            let load = ("what_if.arrival_rate", 1.0, 2.0, 0.001 * step);
            spec(&[("cluster.nodes", 1.0, 1000.0, step), load], Seeds::Count(1))
        };
        let large = grid(1.0);
        let warned = size(&large, &policies(30.0), 2).unwrap();
        assert_eq!(warned.warning().as_deref(), Some("2,002,000 runs, about 8h 21m"));
        let offered = cut(&large, &policies(30.0), 2).unwrap();
        assert_eq!(offered.words, "Every eighth value: 31,500 runs, about 7m 53s");
        assert!(!size(&offered.spec, &policies(30.0), 2).unwrap().is_large());
        assert_eq!((offered.every, cut(&offered.spec, &policies(30.0), 2)), (8, None));
        assert!(warned.is_too_many());
        let long = size(&offered.spec, &policies(3000.0), 2).unwrap();
        assert!(long.is_large() && !long.is_too_many());
    }

    #[test]
    fn lists_and_doublings_are_thinned_too() {
        let list = |values: &[f64]| ValuesPart::List(values.iter().copied().map(crate::ValuePart::Number).collect());
        let doubled = |times| ValuesPart::Range(RangePart { from: 1.0, to: 64.0, step: None, times: Some(times) });
        let nodes = (1..=8).map(f64::from).collect::<Vec<_>>();
        let axes = vec![("cluster.nodes".to_string(), list(&nodes)), ("what_if.arrival_rate".into(), doubled(2.0))];
        let before = Spec { axes, ..Spec::default() };
        let of_study: Vec<PolicySpec> = policies(1.0).into_iter().map(|(policy, _)| policy).collect();
        let after = thinned(&before, &of_study, 2).unwrap();
        assert_eq!(thinned(&before, &of_study, 1).unwrap(), before);
        assert_eq!(after.axes[0].1, list(&[1.0, 3.0, 5.0, 7.0]));
        assert_eq!(after.axes[1].1, doubled(4.0));
    }
}
