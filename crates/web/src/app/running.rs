//! Starting runs, hearing from them, and stopping them.

use elastiplan_planner::PolicyRun;
use elastiplan_policies::PolicySpec;
use elastiplan_text::format;
use elastiplan_worker::Packed;
use elastiplan_worker::messages::{Failure, Request, Response, pack};
use gloo::timers::callback::Timeout;

use super::{App, Msg};
use crate::dom;
use crate::pool::Heard;
use crate::runs::{RunEntry, RunState};
use crate::state::run_set::RunSet;
use crate::words;

/// Runs that take no longer replace the shown ones in one go.
const SHOW_AFTER_MS: u32 = 150;
/// A worker that has not stopped by then is ended.
const STOP_WITHIN_MS: u32 = 80;
/// Progress is said no more often.
const SAY_EVERY_MS: f64 = 2000.0;

impl App {
    /// Runs the present inputs.
    pub(super) fn launch(&mut self) {
        self.run_timer = None;
        self.settle();
        let bound = self.planner.bind();
        if bound.jobs_bound() == 0 {
            self.planner.bound = bound;
            let words = self.why_nothing_runs();
            return self.say(words);
        }
        self.end_requests(&self.planner.requests());
        let mut set = self.planner.prepare(bound, dom::now_ms());
        self.start_all(&mut set);
        self.planner.launched(set);
        if self.planner.coming.is_some() {
            let send = self.send.clone();
            self.show_timer = Some(Timeout::new(SHOW_AFTER_MS, move || send.emit(Msg::ShowComing)));
        }
        if self.planner.is_running() {
            let running = self.planner.requests().len() as u64;
            self.say(format!("Running {}", words::counted(running, "policy", "policies")));
        } else {
            self.say_results();
        }
    }

    /// Runs what was loaded, unless that is something to think over first. Returns whether it waits for a person.
    pub(super) fn launch_or_wait(&mut self) -> bool {
        self.planner.bound = self.planner.bind();
        let waits = self.planner.warning().is_some();
        if waits {
            self.run_timer = None;
        } else {
            self.launch();
        }
        waits
    }

    fn start_all(&mut self, set: &mut RunSet) {
        let to_start = set.to_start();
        if to_start.is_empty() {
            return;
        }
        // The bound workload is sent, so that no worker binds it again.
        let packed = pack(&(set.inputs.scenario().without_data(), &*set.bound.workload));
        for (slot, policy) in to_start {
            let sent = packed.as_ref().map_err(ToString::to_string).and_then(|scenario| {
                let scenario = scenario.clone();
                self.pool.send(|id| Request::Run { id, scenario, policy: policy.to_string() })
            });
            match sent {
                Ok(request) => set.started(slot, request),
                Err(message) => set.failed_to_start(slot, message, dom::now_ms()),
            }
        }
    }

    /// A worker said something. Returns whether there is something else to show.
    pub(super) fn hear(&mut self, heard: Heard) -> bool {
        let Some(request) = self.pool.settle(&heard) else { return false };
        let now_ms = dom::now_ms();
        match heard.response {
            Response::RunProgress { progress, .. } => {
                self.untold.progress(request, progress, &self.send);
                return false;
            }
            Response::RunPartial { result, .. } => {
                self.untold.partial(request, result, &self.send);
                return false;
            }
            Response::RunEnded { result, wall_ms, .. } => {
                if self.stopping.contains(&request) || self.planner.is_stopped(request) {
                    self.untold.ended(request, result, wall_ms, &self.send);
                    return false;
                }
                self.untold.forget(request);
                self.hear_end(request, &result, wall_ms);
                self.say_if_over();
            }
            Response::ImportProgress { bytes_read, bytes_total, .. } => {
                self.import_progress(request, bytes_read, bytes_total);
            }
            Response::Imported { import, wall_ms, .. } => self.imported(request, &import, wall_ms),
            Response::Excerpt { excerpt, .. } => self.excerpt_came(request, &excerpt),
            Response::Program { program, .. } => self.program_came(request, &program),
            Response::Failed { failure, .. } => {
                self.program_failed(request, &failure);
                self.import_failed(request, &failure);
                self.keep_untold(request);
                self.planner.hear(request, |set| set.failed(request, failure, now_ms));
                self.say_if_over();
            }
        }
        true
    }

    /// What a run told last counts, though it can tell no more.
    fn keep_untold(&mut self, request: u32) {
        if let Some(packed) = self.untold.forget(request) {
            self.hear_partial(request, &packed);
        }
    }

    /// Shows what runs have told of themselves since the last time, all in one go. Whether there is something to show.
    pub(super) fn take_in(&mut self) -> bool {
        if !self.stopping.is_empty() {
            let send = self.send.clone();
            dom::after_next_frame(move || send.emit(Msg::TakeIn));
            return false;
        }
        let since_ms = dom::now_ms();
        let told = self.untold.take();
        for (request, progress) in told.progress {
            self.planner.hear(request, |set| set.progress(request, progress));
        }
        for (request, packed) in told.partials {
            self.hear_partial(request, &packed);
        }
        let is_end = !told.ended.is_empty();
        for (request, (packed, wall_ms)) in told.ended {
            self.hear_end(request, &packed, wall_ms);
        }
        if is_end {
            self.say_if_over();
        }
        self.say_progress();
        let send = self.send.clone();
        dom::after_next_frame(move || send.emit(Msg::TakenIn(since_ms)));
        true
    }

    fn hear_partial(&mut self, request: u32, packed: &Packed) {
        if let Ok(result) = packed.unpack::<PolicyRun>() {
            self.planner.hear(request, |set| set.partial(request, result));
        }
    }

    fn hear_end(&mut self, request: u32, packed: &Packed, wall_ms: f64) {
        let now_ms = dom::now_ms();
        self.planner.hear(request, |set| match packed.unpack::<PolicyRun>() {
            Ok(result) => set.ended(request, result, wall_ms, now_ms),
            Err(error) => set.failed(request, failure(error.to_string()), now_ms),
        });
    }

    /// Whether a run is on its way that nobody has stopped.
    pub(crate) fn is_running(&self) -> bool {
        self.planner.is_running() && !self.planner.requests().iter().all(|request| self.stopping.contains(request))
    }

    /// Stops everything that goes on.
    pub(super) fn cancel(&mut self) {
        (self.run_timer, self.show_timer) = (None, None);
        self.stop_import();
        self.stop_requests(self.planner.requests());
    }

    /// Stops one run.
    pub(super) fn stop(&mut self, policy: &PolicySpec) {
        if let Some(request) = self.planner.request_of(policy) {
            self.stop_requests(vec![request]);
        }
    }

    /// Stops runs. That is said at once; to lay out what they leave takes longer and waits until it has been drawn.
    fn stop_requests(&mut self, requests: Vec<u32>) {
        if requests.is_empty() {
            return;
        }
        self.end_requests(&requests);
        self.stopping.extend(requests);
        self.say_if_over();
        let send = self.send.clone();
        dom::after_next_frame(move || send.emit(Msg::Stopped));
    }

    /// Shows stopped runs with what they have told so far. Their last records follow.
    pub(super) fn settle(&mut self) {
        let stopping = std::mem::take(&mut self.stopping);
        if stopping.is_empty() {
            return;
        }
        let now_ms = dom::now_ms();
        if self.planner.coming.as_ref().is_some_and(|set| set.requests().iter().all(|of| stopping.contains(of))) {
            self.planner.show_coming();
        }
        for request in stopping {
            self.keep_untold(request);
            let will_tell = self.untold.has_ended(request) || self.pool.is_busy_with(request);
            self.planner.hear(request, |set| match will_tell {
                true => set.stopping(request, now_ms),
                false => set.cancelled(request, now_ms),
            });
        }
        self.say_if_over();
    }

    /// Has the workers end runs, and ends the workers that do not in time.
    fn end_requests(&self, requests: &[u32]) {
        if requests.is_empty() {
            return;
        }
        for &request in requests {
            self.pool.cancel(request);
        }
        let (send, requests) = (self.send.clone(), requests.to_vec());
        Timeout::new(STOP_WITHIN_MS, move || send.emit(Msg::Terminate(requests))).forget();
    }

    /// Ends the workers that have not stopped by themselves.
    pub(super) fn terminate(&mut self, requests: &[u32]) -> bool {
        let now_ms = dom::now_ms();
        let mut is_other = false;
        for &request in requests {
            // What is still being stopped here is settled later.
            if self.pool.terminate(request) && !self.stopping.contains(&request) {
                is_other = true;
                self.keep_untold(request);
                self.planner.hear(request, |set| set.cancelled(request, now_ms));
            }
        }
        if is_other {
            self.say_if_over();
        }
        is_other
    }

    fn say_progress(&mut self) {
        if !self.is_running() || dom::now_ms() - self.said.at_ms < SAY_EVERY_MS {
            return;
        }
        let Some(set) = self.planner.coming.as_ref().or(self.planner.shown.as_ref()) else { return };
        let shares: Vec<f64> = set.entries.iter().filter_map(|entry| running_share(&entry.state)).collect();
        let share = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        let running = words::counted(shares.len() as u64, "policy", "policies");
        self.say(format!("Running {running}, {} of their jobs have ended", format::percent(share)));
    }

    fn say_if_over(&mut self) {
        if !self.is_running() {
            self.say_results();
        }
    }

    /// Says how the runs stand, once they have ended or been stopped.
    pub(super) fn say_results(&mut self) {
        let Some(set) = self.planner.coming.as_ref().or(self.planner.shown.as_ref()) else { return };
        if self.is_running() {
            return;
        }
        let count = |wanted: fn(&RunEntry) -> bool| set.entries.iter().filter(|entry| wanted(entry)).count() as u64;
        let finished = count(|entry| entry.state == RunState::Finished);
        let stopped = count(|entry| entry.state == RunState::Cancelled || entry.is_running());
        let failed = count(|entry| matches!(entry.state, RunState::Failed(_)));
        let mut parts = Vec::new();
        if finished > 0 {
            parts.push(format!("{} finished", words::counted(finished, "run", "runs")));
        }
        if stopped > 0 {
            parts.push(format!("{} stopped", words::counted(stopped, "run", "runs")));
        }
        if failed > 0 {
            parts.push(format!("{} failed", words::counted(failed, "run", "runs")));
        }
        let text = if parts.is_empty() { "No policy is ticked".into() } else { parts.join(", ") };
        self.say(text);
    }

    fn why_nothing_runs(&self) -> String {
        let data = &self.planner.inputs().data;
        let jobs = words::counted(data.trace.jobs().len() as u64, "job", "jobs");
        if data.trace_origin.is_drawn() && !data.curves_origin.is_sample() {
            let curves = words::counted(data.curves.as_slice().len() as u64, "curve", "curves");
            return format!("{curves} loaded. Drop the job trace that uses them to run it");
        }
        if data.curves_origin.is_sample() {
            return format!("{jobs} loaded. Drop their throughput curves to run them");
        }
        format!("{jobs} loaded, but no loaded curve fits any of them. Drop their throughput curves to run them")
    }

    /// What keeps the present inputs from being run, if anything does.
    pub fn obstacle(&self) -> Option<String> {
        self.planner.has_nothing_to_run().then(|| self.why_nothing_runs())
    }
}

/// The part of its jobs that a run on its way has ended.
fn running_share(state: &RunState) -> Option<f64> {
    match state {
        RunState::Started => Some(0.0),
        RunState::Running(progress) => Some(progress.jobs_ended as f64 / progress.jobs_total.max(1) as f64),
        _ => None,
    }
}

fn failure(message: String) -> Failure {
    Failure { message, detail: String::new(), is_fatal: false }
}
