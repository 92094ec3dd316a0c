//! All policies. A new one is one line here.

use elastiplan_engine::Policy;

use crate::parameters::{Entry, Parameters};
use crate::{bftrainer, elastic_dp, equal_share, fixed, modelarts};

/// The entries and the builders are two lists: code that only names policies need not contain them.
macro_rules! registry {
    ($($policy:ident,)*) => {
        /// Every policy, in the order in which lists show them.
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

/// The policies of the built-in sample, in the order of its comparison.
pub const SAMPLE: [&str; 3] = [fixed::ENTRY.name, equal_share::ENTRY.name, elastic_dp::ENTRY.name];

/// The policies whose decisions can be written as mathematical programs: see [`crate::decision`].
pub const WITH_PROGRAM: [&str; 3] = [bftrainer::ENTRY.name, modelarts::ENTRY.name, elastic_dp::ENTRY.name];

/// The builder of the policy of this name, if it belongs to the built-in sample.
pub(crate) fn sample_builder(name: &str) -> Option<Builder> {
    let builders: [Builder; SAMPLE.len()] = [fixed::build, equal_share::build, elastic_dp::build];
    let at = SAMPLE.iter().position(|known| *known == name)?;
    builders.get(at).copied()
}

/// Builds a policy from the values of its parameters.
type Builder = fn(&Parameters) -> Box<dyn Policy>;

/// The policy of this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    REGISTRY.iter().copied().find(|entry| entry.name == name)
}

/// The builder of the policy of this name.
pub(crate) fn builder(name: &str) -> Option<Builder> {
    BUILDERS.iter().find(|(known, _)| *known == name).map(|(_, build)| *build)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::parameters::Kind;

    /// Every combination of a policy's flags and choices.
    fn combinations(entry: &Entry) -> Vec<Vec<(String, String)>> {
        let mut all = vec![Vec::new()];
        for parameter in entry.parameters {
            let values = match parameter.kind {
                Kind::Flag { .. } => vec!["true", "false"],
                Kind::Choice { words } => words.to_vec(),
                _ => continue,
            };
            let with = |given: &Vec<(String, String)>, value: &str| {
                given.iter().cloned().chain([(parameter.name.to_string(), value.to_string())]).collect()
            };
            all = all.iter().flat_map(|given| values.iter().map(move |value| with(given, value))).collect();
        }
        all
    }

    #[test]
    fn policies_read_the_parameters_that_they_declare() {
        for entry in REGISTRY {
            let build = builder(entry.name).unwrap();
            let read_by_one = |given: Vec<(String, String)>| {
                let parameters = Parameters::new(&given, 0, false);
                build(&parameters);
                parameters.read()
            };
            let read: BTreeSet<&str> = combinations(entry).into_iter().flat_map(read_by_one).collect();
            let declared: BTreeSet<&str> = entry.parameters.iter().map(|parameter| parameter.name).collect();
            assert_eq!(read, declared, "{}", entry.name);
            assert_eq!(declared.len(), entry.parameters.len(), "{} declares a name twice", entry.name);
        }
    }
}
