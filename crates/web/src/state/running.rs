//! Starting runs, applying their updates, and stopping them.

use elastiplan_planner::PolicyRun;
use elastiplan_present::runs::{RunEntry, RunFailure, RunState, share_ended};
use elastiplan_text::{format, words};
use elastiplan_worker::Packed;
use elastiplan_worker::messages::{Failure, Request, Response};

use super::binding::Next;
use super::message::Msg;
use super::page::{Delay, Page};
use super::pool::{Client, Pool};

/// Runs that finish sooner replace the shown ones without intermediate results.
const SHOW_AFTER_MS: u32 = 150;
/// Results are painted before the worker's full module is fetched, which takes the browser's attention.
const FETCH_AFTER_MS: u32 = 300;
/// Workers for later runs are started once the results are painted and presets, if missing, have been asked for.
const START_AFTER_MS: u32 = 400;
/// A worker that has not stopped by then is terminated.
const STOP_WITHIN_MS: u32 = 80;
/// The status line shows progress at most this often.
const SAY_EVERY_MS: f64 = 2000.0;

impl Page {
    /// Starts runs of the present inputs, once the jobs are bound.
    pub fn launch<C: Client>(&mut self, pool: &mut Pool<C>) {
        self.auto_run = None;
        self.settle(pool);
        self.binding.next = Next::Launch;
        if !self.bind(pool) {
            return;
        }
        self.binding.next = Next::Nothing;
        if self.planner.has_nothing_to_run() {
            let words = self.why_nothing_runs();
            return self.say(words);
        }
        let Some(set) = self.planner.prepare(self.now_ms) else { return };
        let unwanted = self.planner.launched(set);
        self.end_requests(pool, &unwanted);
        self.start_waiting(pool);
        if self.planner.coming.is_some() {
            self.launches += 1;
            self.later(Delay::Ms(SHOW_AFTER_MS), Msg::ShowComing(self.launches));
        }
        if self.planner.is_running() {
            let running = self.running_entries().count() as u64;
            self.say(format!("Running {}", words::counted(running, "run", "runs")));
        } else {
            self.say_results();
        }
    }

    /// Runs what was loaded, once the jobs are bound, unless the user has to confirm a warning first. Returns whether
    /// they are bound at once.
    pub fn launch_or_wait<C: Client>(&mut self, pool: &mut Pool<C>) -> bool {
        self.binding.next = Next::LaunchUnlessWarned;
        let is_bound = self.bind(pool);
        if is_bound {
            self.go_on(pool);
        }
        is_bound
    }

    /// Starts runs that wait for a worker, as many as may be made at the same time; visible ones first. Ends those that
    /// nobody wants any more.
    pub fn start_waiting<C: Client>(&mut self, pool: &mut Pool<C>) {
        let unwanted = self.planner.take_unwanted();
        self.end_requests(pool, &unwanted);
        let (now_ms, at_once) = (self.now_ms, self.runs_at_once);
        while let Some(set) = self.planner.current().filter(|set| set.busy() < at_once)
            && let Some(slot) = set.next_waiting()
            && let (Some(packed), Some(entry)) = (set.packed(slot), set.entries.get(slot))
        {
            let policy = entry.policy.to_string();
            let sent = packed.map_err(String::from);
            let sent = sent.and_then(|scenario| pool.send(Request::Run { scenario, policy }));
            match sent {
                Ok(request) => set.started(slot, request, now_ms),
                Err(message) => {
                    set.failed_to_start(slot, message, now_ms);
                    let is_coming = self.planner.coming.is_some();
                    self.planner.end_if_over(is_coming);
                }
            }
        }
    }

    /// The runs that are on their way.
    fn running_entries(&self) -> impl Iterator<Item = &RunEntry> {
        let set = self.planner.coming.as_ref().or(self.planner.shown.as_ref());
        set.into_iter().flat_map(|set| &set.entries).filter(|entry| entry.is_running())
    }

    /// About how many seconds it takes until all runs have ended; `None` where that is not known.
    pub fn left_s(&self) -> Option<f64> {
        let mut all = self.running_entries().map(|entry| entry.left_s);
        let first = all.next()??;
        all.try_fold(first, |longest, left_s| Some(f64::max(longest, left_s?)))
    }

    /// Applies a response about a run. Returns whether there is something else to show.
    pub fn receive(&mut self, request: u32, response: Response) -> bool {
        match response {
            Response::RunProgress(progress) => self.pending.progress(request, progress),
            Response::RunPartial(result) => self.pending.partial(request, result),
            Response::RunEnded { result, wall_ms } => {
                if !self.stopping.contains(&request) && !self.planner.is_stopped(request) {
                    if let Some(partial) = self.pending.forget(request) {
                        partial.free();
                    }
                    self.apply_end(request, &result, wall_ms);
                    self.say_if_over();
                    return true;
                }
                self.pending.ended(request, result, wall_ms);
            }
            Response::Failed(Failure { message, detail, .. }) => {
                self.apply_last(request);
                let (failure, now_ms) = (RunFailure { message, detail }, self.now_ms);
                self.planner.update(request, |set| set.failed(request, failure, now_ms));
                self.say_if_over();
                return true;
            }
            _ => return false,
        }
        self.schedule_updates();
        false
    }

    fn schedule_updates(&mut self) {
        if let Some(wait_ms) = self.pending.schedule(self.now_ms) {
            self.later(Delay::Ms(wait_ms), Msg::ApplyUpdates);
        }
    }

    /// Reports that the updates applied at `since_ms` have been painted, and schedules those that arrived meanwhile.
    pub fn updates_painted(&mut self, since_ms: f64) {
        self.pending.painted(since_ms, self.now_ms);
        if !self.pending.is_empty() {
            self.schedule_updates();
        }
    }

    /// Applies the last pending record of a run that will send no more.
    fn apply_last(&mut self, request: u32) {
        if let Some(packed) = self.pending.forget(request) {
            self.apply_partial(request, &packed);
        }
    }

    /// Applies all pending run updates in one render. Returns whether anything changed.
    pub fn apply_updates(&mut self) -> bool {
        if !self.stopping.is_empty() {
            self.later(Delay::NextFrame, Msg::ApplyUpdates);
            return false;
        }
        let since_ms = self.now_ms;
        let updates = self.pending.take();
        for (request, progress) in updates.progress {
            self.planner.update(request, |set| set.progress(request, progress, since_ms));
        }
        for (request, packed) in updates.partials {
            self.apply_partial(request, &packed);
        }
        let is_end = !updates.ended.is_empty();
        for (request, (packed, wall_ms)) in updates.ended {
            self.apply_end(request, &packed, wall_ms);
        }
        if is_end {
            self.say_if_over();
        }
        self.say_progress();
        self.later(Delay::NextFrame, Msg::UpdatesPainted(since_ms));
        true
    }

    fn apply_partial(&mut self, request: u32, packed: &Packed) {
        let result = packed.unpack::<PolicyRun>();
        packed.free();
        if let Ok(result) = result {
            self.planner.update(request, |set| set.partial(request, result));
        }
    }

    fn apply_end(&mut self, request: u32, packed: &Packed, wall_ms: f64) {
        let now_ms = self.now_ms;
        let result = packed.unpack::<PolicyRun>();
        packed.free();
        self.planner.update(request, |set| match result {
            Ok(result) => set.ended(request, result, wall_ms, now_ms),
            Err(error) => set.failed(request, RunFailure { message: error.to_string(), detail: String::new() }, now_ms),
        });
        // What the first picture does not need is fetched after it.
        if !self.is_running() {
            if self.needs_presets() {
                self.later(Delay::Ms(FETCH_AFTER_MS), Msg::FetchPresets);
            }
            self.later(Delay::Ms(START_AFTER_MS), Msg::StartWorkers);
        }
    }

    /// Whether a run is in progress that the user has not stopped.
    pub fn is_running(&self) -> bool {
        self.planner.is_running() && !self.planner.requests().iter().all(|request| self.stopping.contains(request))
    }

    /// Stops all runs.
    pub fn cancel_runs<C: Client>(&mut self, pool: &Pool<C>) {
        self.auto_run = None;
        self.binding.next = Next::Nothing;
        self.launches += 1;
        self.planner.cancel_waiting(None, self.now_ms);
        self.stop_requests(pool, self.planner.requests());
    }

    /// Stops the run at a place in the list.
    pub fn stop<C: Client>(&mut self, pool: &Pool<C>, slot: usize) {
        match self.planner.request_of(slot) {
            Some(request) => self.stop_requests(pool, vec![request]),
            None => self.planner.cancel_waiting(Some(slot), self.now_ms),
        }
    }

    /// Stops runs. The page shows that at once; their records take longer to lay out and wait until it is painted.
    fn stop_requests<C: Client>(&mut self, pool: &Pool<C>, requests: Vec<u32>) {
        if requests.is_empty() {
            return;
        }
        self.end_requests(pool, &requests);
        self.stopping.extend(requests);
        self.say_if_over();
        self.later(Delay::NextFrame, Msg::Stopped);
    }

    /// Shows stopped runs with their last partial records. Their final records follow.
    pub fn settle<C: Client>(&mut self, pool: &Pool<C>) {
        let stopping = std::mem::take(&mut self.stopping);
        if stopping.is_empty() {
            return;
        }
        let now_ms = self.now_ms;
        if self.planner.coming.as_ref().is_some_and(|set| set.requests().iter().all(|of| stopping.contains(of))) {
            self.planner.show_coming();
        }
        for request in stopping {
            self.apply_last(request);
            let will_respond = self.pending.has_ended(request) || pool.is_busy_with(request);
            self.planner.update(request, |set| match will_respond {
                true => set.stopping(request, now_ms),
                false => set.cancelled(request, now_ms),
            });
        }
        self.say_if_over();
    }

    /// Asks workers to stop, and terminates those that have not in time.
    fn end_requests<C: Client>(&mut self, pool: &Pool<C>, requests: &[u32]) {
        if requests.is_empty() {
            return;
        }
        for &request in requests {
            pool.cancel(request);
        }
        self.later(Delay::Ms(STOP_WITHIN_MS), Msg::Terminate(requests.to_vec()));
    }

    /// Terminates the workers that have not stopped by themselves. Returns whether that changed a shown run.
    pub fn terminate<C: Client>(&mut self, pool: &mut Pool<C>, requests: &[u32]) -> bool {
        let now_ms = self.now_ms;
        let mut is_other = false;
        for &request in requests {
            // What is still being stopped here is settled later.
            if pool.terminate(request) && !self.stopping.contains(&request) {
                is_other = true;
                self.apply_last(request);
                self.planner.update(request, |set| set.cancelled(request, now_ms));
            }
        }
        if is_other {
            self.say_if_over();
        }
        is_other
    }

    fn say_progress(&mut self) {
        if !self.is_running() || self.now_ms - self.status.at_ms < SAY_EVERY_MS {
            return;
        }
        let shares: Vec<f64> = self.running_entries().filter_map(|entry| running_share(&entry.state)).collect();
        let share = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        let running = words::counted(shares.len() as u64, "run", "runs");
        let left = self.left_s().filter(|left_s| *left_s >= 1.0).map(|left_s| format::duration(left_s.round()));
        let left = left.map(|left| format!(", {left} left")).unwrap_or_default();
        self.say(format!("Running {running}, {} of their jobs have ended{left}", format::percent(share)));
    }

    fn say_if_over(&mut self) {
        if !self.is_running() {
            self.say_results();
        }
    }

    /// Reports the outcome of the runs in the status line, once they have ended or been stopped.
    pub fn say_results(&mut self) {
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
        let text = if parts.is_empty() { "There are no runs. Add a policy".into() } else { parts.join(", ") };
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
            return format!("{jobs} loaded. Drop their throughput curves to run them, or choose a law for their speed");
        }
        format!(
            "{jobs} loaded, but no loaded curve fits any of them. Drop their throughput curves to run them, or choose a law for their speed"
        )
    }

    /// The reason that the present inputs cannot be run; `None` if they can.
    pub fn obstacle(&self) -> Option<String> {
        self.planner.has_nothing_to_run().then(|| self.why_nothing_runs())
    }
}

/// The part of its jobs that a run on its way has ended.
fn running_share(state: &RunState) -> Option<f64> {
    match state {
        RunState::Started => Some(0.0),
        RunState::Running(progress) => Some(share_ended(progress)),
        _ => None,
    }
}

#[cfg(test)]
mod interleavings;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::edit::Edit;
    use crate::state::pool::Received;
    use crate::state::run_set::RunSet;
    use crate::state::testing::page_with_pool;

    /// The whole run of a policy on the sample, as its worker sends it.
    fn ended(page: &Page, policy: &str) -> Response {
        let inputs = page.planner.inputs();
        let (scenario, workload) = (inputs.scenario(), inputs.bind().workload);
        let run = elastiplan_planner::run(&scenario, &workload, &policy.parse().unwrap()).unwrap();
        Response::RunEnded { result: Packed::of(&run).unwrap(), wall_ms: 5.0 }
    }

    #[test]
    fn presets_are_fetched_once_the_first_runs_have_ended() {
        let (mut page, mut pool, log) = page_with_pool();
        page.launch(&mut pool);
        for (id, policy) in [(1, "fixed"), (2, "equal-share"), (3, "elastic-dp")] {
            assert!(!page.timers.iter().any(|(_, message)| matches!(message, Msg::FetchPresets)));
            let received = Received { worker: id, id: Some(id), response: ended(&page, policy), memory_bytes: 0 };
            let request = pool.settle(&received).unwrap();
            page.receive(request, received.response);
        }
        assert!(page.timers.iter().any(|(_, message)| matches!(message, Msg::FetchPresets)));
        // A second request is sent only if the first failed.
        page.fetch_presets(&mut pool);
        page.fetch_presets(&mut pool);
        assert_eq!(log.borrow().len(), 4);
        assert!(page.presets_failed(4) && !page.presets_failed(4));
        page.fetch_presets(&mut pool);
        assert_eq!(log.borrow().len(), 5);
        page.presets_sent(&elastiplan_worker::PRESETS.into());
        page.fetch_presets(&mut pool);
        assert_eq!((log.borrow().len(), page.presets.all().is_empty()), (5, false));
    }

    #[test]
    fn results_of_finished_runs_are_shown() {
        let (mut page, mut pool, log) = page_with_pool();
        page.launch(&mut pool);
        assert_eq!(*log.borrow(), ["1: run 1 fixed", "2: run 2 equal-share", "3: run 3 elastic-dp"]);
        for (id, policy) in [(1, "fixed"), (2, "equal-share"), (3, "elastic-dp")] {
            let received = Received { worker: id, id: Some(id), response: ended(&page, policy), memory_bytes: 0 };
            assert_eq!(pool.settle(&received), Some(id));
            assert!(page.receive(id, received.response));
        }
        assert_eq!(page.status.text, "3 runs finished");
        assert!(page.planner.shown.as_ref().is_some_and(RunSet::is_whole) && !page.is_running());
    }

    #[test]
    fn fifty_runs_wait_for_their_turn_and_adding_one_stops_none() {
        let (mut page, mut pool, log) = page_with_pool();
        let names = ["tiresias", "edf", "shortest-first"];
        for at in 3..50 {
            let policy = names[at % names.len()].parse().unwrap();
            page.edit(&mut pool, Edit::Add(policy));
            let cost = elastiplan_scenario::fields::Value::Number(at as f64);
            page.edit(&mut pool, Edit::Differ(1 + at as u32, "what_if.rescale_cost_s", Some(cost)));
        }
        page.launch(&mut pool);
        assert_eq!(log.borrow().len(), 4);
        assert_eq!(page.planner.shown.as_ref().unwrap().entries.len(), 50);
        let received = Received { worker: 1, id: Some(1), response: ended(&page, "fixed"), memory_bytes: 0 };
        pool.settle(&received);
        page.receive(1, received.response);
        page.start_waiting(&mut pool);
        // The worker that ran the sample cannot run all policies.
        assert_eq!(log.borrow()[4..], ["5: run 5 edf"]);
        page.edit(&mut pool, Edit::Add("elastic-dp[delta_s=60]".parse().unwrap()));
        page.launch(&mut pool);
        assert_eq!(log.borrow().len(), 5, "those that are on their way go on");
        page.edit(&mut pool, Edit::Remove(2));
        page.start_waiting(&mut pool);
        assert_eq!(log.borrow()[5], "2: cancel 2");
        page.cancel_runs(&pool);
        page.settle(&pool);
        page.start_waiting(&mut pool);
        assert!(!page.is_running() && page.planner.shown.as_ref().unwrap().entries.len() == 50);
    }

    #[test]
    fn workers_that_do_not_stop_in_time_are_terminated() {
        let (mut page, mut pool, log) = page_with_pool();
        page.launch(&mut pool);
        log.borrow_mut().clear();
        page.timers.clear();
        page.cancel_runs(&pool);
        assert!(!page.is_running(), "the page shows at once that runs are stopped");
        assert!(matches!(&page.timers[..], [(Delay::Ms(STOP_WITHIN_MS), _), (Delay::NextFrame, Msg::Stopped)]));
        page.settle(&pool);
        // The first answers in time, the others do not.
        let received = Received { worker: 1, id: Some(1), response: ended(&page, "fixed"), memory_bytes: 0 };
        assert_eq!(pool.settle(&received), Some(1));
        assert!(!page.receive(1, received.response), "what is left of stopped runs is shown later");
        page.terminate(&mut pool, &[1, 2, 3]);
        assert_eq!(*log.borrow(), ["1: cancel 1", "2: cancel 2", "3: cancel 3", "2: end", "3: end"]);
        assert!(page.apply_updates());
        let states: Vec<RunState> =
            page.planner.shown.as_ref().unwrap().entries.iter().map(|entry| entry.state.clone()).collect();
        assert_eq!(states, [RunState::Finished, RunState::Cancelled, RunState::Cancelled]);
    }
}
