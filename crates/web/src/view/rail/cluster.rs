//! The log of nodes that come and go.

use elastiplan_metrics::IdleNodes;
use elastiplan_text::format;
use yew::prelude::*;

use crate::elements::named_link;
use crate::state::data::Log;
use crate::state::edit::Edit;
use crate::state::message::{Msg, Screen};

#[derive(Properties, PartialEq)]
pub(super) struct LogProps {
    pub log: Log,
    pub send: Callback<Msg>,
}

/// The nodes of the log, and the ways to look at it and to do without.
#[component]
pub(super) fn LogCard(props: &LogProps) -> Html {
    let facts = use_memo(props.log.clone(), |log| IdleNodes::of(&log.availability));
    let path = props.log.file().map(|file| file.path.as_str());
    let show_report = props.send.reform(|_| Msg::Show(Screen::Report));
    let remove = props.send.reform(|_| Msg::Edit(Edit::RemoveLog));
    let over = format::duration(facts.span_s);
    let file_name = path.map(|path| path.rsplit('/').next().unwrap_or(path).to_string());
    let average = format::or_dash(facts.equivalent_nodes(), format::number);
    let title = format!("{}\non average {average} nodes, over {over}", path.unwrap_or_default());
    html! {
        <p class="card-row" title={title.trim().to_string()}><span class="card-name">{ "Nodes" }</span>
            if let Some(name) = file_name {
                <button class="link card-what" aria-label="Report on the availability log" onclick={show_report}>
                    { format!("from {name}") }
                </button>
            } else {
                <span class="card-what">{ format!("on average {average}") }</span>
            }
            { named_link(Some("Remove the availability log"), "remove".into(), remove) }
            <span class="ink-2">{ format::count(facts.nodes.into()) }</span>
        </p>
    }
}
