//! Who held which GPU in which state: the log of holdings, read together with the spans of jobs. Nothing of that is
//! kept: a million pieces would take more memory than the record, and longer to put together than a picture of them.

use elastiplan_engine::{Run, SpanState};
use elastiplan_model::{JobId, ModelId, Trace};

/// Holdings of which it is kept what time they reach over.
const BLOCK: usize = 64;

/// A job had GPUs of a node, in one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Whose they were.
    pub job: JobId,
    /// Which GPUs of the node: bit `k` is GPU `k`.
    pub mask: u64,
    /// From, in seconds on the clock of the trace.
    pub start_s: f64,
    /// Until, in seconds on the clock of the trace.
    pub end_s: f64,
    /// What the job did with them.
    pub state: SpanState,
}

/// Where to look for who held which GPU in which state. It is of one record of a run, and handed that record again
/// whenever it is asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tenancy {
    gpus_per_node: u32,
    nodes: u32,
    holdings: usize,
    /// The earliest begin and the latest end of each block of holdings, in seconds; the blocks of node `n` are
    /// `first_block[n]..first_block[n + 1]`.
    reach_s: Vec<(f64, f64)>,
    first_block: Vec<u32>,
    /// By job: in the trace, jobs are far apart.
    models: Vec<ModelId>,
}

impl Tenancy {
    /// Of a run of a trace; it may be partial.
    pub fn of(run: &Run, trace: &Trace) -> Self {
        let holdings = &run.holdings;
        let nodes = holdings.first.len().saturating_sub(1) as u32;
        let mut tenancy = Self {
            gpus_per_node: run.gpus_per_node.clamp(1, 64),
            nodes,
            holdings: holdings.job.len(),
            models: trace.jobs().iter().map(|job| job.model).collect(),
            ..Self::default()
        };
        for node in 0..nodes {
            tenancy.first_block.push(tenancy.reach_s.len() as u32);
            let range = holdings.range_of(node);
            let starts_s = holdings.start_s.get(range.clone()).unwrap_or_default().chunks(BLOCK);
            let ends_s = holdings.end_s.get(range).unwrap_or_default().chunks(BLOCK);
            let earliest_s = |block: &[f64]| block.iter().copied().fold(f64::INFINITY, f64::min);
            let latest_s = |block: &[f64]| block.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            tenancy.reach_s.extend(starts_s.map(earliest_s).zip(ends_s.map(latest_s)));
        }
        tenancy.first_block.push(tenancy.reach_s.len() as u32);
        tenancy
    }

    /// GPUs of each node; at most 64.
    pub fn gpus_per_node(&self) -> u32 {
        self.gpus_per_node
    }

    /// Nodes that there can be.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Holdings of all nodes.
    pub fn len(&self) -> usize {
        self.holdings
    }

    /// The model of a job.
    pub(crate) fn model_of(&self, job: JobId) -> Option<ModelId> {
        self.models.get(job.index()).copied()
    }

    /// Whether nothing was ever held.
    pub fn is_empty(&self) -> bool {
        self.holdings == 0
    }

    /// What was done with some GPUs of a node in a time, holding by holding: on each GPU in order of time.
    pub(crate) fn within<'a>(
        &'a self,
        run: &'a Run,
        (node, mask): (u32, u64),
        (from_s, to_s): (f64, f64),
    ) -> impl Iterator<Item = Piece> + use<'a> {
        let holdings = self.holdings_within(run, node, from_s, to_s);
        let pieces = holdings.flat_map(move |at| Holding::of(run, at, mask, f64::NEG_INFINITY).into_iter().flatten());
        pieces.filter(move |piece| piece.end_s > from_s && piece.start_s < to_s)
    }

    /// The holdings of some GPUs of a node that reach into a time, as far as they are not over when it begins.
    pub(crate) fn held_within<'a>(
        &'a self,
        run: &'a Run,
        (node, mask): (u32, u64),
        (from_s, to_s): (f64, f64),
    ) -> impl Iterator<Item = Holding<'a>> + use<'a> {
        self.holdings_within(run, node, from_s, to_s).filter_map(move |at| Holding::of(run, at, mask, from_s))
    }

    /// What a job held when, with the nodes.
    pub fn of_job<'a>(&'a self, run: &'a Run, job: JobId) -> impl Iterator<Item = (u32, Piece)> + use<'a> {
        let (spans, holdings) = (&run.spans, &run.holdings);
        let range = spans.range_of(job);
        let from_s = spans.start_s.get(range.start).filter(|_| !range.is_empty()).copied().unwrap_or(f64::INFINITY);
        let to_s = spans.end_s.get(range).and_then(<[f64]>::last).copied().unwrap_or(f64::NEG_INFINITY);
        (0..self.nodes).flat_map(move |node| {
            let of_node = self.holdings_within(run, node, from_s, to_s);
            let its_own = of_node.filter(move |&at| holdings.job.get(at) == Some(&job.0));
            let pieces = its_own.flat_map(move |at| Holding::of(run, at, u64::MAX, from_s).into_iter().flatten());
            pieces.map(move |piece| (node, piece))
        })
    }

    /// Where in the log the holdings of a node lie that reach into a time.
    fn holdings_within<'a>(
        &'a self,
        run: &'a Run,
        node: u32,
        from_s: f64,
        to_s: f64,
    ) -> impl Iterator<Item = usize> + use<'a> {
        let range = run.holdings.range_of(node);
        let blocks = match (self.first_block.get(node as usize), self.first_block.get(node as usize + 1)) {
            (Some(&first), Some(&next)) => self.reach_s.get(first as usize..next as usize).unwrap_or_default(),
            _ => &[],
        };
        let reaches = move |start_s: f64, end_s: f64| end_s > from_s && start_s < to_s;
        let in_view = blocks.iter().enumerate().filter(move |(_, reach)| reaches(reach.0, reach.1));
        let at = in_view.flat_map(move |(block, _)| {
            let first = range.start + block * BLOCK;
            first..(first + BLOCK).min(range.end)
        });
        let (starts_s, ends_s) = (&run.holdings.start_s, &run.holdings.end_s);
        at.filter(move |&at| match (starts_s.get(at), ends_s.get(at)) {
            (Some(&start_s), Some(&end_s)) => reaches(start_s, end_s),
            _ => false,
        })
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let blocks = self.reach_s.len() * size_of::<(f64, f64)>() + self.first_block.len() * size_of::<u32>();
        blocks + self.models.len() * size_of::<ModelId>()
    }
}

/// A job has GPUs of a node for a while: its pieces, one for each state of the job.
pub(crate) struct Holding<'a> {
    /// Whose they are.
    pub job: JobId,
    /// Which GPUs of the node.
    pub mask: u64,
    /// The part that has not been returned begins here.
    pub from_s: f64,
    /// Until then it has them.
    pub end_s: f64,
    /// Ends and states of the spans of the job that are not over by then.
    ends_s: &'a [f64],
    states: &'a [SpanState],
}

impl<'a> Holding<'a> {
    /// The one at a place in the log, as far as it comes after `not_before_s`; nothing if it has none of the GPUs in
    /// `mask`.
    fn of(run: &'a Run, at: usize, mask: u64, not_before_s: f64) -> Option<Self> {
        let (holdings, spans) = (&run.holdings, &run.spans);
        let held = *holdings.mask.get(at)?;
        if held & mask == 0 {
            return None;
        }
        let (job, end_s) = (JobId(*holdings.job.get(at)?), *holdings.end_s.get(at)?);
        let from_s = holdings.start_s.get(at)?.max(not_before_s);
        let range = spans.range_of(job);
        let ends_s = spans.end_s.get(range.clone())?;
        let over = ends_s.partition_point(|&span_end_s| span_end_s <= from_s);
        let states = spans.state.get(range.start + over..range.end)?;
        Some(Self { job, mask: held, from_s, end_s, ends_s: ends_s.get(over..)?, states })
    }
}

impl Iterator for Holding<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        if self.from_s >= self.end_s {
            return None;
        }
        let with_gpus = |state: &SpanState| if crate::columns::holds(*state) { *state } else { SpanState::Running };
        let (start_s, state) = (self.from_s, self.states.first().map_or(SpanState::Running, with_gpus));
        // What a job does on, it does on: a change of GPUs elsewhere is no news here.
        while self.states.first().map_or(SpanState::Running, with_gpus) == state && self.from_s < self.end_s {
            let ([span_end_s, ends_s @ ..], [_, states @ ..]) = (self.ends_s, self.states) else {
                self.from_s = self.end_s;
                break;
            };
            self.from_s = span_end_s.min(self.end_s);
            (self.ends_s, self.states) = (ends_s, states);
        }
        Some(Piece { job: self.job, mask: self.mask, start_s, end_s: self.from_s, state })
    }
}
