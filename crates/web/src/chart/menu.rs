//! The menu of a figure: its table to copy, its picture to save.

use elastiplan_present::figure::table::Copied;
use yew::prelude::*;

use super::files::Format;
use crate::menu::{MenuButton, use_menu};

#[derive(Properties, PartialEq)]
pub struct FigureMenuProps {
    /// The table is to be copied.
    pub on_copy: Callback<Copied>,
    /// The picture is to be saved.
    pub on_save: Callback<Format>,
}

#[component]
pub fn FigureMenu(props: &FigureMenuProps) -> Html {
    let menu = use_menu();
    let item = |label: &'static str, choose: Callback<()>| {
        let menu = menu.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            choose.emit(());
            menu.close();
        });
        html! { <li><button type="button" {onclick}>{ label }</button></li> }
    };
    let copy = |label, copied: Copied| item(label, props.on_copy.reform(move |()| copied));
    let save = |label, format: Format| item(label, props.on_save.reform(move |()| format));
    let button = MenuButton { words: "copy", name: Some("Copy or save"), class: "chart-button", is_enabled: true };
    let list = || {
        html! {
            <ul class="menu-list chart-menu" aria-label="Copy or save">
                { copy("Copy as CSV", Copied::Csv) }
                { copy("Copy as TSV", Copied::Tsv) }
                { copy("Copy as Markdown", Copied::Markdown) }
                { save("Save as PNG", Format::Png) }
                { save("Save as SVG", Format::Svg) }
            </ul>
        }
    };
    menu.html(button, list)
}
