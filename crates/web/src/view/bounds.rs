//! How good any policy could be.

use std::rc::Rc;

use elastiplan_metrics::Bounds;
use elastiplan_text::format;
use yew::prelude::*;

use crate::elements::titled_caption;
use crate::state::runs::Runs;

#[derive(Properties, PartialEq)]
pub(super) struct BoundsProps {
    pub runs: Runs,
}

/// A line in small print; nothing until the cluster is known.
#[component]
pub(super) fn BoundsView(props: &BoundsProps) -> Html {
    let gpus_total = props.runs.entries.iter().find_map(|entry| Some(entry.result.as_ref()?.run.gpus_total));
    // No run changes them: they are not computed again while runs go on.
    let bounds = use_memo((Rc::as_ptr(&props.runs.workload), gpus_total), |(_, gpus_total)| {
        gpus_total.and_then(|gpus_total| Bounds::of(&props.runs.workload, gpus_total))
    });
    let Some(bounds) = bounds.as_ref() else { return Html::default() };
    let title =
        "As if GPUs could be divided at will, every job ran at its best speed per GPU, and changes cost nothing";
    let (avg_jct, makespan) = (format::duration(bounds.avg_jct_s), format::duration(bounds.makespan_s));
    let words = format!("Lower bound for any policy: mean completion {avg_jct}, makespan {makespan}");
    titled_caption(title.into(), words.into())
}
