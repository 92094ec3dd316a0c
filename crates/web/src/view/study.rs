//! The Study screen: what is varied, the answer, and what it rests on.

mod curve;
mod editor;
mod empty;
mod figure;
mod gradual;
mod head;
mod maps;
mod panel;
mod strip;
mod table;
mod twin;
mod worse;

use std::cell::OnceCell;
use std::rc::Rc;

use elastiplan_metrics::{MetricInfo, Metrics};
use elastiplan_present::provenance::Provenance;
use elastiplan_present::runs::RunEntry;
use elastiplan_present::study::{AnswerView, StudyView};
use yew::prelude::*;

use crate::elements::{classes, paragraph};
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::published::provenance_of;
use crate::state::study::{Shown, StudyMsg};

/// The screen.
pub fn study(page: &Page) -> Html {
    let obstacle = page.study.obstacle.as_ref().map(|words| paragraph("notice", words.clone())).unwrap_or_default();
    let Some(look) = Look::of(page) else {
        return html! { <div class="study">{ obstacle }{ empty::empty(page) }</div> };
    };
    let left = look.send.reform(|_: PointerEvent| Msg::Study(StudyMsg::Point(None)));
    let content = if look.view.axes.len() > 1 { maps::maps(&look) } else { curve::curve(&look) };
    html! {
        <div class={classes("study", (!look.shown.is_stale).then_some("st-known"))}>
            { head::head(page, look.shown, look.point) }
            { editor::editor(page) }
            { obstacle }
            { head::notes(page, look.shown) }
            <div class={classes("st-body", look.shown.is_stale.then_some("st-stale"))} onpointerleave={left}>
                { content }
            </div>
        </div>
    }
}

/// A study with what is looked at.
struct Look<'a> {
    page: &'a Page,
    shown: &'a Shown,
    view: &'a Rc<StudyView>,
    /// The policies as runs of the list, with their badges.
    entries: Vec<RunEntry>,
    /// The policy that is looked at.
    policy: usize,
    /// The point that is looked at.
    point: usize,
    /// The key of the metric of the large picture.
    metric: String,
    send: Callback<Msg>,
    /// Where pictures come from, once that is asked for.
    provenance: OnceCell<Rc<Provenance>>,
}

impl<'a> Look<'a> {
    /// What the page looks at; `None` before there is anything to see.
    fn of(page: &'a Page) -> Option<Self> {
        let (shown, policy, point) = page.study.pointed_at()?;
        let view = &shown.view;
        let inputs = page.planner.inputs();
        let slot = |place: usize| {
            let id = shown.runs.get(place)?;
            inputs.runs().iter().position(|run| run.id == *id)
        };
        let entry = |(place, id): (usize, &String)| {
            // A run that was removed since keeps the badge of its place.
            Some(RunEntry::new(slot(place).unwrap_or(place), id.parse().ok()?))
        };
        let entries = view.policies.iter().enumerate().filter_map(entry).collect();
        let metric = page.study.metric_key(view);
        Some(Self {
            page,
            shown,
            view,
            entries,
            policy,
            point,
            metric,
            send: page.send.clone(),
            provenance: OnceCell::new(),
        })
    }

    /// The slot of each policy in the list of runs.
    fn slots(&self) -> Vec<usize> {
        self.entries.iter().map(|entry| entry.slot).collect()
    }

    /// The metric of the large picture.
    fn info(&self) -> Option<&'static MetricInfo> {
        Metrics::info(&self.metric)
    }

    /// The place of the point on the axis of the question.
    fn place(&self) -> usize {
        self.place_of(self.point)
    }

    /// The place of a point on the axis of the question.
    fn place_of(&self, point: usize) -> usize {
        self.view.places(point).get(self.view.find).copied().unwrap_or_default()
    }

    /// A value of the axis of the question, as it is shown.
    fn value(&self, place: usize) -> String {
        let axis = self.view.axes.get(self.view.find);
        axis.and_then(|axis| axis.values.get(place)).map(|value| value.shown.clone()).unwrap_or_default()
    }

    /// The answers along the axis of the question through the point.
    fn answers(&self) -> impl Iterator<Item = &AnswerView> {
        self.view.answers.iter().filter(|answer| answer.line.contains(&(self.point as u32)))
    }

    /// Where pictures come from.
    fn provenance(&self) -> Rc<Provenance> {
        let made = || Rc::new(provenance_of(self.page.planner.inputs(), &self.entries, &self.page.build_id));
        Rc::clone(self.provenance.get_or_init(made))
    }
}
