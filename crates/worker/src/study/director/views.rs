//! What the page is shown, and when.

use elastiplan_present::study::{DrawsView, Progress, Stage};
use elastiplan_study::{Draws, Unit};

use super::{Command, Director, Making};

/// Views are at least so far apart.
const VIEW_EVERY_MS: f64 = 200.0;
/// The longer a study takes the less a view adds: they are as far apart as this part of the time since it began, but never
/// farther than that many milliseconds.
const VIEW_SHARE: f64 = 0.05;
const VIEW_AT_LEAST_EVERY_MS: f64 = 500.0;
/// Making views takes no more than one part in so many of the time.
const VIEW_COSTS: f64 = 10.0;
/// If the first picture is not there by then, a part of it is shown.
const FIRST_WITHIN_MS: f64 = 1000.0;

impl Director {
    /// Shows what is new, if it is time for it: the first picture at once, later ones now and then, the last one.
    pub(super) fn view_if_due(&mut self) {
        let now_ms = self.now_ms();
        let Some(making) = self.making.as_mut().filter(|making| making.is_changed) else { return };
        let is_first = making.first_picture_s.is_none() && making.has_first_picture();
        if is_first {
            making.first_picture_s = Some((now_ms - making.began_ms) / 1000.0);
        }
        let every_ms = match making.first_picture_s {
            Some(_) => {
                let apart_ms = (now_ms - making.began_ms) * VIEW_SHARE;
                apart_ms.clamp(VIEW_EVERY_MS, VIEW_AT_LEAST_EVERY_MS).max(making.view_ms * VIEW_COSTS)
            }
            None => FIRST_WITHIN_MS,
        };
        let next_ms = making.viewed_ms + every_ms;
        if is_first || now_ms >= next_ms {
            self.view();
        } else {
            self.wake(next_ms - now_ms);
        }
    }

    /// Shows what is there.
    pub(super) fn view(&mut self) {
        let now_ms = self.now_ms();
        let runners = self.runners.len();
        let Some(making) = &mut self.making else { return };
        let progress = making.progress(now_ms, runners);
        let (study, results) = (&making.source.study, &making.results);
        let mut view = making.views.view(study, results, &making.metrics, progress);
        // Failures along an axis may make seeds differ, though the scenario has none: the outcomes know.
        let is_one = view.draws == DrawsView::One;
        view.could_draw_days = is_one && making.source.could_draw_days();
        let on_draws = making.source.note_on_draws().filter(|_| is_one || study.draws == Draws::Days);
        view.notes.splice(0..0, on_draws);
        view.notes.extend(self.store_note.clone());
        making.is_changed = false;
        making.viewed_ms = (self.clock_ms)();
        making.view_ms = making.viewed_ms - now_ms;
        self.commands.push(Command::View(Box::new(view)));
    }
}

impl Making {
    /// Whether each policy has a value at each point of the first picture.
    fn has_first_picture(&self) -> bool {
        let study = &self.source.study;
        let policies = 0..study.policies.len() as u32;
        study.coarse_points().iter().all(|&point| {
            let unit = |policy| study.canonical(Unit { point: point as u32, policy, seed: 0 });
            policies.clone().all(|policy| self.results.get(unit(policy)).is_some())
        })
    }

    /// Runs that are wanted and not there.
    pub(super) fn to_make(&self) -> usize {
        self.in_flight.len() + self.queue.len()
    }

    fn progress(&self, now_ms: f64, runners: usize) -> Progress {
        let runs = self.results.len();
        let wanted = self.in_flight.iter().chain(&self.queue);
        let left_ms: Option<f64> = wanted.map(|unit| self.costs.expected_ms(*unit)).sum();
        let to_make = if self.ended.is_some() { self.left_at_end } else { self.to_make() };
        Progress {
            stage: self.ended.map_or(self.stage, Stage::Over),
            runs: runs as u32,
            runs_kept: self.runs_kept,
            runs_wanted: (runs + to_make) as u32,
            elapsed_s: (self.ended_ms.unwrap_or(now_ms) - self.began_ms) / 1000.0,
            first_picture_s: self.first_picture_s,
            left_s: left_ms.filter(|_| self.ended.is_none()).map(|ms| ms / 1000.0 / runners.max(1) as f64),
            ..Progress::default()
        }
    }
}
