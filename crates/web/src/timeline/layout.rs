//! How much room each run gets: the heights of the rows, which runs are open, and the width of the pictures. It does
//! not know the DOM.

use crate::state::order::Show;

/// Height of the head of a row.
pub const HEAD_PX: f64 = 22.0;
/// A row that is closed: its head, and a picture of its GPUs.
pub const CLOSED_PX: f64 = 40.0;
/// A row on a narrow page: its head, and a picture of 40.
pub const NARROW_PX: f64 = 64.0;
/// The same for the one run that is open.
const NARROW_OPEN_PX: f64 = 320.0;
/// An open row shows at least eight jobs at a pitch of 14.
const OPEN_MIN_PX: f64 = HEAD_PX + 8.0 * 14.0;
/// What an open row needs beside its jobs: its head, and the GPUs in use below them.
const BESIDE_JOBS_PX: f64 = HEAD_PX + 40.0;
/// The least height of a job that can be told from its neighbours.
const JOB_MIN_PX: f64 = 3.0;
/// More jobs than this are packed, and need no row each.
const JOBS_MAX: usize = 100;
/// Least width of the pictures.
pub const PICTURE_MIN_PX: f64 = 360.0;
/// Most width of the pictures that the divider gives them.
pub const PICTURE_MAX_PX: f64 = 1000.0;
/// What the numbers get, where the divider has not been moved.
const NUMBERS_PX: f64 = 528.0;
/// What the divider leaves to the numbers at least.
const NUMBERS_MIN_PX: f64 = 160.0;

/// The height of every row, where all are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSize {
    /// Pictures of 22.
    Small,
    /// Pictures of 62.
    Medium,
    /// Pictures of 146.
    Tall,
}

impl RowSize {
    /// All of them, the smallest first.
    pub const ALL: [RowSize; 3] = [RowSize::Small, RowSize::Medium, RowSize::Tall];

    /// The height of a row.
    pub fn px(self) -> f64 {
        match self {
            RowSize::Small => 44.0,
            RowSize::Medium => 84.0,
            RowSize::Tall => 168.0,
        }
    }

    /// The text of its choice.
    pub fn label(self) -> &'static str {
        match self {
            RowSize::Small => "small",
            RowSize::Medium => "medium",
            RowSize::Tall => "tall",
        }
    }

    /// The one with this text.
    pub fn named(label: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|size| size.label() == label)
    }

    /// The largest height with which so many rows fit, between that of small and that of tall ones.
    pub fn fitting_px(rows: usize, available_px: f64) -> f64 {
        (available_px / rows.max(1) as f64).floor().clamp(RowSize::Small.px(), RowSize::Tall.px())
    }
}

/// What the user has set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The height of rows that are all equal; `None` for the largest that fits.
    pub size: Option<RowSize>,
    /// The width of the pictures, if the divider was moved.
    pub picture_px: Option<f64>,
    /// The runs that are open, by slot, if any was opened or closed by hand.
    opened: Option<Vec<usize>>,
}

/// What the rows are made for.
#[derive(Clone, Copy, Debug)]
pub struct Room<'a> {
    /// The height that there is for all rows.
    pub available_px: f64,
    /// The kind of rows in the pictures.
    pub show: Show,
    /// How many rows an open picture would have; as many as there can be, where jobs share rows.
    pub rows: usize,
    /// The slots of the shown runs, in order.
    pub slots: &'a [usize],
    /// The slots of runs that are open first: the baseline and the best.
    pub first: [usize; 2],
    /// Whether the page has one narrow column.
    pub is_narrow: bool,
}

/// The row of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunRow {
    /// Its height.
    pub height_px: f64,
    /// Whether it shows jobs, GPUs or nodes; otherwise its GPUs are stacked.
    pub is_open: bool,
}

impl Layout {
    /// As it is at first, with the divider where it was left.
    pub fn with_picture(picture_px: Option<f64>) -> Self {
        Self { picture_px, ..Self::default() }
    }

    /// The rows of the shown runs, in their order.
    pub fn rows(&self, room: &Room) -> Vec<RunRow> {
        if room.is_narrow {
            return room.slots.iter().map(|slot| self.narrow_row(*slot, room)).collect();
        }
        if room.show.is_stacked() {
            let fitting_px = RowSize::fitting_px(room.slots.len(), room.available_px);
            let height_px = self.size.map_or(fitting_px, RowSize::px);
            return vec![RunRow { height_px, is_open: false }; room.slots.len()];
        }
        let is_open = self.open(room);
        let open = is_open.iter().filter(|is_open| **is_open).count();
        let closed_px = (is_open.len() - open) as f64 * CLOSED_PX;
        let share_px = ((room.available_px - closed_px) / open.max(1) as f64).floor().max(OPEN_MIN_PX);
        let row = |is_open: bool| RunRow { height_px: if is_open { share_px } else { CLOSED_PX }, is_open };
        is_open.into_iter().map(row).collect()
    }

    /// On a narrow page all GPUs are stacked, but those of the run that was opened by hand.
    fn narrow_row(&self, slot: usize, room: &Room) -> RunRow {
        let is_open = !room.show.is_stacked() && self.opened.as_ref().is_some_and(|opened| opened.contains(&slot));
        RunRow { height_px: if is_open { NARROW_OPEN_PX } else { NARROW_PX }, is_open }
    }

    /// Which of the shown runs are open. At first all of them, if each job then has a row that can be seen; otherwise
    /// the baseline and the best.
    fn open(&self, room: &Room) -> Vec<bool> {
        if let Some(opened) = &self.opened {
            return room.slots.iter().map(|slot| opened.contains(slot)).collect();
        }
        let jobs_px = if room.rows > JOBS_MAX { OPEN_MIN_PX - HEAD_PX } else { room.rows as f64 * JOB_MIN_PX };
        let all_fit = (jobs_px + BESIDE_JOBS_PX) * room.slots.len() as f64 <= room.available_px;
        let is_few = room.slots.len() <= 2;
        room.slots.iter().map(|slot| all_fit || is_few || room.first.contains(slot)).collect()
    }

    /// Opens or closes a run; with `only`, opens it and closes all others.
    pub fn toggle(&mut self, slot: usize, only: bool, room: &Room) {
        let is_open: Vec<bool> = self.rows(room).iter().map(|row| row.is_open).collect();
        let open = room.slots.iter().zip(is_open).filter(|(_, is_open)| *is_open).map(|(slot, _)| *slot);
        let open: Vec<usize> = open.collect();
        let is_closing = open.contains(&slot) && (!only || open.len() == 1);
        let only = only || room.is_narrow;
        let mut open = if only { Vec::new() } else { open };
        if is_closing {
            open.retain(|other| *other != slot);
        } else {
            open.push(slot);
        }
        self.opened = Some(open);
    }

    /// Opens a run and closes all others.
    pub fn open_only(&mut self, slot: usize) {
        self.opened = Some(vec![slot]);
    }

    /// Forgets which runs were opened and closed by hand.
    pub fn forget_opened(&mut self) {
        self.opened = None;
    }

    /// The run after the one that is open, of those that are shown; the first after the last, and if none is open.
    pub fn next_open(&self, slots: &[usize]) -> Option<usize> {
        let is_open = |slot: &usize| self.opened.as_ref().is_some_and(|opened| opened.contains(slot));
        let open = slots.iter().position(is_open);
        slots.get(open.map_or(0, |open| open + 1)).or(slots.first()).copied()
    }

    /// The width of the pictures on a stage of this width.
    pub fn picture_px(&self, stage_px: f64) -> f64 {
        let most_px = (stage_px - NUMBERS_MIN_PX).max(PICTURE_MIN_PX);
        let wanted_px = self.picture_px.unwrap_or(stage_px - NUMBERS_PX);
        wanted_px.clamp(PICTURE_MIN_PX, most_px).round()
    }

    /// Whether a run was opened or closed by hand.
    pub fn is_by_hand(&self) -> bool {
        self.opened.is_some()
    }

    /// Moves the divider.
    pub fn divide(&mut self, picture_px: f64) {
        self.picture_px = Some(picture_px.clamp(PICTURE_MIN_PX, PICTURE_MAX_PX).round());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(available_px: f64, slots: &[usize]) -> Room<'_> {
        Room { available_px, show: Show::Jobs, rows: 48, slots, first: [0, 2], is_narrow: false }
    }

    fn check(layout: &Layout, room: &Room, expected: &[(f64, bool)]) {
        let rows: Vec<(f64, bool)> = layout.rows(room).iter().map(|row| (row.height_px, row.is_open)).collect();
        assert_eq!(rows, expected);
    }

    #[test]
    fn baseline_and_best_are_open_where_not_all_can_be() {
        let layout = Layout::default();
        check(&layout, &room(440.0, &[0, 1, 2]), &[(200.0, true), (40.0, false), (200.0, true)]);
        check(&layout, &room(660.0, &[0, 1, 2]), &[(220.0, true), (220.0, true), (220.0, true)]);
        check(&layout, &room(300.0, &[1, 3]), &[(150.0, true), (150.0, true)]);
    }

    #[test]
    fn a_narrow_page_opens_one_run_at_a_time() {
        let mut layout = Layout::default();
        let room = Room { is_narrow: true, ..room(300.0, &[0, 1]) };
        check(&layout, &room, &[(64.0, false), (64.0, false)]);
        layout.toggle(1, false, &room);
        check(&layout, &room, &[(64.0, false), (320.0, true)]);
        layout.toggle(0, false, &room);
        check(&layout, &room, &[(320.0, true), (64.0, false)]);
        layout.toggle(0, false, &room);
        check(&layout, &room, &[(64.0, false), (64.0, false)]);
    }

    #[test]
    fn a_narrow_page_goes_from_run_to_run() {
        let mut layout = Layout::default();
        let mut check = |expected: usize| {
            let next = layout.next_open(&[0, 2, 5]).unwrap();
            assert_eq!(next, expected);
            layout.open_only(next);
        };
        check(0);
        check(2);
        check(5);
        check(0);
        assert_eq!(Layout::default().next_open(&[]), None);
        layout.forget_opened();
        assert!(!layout.is_by_hand());
    }

    #[test]
    fn an_open_run_shows_eight_jobs_even_where_that_does_not_fit() {
        check(&Layout::default(), &room(100.0, &[0, 1, 2]), &[(134.0, true), (40.0, false), (134.0, true)]);
        check(&Layout::default(), &room(0.0, &[0]), &[(134.0, true)]);
        check(&Layout::default(), &room(0.0, &[]), &[]);
    }

    #[test]
    fn runs_are_opened_and_closed_by_hand() {
        let mut layout = Layout::default();
        let room = room(440.0, &[0, 1, 2]);
        layout.toggle(1, false, &room);
        check(&layout, &room, &[(146.0, true), (146.0, true), (146.0, true)]);
        layout.toggle(0, false, &room);
        check(&layout, &room, &[(40.0, false), (200.0, true), (200.0, true)]);
        layout.toggle(2, true, &room);
        check(&layout, &room, &[(40.0, false), (40.0, false), (360.0, true)]);
        layout.toggle(2, false, &room);
        check(&layout, &room, &[(40.0, false); 3]);
    }

    #[test]
    fn equal_rows_are_as_large_as_all_of_them_fit() {
        for (rows, available_px, expected_px) in
            [(3, 520.0, 168.0), (4, 520.0, 130.0), (6, 520.0, 86.0), (50, 520.0, 44.0), (0, 0.0, 44.0)]
        {
            assert_eq!(RowSize::fitting_px(rows, available_px), expected_px, "{rows} rows in {available_px} px");
        }
        assert!(RowSize::ALL.into_iter().all(|size| RowSize::named(size.label()) == Some(size)));
    }

    #[test]
    fn the_divider_stays_within_its_ends() {
        let mut layout = Layout::default();
        assert_eq!(
            [1672.0, 1192.0, 1072.0, 700.0].map(|stage_px| layout.picture_px(stage_px)),
            [1144.0, 664.0, 544.0, 360.0]
        );
        layout.divide(12.0);
        assert_eq!(layout.picture_px(1192.0), 360.0);
        layout.divide(4000.0);
        assert_eq!(layout.picture_px(1192.0), 1000.0);
        assert_eq!(layout.picture_px(1072.0), 912.0, "some numbers are always there");
    }
}
