//! What is assumed of jobs beside a mapping: speed, deadlines, models and the machines.

use elastiplan_formats::mapping::{ConvertedJob, Survey};
use elastiplan_model::{Amdahl, Cluster, SpeedupLaw};
use elastiplan_scenario::fields::Value;
use elastiplan_scenario::{Interval, ModelMix, deadline_factor};

use super::line::Line;
use crate::state::inputs::Inputs;

/// The law where none was chosen: with none, jobs without a curve could not run.
const LAW: SpeedupLaw = SpeedupLaw::Amdahl(Amdahl { serial: 0.05 });

/// What is assumed beside the mapping.
#[derive(Clone, Debug, PartialEq)]
pub struct Assumptions {
    /// The speed of jobs whose model has no curve; `None`: they are left out.
    pub law: Option<SpeedupLaw>,
    /// What deadlines are drawn between; `None`: jobs without one have none.
    pub deadlines: Option<Interval>,
    /// What models are drawn from; `None`: jobs without one share a name.
    pub models: Option<ModelMix>,
    /// Whether the cluster gets as many nodes as the jobs need at most.
    pub sets_nodes: bool,
    /// Nodes of the cluster now.
    pub nodes: u32,
    /// GPUs of each.
    pub gpus_per_node: u32,
    /// The seed that everything is drawn with.
    pub seed: u64,
    /// By what slack is multiplied: deadlines that are drawn are nearer below 1.
    pub deadline_slack: f64,
    /// Whether nodes come and go by a log: their number is the log's.
    pub has_log: bool,
}

impl Assumptions {
    /// Those of the scenario, with a law.
    pub fn of(inputs: &Inputs) -> Self {
        let conditions = &inputs.conditions;
        let has_log = inputs.data.log.is_some();
        Self {
            law: conditions.law.or(Some(LAW)),
            deadlines: conditions.deadline_tightness,
            models: conditions.model_mix,
            sets_nodes: !has_log,
            nodes: inputs.cluster.nodes(),
            gpus_per_node: inputs.cluster.gpus_per_node(),
            seed: conditions.seed,
            deadline_slack: conditions.deadline_slack,
            has_log,
        }
    }

    /// Takes over what a line names: one with options names all of them.
    pub fn take(&mut self, line: &Line) {
        if line.has_options {
            (self.law, self.deadlines, self.models) = (line.law, line.deadlines, line.models);
        }
    }

    /// The fewest nodes that hold the most GPUs in use at once; `None` where that is not known, or where no cluster
    /// does.
    pub fn nodes_needed(&self, survey: &Survey) -> Option<u32> {
        let needed = survey
            .jobs
            .nodes_needed(self.gpus_per_node)
            .filter(|nodes| *nodes <= Cluster::NODES_MAX.into() && !self.has_log);
        needed.and_then(|nodes| u32::try_from(nodes.max(1)).ok())
    }

    /// The deadline that is drawn for a job without one, on the clock of its submission; `None` where none is drawn, or
    /// where the table does not say how long the job takes.
    pub fn drawn_deadline_s(&self, job: &ConvertedJob) -> Option<f64> {
        let tightness = self.deadlines.filter(|_| job.deadline_s.is_none())?;
        let factor = deadline_factor(tightness, self.seed, &job.name);
        Some(job.submit_s? + factor * job.duration_s? * self.deadline_slack)
    }

    /// The fields of the scenario that these set.
    pub fn fields(&self, survey: Option<&Survey>) -> Vec<(&'static str, Value)> {
        let nodes = survey.filter(|_| self.sets_nodes).and_then(|survey| self.nodes_needed(survey));
        let mut fields = vec![
            ("conditions.law", self.law.into()),
            ("conditions.deadline_tightness", self.deadlines.into()),
            ("conditions.model_mix", self.models.into()),
        ];
        fields.extend(nodes.map(|nodes| ("cluster.nodes", Value::Whole(nodes.into()))));
        fields
    }
}

#[cfg(test)]
mod tests {
    use elastiplan_formats::mapping::survey;
    use elastiplan_formats::{Options, Source};

    use super::*;
    use crate::state::edit::Edit;

    #[test]
    fn the_smallest_cluster_that_holds_the_peak_is_set() {
        const JOBS: &[u8] = b"job_id,submitted,seconds,gpus\na,0,100,20\nb,50,100,7\nc,200,10,8\n";
        let mapping = "submit_s=submitted duration_s=seconds gpus=gpus".parse().unwrap();
        let source = Source::from_bytes("jobs.csv", JOBS);
        let survey = survey(source, Some(&mapping), &Options::default(), &mut |_| {}).unwrap();
        let mut inputs = Inputs::sample();
        let mut own = Assumptions::of(&inputs);
        assert_eq!((own.gpus_per_node, own.nodes_needed(&survey)), (8, Some(4)), "27 at once");
        Edit::LoadWith(inputs.data.clone(), None, own.fields(Some(&survey))).apply(&mut inputs);
        assert_eq!((inputs.cluster.nodes(), inputs.conditions.law), (4, Some(LAW)));
        (own.sets_nodes, own.law) = (false, None);
        Edit::LoadWith(inputs.data.clone(), None, own.fields(Some(&survey))).apply(&mut inputs);
        assert_eq!((inputs.cluster.nodes(), inputs.conditions.law), (4, None));
    }
}
