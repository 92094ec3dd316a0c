//! Who held which GPU in which state: the log of holdings, read together with the spans of jobs. Nothing of that is
//! kept: a million pieces would take more memory than the record, and longer to put together than a picture of them.

use std::ops::Range;

use elastiplan_engine::{Run, SpanState};
use elastiplan_model::JobId;

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
}

impl Tenancy {
    /// Of a run; it may be partial.
    pub fn of(run: &Run) -> Self {
        let holdings = &run.holdings;
        let nodes = holdings.first.len().saturating_sub(1) as u32;
        let mut tenancy = Self {
            gpus_per_node: run.gpus_per_node.clamp(1, 64),
            nodes,
            holdings: holdings.job.len(),
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

    /// Whether nobody ever held anything.
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
        let pieces = self.holdings_within(run, node, from_s, to_s).flat_map(move |at| Pieces::of(run, at, mask));
        pieces.filter(move |piece| piece.end_s > from_s && piece.start_s < to_s)
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
            its_own.flat_map(move |at| Pieces::of(run, at, u64::MAX)).map(move |piece| (node, piece))
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
        self.reach_s.len() * size_of::<(f64, f64)>() + self.first_block.len() * size_of::<u32>()
    }
}

/// A holding, cut where the state of its job changes.
struct Pieces<'a> {
    run: &'a Run,
    job: JobId,
    mask: u64,
    /// What is not told yet begins here.
    from_s: f64,
    end_s: f64,
    /// The spans of the job that are not over by then.
    spans: Range<usize>,
}

impl<'a> Pieces<'a> {
    /// Of a holding; nothing if it has none of the GPUs in `mask`.
    fn of(run: &'a Run, at: usize, mask: u64) -> Self {
        let holdings = &run.holdings;
        let row = (holdings.job.get(at), holdings.mask.get(at), holdings.start_s.get(at), holdings.end_s.get(at));
        let (Some(&job), Some(&held), Some(&from_s), Some(&end_s)) = row else { return Self::none(run) };
        if held & mask == 0 {
            return Self::none(run);
        }
        let range = run.spans.range_of(JobId(job));
        let ends_s = run.spans.end_s.get(range.clone()).unwrap_or_default();
        let first = range.start + ends_s.partition_point(|&span_end_s| span_end_s <= from_s);
        Self { run, job: JobId(job), mask: held, from_s, end_s, spans: first..range.end }
    }

    fn none(run: &'a Run) -> Self {
        Self { run, job: JobId(0), mask: 0, from_s: 0.0, end_s: 0.0, spans: 0..0 }
    }

    fn state(&self) -> SpanState {
        let state = self.run.spans.state.get(self.spans.start).filter(|_| !self.spans.is_empty());
        state.copied().filter(|&state| crate::columns::holds(state)).unwrap_or(SpanState::Running)
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        if self.from_s >= self.end_s {
            return None;
        }
        let (start_s, state) = (self.from_s, self.state());
        // What a job does on, it does on: a change of GPUs elsewhere is no news here.
        while self.from_s < self.end_s && self.state() == state {
            let span_end_s = self.run.spans.end_s.get(self.spans.start).filter(|_| !self.spans.is_empty());
            self.from_s = span_end_s.copied().unwrap_or(f64::INFINITY).min(self.end_s);
            self.spans.start += 1;
        }
        Some(Piece { job: self.job, mask: self.mask, start_s, end_s: self.from_s, state })
    }
}
