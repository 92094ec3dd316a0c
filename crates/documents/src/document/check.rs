//! Rules for a document beyond its shape.

use elastiplan_metrics::{METRICS, Metrics, PAIR_METRICS, PairMetricInfo};
use elastiplan_planner::PaperValue;
use elastiplan_policies::{PolicySpec, SpecError};
use elastiplan_scenario::{Fork, ForkChange};
use elastiplan_study::StudyError;
use elastiplan_workloads::Fault;

use super::{AvailabilitySource, CurveSource, Document, DocumentError, PriceSource, given};

impl Document {
    pub(super) fn check(&self) -> Result<(), DocumentError> {
        self.conditions.with(&self.what_if, 0, None).validate().map_err(DocumentError::out_of_range)?;
        if let Some(PriceSource::Drawn(drawn)) = &self.conditions.prices {
            check_drawn("conditions.prices.drawn", drawn.fault())?;
        }
        if self.availability.is_none() {
            self.cluster_without_log()?;
        } else {
            self.cluster.cluster(1)?;
        }
        if let Some(AvailabilitySource::IdleNodes(drawn)) = &self.availability {
            check_drawn("availability.idle_nodes", drawn.fault())?;
        }
        if let CurveSource::Given(parts) = &self.curves {
            given::curves(parts)?;
        }
        self.check_named()?;
        self.forks.iter().enumerate().try_for_each(|(at, fork)| check_fork(at, fork))?;
        check_list("policies", &self.policies, "policy")?;
        check_list("seeds", &self.seeds, "seed")?;
        if let Some(Err(StudyError { place, value, rule })) = self.study() {
            return Err(DocumentError::value(place, value, rule));
        }
        self.paper.iter().enumerate().try_for_each(|(at, value)| self.check_paper(at, value))
    }

    fn cluster_without_log(&self) -> Result<(), DocumentError> {
        if self.cluster.nodes == 0 {
            return Err(DocumentError::NoNodes);
        }
        self.cluster.cluster(0)?;
        Ok(())
    }

    fn check_paper(&self, at: usize, value: &PaperValue) -> Result<(), DocumentError> {
        let known = |policy: &PolicySpec, field: &str| match self.policies.contains(policy) {
            true => Ok(()),
            false => Err(DocumentError::value(format!("paper[{at}].{field}"), policy, "one of the policies above")),
        };
        known(&value.policy, "policy")?;
        value.relative_to.as_ref().map_or(Ok(()), |policy| known(policy, "relative_to"))?;
        if let Some([least, most]) =
            value.range.filter(|[least, most]| !(*least <= value.value && value.value <= *most))
        {
            let rule = format!("a range with {} in it", value.value);
            return Err(DocumentError::value(format!("paper[{at}].range"), format!("{least} to {most}"), rule));
        }
        let is_of_two = PairMetricInfo::named(&value.metric).is_some();
        if is_of_two && value.relative_to.is_none() {
            let rule = format!("one of the policies above: {} compares two", value.metric);
            return Err(DocumentError::value(format!("paper[{at}].relative_to"), "nothing", rule));
        }
        if !is_of_two && Metrics::info(&value.metric).is_none() {
            let of_one = METRICS.iter().map(|info| info.key);
            let keys: Vec<&str> = of_one.chain(PAIR_METRICS.iter().map(|info| info.key)).collect();
            let rule = format!("a metric. There are: {}", keys.join(", "));
            return Err(DocumentError::value(format!("paper[{at}].metric"), &value.metric, rule));
        }
        Ok(())
    }
}

/// Checks the policy of a fork; everything else of it is known when it is read, or when the jobs are.
fn check_fork(at: usize, fork: &Fork) -> Result<(), DocumentError> {
    let ForkChange::Policy(id) = &fork.change else { return Ok(()) };
    let wrong = |error: SpecError| DocumentError::value(format!("forks[{at}]"), fork, format!("a fork: {error}"));
    id.parse::<PolicySpec>().map(|_| ()).map_err(wrong)
}

fn check_drawn(place: &str, fault: Option<Fault>) -> Result<(), DocumentError> {
    fault.map_or(Ok(()), |(name, value, rule)| Err(DocumentError::value(format!("{place}.{name}"), value, rule)))
}

/// Checks that a list has an entry, and none twice.
fn check_list<T: PartialEq + ToString>(place: &str, list: &[T], what: &str) -> Result<(), DocumentError> {
    if list.is_empty() {
        return Err(DocumentError::value(place, "an empty list", format!("a list with at least one {what}")));
    }
    for (at, entry) in list.iter().enumerate() {
        if list.iter().take(at).any(|before| before == entry) {
            let rule = format!("a {what} that stands there once");
            return Err(DocumentError::value(format!("{place}[{at}]"), entry.to_string(), rule));
        }
    }
    Ok(())
}
