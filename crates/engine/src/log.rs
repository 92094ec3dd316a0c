//! An append-only log that is cheap to clone.

use std::sync::Arc;

/// Entries in a sealed chunk.
const CHUNK: usize = 4096;

/// Entries in order of insertion. Clones share sealed chunks: a checkpoint copies at most one chunk, however long the
/// run.
#[derive(Clone, Debug)]
pub(crate) struct Log<T> {
    sealed: Vec<Arc<[T]>>,
    open: Vec<T>,
}

impl<T> Default for Log<T> {
    fn default() -> Self {
        Self { sealed: Vec::new(), open: Vec::new() }
    }
}

impl<T: Clone> Log<T> {
    pub fn push(&mut self, entry: T) {
        self.open.push(entry);
        if self.open.len() == CHUNK {
            self.sealed.push(std::mem::take(&mut self.open).into());
        }
    }

    pub fn last(&self) -> Option<&T> {
        self.open.last().or_else(|| self.sealed.last().and_then(|chunk| chunk.last()))
    }

    pub fn pop(&mut self) {
        if self.open.is_empty() {
            self.open = self.sealed.pop().map(|chunk| chunk.to_vec()).unwrap_or_default();
        }
        self.open.pop();
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.sealed.iter().flat_map(|chunk| chunk.iter()).chain(&self.open)
    }
}
