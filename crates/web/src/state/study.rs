//! The study: the worker that makes it, what is known of it, and what is looked at.

use std::rc::Rc;

use elastiplan_policies::PolicySpec;
use elastiplan_present::study::StudyView;
use elastiplan_study::{Spec, Unit};
use elastiplan_worker::KeptRuns;

use super::page::Page;
use super::pool::{Client, Pool, Received};
use super::study_moves::Move;
use super::study_worker::StudyWorker;
use super::world::World;

/// What a user or a worker can cause on the screen of the study.
pub enum StudyMsg {
    /// Makes the runs of the study of the inputs. Those that are kept are not made again.
    Run,
    /// Stops; what is there stays.
    Stop,
    /// A response of the study's worker.
    Received(Received),
    /// Looks at a policy and a point, by their places.
    Select {
        /// The policy.
        policy: u32,
        /// The point.
        point: u32,
    },
    /// The pointer is over a policy and a point, which are shown as long as it is; or over none any more.
    Point(Option<(u32, u32)>),
    /// Looks at the next policy or point in a direction.
    Move(Move),
    /// Opens the run of the policy and the point that are looked at; beside the one opened or marked before, if two are
    /// asked for.
    OpenHere {
        /// Whether it is the second of two.
        is_second: bool,
    },
    /// Opens the run of a policy and a point beside that of those that are looked at.
    OpenBeside {
        /// The policy.
        policy: u32,
        /// The point.
        point: u32,
    },
    /// Shows a metric, by its key, in the large curve.
    Metric(String),
    /// Puts the runs nearest to the means of these policies and points into the list of runs, and compares them.
    Open(Vec<(u32, u32)>),
    /// Puts these two runs into the list of runs, and compares them.
    OpenBoth([Unit; 2]),
    /// Finds out why the first run is worse than the second, that of its left neighbour.
    Why([Unit; 2]),
    /// Deletes all kept runs.
    ForgetRuns,
    /// Starts the study's worker ahead of the first study.
    StartAhead,
}

/// The study on the page.
#[derive(Default)]
pub struct StudyState {
    /// What is known, and of what.
    pub shown: Option<Shown>,
    /// Whether runs are being made.
    pub is_running: bool,
    /// The policy that is looked at.
    pub policy: u32,
    /// The point that is looked at.
    pub point: u32,
    /// Whether the user has chosen them; before, the best answer is looked at.
    pub has_looked: bool,
    /// The policy and the point that the pointer is over.
    pub pointed: Option<(u32, u32)>,
    /// The policy and the point that were opened last, or marked to be compared with a second.
    pub marked: Option<(u32, u32)>,
    /// The metric of the large curve, by its key; the first goal's, or mean completion, where none was chosen.
    pub metric: Option<String>,
    /// Why a run is worse than that of its left neighbour: both, and sentences, once they are there.
    pub why: Option<([Unit; 2], Option<Vec<String>>)>,
    /// Why the study cannot be made.
    pub obstacle: Option<String>,
    /// How many runs are kept for later studies, once that is known.
    pub kept: Option<KeptRuns>,
    /// What the runs are made of that are shown or on their way.
    pub(super) made_of: Option<MadeOf>,
}

/// What decides a study: if it changes, what is shown is stale.
#[derive(Clone, PartialEq)]
pub(super) struct MadeOf {
    pub world: World,
    pub spec: Spec,
    pub policies: Vec<PolicySpec>,
}

/// What is known of a study.
#[derive(Clone)]
pub struct Shown {
    /// The study as far as it has come.
    pub view: Rc<StudyView>,
    /// The run of the list, by its id, that each policy of the study is.
    pub runs: Vec<u32>,
    /// Whether the inputs have changed since.
    pub is_stale: bool,
}

impl Page {
    /// Applies a message about the study. Returns whether there is something else to show.
    pub fn study_message<C: Client>(&mut self, worker: &mut StudyWorker<C>, pool: &mut Pool<C>, msg: StudyMsg) -> bool {
        match msg {
            StudyMsg::Select { policy, point } => self.look_at(policy, point),
            StudyMsg::Point(at) => return std::mem::replace(&mut self.study.pointed, at) != at,
            StudyMsg::Move(how) => self.move_in_study(how),
            StudyMsg::OpenBeside { policy, point } => {
                if let Some(open) = self.open_beside_in_study((policy, point)) {
                    return self.study_message(worker, pool, open);
                }
            }
            StudyMsg::OpenHere { is_second } => {
                if let Some(open) = self.open_in_study(is_second) {
                    return self.study_message(worker, pool, open);
                }
            }
            StudyMsg::Metric(key) => {
                self.study.metric = Some(key);
                self.look_at_metrics(worker);
            }
            StudyMsg::Run => self.run_study(worker, pool),
            StudyMsg::Stop => self.stop_study(worker),
            StudyMsg::Received(received) => return self.study_received(worker, pool, received),
            StudyMsg::Open(points) => self.open_points(worker, &points),
            StudyMsg::OpenBoth(units) => {
                let units = self.begin_opening_units(units.to_vec());
                self.ask_for_units(worker, units);
            }
            StudyMsg::Why(units) => self.ask_why(worker, units),
            StudyMsg::ForgetRuns => self.forget_runs(worker),
            StudyMsg::StartAhead => {
                worker.start_ahead(self.study_runs_at_once);
                return false;
            }
        }
        true
    }
}
