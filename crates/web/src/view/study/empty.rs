//! The screen before there is anything to see: what can be varied, and the first runs on their way.

use elastiplan_scenario::fields::{FIELDS, Field};
use yew::prelude::*;

use super::{editor, head};
use crate::state::message::Msg;
use crate::state::page::Page;
use crate::state::study::StudyMsg;

pub(super) fn empty(page: &Page) -> Html {
    let inputs = page.planner.inputs();
    let is_defined = inputs.study.is_some();
    html! {
        <>
            <section class="st-head" aria-label="Answer">
                <div class="st-answer">
                    <h2>{ headline(page) }</h2>
                    <p>{ second(page) }</p>
                </div>
                if page.study.is_running || is_defined { { head::progress(page, None) } }
            </section>
            { editor::editor(page) }
            if !is_defined && !page.study.is_running { { offers(page) } }
        </>
    }
}
