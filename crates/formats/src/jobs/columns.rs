//! The columns of a job trace, and the defaults of those that a format or a file does not have.

use elastiplan_model::Work;

use crate::text::header::Column;

/// The unit in which a column gives work.
pub(super) enum WorkUnit {
    /// A number of its unit.
    Amount(fn(f64) -> Work),
    /// Epochs of as many samples as another column says, if the file has it.
    EpochsOf(Option<Column>),
}

/// The columns of a trace by their meaning.
#[derive(Default)]
pub(super) struct JobColumns {
    pub name: Column,
    pub submit: Column,
    /// Whether submissions may be date and time; they then count from the first.
    pub has_dates: bool,
    pub model: Column,
    pub gpus: Column,
    /// Columns of work with their unit; of each row the first filled one counts. Without any, each job is a whole
    /// training.
    pub work: Vec<(Column, WorkUnit)>,
    pub batch: Option<Column>,
    /// Whether a row without a batch size is left out.
    pub batch_needed: bool,
    pub gpus_min: Option<Column>,
    pub gpus_max: Option<Column>,
    pub deadline: Option<Column>,
    pub best_effort: Option<Column>,
    pub user: Option<Column>,
    pub rescale_up: Option<Column>,
    pub rescale_down: Option<Column>,
    pub batch_min: Option<Column>,
    pub batch_max: Option<Column>,
    pub priority: Option<Column>,
}

impl JobColumns {
    /// The columns that every trace has; the others are missing, and each job is a whole training.
    pub fn new(name: Column, submit: Column, model: Column, gpus: Column) -> Self {
        Self { name, submit, model, gpus, ..Self::default() }
    }
}

pub(super) const GPUS_MIN_DEFAULT: &str = "1 is used";
pub(super) const BATCH_RANGE_DEFAULT: &str = "No policy changes its batch size";
pub(super) const PRIORITY_DEFAULT: &str = "1 is used";
pub(super) const GPUS_MAX_DEFAULT: &str = "The largest measured number of GPUs is used";
/// The default of one direction of the rescale cost where only the other one is given.
pub(super) const AS_UP: &str = "rescale_up_s is used";
pub(super) const AS_DOWN: &str = "rescale_down_s is used";
