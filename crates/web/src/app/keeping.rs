//! Opening scenarios, and sharing the present one.

use std::rc::Rc;

use elastiplan_present::provenance::file_name;
use elastiplan_text::words;
use elastiplan_worker::Packed;
use elastiplan_worker::keeping::{OpenedScenario, ShownView};
use elastiplan_worker::messages::Request;
use elastiplan_workloads::{Drawn, PackedPreset};
use gloo::utils::window;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, File, Response as Fetched, Url};

use super::App;
use crate::dom;
use crate::files::NamedFile;
use crate::state::data::Reading;
use crate::state::edit::Edit;
use crate::state::inputs::Inputs;
use crate::state::message::{Msg, Screen, Sheet};
use crate::state::opened::{Agreement, Asked, Notice, Watched, screen_of};
use crate::state::order::Order;
use crate::state::page::Delay;
use crate::state::preset::opened_inputs;
use crate::state::sharing::{Shared, Sharing};

/// The looks of the dialogs.
const STYLE: &str = "sharing.css";

impl App {
    /// Opens what the address of the page names: a link behind `#`, or a file on the same server.
    pub(super) fn open_address(&mut self) {
        let link = dom::address();
        let opens = !dom::is_link(&link) && dom::asked("scenario").is_none();
        if !self.page.gallery.is_some() {
            self.fetch_gallery(opens);
        }
        if dom::is_link(&link) {
            self.page.asked.put(Asked { link: Some(link), files: Vec::new() });
            self.read_by(Vec::new(), None);
            self.page.say("Opening the link");
            return;
        }
        match dom::asked("scenario") {
            Some(address) => match own_address(&address) {
                Some(address) => self.fetch_scenario(address),
                None => self.tell(
                    "The scenario was not fetched",
                    format!("{address} is on another server. Save it, then drop it here"),
                ),
            },
            None if dom::gallery().is_none() => self.end_opening(),
            // The first of the scenarios beside the page is opened once their list is here.
            None => {}
        }
    }

    pub(super) fn fetch_scenario(&mut self, address: String) {
        self.page.say(format!("Fetching {address}"));
        let send = self.page.send.clone();
        spawn_local(async move {
            let name =
                address.rsplit('/').next().unwrap_or_default().split(['?', '#']).next().unwrap_or_default().to_string();
            let answer = fetch(&address, &name).await;
            send.emit(Msg::Fetched(address, answer));
        });
    }

    /// Receives a file that the address of the page names.
    pub(super) fn fetched(&mut self, address: &str, answer: Result<NamedFile, String>) {
        match answer {
            Ok(file) => {
                self.fetched = Some(address.into());
                self.read(vec![file]);
            }
            Err(reason) => self.tell("The scenario was not fetched", format!("{address}: {reason}")),
        }
    }

    /// Waits no more for files of a scenario.
    pub(super) fn forget_asked(&mut self) {
        self.page.asked.clear();
        self.page.sheet.take_if(|sheet| *sheet == Sheet::Opened);
    }

    /// Says something in a dialog.
    pub(super) fn tell(&mut self, title: &str, line: String) {
        self.notice(Notice { title: title.into(), lines: vec![line], ..Notice::default() });
    }

    /// Shows a dialog. What was to be opened in the place of the sample, if anything, needs the user: the sample stands in.
    fn notice(&mut self, notice: Notice) {
        self.end_opening();
        dom::add_stylesheet(STYLE);
        self.page.say(notice.title.clone());
        self.page.notice.put(notice);
        self.page.sheet = Some(Sheet::Opened);
    }

    /// Takes over a scenario that a worker has read.
    pub(super) fn opened(&mut self, request: u32, packed: &Packed) {
        let Some(importing) = self.page.importing.take_if(|importing| importing.request == request) else { return };
        let asked = self.page.asked.take::<Asked>();
        let fetched = self.fetched.take();
        self.forget_asked();
        let opened = packed.unpack::<Result<OpenedScenario, String>>().map_err(String::from);
        match opened.and_then(|opened| opened) {
            Ok(mut opened) => match opened.scenario.take() {
                Some((preset, drawn)) => {
                    let mut inputs = self.inputs_of(&mut opened, &preset, drawn);
                    if inputs.name.is_empty() {
                        inputs.name = opened.from.clone();
                    }
                    if !preset.name.is_empty() {
                        self.page.presets.keep(&preset.name, &inputs);
                    }
                    let edit = match opened.runs.is_empty() {
                        true => Edit::Preset(Box::new(inputs)),
                        false => {
                            inputs.work = self.page.next_work();
                            Edit::Work(Box::new(inputs))
                        }
                    };
                    let is_work = matches!(edit, Edit::Work(_));
                    self.take_scenario(opened, edit, None);
                    if is_work {
                        self.page.begin_work(None);
                    }
                }
                None => {
                    let link = asked.and_then(|asked| asked.link);
                    self.page.asked.put(Asked { link, files: importing.files });
                    if let Some(address) = fetched {
                        return self.fetch_data(address, opened.needs);
                    }
                    let title = format!("{} needs data", opened.from);
                    self.notice(Notice { title, needs: opened.needs, lines: opened.faults });
                }
            },
            Err(message) => self.tell("Not opened", format!("{message}. What was loaded stays")),
        }
        self.read_next();
    }

    /// The inputs of an opened scenario with all runs of its list.
    pub(super) fn inputs_of(&mut self, opened: &mut OpenedScenario, preset: &PackedPreset, drawn: Drawn) -> Inputs {
        self.readings += 1;
        let diagnostics = std::mem::take(&mut opened.diagnostics);
        let reading = Reading { number: self.readings, files: Vec::new(), diagnostics, wall_ms: 0.0 };
        let mut inputs = opened_inputs(preset, drawn, reading);
        inputs.take_list(&opened.runs, std::mem::take(&mut opened.pinned), &mut opened.faults);
        inputs
    }

    /// Shows what was opened instead of what waited for it, or the sample where nothing was.
    pub(super) fn end_opening(&mut self) {
        if self.page.opening_first.take().is_some() && self.page.planner.shown.is_none() {
            self.page.launch(&mut self.pool);
        }
    }

    pub(super) fn take_scenario(&mut self, opened: OpenedScenario, edit: Edit, words: Option<String>) {
        let OpenedScenario { from, view, known, mut faults, missing, runs, .. } = opened;
        self.page.unused = None;
        self.page.merge.clear();
        self.show(view.view.as_deref().and_then(screen_of).unwrap_or(Screen::Compare));
        self.page.edit(&mut self.pool, edit);
        let trace = self.page.planner.inputs().data.trace.clone();
        self.end_opening();
        if let Some(name) = &view.view {
            match screen_of(name) {
                Some(screen) => self.show(screen),
                None => faults.push(format!("view: there is no screen {name}")),
            }
        }
        if let Some(name) = &view.chart {
            match crate::view::chart_named(name) {
                Some(chart) => self.page.chart = Some(chart),
                None => faults.push(format!("chart: there is no chart {name}")),
            }
        }
        self.page.say(words.clone().unwrap_or_else(|| format!("{from} is opened")));
        if !missing.is_empty() {
            let missing: Vec<&str> = missing.iter().map(String::as_str).collect();
            faults.push(format!("The sample stands in for {}", words::list(&missing)));
        }
        if !faults.is_empty() {
            self.notice(Notice {
                title: format!("Not all of {from} could be read"),
                lines: faults,
                ..Notice::default()
            });
        }
        let of_runs = runs.into_iter().map(|run| run.digest).collect();
        self.page.watched.put(Watched { from, trace, view, known, of_runs, words });
    }

    /// Looks whether the runs of an opened scenario have ended. Returns whether there is something else to show.
    pub(super) fn watch_opened(&mut self) -> bool {
        let Some(watched) = self.page.watched.get::<Watched>() else { return false };
        if !watched.is_over(&self.page) {
            return false;
        }
        let Some(watched) = self.page.watched.take::<Watched>() else { return false };
        if !watched.is_shown(&self.page) {
            return false;
        }
        self.show_selection(&watched.view);
        let agreement = watched.agreement(&self.page);
        if let Some(words) = watched.words(&agreement) {
            self.page.say(words.clone());
            if let Agreement::Differ(_) = agreement {
                let why =
                    "Another build may have made them, or the file was changed. The results here are this build's";
                self.notice(Notice { title: words, lines: vec![why.into()], ..Notice::default() });
            }
        }
        true
    }

    /// Selects the job and the time that a link names, once its runs are on the screen.
    fn show_selection(&mut self, view: &ShownView) {
        let trace = Rc::new(self.page.planner.inputs().data.trace.clone());
        let start_s = trace.start_s();
        let job = view.job.as_ref().and_then(|name| trace.jobs().iter().position(|job| *job.name == **name));
        let range_s = view.from.zip(view.to).filter(|(from, to)| from <= to);
        let orders = [
            range_s.map(|(from, to)| Order::Mark(Some((from + start_s, to + start_s)))),
            job.map(|job| Order::Select(elastiplan_model::JobId(job as u32))),
            view.t.map(|time_s| Order::GoTo(time_s + start_s)),
        ];
        for order in orders.into_iter().flatten() {
            self.page.timers.push((Delay::NextFrame, Msg::Timelines(order)));
        }
        if let Some(name) = view.job.as_ref().filter(|_| job.is_none()) {
            self.page.say(format!("No job is called {name}"));
        }
    }

    /// Opens the dialog that shares the scenario, and has a worker write it.
    pub(super) fn share(&mut self) {
        dom::add_stylesheet(STYLE);
        let href = window().location().href().unwrap_or_default();
        let base = href.split(['#', '?']).next().unwrap_or_default();
        let (order, left_out) = self.page.share_order(base);
        let file_name = file_name(&self.page.presets.name_of(self.page.planner.inputs()), "scenario", "elastiplan");
        let sent = Packed::of(&order).map_err(String::from).and_then(|order| self.pool.send(Request::Share(order)));
        let (request, answer) = match sent {
            Ok(request) => (Some(request), None),
            Err(message) => (None, Some(Err(message))),
        };
        self.page.sharing.put(Sharing { request, file_name, left_out, answer });
        self.page.sheet = Some(Sheet::Share);
    }

    /// Receives the shared scenario, or why there is none. Returns whether it was asked for.
    pub(super) fn shared(&mut self, request: u32, answer: Result<(Packed, Packed, Vec<Packed>), String>) -> bool {
        let Some(sharing) = self.page.sharing.get_mut::<Sharing>().filter(|sharing| sharing.request == Some(request))
        else {
            return false;
        };
        sharing.request = None;
        sharing.answer = Some(answer.and_then(|(scenario, bundle, files)| {
            Ok(Shared { scenario: scenario.unpack().map_err(String::from)?, bundle, files })
        }));
        true
    }
}

/// The address as a whole, if it is on the server of the page.
pub(super) fn own_address(address: &str) -> Option<String> {
    let location = window().location();
    let url = Url::new_with_base(address, &location.href().ok()?).ok()?;
    (url.origin() == location.origin().ok()? && url.protocol().starts_with("http")).then(|| url.href())
}

pub(super) async fn fetch(address: &str, name: &str) -> Result<NamedFile, String> {
    let failed = |_| "it cannot be reached".to_string();
    let answer: Fetched = JsFuture::from(window().fetch_with_str(address)).await.map_err(failed)?.unchecked_into();
    if !answer.ok() {
        return Err(format!("the server answers {}", answer.status()));
    }
    let blob = JsFuture::from(answer.blob().map_err(failed)?).await.map_err(failed)?;
    let blob: Blob = blob.unchecked_into();
    let file = File::new_with_blob_sequence(&js_sys::Array::of1(&blob), name).map_err(failed)?;
    Ok(NamedFile { path: name.into(), file })
}
