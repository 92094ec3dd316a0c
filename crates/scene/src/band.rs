//! Columns of many rows at once: how much GPU-time each model and each state has in each pixel column. Bands of rows and
//! nodes are drawn from it. A span costs the same however many columns it covers.

use std::ops::Range;

use elastiplan_engine::{Run, SpanState};
use elastiplan_model::{JobId, Trace};

use crate::columns::{FULL, Ruler, visible};
use crate::slots::{ModelSlot, ModelSlots};

/// GPUs held, by model, state and pixel column, and jobs that hold none.
pub(crate) struct Tally {
    columns: usize,
    /// A sum for each slot, then one for each of the others.
    sums: [Steps; CHANNELS],
}

const WAITING: usize = ModelSlot::COUNT;
const PREEMPTED: usize = WAITING + 1;
const RESCALING: usize = WAITING + 2;
const RECOVERING: usize = WAITING + 3;
const AWAY: usize = WAITING + 4;
const CHANNELS: usize = WAITING + 5;

/// A sum of intervals: what they take of each column. The columns between the ends of an interval are kept as a
/// difference to the column before until they are summed.
#[derive(Clone, Default)]
struct Steps {
    columns: Vec<Column>,
    /// The columns that anything was added to; there is nothing in all others.
    touched: Range<usize>,
}

/// What intervals that begin or end in a column take of it, and by how much those that cover it whole, and what
/// follows, rise or fall there.
#[derive(Clone, Copy, Default)]
struct Column {
    ends: f64,
    rise: f64,
}

impl Steps {
    fn clear(&mut self, columns: usize) {
        if let Some(touched) = self.columns.get_mut(self.touched.clone()) {
            touched.fill(Column::default());
        }
        self.columns.resize(columns + 1, Column::default());
        self.touched = 0..0;
    }

    /// Adds an interval. One that begins and ends in the same column is no special case: what it raises there, it
    /// lowers there.
    fn add(&mut self, from: f64, to: f64, height: f64) {
        let (first, last) = (from as usize, to as usize);
        self.touched = match self.touched.is_empty() {
            true => first..last + 1,
            false => self.touched.start.min(first)..self.touched.end.max(last + 1),
        };
        if let Some(begin) = self.columns.get_mut(first) {
            begin.ends -= (from - first as f64) * height;
            begin.rise += height;
        }
        if let Some(end) = self.columns.get_mut(last) {
            end.ends += (to - last as f64) * height;
            end.rise -= height;
        }
    }

    /// Turns ends and rises into what is taken of each column.
    fn sum(&mut self) {
        let mut height = 0.0;
        for column in self.columns.get_mut(self.touched.clone()).unwrap_or_default() {
            height += column.rise;
            column.ends += height;
        }
    }

    /// Makes one column of two. What intervals rise by has done its duty.
    fn halve(&mut self) {
        let from = self.touched.start / 2;
        let to = self.touched.end.div_ceil(2);
        for column in from..to {
            let ends = (self.at(2 * column) + self.at(2 * column + 1)) / 2.0;
            if let Some(place) = self.columns.get_mut(column) {
                *place = Column { ends, rise: 0.0 };
            }
        }
        if let Some(rest) = self.columns.get_mut(to..self.touched.end.max(to)) {
            rest.fill(Column::default());
        }
        if let Some(rest) = self.columns.get_mut(to..) {
            rest.iter_mut().take(1).for_each(|column| *column = Column::default());
        }
        self.touched = from..to;
    }

    fn at(&self, column: usize) -> f64 {
        if !self.touched.contains(&column) {
            return 0.0;
        }
        self.columns.get(column).map_or(0.0, |column| column.ends)
    }
}

/// Consecutive columns of a line that show the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Patch {
    /// First column, counted from the left of the plot.
    pub from: usize,
    /// One past the last column.
    pub to: usize,
    /// Whom it shows.
    pub shown: Shown,
    /// How many of the GPUs are held, of [`FULL`]; all in a band of jobs.
    pub held: u8,
    /// How many of the GPUs are away, of [`FULL`].
    pub away: u8,
    /// Whether those that hold GPUs mostly stand still: they rescale or recover.
    pub standing: Option<SpanState>,
}

/// What a column shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// No job is present.
    Nothing,
    /// Jobs, none of which holds GPUs.
    Waiting,
    /// Jobs that lost their GPUs, and none that holds some.
    Preempted,
    /// Jobs that hold GPUs, most of them of this model.
    Model(ModelSlot),
}

/// Differences of whole numbers cancel exactly; the ends of spans leave dust.
const DUST: f64 = 1e-9;

impl Tally {
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns, sums: Default::default() }
    }

    /// Forgets what it held, and counts this many columns.
    pub(crate) fn clear(&mut self, columns: usize) {
        self.columns = columns;
        for steps in &mut self.sums {
            steps.clear(columns);
        }
    }

    /// Forgets what it held, and sums these jobs.
    pub(crate) fn fill(&mut self, run: &Run, trace: &Trace, slots: &ModelSlots, jobs: &[JobId], ruler: Ruler) {
        self.clear(ruler.columns);
        let spans = &run.spans;
        for &job in jobs {
            let slot = trace.jobs().get(job.index()).map_or(ModelSlot::OTHER, |job| slots.of(job.model));
            for (at, from, to) in visible(spans, spans.range_of(job), ruler) {
                let gpus = spans.gpus.get(at).copied().unwrap_or(0);
                let state = spans.state.get(at).copied().unwrap_or(SpanState::Waiting);
                self.add(slot, state, gpus, from, to);
            }
        }
        self.sum();
    }

    /// Adds GPUs in a state, or a job without GPUs.
    pub(crate) fn add(&mut self, slot: ModelSlot, state: SpanState, gpus: u32, from: f64, to: f64) {
        match (gpus, state) {
            (0, SpanState::Preempted) => self.add_to(PREEMPTED, 1, from, to),
            (0, _) => self.add_to(WAITING, 1, from, to),
            (gpus, state) => {
                self.add_held(slot, gpus, from, to);
                self.add_standing(state, gpus, from, to);
            }
        }
    }

    /// Adds GPUs that jobs of a model hold.
    pub(crate) fn add_held(&mut self, slot: ModelSlot, gpus: u32, from: f64, to: f64) {
        self.add_to(slot.index(), gpus, from, to);
    }

    /// Adds GPUs that are held, if they stand still in this state.
    pub(crate) fn add_standing(&mut self, state: SpanState, gpus: u32, from: f64, to: f64) {
        match state {
            SpanState::Rescaling => self.add_to(RESCALING, gpus, from, to),
            SpanState::Recovering => self.add_to(RECOVERING, gpus, from, to),
            _ => {}
        }
    }

    fn add_to(&mut self, sum: usize, count: u32, from: f64, to: f64) {
        if let Some(steps) = self.sums.get_mut(sum) {
            steps.add(from, to, count.into());
        }
    }

    /// Adds GPUs that are away.
    pub(crate) fn add_away(&mut self, gpus: u32, from: f64, to: f64) {
        self.add_to(AWAY, gpus, from, to);
    }

    /// After everything was added.
    pub(crate) fn sum(&mut self) {
        for steps in &mut self.sums {
            steps.sum();
        }
    }

    /// Makes one column of every two.
    pub(crate) fn halve(&mut self) {
        self.columns = self.columns.div_ceil(2);
        for steps in &mut self.sums {
            steps.halve();
        }
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    fn at(&self, sum: usize, column: usize) -> f64 {
        self.sums.get(sum).map_or(0.0, |steps| steps.at(column))
    }

    /// The columns that anything was added to.
    fn touched(&self) -> Range<usize> {
        let touched = || self.sums.iter().map(|steps| &steps.touched).filter(|touched| !touched.is_empty());
        let first = touched().map(|range| range.start).min().unwrap_or(0);
        let end = touched().map(|range| range.end).max().unwrap_or(0);
        first.min(self.columns)..end.min(self.columns)
    }

    /// What a band of jobs shows, left to right, without columns that show nothing: the model with most GPU-time.
    pub(crate) fn of_jobs(&self) -> Vec<Patch> {
        seen(self.patches(|column| {
            let shown = match self.dominant(column) {
                Some((slot, _)) => Shown::Model(slot),
                None if self.at(WAITING, column) > DUST => Shown::Waiting,
                None if self.at(PREEMPTED, column) > DUST => Shown::Preempted,
                None => Shown::Nothing,
            };
            Patch { from: column, to: column + 1, shown, held: FULL, away: 0, standing: None }
        }))
    }

    /// What a line of so many GPUs shows, left to right, without columns that show nothing.
    pub(crate) fn of_gpus(&self, gpus: u32) -> Vec<Patch> {
        let unit = f64::from(FULL) / f64::from(gpus.max(1));
        let share = |area: f64| (area * unit).round().clamp(0.0, f64::from(FULL)) as u8;
        let mut patches = self.patches(|column| {
            let (shown, held) =
                self.dominant(column).map_or((Shown::Nothing, 0.0), |(slot, held)| (Shown::Model(slot), held));
            // Nodes that are in use for a moment only are still seen.
            let at_least = u8::from(held > DUST);
            let away = share(self.at(AWAY, column));
            let held_share = share(held).max(at_least).min(FULL - away.min(FULL - at_least));
            let (rescaling, recovering) = (self.at(RESCALING, column), self.at(RECOVERING, column));
            let standing =
                (rescaling + recovering > held / 2.0 && held > DUST).then_some(match rescaling >= recovering {
                    true => SpanState::Rescaling,
                    false => SpanState::Recovering,
                });
            Patch { from: column, to: column + 1, shown, held: held_share, away, standing }
        });
        crisp(&mut patches);
        seen(patches)
    }

    /// The model with most GPU-time in a column, and what all models have.
    fn dominant(&self, column: usize) -> Option<(ModelSlot, f64)> {
        let (mut most, mut all) = ((DUST, None), 0.0);
        for (slot, steps) in (0..ModelSlot::COUNT).map(ModelSlot::new).zip(&self.sums) {
            let area = steps.at(column);
            all += area;
            if area > most.0 {
                most = (area, Some(slot));
            }
        }
        most.1.map(|slot| (slot, all))
    }

    fn patches(&self, of_column: impl Fn(usize) -> Patch) -> Vec<Patch> {
        let mut patches: Vec<Patch> = Vec::new();
        for patch in self.touched().map(of_column) {
            let same = |before: &&mut Patch| Patch { from: patch.from, to: patch.to, ..**before } == patch;
            match patches.last_mut().filter(|before| before.to == patch.from).filter(same) {
                Some(before) => before.to = patch.to,
                None => patches.push(patch),
            }
        }
        patches
    }
}

fn seen(mut patches: Vec<Patch>) -> Vec<Patch> {
    patches.retain(|patch| patch.shown != Shown::Nothing || patch.away > 0);
    patches
}

/// A column in which one wide patch goes over into another looks like the one that takes most of it: edges are whole
/// pixels, off by at most half a column.
fn crisp(patches: &mut Vec<Patch>) {
    let (mut kept, mut at) = (Vec::with_capacity(patches.len()), 0);
    let nothing = Patch { from: 0, to: 0, shown: Shown::Nothing, held: 0, away: 0, standing: None };
    let share = |patch: &Patch| (i32::from(patch.held), i32::from(patch.away));
    let between = |value: i32, a: i32, b: i32| (a.min(b)..=a.max(b)).contains(&value);
    while let Some(patch) = patches.get(at).copied() {
        let before: Option<Patch> = kept.last().copied();
        let (left, right) = (before.unwrap_or(nothing), patches.get(at + 1).copied().unwrap_or(nothing));
        let is_edge = |side: &Patch, is_there: bool| !is_there || side.to - side.from > 1;
        let (held, away) = share(&patch);
        let (to_left, to_right) = (share(&left), share(&right));
        let goes_over = patch.to - patch.from == 1
            && is_edge(&left, before.is_some())
            && is_edge(&right, at + 1 < patches.len())
            && between(held, to_left.0, to_right.0)
            && between(away, to_left.1, to_right.1)
            && to_left != to_right;
        at += 1;
        if !goes_over {
            kept.push(patch);
            continue;
        }
        let distance = |side: (i32, i32)| (side.0 - held).abs() + (side.1 - away).abs();
        match (distance(to_left) <= distance(to_right), kept.last_mut()) {
            (true, Some(left)) => left.to = patch.to,
            // Left of everything there is nothing.
            (true, None) => {}
            (false, _) => {
                if let Some(right) = patches.get_mut(at) {
                    right.from = patch.from;
                }
            }
        }
    }
    *patches = kept;
}
