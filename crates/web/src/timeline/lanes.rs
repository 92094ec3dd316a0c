//! The lanes below the strips: values over time of all shown runs, overlaid. A further lane is a line in [`LANES`].

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use elastiplan_compare::{Quantity, difference_over_time};
use elastiplan_engine::Run;
use elastiplan_metrics::has_efficiency;
use elastiplan_model::Workload;
use elastiplan_planner::PolicyRun;
use elastiplan_present::course::{self, Course};
use elastiplan_present::runs::{RunEntry, shown};
use elastiplan_scene::{DrawList, Frame, Series, SeriesLane, SeriesLine, TimeWindow};
use elastiplan_text::format;

use crate::dom;
use crate::state::runs::Runs;

/// The quantity of a lane.
pub struct LaneInfo {
    /// Its id in the browser's storage.
    pub id: &'static str,
    /// Its heading: quantity and unit.
    pub title: &'static str,
    /// The top of its axis, where that is always the same.
    top: Option<f64>,
    write: fn(f64) -> String,
    /// The text of each run.
    fact: Fact,
    values: Values,
}

/// Where the values of a run come from.
enum Values {
    /// From its record.
    Own(Course),
    /// How long its decisions took, where they were timed.
    Decisions,
    /// From its record and that of the baseline, which has no line.
    Difference(Quantity),
}

/// The label beside a line.
#[derive(Clone, Copy)]
enum Fact {
    Peak,
    Last,
    None,
}

/// All lanes, in the order of the menu and of the page.
pub static LANES: [LaneInfo; 16] = [
    own("waiting", Course::JobsWaiting, Fact::Peak),
    own("running", Course::JobsRunning, Fact::Peak),
    own("submitted", Course::JobsSubmitted, Fact::Last),
    own("admitted", Course::JobsAdmitted, Fact::Last),
    own("dropped", Course::JobsDropped, Fact::Last),
    own("completed", Course::JobsCompleted, Fact::Last),
    own("efficiency", Course::Efficiency, Fact::None),
    own("throughput", Course::Throughput, Fact::Peak),
    own("goodput", Course::Goodput, Fact::Peak),
    own("statistical-efficiency", Course::StatisticalEfficiency, Fact::None),
    own("rescale-cost", Course::RescaleCost, Fact::Last),
    own("preemption-cost", Course::PreemptionCost, Fact::Last),
    LaneInfo {
        id: "decision-time",
        title: "Decision time, ms",
        top: None,
        write: format::number,
        fact: Fact::Peak,
        values: Values::Decisions,
    },
    difference("difference-gpus", "GPUs in use, difference from A", Quantity::GpusInUse),
    difference("difference-waiting", "Jobs waiting, difference from A", Quantity::JobsWaiting),
    difference("difference-completed", "Jobs completed, difference from A", Quantity::JobsCompleted),
];

const fn own(id: &'static str, course: Course, fact: Fact) -> LaneInfo {
    let values = Values::Own(course);
    match course.is_share() {
        true => LaneInfo { id, title: course.title(), top: Some(1.0), write: format::percent, fact, values },
        false => LaneInfo { id, title: course.title(), top: None, write: format::number, fact, values },
    }
}

const fn difference(id: &'static str, title: &'static str, quantity: Quantity) -> LaneInfo {
    LaneInfo { id, title, top: None, write: signed, fact: Fact::None, values: Values::Difference(quantity) }
}

fn signed(value: f64) -> String {
    format!("{}{}", if value > 0.0 { "+" } else { "" }, format::number(value))
}

fn series(values: course::Values, run: &Run) -> Series {
    match values {
        course::Values::Line(line) => Series::line(line.time_s.into_iter().zip(line.value)),
        course::Values::Steps(steps) => {
            let rows = steps.time_s.into_iter().zip(steps.value);
            Series::steps(rows.map(|(time_s, value)| (time_s, value.unwrap_or(f64::NAN))), run.end_s)
        }
    }
}

impl LaneInfo {
    /// Whether it says nothing unless it is known what samples are worth.
    fn needs_efficiency(&self) -> bool {
        matches!(self.values, Values::Own(course) if course.needs_efficiency())
    }

    fn series(&self, entry: &RunEntry, baseline: Option<&RunEntry>, workload: &Workload) -> Option<Series> {
        let run = &entry.result.as_ref()?.run;
        match self.values {
            Values::Own(course) => Some(series(course.of(run, workload), run)),
            Values::Decisions => {
                let times = entry.result.as_ref()?.decision_times.as_ref()?;
                // A needle for each: between decisions there is nothing that would take time.
                let needle = |(&time_s, &longest_ms): (&f64, &f32)| {
                    [(time_s, 0.0), (time_s, f64::from(longest_ms)), (time_s, 0.0)]
                };
                Some(Series::line(times.time_s.iter().zip(&times.longest_ms).flat_map(needle)))
            }
            Values::Difference(quantity) => {
                let baseline = baseline.filter(|baseline| baseline.slot != entry.slot)?;
                let line = difference_over_time(run, &baseline.result.as_ref()?.run, quantity);
                Some(Series::line(line.time_s.into_iter().zip(line.value)))
            }
        }
    }

    fn label(&self, entry: &RunEntry, series: &Series) -> String {
        let name = format!("{} {}", entry.letter(), entry.name());
        let peak = series.extent().map_or(0.0, |(_, most)| most);
        match self.fact {
            Fact::Peak if self.id == "waiting" && peak == 0.0 => format!("{} never queues", entry.letter()),
            Fact::Peak => format!("{name}, peak {}", (self.write)(peak)),
            Fact::Last => format!("{name}, {}", (self.write)(series.corners().1.last().copied().unwrap_or(0.0))),
            Fact::None => name,
        }
    }
}

/// A line as it is drawn.
struct Drawn {
    policy: u8,
    letter: String,
    label: String,
    series: Rc<Series>,
    of: Records,
}

/// The records that a line is made from: of its run, and of the baseline.
type Records = [Weak<PolicyRun>; 2];

fn are_same(a: &Records, b: &Records) -> bool {
    a.iter().zip(b).all(|(a, b)| Weak::ptr_eq(a, b))
}

/// The lines of the lane with this id.
type Made = (&'static str, Rc<Vec<Drawn>>);

/// The lanes that the user chose, and what they show.
#[derive(Default)]
pub struct Lanes {
    /// Those chosen, for this and any other workload.
    wanted: Vec<&'static LaneInfo>,
    /// Those of them that say something about the workload.
    chosen: Vec<&'static LaneInfo>,
    has_efficiency: bool,
    /// The record each was made from, so that it is made once per record.
    made: RefCell<Vec<Made>>,
    /// The same, of the records before: lines of runs that have come no further are taken from there.
    before: RefCell<Vec<Made>>,
    from: Option<Runs>,
}

/// The key of the choice in the browser's storage.
const REMEMBERED: &str = "lanes";
const DEFAULT: &str = "waiting";

impl Lanes {
    /// Those of the last visit.
    pub fn remembered() -> Self {
        let ids = dom::remembered(REMEMBERED).unwrap_or_else(|| DEFAULT.into());
        let is_chosen = |lane: &&LaneInfo| ids.split(' ').any(|id| id == lane.id);
        Self { wanted: LANES.iter().filter(is_chosen).collect(), ..Self::default() }
    }

    /// Those that there are for the workload.
    pub fn offered(&self) -> impl Iterator<Item = &'static LaneInfo> {
        let has_efficiency = self.has_efficiency;
        LANES.iter().filter(move |lane| has_efficiency || !lane.needs_efficiency())
    }

    /// Those that are shown, in order.
    pub fn chosen(&self) -> &[&'static LaneInfo] {
        &self.chosen
    }

    /// Those of a picture that stands alone, of some runs.
    pub fn of_figure(runs: &Runs) -> Self {
        let mut lanes = Self { wanted: LANES.iter().filter(|lane| lane.id == DEFAULT).collect(), ..Self::default() };
        lanes.follow(runs);
        lanes
    }

    /// Shows or hides one.
    pub fn toggle(&mut self, id: &str) {
        let is_wanted = |lane: &&LaneInfo| (lane.id == id) != self.wanted.iter().any(|wanted| wanted.id == lane.id);
        self.wanted = LANES.iter().filter(is_wanted).collect();
        self.remember();
    }

    fn remember(&mut self) {
        self.choose();
        let ids: Vec<&str> = self.wanted.iter().map(|lane| lane.id).collect();
        dom::remember(REMEMBERED, Some(&ids.join(" ")));
    }

    /// Shows another one in place of one.
    pub fn replace(&mut self, from: &str, to: &str) {
        let is_wanted = |lane: &&LaneInfo| {
            lane.id == to || (lane.id != from && self.wanted.iter().any(|wanted| wanted.id == lane.id))
        };
        self.wanted = LANES.iter().filter(is_wanted).collect();
        self.remember();
    }

    /// Follows runs that have come further.
    pub fn follow(&mut self, runs: &Runs) {
        if self.from.as_ref() != Some(runs) {
            let is_same = self.from.as_ref().is_some_and(|from| Rc::ptr_eq(&from.workload, &runs.workload));
            let made = self.made.take();
            self.before.replace(if is_same { made } else { Vec::new() });
            self.from = Some(runs.clone());
        }
        self.has_efficiency = has_efficiency(&runs.workload);
        self.choose();
    }

    fn choose(&mut self) {
        self.chosen = self.offered().filter(|lane| self.wanted.iter().any(|wanted| wanted.id == lane.id)).collect();
    }

    fn made(&self, lane: &'static LaneInfo) -> Rc<Vec<Drawn>> {
        let known = self.made.borrow().iter().find(|(id, _)| *id == lane.id).map(|(_, made)| Rc::clone(made));
        if let Some(made) = known {
            return made;
        }
        let Some(Runs { entries, workload }) = &self.from else { return Rc::default() };
        let baseline = entries.iter().find(|entry| entry.slot == 0);
        let record = |entry: Option<&RunEntry>| {
            let record = entry.and_then(|entry| entry.result.as_ref());
            record.map_or_else(Weak::new, Rc::downgrade)
        };
        let before = self.before.borrow().iter().find(|(id, _)| *id == lane.id).map(|(_, made)| Rc::clone(made));
        let drawn = |entry: &RunEntry| {
            let of = [record(Some(entry)), record(baseline)];
            let (policy, letter) = (entry.colour_index(), entry.letter());
            let is_of_these = |drawn: &&Drawn| drawn.letter == letter && are_same(&drawn.of, &of);
            let known = before.iter().flat_map(|before| before.iter()).find(is_of_these);
            let series = match known {
                Some(known) => Rc::clone(&known.series),
                None => Rc::new(lane.series(entry, baseline, workload)?),
            };
            Some(Drawn { policy, letter, label: lane.label(entry, &series), series, of })
        };
        let made = Rc::new(shown(entries).filter_map(drawn).collect::<Vec<_>>());
        self.before.borrow_mut().retain(|(id, _)| *id != lane.id);
        self.made.borrow_mut().push((lane.id, Rc::clone(&made)));
        made
    }

    /// The picture of a lane.
    pub fn draw(&self, lane: &'static LaneInfo, frame: Frame, window: TimeWindow) -> DrawList {
        let made = self.made(lane);
        let lines: Vec<SeriesLine> = made
            .iter()
            .map(|Drawn { policy, label, series, .. }| SeriesLine { series, policy: *policy, label })
            .collect();
        SeriesLane { lines: &lines, top: lane.top, write: lane.write, frame, window }.draw()
    }

    /// The values of a lane at a time: `A 3 · B 0`.
    pub fn readout(&self, lane: &'static LaneInfo, time_s: f64) -> String {
        let made = self.made(lane);
        let value = |drawn: &Drawn| Some(format!("{} {}", drawn.letter, (lane.write)(drawn.series.at(time_s)?)));
        made.iter().filter_map(value).collect::<Vec<_>>().join(" · ")
    }

    /// A lane for those who cannot see it.
    pub fn summary(&self, lane: &'static LaneInfo) -> String {
        let labels: Vec<String> = self.made(lane).iter().map(|drawn| drawn.label.clone()).collect();
        match labels.is_empty() {
            true => format!("{}: nothing to compare with", lane.title),
            false => format!("{}: {}", lane.title, labels.join("; ")),
        }
    }
}
