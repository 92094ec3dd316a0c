//! The message that the page shows when it panics.

use gloo::events::EventListener;
use gloo::utils::{document, window};

/// Shows every panic of the page in a box with a way out.
pub fn show_panics() {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        // The app is gone; nothing but the DOM is left to speak with.
        let _ = show(&panic.to_string());
    }));
}

fn show(detail: &str) -> Option<()> {
    let document = document();
    let body = document.body()?;
    let element = |tag: &str, text: &str| {
        let element = document.create_element(tag).ok()?;
        element.set_text_content(Some(text));
        Some(element)
    };
    let alert = element("div", "")?;
    alert.set_attribute("role", "alert").ok()?;
    alert.set_class_name("panic");
    alert.append_child(&*element("h2", "The page stopped with an error of its own")?).ok()?;
    let advice = "What you loaded is still on your disk, unchanged. Reload the page to go on.";
    alert.append_child(&*element("p", advice)?).ok()?;
    alert.append_child(&*element("pre", detail)?).ok()?;
    let reload = element("button", "Reload")?;
    reload.set_class_name("button primary");
    EventListener::once(&reload, "click", |_| {
        let _ = window().location().reload();
    })
    .forget();
    alert.append_child(&reload).ok()?;
    body.append_child(&alert).ok()?;
    Some(())
}
