//! Scenarios that were opened: files that one still needs, what is to be shown of it, and whether its results agree.

use std::sync::Arc;

use elastiplan_model::Trace;
use elastiplan_present::runs::RunState;
use elastiplan_text::words::list;
use elastiplan_worker::keeping::{KnownResult, ShownView};

use super::message::Screen;
use super::page::Page;
use crate::files::NamedFile;

/// A scenario that is being opened, or that waits for files.
pub struct Asked {
    /// The link, if it is one.
    pub link: Option<String>,
    /// The files that were given so far, that of the scenario included.
    pub files: Vec<NamedFile>,
}

/// What a dialog says of a scenario that was opened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notice {
    /// In a few words.
    pub title: String,
    /// Files that it needs, each with the start of its hash, where that is known.
    pub needs: Vec<(String, Option<String>)>,
    /// What could not be read or does not agree, in sentences.
    pub lines: Vec<String>,
}

/// A scenario whose runs are awaited.
pub struct Watched {
    /// What it was opened from.
    pub from: String,
    /// Its jobs: others are another scenario's.
    pub trace: Arc<Trace>,
    /// What to show.
    pub view: ShownView,
    /// Digests that came with it.
    pub known: Vec<KnownResult>,
    /// Digests of all runs of the list, where it came with one.
    pub of_runs: Vec<Option<String>>,
    /// What is said if they agree, where that is more than that they do.
    pub words: Option<String>,
}

/// Whether results agree with those that came with a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// There is nothing to compare.
    Unknown,
    /// All runs have their digests.
    Agree,
    /// These policies have other ones.
    Differ(Vec<String>),
}

impl Watched {
    /// Whether its runs have ended, or it was left: then it need not be watched any more.
    pub fn is_over(&self, page: &Page) -> bool {
        !Arc::ptr_eq(&page.planner.inputs().data.trace, &self.trace) || self.is_shown(page)
    }

    /// Whether its runs are shown and have ended.
    pub fn is_shown(&self, page: &Page) -> bool {
        let shown = page.planner.shown.as_ref();
        let is_own = shown.is_some_and(|set| Arc::ptr_eq(&set.inputs.data.trace, &self.trace) && !set.is_running());
        is_own && page.planner.coming.is_none() && !page.planner.is_stale()
    }

    /// Compares the shown runs with the digests that came with it.
    pub fn agreement(&self, page: &Page) -> Agreement {
        let Some(set) = page.planner.shown.as_ref() else { return Agreement::Unknown };
        let seed = set.inputs.conditions.seed;
        let is_list = self.of_runs.len() == set.entries.len();
        let finished = set.entries.iter().filter(|entry| entry.state == RunState::Finished);
        let mut compared = 0;
        let mut other = Vec::new();
        for entry in finished {
            let policy = entry.policy.to_string();
            let known = self.known.iter().find(|known| known.seed == seed && known.policy == policy);
            let known = match self.of_runs.get(entry.slot).filter(|_| is_list) {
                Some(digest) => digest.as_ref(),
                None => known.map(|known| &known.digest),
            };
            if let Some((known, result)) = known.zip(entry.result.as_ref()) {
                compared += 1;
                if *known != result.digest {
                    other.push(policy);
                }
            }
        }
        match (compared, other.is_empty()) {
            (0, _) => Agreement::Unknown,
            (_, true) => Agreement::Agree,
            (_, false) => Agreement::Differ(other),
        }
    }

    /// The sentence for the status line.
    pub fn words(&self, agreement: &Agreement) -> Option<String> {
        match agreement {
            Agreement::Unknown | Agreement::Agree if self.words.is_some() => self.words.clone(),
            Agreement::Unknown => None,
            Agreement::Agree => Some(format!("Results agree with those in {}", self.from)),
            Agreement::Differ(policies) => {
                let policies: Vec<&str> = policies.iter().map(String::as_str).collect();
                Some(format!("Results differ from those in {}: {}", self.from, list(&policies)))
            }
        }
    }
}

/// The screen of a name in links.
pub fn screen_of(name: &str) -> Option<Screen> {
    [Screen::Compare, Screen::Jobs, Screen::Study].into_iter().find(|screen| screen_name(*screen) == name)
}

/// The name of a screen in links; screens that are about files are no part of a scenario.
pub fn screen_name(screen: Screen) -> &'static str {
    match screen {
        Screen::Jobs => "jobs",
        Screen::Study => "study",
        _ => "compare",
    }
}
