//! What the name of a column says: the unit at its end, and the fields that it may stand for.
//!
//! Names are compared without capitals and without the signs between their words, so that `submit_time`, `SubmitTime`,
//! `Submit time` and `submit.time` are one. Where the list of synonyms lacks a name, what is left without the words
//! around it may say what it is: `job_finished_at` without `job` and `at`.

use super::expression::Unit;
use super::synonyms::{Affixed, END, Meaning, START, SYNONYMS, UNITS};

/// Names that are longer are no names of fields.
const LONGEST: usize = 64;

/// A field that a column may stand for, by its name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    /// A field of a mapping, or one of the parts of fields in [`super::synonyms`].
    pub field: &'static str,
    /// How surely.
    pub meaning: Meaning,
    /// The unit that the name ends with.
    pub unit: Option<Unit>,
    /// Of several columns for one field, the one with the lowest counts first.
    pub rank: usize,
    /// What of the name is not about the field: `jobat` of `job_finished_at`. Columns of one style have the same.
    pub style: String,
}

/// The fields that a column may stand for.
pub(super) fn meanings(name: &str) -> Vec<Named> {
    let words = words(name);
    let whole = words.concat();
    if whole.is_empty() || whole.len() > LONGEST {
        return Vec::new();
    }
    let (stem, unit) = without_unit(&words);
    let mut found = match unit {
        None => listed(&stem, None),
        // `gpus_min` ends with no unit, and `gpu_s` is not `gpus`.
        Some(_) if is_listed(&words.join("_")) => listed(&whole, None),
        Some(_) => listed(&stem, unit),
    };
    if found.is_empty() {
        found = affixed(&stem, unit);
    }
    // A name without a word beside its unit.
    if found.is_empty() && stem.is_empty() {
        let meaning = Meaning::Doubtful("the name says only a unit");
        found.push(Named { field: "duration_s", meaning, unit, rank: usize::MAX, style: String::new() });
    }
    found
}

/// Whether a column of this name holds the start of a run, which may stand for the submission.
pub(super) fn means_start(name: &str) -> bool {
    meanings(name).iter().any(|named| named.field == START)
}

/// A name as names are compared.
pub(super) fn key(name: &str) -> String {
    words(name).concat()
}

/// The words of a name in lower case: separated by anything but letters and digits, or by a capital behind a small
/// letter.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars().take(4 * LONGEST) {
        let is_letter = letter.is_ascii_alphanumeric() || !letter.is_ascii();
        if (!is_letter || (was_small && letter.is_ascii_uppercase()))
            && words.last().is_some_and(|word| !word.is_empty())
        {
            words.push(String::new());
        }
        was_small = letter.is_ascii_lowercase();
        if let Some(word) = words.last_mut().filter(|_| is_letter) {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The words without the unit at their end, and that unit: `elapsed` of `elapsed_in_minutes`, `submit` of
/// `submitTimeMs`.
fn without_unit(words: &[String]) -> (String, Option<Unit>) {
    let unit = words.last().and_then(|last| UNITS.iter().find(|(word, _)| word == last));
    let Some((_, unit)) = unit else { return (words.concat(), None) };
    let rest = words.get(..words.len() - 1).unwrap_or_default();
    let rest = rest.strip_suffix(&["in".to_string()]).unwrap_or(rest);
    (rest.concat(), Some(*unit))
}

/// Whether a name is listed, word for word.
fn is_listed(name: &str) -> bool {
    SYNONYMS.iter().any(|synonym| synonym.name == name)
}

/// The fields for which a name is listed. A unit makes sense for times only.
fn listed(key: &str, unit: Option<Unit>) -> Vec<Named> {
    let is_same = |listed: &str| listed.bytes().filter(|byte| *byte != b'_').eq(key.bytes());
    let all = SYNONYMS.iter().enumerate().filter(|(_, synonym)| is_same(synonym.name));
    let own = all.filter(|(_, synonym)| unit.is_none() || is_time(synonym.field));
    let named = |(rank, synonym): (usize, &super::synonyms::Synonym)| Named {
        field: synonym.field,
        meaning: synonym.meaning,
        unit,
        rank,
        style: String::new(),
    };
    own.map(named).collect()
}

/// The fields that the core of a name stands for.
fn affixed(key: &str, unit: Option<Unit>) -> Vec<Named> {
    let mut found = Vec::new();
    for (at, affixed) in Affixed::ALL.iter().enumerate().filter(|(_, affixed)| unit.is_none() || is_time(affixed.field))
    {
        let Some((rank, core)) = affixed.core(key, 3) else { continue };
        let rank = SYNONYMS.len() + 100 * at + rank;
        let style = key.replacen(core, "", 1);
        found.push(Named { field: affixed.field, meaning: affixed.meaning, unit, rank, style });
    }
    found
}

/// Whether a field is a moment or a duration.
fn is_time(field: &str) -> bool {
    ["submit_s", "duration_s", "deadline_s", START, END].contains(&field)
}

impl Affixed {
    /// The core of a name with its place in the list, once so many affixes at most are taken away.
    fn core(&self, key: &str, affixes: u32) -> Option<(usize, &'static str)> {
        let own = self.cores.iter().position(|core| *core == key);
        let own = own.and_then(|rank| Some((rank, *self.cores.get(rank)?)));
        own.or_else(|| self.inner(key, affixes, self.cores, 0))
            .or_else(|| self.inner(key, affixes, self.only_with_affix, self.cores.len()))
    }

    /// The core of a name that has at least one affix.
    fn inner(
        &self,
        key: &str,
        affixes: u32,
        cores: &'static [&'static str],
        first: usize,
    ) -> Option<(usize, &'static str)> {
        let left = affixes.checked_sub(1)?;
        let without_prefix = self.prefixes.iter().filter_map(|prefix| key.strip_prefix(prefix));
        let without_suffix = self.suffixes.iter().filter_map(|suffix| key.strip_suffix(suffix));
        without_prefix.chain(without_suffix).find_map(|rest| {
            let own = cores.iter().position(|core| *core == rest);
            let own = own.and_then(|rank| Some((first + rank, *cores.get(rank)?)));
            own.or_else(|| self.inner(rest, left, cores, first))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::synonyms::{GPUS_PER_NODE, NODES};

    /// The fields that names stand for, the first of each, with its unit.
    fn check(field: &str, unit: Option<Unit>, names: &[&str]) {
        for name in names {
            let found = meanings(name).first().map(|named| (named.field, named.unit));
            assert_eq!(found, Some((field, unit)), "{name}");
        }
    }

    #[test]
    fn names_of_schedulers_and_trackers() {
        check(
            "submit_s",
            None,
            &["submit_time", "SubmitTime", "Submit time", "submitted", "job.submitted_at", "qtime"],
        );
        check(
            "submit_s",
            None,
            &["queued", "queued_at", "enqueued", "enqueuedAt", "created", "CreatedAt", "createTime"],
        );
        check(
            "submit_s",
            None,
            &["qsub_time", "arrival_time", "time_submitted", "creationTimestamp", "submission date"],
        );
        check(
            START,
            None,
            &["start", "startedAt", "began", "begun_at", "launched", "dispatch_time", "TrainingStartTime"],
        );
        check(END, None, &["end", "ended", "finished", "finish_time", "completed_at", "completionTime", "stoppedAt"]);
        check("duration_s", None, &["elapsed", "wallclock", "ru_wallclock", "resources_used.walltime", "_runtime"]);
        check(
            "gpus",
            None,
            &["n_gpu", "nGPUs", "GPU Count", "cards", "num_cards", "accelerators", "accelerator_count"],
        );
        check("gpus", None, &["devices", "Resource_List.ngpus", "gpus_allocated", "slots_per_trial", "Requested GPUs"]);
        check(NODES, None, &["nodes", "nnodes", "NNodes", "InstanceCount", "replicas", "worker_num", "nodect"]);
        check(GPUS_PER_NODE, None, &["gpus_per_node", "gpusPerWorker", "GPUs per replica"]);
        check("user", None, &["who", "owner", "submitter", "Submitted by", "Job_Owner", "login"]);
        check("job_id", None, &["jobname", "JobName", "job_number", "run_name", "trial_id", "TrainingJobName"]);
    }

    #[test]
    fn units_at_the_end() {
        check("duration_s", Some(Unit::Minutes), &["Elapsed (min)", "elapsed_minutes", "runtimeMin", "run time [min]"]);
        check("duration_s", Some(Unit::Hours), &["wall_time_h", "Duration [hours]", "hours", "elapsed in hrs"]);
        check("duration_s", Some(Unit::Seconds), &["TrainingTimeInSeconds", "duration_s", "elapsed(s)", "wallSec"]);
        check("submit_s", Some(Unit::Milliseconds), &["submitted_ms", "creation_time_ms", "queuedAtMillis"]);
        check(END, Some(Unit::Milliseconds), &["end_time_ms", "finishedMs"]);
    }

    #[test]
    fn names_of_other_things() {
        let other = [
            "gpu_hours",
            "gpu_s",
            "GPU type",
            "gpu_model",
            "cpus",
            "queue",
            "request",
            "requested",
            "state",
            "exit",
            "trend",
            "format",
            "stat",
            "memory_ms",
            "node_list",
            "hostname",
            "wait_time",
            "time_limit",
            "",
            "  ",
            "(s",
            "note",
        ];
        for name in other {
            let found: Vec<Named> = meanings(name);
            let fields: Vec<&str> = found.iter().map(|named| named.field).collect();
            let is_known = fields.iter().any(|field| !["state", "model"].contains(field)) && name != "(s";
            assert!(!is_known, "{name}: {fields:?}");
        }
    }
}
