//! The charts beside the timelines: how times spread, each job under two policies, and one more to be chosen.

use std::rc::Rc;

use elastiplan_compare::Badge;
use elastiplan_compare::query::{Clause, Compare, Condition, NumberField, Query, Term};
use elastiplan_metrics::{MetricInfo, Metrics};
use elastiplan_model::JobId;
use elastiplan_present::charts::{By, Spread, against, bars, by_group, comparable, distribution, metrics, over_time};
use elastiplan_present::course::Course;
use elastiplan_present::figure::Figure;
use elastiplan_present::figure::axis::Spacing;
use elastiplan_present::paper::Paper;
use elastiplan_present::provenance::Provenance;
use elastiplan_present::runs::RunEntry;
use yew::prelude::*;

use crate::chart::{FigureView, Jobs};
use crate::elements::{self, option};
use crate::state::message::Msg;
use crate::state::order::Order;
use crate::state::runs::Runs;

#[derive(Properties, PartialEq)]
pub(super) struct ChartsProps {
    pub runs: Runs,
    /// Published values of them.
    pub paper: Rc<Paper>,
    pub provenance: Rc<Provenance>,
    /// The policy that the verdict is about.
    pub compared: Badge,
    pub selected: Option<JobId>,
    /// The name of the chart that was chosen.
    pub chosen: Option<&'static str>,
    pub theme: AttrValue,
    pub send: Callback<Msg>,
}

/// Runs that are equal if their records are the very same, however far they have come since.
#[derive(Clone)]
struct Records(Runs);

impl PartialEq for Records {
    fn eq(&self, other: &Self) -> bool {
        let record = |entry: &RunEntry| entry.result.as_ref().map(Rc::as_ptr);
        let named = |entry: &RunEntry| (entry.slot, entry.is_hidden, entry.label.clone(), entry.differs.clone());
        let same =
            |(a, b): (&RunEntry, &RunEntry)| named(a) == named(b) && a.policy == b.policy && record(a) == record(b);
        let (these, those) = (&self.0.entries, &other.0.entries);
        Rc::ptr_eq(&self.0.workload, &other.0.workload)
            && these.len() == those.len()
            && these.iter().zip(those).all(same)
    }
}

/// The charts of the panel, one at a time.
#[derive(Clone, Copy, PartialEq)]
enum Chart {
    /// How a time spreads over all jobs.
    All,
    /// Each job under two runs.
    Each,
    /// Means by user or by model.
    Groups,
    /// A quantity over time, or a metric of every run.
    Further,
}

/// The charts by their names in links.
const CHARTS: [(&str, Chart); 4] =
    [("all", Chart::All), ("each", Chart::Each), ("groups", Chart::Groups), ("more", Chart::Further)];

/// The name of a chart, if there is one of this name.
pub fn chart_named(name: &str) -> Option<&'static str> {
    CHARTS.iter().find(|(known, _)| *known == name).map(|(known, _)| *known)
}

/// The charts of the panel; nothing where there are no runs.
#[component]
pub(super) fn Charts(props: &ChartsProps) -> Html {
    let chosen = props.chosen.and_then(|name| CHARTS.iter().find(|(known, _)| *known == name)).map(|(_, chart)| *chart);
    let has_two = comparable(&props.runs.entries).next().is_some();
    // What a paper shows is asked for first.
    let usual = if props.paper.metrics().next().is_some() { Chart::Further } else { Chart::All };
    let shown = chosen.filter(|chart| has_two || *chart != Chart::Each).unwrap_or(usual);
    let all = use_spread(props, shown == Chart::All);
    let each = use_against(props, shown == Chart::Each);
    let (groups, groups_label) = use_groups(props, shown == Chart::Groups);
    let further = use_further(props, shown == Chart::Further);
    if props.runs.entries.is_empty() {
        return html! {};
    }
    let tab = |(chart, label): (Chart, &'static str)| {
        let name = CHARTS.iter().find(|(_, known)| *known == chart).map_or("all", |(name, _)| name);
        let onclick = props.send.reform(move |_: MouseEvent| Msg::Chart(name));
        html! { <button type="button" aria-pressed={(chart == shown).to_string()} {onclick}>{ label }</button> }
    };
    let each_tab = has_two.then_some((Chart::Each, "Each job"));
    let tabs = [(Chart::All, "All jobs")].into_iter().chain(each_tab);
    let tabs = tabs.chain([(Chart::Groups, groups_label), (Chart::Further, "More")]);
    html! {
        <div class="panel-chart">
            <div class="segments chart-tabs" role="group" aria-label="Chart">{ for tabs.map(tab) }</div>
            { all }{ each }{ groups }{ further }
        </div>
    }
}

/// A switch between a linear axis and a logarithmic one.
fn log_switch(figure: &Figure, chosen: UseStateSetter<Option<Spacing>>) -> Html {
    let is_log = figure.x.scale.spacing() == Spacing::Log;
    let onclick = Callback::from(move |_: MouseEvent| {
        chosen.set(Some(if is_log { Spacing::Linear } else { Spacing::Log }));
    });
    html! {
        <button type="button" class="chart-button" aria-pressed={is_log.to_string()} {onclick}>{ "log scale" }</button>
    }
}

/// How times spread.
#[hook]
fn use_spread(props: &ChartsProps, is_shown: bool) -> Html {
    let spacing = use_state(|| None::<Spacing>);
    let options = Spread::ALL.iter().map(|of| (of.name().into(), of.title().into())).collect();
    let (place, heading) = use_choice("Distribution", options);
    let from = (Records(props.runs.clone()), Rc::clone(&props.paper), place, *spacing, is_shown);
    let figure = use_memo(from, |(Records(runs), paper, place, spacing, is_shown)| {
        let spread = Spread::ALL.get(*place).copied().unwrap_or_default();
        is_shown.then(|| Rc::new(distribution(spread, &runs.entries, &runs.workload, paper, *spacing)))
    });
    let Some(figure) = figure.as_ref().clone() else { return html! {} };
    let aside = log_switch(&figure, spacing.setter());
    html! { <FigureView {figure} provenance={&props.provenance} theme={&props.theme} {heading} {aside} /> }
}

/// Each job under two policies, where there are two.
#[hook]
fn use_against(props: &ChartsProps, is_shown: bool) -> Html {
    // What was chosen by hand, until the verdict is about another policy.
    let chosen = use_state(|| (props.compared, None));
    let spacing = use_state(|| None::<Spacing>);
    let (verdict, by_hand) = *chosen;
    let by_hand = by_hand.filter(|_| verdict == props.compared);
    let others = comparable(&props.runs.entries);
    let is_there = |badge: &Badge| others.clone().any(|entry| entry.slot == badge.slot());
    let wanted = [by_hand, Some(props.compared)].into_iter().flatten().find(is_there);
    let compared = wanted.or_else(|| others.clone().find_map(|entry| Badge::of_slot(entry.slot)));
    let from = (Records(props.runs.clone()), compared, spacing.unwrap_or(Spacing::Log), is_shown);
    let figure = use_memo(from, |(Records(runs), compared, spacing, is_shown)| {
        let compared = compared.filter(|_| *is_shown)?;
        against(&runs.entries, &runs.workload, compared, *spacing).map(Rc::new)
    });
    let handlers = use_memo(props.send.clone(), handlers);
    let (Some(figure), Some(compared)) = (figure.as_ref().clone(), compared) else { return html! {} };
    let onchange = {
        let (chosen, verdict) = (chosen.clone(), props.compared);
        Callback::from(move |value: String| {
            let slot = value.parse().ok();
            chosen.set((verdict, slot.and_then(Badge::of_slot)));
        })
    };
    let option = |entry: &RunEntry| {
        let words = format!("Each job, A against {}", entry.letter());
        option(entry.slot.to_string(), words, entry.slot == compared.slot())
    };
    let heading = match others.clone().count() {
        0..2 => html! { { figure.title.clone() } },
        _ => choice("Each job", onchange, others.map(option).collect()),
    };
    let aside = log_switch(&figure, spacing.setter());
    let (on_point, on_pick, on_search) = (*handlers).clone();
    let on_range = Callback::from(move |(across, up)| on_search.emit(in_ranges(compared, across, up)));
    let (workload, selected) = (Rc::clone(&props.runs.workload), props.selected);
    let jobs = Jobs { workload, selected, on_point, on_pick, on_range };
    html! {
        <FigureView {figure} provenance={&props.provenance} theme={&props.theme} {heading} {aside} {jobs}
            if_empty="No job has completed under both yet" />
    }
}

/// Mean completion by user or by model, with the label of its tab.
#[hook]
fn use_groups(props: &ChartsProps, is_shown: bool) -> (Html, &'static str) {
    let known = use_memo(Rc::as_ptr(&props.runs.workload), |_| {
        By::ALL.into_iter().filter(|by| by.is_known(props.runs.workload.trace())).collect::<Vec<By>>()
    });
    let options = known.iter().map(|by| (by.name().into(), by.title().into())).collect();
    let (place, heading) = use_choice("Means", options);
    let by = known.get(place).copied().unwrap_or_default();
    let figure = use_memo((Records(props.runs.clone()), by, is_shown), |(Records(runs), by, is_shown)| {
        is_shown.then(|| Rc::new(by_group(*by, &runs.entries, &runs.workload)))
    });
    let label = if known.contains(&By::User) { "By user" } else { "By model" };
    let html = figure.as_ref().clone().map(|figure| {
        html! {
            <FigureView {figure} provenance={&props.provenance} theme={&props.theme} {heading}
                if_empty="No job has completed under all runs yet" />
        }
    });
    (html.unwrap_or_default(), label)
}

type Handlers = (Callback<Option<JobId>>, Callback<JobId>, Callback<String>);

fn handlers(send: &Callback<Msg>) -> Handlers {
    (
        send.reform(|job| Msg::Timelines(Order::Point(job))),
        send.reform(|job| Msg::Timelines(Order::Select(job))),
        send.reform(Msg::Search),
    )
}

/// The search for jobs whose completion times lie in these ranges, under the baseline and under another policy.
fn in_ranges(compared: Badge, across: (f64, f64), up: (f64, f64)) -> String {
    let term = |run: Badge, compare: Compare, value: f64| {
        let condition = Condition::Number { field: NumberField::Jct, run: Some(run), compare, value };
        Clause { terms: vec![Term { negated: false, condition }] }
    };
    let both = |run: Badge, (from_s, to_s): (f64, f64)| {
        [term(run, Compare::AtLeast, from_s.floor()), term(run, Compare::AtMost, to_s.ceil())]
    };
    let clauses = both(Badge::BASELINE, across).into_iter().chain(both(compared, up)).collect();
    Query { clauses }.to_string()
}

/// One more, of everything there is over time and of every metric.
#[hook]
fn use_further(props: &ChartsProps, is_shown: bool) -> Html {
    let of_paper = || props.paper.metrics().next().map(|info| info.key.to_string());
    let chosen = use_state(|| None::<String>);
    let first = || Course::ALL.first().map(|course| course.name().to_string());
    let name = (*chosen).clone().or_else(of_paper).or_else(first).unwrap_or_default();
    let from = (props.runs.clone(), Rc::clone(&props.paper), name.clone(), is_shown);
    let figure = use_memo(from, |(runs, paper, name, is_shown)| {
        let (entries, workload) = (&runs.entries, &runs.workload);
        let course = Course::all_of(workload).find(|course| course.name() == name).filter(|_| *is_shown);
        let of_course = course.map(|course| over_time(course, entries, workload));
        of_course.or_else(|| Some(bars(Metrics::info(name).filter(|_| *is_shown)?, entries, paper))).map(Rc::new)
    });
    if !is_shown {
        return html! {};
    }
    let chosen = chosen.setter();
    let onchange = Callback::from(move |value: String| chosen.set(Some(value)));
    let course = |course: Course| option(course.name(), course.title(), course.name() == name);
    let metric = |info: &'static MetricInfo| option(info.key, info.label, info.key == name);
    let options = html! {
        <>
            <optgroup label="Over time">{ for Course::all_of(&props.runs.workload).map(course) }</optgroup>
            <optgroup label="By policy">{ for metrics(&props.runs.entries).into_iter().map(metric) }</optgroup>
        </>
    };
    let heading = choice("More charts", onchange, options);
    match figure.as_ref().clone() {
        Some(figure) => html! { <FigureView {figure} provenance={&props.provenance} theme={&props.theme} {heading} /> },
        None => {
            html! { <section class="chart" aria-label="More charts"><header class="chart-head"><h3>{ heading }</h3></header></section> }
        }
    }
}

/// A heading that is a choice between options, each with its name and its title, and the place of the chosen one: at
/// first, and where there is no such option any more, the first.
#[hook]
pub(super) fn use_choice(label: &'static str, options: Vec<(String, String)>) -> (usize, Html) {
    let chosen = use_state(|| None::<String>);
    let place = options.iter().position(|(name, _)| chosen.as_ref() == Some(name)).unwrap_or(0);
    let set = chosen.setter();
    let onchange = Callback::from(move |name: String| set.set(Some(name)));
    let option = |(at, (name, title)): (usize, (String, String))| option(name, title, at == place);
    (place, choice(label, onchange, options.into_iter().enumerate().map(option).collect()))
}

/// A heading that is a choice.
fn choice(label: &'static str, onchange: Callback<String>, options: Html) -> Html {
    let onchange = onchange.reform(|event: Event| elements::chosen(&event));
    html! { <select class="chart-choice" aria-label={label} {onchange}>{ options }</select> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_becomes_a_search() {
        let text = in_ranges(Badge::of_slot(2).unwrap(), (299.6, 3600.0), (60.0, 5400.2));
        assert_eq!(text, "jct:A>=4m59s jct:A<=1h jct:C>=1m jct:C<=1h30m1s");
        assert_eq!(text.parse::<Query>().unwrap().to_string(), text);
    }
}
