//! The director and the runners in their workers: messages, timers and the store.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use elastiplan_study::{Key, Outcome};
use gloo::timers::future::sleep;
use wasm_bindgen_futures::spawn_local;

use super::director::{Command, Director, Event, HERE};
use super::runner::Runner;
use super::store::Store;
use super::{StudyOrder, why};
use crate::global::{now_ms, post, working_on};
use crate::messages::{Failure, Request, Response};
use crate::{Client, Module, Packed};

thread_local! {
    /// Of the worker that directs.
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
    /// Of a runner.
    static RUNNER: RefCell<Option<Rc<Runner>>> = const { RefCell::new(None) };
    /// The opened database, or why it cannot be opened.
    static STORE: RefCell<Option<Result<Rc<Store>, String>>> = const { RefCell::new(None) };
}

struct Host {
    director: Director,
    /// The request for the study.
    request: u32,
    /// The order as runners get it.
    order: Option<Packed>,
    runners: BTreeMap<u32, Client>,
}

/// Handles a request about a study. Without a response there are some later.
pub(crate) fn handle(id: u32, request: Request) -> Result<Option<Response>, String> {
    match request {
        Request::StudyAhead(runners) => {
            let commands = with_host(|host| host.director.start_ahead(runners));
            commands.into_iter().for_each(execute);
            spawn_local(report_kept(id));
        }
        Request::Study(packed) => {
            let order: StudyOrder = packed.unpack()?;
            with_host(|host| (host.request, host.order) = (id, Some(packed)));
            dispatch(Event::Ordered(Box::new(order)));
        }
        Request::StudyLook(metrics) => dispatch(Event::Looked(metrics)),
        Request::StudyUnit(unit) => {
            return with_host(|host| {
                let (source, _) = host.director.study().ok_or(NO_STUDY)?;
                let scenario = source.study.scenario(unit, |seed| source.with_seed(seed));
                let policy = source.study.policy(unit).ok_or(NO_STUDY)?;
                let (workload, _) = scenario.workload();
                Ok(Some(Response::StudyUnit(Packed::of(&(scenario, workload, policy))?)))
            });
        }
        Request::StudyWhy { here, there } => {
            return with_host(|host| {
                let (source, _) = host.director.study().ok_or(NO_STUDY)?;
                why::why(source, here, there).map(|why| Some(Response::StudyWhy(why)))
            });
        }
        Request::StudyForget => {
            dispatch(Event::Forgotten);
            spawn_local(async move {
                if let Ok(store) = store().await {
                    let _ = store.forget().await;
                }
                report_kept(id).await;
            });
        }
        Request::StudyRunner(packed) => {
            runner().order(packed.unpack()?)?;
            return Ok(Some(Response::StudyReady));
        }
        Request::StudyBatch(units) => runner().make(id, units),
        Request::Cancel => {
            RUNNER.with_borrow(|runner| runner.as_ref().map(|runner| runner.cancel()));
            if HOST.with_borrow(|host| host.as_ref().is_some_and(|host| host.request == id)) {
                dispatch(Event::Stopped);
            }
        }
        _ => return Err("This is not about a study".into()),
    }
    Ok(None)
}

const NO_STUDY: &str = "There is no study yet";

fn with_host<T>(with: impl FnOnce(&mut Host) -> T) -> T {
    HOST.with_borrow_mut(|host| {
        let new = || Host { director: Director::new(now_ms), request: 0, order: None, runners: BTreeMap::new() };
        with(host.get_or_insert_with(new))
    })
}

/// The runner of this worker, which replies to the director beside or above it.
fn runner() -> Rc<Runner> {
    RUNNER.with_borrow_mut(|runner| {
        let reply = |batch, outcomes: Vec<(Outcome, f64)>, is_end| {
            let response = match Packed::of(&outcomes) {
                Ok(outcomes) => Response::StudyMade { outcomes, is_end },
                Err(error) => {
                    Response::Failed(Failure { message: error.to_string(), detail: String::new(), is_fatal: true })
                }
            };
            post(Some(batch), &response);
        };
        Rc::clone(runner.get_or_insert_with(|| Runner::new(reply)))
    })
}

/// The runner in the worker that directs.
fn runner_here() -> Rc<Runner> {
    RUNNER.with_borrow_mut(|runner| {
        let reply = |batch, outcomes, is_end| dispatch(Event::Made { batch, outcomes, is_end });
        Rc::clone(runner.get_or_insert_with(|| Runner::new(reply)))
    })
}

fn dispatch(event: Event) {
    let commands = with_host(|host| {
        working_on(host.request);
        host.director.handle(event)
    });
    commands.into_iter().for_each(execute);
}

/// The same after what is going on now.
fn dispatch_later(event: Event) {
    spawn_local(async move { dispatch(event) });
}

fn execute(command: Command) {
    match command {
        Command::Start(HERE) => order_here(),
        Command::Start(runner) => start(runner),
        Command::Order(HERE) => order_here(),
        Command::Order(runner) => send_order(runner),
        Command::Deal { runner: HERE, batch, units } => runner_here().make(batch, units),
        Command::Deal { runner, batch, units } => send(runner, batch, &Request::StudyBatch(units)),
        // Its reply to what it has not begun follows at once, and is handled after what is going on now.
        Command::Cancel(HERE) => spawn_local(async { runner_here().cancel() }),
        Command::Cancel(runner) => send(runner, 0, &Request::Cancel),
        Command::End(runner) => drop(with_host(|host| host.runners.remove(&runner))),
        Command::Load(group) => spawn_local(load(group)),
        Command::Save(group, runs) => spawn_local(save(group, runs)),
        Command::View(view) => {
            let request = with_host(|host| host.request);
            match Packed::of(&*view) {
                Ok(view) => post(Some(request), &Response::StudyView(view)),
                Err(error) => fail(error.to_string()),
            }
        }
        Command::Fail(message) => fail(message),
        Command::Wake(ms) => spawn_local(async move {
            sleep(Duration::from_secs_f64(ms.max(0.0) / 1000.0)).await;
            dispatch(Event::Woken);
        }),
    }
}

fn fail(message: String) {
    let request = with_host(|host| host.request);
    post(Some(request), &Response::Failed(Failure { message, detail: String::new(), is_fatal: false }));
}

fn start(runner: u32) {
    let heard = move |(id, response, _)| heard(runner, id, response);
    match Client::start(Module::Full, heard) {
        Ok(client) => {
            with_host(|host| host.runners.insert(runner, client));
            send_order(runner);
        }
        Err(error) => dispatch_later(Event::Died { runner, message: error.to_string() }),
    }
}

fn send_order(runner: u32) {
    if let Some(order) = with_host(|host| host.order.clone()) {
        send(runner, 0, &Request::StudyRunner(order));
    }
}

fn order_here() {
    let order = with_host(|host| host.order.clone());
    if let Some(Ok(order)) = order.map(|order| order.unpack()) {
        // The director has checked it.
        let _ = runner_here().order(order);
    }
}

fn send(runner: u32, id: u32, request: &Request) {
    let sent = with_host(|host| host.runners.get(&runner).map(|client| client.send(id, request)));
    if let Some(Err(error)) = sent {
        dispatch_later(Event::Died { runner, message: error.to_string() });
    }
}

/// Takes what a runner answers.
fn heard(runner: u32, id: Option<u32>, response: Response) {
    match (response, id) {
        (Response::StudyReady, _) => dispatch(Event::Ready(runner)),
        (Response::StudyMade { outcomes, is_end }, Some(batch)) => match outcomes.unpack() {
            Ok(outcomes) => dispatch(Event::Made { batch, outcomes, is_end }),
            Err(error) => dispatch(Event::Died { runner, message: error.to_string() }),
        },
        (Response::Failed(failure), _) => {
            let message = match failure.detail.as_str() {
                "" => failure.message,
                detail => format!("{}: {detail}", failure.message),
            };
            dispatch(Event::Died { runner, message });
        }
        _ => {}
    }
}

async fn store() -> Result<Rc<Store>, String> {
    if let Some(known) = STORE.with_borrow(Clone::clone) {
        return known;
    }
    let opened = Store::open().await.map(Rc::new).map_err(not_kept);
    STORE.set(Some(opened.clone()));
    opened
}

fn not_kept(error: idb::Error) -> String {
    // What a full store says comes as several errors, but always by this name.
    let text = format!("{error} {error:?}");
    if text.contains("QuotaExceeded") {
        return "Not kept: the browser gives no more room. Runs of this study are made again next time, unless kept runs are \
                deleted"
            .into();
    }
    format!("Not kept: the browser's store cannot be used ({error}). The study goes on without")
}

async fn load(group: Key) {
    let found = match store().await {
        Ok(store) => store.load(group).await.map_err(not_kept),
        Err(note) => Err(note),
    };
    dispatch(Event::Loaded(found));
}

async fn save(group: Key, runs: Vec<(Key, Outcome)>) {
    // That it cannot be opened was said when kept runs were to be read.
    let Ok(store) = store().await else { return };
    if let Err(error) = store.save(group, &runs).await {
        dispatch(Event::NotKept(not_kept(error)));
    }
    report_kept(with_host(|host| host.request)).await;
}

/// Tells the page how much is kept.
async fn report_kept(request: u32) {
    if let Ok(store) = store().await
        && let Ok(size) = store.size().await
    {
        post(Some(request), &Response::StudyKept(size));
    }
}
