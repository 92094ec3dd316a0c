//! Which runs are made where.

use elastiplan_present::study::{Ended, Stage};
use elastiplan_study::{Key, Outcome, Unit};

use super::{Batch, Command, Director, HERE, Making, RUNNERS_MAX, Runner, STARTS_MAX};

/// A runner has the next batch before it needs it.
const BATCHES_MAX: usize = 2;
/// About how long a batch takes.
const BATCH_MS: f64 = 100.0;
/// And at the end, when the last runs are shared by all runners.
const BATCH_LEAST_MS: f64 = 10.0;
const BATCH_UNITS_MAX: usize = 64;
/// For so long keys are looked up before other events are handled.
const LOOK_UP_MS: f64 = 20.0;

/// What is to be made next.
enum Next {
    /// This run.
    Unit(Unit, Key),
    /// Nothing before other events are handled.
    Later,
    /// Nothing before one of the runs in flight is there.
    Waiting,
    /// Nothing any more.
    Nothing,
}

impl Director {
    /// Starts runners until there are so many.
    pub(super) fn ensure_runners(&mut self, wanted: u32) {
        let wanted = wanted.clamp(1, RUNNERS_MAX) as usize;
        if self.runners.contains_key(&HERE) {
            return;
        }
        if self.starts_failed >= STARTS_MAX {
            if self.runners.is_empty() {
                self.runners.insert(HERE, Runner { is_ready: true, ..Runner::default() });
                self.commands.push(Command::Start(HERE));
            }
            return;
        }
        while self.runners.len() < wanted {
            self.runners_started += 1;
            self.runners.insert(self.runners_started, Runner::default());
            self.commands.push(Command::Start(self.runners_started));
        }
    }

    /// Gives runs to runners that have time for them.
    pub(super) fn deal(&mut self) {
        let now_ms = self.now_ms();
        let Some(making) = self.making.as_ref().filter(|making| making.ended.is_none()) else { return };
        let order = making.source.order();
        let (budget_s, runners) = (order.spec.time_budget_s, order.runners);
        if budget_s.is_some_and(|budget_s| now_ms - making.began_ms >= budget_s * 1000.0) {
            return self.end(Ended::BudgetUsed);
        }
        if let Some(until_ms) = making.loading_until_ms.filter(|&until_ms| now_ms < until_ms) {
            return self.wake(until_ms - now_ms);
        }
        self.ensure_runners(runners);
        self.deal_suspects();
        loop {
            let free = self.runners.iter().filter(|(_, runner)| runner.batches < BATCHES_MAX && !runner.has_suspect);
            let Some(runner) = free.min_by_key(|(_, runner)| runner.batches).map(|(&runner, _)| runner) else { return };
            let (units, after) = self.next_batch(now_ms);
            if !units.is_empty() {
                self.send(runner, units);
            }
            match after {
                Next::Unit(..) => {}
                Next::Later => return self.wake(0.0),
                Next::Waiting => return,
                Next::Nothing => return self.end(Ended::Complete),
            }
        }
    }

    fn deal_suspects(&mut self) {
        loop {
            let idle = self.runners.iter().find(|(_, runner)| runner.batches == 0).map(|(&runner, _)| runner);
            let Some(runner) = idle else { return };
            let Some(suspect) = self.making.as_mut().and_then(|making| making.suspects.pop_front()) else { return };
            self.send(runner, vec![suspect]);
            if let Some(runner) = self.runners.get_mut(&runner) {
                runner.has_suspect = true;
            }
        }
    }

    fn send(&mut self, runner: u32, units: Vec<(Unit, Key)>) {
        let Some(making) = &mut self.making else { return };
        self.batches_dealt += 1;
        let batch = self.batches_dealt;
        making.in_flight.extend(units.iter().map(|(unit, _)| *unit));
        if let Some(runner) = self.runners.get_mut(&runner) {
            runner.batches += 1;
        }
        self.commands.push(Command::Deal { runner, batch, units: units.iter().map(|(unit, _)| *unit).collect() });
        self.batches.insert(batch, Batch { runner, epoch: making.epoch, units, done: 0 });
    }

    /// Runs that take about as long as a batch should, and what follows them. Those of the first picture come one by one.
    fn next_batch(&mut self, since_ms: f64) -> (Vec<(Unit, Key)>, Next) {
        let mut units: Vec<(Unit, Key)> = Vec::new();
        let mut total_ms = 0.0;
        let most_ms = self.batch_ms();
        loop {
            let next = self.next(since_ms);
            let Next::Unit(unit, key) = next else { return (units, next) };
            let Some(making) = &mut self.making else { return (units, Next::Nothing) };
            units.push((unit, key));
            making.in_flight.insert(unit);
            total_ms += making.costs.expected_ms(unit).unwrap_or(most_ms);
            if making.stage == Stage::Coarse || total_ms >= most_ms || units.len() >= BATCH_UNITS_MAX {
                return (units, next);
            }
        }
    }

    fn batch_ms(&self) -> f64 {
        let Some(making) = &self.making else { return BATCH_MS };
        // The first ones of the queue are enough to know whether it is about to end.
        let first = making.queue.iter().take(BATCH_UNITS_MAX * RUNNERS_MAX as usize);
        let queued_ms: f64 = first.filter_map(|unit| making.costs.expected_ms(*unit)).sum();
        let shares = self.runners.len().max(1) * BATCHES_MAX * 2;
        (queued_ms / shares as f64).clamp(BATCH_LEAST_MS, BATCH_MS)
    }

    /// The next run that is wanted and not kept. Kept ones become results on the way.
    fn next(&mut self, since_ms: f64) -> Next {
        loop {
            let now_ms = (self.clock_ms)();
            let Some(making) = &mut self.making else { return Next::Nothing };
            let Some(unit) = making.queue.pop_front() else {
                if making.is_waiting {
                    return Next::Waiting;
                }
                let wanted = making.source.study.next(&making.results);
                if wanted.is_empty() {
                    return Next::Nothing;
                }
                making.queue = wanted.into_iter().filter(|unit| !making.in_flight.contains(unit)).collect();
                making.is_waiting = making.queue.is_empty();
                continue;
            };
            if now_ms - since_ms > LOOK_UP_MS {
                making.queue.push_front(unit);
                return Next::Later;
            }
            making.stage = making.stage_of(unit);
            let source = &making.source;
            let Some(key) = source.study.key(unit, |seed| source.with_seed(seed)) else {
                making.add(unit, Outcome::Failed { message: "There is no such policy in the study".into() });
                continue;
            };
            let Some(outcome) = self.kept.get(&key) else { return Next::Unit(unit, key) };
            making.add(unit, outcome.clone());
            making.runs_kept += 1;
        }
    }

    /// Takes the outcomes of the next units of a batch.
    pub(super) fn made(&mut self, batch: u32, outcomes: Vec<(Outcome, f64)>, is_end: bool) {
        for (outcome, ms) in outcomes {
            let Some(entry) = self.batches.get_mut(&batch) else { return };
            let Some(&(unit, key)) = entry.units.get(entry.done) else { break };
            entry.done += 1;
            let epoch = entry.epoch;
            if self.keep(key, outcome.clone(), true)
                && let Some(making) = self.making.as_mut().filter(|making| making.epoch == epoch)
            {
                making.costs.add(unit, ms);
                making.add(unit, outcome);
            }
        }
        if is_end && let Some(batch) = self.batches.remove(&batch) {
            if let Some(runner) = self.runners.get_mut(&batch.runner) {
                runner.batches = runner.batches.saturating_sub(1);
                runner.has_suspect = false;
            }
            let units: Vec<(Unit, Key)> = batch.units.into_iter().skip(batch.done).collect();
            self.take_back(batch.epoch, &units);
        }
    }

    /// Runs that were dealt and not made are wanted again.
    fn take_back(&mut self, epoch: u32, units: &[(Unit, Key)]) {
        let making = self.making.as_mut().filter(|making| making.epoch == epoch && making.ended.is_none());
        let Some(making) = making else { return };
        for (unit, _) in units.iter().rev() {
            making.in_flight.remove(unit);
            making.queue.push_front(*unit);
        }
    }

    /// Replaces a runner. Which of its runs ended it is found out by dealing them again, each by itself.
    pub(super) fn died(&mut self, runner: u32, message: String) {
        let Some(dead) = self.runners.remove(&runner) else { return };
        self.commands.push(Command::End(runner));
        let own = self.batches.iter().filter(|(_, batch)| batch.runner == runner);
        let own: Vec<u32> = own.map(|(&id, _)| id).collect();
        let epoch = self.making.as_ref().map(|making| making.epoch);
        let mut lost: Vec<(Unit, Key)> = Vec::new();
        for batch in own.into_iter().filter_map(|id| self.batches.remove(&id)) {
            if Some(batch.epoch) == epoch {
                lost.extend(batch.units.into_iter().skip(batch.done));
            }
        }
        if !dead.is_ready {
            self.starts_failed += 1;
            return self.take_back(epoch.unwrap_or_default(), &lost);
        }
        let Some(making) = self.making.as_mut().filter(|making| making.ended.is_none()) else { return };
        match *lost.as_slice() {
            // It may not happen again, so that it is not kept.
            [(unit, _)] => making.add(unit, Outcome::Failed { message }),
            _ => making.suspects.extend(lost),
        }
    }
}

impl Making {
    fn add(&mut self, unit: Unit, outcome: Outcome) {
        self.in_flight.remove(&unit);
        self.is_waiting = false;
        self.is_changed = true;
        // Another outcome of this run would have been found among the kept ones.
        let _ = self.results.add(unit, outcome);
    }

    fn stage_of(&self, unit: Unit) -> Stage {
        let study = &self.source.study;
        let (seed, (early, first)) = (unit.seed as usize, study.first_seeds());
        match seed {
            _ if seed >= study.seeds.most() => Stage::Fresh,
            _ if seed >= first => Stage::Open,
            _ if seed >= early => Stage::Seeds,
            _ if study.coarse_points().contains(&(unit.point as usize)) => Stage::Coarse,
            _ => Stage::Points,
        }
    }
}
