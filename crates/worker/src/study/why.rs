//! Why a point is worse than its neighbour, from its two runs.

use elastiplan_present::study::{Side, point_name, why as explained};
use elastiplan_study::{Results, Unit};

use super::Source;

/// What the two runs say in the seed in which the point is worst against its neighbour: when they part, which job loses
/// most, and what it is given.
pub fn why(source: &Source, results: &Results, policy: u32, point: u32) -> Result<Vec<String>, String> {
    let study = &source.study;
    let (here, there) =
        study.worst_pair(results, policy, point).ok_or("The point has no neighbour with runs to compare it with")?;
    let run = |unit: Unit| {
        let inputs = study.inputs(unit, |seed| source.with_seed(seed)).ok_or("There is no such policy in the study")?;
        inputs.run()
    };
    let ((workload, run_here), (workload_there, run_there)) = (run(here)?, run(there)?);
    let [name, name_there] = [here, there].map(|unit| point_name(study, unit.point));
    let side = Side { name: &name, workload: &workload, run: &run_here.run };
    let told = explained(side, Side { name: &name_there, workload: &workload_there, run: &run_there.run });
    let seed = format!("In seed {}.", study.seed(here));
    Ok([seed].into_iter().chain(told.sentences).collect())
}
