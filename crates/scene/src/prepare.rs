//! Making levels of detail, line by line.

use std::ops::Range;

use elastiplan_model::JobId;

use crate::band::Tally;
use crate::columns::{Ruler, items};
use crate::detail::{Detail, FROM_ROW_SPANS, FROM_SPANS, Kind, LineDetail, MissingDetail};
use crate::levels::{Fineness, Levels};
use crate::places::PlaceStrip;
use crate::strip::Strip;
use crate::tenancy::Piece;

impl Strip<'_> {
    /// Makes the levels of detail that the picture wants and `detail` lacks, each if `may_make` says so. Whether all
    /// are there.
    pub fn prepare(&self, detail: &mut Detail, may_make: impl FnMut(MissingDetail) -> bool) -> bool {
        let run = self.run;
        let wanted = Fineness::wanted(run.start_s, run.end_s, self.layout.scale().s_per_px());
        let Some(wanted) = wanted.filter(|_| run.spans.len() >= FROM_SPANS) else { return true };
        let rows_per_line = self.layout.pitch.rows_per_line();
        if !detail.fits(self.rows.jobs(), rows_per_line, 0, self.slots) {
            let (jobs, slots) = (self.rows.jobs().to_vec(), self.slots.clone());
            detail.fit(Kind { rows_per_line, gpus_per_row: 0, jobs, slots }, self.layout.lines());
        }
        let mut tally = Tally::new(0);
        make_lacking(detail, self.layout.visible_lines(), wanted, may_make, |line| {
            let jobs = self.rows.jobs().get(self.layout.rows_of_line(line)).unwrap_or_default();
            self.detail_of(jobs, wanted, &mut tally)
        })
    }

    fn detail_of(&self, jobs: &[JobId], fineness: Fineness, tally: &mut Tally) -> LineDetail {
        let run = self.run;
        match jobs {
            [job] if !self.layout.is_banded() => {
                let range = run.spans.range_of(*job);
                if range.len() < FROM_ROW_SPANS {
                    return LineDetail::FromSpans;
                }
                let slot = self.slot_of(*job);
                let parts = |ruler: Ruler| items(&run.spans, range.clone(), slot, ruler);
                LineDetail::Row(Levels::of_row((run.start_s, run.end_s), fineness, parts))
            }
            jobs => {
                let fill = |tally: &mut Tally, ruler| tally.fill(run, self.trace, self.slots, jobs, ruler);
                LineDetail::Many(Levels::of_many((run.start_s, run.end_s), fineness, tally, fill, Tally::of_jobs))
            }
        }
    }
}

impl PlaceStrip<'_> {
    /// Makes the levels of detail that the picture wants and `detail` lacks, each if `may_make` says so. Whether all
    /// are there.
    pub fn prepare(&self, detail: &mut Detail, may_make: impl FnMut(MissingDetail) -> bool) -> bool {
        let run = self.run;
        let wanted = Fineness::wanted(run.start_s, run.end_s, self.layout.scale().s_per_px());
        let Some(wanted) = wanted.filter(|_| self.tenancy.len() >= FROM_SPANS) else { return true };
        let (rows_per_line, gpus_per_row) = (self.layout.pitch.rows_per_line(), self.gpus_per_row());
        if !detail.fits(&[], rows_per_line, gpus_per_row, self.slots) {
            let kind = Kind { rows_per_line, gpus_per_row, jobs: Vec::new(), slots: self.slots.clone() };
            detail.fit(kind, self.layout.lines());
        }
        let mut tally = Tally::new(0);
        make_lacking(detail, self.layout.visible_lines(), wanted, may_make, |line| {
            self.detail_of(line, wanted, &mut tally)
        })
    }

    fn detail_of(&self, line: usize, fineness: Fineness, tally: &mut Tally) -> LineDetail {
        let (run, gpus) = (self.run, self.gpus_of_line(line));
        if self.holdings_near(&gpus) < FROM_ROW_SPANS {
            return LineDetail::FromSpans;
        }
        let extent_s = (run.start_s, run.end_s);
        if gpus.len() == 1 {
            // Every level is made from them.
            let pieces: Vec<Piece> = self.pieces_of(gpus.start, (f64::NEG_INFINITY, f64::INFINITY)).collect();
            let parts = |ruler: Ruler| pieces.iter().filter_map(move |piece| self.part(piece, ruler));
            return LineDetail::Row(Levels::of_row(extent_s, fineness, parts));
        }
        let count = gpus.len() as u32;
        let fill = |tally: &mut Tally, ruler| self.fill(tally, gpus.clone(), ruler);
        LineDetail::Many(Levels::of_many(extent_s, fineness, tally, fill, |tally| tally.of_gpus(count)))
    }
}

/// Makes lines whose detail is missing, as far as `may_make` allows. Returns whether none is missing any more.
fn make_lacking(
    detail: &mut Detail,
    lines: Range<usize>,
    wanted: Fineness,
    mut may_make: impl FnMut(MissingDetail) -> bool,
    mut make: impl FnMut(usize) -> LineDetail,
) -> bool {
    let mut is_complete = true;
    for line in lines {
        let Some(missing) = detail.missing_detail(line, wanted) else { continue };
        if may_make(missing) {
            detail.set(line, make(line), wanted);
        } else {
            is_complete = false;
        }
    }
    is_complete
}
