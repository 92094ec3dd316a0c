//! The menu of a figure: its table to copy, its picture to save.

use elastiplan_present::figure::table::Copied;
use yew::html::Scope;
use yew::prelude::*;

use super::component::{FigureView, Msg};
use super::files::Format;
use crate::menu::{Menu, MenuButton};

/// A line of the menu, and its message.
type Item = (&'static str, fn() -> Msg);

const ITEMS: [Item; 5] = [
    ("Copy as CSV", || Msg::Copy(Copied::Csv)),
    ("Copy as TSV", || Msg::Copy(Copied::Tsv)),
    ("Copy as Markdown", || Msg::Copy(Copied::Markdown)),
    ("Save as PNG", || Msg::Save(Format::Png)),
    ("Save as SVG", || Msg::Save(Format::Svg)),
];

pub fn figure_menu(link: &Scope<FigureView>) -> Html {
    let link = link.clone();
    let list = Callback::from(move |menu: Menu| {
        let item = |(label, message): Item| {
            let (link, menu) = (link.clone(), menu.clone());
            let onclick = Callback::from(move |_: MouseEvent| {
                link.send_message(message());
                menu.close();
            });
            html! { <li><button type="button" {onclick}>{ label }</button></li> }
        };
        html! { <ul class="menu-list chart-menu" aria-label="Copy or save">{ for ITEMS.into_iter().map(item) }</ul> }
    });
    html! { <MenuButton words="copy" name="Copy or save" class="chart-button" {list} /> }
}
