//! What page and worker say to each other.
//!
//! Every request goes with the number that the page gives to it, and so do the responses to it; the number is missing
//! where the worker could not make out which it was. Payloads that may be large are [`Packed`].

use elastiplan_formats::Excerpt;
use elastiplan_model::{JobId, Workload};
use elastiplan_scenario::Scenario;
use elastiplan_study::Unit;
use js_sys::Array;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use wasm_bindgen::JsValue;

use crate::{KeptRuns, Packed};

/// What the page asks.
#[derive(Serialize, Deserialize)]
pub enum Request {
    /// Read files. Answered by [`Response::ImportProgress`] and [`Response::Imported`]; by [`Response::Opened`] where one of
    /// them is a scenario or a bundle, or all belong to a scenario that waits for them.
    Import {
        /// The files' names, with folders where they are known.
        paths: Vec<String>,
        /// The files (`Blob`s), in the same order.
        #[serde(with = "serde_wasm_bindgen::preserve")]
        blobs: Array,
        /// Files above this size are refused.
        bytes_max: f64,
        /// Mappings for some of the files by their place, as text: such a file is read as a job trace by it.
        mappings: Vec<(u32, String)>,
        /// A link to open, with files that it may need.
        link: Option<String>,
    },
    /// Write a [`ShareOrder`](crate::keeping::ShareOrder) as a link and a bundle. Answered by [`Response::Shared`].
    Share(Packed),
    /// Keep a [`KeepOrder`](crate::keeping::KeepOrder). Answered by [`Response::Kept`].
    Keep(Packed),
    /// List the kept work. Answered by [`Response::KeptList`], as are the next three.
    KeptList,
    /// Change kept work of this id.
    KeptChange(String, crate::keeping::KeptChange),
    /// Delete kept work of this id. Answered by [`Response::KeptDeleted`] and [`Response::KeptList`].
    KeptDelete(String),
    /// Put back what was deleted.
    KeptRestore(#[serde(with = "serde_wasm_bindgen::preserve")] Array),
    /// Open kept work of this id. Answered by [`Response::KeptOpened`].
    KeptOpen(String),
    /// Say what a mapping makes of a table. Answered by [`Response::ImportProgress`] and [`Response::Surveyed`].
    Survey {
        /// The file's name.
        path: String,
        /// The file, as the only entry.
        #[serde(with = "serde_wasm_bindgen::preserve")]
        blobs: Array,
        /// The mapping as text, which may lack fields; without one that which the columns suggest.
        mapping: Option<String>,
    },
    /// Show a few rows of a file around one. Answered by [`Response::Excerpt`].
    Excerpt {
        /// The file's name.
        path: String,
        /// The file, as the only entry.
        #[serde(with = "serde_wasm_bindgen::preserve")]
        blobs: Array,
        /// The line in the middle, counted from 1.
        row: f64,
        /// Lines before and after it.
        around: u32,
    },
    /// Draw what an `elastiplan_workloads::Drawing` names. Answered by [`Response::Drawn`].
    Draw(Packed),
    /// Bind the jobs of an `elastiplan_scenario::Scenario` to its curves. Answered by [`Response::Bound`].
    Bind(Packed),
    /// Run one policy. Answered by [`Response::RunProgress`], [`Response::RunPartial`] and [`Response::RunEnded`].
    Run {
        /// The scenario.
        scenario: BoundScenario,
        /// The policy's id: `elastic-dp[delta_s=300]`.
        policy: String,
    },
    /// Write the decision that holds at a time as a program. Answered by [`Response::Program`].
    Program {
        /// The scenario.
        scenario: BoundScenario,
        /// The policy's id.
        policy: String,
        /// When, in seconds on the clock of the trace.
        time_s: f64,
        /// Node by node, as the paper has it.
        node_by_node: bool,
    },
    /// Send the presets. Answered by [`Response::Presets`].
    Presets,
    /// Make the runs of a [`StudyOrder`](crate::StudyOrder). Answered by [`Response::StudyView`] again and again, until its
    /// stage is over. The worker stays with this study.
    Study(Packed),
    /// Show these metrics, by their keys, of the worker's study from now on. Answered by [`Response::StudyView`].
    StudyLook(Vec<String>),
    /// Say what decides a run of the worker's study. Answered by [`Response::StudyUnit`].
    StudyUnit(Unit),
    /// Say why a run of the worker's study, `here`, is worse than that of its neighbour, `there`, with the same policy and
    /// seed. Answered by [`Response::StudyWhy`].
    StudyWhy {
        /// The run that is worse.
        here: Unit,
        /// The other.
        there: Unit,
    },
    /// Start so many runners ahead of a study. Answered by [`Response::StudyKept`].
    StudyAhead(u32),
    /// Delete all kept runs. Answered by [`Response::StudyKept`].
    StudyForget,
    /// Make runs of this [`StudyOrder`](crate::StudyOrder) for the worker above. Answered by [`Response::StudyReady`].
    StudyRunner(Packed),
    /// Make these runs of the order. Answered by [`Response::StudyMade`].
    StudyBatch(Vec<Unit>),
    /// Stop the run or the study of this number; it ends with what it has.
    Cancel,
}

/// A scenario with its jobs bound to curves.
#[derive(Clone, Serialize, Deserialize)]
pub struct BoundScenario {
    /// An `elastiplan_scenario::Scenario` without data.
    pub scenario: Packed,
    /// An `elastiplan_model::Workload`.
    pub workload: Packed,
    /// The ids of policies that take over in forks.
    pub later_policies: Vec<String>,
}

impl BoundScenario {
    /// Unpacks the scenario and its workload.
    pub(crate) fn unpack(self) -> Result<(Scenario, Workload), MessageError> {
        Ok((self.scenario.unpack()?, self.workload.unpack()?))
    }
}

/// What a worker answers.
#[derive(Debug, Serialize, Deserialize)]
pub enum Response {
    /// How far reading has come.
    ImportProgress {
        /// Bytes read, of all files.
        bytes_read: f64,
        /// Bytes of all files.
        bytes_total: Option<f64>,
    },
    /// All files are read.
    Imported {
        /// An `elastiplan_formats::Import`.
        import: Packed,
        /// How long it took, in milliseconds.
        wall_ms: f64,
    },
    /// A scenario, an [`OpenedScenario`](crate::keeping::OpenedScenario); or, as a result, why there is none.
    Opened(Packed),
    /// A scenario to be shared.
    Shared {
        /// A [`SharedScenario`](crate::keeping::SharedScenario).
        shared: Packed,
        /// The bundle, as it is saved.
        bundle: Packed,
        /// The files that the link needs, as they are saved, in their order.
        files: Vec<Packed>,
    },
    /// A [`Kept`](crate::keeping::Kept), or the [`NotKept`](crate::keeping::NotKept) that says why there is none, as a result.
    Kept(Packed),
    /// A [`KeptList`](crate::keeping::KeptList), or a [`NotKept`](crate::keeping::NotKept), as a result.
    KeptList(Packed),
    /// What was deleted, to be put back.
    KeptDeleted {
        /// The id.
        id: String,
        /// The record, then the names and contents of its data.
        copy: Copy,
    },
    /// A [`KeptEntry`](crate::keeping::KeptEntry) with its [`OpenedScenario`](crate::keeping::OpenedScenario), or why it
    /// cannot be opened, as a result.
    KeptOpened(Packed),
    /// What a mapping makes of a table: an `elastiplan_formats::mapping::Survey`, or the
    /// `elastiplan_formats::mapping::SurveyError` that says why there is none, as a result.
    Surveyed(Packed),
    /// The rows asked for; `None` if the file cannot be read any more.
    Excerpt(Option<Excerpt>),
    /// What was drawn: an `elastiplan_workloads::Drawn`.
    Drawn(Packed),
    /// Jobs bound to curves.
    Bound {
        /// An `elastiplan_model::Workload`.
        workload: Packed,
        /// A list of `elastiplan_model::Diagnostic`: what was left out or assumed.
        diagnostics: Packed,
    },
    /// How far a run has come: at most every 50 ms.
    RunProgress(elastiplan_engine::Progress),
    /// The record so far, an `elastiplan_planner::PolicyRun`: at most every 250 ms, and more seldom where it is large.
    RunPartial(Packed),
    /// The run is over: `run.finished` says whether it came to its own end or was cancelled.
    RunEnded {
        /// An `elastiplan_planner::PolicyRun`.
        result: Packed,
        /// How long it took, in milliseconds, waiting for the event loop included.
        wall_ms: f64,
    },
    /// A decision as a program.
    Program(ShownProgram),
    /// A list of `elastiplan_workloads::PackedPreset`: [`PRESETS`](crate::PRESETS).
    Presets(Packed),
    /// The study so far, an `elastiplan_present::study::StudyView`.
    StudyView(Packed),
    /// What decides a run: an `elastiplan_scenario::Scenario`, its `elastiplan_model::Workload` and an
    /// `elastiplan_policies::PolicySpec`, as a tuple.
    StudyUnit(Packed),
    /// Why a point is worse than its left neighbour, in sentences.
    StudyWhy(Vec<String>),
    /// How much is kept of studies.
    StudyKept(KeptRuns),
    /// The runner has the order.
    StudyReady,
    /// A runner made the next runs of a batch.
    StudyMade {
        /// A list of `elastiplan_study::Outcome`, each with the milliseconds that it took.
        outcomes: Packed,
        /// Whether no more of the batch follow.
        is_end: bool,
    },
    /// The request could not be done.
    Failed(Failure),
}

impl Response {
    /// Binds the jobs of a scenario.
    pub fn bound(scenario: &Scenario) -> Result<Self, MessageError> {
        let (workload, diagnostics) = scenario.workload();
        Ok(Response::Bound { workload: Packed::of(&workload)?, diagnostics: Packed::of(&diagnostics)? })
    }

    /// The large values of the response.
    pub fn payloads(&self) -> Vec<&Packed> {
        match self {
            Response::Imported { import: only, .. }
            | Response::Opened(only)
            | Response::Kept(only)
            | Response::KeptList(only)
            | Response::KeptOpened(only)
            | Response::Surveyed(only)
            | Response::Drawn(only)
            | Response::Presets(only)
            | Response::StudyView(only)
            | Response::StudyUnit(only)
            | Response::StudyMade { outcomes: only, .. }
            | Response::RunPartial(only)
            | Response::RunEnded { result: only, .. } => vec![only],
            Response::Bound { workload, diagnostics, .. } => vec![workload, diagnostics],
            Response::Shared { shared, bundle, files } => [shared, bundle].into_iter().chain(files).collect(),
            _ => Vec::new(),
        }
    }
}

/// Values of the browser that the page holds without looking at them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Copy(#[serde(with = "serde_wasm_bindgen::preserve")] pub Array);

/// A decision as a program, with its optimum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownProgram {
    /// When it was decided, in seconds on the clock of the trace.
    pub time_s: f64,
    /// The greatest value of the objective.
    pub optimum: f64,
    /// Whom it is about.
    pub jobs: Vec<JobShare>,
    /// The program in LP format.
    pub text: String,
}

/// What a decision means for one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobShare {
    /// The job.
    pub job: JobId,
    /// GPUs that it has before.
    pub before: u32,
    /// GPUs that it gets.
    pub after: u32,
}

/// Why a request could not be done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    /// One sentence for the person at the page.
    pub message: String,
    /// What somebody who looks for the cause needs: the place of a panic. Empty where the message says it all.
    pub detail: String,
    /// Whether the worker is lost with it.
    pub is_fatal: bool,
}

/// A message that cannot cross.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("a message between page and worker cannot be read: {0}")]
pub struct MessageError(pub String);

impl From<MessageError> for String {
    fn from(error: MessageError) -> Self {
        error.to_string()
    }
}

/// A message as a JS value.
pub(crate) fn to_js<T: Serialize>(message: &T) -> Result<JsValue, MessageError> {
    serde_wasm_bindgen::to_value(message).map_err(|error| MessageError(error.to_string()))
}

/// A message from a JS value.
pub(crate) fn from_js<T: DeserializeOwned>(value: JsValue) -> Result<T, MessageError> {
    serde_wasm_bindgen::from_value(value).map_err(|error| MessageError(error.to_string()))
}
