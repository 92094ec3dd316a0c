//! Why a point is worse than its left neighbour: the plain facts of the two runs.

use elastiplan_compare::{Divergence, RankedJob, ranked};
use elastiplan_metrics::{Better, JobDifference, MetricInfo, Metrics};
use elastiplan_planner::{PolicyRun, run};
use elastiplan_scenario::Scenario;
use elastiplan_study::{Results, Unit};
use elastiplan_text::format;

use super::Source;

/// What decides a unit's run: its scenario and its policy's run, with the jobs that it is of.
type Made = (elastiplan_model::Workload, PolicyRun, Scenario);

/// The seed in which the point is worst against its left neighbour along the axis of the question, when the two runs part,
/// and the job that loses most.
pub fn why(source: &Source, results: &Results, policy: u32, point: u32) -> Result<Vec<String>, String> {
    let study = &source.study;
    let axis = study.find.unwrap_or_default();
    let line = study.grid.line(point as usize, axis);
    let place = line.iter().position(|&known| known == point as usize).filter(|&place| place > 0);
    let left = place.and_then(|place| line.get(place - 1)).copied();
    let left = left.ok_or("The first value has no neighbour to compare it with")? as u32;
    let metric = study.goal_limits().map(|(metric, _)| metric).next().or_else(|| Metrics::info("avg_jct_s"));
    let metric = metric.ok_or("There is no metric to compare")?;
    let unit = |point: u32, seed: u32| study.canonical(Unit { point, policy, seed });
    let loss = |seed: u32| loss(results, metric, unit(point, seed), unit(left, seed));
    let losses = (0..study.seeds.most() as u32).filter_map(|seed| Some((seed, loss(seed)?)));
    let (seed, _) =
        losses.reduce(|worst, other| if other.1 > worst.1 { other } else { worst }).ok_or("No runs to compare")?;
    let (here, there) = (make(source, unit(point, seed))?, make(source, unit(left, seed))?);
    Ok(facts(&here, &there, study.seed(unit(point, seed))))
}

/// By how much a run is worse than another.
fn loss(results: &Results, metric: &MetricInfo, here: Unit, there: Unit) -> Option<f64> {
    let value = |unit| results.get(unit)?.metrics().and_then(metric.value);
    let difference = value(here)? - value(there)?;
    Some(if metric.better == Better::Higher { -difference } else { difference })
}

fn make(source: &Source, unit: Unit) -> Result<Made, String> {
    let scenario = source.study.scenario(unit, |seed| source.with_seed(seed));
    let policy = source.study.policy(unit).ok_or("There is no such policy in the study")?;
    let (workload, _) = scenario.workload();
    let run = run(&scenario, &workload, &policy).map_err(|error| error.to_string())?;
    Ok((workload, run, scenario))
}

fn facts((workload, here, scenario): &Made, (_, there, _): &Made, seed: u64) -> Vec<String> {
    let start_s = scenario.trace.start_s();
    let Some(parted) = Divergence::of(&here.run, &there.run, workload) else {
        return vec![format!("Seed {seed}: the two runs are the same")];
    };
    let mut facts =
        vec![format!("Seed {seed}: the two runs differ from {} on", format::duration(parted.time_s - start_s))];
    let loses = |ranked: &&RankedJob| match ranked.difference {
        JobDifference::OnlyInBaseline => true,
        JobDifference::Both { difference_s } => difference_s > 0.0,
        JobDifference::OnlyHere | JobDifference::Neither => false,
    };
    let ranked = ranked(&here.run, &there.run, workload);
    if let Some(lost) = ranked.iter().find(loses)
        && let Some(job) = workload.trace().jobs().get(lost.job.index())
    {
        facts.push(match lost.difference {
            JobDifference::Both { difference_s } => {
                format!("{} loses most: it completes {} later", job.name, format::duration(difference_s))
            }
            _ => format!("{} loses most: it does not complete", job.name),
        });
    }
    facts
}
