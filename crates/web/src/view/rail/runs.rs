//! The list of runs: what each is called, its tools, and the order, by dragging or by keys.

use elastiplan_compare::Badge;
use elastiplan_present::runs::settings_in_short;
use elastiplan_study::Spec;
use elastiplan_text::words;
use yew::prelude::*;

use super::add::AddPolicy;
use super::run_menu::run_menu;
use crate::dom;
use crate::elements::{classes, icon_button, link};
use crate::state::differences::chips;
use crate::state::edit::Edit;
use crate::state::message::{Msg, Screen};
use crate::state::page::Page;
use crate::state::run_spec::RunSpec;
use crate::state::world::World;
use crate::view::later::later;

/// Longer lists scroll by themselves, so that the fields below them stay near.
const RUNS_MAX: usize = 8;

const PIN: &str = "M5.5 2h5M6.5 2v4.5L4 9.5h8L9.5 6.5V2M8 9.5V14";
const EYE: &str = "M1.5 8C4 3.5 12 3.5 14.5 8C12 12.5 4 12.5 1.5 8zM8 6.2a1.8 1.8 0 1 0 .01 0z";
const CLOSED_EYE: &str = "M1.5 8C4 3.5 12 3.5 14.5 8C12 12.5 4 12.5 1.5 8zM3 13L13 3";
const COPY: &str = "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3";

/// A drawing of lines: fonts do not have these signs everywhere.
fn icon(path: &'static str) -> Html {
    html! { <svg class="icon" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path d={path} /></svg> }
}

pub(super) fn runs(page: &Page) -> Html {
    let inputs = page.planner.inputs();
    let hidden = inputs.runs().iter().filter(|run| run.is_hidden).count();
    let shown = words::counted((inputs.runs().len() - hidden) as u64, "run", "runs");
    let in_study = inputs.study_runs().len();
    let note = if page.screen == Screen::Study {
        format!("{in_study} in this study")
    } else if hidden > 0 {
        format!("{shown} shown, {hidden} hidden")
    } else {
        shown
    };
    let show_all = page.send.reform(|_| Msg::Edit(Edit::Only(None)));
    html! {
        <section class="rail-section" aria-labelledby="rail-runs">
            <div class="rail-head"><h2 id="rail-runs">{ "Runs" }</h2><span class="caption">{ note }</span>
                if hidden > 0 { { link("Show all", show_all) } }
            </div>
            <RunList runs={inputs.runs().to_vec()} world={inputs.world()} study={inputs.study.clone()} selected={page.selected_run}
                send={page.send.clone()} />
            <AddPolicy parts={crate::part::state()} policies={inputs.policies()} send={page.send.clone()} />
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct ListProps {
    runs: Vec<RunSpec>,
    /// What decides runs that differ in nothing.
    world: World,
    study: Option<Spec>,
    /// The run whose settings are shown.
    selected: Option<u32>,
    send: Callback<Msg>,
}

/// A run that is being dragged, by its id, and the place it is over.
#[derive(Clone, Copy, PartialEq)]
struct Drag {
    id: u32,
    from: usize,
    over: usize,
}

#[component]
fn RunList(props: &ListProps) -> Html {
    let drag = use_state(|| None::<Drag>);
    // The run that was moved last, and what was said about it.
    let moved = use_state(|| None::<(u32, String)>);
    let renamed = use_state(|| None::<u32>);
    {
        // A row that is put elsewhere loses the focus.
        let ids: Vec<u32> = props.runs.iter().map(|run| run.id).collect();
        let id = moved.as_ref().map(|(id, _)| *id);
        use_effect_with((ids, id), move |(_, id)| {
            id.filter(|_| dom::is_nothing_focused()).into_iter().for_each(|id| dom::focus(&row_id(id)));
        });
        let renamed = renamed.clone();
        use_effect_with((*renamed, props.selected), move |(id, selected)| {
            if let Some(id) = id.filter(|id| *selected == Some(*id)) {
                dom::focus(&name_id(id));
                renamed.set(None);
            }
        });
    }
    let move_to = {
        let (send, moved, runs) = (props.send.clone(), moved.clone(), props.runs.clone());
        Callback::from(move |(id, to): (u32, usize)| {
            if let Some(words) = moved_words(&runs, id, to) {
                moved.set(Some((id, words)));
                send.emit(Msg::Edit(Edit::Move(id, to)));
            }
        })
    };
    let rename = {
        let (send, renamed) = (props.send.clone(), renamed.clone());
        Callback::from(move |id: u32| {
            renamed.set(Some(id));
            send.emit(Msg::SelectRun(Some(id)));
        })
    };
    let rows = props.runs.iter().enumerate().map(|(slot, run)| {
        let row = Row { props, slot, run, drag: &drag, move_to: &move_to, rename: &rename };
        html! { <li key={run.id}>{ row.html() }</li> }
    });
    let is_long = props.runs.len() > RUNS_MAX;
    html! {
        <>
            <ul class={classes("runs", is_long.then_some("many"))}>{ for rows }</ul>
            <p class="visually-hidden" aria-live="polite">{ moved.as_ref().map(|(_, words)| words.clone()) }</p>
        </>
    }
}

fn row_id(id: u32) -> String {
    format!("run-{id}")
}

/// The id of the field of a run's name.
pub(super) fn name_id(id: u32) -> String {
    format!("run-name-{id}")
}

/// `tiresias is now B, 2 of 6`; `None` if it stays where it is.
fn moved_words(runs: &[RunSpec], id: u32, to: usize) -> Option<String> {
    let from = runs.iter().position(|run| run.id == id).filter(|from| *from != to)?;
    let (run, badge) = (runs.get(from)?, Badge::of_slot(to)?.letter());
    let place = format!("{} is now {badge}, {} of {}", name_of(run), to + 1, runs.len());
    Some(if to == 0 { format!("{place}: the baseline") } else { place })
}

fn name_of(run: &RunSpec) -> &str {
    run.name.as_deref().unwrap_or(run.policy.name())
}

/// A row of the list.
struct Row<'a> {
    props: &'a ListProps,
    slot: usize,
    run: &'a RunSpec,
    drag: &'a UseStateHandle<Option<Drag>>,
    move_to: &'a Callback<(u32, usize)>,
    rename: &'a Callback<u32>,
}

impl Row<'_> {
    fn html(&self) -> Html {
        let (slot, run) = (self.slot, self.run);
        let ListProps { world, study, selected, send, .. } = self.props;
        let badge = Badge::of_slot(slot).map(Badge::letter).unwrap_or_default();
        let is_open = *selected == Some(run.id);
        html! {
            <>
                { self.draggable(html! {
                    <>
                        <span class="run-grip" aria-hidden="true" title="Drag to order">{ "⠿" }</span>
                        { self.main(&badge, is_open) }
                        { self.tools(&badge) }
                    </>
                }, is_open) }
                if is_open { { later(send, |later| (later.settings)(world, study.as_ref(), run, &badge, send)) } }
            </>
        }
    }

    /// The row, with what makes it move.
    fn draggable(&self, content: Html, is_open: bool) -> Html {
        let (slot, id) = (self.slot, self.run.id);
        let onkeydown = {
            let (move_to, last) = (self.move_to.clone(), self.props.runs.len().saturating_sub(1));
            Callback::from(move |event: KeyboardEvent| {
                let to = match event.key().as_str() {
                    "ArrowUp" => slot.checked_sub(1),
                    "ArrowDown" => Some(slot + 1).filter(|to| *to <= last),
                    _ => return,
                };
                if event.alt_key() {
                    event.prevent_default();
                    to.into_iter().for_each(|to| move_to.emit((id, to)));
                }
            })
        };
        let ondragstart = {
            let drag = self.drag.clone();
            Callback::from(move |event: DragEvent| {
                // Without data nothing is dragged in Firefox.
                event.data_transfer().into_iter().for_each(|data| drop(data.set_data("text/plain", "")));
                drag.set(Some(Drag { id, from: slot, over: slot }));
            })
        };
        let ondragover = {
            let drag = self.drag.clone();
            Callback::from(move |event: DragEvent| {
                if let Some(now) = *drag {
                    event.prevent_default();
                    if now.over != slot {
                        drag.set(Some(Drag { over: slot, ..now }));
                    }
                }
            })
        };
        let ondrop = {
            let (drag, move_to) = (self.drag.clone(), self.move_to.clone());
            Callback::from(move |event: DragEvent| {
                if let Some(now) = *drag {
                    event.prevent_default();
                    drag.set(None);
                    move_to.emit((now.id, slot));
                }
            })
        };
        let ondragend = {
            let drag = self.drag.clone();
            Callback::from(move |_: DragEvent| drag.set(None))
        };
        let target = (**self.drag).filter(|drag| drag.over == slot);
        let mut class = classes("run-row", is_open.then_some("selected"));
        class.push(self.run.is_hidden.then_some("hidden-run"));
        class.push(target.map(|drag| match slot.cmp(&drag.from) {
            std::cmp::Ordering::Less => "drop-above",
            std::cmp::Ordering::Equal => "dragged",
            std::cmp::Ordering::Greater => "drop-below",
        }));
        html! {
            <div {class} draggable="true" {onkeydown} {ondragstart} {ondragover} {ondrop} {ondragend}>{ content }</div>
        }
    }

    /// The button that shows and hides the settings: badge, name, settings in short, and what differs.
    fn main(&self, badge: &str, is_open: bool) -> Html {
        let (run, world, id) = (self.run, &self.props.world, self.run.id);
        let mark = match (self.slot, run.is_pinned()) {
            (_, true) if run.study_point().is_some() => "study",
            (0, true) => "pinned, baseline",
            (0, false) => "baseline",
            (_, true) => "pinned",
            _ => "",
        };
        let chips = chips(&run.world(world), world);
        let mut short = settings_in_short(&run.policy);
        if run.name.is_some() {
            short = format!("{} {short}", run.policy.name());
        } else if short.is_empty() && chips.is_empty() {
            short = run.policy.entry().map(|entry| entry.summary.into()).unwrap_or_default();
        }
        let select = self.props.send.reform(move |_: MouseEvent| Msg::SelectRun((!is_open).then_some(id)));
        let badge_class =
            format!("badge badge-{}{}", badge.to_ascii_lowercase(), if run.is_pinned() { " pinned" } else { "" });
        html! {
            <button id={row_id(id)} class="run-main" aria-expanded={is_open.to_string()} onclick={select}
                title={format!("{}. Alt ↑ and Alt ↓ move the run", run.policy)}>
                <span class={badge_class}>{ badge }</span>
                <span class="run-name-text" dir="auto">{ name_of(run) }</span>
                <span class="run-mark">{ mark }</span>
                <span class="run-short">
                    if !short.is_empty() { <span class="run-settings">{ short }</span> }
                    { for chips.into_iter().map(|chip| html! { <span class="chip">{ chip }</span> }) }
                </span>
            </button>
        }
    }

    fn tools(&self, badge: &str) -> Html {
        let (run, id) = (self.run, self.run.id);
        let tool = |sign: &'static str, what: &str, edit: Edit| {
            let title = AttrValue::from(format!("{what} {badge}"));
            icon_button(title.clone(), title, icon(sign), self.edit(edit))
        };
        let (is_pinned, is_hidden) = (run.is_pinned(), run.is_hidden);
        let origin = self.props.runs.iter().skip(1).find(|other| Some(other.id) == run.origin).map(|origin| origin.id);
        html! {
            <span class="run-tools">
                { tool(PIN, if is_pinned { "Unpin" } else { "Pin" }, Edit::Pin(id, !is_pinned)) }
                if self.slot > 0 {
                    <span class="run-eye">
                        { tool(if is_hidden { CLOSED_EYE } else { EYE }, if is_hidden { "Show" } else { "Hide" }, Edit::Hide(id, !is_hidden)) }
                    </span>
                }
                { tool(COPY, "Duplicate", Edit::Duplicate(id)) }
                { run_menu(run, origin, badge, (self.slot, self.props.runs.len()), &self.props.send, self.move_to, self.rename) }
            </span>
        }
    }

    fn edit(&self, edit: Edit) -> Callback<MouseEvent> {
        self.props.send.reform(move |_: MouseEvent| Msg::Edit(edit.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_announced_with_the_new_place() {
        let policies = ["fixed", "elastic-dp", "tiresias"];
        let mut runs: Vec<RunSpec> =
            (1..).zip(policies).map(|(id, policy)| RunSpec::new(id, policy.parse().unwrap())).collect();
        runs[1].name = Some("as today".into());
        let check = |id, to, expected: Option<&str>| assert_eq!(moved_words(&runs, id, to).as_deref(), expected);
        check(3, 1, Some("tiresias is now B, 2 of 3"));
        check(2, 0, Some("as today is now A, 1 of 3: the baseline"));
        check(1, 0, None);
        check(9, 0, None);
    }
}
