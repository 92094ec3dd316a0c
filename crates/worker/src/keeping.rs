//! What crosses when scenarios are opened, shared and kept.

use std::sync::Arc;

pub use elastiplan_documents::{
    CHARACTERS_FREE, DataKind, DataSource, KnownResult, ListedPoint, ListedRun, PinnedRun, ShownView,
};
use elastiplan_model::{Availability, Curves, Diagnostic, Trace};
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::Scenario;
use elastiplan_study::Spec;
use elastiplan_workloads::{Drawn, DrawnJobs, PackedPreset};
use serde::{Deserialize, Serialize};

/// A scenario from a document, a bundle or a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenedScenario {
    /// What it was opened from: the name of a file, or `The link`.
    pub from: String,
    /// The scenario with what was drawn for it; `None` as long as files are missing.
    pub scenario: Option<(PackedPreset, Drawn)>,
    /// What to show of it.
    pub view: ShownView,
    /// Digests that came with it.
    pub known: Vec<KnownResult>,
    /// Files that it needs and does not have, each with the start of its hash, where that is known.
    pub needs: Vec<(String, Option<String>)>,
    /// What could not be read, in sentences.
    pub faults: Vec<String>,
    /// Parts that the sample stands in for.
    pub missing: Vec<String>,
    /// Findings about the data.
    pub diagnostics: Vec<Diagnostic>,
    /// The list of runs; empty where the scenario says all of it.
    pub runs: Vec<ListedRun>,
    /// The inputs of pinned runs, by the numbers of their documents.
    pub pinned: Vec<(u32, OpenedPinned)>,
}

/// The inputs of a pinned run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenedPinned {
    /// The scenario without data that it shares.
    pub scenario: PackedPreset,
    /// What was drawn for it.
    pub drawn: Drawn,
    /// Whose jobs, curves and log it shares: 0 for the scenario, 1 for the first of the pinned ones.
    pub shared: [Option<u32>; 3],
}

/// A scenario with all runs of its list, to be written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkOrder {
    /// Its inputs; then those of pinned runs, which these name by their places.
    pub worlds: Vec<OrderedWorld>,
    /// The data of all of them.
    pub data: Vec<OrderedData>,
    /// The list of runs.
    pub runs: Vec<ListedRun>,
    /// Policies of the scenario by itself.
    pub policies: Vec<PolicySpec>,
    /// What is varied.
    pub study: Option<Spec>,
    /// What is shown.
    pub view: ShownView,
    /// Digests of its runs.
    pub known: Vec<KnownResult>,
    /// The build that made them.
    pub build: String,
}

/// Inputs, with their data by their places in the order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrderedWorld {
    /// What they are called.
    pub title: String,
    /// The scenario without data.
    pub scenario: Scenario,
    /// Nodes of the log.
    pub nodes_in_log: u32,
    /// Jobs, curves and log.
    pub data: Vec<u32>,
}

/// Data to be written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum OrderedData {
    /// Jobs, and what may have drawn them with a seed.
    Jobs(Arc<Trace>, Option<(DrawnJobs, u64)>),
    /// Curves, and the name under which they may be published.
    Curves(Arc<Curves>, Option<String>),
    /// A log of nodes.
    Log(Arc<Availability>),
    /// What was written before.
    Known(DataSource),
}

/// A scenario that is to be shared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShareOrder {
    /// The address of the page.
    pub base: String,
    /// The preset, if it is one as it came.
    pub preset: Option<String>,
    /// The scenario.
    pub work: WorkOrder,
}

/// Work that is to be kept in the browser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeepOrder {
    /// Its id.
    pub id: String,
    /// The revision that it goes on from; 0 for none.
    pub revision: u32,
    /// What the list says of it.
    pub about: KeptAbout,
    /// The work.
    pub work: WorkOrder,
}

/// What the list of kept work says of one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KeptAbout {
    /// Its name.
    pub name: String,
    /// Jobs, machines and policies in words.
    pub contents: String,
    /// The verdict on its runs; empty without one.
    pub verdict: String,
    /// The GPUs in use under the winner at equal steps of time, in percent of all.
    pub picture: Vec<u8>,
    /// The place of the winner in the list of runs.
    pub winner: u32,
}

/// Work as it was kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Its id: another one, if another page had changed the work since.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its revision.
    pub revision: u32,
    /// When it was kept, in milliseconds since 1970.
    pub changed_ms: f64,
    /// Where each of its data is from now on.
    pub sources: Vec<Option<DataSource>>,
}

/// Why work was not kept, or kept work not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NotKept {
    /// The browser gives no more room.
    Full,
    /// The browser has no store for the page.
    NoStore(String),
    /// Data that were written before are gone: their hashes.
    Gone(Vec<String>),
    /// Anything else.
    Failed(String),
}

/// An entry of the list of kept work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptEntry {
    /// Its id.
    pub id: String,
    /// Its revision.
    pub revision: u32,
    /// Whether it stands first.
    pub is_pinned: bool,
    /// When it changed last, in milliseconds since 1970.
    pub changed_ms: f64,
    /// What is said of it.
    pub about: KeptAbout,
    /// Bytes of its own.
    pub bytes: f64,
    /// Whether it has data that other work has too, which count once, with the first.
    pub shares: bool,
}

/// The kept work.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KeptList {
    /// All of it, the latest first.
    pub entries: Vec<KeptEntry>,
    /// Bytes of all of it.
    pub bytes: f64,
    /// Bytes that the browser grants to the page, where it says so.
    pub bytes_max: Option<f64>,
}

/// A change of kept work that is not open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum KeptChange {
    /// It has another name.
    Rename(String),
    /// It stands first, or not.
    Pin(bool),
}

/// A shared scenario in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedScenario {
    /// The link; or why there is none.
    pub link: Result<String, String>,
    /// Files that the link needs: the name, the start of the hash, and bytes.
    pub needs: Vec<(String, String, u64)>,
    /// What stands in the link, in words.
    pub contains: Vec<String>,
}
