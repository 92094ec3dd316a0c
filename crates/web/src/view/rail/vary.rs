//! Making fields and parameters axes of the study, beside them.

use elastiplan_study::Spec;
use yew::prelude::*;

use crate::state::edit::Edit;
use crate::state::message::{Msg, Screen};
use crate::state::study_axes::vary_words;
use crate::state::study_parts::{Scale, spacing_words, values_words};
use crate::state::study_spec::without_axis;

/// The button that makes an axis of what stands beside it.
pub(super) fn vary(key: &str, label: &str, send: &Callback<Msg>) -> Html {
    let key = key.to_string();
    let onclick = send.reform(move |_: MouseEvent| Msg::Vary(key.clone()));
    html! { <button class="vary" aria-label={vary_words(label)} {onclick}>{ "vary" }</button> }
}

/// The range in the place of a field that the study varies, with the way back; `None` for one that it does not.
pub(super) fn varied(study: Option<&Spec>, key: &str, label: &str, start_s: f64, send: &Callback<Msg>) -> Option<Html> {
    let spec = study?;
    let (_, values) = spec.axes.iter().find(|(known, _)| known == key)?;
    let scale = Scale::of(key, start_s);
    let words = values_words(values, scale);
    let name = format!("{label} {words}, {}: show the study", spacing_words(values, scale));
    let show = send.reform(|_: MouseEvent| Msg::Show(Screen::Study));
    let fixed = without_axis(spec.clone(), key);
    let fix = send.reform(move |_: MouseEvent| Msg::Edit(Edit::Study(Some(fixed.clone()))));
    Some(html! {
        <div class="varied">
            <span class="varied-name">{ label.to_string() }</span>
            <button class="varied-range" aria-label={name} onclick={show}>{ words }</button>
            <button class="vary fix" aria-label={vary_words(label).replacen("Vary", "Fix", 1)} onclick={fix}>{ "fix" }</button>
        </div>
    })
}
