//! The part of the dialog that puts the page into another one: a preview, what is there and may be changed, and the code.

use elastiplan_worker::keeping::SharedScenario;
use web_sys::HtmlTextAreaElement;
use yew::prelude::*;

use crate::dom;
use crate::elements::{caption, chosen, option, paragraph, pressable, typed};
use crate::state::controls::controls;
use crate::state::embed::{Access, PARTS, query};

/// The fields that are offered, by their keys.
const FIELDS: [&str; 4] = ["what_if.rescale_cost_s", "what_if.arrival_rate", "cluster.nodes", "seed"];
const ALL: [Access; 3] = [Access::Shown, Access::Locked, Access::Hidden];
/// What may stand alone, by names in addresses.
const FIGURES: [(&str, &str); 4] =
    [("", "Verdict and timelines"), ("timelines", "Timelines"), ("all", "All jobs"), ("each", "Each job")];
const THEMES: [(&str, &str); 3] = [("auto", "As the reader"), ("light", "Light"), ("dark", "Dark")];
/// Width of the preview.
const PREVIEW_PX: f64 = 556.0;
/// What lies beside the preview on a narrow page.
const BESIDE_PREVIEW_PX: f64 = 68.0;
/// The least and the most that a frame may be wide and high.
const SIZE_PX: std::ops::RangeInclusive<f64> = 240.0..=2400.0;

#[derive(Properties, PartialEq)]
pub(super) struct EmbedProps {
    pub shared: SharedScenario,
    /// The name of the scenario.
    pub title: String,
}

/// The choices of the user.
#[derive(Clone, PartialEq)]
struct Choices {
    parts: Vec<(&'static str, Access)>,
    figure: String,
    theme: String,
    width_px: f64,
    height_px: f64,
}

impl Default for Choices {
    fn default() -> Self {
        Self { parts: Vec::new(), figure: String::new(), theme: "auto".into(), width_px: 720.0, height_px: 460.0 }
    }
}

impl Choices {
    fn with(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut changed = self.clone();
        change(&mut changed);
        changed
    }

    fn set(&mut self, name: &'static str, access: Access) {
        self.parts.retain(|(known, _)| *known != name);
        self.parts.push((name, access));
    }

    /// The address of the frame: what is embedded stands behind `?`, so that the scenario stays behind `#`.
    fn address(&self, link: &str) -> String {
        let (address, fragment) = link.split_once('#').unwrap_or((link, ""));
        let figure = Some(self.figure.as_str()).filter(|figure| !figure.is_empty());
        format!("{address}?{}#{fragment}", query(&self.parts, &self.theme, figure))
    }

    fn code(&self, link: &str, title: &str) -> String {
        let Self { width_px, height_px, .. } = self;
        let (title, address) = (escaped(title), escaped(&self.address(link)));
        format!(
            "<iframe width=\"{width_px}\" height=\"{height_px}\" title=\"{title}\" loading=\"lazy\" style=\"border:0\"\n  src=\"{address}\"></iframe>"
        )
    }
}

/// As an attribute of HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[component]
pub(super) fn EmbedPart(props: &EmbedProps) -> Html {
    let choices = use_state(Choices::default);
    let is_copied = use_state(|| false);
    let Ok(link) = &props.shared.link else {
        return html! {
            <section class="share-embed" aria-label="Embed">
                <h3>{ "Embed in a page" }</h3>
                { paragraph("", "The scenario is too large for an address. Save the file beside the page, and embed ?embed=1&scenario=FILE") }
            </section>
        };
    };
    let change = {
        let (choices, is_copied) = (choices.clone(), is_copied.clone());
        move |change: Box<dyn FnOnce(&mut Choices)>| {
            is_copied.set(false);
            choices.set(choices.with(change));
        }
    };
    let code = choices.code(link, &props.title);
    let on_copy = {
        let (code, is_copied) = (code.clone(), is_copied.clone());
        Callback::from(move |_: MouseEvent| {
            dom::copy_text(&code);
            is_copied.set(true);
        })
    };
    let figure = |(name, label): (&'static str, &'static str)| {
        let change = change.clone();
        let onclick =
            Callback::from(move |_: MouseEvent| change(Box::new(move |choices| choices.figure = name.into())));
        pressable(choices.figure == name, None, label.into(), onclick)
    };
    let row = |(name, label, offered): (&'static str, &'static str, &'static [Access])| {
        let usual = crate::state::embed::Embed::default().access(name);
        let now = choices.parts.iter().find(|(known, _)| *known == name).map_or(usual, |(_, access)| *access);
        let button = |access: &Access| {
            let (change, access) = (change.clone(), *access);
            let onclick = Callback::from(move |_: MouseEvent| {
                change(Box::new(move |choices| choices.set(name, access)));
            });
            pressable(access == now, None, access.label().into(), onclick)
        };
        let in_order = ALL.iter().filter(|access| offered.contains(access));
        html! {
            <div class="embed-row"><span>{ label }</span>
                <div class="segments" role="group" aria-label={label}>{ for in_order.map(button) }</div></div>
        }
    };
    let fields = FIELDS.iter().filter_map(|key| {
        let found = controls(true).into_iter().chain(controls(false)).find(|found| found.field.key == *key)?;
        Some((found.field.key, found.control.label, &ALL[..]))
    });
    let parts = PARTS.iter().map(|part| (part.name, part.label, part.access));
    let size = |label: &'static str, now: f64, set: fn(&mut Choices, f64)| {
        let change = change.clone();
        let oninput = Callback::from(move |event: InputEvent| {
            if let Some(px) = elastiplan_text::number(typed(&event).trim()).filter(|px| SIZE_PX.contains(px)) {
                change(Box::new(move |choices| set(choices, px.round())));
            }
        });
        html! { <label>{ label }<input class="number" type="number" min="240" max="2400" value={now.to_string()} {oninput} /></label> }
    };
    let on_theme = {
        let change = change.clone();
        Callback::from(move |event: Event| {
            let theme = chosen(&event);
            change(Box::new(move |choices| choices.theme = theme));
        })
    };
    let on_focus = Callback::from(|event: FocusEvent| {
        event.target_dyn_into::<HtmlTextAreaElement>().iter().for_each(HtmlTextAreaElement::select);
    });
    let address = choices.address(link);
    let preview_px = dom::window_width().map_or(PREVIEW_PX, |px| (px - BESIDE_PREVIEW_PX).min(PREVIEW_PX));
    let scale = (preview_px / choices.width_px).min(1.0);
    let preview = format!("width: {}px; height: {}px; transform: scale({scale})", choices.width_px, choices.height_px);
    let room = format!("height: {}px", (choices.height_px * scale).round());
    html! {
        <section class="share-embed" aria-label="Embed">
            <h3>{ "Embed in a page" }
                <div class="segments" role="group" aria-label="What is embedded">{ for FIGURES.into_iter().map(figure) }</div>
            </h3>
            { paragraph("ink-2", format!("As readers will see it, {} × {}. It works where the page allows frames.", choices.width_px, choices.height_px)) }
            <div class="embed-preview" style={room}>
                <iframe key={address.clone()} title="Preview" loading="lazy" src={address} style={preview}></iframe>
            </div>
            <div class="embed-rows">{ for fields.chain(parts).map(row) }</div>
            { caption("Locked: visible, cannot be changed. Hidden: not there; its value still holds.") }
            if !props.shared.needs.is_empty() {
                { caption("Data that do not fit into the link are missing there: put a document and its files beside the page instead, ?embed=1&scenario=FILE") }
            }
            <textarea class="embed-code" readonly=true rows="3" aria-label="Code of the frame" value={code} onfocus={on_focus} />
            <div class="embed-sizes">
                { size("Width", choices.width_px, |choices, px| choices.width_px = px) }
                { size("Height", choices.height_px, |choices, px| choices.height_px = px) }
                <label>{ "Theme" }<select class="select" onchange={on_theme}>
                    { for THEMES.iter().map(|(name, label)| option(*name, *label, choices.theme == *name)) }
                </select></label>
                <button type="button" class="button primary" onclick={on_copy}>{ if *is_copied { "Copied" } else { "Copy code" } }</button>
            </div>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_is_html_whatever_the_scenario_is_called() {
        let choices = Choices::default().with(|choices| choices.set("seed", Access::Shown));
        let code = choices.code("https://example.org/p/#v=1&preset=sample", "\"><script>alert(1)</script> & co");
        assert_eq!(
            code,
            "<iframe width=\"720\" height=\"460\" title=\"&quot;>&lt;script>alert(1)&lt;/script> &amp; co\" loading=\"lazy\" \
             style=\"border:0\"\n  src=\"https://example.org/p/?embed=1&amp;show=seed#v=1&amp;preset=sample\"></iframe>"
        );
    }
}
