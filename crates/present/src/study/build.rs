//! What a screen shows of a study, made from its outcomes.

use std::collections::BTreeMap;

use elastiplan_metrics::{MetricInfo, Metrics};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::fields::{Field, Unit};
use elastiplan_statistics::feasibility::{Feasibility, Limit};
use elastiplan_study::{Confirmation, Difference, Draws, Gap, Outcome, PolicyAnswer, Results, Reversal, Study, Worse};
use elastiplan_text::format;

use super::{
    Against, AnswerView, AxisPlace, AxisView, Cell, DrawsView, Failed, GoalView, MetricView, NoValue, PointEstimate,
    Progress, Stage, StudyView, WorseView, answer_words, best_words, not_compared_words, reversal_line,
    unconfirmed_words, words, worse_words,
};
use crate::quantity::Quantity;

impl StudyView {
    /// What these outcomes say, with these metrics, by their keys.
    pub fn of(study: &Study, results: &Results, metrics: &[String], progress: Progress) -> Self {
        Views::default().view(study, results, metrics, progress)
    }
}

/// Views of one study, one after the other: what is known of a point is worked out anew only if it has more outcomes than
/// before, since outcomes are never taken away.
#[derive(Default)]
pub struct Views {
    /// An entry for each policy and point.
    rows: Vec<Row>,
}

/// What is known of a policy at a point.
#[derive(Clone, Default)]
struct Row {
    /// Outcomes of the policy and of the baseline that it was worked out from.
    outcomes: (usize, usize),
    cell: Cell,
    gap: Option<Gap>,
    /// By the keys of metrics.
    estimates: BTreeMap<&'static str, Option<PointEstimate>>,
}

impl Views {
    /// The study as far as it has come. It has to be the same study each time, with no fewer outcomes.
    pub fn view(&mut self, study: &Study, results: &Results, metrics: &[String], mut progress: Progress) -> StudyView {
        let points = study.grid.points();
        self.rows.resize_with(study.policies.len() * points, Row::default);
        let wanted: Vec<&'static MetricInfo> = metrics.iter().filter_map(|key| Metrics::info(key)).collect();
        let mut rows = self.rows.iter_mut();
        for policy in 0..study.policies.len() as u32 {
            for (point, row) in (0..points as u32).zip(&mut rows) {
                row.update(study, results, (policy, point), &wanted);
            }
        }
        let found = study.answers(results);
        let answers: Vec<AnswerView> = found.iter().map(|answer| answer_view(study, results, answer)).collect();
        let cells = self.cells(&found, points);
        let gaps = self.rows.iter().filter(|row| row.gap.is_some()).count();
        let is_open = |(row, cell): &(&Row, &Cell)| row.gap.is_none() && matches!(cell, Cell::Unknown | Cell::Open);
        let open = self.rows.iter().zip(&cells).filter(is_open).count();
        (progress.settled, progress.open) = ((cells.len() - open - gaps) as u32, open as u32);
        (progress.gaps, progress.seeds_most) = (gaps as u32, study.seeds.most() as u32);
        let is_over = matches!(progress.stage, Stage::Over(_));
        let mut view = StudyView {
            progress,
            axes: (0..study.axes.len()).filter_map(|axis| axis_view(study, axis)).collect(),
            find: study.find.unwrap_or_default(),
            is_largest: study.is_largest,
            reversals: study.reversals(results).iter().map(|reversal| reversal_view(study, reversal)).collect(),
            policies: study.policies.iter().map(PolicySpec::to_string).collect(),
            goals: study.goal_limits().map(|(metric, limit)| goal_view(metric, limit)).collect(),
            draws: self.draws(study, results),
            metrics: wanted.iter().map(|metric| self.metric(metric)).collect(),
            cells,
            seeds: self.rows.iter().map(|row| row.outcomes.0 as u32).collect(),
            failed: self.failed(points),
            no_value: self.no_value(points),
            seeds_to_decide: if is_over { self.seeds_to_decide(study, results, points) } else { Vec::new() },
            notes: notes(study, results, &found),
            ..StudyView::default()
        };
        for mut answer in answers {
            answer.words = answer_words(&view, &answer);
            view.answers.push(answer);
        }
        for worse in study.worse(results) {
            let mut entry = worse_view(study, &worse);
            entry.words = worse_words(&view, &entry, &against(worse.difference));
            view.worse.push(entry);
        }
        view.words = words(&view);
        view
    }

    /// What is known about the goals: what fresh seeds did not confirm is open.
    fn cells(&self, answers: &[PolicyAnswer], points: usize) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self.rows.iter().map(|row| row.cell).collect();
        for answer in answers {
            let open = answer.line.iter().zip(&answer.known).filter(|(_, known)| **known == Feasibility::Open);
            for (&point, _) in open {
                if let Some(cell) = cells.get_mut(answer.policy * points + point).filter(|cell| **cell == Cell::Meets) {
                    *cell = Cell::Open;
                }
            }
        }
        cells
    }

    /// Whether seeds make a difference anywhere, as far as that is known.
    fn draws(&self, study: &Study, results: &Results) -> DrawsView {
        let points = study.grid.points().max(1);
        let mut known =
            (0..self.rows.len()).filter(|&at| self.rows.get(at).is_some_and(|row| row.outcomes.0 > 1)).peekable();
        let is_known = known.peek().is_some();
        let differs = known.any(|at| study.draws_differ(results, (at % points) as u32, (at / points) as u32));
        match study.draws {
            _ if is_known && !differs => DrawsView::One,
            Draws::Days => DrawsView::Days,
            Draws::Seeds => DrawsView::Seeds,
        }
    }

    fn metric(&self, metric: &'static MetricInfo) -> MetricView {
        let estimate = |row: &Row| row.estimates.get(metric.key).copied().flatten();
        MetricView { key: metric.key.into(), estimates: self.rows.iter().map(estimate).collect() }
    }

    fn failed(&self, points: usize) -> Vec<Failed> {
        let entry = |(at, row): (usize, &Row)| {
            let Some(Gap::Failed { runs, message, .. }) = &row.gap else { return None };
            let (policy, point) = place(at, points);
            Some(Failed { policy, point, runs: *runs as u32, message: message.clone() })
        };
        self.rows.iter().enumerate().filter_map(entry).collect()
    }

    fn no_value(&self, points: usize) -> Vec<NoValue> {
        let entry = |(at, row): (usize, &Row)| {
            let Some(Gap::NoValue { metric, runs, .. }) = &row.gap else { return None };
            let (policy, point) = place(at, points);
            Some(NoValue { policy, point, metric: metric.key.into(), runs: *runs as u32 })
        };
        self.rows.iter().enumerate().filter_map(entry).collect()
    }

    fn seeds_to_decide(&self, study: &Study, results: &Results, points: usize) -> Vec<u32> {
        let open = self.rows.iter().enumerate().filter(|(_, row)| row.cell == Cell::Open);
        let seeds = |(at, _): (usize, &Row)| {
            let (policy, point) = place(at, points);
            study.seeds_to_decide(results, point, policy)
        };
        let mut seeds: Vec<u32> = open.filter_map(seeds).collect();
        elastiplan_model::order::sort_by_key(&mut seeds, |seeds| *seeds);
        seeds
    }
}

impl Row {
    fn update(
        &mut self,
        study: &Study,
        results: &Results,
        (policy, point): (u32, u32),
        metrics: &[&'static MetricInfo],
    ) {
        let outcomes = study.outcomes_of_point(results, point, policy);
        let baseline = if policy == 0 { outcomes.len() } else { study.outcomes_of_point(results, point, 0).len() };
        if self.outcomes != (outcomes.len(), baseline) {
            let is_other = self.outcomes.0 != outcomes.len();
            self.outcomes = (outcomes.len(), baseline);
            self.estimates.clear();
            if is_other {
                self.gap = study.gap(results, point, policy);
                self.cell = cell(study, results, (policy, point), &outcomes, self.gap.as_ref());
            }
        }
        for &metric in metrics {
            self.estimates
                .entry(metric.key)
                .or_insert_with(|| estimate(study, results, (policy, point), metric, &outcomes));
        }
    }
}

/// What is worth knowing of a study and of what is compared.
fn notes(study: &Study, results: &Results, answers: &[PolicyAnswer]) -> Vec<String> {
    let unconfirmed = unconfirmed_words(study, answers).into_iter().map(|words| format!("{words}."));
    let compared = not_compared_words(study, results).into_iter().chain(best_words(study, results));
    study.notes().into_iter().chain(unconfirmed).chain(compared).collect()
}

/// The policy and the point of a row.
fn place(at: usize, points: usize) -> (u32, u32) {
    ((at / points.max(1)) as u32, (at % points.max(1)) as u32)
}

fn cell(
    study: &Study,
    results: &Results,
    (policy, point): (u32, u32),
    outcomes: &[&Outcome],
    gap: Option<&Gap>,
) -> Cell {
    if outcomes.is_empty() {
        return Cell::Unknown;
    }
    let (early, first) = study.first_seeds();
    match gap {
        Some(Gap::Failed { runs, of, .. }) if runs == of && *of >= early => return Cell::Failed,
        Some(Gap::NoValue { .. }) => return Cell::NoValue,
        _ => {}
    }
    if study.goal_limits().next().is_none() {
        let is_one_draw = outcomes.len() >= early && !study.draws_differ(results, point, policy);
        return if outcomes.len() >= first || is_one_draw { Cell::Meets } else { Cell::Open };
    }
    match study.judge(results, point, policy) {
        Feasibility::Met => Cell::Meets,
        Feasibility::Missed => Cell::Misses,
        Feasibility::Open => Cell::Open,
    }
}

fn estimate(
    study: &Study,
    results: &Results,
    (policy, point): (u32, u32),
    metric: &'static MetricInfo,
    outcomes: &[&Outcome],
) -> Option<PointEstimate> {
    let found = study.estimate(results, point, policy, metric)?;
    let difference = (policy > 0).then(|| study.difference(results, point, policy, metric)).flatten();
    let values = outcomes.iter().zip(0..).filter_map(|(outcome, seed)| {
        let value = outcome.metrics().and_then(metric.value)?;
        Some(((value - found.mean).abs(), seed))
    });
    let nearest = values.reduce(|best, other| if other.0 < best.0 { other } else { best });
    Some(PointEstimate {
        n: found.n as u32,
        missing: found.missing as u32,
        mean: found.mean,
        interval: found.interval,
        against: difference.map(against),
        nearest: nearest.map_or(0, |(_, seed)| seed),
    })
}

fn against(difference: Difference) -> Against {
    let (Difference::Absolute(interval) | Difference::Ratio(interval)) = &difference;
    let is_ratio = matches!(difference, Difference::Ratio(_));
    Against { is_ratio, mean: interval.mean, low: interval.low, high: interval.high }
}

fn axis_view(study: &Study, at: usize) -> Option<AxisView> {
    let axis = study.axes.get(at)?;
    let own_unit = axis.unit();
    let unit = Field::named(&axis.key).and_then(|field| match &field.control {
        Some(control) => Some(control.unit),
        None => field.name.ends_with("_s").then_some(Unit::Seconds),
    });
    let place = |value: &elastiplan_study::AxisValue| AxisPlace {
        text: value.text.clone(),
        shown: match (unit, value.number) {
            (Some(unit), Some(number)) => shown(unit, number, &value.text),
            _ if !own_unit.is_empty() => axis.value_text(&value.text),
            _ => value.text.clone(),
        },
        number: value.number,
    };
    let ignored = study.policies.iter().zip(0..).filter(|(policy, _)| !axis.concerns(policy));
    Some(AxisView {
        key: axis.key.clone(),
        label: axis.label.clone(),
        values: axis.values.iter().map(place).collect(),
        ignored_by: ignored.map(|(_, policy)| policy).collect(),
    })
}

/// A value with the unit of its control.
fn shown(unit: Unit, number: f64, text: &str) -> String {
    match unit {
        Unit::One => text.into(),
        Unit::Factor => format!("× {text}"),
        Unit::Percent => format::percent(number),
        Unit::Seconds => format!("{text}s"),
        Unit::Minutes | Unit::Hours | Unit::HoursAfterStart => format::duration(number),
    }
}

fn goal_view(metric: &MetricInfo, limit: Limit) -> GoalView {
    let (is_least, limit) = match limit {
        Limit::AtLeast(limit) => (true, limit),
        Limit::AtMost(limit) => (false, limit),
    };
    let sign = if is_least { '≥' } else { '≤' };
    let text = format!("{} {sign} {}", metric.label.to_lowercase(), Quantity::of(metric.unit).with_unit(limit));
    GoalView { metric: metric.key.into(), limit, is_least, text }
}

fn reversal_view(study: &Study, reversal: &Reversal) -> WorseView {
    WorseView {
        policy: reversal.policy,
        point: reversal.point,
        left: reversal.neighbour,
        metric: reversal.metric.key.into(),
        seeds_worse: reversal.seeds_reversed,
        seeds: reversal.seeds,
        seed: reversal.worst_seed,
        seed_number: study.seed(reversal.unit()),
        words: reversal_line(study, reversal),
    }
}

fn worse_view(study: &Study, worse: &Worse) -> WorseView {
    WorseView {
        policy: worse.policy,
        point: worse.point,
        left: worse.neighbour,
        metric: worse.metric.key.into(),
        seeds_worse: worse.seeds_worse,
        seeds: worse.seeds,
        seed: worse.worst_seed,
        seed_number: study.seed(worse.unit()),
        words: String::new(),
    }
}

fn answer_view(study: &Study, results: &Results, found: &PolicyAnswer) -> AnswerView {
    let place = |place: usize| place as u32;
    // Places counted in the direction of the question.
    let turned = |place: usize| if study.is_largest { found.line.len().saturating_sub(place + 1) } else { place };
    let first = found.answer.largest_missed.map_or(0, |missed| turned(missed) + 1);
    let open = found.answer.open.iter().map(|&open| turned(open)).filter(|&open| open >= first);
    let last_open = open.clone().max();
    let last = found.answer.smallest.map(turned).or(last_open);
    let point = found.line.first().copied().unwrap_or_default() as u32;
    let is_one_draw = !study.draws_differ(results, point, found.policy as u32);
    let confirmed = match found.confirmation {
        Confirmation::Confirmed { seeds } => Some(seeds as u32),
        _ => None,
    };
    let is_open = last_open.is_some();
    AnswerView {
        policy: found.policy as u32,
        line: found.line.iter().map(|&point| point as u32).collect(),
        answer: found.answer.smallest.map(place),
        bracket: last.filter(|&last| last >= first).map(|last| {
            let (one, other) = (turned(first), turned(last));
            (place(one.min(other)), place(one.max(other)))
        }),
        isolated: found.answer.isolated.iter().copied().map(place).collect(),
        confirmed,
        is_settled: confirmed.is_some() || (!is_open && (is_one_draw || found.answer.smallest.is_none())),
        words: String::new(),
    }
}
