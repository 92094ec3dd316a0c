//! What files brought beside what was loaded before: jobs that take its place or are added, curves by model.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use elastiplan_model::{Curve, Curves, Job, ModelId, Trace};
use elastiplan_text::calendar::is_unix_time;

use super::data::Data;

/// A choice about files that were loaded over earlier data.
#[derive(Clone, Debug, PartialEq)]
pub enum MergeEdit {
    /// The jobs are added to the earlier ones, or take their place.
    AddJobs(bool),
    /// Of a model with other curves before, these are used.
    Curves(String, CurveChoice),
}

/// Which curves of a model are used, where files brought others than those that were loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveChoice {
    /// Those of before.
    Loaded,
    /// Those of the file.
    #[default]
    File,
    /// Those of before; those of the file are a model of another name.
    Both,
}

impl CurveChoice {
    /// All choices with their words.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Loaded, "Keep loaded"), (Self::File, "Take file"), (Self::Both, "Keep both")];
}

/// The speed of a model on a number of GPUs before and in the files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointPair {
    /// The batch size, where it matters.
    pub batch_global: Option<u32>,
    /// The number of GPUs.
    pub gpus: u32,
    /// Samples per second before.
    pub before: Option<f64>,
    /// Those of the files.
    pub file: Option<f64>,
}

impl PointPair {
    /// The change from before, as a share of it.
    pub fn change(&self) -> Option<f64> {
        self.before.zip(self.file).map(|(before, file)| file / before - 1.0)
    }
}

/// Data that files brought, over what was there before.
#[derive(Clone, Debug)]
pub struct Merge {
    before: Data,
    loaded: Data,
    /// Whether the jobs are added to the earlier ones.
    pub adds_jobs: bool,
    /// Choices by model; the file counts for all others.
    choices: BTreeMap<String, CurveChoice>,
    /// The data by the choices so far.
    applied: Data,
}

/// The curves of a model, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The fewest and the most GPUs.
    pub gpus: (u32, u32),
    /// The points of all curves.
    pub points: u64,
}

/// What becomes of the curves of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Becomes {
    /// Those of before stay: the files have none.
    Kept,
    /// There were none before.
    Added,
    /// Both have the same.
    Same,
    /// They differ.
    Differ {
        /// Which are used.
        choice: CurveChoice,
        /// Numbers of GPUs that both have measured, and those of them at which the speeds differ.
        shared: u64,
        differing: u64,
        /// The greatest change at one of them, as a share of the speed before.
        most: f64,
    },
}

/// The curves of a model before, in the files, and after.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRow {
    /// The model.
    pub model: String,
    /// Its curves before.
    pub before: Option<Measured>,
    /// Those of the files.
    pub file: Option<Measured>,
    /// What becomes of them.
    pub becomes: Becomes,
    /// Jobs of this model.
    pub jobs: u64,
}

impl Merge {
    /// The choices that there are, if there are any: jobs of files in the place of others, or curves beside others.
    pub fn of(before: &Data, loaded: &Data) -> Option<Self> {
        let merge = Self {
            before: before.clone(),
            loaded: loaded.clone(),
            adds_jobs: false,
            choices: BTreeMap::new(),
            applied: loaded.clone(),
        };
        (merge.jobs_before().is_some() || !merge.models().is_empty()).then_some(merge)
    }

    /// Whether these data follow from it: no others were loaded since.
    pub fn is_of(&self, data: &Data) -> bool {
        self.applied == *data
    }

    /// Whether something else than the files alone is in use.
    pub fn has_choices(&self) -> bool {
        self.adds_jobs || !self.choices.is_empty()
    }

    /// The number of jobs before, if they were of files and others took their place.
    pub fn jobs_before(&self) -> Option<usize> {
        let is_other = !Arc::ptr_eq(&self.before.trace, &self.loaded.trace);
        let is_of_files = self.before.trace_origin.reading().is_some() && self.loaded.trace_origin.reading().is_some();
        (is_other && is_of_files).then(|| self.before.trace.jobs().len())
    }

    /// Whether the jobs of both are on one clock: one that counts from 1970, or one that begins with the trace.
    pub fn is_on_one_clock(&self) -> bool {
        is_unix_time(self.before.trace.start_s()) == is_unix_time(self.loaded.trace.start_s())
    }

    /// Names that both have, with those that the added jobs would get.
    pub fn renamed(&self) -> Vec<(String, String)> {
        renames(&self.before.trace, &self.loaded.trace)
    }

    /// Applies a choice. Returns the data that follow.
    pub fn edit(&mut self, edit: MergeEdit) -> Data {
        match edit {
            MergeEdit::AddJobs(adds) => self.adds_jobs = adds && self.jobs_before().is_some() && self.is_on_one_clock(),
            MergeEdit::Curves(model, CurveChoice::File) => drop(self.choices.remove(&model)),
            MergeEdit::Curves(model, choice) => drop(self.choices.insert(model, choice)),
        }
        let mut data = self.loaded.clone();
        if self.adds_jobs
            && let Some(trace) = added(&self.before.trace, &self.loaded.trace)
        {
            data.trace = Arc::new(trace);
        }
        if !self.choices.is_empty() {
            let loaded = self.loaded.curves.as_slice().iter().filter_map(|curve| {
                let model = &curve.key().model;
                match self.choices.get(model) {
                    None | Some(CurveChoice::File) => Some(curve.clone()),
                    Some(CurveChoice::Loaded) => None,
                    Some(CurveChoice::Both) => Some(curve.clone().of_model(self.name_beside(model))),
                }
            });
            let kept = |curve: &&Curve| self.choices.contains_key(&curve.key().model);
            let kept = self.before.curves.as_slice().iter().filter(kept).cloned();
            data.curves = Arc::new(loaded.chain(kept).collect());
        }
        self.applied = data.clone();
        data
    }

    /// The name of the file's curves beside those of before: `bert (2)`, or the next number that no model has.
    pub fn name_beside(&self, model: &str) -> String {
        let is_taken = |name: &String| {
            [&self.before.curves, &self.loaded.curves].iter().any(|curves| !curves.of_model(name).is_empty())
        };
        let mut names = (2_u64..).map(|number| format!("{model} ({number})"));
        names.find(|name| !is_taken(name)).unwrap_or_default()
    }

    /// The points of a model's curves before and in the files, by batch size and GPUs.
    pub fn points(&self, model: &str) -> Vec<PointPair> {
        let mut pairs: BTreeMap<(Option<u32>, u32), [Option<f64>; 2]> = BTreeMap::new();
        for (side, curves) in [&self.before.curves, self.file()].into_iter().enumerate() {
            for curve in curves.of_model(model) {
                for point in curve.points() {
                    let pair = pairs.entry((curve.key().batch_global, point.gpus)).or_default();
                    pair.iter_mut().skip(side).take(1).for_each(|speed| *speed = Some(point.samples_per_s));
                }
            }
        }
        let pairs = pairs.into_iter();
        pairs.map(|((batch_global, gpus), [before, file])| PointPair { batch_global, gpus, before, file }).collect()
    }

    /// The curves of the files alone.
    fn file(&self) -> &Curves {
        self.loaded.curves_last.as_ref().unwrap_or(&self.loaded.curves)
    }

    /// The models with their curves before and after, if files brought some beside others.
    pub fn models(&self) -> Vec<ModelRow> {
        if Arc::ptr_eq(&self.before.curves, &self.loaded.curves) || self.before.curves_origin.is_sample() {
            return Vec::new();
        }
        let file = self.file();
        let models: BTreeSet<&str> = self.before.curves.models().into_iter().chain(file.models()).collect();
        let mut jobs: BTreeMap<&str, u64> = BTreeMap::new();
        for job in self.applied.trace.jobs() {
            *jobs.entry(self.applied.trace.model_name(job.model)).or_default() += 1;
        }
        let row = |model: &str| {
            let (before, own) = (self.before.curves.of_model(model), file.of_model(model));
            let becomes = match (before.is_empty(), own.is_empty()) {
                (_, true) => Becomes::Kept,
                (true, false) => Becomes::Added,
                _ if before == own => Becomes::Same,
                _ => differ(before, own, self.choices.get(model).copied().unwrap_or_default()),
            };
            let jobs = jobs.get(model).copied().unwrap_or(0);
            ModelRow { model: model.into(), before: measured(before), file: measured(own), becomes, jobs }
        };
        models.into_iter().map(row).collect()
    }
}

/// The curves of a model, counted; `None` for none.
fn measured(curves: &[Curve]) -> Option<Measured> {
    let least = curves.iter().map(Curve::gpus_smallest).min()?;
    let most = curves.iter().map(Curve::gpus_largest).max()?;
    Some(Measured { gpus: (least, most), points: curves.iter().map(|curve| curve.points().len() as u64).sum() })
}

/// How two sets of curves of a model differ, at the numbers of GPUs that both have for a batch size.
fn differ(before: &[Curve], file: &[Curve], choice: CurveChoice) -> Becomes {
    let (mut shared, mut differing, mut most) = (0, 0, 0.0_f64);
    for curve in file {
        let Some(other) = before.iter().find(|other| other.key() == curve.key()) else { continue };
        for point in curve.points() {
            let Some(known) = other.points().iter().find(|known| known.gpus == point.gpus) else { continue };
            shared += 1;
            let change = point.samples_per_s / known.samples_per_s - 1.0;
            differing += u64::from(change != 0.0);
            if change.abs() > most.abs() {
                most = change;
            }
        }
    }
    Becomes::Differ { choice, shared, differing, most }
}

/// Names of jobs that both have, with a number behind them that no job has.
fn renames(before: &Trace, added: &Trace) -> Vec<(String, String)> {
    let names = |trace: &Trace| trace.jobs().iter().map(|job| job.name.clone()).collect::<BTreeSet<String>>();
    let known = names(before);
    let mut taken: BTreeSet<String> = known.union(&names(added)).cloned().collect();
    let mut renamed = Vec::new();
    for job in added.jobs().iter().filter(|job| known.contains(&job.name)) {
        let numbered = (2_u64..).map(|number| format!("{}-{number}", job.name)).find(|name| !taken.contains(name));
        let name = numbered.unwrap_or_default();
        taken.insert(name.clone());
        renamed.push((job.name.clone(), name));
    }
    renamed
}

/// The jobs of both, those of the second renamed where the first has their name. `None` where they are too many.
fn added(before: &Trace, added: &Trace) -> Option<Trace> {
    let renamed: BTreeMap<String, String> = renames(before, added).into_iter().collect();
    let mut models = before.models().to_vec();
    let mut place = |name: &str| {
        let known = models.iter().position(|model| model == name);
        known.unwrap_or_else(|| {
            models.push(name.to_string());
            models.len() - 1
        })
    };
    let places: Vec<usize> = added.models().iter().map(|model| place(model)).collect();
    // Rows are shown in the last file, which does not hold those of the first.
    let first = before.jobs().iter().cloned().map(|job| Job { source_row: 0, ..job });
    let second = added.jobs().iter().cloned().map(|job| {
        let model = places.get(job.model.0 as usize).and_then(|place| u32::try_from(*place).ok()).unwrap_or_default();
        let name = renamed.get(&job.name).unwrap_or(&job.name).clone();
        Job { name, model: ModelId(model), ..job }
    });
    let jobs = first.chain(second).collect();
    Trace::new(models, jobs).ok()
}

#[cfg(test)]
mod tests {
    use elastiplan_formats::{Options, Source, import};

    use super::*;
    use crate::state::inputs::Inputs;

    fn with(data: &Data, number: u32, files: &[(&str, &'static str)]) -> Data {
        let sources = files.iter().map(|&(name, text)| Source::from_bytes(name, text.as_bytes())).collect();
        data.with(import(sources, &Options::default(), &mut |_| {}), number, 0.0).0.unwrap()
    }

    const FIRST: (&str, &str) =
        ("first.csv", "job_id,submit_s,model,gpus,samples\na,0,bert,2,1000\nb,9,gpt,1,10\na-2,20,gpt,1,10\n");
    const SECOND: (&str, &str) = ("second.csv", "job_id,submit_s,model,gpus,samples\na,5,vit,2,1000\nc,30,bert,1,10\n");
    const CURVES: (&str, &str) = ("curves.csv", "model,gpus,samples_per_s\nbert,1,10\nbert,2,19\ngpt,1,5\n");
    const OTHERS: (&str, &str) =
        ("others.csv", "model,gpus,samples_per_s\nbert,1,10\nbert,2,28.5\nbert,4,40\nvit,1,7\n");

    fn jobs(data: &Data) -> String {
        let job = |job: &Job| format!("{} {} {}", job.name, job.submit_s, data.trace.model_name(job.model));
        data.trace.jobs().iter().map(job).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn jobs_take_the_place_of_others_or_are_added() {
        let before = with(&Inputs::sample().data, 1, &[FIRST]);
        let loaded = with(&before, 2, &[SECOND]);
        let mut merge = Merge::of(&before, &loaded).unwrap();
        assert!(merge.is_of(&loaded) && !merge.is_of(&before));
        assert_eq!(merge.jobs_before(), Some(3));
        assert_eq!(merge.renamed(), [("a".to_string(), "a-3".to_string())]);
        let both = merge.edit(MergeEdit::AddJobs(true));
        assert_eq!(jobs(&both), "a 0 bert, a-3 5 vit, b 9 gpt, a-2 20 gpt, c 30 bert");
        assert!(merge.is_of(&both));
        let only = merge.edit(MergeEdit::AddJobs(false));
        assert_eq!(jobs(&only), "a 5 vit, c 30 bert");
    }

    #[test]
    fn clocks_that_differ_are_not_mixed() {
        const DATED: (&str, &str) = ("dated.csv", "job_id,submit_s,model,gpus,samples\nd,1782864000,bert,2,1000\n");
        let before = with(&Inputs::sample().data, 1, &[FIRST]);
        let mut merge = Merge::of(&before, &with(&before, 2, &[DATED])).unwrap();
        assert!(!merge.is_on_one_clock());
        assert_eq!(jobs(&merge.edit(MergeEdit::AddJobs(true))), "d 1782864000 bert");
    }

    #[test]
    fn there_is_nothing_to_choose_over_the_sample() {
        let sample = Inputs::sample().data;
        assert!(Merge::of(&sample, &with(&sample, 1, &[FIRST, CURVES])).is_none());
    }

    #[test]
    fn curves_of_a_model_are_those_of_the_file_or_stay() {
        let before = with(&Inputs::sample().data, 1, &[FIRST, CURVES]);
        let loaded = with(&before, 2, &[OTHERS]);
        let mut merge = Merge::of(&before, &loaded).unwrap();
        let speed = |data: &Data| data.curves.of_model("bert")[0].points()[1].samples_per_s;
        let rows = |merge: &Merge| -> Vec<(String, Becomes, u64)> {
            merge.models().into_iter().map(|row| (row.model, row.becomes, row.jobs)).collect()
        };
        let differ = |choice| Becomes::Differ { choice, shared: 2, differing: 1, most: 0.5 };
        let check = |merge: &Merge, bert: Becomes| {
            let expected = [("bert", bert, 1), ("gpt", Becomes::Kept, 2), ("vit", Becomes::Added, 0)];
            assert_eq!(rows(merge), expected.map(|(model, becomes, jobs)| (model.to_string(), becomes, jobs)));
        };
        check(&merge, differ(CurveChoice::File));
        let kept = merge.edit(MergeEdit::Curves("bert".into(), CurveChoice::Loaded));
        assert_eq!((speed(&loaded), speed(&kept)), (28.5, 19.0));
        check(&merge, differ(CurveChoice::Loaded));
        assert_eq!(kept.curves.models(), ["bert", "gpt", "vit"]);
        let both = merge.edit(MergeEdit::Curves("bert".into(), CurveChoice::Both));
        assert_eq!(both.curves.models(), ["bert", "bert (2)", "gpt", "vit"]);
        assert_eq!((speed(&both), both.curves.of_model("bert (2)")[0].points()[1].samples_per_s), (19.0, 28.5));
        let taken = merge.edit(MergeEdit::Curves("bert".into(), CurveChoice::File));
        assert_eq!(taken, loaded);
        let points = merge.points("bert");
        let points: Vec<_> = points.iter().map(|own| (own.gpus, own.before, own.file, own.change())).collect();
        let expected = [
            (1, Some(10.0), Some(10.0), Some(0.0)),
            (2, Some(19.0), Some(28.5), Some(0.5)),
            (4, None, Some(40.0), None),
        ];
        assert_eq!(points, expected);
        assert_eq!(merge.models()[0].before, Some(Measured { gpus: (1, 2), points: 2 }));
    }
}
