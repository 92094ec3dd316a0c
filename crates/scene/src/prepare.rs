//! Making levels of detail, line by line.

use elastiplan_model::JobId;

use crate::band::Tally;
use crate::columns::{Ruler, items};
use crate::detail::{Detail, FROM_ROW_SPANS, FROM_SPANS, Kind, LineDetail};
use crate::levels::{Levels, are_of_use};
use crate::{PlaceStrip, Strip};

impl Strip<'_> {
    /// Makes the levels of detail that the picture wants and `detail` lacks, for as long as `may_go_on`. Whether all
    /// are there.
    pub fn prepare(&self, detail: &mut Detail, mut may_go_on: impl FnMut() -> bool) -> bool {
        let run = self.run;
        if run.spans.len() < FROM_SPANS || !are_of_use(run.start_s, run.end_s, self.layout.scale().s_per_px()) {
            return true;
        }
        let rows_per_line = self.layout.pitch.rows_per_line();
        if !detail.fits(self.rows.jobs(), rows_per_line, 0, self.slots) {
            let (jobs, slots) = (self.rows.jobs().to_vec(), self.slots.clone());
            detail.fit(Kind { rows_per_line, gpus_per_row: 0, jobs, slots }, self.layout.lines());
        }
        let mut tally = Tally::new(0);
        for line in self.layout.visible_lines() {
            if detail.lacks(line) {
                if !may_go_on() {
                    return false;
                }
                let jobs = self.rows.jobs().get(self.layout.rows_of_line(line)).unwrap_or_default();
                detail.set(line, self.detail_of(jobs, &mut tally));
            }
        }
        true
    }

    fn detail_of(&self, jobs: &[JobId], tally: &mut Tally) -> LineDetail {
        let run = self.run;
        match jobs {
            [job] if !self.layout.is_banded() => {
                let range = run.spans.range_of(*job);
                if range.len() < FROM_ROW_SPANS {
                    return LineDetail::FromSpans;
                }
                let slot = self.slot_of(*job);
                let parts = |ruler: Ruler| items(&run.spans, range.clone(), slot, ruler);
                LineDetail::Row(Levels::of_row(run.start_s, run.end_s, parts))
            }
            jobs => {
                let fill = |tally: &mut Tally, ruler| tally.fill(run, self.trace, self.slots, jobs, ruler);
                LineDetail::Many(Levels::of_many((run.start_s, run.end_s), tally, fill, Tally::of_jobs))
            }
        }
    }
}

impl PlaceStrip<'_> {
    /// Makes the levels of detail that the picture wants and `detail` lacks, for as long as `may_go_on`. Whether all
    /// are there.
    pub fn prepare(&self, detail: &mut Detail, mut may_go_on: impl FnMut() -> bool) -> bool {
        let run = self.run;
        let s_per_px = self.layout.scale().s_per_px();
        if self.tenancy.len() < FROM_SPANS || !are_of_use(run.start_s, run.end_s, s_per_px) {
            return true;
        }
        let (rows_per_line, gpus_per_row) = (self.layout.pitch.rows_per_line(), self.gpus_per_row());
        if !detail.fits(&[], rows_per_line, gpus_per_row, self.slots) {
            let kind = Kind { rows_per_line, gpus_per_row, jobs: Vec::new(), slots: self.slots.clone() };
            detail.fit(kind, self.layout.lines());
        }
        let mut tally = Tally::new(0);
        for line in self.layout.visible_lines() {
            if detail.lacks(line) {
                if !may_go_on() {
                    return false;
                }
                detail.set(line, self.detail_of(line, &mut tally));
            }
        }
        true
    }

    fn detail_of(&self, line: usize, tally: &mut Tally) -> LineDetail {
        let (run, gpus) = (self.run, self.gpus_of_line(line));
        if self.pieces_near(&gpus) < FROM_ROW_SPANS {
            return LineDetail::FromSpans;
        }
        if gpus.len() == 1 {
            return LineDetail::Row(Levels::of_row(run.start_s, run.end_s, |ruler| self.parts_of(gpus.start, ruler)));
        }
        let count = gpus.len() as u32;
        let fill = |tally: &mut Tally, ruler| self.fill(tally, gpus.clone(), ruler);
        LineDetail::Many(Levels::of_many((run.start_s, run.end_s), tally, fill, |tally| tally.of_gpus(count)))
    }
}
