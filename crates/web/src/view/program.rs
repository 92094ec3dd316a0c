//! The sheet of a decision as a program: who gets what, and the text to read and to copy.

use elastiplan_text::format;
use elastiplan_worker::messages::{JobShare, ShownProgram};
use yew::prelude::*;

use super::dialog::Dialog;
use crate::dom::copy_text;
use crate::elements::{badge, caption, close_button, column_heads, pressable, scrolled};
use crate::state::message::Msg;
use crate::state::program::DecisionProgram;
use crate::state::runs::Runs;

/// Lines that are shown; what is copied has all.
const LINES_MAX: usize = 3000;

pub(super) fn program_sheet(program: &DecisionProgram, runs: &Runs, send: &Callback<Msg>) -> Html {
    let DecisionProgram { slot, policy, time_s, node_by_node, answer, .. } = program;
    let form = |label: &'static str, title: &'static str, by_node: bool| {
        let (slot, time_s) = (*slot, *time_s);
        let onclick = send.reform(move |_: MouseEvent| Msg::Program(slot, time_s, by_node));
        pressable(by_node == *node_by_node, Some(title), label.into(), onclick)
    };
    let shown = match answer {
        None => html! { <p class="caption" role="status">{ "Making the run anew up to this time" }</p> },
        Some(Err(message)) => html! { <p class="notice" role="alert">{ message }</p> },
        Some(Ok(program)) => shown(program, runs),
    };
    let close = send.reform(|_: MouseEvent| Msg::Close);
    html! {
        <Dialog label="Decision as a program" class="program-sheet" on_close={send.reform(|()| Msg::Close)}>
            <header>
                <h2>{ badge(*slot) }{ format!("{} as a program", policy.name()) }</h2>
                if policy.name() == "bftrainer" {
                    <span class="segments" role="group" aria-label="Form">
                        { form("By counts", "A binary for each job and number of GPUs", false) }
                        { form("By node", "A binary for each job and GPU, as the paper has it", true) }
                    </span>
                }
                { close_button("Close", "Close (Esc)", close) }
            </header>
            { shown }
        </Dialog>
    }
}

fn shown(program: &ShownProgram, runs: &Runs) -> Html {
    let trace = runs.workload.trace();
    let row = |share: &JobShare| {
        let name = trace.jobs().get(share.job.index()).map(|job| job.name.clone()).unwrap_or_default();
        let count = |gpus: u32| format::count(gpus.into());
        html! { <tr><th scope="row">{ name }</th><td>{ count(share.before) }</td><td>{ count(share.after) }</td></tr> }
    };
    let onclick = {
        let text = program.text.clone();
        Callback::from(move |_: MouseEvent| copy_text(&text))
    };
    let lines: Vec<&str> = program.text.lines().collect();
    let more = lines.len().saturating_sub(LINES_MAX) as u64;
    let text = lines.get(..lines.len().min(LINES_MAX)).unwrap_or_default().join("\n");
    html! {
        <>
            <p>
                { format!("Decided at {}. The greatest objective is {}", format::duration(program.time_s - trace.start_s()), format::number(program.optimum)) }
            </p>
            { scrolled("Who gets what", html! {
                <table class="story-table">
                    <thead><tr>{ column_heads(["Job", "GPUs before", "GPUs after"]) }</tr></thead>
                    <tbody>{ for program.jobs.iter().map(row) }</tbody>
                </table>
            }) }
            <div class="program-head">
                <span class="ink-3">{ "LP format, for Gurobi, HiGHS, CBC or SCIP" }</span>
                <button class="button button-small" {onclick}>{ "Copy" }</button>
            </div>
            <pre class="program-text" tabindex="0" role="group" aria-label="The program">{ text }</pre>
            if more > 0 {
                { caption(format!("{} more; what is copied has all", elastiplan_text::words::counted(more, "line", "lines"))) }
            }
        </>
    }
}
