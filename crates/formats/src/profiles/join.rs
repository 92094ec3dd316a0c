//! From the files of a profile to one curve: step times by placement and by count, and a training at each batch size.
//!
//! Files of one folder belong together. Which of them are there shows only when all are read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use elastiplan_model::order::sort_by_key;
use elastiplan_model::{Curve, CurveKey, Diagnostic, Efficiency, Profile, ProfileStep, Severity, limits};

use crate::curves::set::CurveSet;
use crate::parts::{FilePart, about_file, in_rows, mark_not_used};
use crate::profiles::efficiency;
use crate::profiles::holes;
use crate::profiles::parts::{MeasuredStep, MeasuredSteps, PartData, ProfileName, ProfilePart, Training};
use crate::report::FileReport;

/// The artifact's: a batch above the base is never made in one pass on a single GPU, so that noise can be measured.
const PASSES_ALONE: u32 = 2;

/// All parts of a profile.
#[derive(Default)]
struct Draft {
    placements: Option<FilePart<MeasuredSteps>>,
    counts: Option<FilePart<MeasuredSteps>>,
    /// Step times of further GPU types, each file with its kind.
    others: Vec<(StepsKind, FilePart<MeasuredSteps>)>,
    trainings: BTreeMap<u32, FilePart<Training>>,
}

/// How a file of step times says which GPUs it is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StepsKind {
    Placements,
    Counts,
}

/// Profiles while their files are read.
#[derive(Default)]
pub(crate) struct Profiles {
    drafts: BTreeMap<ProfileName, Draft>,
}

impl Profiles {
    /// Adds a part, whose report comes next. It replaces an earlier one of its kind, with a finding.
    pub fn add(&mut self, files: &mut [FileReport], path: &str, part: ProfilePart) -> Option<Diagnostic> {
        let draft = self.drafts.entry(part.of).or_default();
        let (file, place) = (files.len(), path.to_string());
        let mut steps = |kind, data| {
            let old = draft.add_steps(kind, FilePart { file, path: place.clone(), data })?;
            Some((old.file, old.path))
        };
        let (old, what) = match part.data {
            PartData::Placements(data) => {
                (steps(StepsKind::Placements, data), "One file of step times by placement for a model")
            }
            PartData::Counts(data) => {
                (steps(StepsKind::Counts, data), "One file of step times by nodes and GPUs for a model")
            }
            PartData::Validation(data) => {
                let old = draft.trainings.insert(data.batch?, FilePart { file, path: place, data });
                (old.map(|old| (old.file, old.path)), "One validation run for a model and batch size")
            }
        };
        let (old_file, old_path) = old?;
        mark_not_used(files, old_file, &format!("{path} is used instead"));
        let rule = format!("{what}: {old_path} is one too");
        Some(about_file(path, Severity::Warning, &rule, "This file is used", "Load only one of the two files"))
    }

    /// The GPU type of the first file with step times: it is used for every model that has it, so that the curves of
    /// models can be compared.
    fn first_variant(&self) -> String {
        let first = self.drafts.values().flat_map(Draft::steps).min_by_key(|part| part.file);
        first.map(|part| part.data.variant.clone()).unwrap_or_default()
    }

    /// Adds the curves of all profiles to `curves`.
    pub fn finish(self, files: &mut [FileReport], curves: &mut CurveSet) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        let used = self.first_variant();
        for (name, mut draft) in self.drafts {
            let mut found: Vec<Diagnostic> = draft.of_one_variant(&used, files).into_iter().collect();
            found.extend(draft.of_other_variant(&used));
            match draft.curve(&name.model, &mut found) {
                Ok(curve) => {
                    let owner = draft.placements.as_ref().or(draft.counts.as_ref());
                    if let Some(report) = owner.and_then(|part| files.get_mut(part.file)) {
                        report.curves = 1;
                    }
                    found.extend(curves.add(name.path(), vec![curve]));
                }
                Err(refused) => {
                    for file in draft.files() {
                        mark_not_used(files, file, &refused.rule);
                    }
                    found.push(*refused);
                }
            }
            sort_by_key(&mut found, |diagnostic| std::cmp::Reverse(diagnostic.severity));
            all.extend(found);
        }
        all
    }
}

impl Draft {
    fn files(&self) -> impl Iterator<Item = usize> {
        let steps = self.steps().map(|part| part.file);
        steps.chain(self.trainings.values().map(|part| part.file))
    }

    /// Adds step times; returns those of the same kind and GPU type that they replace.
    fn add_steps(&mut self, kind: StepsKind, part: FilePart<MeasuredSteps>) -> Option<FilePart<MeasuredSteps>> {
        let variant = part.data.variant.clone();
        let slot = match kind {
            StepsKind::Placements => &mut self.placements,
            StepsKind::Counts => &mut self.counts,
        };
        match slot {
            Some(own) if own.data.variant != variant => {
                let same = |(other, part): &&mut (StepsKind, FilePart<MeasuredSteps>)| {
                    *other == kind && part.data.variant == variant
                };
                if let Some((_, own)) = self.others.iter_mut().find(same) {
                    return Some(std::mem::replace(own, part));
                }
                self.others.push((kind, part));
                None
            }
            slot => slot.replace(part),
        }
    }

    /// All step times, of every GPU type.
    fn steps(&self) -> impl Iterator<Item = &FilePart<MeasuredSteps>> {
        let others = self.others.iter().map(|(_, part)| part);
        self.placements.iter().chain(&self.counts).chain(others)
    }

    /// Leaves out step times of other GPU types than `used`; where the model has none of it, of others than its first.
    fn of_one_variant(&mut self, used: &str, files: &mut [FileReport]) -> Option<Diagnostic> {
        let first = |part: &&FilePart<MeasuredSteps>| part.file;
        let own = self.steps().find(|part| part.data.variant == used);
        let used = own.or(self.steps().min_by_key(first))?.data.variant.clone();
        let placements = self.placements.take().map(|part| (StepsKind::Placements, part));
        let counts = self.counts.take().map(|part| (StepsKind::Counts, part));
        let mut left_out = Vec::new();
        for (kind, part) in placements.into_iter().chain(counts).chain(std::mem::take(&mut self.others)) {
            match kind {
                _ if part.data.variant != used => left_out.push(part),
                StepsKind::Placements => self.placements = Some(part),
                StepsKind::Counts => self.counts = Some(part),
            }
        }
        sort_by_key(&mut left_out, |part| part.file);
        for part in &left_out {
            mark_not_used(files, part.file, &format!("{} is used: one GPU type at a time", type_name(&used)));
        }
        let types: BTreeSet<&str> = left_out.iter().map(|part| type_name(&part.data.variant)).collect();
        let rule = format!("One GPU type at a time, by the names of files: {} is used", type_name(&used));
        let repair = "Drop the files of one GPU type only to use it instead";
        let finding = about_file(&left_out.first()?.path, Severity::Warning, &rule, "Step times not used", repair);
        let value = types.into_iter().collect::<Vec<_>>().join(", ");
        Some(finding.with_value(value).with_count(left_out.len() as u64))
    }

    /// A finding about a model whose step times are of another GPU type than those of the other models.
    fn of_other_variant(&self, used: &str) -> Option<Diagnostic> {
        let own = self.steps().next().filter(|part| part.data.variant != used)?;
        let rule = format!("Step times on {}, as other models have", type_name(used));
        let outcome = format!("The curve is that on {}", type_name(&own.data.variant));
        let repair = "Load step times on the same GPU type, or drop the files of one GPU type only";
        Some(about_file(&own.path, Severity::Warning, &rule, &outcome, repair))
    }

    /// The curve; or the finding that says why there is none.
    fn curve(&self, model: &str, found: &mut Vec<Diagnostic>) -> Result<Curve, Box<Diagnostic>> {
        let Some(steps) = self.placements.as_ref().or(self.counts.as_ref()) else {
            let path = self.trainings.values().next().map_or(model, |training| &training.path);
            let rule = format!("There are no step times of {model} beside its validation runs");
            let repair = "Load placements.csv or scalability.csv of the same folder too";
            let refused = about_file(path, Severity::Error, &rule, FILES_NOT_USED, repair);
            return Err(Box::new(Diagnostic { count: self.trainings.len() as u64, ..refused }));
        };
        let all = |part: &Option<FilePart<MeasuredSteps>>| -> Vec<ProfileStep> {
            part.iter().flat_map(|part| &part.data.steps).map(|measured| measured.step.clone()).collect()
        };
        let measured = all(&self.placements).into_iter().chain(all(&self.counts));
        let refused = |error: &dyn std::fmt::Display| {
            Box::new(about_file(&steps.path, Severity::Error, &error.to_string(), FILES_NOT_USED, "Correct the files"))
        };
        let profile = Profile::new(measured).map_err(|error| refused(&error))?;
        let efficiency = efficiency::efficiency(&self.trainings, found);
        let passes_alone = if efficiency.is_some() { PASSES_ALONE } else { 1 };
        let efficiency = efficiency.unwrap_or_else(|| without_trainings(&profile, &steps.path, found));
        found.extend(holes::single_batch(&steps.path, &profile));
        let profile = self.limited(profile.with_passes_alone(passes_alone), efficiency.batch_max, found);
        found.extend(self.counted_twice());
        if let Some(placements) = &self.placements {
            let measured = placements.data.steps.iter().map(|measured| &measured.step);
            found.extend(holes::find(&placements.path, measured, &profile, efficiency.batch_max));
        } else {
            let rule = format!("Step times of {model} by placement");
            let outcome = "Only the numbers of nodes and GPUs count";
            let repair = "Load placements.csv too, if there is one";
            found.push(about_file(&steps.path, Severity::Info, &rule, outcome, repair));
        }
        let key = CurveKey { model: model.into(), batch_global: None };
        Curve::from_profile(key, Arc::new(profile), efficiency).map_err(|error| refused(&error))
    }

    /// Counts of nodes and GPUs that placements were measured for, too: theirs is the mean.
    fn counted_twice(&self) -> Option<Diagnostic> {
        let (placements, counts) = self.placements.as_ref().zip(self.counts.as_ref())?;
        let by_placement: BTreeSet<(u32, u32)> =
            placements.data.steps.iter().map(|measured| (measured.step.nodes, measured.step.gpus)).collect();
        let twice = |measured: &&MeasuredStep| by_placement.contains(&(measured.step.nodes, measured.step.gpus));
        let lines = counts.data.steps.iter().filter(twice).map(|measured| measured.line);
        let rule = format!("Numbers of nodes and GPUs that no placement in {} has", placements.path);
        let outcome = "The mean over those placements is used";
        let finding = about_file(&counts.path, Severity::Info, &rule, outcome, "Nothing to do, if both are right");
        in_rows(finding, lines)
    }

    /// The samples that fit on a GPU. Where counts go less far than placements although the largest batch leaves room,
    /// more samples did not run everywhere: the lower limit holds.
    fn limited(&self, profile: Profile, batch_max: Option<u32>, found: &mut Vec<Diagnostic>) -> Profile {
        let Some((placements, counts)) = self.placements.as_ref().zip(self.counts.as_ref()) else { return profile };
        let range = |steps: &[MeasuredStep]| {
            let batches = || steps.iter().map(|measured| measured.step.times.batch_per_gpu);
            (batches().fold(f64::INFINITY, f64::min), batches().fold(0.0, f64::max))
        };
        let ((least, most), (_, most_counted)) = (range(&placements.data.steps), range(&counts.data.steps));
        let farthest = counts.data.steps.iter().filter(|measured| measured.step.times.batch_per_gpu >= most_counted);
        let gpus = farthest.map(|measured| measured.step.gpus).min().unwrap_or(0);
        let room = batch_max.is_some_and(|batch_max| (most_counted + 1.0) * f64::from(gpus) <= f64::from(batch_max));
        if most_counted >= most || !room {
            return profile.with_batch_per_gpu(least as u32, most as u32);
        }
        let rule = format!("At most {most_counted} samples on a GPU: {} goes no further", counts.path);
        let repair = "Add rows with more samples on each GPU, if they run";
        let finding = about_file(&placements.path, Severity::Info, &rule, "Larger numbers are not used", repair);
        found.push(Diagnostic { value: Some(most.to_string()), ..finding });
        profile.with_batch_per_gpu(least as u32, most_counted as u32)
    }
}

/// A GPU type in words; files that name none are of one, too.
fn type_name(variant: &str) -> &str {
    if variant.is_empty() { "the type without a name" } else { variant }
}

const FILES_NOT_USED: &str = "Files of this model not used";

/// The efficiency where no training is known: every sample counts the same.
fn without_trainings(profile: &Profile, path: &str, found: &mut Vec<Diagnostic>) -> Efficiency {
    // The smallest batch that runs on every number of GPUs.
    let base = profile.batch_per_gpu().0.saturating_mul(profile.gpus_max()).clamp(1, limits::BATCH_MAX);
    let rule = "Validation runs beside the step times, such as validation-128.csv";
    let outcome = format!("Samples count the same in all batches; a job without a batch size trains with {base}");
    found.push(about_file(path, Severity::Warning, rule, &outcome, "Load the validation runs of the same folder too"));
    Efficiency { batch_base: base, batch_max: None, samples_total: None, stages: Vec::new() }
}
