//! Beside each open run, below its numbers: what its jobs do in the time in view, and where to look next.

use std::rc::Rc;

use elastiplan_compare::{Decided, InView};
use elastiplan_model::JobId;
use elastiplan_planner::PolicyRun;
use elastiplan_scene::TimeWindow;
use elastiplan_text::format;
use elastiplan_text::words::counted;
use yew::prelude::*;

use super::component::{Msg, Timelines};
use super::props::TimelinesProps;
use super::words;
use crate::elements::link;
use crate::state::order::Order;

/// Rows as high as this have room for one thing that could be looked at next.
const ONE_CARD_MIN_PX: f64 = 150.0;
/// And for both.
const BOTH_CARDS_MIN_PX: f64 = 250.0;

/// What was looked at: a record, the jobs that are shown, and the time.
#[derive(Clone)]
pub struct Looked {
    record: Rc<PolicyRun>,
    rows_version: u64,
    window: TimeWindow,
    found: InView,
}

impl Timelines {
    /// Looks at open runs that have ended, if the time in view is another. Whether anything is.
    pub(super) fn look(&mut self, props: &TimelinesProps) -> bool {
        let (window, rows_version) = (self.view.window, self.view.rows_version());
        let mut is_other = self.looked.len() != props.runs.entries.len();
        self.looked.resize_with(props.runs.entries.len(), || None);
        for ((entry, row), looked) in props.runs.entries.iter().zip(&self.rows).zip(&mut self.looked) {
            let record = entry.result.as_ref().filter(|_| row.is_open && !entry.is_running());
            let is_same = match (record, &*looked) {
                (Some(record), Some(looked)) => {
                    let is_same = Rc::ptr_eq(record, &looked.record) && looked.window == window;
                    is_same && looked.rows_version == rows_version
                }
                (record, looked) => record.is_none() && looked.is_none(),
            };
            if is_same {
                continue;
            }
            is_other = true;
            *looked = record.map(|record| {
                let within = (window.start_s(), window.end_s());
                let found = InView::of(&record.run, &props.runs.workload, self.view.rows.jobs(), within);
                Looked { record: Rc::clone(record), rows_version, window, found }
            });
        }
        is_other
    }

    /// A block for each open run.
    pub(super) fn in_view(&self, ctx: &Context<Self>) -> Html {
        let block = |&run: &usize| {
            let (looked, row) = (self.looked.get(run)?.as_ref()?, self.rows.get(run)?);
            Some(self.block(ctx, run, looked, row.height_px))
        };
        html! { <div class="tl-in-view tl-beside">{ for ctx.props().places.iter().filter_map(block) }</div> }
    }

    fn block(&self, ctx: &Context<Self>, run: usize, looked: &Looked, height_px: f64) -> Html {
        let found = &looked.found;
        // Where there is room for one, it is about what the policy does, if it does anything.
        let (one, both) = (height_px >= ONE_CARD_MIN_PX, height_px >= BOTH_CARDS_MIN_PX);
        let wait = if both || (one && found.changes() == 0) { self.longest_wait(ctx, run, found) } else { None };
        let has_changes = both || (one && wait.is_none());
        let s_per_px = self.scale().s_per_px();
        let zero_s = ctx.props().runs.workload.trace().start_s();
        let moment = |time_s: f64| format::moment((time_s - zero_s).max(0.0), s_per_px);
        let head = format!("In view, {} to {}", moment(looked.window.start_s()), moment(looked.window.end_s()));
        let count = |count: u64, one: &'static str, many: &'static str, class: Option<&'static str>| {
            html! { <span {class}><b>{ format::count(count) }</b>{ if count == 1 { one } else { many } }</span> }
        };
        let missed = (found.missed > 0).then_some("is-bad");
        html! {
            <div key={run.to_string()} style={format!("--row: var(--row-{run}); --top: var(--top-{run})")}>
                <h4>{ head }</h4>
                <p class="tl-counts">
                    { count(found.holding, " job holds GPUs", " jobs hold GPUs", None) }
                    { count(found.only_waiting, " only waits", " only wait", None) }
                    { count(found.completed, " finishes", " finish", None) }
                    { count(found.missed, " misses its deadline", " miss their deadline", missed) }
                </p>
                { wait }
                if has_changes { { self.changes(ctx, run, looked) } }
            </div>
        }
    }

    fn longest_wait(&self, ctx: &Context<Self>, run: usize, found: &InView) -> Option<Html> {
        let (job, waits_s) = found.longest_wait.filter(|(_, waits_s)| *waits_s >= 1.0)?;
        let trace = ctx.props().runs.workload.trace();
        let known = trace.jobs().get(job.index())?;
        let name = format!("{} {}", trace.model_name(known.model), known.name);
        let words = format!(" waits {} for {}", format::duration(waits_s), format::gpus(known.gpus_requested));
        let select = ctx.link().callback(move |_: MouseEvent| Msg::Order(Order::Select(JobId(job.0))));
        let queue = ctx.link().callback(move |_: MouseEvent| Msg::WorstQueue(run));
        Some(html! {
            <section>
                <h5>{ "Longest wait in view" }</h5>
                <p>{ link(name, select) }{ words }</p>
                { link("Go to the worst queue", queue) }
            </section>
        })
    }

    fn changes(&self, ctx: &Context<Self>, run: usize, looked: &Looked) -> Html {
        let found = &looked.found;
        let times = |count: u64, verb: &str| (count > 0).then(|| format!("{verb} {}", counted(count, "time", "times")));
        let parts = [
            times(found.grown, "grow"),
            times(found.shrunk, "shrink"),
            times(found.preempted, "lose all GPUs"),
            times(found.resumed, "resume"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let declined = match found.dropped {
            0 => "none is declined".into(),
            dropped => format!(
                "{} declined",
                if dropped == 1 { "1 is".into() } else { format!("{} are", format::count(dropped)) }
            ),
        };
        let jobs =
            if parts.is_empty() { "No job changes its GPUs".into() } else { format!("Jobs {}", parts.join(", ")) };
        let decided = self.view.cursor_s.filter(|_| self.view.is_pinned);
        let decided = decided.and_then(|time_s| Some((time_s, Decided::at(&looked.record.run, time_s)?)));
        let zero_s = ctx.props().runs.workload.trace().start_s();
        let decided = decided.map(|(time_s, decided)| {
            let at = format::moment(time_s - zero_s, self.scale().s_per_px());
            html! { <p><b>{ format!("At {at}") }</b>{ format!(" it {}", words::decided(&decided)) }</p> }
        });
        let from_s = self.view.cursor_s.unwrap_or(looked.window.start_s());
        let has_next = looked.record.run.decisions.time_s.last().is_some_and(|last_s| *last_s > from_s);
        let step = ctx.link().callback(move |_: MouseEvent| Msg::NextDecision(run));
        let fork = ctx.link().callback(move |_: MouseEvent| Msg::Fork(run));
        html! {
            <section>
                <h5>{ format!("{} in view", counted(found.changes(), "change", "changes")) }</h5>
                <p>{ format!("{jobs}; {declined}") }</p>
                { decided }
                if has_next { { link("Step to next decision", step) } }
                { link("Fork here…", fork) }
            </section>
        }
    }
}
