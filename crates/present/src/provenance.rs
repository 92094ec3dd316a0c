//! Provenance of a figure: scenario, runs and build, written into its file so that it can be reproduced.

use elastiplan_scenario::fields::{FIELDS, Unit};
use elastiplan_scenario::{Conditions, FaultsText, Scenario};
use elastiplan_text::words;

use crate::figure::label_of;
use crate::runs::{RunEntry, shown};

/// A letter of small print, about.
const PRINT_LETTER_PX: f64 = 5.0;
/// Letters of a scenario's name in small print at most.
const NAME_CHARS: usize = 60;
/// Digits of a digest that small print has.
const DIGEST_CHARS: usize = 8;
/// The bytes of each part of a file's name at most: together with the ending they are fewer than any file system allows.
const FILE_PART_BYTES: usize = 60;
/// Endings of files that scenarios are named after.
const ENDINGS: [&str; 6] = [".csv", ".tsv", ".json", ".txt", ".gz", ".log"];

/// `training-july-gpus-in-use.svg`: the name of a file from the name of a scenario, what the file shows, and its ending.
/// Letters of all scripts and digits stay, everything else becomes a hyphen: no path, no hidden file, no name that some
/// system reserves.
pub fn file_name(scenario: &str, what: &str, ending: &str) -> String {
    let mut name = scenario.trim().to_lowercase();
    while let Some(known) = ENDINGS.iter().find(|known| name.ends_with(**known)) {
        name.truncate(name.len() - known.len());
    }
    let name = match file_part(&name) {
        name if name.is_empty() => "elastiplan".into(),
        name => name,
    };
    format!("{name}-{}.{ending}", file_part(what))
}

/// Letters and digits of a name in lower case, with single hyphens between, cut to a length.
fn file_part(name: &str) -> String {
    let mut part = String::new();
    for letter in name.chars().flat_map(char::to_lowercase) {
        let letter = if letter.is_alphanumeric() { letter } else { '-' };
        let is_second_hyphen = letter == '-' && (part.is_empty() || part.ends_with('-'));
        if is_second_hyphen {
            continue;
        }
        if part.len() + letter.len_utf8() > FILE_PART_BYTES {
            break;
        }
        part.push(letter);
    }
    part.trim_end_matches('-').into()
}

/// The first digits of a digest.
fn beginning(digest: &str) -> String {
    digest.chars().take(DIGEST_CHARS).collect()
}

/// Scenario, runs and build.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// The scenario's name.
    pub name: String,
    /// Its jobs, cluster and seed, a few words each.
    pub inputs: Vec<String>,
    /// The runs shown, each with the beginning of the digest of its record.
    pub digests: Vec<String>,
    /// The scenario in a line.
    pub scenario: String,
    /// Policies with the digests of their records.
    pub runs: String,
    /// Which build made it.
    pub software: String,
}

impl Provenance {
    /// Provenance of figures of a scenario and its runs; `software` names the program with its build.
    pub fn of(name: &str, scenario: &Scenario, runs: &[RunEntry], software: String) -> Self {
        let digest = |entry: &RunEntry| {
            let digest = entry.result.as_ref().map_or("none", |result| result.digest.as_str());
            (
                format!("{} {}", label_of(entry), beginning(digest)),
                format!("{} {} digest {digest}", entry.letter(), entry.policy),
            )
        };
        let (digests, runs): (Vec<String>, Vec<String>) = shown(runs).map(digest).unzip();
        let Scenario { trace, cluster, conditions, .. } = scenario;
        let inputs = vec![
            words::counted(trace.jobs().len() as u64, "job", "jobs"),
            format!("{} × {} GPUs", cluster.nodes(), cluster.gpus_per_node()),
            format!("seed {}", conditions.seed),
        ];
        let inputs = inputs.into_iter().chain(assumed(conditions)).collect();
        let scenario = format!("Scenario {name}: {}", settings(scenario));
        Self { name: name.into(), inputs, digests, scenario, runs: runs.join("; "), software }
    }

    /// The lines of small print of a picture: the scenario with its jobs, cluster and seed, the runs with the beginnings
    /// of their digests, the build.
    pub fn printed(&self, width_px: f64) -> Vec<String> {
        let letters = (width_px / PRINT_LETTER_PX).floor().max(20.0) as usize;
        let name: String = match self.name.chars().count() > NAME_CHARS {
            true => self.name.chars().take(NAME_CHARS - 1).chain(['…']).collect(),
            false => self.name.clone(),
        };
        let parts = std::iter::once(&name).chain(&self.inputs).chain(&self.digests).chain([&self.software]);
        let mut lines: Vec<String> = Vec::new();
        for part in parts.filter(|part| !part.is_empty()) {
            match lines.last_mut() {
                Some(line) if line.chars().count() + part.chars().count() + 3 <= letters => {
                    line.push_str(" · ");
                    line.push_str(part);
                }
                _ => lines.push(part.clone()),
            }
        }
        lines
    }

    /// The name of a file about these runs: the scenario's name and what is shown, in letters, digits and hyphens, short
    /// enough for every file system.
    pub fn file_name(&self, what: &str, ending: &str) -> String {
        file_name(&self.name, what, ending)
    }

    /// The whole text.
    pub fn text(&self) -> String {
        let parts = [&*self.scenario, &*self.runs, &*self.software];
        // What a figure of a log shows comes from no run.
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(". ")
    }
}

/// Size, seed and rescale cost, and the settings that differ from their defaults. The time to stop counts from the first
/// submission.
fn settings(scenario: &Scenario) -> String {
    let Scenario { trace, cluster, conditions, .. } = scenario;
    let until_s = conditions.until_s.map(|until_s| until_s - trace.start_s());
    let always = [
        words::counted(trace.jobs().len() as u64, "job", "jobs"),
        format!("{} nodes × {} GPUs", cluster.nodes(), cluster.gpus_per_node()),
        format!("seed {}", conditions.seed),
        format!("rescale cost {} s", conditions.rescale_cost_s),
    ];
    let special = [
        conditions.availability.is_some().then(|| "nodes come and go as in a log".to_string()),
        (!conditions.faults.is_none()).then(|| format!("faults {}", FaultsText(conditions.faults))),
        (conditions.interference_slowdown > 0.0).then(|| format!("interference {}", conditions.interference_slowdown)),
        until_s.map(|until_s| format!("until {until_s} s")),
        conditions.checkpoint_interval_s.map(|interval_s| format!("checkpoints every {interval_s} s")),
    ];
    let parts = always.into_iter().chain(changed_factors(conditions)).chain(assumed(conditions));
    let parts = parts.chain(special.into_iter().flatten());
    parts.collect::<Vec<_>>().join(", ")
}

/// What is assumed or drawn for jobs that lack it: `law amdahl:0.05`.
fn assumed(conditions: &Conditions) -> impl Iterator<Item = String> {
    let fields = FIELDS.iter().filter(|field| field.access.is_text() && field.get(conditions) != field.default());
    fields.map(|field| format!("{} {}", field.name, field.get(conditions)))
}

/// What the factors among the what-ifs change: `arrivals × 2`.
fn changed_factors(conditions: &Conditions) -> impl Iterator<Item = String> {
    FIELDS.iter().filter_map(|field| {
        let control = field.control.as_ref().filter(|control| control.unit == Unit::Factor)?;
        let value = field.get(conditions);
        (value != field.default()).then(|| control.summary.replace("{}", &value.to_string()))
    })
}

#[cfg(test)]
mod tests {
    use elastiplan_scenario::sample;

    use super::*;
    use crate::testing::sample_runs;

    #[test]
    fn provenance_names_scenario_digests_and_build() {
        let (runs, _) = sample_runs(&["fixed", "elastic-dp"]);
        let mut scenario = sample::scenario(sample::SEED);
        scenario.conditions.arrival_rate = 1.5;
        scenario.conditions.law = "amdahl:0.05".parse().ok();
        scenario.conditions.deadline_tightness = "0.5..1.5".parse().ok();
        let text = Provenance::of("Sample", &scenario, &runs, "Elastiplan build 4711".into()).text();
        let digest = &runs[1].result.as_ref().unwrap().digest;
        let nodes = format!("{} nodes × {} GPUs", scenario.cluster.nodes(), scenario.cluster.gpus_per_node());
        for part in [
            "48 jobs",
            &nodes,
            "seed 3",
            "arrivals × 1.5",
            "law amdahl:0.05, deadline tightness 0.5..1.5",
            "A fixed digest ",
            digest,
            "build 4711",
        ] {
            assert!(text.contains(part), "{part} is not in: {text}");
        }
        assert!(!text.contains("faults"), "defaults are not named: {text}");
    }

    #[test]
    fn files_are_named_after_scenario_and_chart() {
        let check = |scenario: &str, what: &str, expected: &str| {
            assert_eq!(file_name(scenario, what, "svg"), expected);
        };
        check("Training July.csv", "gpus-in-use", "training-july-gpus-in-use.svg");
        check("trace.csv.gz", "jobs", "trace-jobs.svg");
        check("Figure 6b: 128 GPUs, edited", "avg-jct-s", "figure-6b-128-gpus-edited-avg-jct-s.svg");
        check("../../etc/passwd", "jobs", "etc-passwd-jobs.svg");
        check("CON", "jobs", "con-jobs.svg");
        check("a\\b\0c\n\u{202e}d", "jobs", "a-b-c-d-jobs.svg");
        check("تدريب يوليو", "jobs", "تدريب-يوليو-jobs.svg");
        check("…", "jobs", "elastiplan-jobs.svg");
        check("", "jobs", "elastiplan-jobs.svg");
    }

    #[test]
    fn file_names_fit_every_file_system() {
        for name in ["x".repeat(200), "שלום".repeat(50), "🚀 ü".repeat(100), "日本".repeat(100)] {
            let file = file_name(&name, &name, "svg");
            assert!(file.len() <= 143 && file.ends_with(".svg") && !file.starts_with(['.', '-']), "{file}");
            assert!(file.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '.'), "{file}");
        }
    }

    #[test]
    fn small_print_names_trace_cluster_seed_and_digests_in_lines_that_fit() {
        let (mut runs, _) = sample_runs(&["fixed", "elastic-dp", "equal-share"]);
        let scenario = sample::scenario(sample::SEED);
        let of = |runs: &[RunEntry]| Provenance::of("training-july", &scenario, runs, "Elastiplan build 4711".into());
        let printed = of(&runs).printed(548.0);
        let nodes = format!("{} × {} GPUs", scenario.cluster.nodes(), scenario.cluster.gpus_per_node());
        assert!(
            printed[0].starts_with(&format!("training-july · 48 jobs · {nodes} · seed 3 · A fixed ")),
            "{printed:?}"
        );
        let digest = &runs[2].result.as_ref().unwrap().digest[..8];
        assert!(printed.concat().contains(&format!("C equal-share {digest}")), "{printed:?}");
        assert!(printed.iter().all(|line| line.chars().count() <= 109), "{printed:?}");
        runs[1].is_hidden = true;
        assert!(!of(&runs).printed(548.0).concat().contains("elastic-dp"));
        let long = Provenance { name: "ش".repeat(200), ..of(&runs) }.printed(548.0);
        assert!(long.iter().all(|line| line.chars().count() <= 109), "{long:?}");
    }
}
