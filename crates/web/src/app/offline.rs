//! The page without a network, and its new versions: what the service worker (www/sw.js) is asked and answers.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo::events::EventListener;
use gloo::utils::{document, window};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    MessageChannel, MessageEvent, RegistrationOptions, ServiceWorker, ServiceWorkerRegistration, ServiceWorkerState,
    ServiceWorkerUpdateViaCache, VisibilityState,
};
use yew::Callback;

use super::{App, launched};
use crate::dom;
use crate::state::message::Msg;
use crate::state::offline::OfflineMsg;

const SCRIPT: &str = "sw.js";
/// The looks of the bar and the line.
const STYLE: &str = "offline.css";
/// A page that stays open asks for a new version so often, when it is looked at again.
const ASK_EVERY_MS: f64 = 3_600_000.0;

/// The service worker of the page.
pub(super) struct Keeper(Rc<Inner>);

struct Inner {
    send: Callback<OfflineMsg>,
    build_id: String,
    registration: RefCell<Option<ServiceWorkerRegistration>>,
    asked_ms: Cell<f64>,
    /// Whether the page reloads when another worker takes over: its user has asked for that.
    reloads: Cell<bool>,
    listeners: RefCell<Vec<EventListener>>,
}

impl App {
    /// Receives what happens to network and versions.
    pub(super) fn offline_message(&mut self, msg: OfflineMsg) {
        if msg == OfflineMsg::Start && !dom::is_framed() {
            dom::add_stylesheet(STYLE);
            let send = self.page.send.reform(Msg::Offline);
            self.keeper.put(Keeper::start(send, self.page.build_id.to_string()));
            launched::listen(self.page.send.clone());
        }
        self.page.offline.note(msg);
    }

    /// Reloads the page if its user wants the new version and nothing runs.
    pub(super) fn reload_if_due(&mut self) {
        if self.page.offline.is_due(self.page.is_busy())
            && let Some(keeper) = self.keeper.get::<Keeper>()
        {
            keeper.reload();
            self.page.offline.note(OfflineMsg::Later);
        }
    }
}

impl Keeper {
    fn start(send: Callback<OfflineMsg>, build_id: String) -> Self {
        let inner = Rc::new(Inner {
            send,
            build_id,
            registration: RefCell::default(),
            asked_ms: Cell::new(dom::now_ms()),
            reloads: Cell::default(),
            listeners: RefCell::default(),
        });
        inner.listen_to_network();
        let container = window().navigator().service_worker();
        // Pages that were not loaded over a secure connection have none.
        if container.is_undefined() {
            return Self(inner);
        }
        if dom::meta("elastiplan-offline").as_deref() != Some("yes") {
            // A release build was served at this address before.
            spawn_local(async move {
                let found = JsFuture::from(container.get_registration()).await.ok();
                if let Some(Ok(found)) = found.map(JsCast::dyn_into::<ServiceWorkerRegistration>) {
                    let _ = found.unregister();
                }
            });
            return Self(inner);
        }
        let changing = Rc::clone(&inner);
        inner.listen(EventListener::new(&container, "controllerchange", move |_| {
            if changing.reloads.take() {
                let _ = window().location().reload();
            }
        }));
        let own = Rc::clone(&inner);
        spawn_local(async move {
            let options = RegistrationOptions::new();
            options.set_update_via_cache(ServiceWorkerUpdateViaCache::None);
            let registered = JsFuture::from(container.register_with_options(SCRIPT, &options)).await;
            // Where the browser keeps nothing, the page works as ever, with a network.
            let registered = registered.ok().and_then(|registered| registered.dyn_into().ok());
            registered.into_iter().for_each(|registration| own.watch(registration));
        });
        Self(inner)
    }

    /// Has the new version take over, and the page reload then.
    fn reload(&self) {
        let registration = self.0.registration.borrow();
        match registration.as_ref().and_then(ServiceWorkerRegistration::waiting) {
            Some(waiting) => {
                self.0.reloads.set(true);
                let _ = waiting.post_message(&"activate".into());
            }
            // It has taken over already, by another page.
            None => drop(window().location().reload()),
        }
    }
}

impl Inner {
    fn listen(&self, listener: EventListener) {
        self.listeners.borrow_mut().push(listener);
    }

    fn listen_to_network(self: &Rc<Self>) {
        let lost = {
            let send = self.send.clone();
            move || send.emit(OfflineMsg::Lost(clock()))
        };
        if !window().navigator().on_line() {
            lost();
        }
        self.listen(EventListener::new(&window(), "offline", move |_| lost()));
        let send = self.send.clone();
        self.listen(EventListener::new(&window(), "online", move |_| send.emit(OfflineMsg::Back)));
    }

    fn watch(self: &Rc<Self>, registration: ServiceWorkerRegistration) {
        if registration.active().is_some() {
            self.send.emit(OfflineMsg::Kept);
        }
        if let Some(waiting) = registration.waiting() {
            self.ask(&waiting);
        }
        if let Some(installing) = registration.installing() {
            self.follow(&installing);
        }
        let inner = Rc::clone(self);
        let of = registration.clone();
        self.listen(EventListener::new(&registration, "updatefound", move |_| {
            of.installing().iter().for_each(|installing| inner.follow(installing));
        }));
        let (inner, of) = (Rc::clone(self), registration.clone());
        self.listen(EventListener::new(&document(), "visibilitychange", move |_| {
            let is_looked_at = document().visibility_state() == VisibilityState::Visible;
            if is_looked_at && dom::now_ms() - inner.asked_ms.get() >= ASK_EVERY_MS {
                inner.asked_ms.set(dom::now_ms());
                let _ = of.update();
            }
        }));
        self.registration.replace(Some(registration));
    }

    /// Waits until a worker has all files of its build.
    fn follow(self: &Rc<Self>, worker: &ServiceWorker) {
        let (inner, of) = (Rc::clone(self), worker.clone());
        self.listen(EventListener::new(worker, "statechange", move |_| match of.state() {
            ServiceWorkerState::Installed => inner.ask(&of),
            ServiceWorkerState::Activated => inner.send.emit(OfflineMsg::Kept),
            _ => {}
        }));
    }

    /// Asks a worker that waits which build it has. The page's own takes over: the page came from the server, which was
    /// ahead of the files that were kept.
    fn ask(self: &Rc<Self>, worker: &ServiceWorker) {
        let Ok(channel) = MessageChannel::new() else { return };
        let (inner, of) = (Rc::clone(self), worker.clone());
        let on_answer = Closure::once_into_js(move |event: MessageEvent| {
            let build = event.data().as_string();
            match build.is_some_and(|build| build == inner.build_id) {
                true => drop(of.post_message(&"activate".into())),
                false => inner.send.emit(OfflineMsg::Ready),
            }
        });
        channel.port1().set_onmessage(Some(on_answer.unchecked_ref()));
        let ports = js_sys::Array::of1(&JsValue::from(channel.port2()));
        let _ = worker.post_message_with_transferable(&"build".into(), &ports);
    }
}

/// The time of the day: `14:02`.
fn clock() -> String {
    let now = js_sys::Date::new_0();
    format!("{:02}:{:02}", now.get_hours(), now.get_minutes())
}
