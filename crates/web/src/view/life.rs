//! A chart of a chosen quantity of one job over time, under each policy.

use std::rc::Rc;

use elastiplan_compare::Story;
use elastiplan_present::charts::{OfJob, of_job};
use elastiplan_present::provenance::Provenance;
use elastiplan_present::runs::RunEntry;
use yew::prelude::*;

use super::charts::choice_of;
use crate::chart::FigureView;

/// Stories that are equal if they are the very same.
#[derive(Clone)]
pub(super) struct Stories(pub Rc<Vec<(RunEntry, Story)>>);

impl PartialEq for Stories {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct LifeProps {
    pub stories: Stories,
    /// The name of the job.
    pub job: AttrValue,
    /// Times are written from here.
    pub zero_s: f64,
    pub provenance: Rc<Provenance>,
    pub theme: AttrValue,
}

#[component]
pub(super) fn Life(props: &LifeProps) -> Html {
    // What was chosen for one job is shown of the next, if it is known there.
    let wanted = use_state(|| OfJob::Gpus);
    let known = use_memo(props.stories.clone(), |stories| {
        OfJob::ALL.into_iter().filter(|of| of.is_known(&stories.0)).collect::<Vec<_>>()
    });
    let shown = if known.contains(&wanted) { *wanted } else { OfJob::Gpus };
    let figure =
        use_memo((props.stories.clone(), props.job.clone(), props.zero_s, shown), |(stories, job, zero_s, shown)| {
            of_job(*shown, &stories.0, job, *zero_s)
        });
    let options: Vec<_> = known.iter().map(|of| (*of, of.name(), of.title())).collect();
    let heading = choice_of("Over time", &options, shown, wanted.setter());
    html! {
        <FigureView {figure} provenance={&props.provenance} theme={&props.theme} {heading} if_empty="It never held a GPU" />
    }
}
