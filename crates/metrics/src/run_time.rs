//! How long jobs run, by model.

use elastiplan_engine::Run;
use elastiplan_model::Workload;

use crate::jobs::completion_s;

/// How long the jobs of one model take.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRunTime {
    /// The model.
    pub model: String,
    /// Its jobs.
    pub jobs: u64,
    /// Those of them that completed.
    pub completed: u64,
    /// Mean over those from the first start to completion; `None` if none completed.
    pub from_start_s: Option<f64>,
    /// The same from admission, which for most policies is the first start.
    pub from_admission_s: Option<f64>,
}

/// Mean run times by model, in the order of the trace's models; models without jobs are left out (BFTrainer, Figure 12,
/// Tables 3 and 4).
pub fn run_time_by_model(run: &Run, workload: &Workload) -> Vec<ModelRunTime> {
    let trace = workload.trace();
    let mut rows: Vec<ModelRunTime> = Vec::new();
    for model in trace.models() {
        rows.push(ModelRunTime {
            model: model.clone(),
            jobs: 0,
            completed: 0,
            from_start_s: None,
            from_admission_s: None,
        });
    }
    for (id, job) in trace.iter() {
        let Some(row) = rows.get_mut(job.model.0 as usize) else { continue };
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
