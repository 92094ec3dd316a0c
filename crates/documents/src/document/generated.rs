//! Jobs that a generator draws and curves that are built in, as they stand in a document.

use std::collections::BTreeMap;

use elastiplan_workloads::generate::GeneratorSpec;
use elastiplan_workloads::published::{PUBLISHED, Published};
use serde::{Deserialize, Serialize};

/// Jobs drawn by a generator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub struct GeneratedJobs {
    /// The generator with its parameters.
    pub spec: GeneratorSpec,
    /// The seed that the jobs are drawn with; without it, each run's seed draws its own.
    pub seed: Option<u64>,
}

/// The same, flat: the generator's parameters are fields beside its name.
#[derive(Serialize, Deserialize)]
struct Fields {
    generator: String,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(flatten)]
    parameters: BTreeMap<String, f64>,
}

impl TryFrom<Fields> for GeneratedJobs {
    type Error = String;

    fn try_from(Fields { generator, seed, parameters }: Fields) -> Result<Self, String> {
        let given = parameters.iter().map(|(name, value)| (name.as_str(), *value));
        let spec = GeneratorSpec::with_all(&generator, given).map_err(|error| error.to_string())?;
        Ok(Self { spec, seed })
    }
}

impl From<GeneratedJobs> for Fields {
    fn from(GeneratedJobs { spec, seed }: GeneratedJobs) -> Self {
        let parameters = spec.values().map(|(parameter, value)| (parameter.name.to_string(), value)).collect();
        Self { generator: spec.generator().name.into(), seed, parameters }
    }
}

/// The name of a built-in table.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PublishedName(pub &'static Published);

impl PartialEq for PublishedName {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl TryFrom<String> for PublishedName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        let known = || PUBLISHED.iter().map(|table| table.name).collect::<Vec<_>>().join(", ");
        let table = Published::named(&name);
        table
            .map(Self)
            .ok_or_else(|| format!("{name} is not a table of curves that is built in. There are: {}", known()))
    }
}

impl From<PublishedName> for String {
    fn from(name: PublishedName) -> Self {
        name.0.name.into()
    }
}
