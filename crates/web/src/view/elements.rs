//! Elements that recur, each made in one place: what `html!` expands to is large.

use web_sys::{Event, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// A paragraph.
pub(super) fn paragraph(class: &'static str, words: impl Into<AttrValue>) -> Html {
    fn of_text(class: &'static str, words: AttrValue) -> Html {
        html! { <p {class}>{ words }</p> }
    }
    of_text(class, words.into())
}

/// A line in small print.
pub(super) fn caption(words: impl Into<AttrValue>) -> Html {
    paragraph("caption", words)
}

/// A line in small print, with more to it while it is pointed at.
pub(super) fn titled_caption(title: AttrValue, words: AttrValue) -> Html {
    html! { <p class="caption" {title}>{ words }</p> }
}

/// A button that looks like text.
pub(super) fn link(words: impl Into<AttrValue>, onclick: Callback<MouseEvent>) -> Html {
    named_link(None, words.into(), onclick)
}

/// A button that looks like text, with an accessible name that says more than the text.
pub(super) fn named_link(name: Option<&'static str>, words: AttrValue, onclick: Callback<MouseEvent>) -> Html {
    html! { <button class="link" aria-label={name} {onclick}>{ words }</button> }
}

/// A button with a sign instead of words.
pub(super) fn icon_button(name: AttrValue, title: AttrValue, sign: Html, onclick: Callback<MouseEvent>) -> Html {
    enabled_icon_button(name, title, sign, true, onclick)
}

/// A button with a sign instead of words, which is not always enabled.
pub(super) fn enabled_icon_button(
    name: AttrValue,
    title: AttrValue,
    sign: Html,
    is_enabled: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! { <button class="icon-button" aria-label={name} {title} disabled={!is_enabled} {onclick}>{ sign }</button> }
}

/// A button that ends what is shown.
pub(super) fn close_button(name: &'static str, title: &'static str, onclick: Callback<MouseEvent>) -> Html {
    icon_button(name.into(), title.into(), "✕".into(), onclick)
}

/// One of several buttons of which one is pressed.
pub(super) fn pressable(
    is_pressed: bool,
    title: Option<&'static str>,
    words: Html,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! { <button aria-pressed={is_pressed.to_string()} {title} {onclick}>{ words }</button> }
}

/// A heading of each column.
pub(super) fn column_heads<T: Into<AttrValue>>(heads: impl IntoIterator<Item = T>) -> Html {
    fn head(words: AttrValue) -> Html {
        html! { <th scope="col">{ words }</th> }
    }
    heads.into_iter().map(|words| head(words.into())).collect()
}

/// Rows of a table that belong together. The heading is a row of its own: where there is one column more or less for
/// each policy, nothing else lines up.
pub(super) fn group_of_rows(heading: AttrValue, rows: Html) -> Html {
    html! {
        <tbody key={heading.to_string()}>
            <tr class="group"><th scope="rowgroup">{ heading }</th></tr>
            { rows }
        </tbody>
    }
}

/// The room that a wide table scrolls in.
pub(super) fn scrolled(label: &'static str, table: Html) -> Html {
    html! { <div class="table-scroll" tabindex="0" role="group" aria-label={label}>{ table }</div> }
}

/// A choice of a list.
pub(super) fn option(value: impl Into<AttrValue>, words: impl Into<AttrValue>, selected: bool) -> Html {
    fn of_text(value: AttrValue, words: AttrValue, selected: bool) -> Html {
        html! { <option {value} {selected}>{ words }</option> }
    }
    of_text(value.into(), words.into(), selected)
}

/// A button that ticks something, with its text.
pub(super) fn tick_box(
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
pub(super) fn typed(event: &InputEvent) -> String {
    event.target_dyn_into::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default()
}

/// The value of the list that an event is about.
pub(super) fn chosen(event: &Event) -> String {
    event.target_dyn_into::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default()
}

/// Whether the box that an event is about is ticked.
pub(super) fn is_checked(event: &Event) -> bool {
    event.target_dyn_into::<HtmlInputElement>().is_some_and(|input| input.checked())
}
