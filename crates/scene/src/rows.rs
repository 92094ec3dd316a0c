//! Which job has which row. All strips of a comparison share one order, so that a job lies at the same height in each.

use elastiplan_model::{JobId, ModelId, Trace};

/// Jobs in the order of their rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    jobs: Vec<JobId>,
    row_of: Vec<Option<u32>>,
    groups: Vec<RowGroup>,
}

/// Rows that stand together: from the first one until the next group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowGroup {
    /// What they are called.
    pub name: String,
    /// The first row.
    pub first: usize,
}

impl Rows {
    /// No rows at all.
    pub(crate) const NONE: Rows = Rows { jobs: Vec::new(), row_of: Vec::new(), groups: Vec::new() };

    /// All jobs in order of submission.
    pub fn by_submission(trace: &Trace) -> Self {
        Self::from_jobs(trace, trace.iter().map(|(job, _)| job).collect())
    }

    /// Only the jobs of models for which `shown` holds.
    pub fn of_models(self, trace: &Trace, shown: impl Fn(ModelId) -> bool) -> Self {
        let is_shown = |job: &JobId| trace.jobs().get(job.index()).is_some_and(|job| shown(job.model));
        // How many rows are left before each row.
        let mut left = vec![0];
        left.extend(self.jobs.iter().scan(0, |left, job| {
            *left += usize::from(is_shown(job));
            Some(*left)
        }));
        let place = |group: RowGroup| RowGroup { first: left.get(group.first).copied().unwrap_or(0), ..group };
        let mut groups: Vec<RowGroup> = self.groups.into_iter().map(place).collect();
        // Of groups that begin at one row, all but the last have none left.
        let firsts: Vec<usize> = groups.iter().skip(1).map(|group| group.first).collect();
        let mut next = firsts.into_iter().chain([left.last().copied().unwrap_or(0)]);
        groups.retain(|group| next.next().is_some_and(|next| next > group.first));
        let jobs = self.jobs.into_iter().filter(is_shown).collect();
        Self { groups, ..Self::from_jobs(trace, jobs) }
    }

    /// The same rows, in groups; the first begins at row 0.
    pub fn in_groups(self, groups: Vec<RowGroup>) -> Self {
        Self { groups, ..self }
    }

    /// The groups, in order; none where rows do not stand together.
    pub fn groups(&self) -> &[RowGroup] {
        &self.groups
    }

    /// These jobs, in this order; unknown and repeated ones are left out.
    pub fn from_jobs(trace: &Trace, mut jobs: Vec<JobId>) -> Self {
        let mut row_of = vec![None; trace.jobs().len()];
        let mut row = 0;
        jobs.retain(|job| match row_of.get_mut(job.index()) {
            Some(place @ None) => {
                *place = Some(row);
                row += 1;
                true
            }
            _ => false,
        });
        Self { jobs, row_of, groups: Vec::new() }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// The jobs, first row to last.
    pub fn jobs(&self) -> &[JobId] {
        &self.jobs
    }

    /// The job of a row.
    pub fn job_at(&self, row: usize) -> Option<JobId> {
        self.jobs.get(row).copied()
    }

    /// The row of a job; `None` if it is not shown.
    pub fn row_of(&self, job: JobId) -> Option<usize> {
        self.row_of.get(job.index()).copied().flatten().map(|row| row as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_shrink_with_their_rows() {
        let job = |number: u32, model: u32| elastiplan_model::Job {
            name: number.to_string(),
            source_row: 0,
            submit_s: f64::from(number),
            model: ModelId(model),
            batch_global: None,
            gpus_requested: 1,
            gpus_min: None,
            gpus_max: None,
            work: elastiplan_model::Work::Samples(1.0),
            deadline_s: None,
            user: None,
            rescale: None,
            batch_range: None,
            priority: None,
        };
        let jobs = [0, 1, 1, 2, 0].into_iter().enumerate().map(|(number, model)| job(number as u32, model)).collect();
        let trace = Trace::new(vec!["a".into(), "b".into(), "c".into()], jobs).unwrap();
        let group = |name: &str, first: usize| RowGroup { name: name.into(), first };
        let rows = Rows::by_submission(&trace).in_groups(vec![group("early", 0), group("middle", 1), group("late", 3)]);
        assert_eq!(
            rows.clone().of_models(&trace, |model| model.0 != 1).groups(),
            [group("early", 0), group("late", 1)]
        );
        assert_eq!(rows.clone().of_models(&trace, |model| model.0 == 2).groups(), [group("late", 0)]);
        assert_eq!(rows.of_models(&trace, |_| false).groups(), []);
    }
}
