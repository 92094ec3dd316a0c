//! Where more made it worse: a point in the mean, or a single seed. Which seed, from when on, which job.

use elastiplan_present::study::WorseView;
use yew::prelude::*;

use super::Look;
use crate::elements::{docs_link, link};
use crate::state::message::Msg;
use crate::state::study::StudyMsg;

/// Single seeds that are shown: of the policies of one line, by one metric.
const SEEDS_MAX: usize = 6;

/// The box about the point that is looked at, otherwise about the one that got worst, and about single seeds.
pub(super) fn worse(look: &Look<'_>) -> Html {
    let point = chosen(look);
    let seeds = seeds(look);
    if point.is_none() && seeds.is_empty() {
        return Html::default();
    }
    let of_point = |of: &WorseView| {
        let name = look.entries.get(of.policy as usize).map(|entry| entry.name()).unwrap_or_default();
        entry(look, of, format!("{name} at {}", of.words))
    };
    html! {
        <section class="st-worse" aria-label="Got worse">
            { point.map(of_point) }
            { for seeds.into_iter().map(|of| entry(look, of, of.words.clone())) }
            <p>{ docs_link("link", "docs/studies.html#why-more-can-make-it-worse", "Why this can happen") }</p>
        </section>
    }
}

/// What got worse, why, and the two runs.
fn entry(look: &Look<'_>, of: &WorseView, words: String) -> Html {
    let units = of.units();
    let send = |msg: fn([elastiplan_study::Unit; 2]) -> StudyMsg| {
        look.send.reform(move |_: MouseEvent| Msg::Study(msg(units)))
    };
    let [from, to] = [of.left, of.point].map(|point| look.value(look.place_of(point as usize)));
    let why = look.page.study.why.as_ref().filter(|(asked, _)| *asked == units).map(|(_, found)| found);
    // From the one with less to the one with more, as on the axis.
    let open = look.send.reform(move |_: MouseEvent| {
        let [here, there] = units;
        Msg::Study(StudyMsg::OpenBoth([there, here]))
    });
    html! {
        <div class="st-worse-one" key={format!("{units:?} {}", of.metric)}>
            <h3><span class="worse" aria-hidden="true">{ "⚠ " }</span>{ words }</h3>
            if let Some(found) = why {
                <div role="status">
                    { match found {
                        None => html! { <p>{ "Both runs are being compared" }</p> },
                        Some(sentences) => sentences.iter().map(|words| html! { <p>{ words }</p> }).collect(),
                    } }
                </div>
            }
            <p class="st-acts">
                if why.is_none() { { link("See why", send(StudyMsg::Why)) } }
                { link(format!("Open {from} and {to} side by side"), open) }
            </p>
        </div>
    }
}

/// The point that the box is about.
fn chosen<'a>(look: &'a Look<'_>) -> Option<&'a WorseView> {
    let worse = &look.view.worse;
    let asked = look.page.study.why.as_ref().map(|(units, _)| *units);
    let here = (look.policy as u32, look.point as u32);
    let at_point = worse.iter().find(|of| (of.policy, of.point) == here).or(worse.iter().find(|of| of.point == here.1));
    at_point.or_else(|| worse.iter().find(|of| Some(of.units()) == asked)).or(worse.first())
}

/// Single seeds in which some point of the line through that which is looked at is worse than its neighbour.
fn seeds<'a>(look: &'a Look<'_>) -> Vec<&'a WorseView> {
    let line = look.view.line(look.point, look.view.find);
    // What got worse in the mean, and with one draw in every seed, is told of the point.
    let is_told =
        |of: &&WorseView| look.view.worse.iter().any(|worse| (worse.policy, worse.point) == (of.policy, of.point));
    let is_on = |of: &&WorseView| line.contains(&(of.point as usize)) && !is_told(of);
    let is_shown = |of: &&WorseView| of.metric == look.metric;
    let on_line: Vec<&WorseView> = look.view.reversals.iter().filter(is_on).collect();
    let of_metric: Vec<&WorseView> = on_line.iter().copied().filter(is_shown).collect();
    let mut found = if of_metric.is_empty() { on_line } else { of_metric };
    found.truncate(SEEDS_MAX);
    found
}
