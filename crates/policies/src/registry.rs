//! All policies. A new one is one line here.

use elastiplan_engine::Policy;

use crate::decision::DecisionShared;
use crate::{Entry, Parameters, bftrainer, elastic_dp, modelarts};

/// What is known of policies and what makes them are two lists: a page that only names them need not contain them.
macro_rules! registry {
    ($($policy:ident,)*) => {
        /// Every policy, in the order in which a person meets them.
        pub const REGISTRY: &[&Entry] = &[$(&crate::$policy::ENTRY,)*];

        const BUILDERS: &[(&str, Builder)] = &[$((crate::$policy::ENTRY.name, crate::$policy::build),)*];
    };
}

registry! {
    fixed,
    shortest_first,
    equal_share,
    bftrainer,
    modelarts,
    modelarts_greedy,
    elastic_dp,
    elasticflow,
    edf,
    tiresias,
    optimus,
    pollux,
    gandiva,
    themis,
    chronus,
    throughput_autoscaling,
    spot,
}

/// Makes a policy from its parameters.
pub(crate) type Builder = fn(&Parameters) -> Box<dyn Policy>;

/// Makes a policy that is watched.
type Watched = fn(&Parameters) -> (Box<dyn Policy>, DecisionShared);

/// Policies that decide by a program.
const WATCHED: &[(&str, Watched)] = &[
    (bftrainer::ENTRY.name, bftrainer::watched),
    (modelarts::ENTRY.name, modelarts::watched),
    (elastic_dp::ENTRY.name, elastic_dp::watched),
];

/// The policy of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    REGISTRY.iter().copied().find(|entry| entry.name == name)
}

/// What makes the policy of this name, watched.
pub(crate) fn watched(name: &str) -> Option<Watched> {
    WATCHED.iter().find(|(known, _)| *known == name).map(|(_, build)| *build)
}

/// What makes the policy of this name.
pub(crate) fn builder(name: &str) -> Option<Builder> {
    BUILDERS.iter().find(|(known, _)| *known == name).map(|(_, build)| *build)
}
