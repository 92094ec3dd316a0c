//! The log of nodes that come and go.

use elastiplan_metrics::IdleNodes;
use elastiplan_text::format;
use yew::prelude::*;

use crate::elements::{caption, named_link};
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
    html! {
        <div class="card-row">
                <p class="card-line"><span>{ "Nodes" }</span>
                    <span class="ink-2">
                        { format::count(facts.nodes.into()) }{ " · " }
                        if path.is_some() {
                            { named_link(Some("Report on the availability log"), "report".into(), show_report) }{ " · " }
                        }
                        { named_link(Some("Remove the availability log"), "remove".into(), remove) }
                    </span>
                </p>
                if let Some(path) = path {
                    <p class="caption file-name" title={path.to_string()}>
                        { "from " }{ path.rsplit('/').next().unwrap_or(path) }
                    </p>
                }
                { caption(format!("on average {}, over {over}", format::or_dash(facts.equivalent_nodes(), format::number))) }
        </div>
    }
}
