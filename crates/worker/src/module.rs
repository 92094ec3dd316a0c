//! The worker as two modules: a small one for the page's first picture, and one that can do everything.

use elastiplan_engine::Policy;
use elastiplan_policies::PolicySpec;
use elastiplan_workloads::Drawing;

use crate::messages::{Request, Response};
use crate::{Packed, import, kept, opening, program, sharing, study};

/// A module of the worker. Each can do what those before it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Module {
    /// Runs the policies of the built-in sample. It is fetched with the page.
    Sample,
    /// Reads files and runs every policy. It is fetched once the first comparison is painted, or when it is needed.
    Full,
}

impl Request {
    /// The smallest module that can handle the request.
    pub fn module(&self) -> Module {
        match self {
            Request::Run { policy, scenario }
                if [policy].into_iter().chain(&scenario.later_policies).all(|id| is_of_sample(id)) =>
            {
                Module::Sample
            }
            _ => Module::Full,
        }
    }
}

/// Whether the policy of this id belongs to the built-in sample.
fn is_of_sample(policy: &str) -> bool {
    let name = policy.split_once('[').map_or(policy, |(name, _)| name);
    elastiplan_policies::SAMPLE.contains(&name)
}

/// What a module can do. Code that no ability refers to is not part of the module.
#[derive(Clone, Copy)]
pub struct Abilities {
    /// Builds a policy for a seed; `None` if the module does not contain it.
    pub(crate) build: fn(&PolicySpec, u64) -> Option<Box<dyn Policy>>,
    /// Handles what is neither a run nor its cancellation. Without a response there are some later.
    pub(crate) handle: fn(u32, Request) -> Result<Option<Response>, String>,
}

/// The built-in sample as a packed `Scenario` and its packed `Workload`, made when the worker was built: the page shows it
/// before it has heard from a worker.
pub const PACKED_SAMPLE: (&[u8], &[u8]) = (
    include_bytes!(concat!(env!("OUT_DIR"), "/sample.postcard")),
    include_bytes!(concat!(env!("OUT_DIR"), "/sample-workload.postcard")),
);

/// The presets, packed when the worker was built. Only the full module refers to them.
pub const PRESETS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/presets.postcard"));

/// The abilities of [`Module::Sample`].
pub const SAMPLE: Abilities = Abilities { build: PolicySpec::build_of_sample, handle: refuse };

/// The abilities of [`Module::Full`].
pub const FULL: Abilities = Abilities { build: PolicySpec::build, handle };

fn handle(id: u32, request: Request) -> Result<Option<Response>, String> {
    Ok(Some(match request {
        Request::Import { paths, blobs, bytes_max, mappings, link } => {
            match opening::open(&paths, &blobs, link.as_deref())? {
                Some(opened) => opened,
                None => import::import(id, paths, &blobs, bytes_max, &mappings)?,
            }
        }
        Request::Share(order) => sharing::share(&order.unpack()?)?,
        Request::Keep(_)
        | Request::KeptList
        | Request::KeptChange(..)
        | Request::KeptDelete(_)
        | Request::KeptRestore(_)
        | Request::KeptOpen(_) => {
            kept::handle(id, request);
            return Ok(None);
        }
        Request::Survey { path, blobs, mapping } => import::survey(id, path, &blobs, mapping.as_deref())?,
        Request::Excerpt { path, blobs, row, around } => import::excerpt(path, &blobs, row, around),
        Request::Draw(drawing) => Response::Drawn(Packed::of(&drawing.unpack::<Drawing>()?.draw())?),
        Request::Bind(scenario) => Response::bound(&scenario.unpack()?)?,
        Request::Program { scenario, policy, time_s, node_by_node } => {
            Response::Program(program::program(scenario, &policy, time_s, node_by_node)?)
        }
        Request::Presets => Response::Presets(PRESETS.into()),
        Request::Run { .. } => return refuse(id, request),
        request => return study::handle(id, request),
    }))
}

fn refuse(_: u32, request: Request) -> Result<Option<Response>, String> {
    // What is to be cancelled may be over.
    if matches!(request, Request::Cancel) {
        return Ok(None);
    }
    Err("This worker runs only the policies of the sample".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::BoundScenario;

    fn run(policies: &str) -> Request {
        let (policy, later) = policies.split_once(" then ").unwrap_or((policies, ""));
        let later_policies = later.split_whitespace().map(String::from).collect();
        let nothing: Packed = [].as_slice().into();
        let scenario = BoundScenario { scenario: nothing.clone(), workload: nothing, later_policies };
        Request::Run { scenario, policy: policy.into() }
    }

    #[test]
    fn runs_of_the_sample_need_the_small_module() {
        let check = |policy: &str, expected: Module| {
            assert_eq!(run(policy).module(), expected, "{policy}");
        };
        check("fixed", Module::Sample);
        check("elastic-dp[delta_s=60]", Module::Sample);
        check("pollux", Module::Full);
        check("fixed then elastic-dp equal-share", Module::Sample);
        check("fixed then elastic-dp pollux", Module::Full);
        check("", Module::Full);
    }

    #[test]
    fn each_module_builds_the_policies_that_it_is_asked_for() {
        for entry in elastiplan_policies::REGISTRY {
            let spec: PolicySpec = entry.name.parse().unwrap();
            assert_eq!((SAMPLE.build)(&spec, 0).is_some(), run(entry.name).module() == Module::Sample, "{spec}");
            assert!((FULL.build)(&spec, 0).is_some(), "{spec}");
        }
    }
}
