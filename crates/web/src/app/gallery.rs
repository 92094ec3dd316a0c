//! Scenarios that an author has put beside the page: their list, and the data that lie beside them.

use js_sys::{Array, JSON, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Url;

use super::App;
use super::keeping::{fetch, own_address};
use crate::dom;
use crate::state::gallery::{Gallery, Item};
use crate::state::message::Msg;

/// The list in the folder.
const LIST: &str = "index.json";
const TITLE: &str = "The list of scenarios was not fetched";

impl App {
    /// Fetches the list, if the page has one; with `opens`, its first scenario is opened.
    pub(super) fn fetch_gallery(&mut self, opens: bool) {
        let Some(folder) = dom::gallery() else { return };
        let Some(folder) = own_address(&folder) else {
            return self.tell(TITLE, format!("{folder} is on another server"));
        };
        let send = self.page.send.clone();
        // The same name as the service worker keeps it by.
        let address = format!("{folder}{LIST}?v={}", self.page.build_id);
        spawn_local(async move { send.emit(Msg::Gallery(list(folder, &address, opens).await)) });
    }

    /// Receives the list.
    pub(super) fn take_gallery(&mut self, gallery: Result<Gallery, String>) {
        match gallery {
            Ok(gallery) => {
                let first = gallery.items.first().filter(|_| gallery.opens).map(|item| item.file.clone());
                self.page.gallery.put(gallery);
                match first {
                    Some(file) => self.open_from_gallery(&file),
                    None => self.end_opening(),
                }
            }
            Err(reason) => self.tell(TITLE, reason),
        }
    }

    /// Opens a scenario of the list.
    pub(super) fn open_from_gallery(&mut self, file: &str) {
        let gallery = self.page.gallery.get::<Gallery>();
        let address = gallery.and_then(|gallery| Some(format!("{}{}", gallery.folder, gallery.named(file)?.file)));
        if let Some(address) = address.as_deref().and_then(own_address) {
            self.fetch_scenario(address);
        }
    }

    /// Fetches the data that a scenario names, from beside it. Those that are not there are asked of the user.
    pub(super) fn fetch_data(&mut self, scenario: String, needs: Vec<(String, Option<String>)>) {
        self.page.say("Fetching its data");
        let send = self.page.send.clone();
        spawn_local(async move {
            let (mut files, mut reason) = (Vec::new(), String::new());
            for (name, _) in needs {
                let address = Url::new_with_base(&name, &scenario).ok().and_then(|url| own_address(&url.href()));
                let Some(address) = address else {
                    reason = format!("{name} is on another server");
                    continue;
                };
                match fetch(&address, &name).await {
                    Ok(file) => files.push(file),
                    Err(why) => reason = format!("{name}: {why}"),
                }
            }
            send.emit(if files.is_empty() { Msg::Fetched(scenario, Err(reason)) } else { Msg::Files(files) });
        });
    }
}

async fn list(folder: String, address: &str, opens: bool) -> Result<Gallery, String> {
    let file = fetch(address, LIST).await.map_err(|why| format!("{folder}{LIST}: {why}"))?.file;
    let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string()).unwrap_or_default();
    let wrong = || format!("{folder}{LIST} is no list of scenarios");
    let list = JSON::parse(&text).map_err(|_| wrong())?;
    let items = Reflect::get(&list, &"scenarios".into()).ok().and_then(|items| items.dyn_into::<Array>().ok());
    let item = |item: JsValue| Item::of(|name| Reflect::get(&item, &name.into()).ok()?.as_string());
    Ok(Gallery::of(folder.clone(), items.ok_or_else(wrong)?.iter().map(item), opens))
}
