//! The charts beside the timelines: how times spread, each job under two policies, and one more to be chosen.

use std::rc::Rc;

use elastiplan_compare::Badge;
use elastiplan_compare::query::{Clause, Compare, Condition, NumberField, Query, Term};
use elastiplan_metrics::{MetricInfo, Metrics};
use elastiplan_model::JobId;
use elastiplan_present::charts::{Spread, against, bars, distribution, metrics, over_time};
use elastiplan_present::course::Course;
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
    pub theme: AttrValue,
    pub send: Callback<Msg>,
}

/// Runs that are equal if their records are the very same, however far they have come since.
#[derive(Clone)]
struct Records(Runs);

impl PartialEq for Records {
    fn eq(&self, other: &Self) -> bool {
        let record = |entry: &RunEntry| entry.result.as_ref().map(Rc::as_ptr);
        let same = |(a, b): (&RunEntry, &RunEntry)| a.policy == b.policy && record(a) == record(b);
        let (these, those) = (&self.0.entries, &other.0.entries);
        Rc::ptr_eq(&self.0.workload, &other.0.workload)
            && these.len() == those.len()
            && these.iter().zip(those).all(same)
    }
}

/// The charts of the panel; nothing where there are no runs.
#[component]
pub(super) fn Charts(props: &ChartsProps) -> Html {
    let (spread, against) = (use_spread(props), use_against(props));
    let further = use_further(props);
    if props.runs.entries.is_empty() {
        return html! {};
    }
    html! {
        <div class="panel-chart">{ spread }{ against.unwrap_or_default() }{ further }</div>
    }
}

/// How times spread.
#[hook]
fn use_spread(props: &ChartsProps) -> Html {
    let options = Spread::ALL.iter().map(|of| (of.name().into(), of.title().into())).collect();
    let (place, heading) = use_choice("Distribution", options);
    let figure =
        use_memo((Records(props.runs.clone()), Rc::clone(&props.paper), place), |(Records(runs), paper, place)| {
            let spread = Spread::ALL.get(*place).copied().unwrap_or_default();
            distribution(spread, &runs.entries, &runs.workload, paper)
        });
    html! { <FigureView {figure} provenance={&props.provenance} theme={&props.theme} {heading} /> }
}

/// Each job under two policies, where there are two.
#[hook]
fn use_against(props: &ChartsProps) -> Option<Html> {
    // What was chosen by hand, until the verdict is about another policy.
    let chosen = use_state(|| (props.compared, None));
    let (verdict, by_hand) = *chosen;
    let by_hand = by_hand.filter(|_| verdict == props.compared);
    let is_there = |badge: &Badge| badge.slot() > 0 && badge.slot() < props.runs.entries.len();
    let compared = by_hand.filter(is_there).unwrap_or(props.compared);
    let figure = use_memo((Records(props.runs.clone()), compared), |(Records(runs), compared)| {
        let has_two = runs.entries.len() > 1;
        has_two.then(|| against(&runs.entries, &runs.workload, *compared).map(Rc::new)).flatten()
    });
    let handlers = use_memo(props.send.clone(), handlers);
    let figure = figure.as_ref().clone()?;
    let onchange = {
        let (chosen, verdict) = (chosen.clone(), props.compared);
        Callback::from(move |value: String| {
            chosen.set((verdict, Badge::named(&value)));
        })
    };
    let option = |entry: &RunEntry| {
        let letter = entry.letter();
        option(letter.clone(), format!("Each job, A against {letter}"), entry.slot == compared.slot())
    };
    let others = props.runs.entries.iter().skip(1);
    let heading = match props.runs.entries.len() {
        0..3 => html! { { figure.title.clone() } },
        _ => choice("Each job", onchange, others.map(option).collect()),
    };
    let heading = html! { <>{ heading }<span class="chart-aside">{ "log scale" }</span></> };
    let (on_point, on_pick, on_search) = (*handlers).clone();
    let on_range = Callback::from(move |(across, up)| on_search.emit(in_ranges(compared, across, up)));
    let (workload, selected) = (Rc::clone(&props.runs.workload), props.selected);
    let jobs = Jobs { workload, selected, on_point, on_pick, on_range };
    Some(html! {
        <FigureView {figure} provenance={&props.provenance} theme={&props.theme} {heading} {jobs}
            if_empty="No job has completed under both yet" />
    })
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
fn use_further(props: &ChartsProps) -> Html {
    let of_paper = || props.paper.metrics().next().map(|info| info.key.to_string());
    let chosen = use_state(|| None::<String>);
    let name = (*chosen).clone().or_else(of_paper).unwrap_or_default();
    let figure = use_memo((props.runs.clone(), Rc::clone(&props.paper), name.clone()), |(runs, paper, name)| {
        let (entries, workload) = (&runs.entries, &runs.workload);
        let course = Course::all_of(workload).find(|course| course.name() == name);
        let of_course = course.map(|course| over_time(course, entries, workload));
        of_course.or_else(|| Some(bars(Metrics::info(name)?, entries, paper))).map(Rc::new)
    });
    let chosen = chosen.setter();
    let onchange = Callback::from(move |value: String| chosen.set(Some(value)));
    let course = |course: Course| option(course.name(), course.title(), course.name() == name);
    let metric = |info: &'static MetricInfo| option(info.key, info.label, info.key == name);
    let options = html! {
        <>
            { option("", "More charts…", name.is_empty()) }
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
