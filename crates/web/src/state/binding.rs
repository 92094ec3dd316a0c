//! The binding of jobs to curves that a worker is making.

use super::world::World;

/// The binding of jobs that a worker is making, if any, and what follows it.
#[derive(Default)]
pub struct Binding {
    /// The request and what it was made for. There is one at a time: further ones are bound after it.
    pub(super) pending: Option<(u32, World)>,
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
