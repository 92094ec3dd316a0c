//! Names, each kept once and numbered in order of appearance.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};

use elastiplan_model::ModelId;

/// Names, each kept once and numbered in order of appearance.
#[derive(Default)]
pub(crate) struct Names {
    list: Vec<String>,
    /// Numbers by hash: with millions of names several times quicker than by name. A hash that another name has moves
    /// on to the next free one.
    numbers: BTreeMap<u64, u32>,
    /// The number given last: rows of one name often stand together.
    last: u32,
}

impl Names {
    /// The number of a name; a new one gets the next number.
    pub fn number(&mut self, name: &str) -> u32 {
        if self.list.get(self.last as usize).is_some_and(|last| last == name) {
            return self.last;
        }
        let mut key = hash(name);
        self.last = loop {
            match self.numbers.entry(key) {
                Entry::Occupied(known) if self.list.get(*known.get() as usize).is_some_and(|other| other == name) => {
                    break *known.get();
                }
                Entry::Occupied(_) => key = key.wrapping_add(1),
                Entry::Vacant(free) => {
                    let number = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
                    self.list.push(name.into());
                    break *free.insert(number);
                }
            }
        };
        self.last
    }

    /// The same as a model's id.
    pub fn model(&mut self, name: &str) -> ModelId {
        ModelId(self.number(name))
    }

    /// The name with a number; empty for a number that was not given out.
    pub fn name(&self, number: u32) -> &str {
        self.list.get(number as usize).map_or("", String::as_str)
    }

    /// All names in order.
    pub fn into_list(self) -> Vec<String> {
        self.list
    }
}

/// A hash of a name, the same in every run.
pub(crate) fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}
