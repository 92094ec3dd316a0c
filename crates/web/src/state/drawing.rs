//! The drawing of jobs, curves or a log of nodes that a worker is making.

use elastiplan_workloads::Drawing;

use super::drawn_edit::DrawnEdit;
use super::message::Msg;

/// A drawing that a worker is making.
pub struct PendingDrawing {
    pub(super) request: u32,
    pub(super) edit: DrawnEdit,
    pub(super) drawing: Drawing,
    /// What the user has done since.
    pub(super) waiting: Vec<Msg>,
}
