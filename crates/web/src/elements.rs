//! Elements that recur, each made in one place: what `html!` expands to is large.

use elastiplan_present::runs::RunEntry;
use web_sys::{Event, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// A class of style, and another one that applies at times.
pub fn classes(class: &'static str, also: Option<&'static str>) -> Classes {
    let mut classes = Classes::from(class);
    classes.push(also);
    classes
}

/// A paragraph.
pub fn paragraph(class: &'static str, words: impl Into<AttrValue>) -> Html {
    fn of_text(class: &'static str, words: AttrValue) -> Html {
        html! { <p {class}>{ words }</p> }
    }
    of_text(class, words.into())
}

/// A line in small print.
pub fn caption(words: impl Into<AttrValue>) -> Html {
    paragraph("caption", words)
}

/// A line in small print, with more to it while it is pointed at.
pub fn titled_caption(title: AttrValue, words: AttrValue) -> Html {
    html! { <p class="caption" {title}>{ words }</p> }
}

/// A button that looks like text.
pub fn link(words: impl Into<AttrValue>, onclick: Callback<MouseEvent>) -> Html {
    named_link(None, words.into(), onclick)
}

/// A button that looks like text, with an accessible name that says more than the text.
pub fn named_link(name: Option<&'static str>, words: AttrValue, onclick: Callback<MouseEvent>) -> Html {
    html! { <button class="link" aria-label={name} {onclick}>{ words }</button> }
}

/// A button with a sign instead of words.
pub fn icon_button(name: AttrValue, title: AttrValue, sign: Html, onclick: Callback<MouseEvent>) -> Html {
    enabled_icon_button(name, title, sign, true, onclick)
}

/// A button with a sign instead of words, which is not always enabled.
pub fn enabled_icon_button(
    name: AttrValue,
    title: AttrValue,
    sign: Html,
    is_enabled: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! { <button class="icon-button" aria-label={name} {title} disabled={!is_enabled} {onclick}>{ sign }</button> }
}

/// A button that ends what is shown.
pub fn close_button(name: &'static str, title: &'static str, onclick: Callback<MouseEvent>) -> Html {
    icon_button(name.into(), title.into(), "✕".into(), onclick)
}

/// A link to a page of the docs, `docs/metrics.html`. It opens beside the app, which would lose its data otherwise.
pub fn docs_link(class: &'static str, page: &'static str, words: &'static str) -> Html {
    html! { <a {class} href={page} target="_blank" rel="noopener">{ words }</a> }
}

/// One of several buttons of which one is pressed.
pub fn pressable(is_pressed: bool, title: Option<&'static str>, words: Html, onclick: Callback<MouseEvent>) -> Html {
    html! { <button aria-pressed={is_pressed.to_string()} {title} {onclick}>{ words }</button> }
}

/// A heading of each column.
pub fn column_heads<T: Into<AttrValue>>(heads: impl IntoIterator<Item = T>) -> Html {
    fn head(words: AttrValue) -> Html {
        html! { <th scope="col">{ words }</th> }
    }
    heads.into_iter().map(|words| head(words.into())).collect()
}

/// The heading of a policy's columns. Parameters go on a line of their own where there is no room.
pub fn policy_head(entry: &RunEntry, parameters: String) -> Html {
    html! {
        <th scope="col" class="policy" colspan={if entry.slot > 0 { "2" } else { "1" }} title={entry.policy.to_string()}>
            { badge(entry.slot) }<span class="policy-name">{ entry.policy.name() }</span>
            if !parameters.is_empty() { <wbr /><span class="policy-parameters">{ parameters }</span> }
        </th>
    }
}

/// Rows of a table that belong together. The heading is a row of its own: where there is one column more or less for
/// each policy, nothing else lines up.
pub fn group_of_rows(heading: AttrValue, rows: Html) -> Html {
    html! {
        <tbody key={heading.to_string()}>
            <tr class="group"><th scope="rowgroup">{ heading }</th></tr>
            { rows }
        </tbody>
    }
}

/// The room that a wide table scrolls in.
pub fn scrolled(label: &'static str, table: Html) -> Html {
    html! { <div class="table-scroll" tabindex="0" role="group" aria-label={label}>{ table }</div> }
}

/// The letter of a run in its colour; from the ninth run on its number, in grey.
pub fn badge(slot: usize) -> Html {
    let letter = ('a'..='h').nth(slot);
    let words = letter.map_or_else(|| (slot + 1).to_string(), |letter| letter.to_ascii_uppercase().to_string());
    html! { <span class={format!("badge badge-{}", letter.unwrap_or('i'))}>{ words }</span> }
}

/// A choice of a list.
pub fn option(value: impl Into<AttrValue>, words: impl Into<AttrValue>, selected: bool) -> Html {
    fn of_text(value: AttrValue, words: AttrValue, selected: bool) -> Html {
        html! { <option {value} {selected}>{ words }</option> }
    }
    of_text(value.into(), words.into(), selected)
}

/// A button that ticks something, with its text.
pub fn tick_box(
    words: AttrValue,
    title: Option<&'static str>,
    checked: bool,
    is_enabled: bool,
    onchange: Callback<Event>,
) -> Html {
    html! {
        <label class="check" {title}>
            <input type="checkbox" {checked} disabled={!is_enabled} {onchange} />
            <span>{ words }</span>
        </label>
    }
}

/// The text of the field that an event is about.
pub fn typed(event: &InputEvent) -> String {
    event.target_dyn_into::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default()
}

/// The value of the list that an event is about.
pub fn chosen(event: &Event) -> String {
    event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default()
}

/// Whether the box that an event is about is ticked.
pub fn is_checked(event: &Event) -> bool {
    event.target_dyn_into::<HtmlInputElement>().is_some_and(|input| input.checked())
}
