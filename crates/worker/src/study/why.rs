//! Why a run is worse than that of its neighbour.

use elastiplan_present::study::{Side, point_name, why as explained};
use elastiplan_study::Unit;

use super::Source;

/// What two runs of a policy with one seed say: when they part, which job loses most, and what it is given.
pub fn why(source: &Source, here: Unit, there: Unit) -> Result<Vec<String>, String> {
    let study = &source.study;
    let run = |unit: Unit| {
        let inputs = study.inputs(study.canonical(unit), |seed| source.with_seed(seed));
        inputs.ok_or("There is no such policy in the study")?.run()
    };
    let ((workload, run_here), (workload_there, run_there)) = (run(here)?, run(there)?);
    let [name, name_there] = [here, there].map(|unit| point_name(study, unit.point));
    let side = Side { name: &name, workload: &workload, run: &run_here.run };
    let told = explained(side, Side { name: &name_there, workload: &workload_there, run: &run_there.run });
    let seed = format!("In seed {}.", study.seed(here));
    Ok([seed].into_iter().chain(told.sentences).collect())
}
