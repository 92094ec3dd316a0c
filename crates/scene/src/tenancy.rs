//! Who held which GPU in which state: the log of holdings and the spans of jobs, put together.

use std::ops::Range;

use elastiplan_engine::{Run, SpanState};
use elastiplan_model::JobId;

/// Pieces whose latest end is kept together.
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

/// Who held which GPU in which state, node by node, in order of time. Made once for a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tenancy {
    gpus_per_node: u32,
    nodes: u32,
    /// For node `n`, its pieces are `first[n]..first[n + 1]`.
    first: Vec<u32>,
    pieces: Vec<Piece>,
    /// The latest end of any piece of a block of a node, blocks counted on from node to node.
    block_end_s: Vec<f64>,
    first_block: Vec<u32>,
    /// For job `j`, where its pieces are: `of_job[first_of_job[j]..first_of_job[j + 1]]`, with their nodes.
    first_of_job: Vec<u32>,
    of_job: Vec<(u32, u32)>,
}

impl Tenancy {
    /// Of a run; it may be partial.
    pub fn of(run: &Run) -> Self {
        let gpus_per_node = run.gpus_per_node.clamp(1, 64);
        let nodes = run.holdings.first.len().saturating_sub(1) as u32;
        let mut tenancy = Self { gpus_per_node, nodes, ..Self::default() };
        for node in 0..nodes {
            tenancy.first.push(tenancy.pieces.len() as u32);
            tenancy.first_block.push(tenancy.block_end_s.len() as u32);
            let begin = tenancy.pieces.len();
            run.holdings.range_of(node).for_each(|at| tenancy.cut(run, at));
            let of_node = tenancy.pieces.get_mut(begin..).unwrap_or_default();
            of_node.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
            let latest_s = |block: &[Piece]| block.iter().map(|piece| piece.end_s).fold(f64::NEG_INFINITY, f64::max);
            tenancy.block_end_s.extend(of_node.chunks(BLOCK).map(latest_s));
        }
        tenancy.first.push(tenancy.pieces.len() as u32);
        tenancy.first_block.push(tenancy.block_end_s.len() as u32);
        tenancy.index_jobs(run.jobs.outcome.len());
        tenancy
    }

    /// A holding, cut where the state of its job changes.
    fn cut(&mut self, run: &Run, at: usize) {
        let holdings = &run.holdings;
        let row = (holdings.job.get(at), holdings.mask.get(at), holdings.start_s.get(at), holdings.end_s.get(at));
        let (Some(&job), Some(&mask), Some(&start_s), Some(&end_s)) = row else { return };
        let (job, spans) = (JobId(job), &run.spans);
        let range = spans.range_of(job);
        let ends_s = spans.end_s.get(range.clone()).unwrap_or_default();
        let first = range.start + ends_s.partition_point(|&span_end_s| span_end_s <= start_s);
        let mut done_s = start_s;
        for span in (first..range.end).map_while(|at| spans.get(at)).take_while(|span| span.start_s < end_s) {
            let until_s = span.end_s.min(end_s);
            let state = if crate::columns::holds(span.state) { span.state } else { SpanState::Running };
            // What a job does on, it does on: a change of GPUs elsewhere is no news here.
            let grows = |last: &&mut Piece| (last.job, last.mask, last.state, last.end_s) == (job, mask, state, done_s);
            match self.pieces.last_mut().filter(|_| done_s > start_s).filter(grows) {
                Some(last) => last.end_s = until_s,
                None => self.pieces.push(Piece { job, mask, start_s: done_s, end_s: until_s, state }),
            }
            done_s = until_s;
        }
        if done_s < end_s {
            self.pieces.push(Piece { job, mask, start_s: done_s, end_s, state: SpanState::Running });
        }
    }

    fn index_jobs(&mut self, jobs: usize) {
        let mut counts = vec![0u32; jobs + 1];
        for piece in &self.pieces {
            if let Some(count) = counts.get_mut(piece.job.index() + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for count in &mut counts {
            sum += *count;
            *count = sum;
        }
        self.first_of_job = counts.clone();
        self.of_job = vec![(0, 0); sum as usize];
        for node in 0..self.nodes {
            for at in self.range_of(node) {
                let Some(next) = self.pieces.get(at).and_then(|piece| counts.get_mut(piece.job.index())) else {
                    continue;
                };
                if let Some(place) = self.of_job.get_mut(*next as usize) {
                    *place = (node, at as u32);
                }
                *next += 1;
            }
        }
    }

    /// GPUs of each node; at most 64.
    pub fn gpus_per_node(&self) -> u32 {
        self.gpus_per_node
    }

    /// Nodes that there can be.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Pieces of all nodes.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether nobody ever held anything.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    fn range_of(&self, node: u32) -> Range<usize> {
        match (self.first.get(node as usize), self.first.get(node as usize + 1)) {
            (Some(&first), Some(&next)) => first as usize..next as usize,
            _ => 0..0,
        }
    }

    /// How many pieces a node has.
    pub(crate) fn pieces_of(&self, node: u32) -> usize {
        self.range_of(node).len()
    }

    /// The pieces of a node that reach into a time, in order of their begins, with their places.
    pub(crate) fn within(&self, node: u32, from_s: f64, to_s: f64) -> impl Iterator<Item = (usize, &Piece)> {
        let range = self.range_of(node);
        let pieces = self.pieces.get(range.clone()).unwrap_or_default();
        let begun = pieces.partition_point(|piece| piece.start_s < to_s);
        let blocks = self.first_block.get(node as usize).map_or(0, |&first| first as usize);
        let blocks = self.block_end_s.get(blocks..).unwrap_or_default();
        let reaching =
            (0..begun.div_ceil(BLOCK)).filter(move |&block| blocks.get(block).is_some_and(|end_s| *end_s > from_s));
        let at = reaching.flat_map(move |block| block * BLOCK..((block + 1) * BLOCK).min(begun));
        at.filter_map(move |at| Some((range.start + at, pieces.get(at)?)))
            .filter(move |(_, piece)| piece.end_s > from_s)
    }

    /// What a job held when, with the nodes.
    pub fn of_job(&self, job: JobId) -> impl Iterator<Item = (u32, &Piece)> {
        let range = match (self.first_of_job.get(job.index()), self.first_of_job.get(job.index() + 1)) {
            (Some(&first), Some(&next)) => first as usize..next as usize,
            _ => 0..0,
        };
        let places = self.of_job.get(range).unwrap_or_default();
        places.iter().filter_map(|&(node, at)| Some((node, self.pieces.get(at as usize)?)))
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.pieces.len() * (size_of::<Piece>() + size_of::<(u32, u32)>()) + self.first_of_job.len() * 4
    }
}
