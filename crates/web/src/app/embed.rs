//! The page inside another one: messages from its host and to it. docs/publish.md describes them.
//!
//! Only the window that holds the page is listened to; what it sends is text and numbers, which are checked. It is told
//! nothing but that the page is ready, until it asks; answers go to its own origin only.

use elastiplan_worker::Packed;
use elastiplan_worker::keeping::SharedScenario;
use elastiplan_worker::messages::Request;
use gloo::events::EventListener;
use gloo::utils::window;
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{File, MessageEvent, Window};
use yew::Callback;

use super::App;
use crate::dom;
use crate::files::NamedFile;
use crate::state::embed::{Ask, EmbedMsg, VERSION};
use crate::state::message::Msg;
use crate::state::opened::Asked;

/// The looks of an embedded page; www/boot.js asks for it ahead.
const STYLE: &str = "embed.css";
/// Wrong messages that are answered.
const ERRORS_MAX: u32 = 20;

/// The page's side of its host.
#[derive(Default)]
pub(super) struct Host {
    /// Origins that want the state, and the height.
    wants_state: Vec<String>,
    wants_height: Vec<String>,
    /// Digests and link that were told last.
    told: Vec<String>,
    height_px: f64,
    /// The request for a link.
    request: Option<u32>,
    errors: u32,
    _listener: Option<EventListener>,
}

impl App {
    /// Receives what happens to an embedded page.
    pub(super) fn embed_message(&mut self, msg: EmbedMsg) {
        match msg {
            EmbedMsg::Start => {
                dom::add_stylesheet(STYLE);
                let send = self.page.send.reform(|msg| Msg::Embed(Box::new(msg)));
                self.host.put(Host { _listener: Some(listen(send)), ..Host::default() });
                if dom::is_framed() {
                    post("*", "ready", &[]);
                }
            }
            EmbedMsg::Asked(ask, origin) => self.asked_by_host(ask, origin),
            EmbedMsg::Wrong(words, origin) => {
                let Some(host) = self.host.get_mut::<Host>() else { return };
                host.errors += 1;
                if host.errors <= ERRORS_MAX {
                    post(&origin, "error", &[("message", words.into())]);
                }
            }
            EmbedMsg::Painted => self.tell_height(),
        }
    }

    fn asked_by_host(&mut self, ask: Ask, origin: String) {
        let Some(host) = self.host.get_mut::<Host>() else { return };
        match ask {
            Ask::State => {
                note(&mut host.wants_state, origin);
                host.told.clear();
                self.tell_host();
            }
            Ask::Height => {
                note(&mut host.wants_height, origin);
                host.height_px = 0.0;
                self.tell_height();
            }
            Ask::Link(link) => {
                self.page.asked.put(Asked { link: Some(link), files: Vec::new() });
                self.read_by(Vec::new(), None);
            }
            Ask::Document(text) => {
                let file = File::new_with_str_sequence(&Array::of1(&text.into()), "scenario.json");
                let file = file.into_iter().map(|file| NamedFile { path: "scenario.json".into(), file });
                self.page.asked.clear();
                self.read(file.collect());
            }
        }
    }

    /// Tells the host of runs that have ended, and has a worker write their link.
    pub(super) fn tell_host(&mut self) {
        let send = self.page.send.clone();
        dom::after_next_frame(move || send.emit(Msg::Embed(Box::new(EmbedMsg::Painted))));
        let page = &self.page;
        let is_over = page.planner.shown.is_some() && !page.is_busy() && !page.planner.is_stale();
        let is_changed = page.planner.history().can_undo();
        let Some(host) = self.host.get_mut::<Host>().filter(|host| is_over && host.request.is_none()) else { return };
        let digests: Vec<String> =
            page.planner.shown.iter().flat_map(|set| &set.entries).map(|entry| digest(entry).to_string()).collect();
        if host.told == digests || (host.wants_state.is_empty() && !is_changed) {
            return;
        }
        host.told = digests;
        let (order, _) = page.share_order(&dom::plain_address());
        let sent = Packed::of(&order).map_err(String::from).and_then(|order| self.pool.send(Request::Share(order)));
        match sent {
            Ok(request) => host.request = Some(request),
            Err(_) => self.tell_state(None),
        }
    }

    /// Receives the link of what is shown. Returns whether it was asked for.
    pub(super) fn host_link(&mut self, request: u32, shared: Option<&Packed>) -> bool {
        let Some(host) = self.host.get_mut::<Host>() else { return false };
        if host.request.take_if(|asked| *asked == request).is_none() {
            return false;
        }
        let shared = shared.and_then(|shared| shared.unpack::<SharedScenario>().ok());
        self.tell_state(shared.and_then(|shared| shared.link.ok()));
        true
    }

    fn tell_state(&mut self, link: Option<String>) {
        self.page.embed_link = link.clone();
        let page = &self.page;
        let kind = page.goal().kind;
        let runs = page.planner.shown.iter().flat_map(|set| &set.entries).map(|entry| {
            let value = entry
                .result
                .as_ref()
                .and_then(|result| (elastiplan_metrics::Metrics::info(kind.key())?.value)(&result.summary.metrics));
            let fields = [
                ("policy", entry.policy.to_string().into()),
                ("value", value.map_or(JsValue::NULL, JsValue::from)),
                ("digest", digest(entry).into()),
            ];
            JsValue::from(object(&fields))
        });
        let headline = page.verdict().map(|verdict| verdict.headline.clone());
        let fields = [
            ("verdict", headline.map_or(JsValue::NULL, JsValue::from)),
            ("goal", kind.key().into()),
            ("runs", runs.collect::<Array>().into()),
            ("link", link.map_or(JsValue::NULL, JsValue::from)),
        ];
        let wanting = self.host.get::<Host>().map(|host| host.wants_state.clone()).unwrap_or_default();
        wanting.iter().for_each(|origin| post(origin, "state", &fields));
    }

    /// Tells the host the height that the page would like, if that is another one.
    fn tell_height(&mut self) {
        let Some(host) = self.host.get_mut::<Host>().filter(|host| !host.wants_height.is_empty()) else { return };
        let px = dom::height_of(".app").ceil();
        if px > 0.0 && px != host.height_px {
            host.height_px = px;
            host.wants_height.iter().for_each(|origin| post(origin, "height", &[("px", px.into())]));
        }
    }
}

fn digest(entry: &elastiplan_present::runs::RunEntry) -> &str {
    entry.result.as_ref().map_or("", |result| &result.digest)
}

/// Hosts are told apart by their origins; a frame has one, unless it moves on.
fn note(wanting: &mut Vec<String>, origin: String) {
    if !wanting.contains(&origin) {
        *wanting = vec![origin];
    }
}

/// Listens to the window that holds the page, and to no other.
fn listen(send: Callback<EmbedMsg>) -> EventListener {
    EventListener::new(&window(), "message", move |event| {
        let Some(event) = event.dyn_ref::<MessageEvent>() else { return };
        if let Some(msg) = holder().filter(|holder| is_from(event, holder)).and_then(|_| read(event)) {
            send.emit(msg);
        }
    })
}

/// The window that holds the page; none where it stands alone.
fn holder() -> Option<Window> {
    window().parent().ok().flatten().filter(|_| dom::is_framed())
}

fn is_from(event: &MessageEvent, holder: &Window) -> bool {
    Reflect::get(event, &"source".into()).is_ok_and(|source| source == JsValue::from(holder))
}

/// What a message asks; nothing if it is not one of these messages at all.
fn read(event: &MessageEvent) -> Option<EmbedMsg> {
    let data = event.data();
    let get = |name: &str| Reflect::get(&data, &name.into()).ok().filter(|value| !value.is_undefined());
    if !data.is_object() || get("elastiplan")?.as_f64()? != VERSION {
        return None;
    }
    let kind = get("type").and_then(|kind| kind.as_string()).unwrap_or_default();
    let document = get("document").and_then(|document| match document.as_string() {
        Some(text) => Some(text),
        None => js_sys::JSON::stringify(&document).ok().map(String::from),
    });
    let link = get("link").map(|link| link.as_string().unwrap_or_default());
    Some(match Ask::read(&kind, link, document) {
        Ok(ask) => EmbedMsg::Asked(ask, event.origin()),
        Err(words) => EmbedMsg::Wrong(words, event.origin()),
    })
}

fn object(fields: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object
}

/// Sends a message to the window that holds the page. One without an origin of its own gets none.
fn post(origin: &str, kind: &str, fields: &[(&str, JsValue)]) {
    let message = object(&[("elastiplan", VERSION.into()), ("type", kind.into())]);
    for (name, value) in fields {
        let _ = Reflect::set(&message, &(*name).into(), value);
    }
    if let Some(holder) = holder() {
        let _ = holder.post_message(&message, origin);
    }
}
