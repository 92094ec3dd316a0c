//! What pictures of a large run are drawn from, kept from frame to frame: levels of detail for each line.

use std::rc::Rc;

use elastiplan_model::JobId;

use crate::band::Patch;
use crate::columns::Segment;
use crate::levels::{Fineness, Levels};

/// Runs with fewer spans are drawn from their spans.
pub(crate) const FROM_SPANS: usize = 20_000;
/// Rows with fewer spans are: about two for each pixel.
pub(crate) const FROM_ROW_SPANS: usize = 2_048;

/// A line at every resolution.
#[derive(Clone, Debug)]
pub(crate) enum LineDetail {
    /// A row of spans that do not overlap.
    Row(Levels<Segment>),
    /// Several rows, or a node.
    Many(Levels<Patch>),
    /// It has so few spans that they are drawn themselves.
    FromSpans,
}

/// What lines of a strip are: lines of equal kinds stand for the same rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Kind {
    /// Rows merged into a line.
    pub rows_per_line: usize,
    /// GPUs in a row; 0 where rows are jobs.
    pub gpus_per_row: u32,
    /// The jobs, in order; nothing where rows are not jobs.
    pub jobs: Vec<JobId>,
    /// The colours of models.
    pub slots: crate::ModelSlots,
}

#[derive(Clone, Debug)]
struct Line {
    detail: Rc<LineDetail>,
    /// Whether it is of an earlier record of the run: it is drawn until it is made again.
    is_stale: bool,
    fineness: Fineness,
}

/// The detail that a line is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingDetail {
    /// All: until it is made, it is drawn from its spans, which takes about as long as making it.
    Everything,
    /// A newer or finer version: its detail is of an earlier record of the run, or coarser than the picture could be,
    /// and is drawn all the same, stretched if necessary.
    Update,
}

/// Levels of detail of one run's strip. They are made line by line, as time allows: see `Strip::prepare`. A line that
/// has none yet is drawn from the one that it had in an earlier record of the run, or from its spans.
#[derive(Clone, Debug, Default)]
pub struct Detail {
    kind: Kind,
    lines: Vec<Option<Line>>,
}

impl Detail {
    /// Makes it fit for lines of this kind: others are forgotten.
    pub(crate) fn fit(&mut self, kind: Kind, lines: usize) {
        if self.kind != kind {
            self.lines.clear();
            self.kind = kind;
        }
        self.lines.resize(lines, None);
    }

    /// Whether it is for lines of this kind.
    pub(crate) fn fits(
        &self,
        jobs: &[JobId],
        rows_per_line: usize,
        gpus_per_row: u32,
        slots: &crate::ModelSlots,
    ) -> bool {
        let kind = &self.kind;
        (kind.rows_per_line, kind.gpus_per_row) == (rows_per_line, gpus_per_row)
            && kind.jobs == jobs
            && kind.slots == *slots
    }

    /// The run has come further: lines for which `is_settled` does not hold are to be made again.
    pub fn outdate(&mut self, is_settled: impl Fn(&[JobId]) -> bool) {
        let per_line = self.kind.rows_per_line.max(1);
        let mut jobs = self.kind.jobs.chunks(per_line);
        for line in &mut self.lines {
            let settled = jobs.next().is_some_and(&is_settled);
            if let Some(line) = line {
                line.is_stale |= !settled;
            }
        }
    }

    /// What a line lacks for a picture that wants it as fine as this.
    pub(crate) fn missing_detail(&self, line: usize, wanted: Fineness) -> Option<MissingDetail> {
        match self.lines.get(line)? {
            None => Some(MissingDetail::Everything),
            Some(line) => (line.is_stale || line.fineness < wanted).then_some(MissingDetail::Update),
        }
    }

    pub(crate) fn set(&mut self, line: usize, detail: LineDetail, fineness: Fineness) {
        if let Some(place) = self.lines.get_mut(line) {
            *place = Some(Line { detail: Rc::new(detail), is_stale: false, fineness });
        }
    }

    pub(crate) fn line(&self, line: usize) -> Option<&LineDetail> {
        Some(&*self.lines.get(line)?.as_ref()?.detail)
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let of_line = |line: &Line| match &*line.detail {
            LineDetail::Row(levels) => levels.bytes(),
            LineDetail::Many(levels) => levels.bytes(),
            LineDetail::FromSpans => 0,
        };
        self.lines.iter().flatten().map(of_line).sum::<usize>() + self.kind.jobs.len() * size_of::<JobId>()
    }
}
