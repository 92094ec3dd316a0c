//! The binding of jobs to curves that a worker is making.

use super::inputs::Inputs;

/// The binding of jobs that a worker is making, if any, and what follows it.
#[derive(Default)]
pub struct Binding {
    /// The request and the inputs it was made for. There is one at a time: those of later inputs are bound after it.
    pub(super) pending: Option<(u32, Inputs)>,
    /// What follows once the present jobs are bound.
    pub(super) next: Next,
}

/// What follows once jobs are bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Next {
    /// Nothing.
    #[default]
    Nothing,
    /// Runs start.
    Launch,
    /// Runs start, unless the user has to confirm a warning first.
    LaunchUnlessWarned,
}
