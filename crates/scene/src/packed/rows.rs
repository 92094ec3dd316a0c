//! Which job lies in which row.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use elastiplan_engine::Run;
use elastiplan_model::{JobId, order};

use crate::rows::Rows;
use crate::time::TimeWindow;

/// A row is free this far after its job's end.
pub(super) const GAP_PX: f64 = 6.0;
/// So many jobs get rows in an order other than that of submission: each is tried in all rows before.
const IN_ORDER_MAX: usize = 2_000;

/// A job in a row. The spans of a job touch, so that it takes its row from its submission to its end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub job: JobId,
    pub start_s: f64,
    pub end_s: f64,
}

/// Rows of the jobs that hold GPUs in view, in groups if jobs have any. Two jobs that are both in view overlap there if
/// they overlap at all, so that rows which hold whole jobs are as few as rows for what is in view.
#[derive(Clone, Debug, Default)]
pub struct PackedRows {
    /// Groups follow each other.
    rows: Vec<Row>,
    /// The row of each job.
    row_of: Vec<Option<u32>>,
    /// Whether each job holds GPUs in view: one that only waits there keeps its row, and is not shown.
    is_shown: Vec<bool>,
    window: Option<TimeWindow>,
    /// Rows from the first to the last that a job in view has.
    in_view: usize,
    /// The groups, each with the jobs of it that hold GPUs in view.
    groups: Vec<(String, usize)>,
    holding: usize,
    only_waiting: usize,
}

/// The jobs of a row, in order of time.
#[derive(Clone, Debug)]
struct Row {
    group: usize,
    jobs: Vec<Placed>,
}

impl PackedRows {
    /// Rows for the jobs that hold GPUs in a window, which is `width_px` wide: as few as can be where jobs are in order
    /// of submission. In any other order, each job gets the first row that is free for it, so that the first jobs are in
    /// the first rows.
    pub fn pack(run: &Run, jobs: &Rows, window: TimeWindow, width_px: f64) -> Self {
        let gap_s = GAP_PX * window.span_s() / width_px.max(1.0);
        let mut packed = Self { row_of: vec![None; run.jobs.outcome.len()], ..Self::default() };
        let holding = packed.look_at(run, jobs, window);
        for of_group in holding.chunk_by(|(a, _), (b, _)| a == b) {
            let Some((group, _)) = of_group.first() else { continue };
            let placed: Vec<Placed> = of_group.iter().map(|(_, placed)| *placed).collect();
            let rows = match placed.is_sorted_by(|a, b| a.start_s <= b.start_s) {
                true => fewest_rows(placed, gap_s),
                false => rows_in_order(placed, gap_s),
            };
            packed.rows.extend(rows.into_iter().map(|jobs| Row { group: *group, jobs }));
        }
        packed.number();
        packed.in_view = packed.rows.len();
        packed
    }

    /// Follows a window that was panned, or a run that has come further: jobs that have a row keep it, and those that
    /// come into view get the first of their group that is free for them. Jobs that are more than a window away lose
    /// their rows.
    pub fn follow(&mut self, run: &Run, jobs: &Rows, window: TimeWindow, width_px: f64) {
        let is_near =
            self.window.is_some_and(|before| before.start_s() < window.end_s() && window.start_s() < before.end_s());
        if !is_near || self.row_of.len() != run.jobs.outcome.len() || !self.refresh(run, window) {
            *self = Self::pack(run, jobs, window, width_px);
            return;
        }
        let gap_s = GAP_PX * window.span_s() / width_px.max(1.0);
        let holding = self.look_at(run, jobs, window);
        let is_new = |(_, placed): &&(usize, Placed)| self.place_of(placed.job).is_none();
        let mut added: Vec<(usize, Placed)> = holding.iter().filter(is_new).copied().collect();
        order::sort_by_number(&mut added, |(_, placed)| placed.start_s);
        for (group, placed) in added {
            let first = self.rows.partition_point(|row| row.group < group);
            let end = self.rows.partition_point(|row| row.group <= group);
            let of_group = self.rows.get(first..end).unwrap_or_default();
            let free = of_group.iter().position(|row| has_room(&row.jobs, &placed, gap_s));
            let at = free.map_or(end, |free| first + free);
            if free.is_none() {
                self.rows.insert(end, Row { group, jobs: Vec::new() });
                if end + 1 < self.rows.len() {
                    self.number();
                }
            }
            self.push(at, placed);
        }
        let rows = holding.iter().filter_map(|(_, placed)| self.place_of(placed.job));
        self.in_view = rows.max().map_or(0, |last| last + 1);
    }

    /// The groups that have rows, in order: name, the first row and the one after the last, and jobs that hold GPUs in
    /// view.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&str, Range<usize>, usize)> {
        let rows = self.rows.get(..self.in_view).unwrap_or_default();
        let mut first = 0;
        rows.chunk_by(|a, b| a.group == b.group).filter_map(move |of_group| {
            let range = first..first + of_group.len();
            first = range.end;
            let (name, jobs) = self.groups.get(of_group.first()?.group)?;
            Some((name.as_str(), range, *jobs))
        })
    }

    /// Notes the row of each job.
    fn number(&mut self) {
        for (row, of_row) in (0u32..).zip(&self.rows) {
            for placed in &of_row.jobs {
                if let Some(row_of) = self.row_of.get_mut(placed.job.index()) {
                    *row_of = Some(row);
                }
            }
        }
    }

    /// How many rows there are: as many as the last job in view needs.
    pub fn len(&self) -> usize {
        self.in_view
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.in_view == 0
    }

    /// Jobs that hold GPUs in view.
    pub fn holding(&self) -> usize {
        self.holding
    }

    /// Jobs that are in view and only wait there: they have no row.
    pub fn only_waiting(&self) -> usize {
        self.only_waiting
    }

    /// The row of a job that holds GPUs in view.
    pub fn row_of(&self, job: JobId) -> Option<usize> {
        self.place_of(job).filter(|_| self.shows(job))
    }

    /// The jobs of a row that hold GPUs in view, in order of time.
    pub fn jobs_in(&self, row: usize) -> impl Iterator<Item = JobId> + '_ {
        self.placed_in(row).map(|placed| placed.job)
    }

    pub(super) fn placed_in(&self, row: usize) -> impl Iterator<Item = &Placed> {
        let placed = self.rows.get(row).zip(self.window).and_then(|(row, window)| {
            let first = row.jobs.partition_point(|placed| placed.end_s <= window.start_s());
            let end = row.jobs.partition_point(|placed| placed.start_s < window.end_s());
            row.jobs.get(first..end)
        });
        placed.unwrap_or_default().iter().filter(|placed| self.shows(placed.job))
    }

    fn shows(&self, job: JobId) -> bool {
        self.is_shown.get(job.index()) == Some(&true)
    }

    fn place_of(&self, job: JobId) -> Option<usize> {
        self.row_of.get(job.index()).copied().flatten().map(|row| row as usize)
    }

    /// The jobs that hold GPUs in a window, in order, each with its group; counts them, and those that only wait.
    fn look_at(&mut self, run: &Run, jobs: &Rows, window: TimeWindow) -> Vec<(usize, Placed)> {
        self.window = Some(window);
        let mut holding = Vec::new();
        self.only_waiting = 0;
        self.is_shown.clear();
        self.is_shown.resize(run.jobs.outcome.len(), false);
        self.groups = jobs.groups().iter().map(|group| (group.name.clone(), 0)).collect();
        let (mut group, mut next) = (0, jobs.groups().iter().skip(1).map(|group| group.first).peekable());
        for (at, &job) in jobs.jobs().iter().enumerate() {
            while next.next_if(|&first| first <= at).is_some() {
                group += 1;
            }
            let Some(placed) = life_of(run, job).filter(|placed| is_within(placed, &window)) else { continue };
            if holds_within(run, job, &window) {
                holding.push((group, placed));
                if let Some((_, jobs)) = self.groups.get_mut(group) {
                    *jobs += 1;
                }
                if let Some(shown) = self.is_shown.get_mut(job.index()) {
                    *shown = true;
                }
            } else {
                self.only_waiting += 1;
            }
        }
        self.holding = holding.len();
        holding
    }

    /// Forgets jobs that are far away, and looks how far the others have come. Whether their rows still hold them.
    fn refresh(&mut self, run: &Run, window: TimeWindow) -> bool {
        let near = TimeWindow::new(window.start_s() - window.span_s(), window.end_s() + window.span_s());
        let Self { rows, row_of, .. } = self;
        for row in rows.iter_mut() {
            row.jobs.retain_mut(|placed| {
                let life = life_of(run, placed.job).filter(|life| is_within(life, &near));
                match (life, row_of.get_mut(placed.job.index())) {
                    (Some(life), _) => *placed = life,
                    (None, Some(row)) => *row = None,
                    (None, None) => {}
                }
                life.is_some()
            });
        }
        rows.iter().all(|row| row.jobs.is_sorted_by(|before, after| before.end_s <= after.start_s))
    }

    fn push(&mut self, row: usize, placed: Placed) {
        if let (Some(of_row), Some(row_of)) = (self.rows.get_mut(row), self.row_of.get_mut(placed.job.index())) {
            insert(&mut of_row.jobs, placed);
            *row_of = Some(row as u32);
        }
    }
}

/// As few rows as can be for jobs in order of their begins: each gets the first of the rows that are free by then.
fn fewest_rows(jobs: Vec<Placed>, gap_s: f64) -> Vec<Vec<Placed>> {
    let mut rows: Vec<Vec<Placed>> = Vec::new();
    let (mut taken, mut free) = (BinaryHeap::new(), BinaryHeap::new());
    for placed in jobs {
        while let Some(&Reverse((order::Number(free_s), row))) = taken.peek()
            && free_s <= placed.start_s
        {
            taken.pop();
            free.push(Reverse(row));
        }
        let row = free.pop().map_or(rows.len(), |Reverse(row)| row);
        match rows.get_mut(row) {
            Some(row) => row.push(placed),
            None => rows.push(vec![placed]),
        }
        taken.push(Reverse((order::Number(placed.end_s + gap_s), row)));
    }
    rows
}

/// Rows in the order of the jobs: each gets the first that is free for it. Jobs beyond the first [`IN_ORDER_MAX`] lie
/// below those, as they begin: more rows are not looked through.
fn rows_in_order(mut jobs: Vec<Placed>, gap_s: f64) -> Vec<Vec<Placed>> {
    let mut others = jobs.split_off(jobs.len().min(IN_ORDER_MAX));
    let mut rows: Vec<Vec<Placed>> = Vec::new();
    for placed in jobs {
        match rows.iter_mut().find(|row| has_room(row, &placed, gap_s)) {
            Some(row) => insert(row, placed),
            None => rows.push(vec![placed]),
        }
    }
    order::sort_by_number(&mut others, |placed| placed.start_s);
    rows.extend(fewest_rows(others, gap_s));
    rows
}

fn insert(row: &mut Vec<Placed>, placed: Placed) {
    row.insert(row.partition_point(|before| before.start_s <= placed.start_s), placed);
}

/// Whether a row is free for a job, with a gap before and after it.
fn has_room(row: &[Placed], placed: &Placed, gap_s: f64) -> bool {
    let at = row.partition_point(|before| before.start_s <= placed.start_s);
    let before = at.checked_sub(1).and_then(|before| row.get(before));
    before.is_none_or(|before| before.end_s + gap_s <= placed.start_s)
        && row.get(at).is_none_or(|after| placed.end_s + gap_s <= after.start_s)
}

/// From a job's first span to its last; `None` if it has none.
fn life_of(run: &Run, job: JobId) -> Option<Placed> {
    let range = run.spans.range_of(job);
    let start_s = *run.spans.start_s.get(range.start).filter(|_| !range.is_empty())?;
    Some(Placed { job, start_s, end_s: *run.spans.end_s.get(range.end - 1)? })
}

fn is_within(placed: &Placed, window: &TimeWindow) -> bool {
    placed.start_s < window.end_s() && placed.end_s > window.start_s()
}

fn holds_within(run: &Run, job: JobId, window: &TimeWindow) -> bool {
    let range = run.spans.range_of(job);
    let ends_s = run.spans.end_s.get(range.clone()).unwrap_or_default();
    let first = range.start + ends_s.partition_point(|&end_s| end_s <= window.start_s());
    let starts_s = run.spans.start_s.get(first..range.end).unwrap_or_default();
    let gpus = run.spans.gpus.get(first..range.end).unwrap_or_default();
    starts_s.iter().zip(gpus).take_while(|(start_s, _)| **start_s < window.end_s()).any(|(_, gpus)| *gpus > 0)
}
