//! The line at the bottom: what just happened, and what stands behind the numbers.

use elastiplan_formats::FileRole;
use elastiplan_model::Severity;
use elastiplan_text::words;
use yew::prelude::*;

use super::later::here;
use crate::elements::link;
use crate::state::message::{Msg, Screen};
use crate::state::page::Page;

pub(super) fn status(page: &Page) -> Html {
    let set = page.planner.shown.as_ref();
    let baseline = set.and_then(|set| set.entries.first()).filter(|entry| !entry.is_running());
    let digest = baseline.and_then(|entry| entry.result.as_ref()).map(|result| result.digest.clone());
    html! {
        <footer class="status">
            <div class="status-left" role="status">
                { here().map(|later| (later.offline)(page)).unwrap_or_default() }
                <span class="said">{ &page.status.text }</span>
                { here().map(|later| (later.not_kept)(page)).unwrap_or_default() }
                if let Some(words) = jobs(page) { <span>{ words }</span> }
                { counts(page) }
            </div>
            <div class="status-right">
                <span>{ "Nothing leaves this browser" }</span>
                if let Some(digest) = digest {
                    <span title={format!("Digest of the baseline's record: {digest}")}>
                        { format!("digest {}", digest.get(..8).unwrap_or(&digest)) }
                    </span>
                }
                <span title={page.build_id.clone()}>
                    { format!("build {}", page.build_id.get(..8).unwrap_or(&page.build_id)) }
                </span>
            </div>
        </footer>
    }
}

/// The outcome of the jobs, over all policies.
fn jobs(page: &Page) -> Option<String> {
    let set = page.planner.shown.as_ref().filter(|set| !set.is_running() && set.has_results())?;
    if page.planner.is_stale() {
        return None;
    }
    let metrics = || set.entries.iter().filter_map(|entry| Some(&entry.result.as_ref()?.summary.metrics));
    let total = metrics().map(|metrics| metrics.jobs_total).max()?;
    let fewest = metrics().map(|metrics| metrics.jobs_completed).min()?;
    let jobs = words::counted(total, "job", "jobs");
    Some(if fewest == total { format!("{jobs}, all completed") } else { jobs })
}

/// Assumptions and findings, each a way to the report.
fn counts(page: &Page) -> Html {
    let data = &page.planner.inputs().data;
    // The sample's curves come with one.
    let of_sample = u64::from(data.curves_origin.is_sample() && page.obstacle().is_none());
    let report = page.report();
    let count = |wanted: fn(Severity) -> bool| {
        report.found.iter().filter(|found| wanted(found.diagnostic.severity)).count() as u64
    };
    let left_out = report.jobs_read.saturating_sub(report.jobs_loaded);
    let assumed = of_sample + count(|severity| severity == Severity::Info);
    let warned = count(|severity| severity == Severity::Warning);
    let has_jobs = report.has(FileRole::Jobs);
    let to_report = |words: String| link(words, page.send.reform(|_| Msg::Show(Screen::Report)));
    html! {
        <>
            if has_jobs && left_out > 0 && page.obstacle().is_none() {
                { to_report(format!("{} left out", words::counted(left_out, "job", "jobs"))) }
            }
            if warned > 0 { { to_report(words::counted(warned, "warning", "warnings")) } }
            if assumed > 0 { { to_report(words::counted(assumed, "assumption", "assumptions")) } }
        </>
    }
}
