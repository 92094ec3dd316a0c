//! Services of the browser: clock, storage, downloads, clipboard, frames.

use gloo::timers::callback::Timeout;
use gloo::utils::{document, window};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlElement, HtmlIFrameElement, Storage, Url};

/// Milliseconds on the page's clock.
pub fn now_ms() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}

/// Seconds since 1970.
pub fn epoch_s() -> f64 {
    js_sys::Date::now() / 1000.0
}

/// The time of day at a moment on the page's clock, in milliseconds: `14:02`.
pub fn time_of_day(at_ms: f64) -> String {
    let date = js_sys::Date::new(&(js_sys::Date::now() - now_ms() + at_ms).into());
    format!("{:02}:{:02}", date.get_hours(), date.get_minutes())
}

/// Today in words: `23 November 2026`.
pub fn today() -> String {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let date = js_sys::Date::new_0();
    let month = MONTHS.get(date.get_month() as usize).copied().unwrap_or_default();
    format!("{} {month} {}", date.get_date(), date.get_full_year())
}

/// Opens the print dialog with a document of its own, in a frame that nobody sees. The frame is bound by the policy of the
/// page, which knows the stylesheet of reports by its hash. Returns whether there is a frame.
pub fn print_html(html: &str) -> bool {
    const ID: &str = "print-frame";
    document().get_element_by_id(ID).iter().for_each(web_sys::Element::remove);
    let frame = document().create_element("iframe").ok().and_then(|frame| frame.dyn_into::<HtmlIFrameElement>().ok());
    let Some((frame, body)) = frame.zip(document().body()) else { return false };
    frame.set_id(ID);
    let hidden = "position:fixed;right:0;bottom:0;width:0;height:0;border:0";
    for (name, value) in [("style", hidden), ("aria-hidden", "true"), ("tabindex", "-1"), ("title", "Report to print")]
    {
        let _ = frame.set_attribute(name, value);
    }
    frame.set_srcdoc(html);
    let loaded = frame.clone();
    let on_load = Closure::once_into_js(move || {
        let window = loaded.content_window();
        window.iter().for_each(|window| {
            // A browser that does not print leaves the page as it is.
            let _ = window.focus();
            let _ = window.print();
        });
    });
    frame.set_onload(Some(on_load.unchecked_ref()));
    body.append_child(&frame).is_ok()
}

/// Fetches a stylesheet that the first comparison does not need, once.
pub fn add_stylesheet(name: &str) {
    let is_there = document().query_selector(&format!("link[href^=\"{name}\"]")).is_ok_and(|link| link.is_some());
    let link = document().create_element("link").ok().filter(|_| !is_there);
    if let Some((link, head)) = link.zip(document().head()) {
        let _ = link.set_attribute("rel", "stylesheet");
        let _ = link.set_attribute("href", &format!("{name}?v={}", build_id()));
        let _ = head.append_child(&link);
    }
}

/// Processors of the machine, as far as the browser tells.
pub fn processors() -> usize {
    window().navigator().hardware_concurrency() as usize
}

/// The id of this build; `dev` where the page carries none.
pub fn build_id() -> String {
    meta("elastiplan-build").unwrap_or_else(|| "dev".into())
}

/// What index.html says under a name.
pub fn meta(name: &str) -> Option<String> {
    document().query_selector(&format!("meta[name={name}]")).ok().flatten()?.get_attribute("content")
}

/// Whether the page is in a frame of another one.
pub fn is_framed() -> bool {
    let window = window();
    !matches!(window.top(), Ok(Some(top)) if JsValue::from(&top) == JsValue::from(&window))
}

/// The address of the page.
pub fn address() -> String {
    window().location().href().unwrap_or_default()
}

/// Whether an address holds a scenario.
pub fn is_link(address: &str) -> bool {
    address.contains("#v=")
}

/// What the address of the page says behind `?` under a name: `?scenario=mine.json`.
pub fn asked(name: &str) -> Option<String> {
    let search = window().location().search().ok()?;
    web_sys::UrlSearchParams::new_with_str(&search).ok()?.get(name)
}

/// The folder of an author's scenarios beside the page, if the page or its address names one.
pub fn gallery() -> Option<String> {
    let folder = asked("gallery").or_else(|| meta("elastiplan-gallery")).filter(|folder| !folder.is_empty())?;
    Some(if folder.ends_with('/') { folder } else { folder + "/" })
}

/// Whether the page was asked for as a part of another one: it then stores nothing and listens to few keys.
pub fn is_embed() -> bool {
    thread_local! { static IS_EMBED: bool = asked("embed").is_some_and(|value| value == "1"); }
    IS_EMBED.with(|is_embed| *is_embed)
}

/// The address of the page without what stands behind `?` and `#`.
pub fn plain_address() -> String {
    address().split(['#', '?']).next().unwrap_or_default().into()
}

/// The address of the same scenario in a page that stands alone.
pub fn address_of_planner() -> String {
    let of_planner = |name: &str| {
        let value = asked(name).map(|value| String::from(js_sys::encode_uri_component(&value)));
        value.map(|value| format!("{name}={value}"))
    };
    let query: Vec<String> = ["scenario", "gallery"].into_iter().filter_map(of_planner).collect();
    let mark = if query.is_empty() { "" } else { "?" };
    let hash = window().location().hash().unwrap_or_default();
    format!("{}{mark}{}{hash}", plain_address(), query.join("&"))
}

/// The height of the first element of a selector.
pub fn height_of(selector: &str) -> f64 {
    let element = document().query_selector(selector).ok().flatten();
    element.map_or(0.0, |element| element.get_bounding_client_rect().height())
}

/// The stored value of a name; `None` where the browser stores nothing.
pub fn remembered(name: &str) -> Option<String> {
    storage()?.get_item(name).ok().flatten()
}

/// Stores or removes a value. Does nothing where storage is switched off.
pub fn remember(name: &str, value: Option<&str>) {
    let Some(storage) = storage() else { return };
    let _ = match value {
        Some(value) => storage.set_item(name, value),
        None => storage.remove_item(name),
    };
}

/// What the page opens in the place of the sample.
pub enum ToOpen {
    /// What its address names.
    Address,
    /// Kept work.
    Work {
        /// Its id.
        id: String,
        /// Whether this tab had it: it was reloaded, or came back after a crash.
        is_own: bool,
    },
}

/// Work that is open, by its id: of this tab with the address that it was opened at, and of the browser.
const WORK: &str = "elastiplan-work";

/// Whether the address of the page, or an author's list beside it, names a scenario.
pub fn names_scenario() -> bool {
    is_link(&address()) || asked("scenario").or_else(gallery).is_some()
}

/// What is to be opened when the page starts.
pub fn to_open() -> Option<ToOpen> {
    let names_one = names_scenario();
    // A page inside another one leaves nothing behind, and finds nothing.
    if is_embed() {
        return names_one.then_some(ToOpen::Address);
    }
    let own = window().session_storage().ok().flatten().and_then(|storage| storage.get_item(WORK).ok().flatten());
    let own = own.as_deref().and_then(|own| own.split_once('\n'));
    match own {
        Some((id, at)) if !names_one || at == address() => Some(ToOpen::Work { id: id.into(), is_own: true }),
        _ if names_one => Some(ToOpen::Address),
        _ => remembered(WORK).map(|id| ToOpen::Work { id, is_own: false }),
    }
}

/// Notes the work that is open, by its id.
pub fn remember_work(id: Option<&str>) {
    remember(WORK, id);
    let Some(storage) = window().session_storage().ok().flatten() else { return };
    let _ = match id {
        Some(id) => storage.set_item(WORK, &format!("{id}\n{}", address())),
        None => storage.remove_item(WORK),
    };
}

/// Tells other tabs that something is taken, for as long as it lives.
pub struct Lock(Option<js_sys::Function>);

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = self.0.take().map(|release| release.call0(&JsValue::UNDEFINED));
    }
}

fn locks() -> Option<JsValue> {
    js_sys::Reflect::get(&window().navigator(), &"locks".into()).ok().filter(|locks| !locks.is_falsy())
}

fn locks_call(name: &str, arguments: &Array) -> Option<js_sys::Promise> {
    let locks = locks()?;
    let function = js_sys::Reflect::get(&locks, &name.into()).ok()?.dyn_into::<js_sys::Function>().ok()?;
    function.apply(&locks, arguments).ok()?.dyn_into().ok()
}

/// Takes something by its name, now or once no other tab has it.
pub fn take(name: &str) -> Lock {
    let mut release = None;
    let held = js_sys::Promise::new(&mut |resolve, _| release = Some(resolve));
    let granted = Closure::once_into_js(move |_: JsValue| JsValue::from(held));
    if let Some(asked) = locks_call("request", &Array::of2(&name.into(), &granted)) {
        // A page that ends breaks it.
        spawn_local(async move { drop(JsFuture::from(asked).await) });
    }
    Lock(release)
}

/// The names of everything that tabs have taken, this one included.
pub async fn taken() -> Vec<String> {
    let Some(asked) = locks_call("query", &Array::new()) else { return Vec::new() };
    let Ok(found) = JsFuture::from(asked).await else { return Vec::new() };
    let held = js_sys::Reflect::get(&found, &"held".into()).map(|held| Array::from(&held)).unwrap_or_default();
    held.iter().filter_map(|lock| js_sys::Reflect::get(&lock, &"name".into()).ok()?.as_string()).collect()
}

/// A moment, in milliseconds since 1970, as the user's clock shows it: `today 14:02`, `12 Nov 14:02`.
pub fn moment(epoch_ms: f64) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let (at, now) = (js_sys::Date::new(&epoch_ms.into()), js_sys::Date::new_0());
    let day = |date: &js_sys::Date| (date.get_full_year(), date.get_month(), date.get_date());
    let clock = clock(epoch_ms);
    if day(&at) == day(&now) {
        return format!("today {clock}");
    }
    let month = MONTHS.get(at.get_month() as usize).copied().unwrap_or_default();
    let year =
        if at.get_full_year() == now.get_full_year() { String::new() } else { format!(" {}", at.get_full_year()) };
    format!("{} {month}{year} {clock}", at.get_date())
}

/// The time of a moment on the user's clock: `14:02`.
pub fn clock(epoch_ms: f64) -> String {
    let at = js_sys::Date::new(&epoch_ms.into());
    format!("{:02}:{:02}", at.get_hours(), at.get_minutes())
}

/// Asking for the storage throws where it is switched off. A page inside another one looks the same to all, and leaves
/// nothing behind.
fn storage() -> Option<Storage> {
    if is_embed() {
        return None;
    }
    window().local_storage().ok().flatten()
}

/// Downloads a file.
pub fn download(name: &str, bytes: &[u8]) {
    let parts = Array::of1(&Uint8Array::from(bytes));
    if let Ok(blob) = Blob::new_with_u8_array_sequence(&parts) {
        download_blob(name, &blob);
    }
}

/// Downloads a file of a MIME type: `image/png`.
pub fn download_typed(name: &str, bytes: &[u8], kind: &str) {
    let (parts, options) = (Array::of1(&Uint8Array::from(bytes)), BlobPropertyBag::new());
    options.set_type(kind);
    if let Ok(blob) = Blob::new_with_u8_array_sequence_and_options(&parts, &options) {
        download_blob(name, &blob);
    }
}

/// Downloads a file.
pub fn download_blob(name: &str, blob: &Blob) {
    let Ok(url) = Url::create_object_url_with_blob(blob) else { return };
    let link = document().create_element("a").ok().and_then(|link| link.dyn_into::<HtmlAnchorElement>().ok());
    if let Some(link) = link {
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    // The browser reads the address after the click has returned.
    Timeout::new(10_000, move || {
        let _ = Url::revoke_object_url(&url);
    })
    .forget();
}

/// Puts text on the clipboard, where the browser lets the page do so.
pub fn copy_text(text: &str) {
    let clipboard = window().navigator().clipboard();
    // Pages that were not loaded over a secure connection have none.
    if clipboard.is_undefined() {
        return;
    }
    let written = clipboard.write_text(text);
    spawn_local(async move {
        // Refused by the user: the text is still on the page.
        let _ = JsFuture::from(written).await;
    });
}

/// Calls back when the next picture of the page has been drawn. Hidden pages draw nothing, so there it never calls.
pub fn after_next_frame(call: impl FnOnce() + 'static) {
    let on_frame = Closure::once_into_js(move || Timeout::new(0, call).forget());
    let _ = window().request_animation_frame(on_frame.unchecked_ref());
}

/// Calls once so many frames have been painted, at least one.
pub fn after_frames(frames: u32, call: impl FnOnce() + 'static) {
    let mut next: Box<dyn FnOnce()> = Box::new(call);
    for _ in 1..frames {
        next = Box::new(move || after_next_frame(next));
    }
    after_next_frame(next);
}

/// Whether the element takes text, so that single keys belong to it.
pub fn takes_text(element: &HtmlElement) -> bool {
    let is_text_input = element
        .dyn_ref::<web_sys::HtmlInputElement>()
        .is_some_and(|input| !matches!(input.type_().as_str(), "checkbox" | "radio" | "range" | "button" | "file"));
    is_text_input || matches!(element.tag_name().as_str(), "TEXTAREA" | "SELECT") || element.is_content_editable()
}

/// Width of the window in CSS pixels.
pub fn window_width() -> Option<f64> {
    window().inner_width().ok()?.as_f64()
}

/// Height of the window in CSS pixels.
pub fn window_height() -> Option<f64> {
    window().inner_height().ok()?.as_f64()
}

/// Gives the focus to an element, if it is there.
pub fn focus(id: &str) {
    let element = document().get_element_by_id(id).and_then(|element| element.dyn_into::<HtmlElement>().ok());
    // One that cannot have the focus leaves it where it is.
    element.into_iter().for_each(|element| drop(element.focus()));
}

/// Whether no element has the focus: the one that had it has been taken away or moved.
pub fn is_nothing_focused() -> bool {
    document().active_element().is_none_or(|element| element.tag_name() == "BODY")
}
