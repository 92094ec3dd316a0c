//! Making fields and parameters axes of the study, beside them.

use elastiplan_study::Spec;
use yew::prelude::*;

use crate::state::edit::Edit;
use crate::state::message::{Msg, Screen};
use crate::state::study_axes::in_sentence;
use crate::state::study_parts::{Scale, spacing_words, values_words};
use crate::state::study_spec::without_axis;

/// The button that makes an axis of what stands beside it.
pub(super) fn vary(key: &str, label: &str, send: &Callback<Msg>) -> Html {
    let key = key.to_string();
    let onclick = send.reform(move |_: MouseEvent| Msg::Vary(key.clone()));
    small("vary", "vary", label, onclick)
}

/// A small button, which is read out with what it is about. No label, so that there is one element with the label of the
/// field.
fn small(class: &'static str, word: &'static str, label: &str, onclick: Callback<MouseEvent>) -> Html {
    html! { <button {class} {onclick}>{ word }{ hidden(format!(" {}", in_sentence(label))) }</button> }
}

fn hidden(words: String) -> Html {
    html! { <span class="visually-hidden">{ words }</span> }
}

/// The range in the place of a field that the study varies, with the way back; `None` for one that it does not.
pub(in crate::view) fn varied(spec: &Spec, key: &str, label: &str, start_s: f64, send: &Callback<Msg>) -> Option<Html> {
    let (_, values) = spec.axes.iter().find(|(known, _)| known == key)?;
    let scale = Scale::of(key, start_s);
    let words = values_words(values, scale);
    let spacing = format!(" {}, {}", spacing_words(values, scale), in_sentence(label));
    let show = send.reform(|_: MouseEvent| Msg::Show(Screen::Study));
    let fixed = without_axis(spec.clone(), key);
    let fix = send.reform(move |_: MouseEvent| Msg::Edit(Edit::Study(Some(fixed.clone()))));
    Some(html! {
        <div class="varied">
            <span class="varied-name">{ label.to_string() }</span>
            <button class="varied-range" title="Show the study" onclick={show}>{ words }{ hidden(spacing) }</button>
            { small("vary fix", "fix", label, fix) }
        </div>
    })
}
