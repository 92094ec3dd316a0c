//! Which job is counted in which band, what bands are called, and how they are ordered.

use std::collections::BTreeMap;

use elastiplan_engine::{Outcome, Run};
use elastiplan_model::{Job, JobId, Trace, order};
use elastiplan_text::format;

use super::BANDS_MAX;
use crate::draw::Paint;
use crate::slots::{ModelSlot, ModelSlots};

/// Sizes of jobs are told apart by the largest number of GPUs asked for; the last band has all larger ones.
const SIZES: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];

/// What bands stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StackBy {
    /// The model that a job trains.
    #[default]
    Model,
    /// The user who submitted it.
    User,
    /// The GPUs that it asked for.
    Size,
    /// How it ended under the run that is shown.
    Outcome,
}

impl StackBy {
    /// All of them, in the order of their menu.
    pub const ALL: [StackBy; 4] = [StackBy::Model, StackBy::User, StackBy::Size, StackBy::Outcome];

    /// "by model".
    pub fn label(self) -> &'static str {
        match self {
            StackBy::Model => "by model",
            StackBy::User => "by user",
            StackBy::Size => "by size",
            StackBy::Outcome => "by outcome",
        }
    }
}

/// One band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// What it is called: "bert", "5 to 8 GPUs", "missed deadline".
    pub name: String,
    /// Its colour.
    pub paint: Paint,
    /// The terms of a query that finds its jobs.
    terms: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Term {
    /// The same under every run.
    Plain(String),
    /// An outcome: it asks for a run.
    Outcome(&'static str),
}

impl Band {
    /// The query that finds its jobs under the run with this badge: `model:bert`, `missed:C`.
    pub fn query(&self, badge: &str) -> String {
        let written = |term: &Term| match term {
            Term::Plain(term) => term.clone(),
            Term::Outcome(word) => format!("{word}:{badge}"),
        };
        self.terms.iter().map(written).collect::<Vec<_>>().join(" ")
    }
}

/// The bands of a comparison, the lowest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Banding {
    by: StackBy,
    bands: Vec<Band>,
    /// The band of each job, or of each outcome.
    band_of: Vec<u8>,
}

/// A group of jobs before it is known whether it gets a band of its own.
struct Group {
    name: String,
    terms: Vec<Term>,
    paint: Option<Paint>,
}

/// How a job ended, as far as bands tell it.
#[derive(Clone, Copy)]
enum Ending {
    Met,
    Completed,
    Missed,
    Dropped,
    Failed,
    Cancelled,
    Unfinished,
}

impl Banding {
    /// The bands of the jobs that are shown: those with most GPU-hours over all runs lie lowest. Where there are more
    /// than eight groups, the rest share one, on top of all others.
    pub fn new(trace: &Trace, slots: &ModelSlots, by: StackBy, runs: &[&Run], jobs: &[JobId]) -> Self {
        let (groups, group_of) = groups(trace, slots, by);
        let mut gpu_seconds = vec![0.0; groups.len()];
        let mut is_present = vec![false; groups.len()];
        for &job in jobs {
            for run in runs {
                let at = match by {
                    StackBy::Outcome => trace.jobs().get(job.index()).map(|known| ending(known, job, run) as usize),
                    _ => group_of.get(job.index()).copied(),
                };
                let held = run.jobs.gpu_seconds.get(job.index()).copied().unwrap_or(0.0);
                if let Some((sum, present)) = at.and_then(|at| gpu_seconds.get_mut(at).zip(is_present.get_mut(at))) {
                    *sum += held;
                    *present |= held > 0.0;
                }
            }
        }
        let mut ranked: Vec<usize> = (0..groups.len()).filter(|&at| is_present.get(at) == Some(&true)).collect();
        order::sort_by(&mut ranked, |a, b| {
            let sum = |at: &usize| gpu_seconds.get(*at).copied().unwrap_or(0.0);
            sum(b).total_cmp(&sum(a))
        });
        let most = BANDS_MAX - 1;
        let shares = |at: &usize| groups.get(*at).is_some_and(|group| group.paint == Some(OTHER));
        // Models keep their colours: those that share one lie on top already.
        let (mut own, mut rest): (Vec<usize>, Vec<usize>) = ranked.into_iter().partition(|at| !shares(at));
        if own.len() > most {
            rest.extend(own.split_off(most));
        }
        let mut band_of_group = vec![u8::MAX; groups.len()];
        let mut bands = Vec::new();
        for (band, &at) in own.iter().enumerate() {
            let Some(group) = groups.get(at) else { continue };
            let paint = group.paint.unwrap_or(Paint::Model(ModelSlot::new(band)));
            bands.push(Band { name: group.name.clone(), paint, terms: group.terms.clone() });
            if let Some(place) = band_of_group.get_mut(at) {
                *place = band as u8;
            }
        }
        if !rest.is_empty() {
            let others = bands.iter().flat_map(|band| &band.terms).map(negated).collect();
            let name = if let ([only], true) = (rest.as_slice(), by == StackBy::Model) {
                groups.get(*only).map(|group| group.name.clone()).unwrap_or_default()
            } else {
                format!("{} other", format::count(rest.len() as u64))
            };
            for at in &rest {
                if let Some(place) = band_of_group.get_mut(*at) {
                    *place = bands.len() as u8;
                }
            }
            bands.push(Band { name, paint: OTHER, terms: others });
        }
        let band_of = match by {
            StackBy::Outcome => band_of_group,
            _ => group_of.iter().map(|&at| band_of_group.get(at).copied().unwrap_or(u8::MAX)).collect(),
        };
        Self { by, bands, band_of }
    }

    /// What bands stand for.
    pub fn by(&self) -> StackBy {
        self.by
    }

    /// The bands, the lowest first.
    pub fn bands(&self) -> &[Band] {
        &self.bands
    }

    /// The band of a job under a run; `None` if it never held GPUs when the bands were made.
    pub fn band_of(&self, job: JobId, run: &Run, trace: &Trace) -> Option<usize> {
        let at = match self.by {
            StackBy::Outcome => ending(trace.jobs().get(job.index())?, job, run) as usize,
            _ => job.index(),
        };
        self.band_of.get(at).map(|&band| usize::from(band)).filter(|&band| band < self.bands.len())
    }
}

const OTHER: Paint = Paint::Model(ModelSlot::OTHER);

/// The groups that jobs may be in, and the group of each job; of outcomes, which a run decides, only the groups.
fn groups(trace: &Trace, slots: &ModelSlots, by: StackBy) -> (Vec<Group>, Vec<usize>) {
    match by {
        StackBy::Model => {
            let group = |(name, slot): (&String, ModelSlot)| {
                let terms = vec![Term::Plain(format!("model:{}", quoted(name)))];
                Group { name: name.clone(), terms, paint: Some(Paint::Model(slot)) }
            };
            let models = (0..trace.models().len() as u32).map(elastiplan_model::ModelId);
            let groups = trace.models().iter().zip(models.map(|model| slots.of(model))).map(group);
            (groups.collect(), trace.jobs().iter().map(|job| job.model.0 as usize).collect())
        }
        StackBy::User => by_user(trace),
        StackBy::Size => {
            let sizes = SIZES.into_iter().map(Some).chain([None]);
            let mut least = 1;
            let groups = sizes.map(|most| {
                let (name, term) = size_words(least, most);
                least = most.map_or(least, |most| most + 1);
                Group { name, terms: vec![Term::Plain(term)], paint: None }
            });
            let size_of = |job: &Job| SIZES.partition_point(|&most| most < job.gpus_requested);
            (groups.collect(), trace.jobs().iter().map(size_of).collect())
        }
        StackBy::Outcome => (outcomes(), Vec::new()),
    }
}

fn by_user(trace: &Trace) -> (Vec<Group>, Vec<usize>) {
    let mut known: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    let mut groups = Vec::new();
    let mut group_of = Vec::with_capacity(trace.jobs().len());
    for job in trace.jobs() {
        let user = job.user.as_deref();
        let at = *known.entry(user).or_insert_with(|| {
            let name = user.unwrap_or("no user").to_string();
            let term = user.map_or("-user~\"\"".to_string(), |user| format!("user:{}", quoted(user)));
            groups.push(Group { name, terms: vec![Term::Plain(term)], paint: None });
            groups.len() - 1
        });
        group_of.push(at);
    }
    (groups, group_of)
}

fn size_words(least: u32, most: Option<u32>) -> (String, String) {
    match most {
        Some(most) if most == least => (format::gpus(most), format!("gpus={most}")),
        Some(most) => (format!("{least} to {}", format::gpus(most)), format!("gpus>={least} gpus<={most}")),
        None => (format!("over {}", format::gpus(least - 1)), format!("gpus>={least}")),
    }
}

/// In the order of [`Ending`].
fn outcomes() -> Vec<Group> {
    let slot = |number: usize| Paint::Model(ModelSlot::new(number));
    let group = |(name, words, paint): (&str, &[&'static str], Paint)| Group {
        name: name.into(),
        terms: words.iter().map(|word| Term::Outcome(word)).collect(),
        paint: Some(paint),
    };
    let groups: [(&str, &[&'static str], Paint); 7] = [
        ("met deadline", &["met"], slot(1)),
        ("completed", &["completed", "-met", "-missed"], slot(0)),
        ("missed deadline", &["missed", "-failed", "-cancelled", "-dropped"], Paint::Bad),
        ("declined", &["dropped"], Paint::Ink2),
        ("failed", &["failed"], slot(5)),
        ("cancelled", &["cancelled"], Paint::Ink3),
        ("unfinished", &["unfinished", "-missed"], Paint::Wait),
    ];
    groups.into_iter().map(group).collect()
}

fn ending(known: &Job, job: JobId, run: &Run) -> Ending {
    let outcome = run.jobs.outcome.get(job.index()).copied().unwrap_or(Outcome::Unfinished);
    let is_over = outcome == Outcome::Completed || !run.finished;
    let known_until_s = run.jobs.end_s.get(job.index()).copied().flatten().unwrap_or(run.end_s);
    // A job that a finished run has left undone misses its deadline, whenever that is.
    let ended_s = if is_over { known_until_s } else { f64::INFINITY };
    match (outcome, known.deadline_s) {
        (Outcome::Failed, _) => Ending::Failed,
        (Outcome::Cancelled, _) => Ending::Cancelled,
        (Outcome::Dropped, _) => Ending::Dropped,
        (_, Some(deadline_s)) if ended_s > deadline_s => Ending::Missed,
        (Outcome::Unfinished, _) => Ending::Unfinished,
        (Outcome::Completed, Some(_)) => Ending::Met,
        (Outcome::Completed, None) => Ending::Completed,
    }
}

fn negated(term: &Term) -> Term {
    match term {
        Term::Plain(term) => Term::Plain(format!("-{term}")),
        Term::Outcome(_) => term.clone(),
    }
}

/// A value as the search language reads it: in quotes unless it is a plain word.
fn quoted(value: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if !value.is_empty() && value.chars().all(is_plain) {
        return value.to_string();
    }
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}
