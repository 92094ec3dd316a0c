//! Pointing at dots: with a pointer, and with keys from job to job by how much each gains or loses.

use elastiplan_model::JobId;
use elastiplan_model::order::sort_by;
use elastiplan_scene::{Frame, Point};

use crate::drawing::dots::{Spot, nearest, place, spots};
use crate::drawing::hexes::{Hex, SIDE_PX, WIDTH_PX, hexes, is_dense};
use crate::drawing::reading::{Reading, bar_count, extent_of_bars, of_bars, of_lines, reading_at};
use crate::figure::{Dot, Figure};

/// A drag shorter than this is a click.
const CLICK_PX: f64 = 4.0;

/// The share of the plot that a key moves the cursor by.
const CURSOR_STEP: f64 = 0.02;

/// The job pointed at, with the places of all marks.
#[derive(Default)]
pub struct Pointing {
    spots: Vec<Spot>,
    plot: Frame,
    /// By difference; filled when a key first asks for it.
    order: Vec<Dot>,
    /// Where dots are counted, the hexagons.
    hexes: Vec<Hex>,
    /// The job pointed at, with how many lie there.
    pub at: Option<(JobId, u32)>,
    /// The values read, in a figure of lines or bars.
    pub reading: Option<Reading>,
    /// The start and the present end of a drag.
    drag: Option<(Point, Point)>,
}

/// A step from job to job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the next job that gains less.
    Next,
    /// To the next job that gains more.
    Previous,
    /// To the one that gains most.
    First,
    /// To the one that loses most.
    Last,
}

/// The end of a drag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Released {
    /// On a job.
    Click(JobId),
    /// Over nothing.
    Nowhere,
    /// Over a range across and a range up.
    Range((f64, f64), (f64, f64)),
}

impl Pointing {
    /// The figure lies in this plot.
    pub fn lay_out(&mut self, figure: &Figure, plot: Frame) {
        self.hexes = if is_dense(figure) { hexes(figure, &plot) } else { Vec::new() };
        let of_hex = |hex: &Hex| {
            let job = *hex.jobs.first()?;
            Some(Spot { at: hex.at, tone: hex.tone, job, count: hex.count() as u32 })
        };
        self.spots = match self.hexes.is_empty() {
            true => spots(figure, &plot),
            false => self.hexes.iter().filter_map(of_hex).collect(),
        };
        self.plot = plot;
    }

    /// The plot that the figure lies in.
    pub fn plot(&self) -> &Frame {
        &self.plot
    }

    /// The hexagon pointed at, where dots are counted.
    pub fn hex(&self) -> Option<&Hex> {
        let (job, count) = self.at?;
        self.hexes.iter().find(|hex| hex.jobs.first() == Some(&job) && hex.count() as u32 == count)
    }

    /// The pointer has moved over lines or bars. Whether that changes anything.
    pub fn read(&mut self, figure: &Figure, pointer: Point) -> bool {
        let reading = reading_at(figure, &self.plot, pointer);
        std::mem::replace(&mut self.reading, reading) != self.reading
    }

    /// A key moves the cursor along the lines of a figure, or from bar to bar.
    pub fn read_step(&mut self, figure: &Figure, step: Step) {
        if figure.y.scale.is_of_bars() {
            let here = self.reading.as_ref().and_then(|reading| reading.bar);
            let last = bar_count(figure).saturating_sub(1);
            self.reading = of_bars(figure, stepped(step, here, last));
            return;
        }
        let here = self.reading.as_ref().and_then(|reading| reading.across);
        let to = match (step, here) {
            (Step::First, _) | (Step::Next, None) => 0.0,
            (Step::Last, _) | (Step::Previous, None) => 1.0,
            (Step::Next, Some(here)) => here + CURSOR_STEP,
            (Step::Previous, Some(here)) => here - CURSOR_STEP,
        };
        self.reading = of_lines(figure, to);
    }

    /// The ends of the cursor's line.
    pub fn cursor(&self) -> Option<[Point; 2]> {
        let x = self.plot.left + self.reading.as_ref()?.across? * self.plot.width;
        Some([Point { x, y: self.plot.top }, Point { x, y: self.plot.bottom() }])
    }

    /// The frame of the bar that is read, or of its group.
    pub fn bar(&self, figure: &Figure) -> Option<Frame> {
        let (from, to) = extent_of_bars(figure, self.reading.as_ref()?.bar?)?;
        let y_of = |up: f64| (self.plot.bottom() - up / figure.y.to * self.plot.height).round();
        let (top, bottom) = (y_of(to).max(self.plot.top), y_of(from).min(self.plot.bottom()));
        (bottom > top).then_some(Frame { top, height: bottom - top, ..self.plot })
    }

    /// Another figure: nothing is pointed at.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// The pointer has moved. Whether that changes anything.
    pub fn moved(&mut self, pointer: Point) -> bool {
        if let Some((_, now)) = &mut self.drag {
            *now = pointer;
            self.at = None;
            return true;
        }
        let at = nearest(&self.spots, pointer).map(|spot| (spot.job, spot.count));
        std::mem::replace(&mut self.at, at) != at
    }

    /// The pointer has left.
    pub fn left(&mut self) -> bool {
        let was_read = self.reading.take().is_some();
        (self.drag.is_none() && self.at.take().is_some()) || was_read
    }

    /// A button went down.
    pub fn pressed(&mut self, pointer: Point) {
        self.drag = Some((pointer, pointer));
    }

    /// A button went up.
    pub fn released(&mut self, figure: &Figure, pointer: Point) -> Released {
        let from = self.drag.take().map_or(pointer, |(from, _)| from);
        let is_click = (from.x - pointer.x).abs().max((from.y - pointer.y).abs()) < CLICK_PX;
        if is_click {
            return match nearest(&self.spots, pointer) {
                // A hexagon stands for the jobs about its middle.
                Some(spot) if !self.hexes.is_empty() && spot.count > 1 => {
                    let (dx, dy) = (WIDTH_PX / 2.0, SIDE_PX);
                    let corner = |x: f64, y: f64| Point { x: spot.at.x + x, y: spot.at.y + y };
                    self.range(figure, corner(-dx, -dy), corner(dx, dy))
                }
                Some(spot) => Released::Click(spot.job),
                None => Released::Nowhere,
            };
        }
        self.range(figure, from, pointer)
    }

    /// The values between two corners.
    fn range(&self, figure: &Figure, from: Point, to: Point) -> Released {
        let value = |point: Point| {
            let across = ((point.x - self.plot.left) / self.plot.width).clamp(0.0, 1.0);
            let up = ((self.plot.bottom() - point.y) / self.plot.height).clamp(0.0, 1.0);
            (figure.x.value(across), figure.y.value(up))
        };
        let ((x0, y0), (x1, y1)) = (value(from), value(to));
        Released::Range((x0.min(x1), x0.max(x1)), (y0.min(y1), y0.max(y1)))
    }

    /// A drag was taken away.
    pub fn cancelled(&mut self) {
        self.drag = None;
    }

    /// The frame that is being dragged.
    pub fn frame(&self) -> Option<Frame> {
        let (from, to) = self.drag?;
        let (left, top) = (from.x.min(to.x), from.y.min(to.y));
        let frame = Frame { left, top, width: (from.x - to.x).abs(), height: (from.y - to.y).abs() };
        (frame.width.max(frame.height) >= CLICK_PX).then_some(frame)
    }

    /// A key goes on from the job pointed at, or from the selected one.
    pub fn step(&mut self, figure: &Figure, step: Step, selected: Option<JobId>) {
        if self.order.is_empty() {
            self.order = figure.dots().map(|(dot, _)| dot).collect();
            sort_by(&mut self.order, |a, b| a.difference().total_cmp(&b.difference()).then(a.job.cmp(&b.job)));
        }
        let Some(last) = self.order.len().checked_sub(1) else { return };
        let here = self.at.map(|(job, _)| job).or(selected);
        let here = here.and_then(|here| self.order.iter().position(|dot| dot.job == here));
        self.at = self.order.get(stepped(step, here, last)).map(|dot| (dot.job, 1));
    }

    /// The place of a job's mark.
    pub fn place_of(&self, figure: &Figure, job: JobId) -> Option<Point> {
        let dot = figure.dots().map(|(dot, _)| dot).find(|dot| dot.job == job)?;
        Some(place(figure, &self.plot, (dot.x, dot.y)))
    }
}

/// The place after a step, among those up to `last`.
fn stepped(step: Step, here: Option<usize>, last: usize) -> usize {
    match (step, here) {
        (Step::First, _) | (Step::Next, None) => 0,
        (Step::Last, _) | (Step::Previous, None) => last,
        (Step::Next, Some(here)) => (here + 1).min(last),
        (Step::Previous, Some(here)) => here.saturating_sub(1),
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_compare::Badge;

    use super::*;
    use crate::charts::By;
    use crate::charts::against::against;
    use crate::figure::axis::Spacing;
    use crate::paper::Paper;
    use crate::testing::sample_runs;

    const PLOT: Frame = Frame { left: 30.0, top: 8.0, width: 300.0, height: 170.0 };

    fn laid_out() -> (Figure, Pointing) {
        let (runs, workload) = sample_runs(&["fixed", "elastic-dp"]);
        let figure = against(&runs, &workload, Badge::of_slot(1).unwrap(), Spacing::Log).unwrap();
        let mut pointing = Pointing::default();
        pointing.lay_out(&figure, PLOT);
        (figure, pointing)
    }

    #[test]
    fn a_pointer_on_a_dot_points_at_its_job_and_a_click_picks_it() {
        let (figure, mut pointing) = laid_out();
        for (dot, _) in figure.dots() {
            let at = pointing.place_of(&figure, dot.job).unwrap();
            pointing.moved(at);
            let found = pointing.at.unwrap().0;
            assert_eq!(
                pointing.place_of(&figure, found).map(|p| (p.x.round(), p.y.round())),
                Some((at.x.round(), at.y.round()))
            );
            pointing.pressed(at);
            assert_eq!(pointing.released(&figure, at), Released::Click(found));
        }
        assert!(pointing.left() && pointing.at.is_none());
    }

    #[test]
    fn keys_go_through_all_jobs_by_difference() {
        let (figure, mut pointing) = laid_out();
        let difference =
            |job: JobId| figure.dots().find(|(dot, _)| dot.job == job).map(|(dot, _)| dot.y - dot.x).unwrap();
        let mut seen = Vec::new();
        for _ in 0..48 {
            pointing.step(&figure, Step::Next, None);
            seen.push(difference(pointing.at.unwrap().0));
        }
        assert!(seen.is_sorted() && seen.len() == 48);
        let last = pointing.at;
        pointing.step(&figure, Step::Next, None);
        assert_eq!(pointing.at, last, "there is nothing after the last");
        pointing.step(&figure, Step::First, None);
        assert_eq!(difference(pointing.at.unwrap().0), seen[0]);
        pointing.step(&figure, Step::Next, Some(JobId(0)));
        assert_eq!(difference(pointing.at.unwrap().0), seen[1]);
    }

    #[test]
    fn a_drag_takes_the_ranges_that_it_covers() {
        let (figure, mut pointing) = laid_out();
        pointing.pressed(Point { x: PLOT.right(), y: PLOT.top });
        pointing.moved(Point { x: PLOT.left, y: PLOT.top + 85.0 });
        assert_eq!(pointing.frame(), Some(Frame { left: 30.0, top: 8.0, width: 300.0, height: 85.0 }));
        let Released::Range(across, up) = pointing.released(&figure, Point { x: PLOT.left, y: PLOT.top + 85.0 }) else {
            panic!("not a range");
        };
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
        near(across.0, figure.x.from);
        near(across.1, figure.x.to);
        near(up.0, figure.y.value(0.5));
        near(up.1, figure.y.to);
        assert_eq!(pointing.frame(), None);
    }

    #[test]
    fn a_hexagon_is_pointed_at_and_asks_for_the_jobs_about_its_middle() {
        let (mut figure, mut pointing) = laid_out();
        for series in &mut figure.series {
            if let crate::figure::Shape::Dots(dots) = &mut series.shape {
                *dots = dots.repeat(12);
            }
        }
        pointing.lay_out(&figure, PLOT);
        for hex in hexes(&figure, &PLOT) {
            pointing.moved(hex.at);
            assert_eq!(pointing.hex(), Some(&hex));
            pointing.pressed(hex.at);
            let Released::Range(across, up) = pointing.released(&figure, hex.at) else { panic!("not a range") };
            let is_inside = |dot: &Dot| (across.0..=across.1).contains(&dot.x) && (up.0..=up.1).contains(&dot.y);
            let inside: Vec<JobId> = figure.dots().map(|(dot, _)| dot).filter(is_inside).map(|dot| dot.job).collect();
            assert!(hex.jobs.iter().all(|job| inside.contains(job)), "{hex:?}");
        }
    }

    #[test]
    fn keys_read_one_bar_after_the_other() {
        let (runs, workload) = sample_runs(&["fixed", "elastic-dp"]);
        let single =
            crate::charts::bars(elastiplan_metrics::Metrics::info("avg_jct_s").unwrap(), &runs, &Paper::default());
        let grouped = crate::charts::by_group(By::Model, &runs, &workload);
        for (figure, count) in [(&single, 2), (&grouped, grouped.table.rows.len())] {
            let mut pointing = Pointing::default();
            pointing.lay_out(figure, PLOT);
            let mut check = |step: Step, expected: usize| {
                pointing.read_step(figure, step);
                let reading = pointing.reading.clone().unwrap();
                assert_eq!((reading.bar, reading.across), (Some(expected), None), "{step:?}");
                // A pointer on the bar reads the same.
                let frame = pointing.bar(figure).unwrap();
                let middle = Point { x: PLOT.left + 60.0, y: frame.top + frame.height / 2.0 };
                assert_eq!(reading_at(figure, &PLOT, middle), Some(reading));
            };
            check(Step::Next, 0);
            check(Step::Previous, 0);
            check(Step::Next, 1);
            check(Step::Last, count - 1);
            check(Step::Next, count - 1);
            check(Step::Previous, count - 2);
            check(Step::First, 0);
        }
    }

    #[test]
    fn keys_move_a_cursor_along_lines() {
        let (runs, workload) = sample_runs(&["fixed", "elastic-dp"]);
        let figure = crate::charts::over_time(crate::course::Course::JobsWaiting, &runs, &workload);
        let mut pointing = Pointing::default();
        pointing.lay_out(&figure, PLOT);
        let mut check = |step: Step, across: f64| {
            pointing.read_step(&figure, step);
            let reading = pointing.reading.as_ref().unwrap();
            assert!((reading.across.unwrap() - across).abs() < 1e-9, "{reading:?}");
            assert_eq!(pointing.cursor().unwrap()[0].x, PLOT.left + across * PLOT.width);
        };
        check(Step::Next, 0.0);
        check(Step::Previous, 0.0);
        check(Step::Next, 0.02);
        check(Step::Last, 1.0);
        check(Step::Previous, 0.98);
        assert!(pointing.left() && pointing.reading.is_none() && !pointing.left());
    }
}
