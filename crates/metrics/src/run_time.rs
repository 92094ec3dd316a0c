//! Run times of jobs by model.

use std::collections::BTreeMap;

use elastiplan_engine::Run;
use elastiplan_model::Workload;

use crate::jobs::completion_s;

/// Run times of the jobs of one model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRunTime {
    /// The model.
    pub model: String,
    /// Number of its jobs.
    pub jobs: u64,
    /// Number of its jobs that completed.
    pub completed: u64,
    /// Mean time from the first start to completion; `None` if no job completed.
    pub from_start_s: Option<f64>,
    /// The same from admission, which is the first start under a policy that does not admit explicitly.
    pub from_admission_s: Option<f64>,
}

/// Mean run times by model, in the order of the trace's models; models without jobs are left out (BFTrainer, Figure 12,
/// Tables 3 and 4). In the files of BFTrainer every Trainer has a curve, and so a model, of its own, `J00007-AlexNet`:
/// without the number they are one.
pub fn run_time_by_model(run: &Run, workload: &Workload) -> Vec<ModelRunTime> {
    let trace = workload.trace();
    let mut rows: Vec<ModelRunTime> = Vec::new();
    // For each model of the trace its row.
    let mut places: Vec<usize> = Vec::new();
    let mut places_by_name: BTreeMap<&str, usize> = BTreeMap::new();
    for model in trace.models() {
        let name = without_number(model);
        places.push(*places_by_name.entry(name).or_insert(rows.len()));
        if places.last() == Some(&rows.len()) {
            let model = name.to_string();
            rows.push(ModelRunTime { model, jobs: 0, completed: 0, from_start_s: None, from_admission_s: None });
        }
    }
    for (id, job) in trace.iter() {
        let place = places.get(job.model.0 as usize);
        let Some(row) = place.and_then(|place| rows.get_mut(*place)) else { continue };
        row.jobs += 1;
        let since = |column: &[Option<f64>]| Some(completion_s(run, id)? - column.get(id.index()).copied().flatten()?);
        let both = since(&run.jobs.start_s).zip(since(&run.jobs.admitted_s));
        if let Some((from_start_s, from_admission_s)) = both {
            row.completed += 1;
            *row.from_start_s.get_or_insert(0.0) += from_start_s;
            *row.from_admission_s.get_or_insert(0.0) += from_admission_s;
        }
    }
    for row in &mut rows {
        let mean = |sum: f64| sum / row.completed as f64;
        (row.from_start_s, row.from_admission_s) = (row.from_start_s.map(mean), row.from_admission_s.map(mean));
    }
    rows.retain(|row| row.jobs > 0);
    rows
}

/// `AlexNet` of `J00007-AlexNet`; other names as they are.
fn without_number(model: &str) -> &str {
    let parts = model.strip_prefix('J').and_then(|rest| rest.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    parts.filter(|(number, name)| is_number(number) && !name.is_empty()).map_or(model, |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_trainers_are_no_part_of_a_model() {
        let names = ["J00007-AlexNet", "J7-a-b", "Jamba-7", "J-7", "J12", "J1-", "bert", ""].map(without_number);
        assert_eq!(names, ["AlexNet", "a-b", "Jamba-7", "J-7", "J12", "J1-", "bert", ""]);
    }
}
