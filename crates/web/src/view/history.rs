//! The sheet of steps: what changed in each, how well its best run did, and the ways to it.

use elastiplan_present::metric_text::Difference;
use elastiplan_text::{format, words};
use yew::prelude::*;

use super::dialog::Dialog;
use crate::dom;
use crate::elements::{close_button, paragraph};
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::steps::{Standing, StepRow};

/// The looks of the sheet.
const STYLE: &str = "history.css";

/// The sheet.
pub(super) fn history_sheet(page: &Page) -> Html {
    dom::add_stylesheet(STYLE);
    html! { <HistorySheet rows={page.step_rows()} metric={page.step_metric()} send={page.send.clone()} /> }
}

#[derive(Properties, PartialEq)]
struct HistoryProps {
    /// The steps, the latest first.
    rows: Vec<StepRow>,
    /// The metric that is shown of each.
    metric: AttrValue,
    send: Callback<Msg>,
}

fn id_of(number: u32) -> String {
    format!("step-{number}")
}

#[component]
fn HistorySheet(props: &HistoryProps) -> Html {
    let HistoryProps { rows, metric, send } = props;
    let present = rows.iter().position(|row| row.standing == Standing::Present).unwrap_or_default();
    let now = rows.get(present).map_or(0, |row| row.number);
    let active = use_state(|| present);
    {
        // The present step has the focus at first, and once it is another one: its button is gone.
        let active = active.clone();
        use_effect_with(now, move |now| {
            active.set(present);
            dom::focus(&id_of(*now));
        });
    }
    let onkeydown = {
        let (active, send) = (active.clone(), send.clone());
        let numbers: Vec<u32> = rows.iter().map(|row| row.number).collect();
        Callback::from(move |event: KeyboardEvent| {
            if event.ctrl_key() || event.meta_key() || event.alt_key() {
                return;
            }
            let last = numbers.len().saturating_sub(1);
            let is_on_button =
                event.target_dyn_into::<web_sys::Element>().is_some_and(|target| target.tag_name() == "BUTTON");
            let number = numbers.get(*active).copied();
            let to = match event.key().as_str() {
                "ArrowDown" => (*active + 1).min(last),
                "ArrowUp" => active.saturating_sub(1),
                "Home" => 0,
                "End" => last,
                "Enter" if !is_on_button => {
                    event.prevent_default();
                    return number.into_iter().for_each(|number| send.emit(Msg::GoToStep(number)));
                }
                "c" | "C" if number != Some(now) => {
                    event.prevent_default();
                    return number.into_iter().for_each(|number| send.emit(Msg::CompareWithStep(number)));
                }
                _ => return,
            };
            event.prevent_default();
            active.set(to);
            numbers.get(to).into_iter().for_each(|number| dom::focus(&id_of(*number)));
        })
    };
    let row = |(at, row): (usize, &StepRow)| step(row, at == *active, send, &active, at);
    let steps = words::counted(rows.len().saturating_sub(1) as u64, "step", "steps");
    let close = send.reform(|_: MouseEvent| Msg::Close);
    html! {
        <Dialog label="History" class="history-sheet" on_close={send.reform(|()| Msg::Close)}>
            <header>
                <h2>{ "History" }<span>{ steps }</span></h2>
                { close_button("Close", "Close (Esc)", close) }
            </header>
            <p class="history-keys" aria-hidden="true"><kbd>{ "↑" }</kbd><kbd>{ "↓" }</kbd>{ " choose " }<kbd>{ "Enter" }</kbd>{ " goes there " }
                <kbd>{ "C" }</kbd>{ " compares" }</p>
            <div class="history-head" aria-hidden="true"><span>{ "Time" }</span><span>{ "Step" }</span>
                <span>{ format!("Best run, {}", metric.to_lowercase()) }</span></div>
            <ol aria-label="Steps, the latest first" {onkeydown}>{ for rows.iter().enumerate().map(row) }</ol>
            if rows.len() < 2 { { paragraph("caption", "Every change of inputs and runs is a step here") } }
        </Dialog>
    }
}

fn step(row: &StepRow, is_active: bool, send: &Callback<Msg>, active: &UseStateHandle<usize>, at: usize) -> Html {
    let number = row.number;
    let (class, word) = match row.standing {
        Standing::Undone => ("undone", "Undone"),
        Standing::Present => ("present", "Now"),
        Standing::Done => ("", ""),
    };
    let go = send.reform(move |_: MouseEvent| Msg::GoToStep(number));
    let compare = send.reform(move |_: MouseEvent| Msg::CompareWithStep(number));
    let onfocus = {
        let active = active.clone();
        Callback::from(move |_: FocusEvent| active.set(at))
    };
    let is_present = row.standing == Standing::Present;
    let result = row.result.clone().unwrap_or_else(|| format::DASH.into());
    let title = match (&row.result, &row.best) {
        (Some(_), Some(best)) => format!("{best} is the best run"),
        _ => "Its runs never came to an end".into(),
    };
    html! {
        <li key={number} id={id_of(number)} {class} tabindex={if is_active { "0" } else { "-1" }} {onfocus}
            aria-current={is_present.then_some("step")}>
            <time>{ dom::time_of_day(row.at_ms) }</time>
            <span class="history-name"><bdi>{ row.name.clone() }</bdi>
                if !word.is_empty() { <small>{ word }</small> }</span>
            <span class="history-result" {title}>{ result }{ row.change.as_ref().map(change).unwrap_or_default() }</span>
            <span class="history-acts">
                if !is_present {
                    <button type="button" class="button button-small" onclick={go}>{ "Go there" }</button>
                    <button type="button" class="button button-small" aria-label="Compare with this step" onclick={compare}>{ "Compare" }</button>
                }
            </span>
        </li>
    }
}

fn change(difference: &Difference) -> Html {
    let class = match difference.is_better {
        Some(true) => "better",
        Some(false) => "worse",
        None => "ink-3",
    };
    html! { <small {class}>{ ", " }{ difference.text.clone() }</small> }
}
