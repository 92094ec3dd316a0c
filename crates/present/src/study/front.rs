//! What more costs: points of a study by cost and by what is missed, and those than which no other is better in both.

use elastiplan_metrics::{Better, Unit};
use elastiplan_model::order::sort_by;

use super::names::{label, point, tone, with_unit};
use super::positions::position;
use super::table::{capital, front_table};
use super::values::Measure;
use super::{Cell, StudyView, means};
use crate::figure::axis::{Axis, Scale};
use crate::figure::points::{Curve, CurvePoint, CurveStyle, PointId, PointMark};
use crate::figure::{Figure, Guide, Series, Shape, Tone};

/// The metric of costs.
const COST: &str = "cost_dollars";
/// The axis of missed shares reaches over so many times at most.
const REACH: f64 = 10_000.0;

/// A point by what it costs and what it misses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trade {
    /// Which.
    pub id: PointId,
    /// Its cost in dollars; without prices, the value of the axis of the question.
    pub cost: f64,
    /// What is to be little: percent missed, or the goal's metric itself.
    pub missed: f64,
    /// Whether no other point is as good in one of the two and better in the other.
    pub is_on_front: bool,
}

/// All known points along the axis of the question through a point, each policy's in the order of the axis. The metric
/// is the first goal's, or else mean completion.
pub fn trades(view: &StudyView, through: usize) -> Vec<Trade> {
    let Some(measure) = asked(view) else { return Vec::new() };
    let line = view.line(through, view.find);
    let cost = |policy: usize, place: usize, point: usize| match has_cost(view) {
        true => view.estimate(COST, policy, point).map(|estimate| estimate.mean),
        false => view.axes.get(view.find).map(|axis| position(axis, place)),
    };
    let trade = |policy: usize, (place, point): (usize, usize)| {
        let value = view.estimate(measure.info.key, policy, point)?.mean;
        let missed = if is_share_met(&measure) { (1.0 - value) * 100.0 } else { measure.drawn(value) };
        let id = PointId { policy: policy as u32, point: point as u32 };
        let trade = Trade { id, cost: cost(policy, place, point)?, missed, is_on_front: false };
        (trade.cost.is_finite() && trade.missed.is_finite()).then_some(trade)
    };
    let of_policy = |policy: usize| {
        let points = line.iter().copied().enumerate();
        points.filter_map(|point| trade(policy, point)).collect::<Vec<_>>()
    };
    let mut trades: Vec<Trade> = (0..view.policies.len()).flat_map(of_policy).collect();
    let signed = |missed: f64| if is_lower_better(&measure) { missed } else { -missed };
    mark_front(&mut trades, signed);
    trades
}

/// The values of the other axes, which are the same for all points: `, × 1.5`.
fn elsewhere(view: &StudyView, through: usize) -> String {
    let places = view.places(through).into_iter().enumerate().filter(|(axis, _)| *axis != view.find);
    let words = places.filter_map(|(axis, place)| Some(format!(", {}", with_unit(view.axes.get(axis)?, place))));
    words.collect()
}

/// Marks the points of the front, by increasing cost each less missed than all before.
fn mark_front(trades: &mut [Trade], signed: impl Fn(f64) -> f64) {
    let mut order: Vec<usize> = (0..trades.len()).collect();
    let at = |place: &usize| trades.get(*place).map_or((0.0, 0.0), |trade| (trade.cost, signed(trade.missed)));
    sort_by(&mut order, |a, b| at(a).0.total_cmp(&at(b).0).then(at(a).1.total_cmp(&at(b).1)));
    let mut least: Option<(f64, f64)> = None;
    for place in order {
        let Some(trade) = trades.get_mut(place) else { continue };
        let own = (trade.cost, signed(trade.missed));
        // Equal points are on the front together.
        if least.is_none_or(|least| own.1 < least.1 || own == least) {
            trade.is_on_front = true;
            least = Some(own);
        }
    }
}

/// Cost across, what is missed up, and the front as steps.
pub fn front(view: &StudyView, slots: &[usize], through: usize) -> Option<Figure> {
    let measure = asked(view)?;
    let trades = trades(view, through);
    let is_share = is_share_met(&measure);
    let cheapest = cheapest(view, &trades);
    let curve = |policy: usize| {
        let own = trades.iter().filter(|trade| trade.id.policy as usize == policy);
        let points = own.map(|trade| CurvePoint {
            id: trade.id,
            x: trade.cost,
            y: Some(trade.missed),
            band: None,
            mark: match trade.is_on_front {
                _ if cheapest == Some(trade.id) => PointMark::Answer,
                true => PointMark::Filled,
                false => PointMark::Hollow,
            },
            got_worse: false,
        });
        let shape = Shape::Curve(Curve { style: CurveStyle::Scatter, points: points.collect() });
        Series { label: label(view, slots, policy), tone: tone(slots, policy), shape }
    };
    let mut series: Vec<Series> = (0..view.policies.len()).map(curve).collect();
    series.push(Series { label: String::new(), tone: Tone::First, shape: Shape::Line(vec![steps(&trades)]) });
    let goal = measure.goal.map(|goal| match is_share {
        true => (100.0 - goal.limit * 100.0, format!("goal: {}% missed", rounded(100.0 - goal.limit * 100.0))),
        false => (measure.drawn(goal.limit), format!("goal {}", goal.limit_text())),
    });
    let what = if is_share { format!("{} missed", subject(&measure)) } else { measure.info.label.to_lowercase() };
    let against = if has_cost(view) { "Cost".to_string() } else { capital(&view.axes.get(view.find)?.label) };
    let title = format!("{against} against {what}{}", elsewhere(view, through));
    Some(Figure {
        name: "study-front".into(),
        summary: front_words(view, slots, through).unwrap_or_else(|| title.clone()),
        title,
        x: cost_axis(view, &trades),
        y: missed_axis(&measure, &trades, goal.as_ref().map(|(value, _)| *value)),
        guides: goal.into_iter().map(|(value, label)| Guide::Goal { value, short: label.clone(), label }).collect(),
        series,
        table: front_table(view, through),
        ..Figure::default()
    })
}

/// What the front says: `5 of 32 points are on the front: no other is cheaper and misses less. The cheapest that meets
/// the goal is D elasticflow at 48 nodes, $129k.` `None` where nothing is known.
pub fn front_words(view: &StudyView, slots: &[usize], through: usize) -> Option<String> {
    let trades = trades(view, through);
    let count = trades.iter().filter(|trade| trade.is_on_front).count();
    let (are, cheaper) = (if count == 1 { "is" } else { "are" }, if has_cost(view) { "cheaper" } else { "smaller" });
    let better = if asked(view).is_some_and(|measure| is_share_met(&measure)) { "misses less" } else { "is better" };
    let mut text =
        format!("{count} of {} points {are} on the front: no other is {cheaper} and {better}.", trades.len());
    if let Some(id) = cheapest(view, &trades) {
        let cost = has_cost(view).then(|| view.estimate(COST, id.policy as usize, id.point as usize)).flatten();
        let cost = cost.zip(Measure::of(view, COST)).map(|(cost, measure)| format!(", {}", measure.text(cost.mean)));
        let goals = if view.goals.len() == 1 { "the goal" } else { "every goal" };
        let superlative = if has_cost(view) { "cheapest" } else { "smallest" };
        text += &format!(
            " The {superlative} that meets {goals} is {} at {}{}.",
            label(view, slots, id.policy as usize),
            point(view, id.point as usize),
            cost.unwrap_or_default()
        );
    }
    (!trades.is_empty()).then_some(text)
}

/// The point that meets all goals at the least cost; with few seeds, by its means.
fn cheapest(view: &StudyView, trades: &[Trade]) -> Option<PointId> {
    let meets = |trade: &&Trade| {
        let (policy, point) = (trade.id.policy as usize, trade.id.point as usize);
        match means::are_few(view) {
            true => means::meet(view, policy, point) == Some(true),
            false => !view.goals.is_empty() && view.cells.get(view.at(policy, point)) == Some(&Cell::Meets),
        }
    };
    trades.iter().filter(meets).min_by(|a, b| a.cost.total_cmp(&b.cost)).map(|trade| trade.id)
}

/// The corners of the front.
fn steps(trades: &[Trade]) -> Vec<(f64, f64)> {
    let mut front: Vec<(f64, f64)> =
        trades.iter().filter(|trade| trade.is_on_front).map(|trade| (trade.cost, trade.missed)).collect();
    elastiplan_model::order::sort_by_number(&mut front, |(cost, _)| *cost);
    let Some((first, last)) = front.first().copied().zip(front.last().copied()) else { return Vec::new() };
    crate::figure::corners(first, front.iter().skip(1).copied(), last.0)
}

fn asked(view: &StudyView) -> Option<Measure<'_>> {
    let key = view.goals.first().map_or("avg_jct_s", |goal| goal.metric.as_str());
    Measure::of(view, key)
}

/// Whether it is a share of which the more is met the better: what is missed is drawn.
fn is_share_met(measure: &Measure<'_>) -> bool {
    measure.info.unit == Unit::Ratio && measure.info.better == Better::Higher
}

fn is_lower_better(measure: &Measure<'_>) -> bool {
    is_share_met(measure) || measure.info.better != Better::Higher
}

fn has_cost(view: &StudyView) -> bool {
    view.metric(COST).is_some_and(|metric| metric.estimates.iter().any(Option::is_some))
}

fn subject(measure: &Measure<'_>) -> String {
    let label = measure.info.label.to_lowercase();
    label.strip_suffix(" met").map_or(label.clone(), String::from)
}

fn rounded(percent: f64) -> f64 {
    (percent * 1e8).round() / 1e8
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

fn cost_axis(view: &StudyView, trades: &[Trade]) -> Axis {
    let (low, high) = ends(trades.iter().map(|trade| trade.cost));
    match view.axes.get(view.find).filter(|_| !has_cost(view)) {
        Some(axis) => super::positions::across(axis),
        None => Axis::about(Scale::Dollars, low, high),
    }
}

/// Missed shares have a logarithmic axis with 0 at its end, anything else an even one.
fn missed_axis(measure: &Measure<'_>, trades: &[Trade], goal: Option<f64>) -> Axis {
    let values = || trades.iter().map(|trade| trade.missed).chain(goal);
    let (least, most) = ends(values().filter(|value| *value > 0.0));
    if !is_share_met(measure) || least > most {
        let (low, high) = ends(values());
        return Axis::about(measure.scale(), low, high);
    }
    let from = (least / 2.0).max(most / REACH);
    Axis { scale: Scale::LogPercent, from, to: (most * 1.15).min(100.0).max(from * 4.0), ..Axis::default() }
}
