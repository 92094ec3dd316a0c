//! The first moment at which a policy treats some job other than the baseline does, with both decisions.

use elastiplan_compare::{Decided, Divergence, JobAtDivergence};
use elastiplan_present::runs::RunEntry;
use elastiplan_text::{format, words};
use yew::prelude::*;

use crate::elements::{badge, caption, close_button, column_heads, link};
use crate::state::message::Msg;
use crate::state::runs::Runs;
use crate::timeline::decided_words;

/// Jobs that are listed.
const JOBS_MAX: usize = 60;

#[derive(Properties, PartialEq)]
pub(super) struct DivergenceProps {
    pub runs: Runs,
    /// The place of the run that is compared with the baseline.
    pub slot: usize,
    pub send: Callback<Msg>,
}

#[component]
pub(super) fn DivergenceView(props: &DivergenceProps) -> Html {
    let found = use_memo((props.runs.clone(), props.slot), |(runs, slot)| {
        let record = |slot: usize| Some(&runs.entries.iter().find(|entry| entry.slot == slot)?.result.as_ref()?.run);
        Divergence::of(record(*slot)?, record(0)?, &runs.workload)
    });
    let name = |slot: usize| {
        let entry = props.runs.entries.iter().find(|entry: &&RunEntry| entry.slot == slot);
        entry.map(|entry| entry.policy.name().to_string()).unwrap_or_default()
    };
    let close = props.send.reform(|_: MouseEvent| Msg::CloseDivergence);
    let Some(found) = found.as_ref() else {
        return caption("The two runs are the same");
    };
    let trace = props.runs.workload.trace();
    let job = |at: &JobAtDivergence| {
        let id = at.job;
        let name = trace.jobs().get(id.index()).map(|job| job.name.clone()).unwrap_or_default();
        let onclick = props.send.reform(move |_| Msg::Story(id));
        html! {
            <tr>
                <th scope="row">{ link(name, onclick) }</th>
                <td>{ at.in_baseline.words() }</td>
                <td>{ at.here.words() }</td>
            </tr>
        }
    };
    let more = found.jobs.len().saturating_sub(JOBS_MAX) as u64;
    html! {
        <section class="divergence" aria-label="First difference">
            <header>
                <h2>{ format!("First difference at {}", format::duration(found.time_s - trace.start_s())) }</h2>
                { close_button("Close", "Close (Esc)", close) }
            </header>
            <p>{ badge(0) }{ format!("{} {}", name(0), decided(found.decided_in_baseline.as_ref())) }</p>
            <p>{ badge(props.slot) }{ format!("{} {}", name(props.slot), decided(found.decided.as_ref())) }</p>
            <table class="divergence-table">
                <thead><tr>{ column_heads(["From then on".into(), name(0), name(props.slot)]) }</tr></thead>
                <tbody>{ for found.jobs.iter().take(JOBS_MAX).map(job) }</tbody>
            </table>
            if more > 0 { { caption(words::counted(more, "more job", "more jobs")) } }
        </section>
    }
}

fn decided(decided: Option<&Decided>) -> String {
    decided.map_or_else(|| "changes nothing".into(), decided_words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_told_by_what_they_change() {
        assert_eq!(decided(None), "changes nothing");
        let both = Decided { started: 2, rescaled: 1, ..Decided::default() };
        assert_eq!(decided(Some(&both)), "starts 2 jobs, rescales 1 job");
    }
}
