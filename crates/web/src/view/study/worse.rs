//! A point that is worse than its left neighbour, though it has more: which seed, from when on, which job.

use elastiplan_present::study::WorseView;
use yew::prelude::*;

use super::Look;
use crate::elements::{docs_link, link};
use crate::state::message::Msg;
use crate::state::study::StudyMsg;

/// The box about one such point: the one that is looked at, otherwise the worst.
pub(super) fn worse(look: &Look<'_>) -> Html {
    let Some(of) = chosen(look) else { return Html::default() };
    let Some(entry) = look.entries.get(of.policy as usize) else { return Html::default() };
    let (policy, point, left) = (of.policy, of.point, of.left);
    let send = |msg: fn((u32, u32, u32)) -> StudyMsg| {
        look.send.reform(move |_: MouseEvent| Msg::Study(msg((policy, point, left))))
    };
    let why =
        look.page.study.why.as_ref().filter(|(of_policy, of_point, _)| (*of_policy, *of_point) == (policy, point));
    let [from, to] = [left, point].map(|point| look.value(look.place_of(point as usize)));
    html! {
        <section class="st-worse" aria-label="Got worse">
            <h3><span class="worse" aria-hidden="true">{ "⚠ " }</span>{ format!("{} at {}", entry.name(), of.words) }</h3>
            {
                match why {
                    None => link("See why", send(|(policy, point, _)| StudyMsg::Why { policy, point })),
                    Some((.., None)) => html! { <p role="status">{ "Both runs are being compared" }</p> },
                    Some((.., Some(sentences))) => sentences.iter().map(|words| html! { <p>{ words }</p> }).collect(),
                }
            }
            <p class="st-acts">
                { link(format!("Open {from} and {to} side by side"),
                    send(|(policy, point, left)| StudyMsg::Open(vec![(policy, left), (policy, point)]))) }
                { docs_link("link", "docs/studies.html#what-is-claimed", "Why this can happen") }
            </p>
        </section>
    }
}

/// The point that the box is about.
fn chosen<'a>(look: &'a Look<'_>) -> Option<&'a WorseView> {
    let worse = &look.view.worse;
    let asked = look.page.study.why.as_ref().map(|(policy, point, _)| (*policy, *point));
    let is_at = |of: &&WorseView, at: (u32, u32)| (of.policy, of.point) == at;
    let here = (look.policy as u32, look.point as u32);
    let at_point = worse.iter().find(|of| is_at(of, here)).or(worse.iter().find(|of| of.point == here.1));
    at_point.or_else(|| worse.iter().find(|of| asked.is_some_and(|at| is_at(of, at)))).or(worse.first())
}
