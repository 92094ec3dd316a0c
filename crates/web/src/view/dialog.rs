//! A dialog above the page. The browser keeps the focus in it and gives it back.

use web_sys::HtmlDialogElement;
use yew::prelude::*;

use crate::elements::classes;

#[derive(Properties, PartialEq)]
pub(super) struct DialogProps {
    /// Its name.
    pub label: &'static str,
    pub class: &'static str,
    pub on_close: Callback<()>,
    pub children: Html,
}

#[component]
pub(super) fn Dialog(props: &DialogProps) -> Html {
    let dialog = use_node_ref();
    {
        let dialog = dialog.clone();
        use_effect_with((), move |()| {
            let dialog = dialog.cast::<HtmlDialogElement>();
            if let Some(dialog) = &dialog {
                let _ = dialog.show_modal();
            }
            // The focus goes back to where it was only from a dialog that is closed, not from one that is taken away.
            move || dialog.iter().for_each(HtmlDialogElement::close)
        });
    }
    let on_cancel = props.on_close.reform(|event: Event| event.prevent_default());
    let on_click = {
        let (dialog, on_close) = (dialog.clone(), props.on_close.clone());
        Callback::from(move |event: MouseEvent| {
            // Only what lies beside the dialog's box is the dialog itself.
            if event.target_dyn_into::<web_sys::Node>() == dialog.get() {
                on_close.emit(());
            }
        })
    };
    html! {
        <dialog ref={dialog} class={classes("sheet", Some(props.class))} aria-label={props.label}
            oncancel={on_cancel} onclick={on_click}>
            <div class="sheet-box">{ props.children.clone() }</div>
        </dialog>
    }
}
