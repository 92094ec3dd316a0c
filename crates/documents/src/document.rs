//! Scenario documents: all inputs of a comparison as JSON.
//!
//! docs/scenarios.md describes the format. The fields of `what_if` and `conditions` are those of
//! [`elastiplan_scenario::fields`]; the other parts have types of their own. A missing field has the value that
//! [`Document::to_json`] writes.

mod check;
mod error;
mod generated;
mod given;
mod layout;
mod minimal;
mod named;
mod parts;
mod prices;
mod resolve;
mod salvage;
#[cfg(feature = "schema")]
mod schema;
mod sections;
mod source;

use std::borrow::Cow;
use std::collections::BTreeMap;

use elastiplan_planner::PaperValue;
use elastiplan_policies::PolicySpec;
use elastiplan_scenario::{Fork, Scenario};
use elastiplan_study::{Spec, Study, StudyError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use error::DocumentError;
pub use generated::{GeneratedJobs, PublishedName};
pub use named::FileHash;
pub use parts::{AvailabilitySource, ClusterPart, CurveSource, JobSource, SampleJobs, TableSource};
pub use prices::PriceSource;
pub use resolve::Resolved;
pub use salvage::Salvaged;
use sections::{ConditionsPart, WhatIfPart};
pub use source::{DataKind, DataSource};

/// The version that this build writes.
pub const VERSION: u64 = 1;

/// A scenario, the policies to run on it, and what a paper says about them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// The version of the document.
    #[serde(rename = "elastiplan")]
    #[cfg_attr(feature = "schema", schemars(extend("const" = VERSION)))]
    version: u64,
    /// Its title, for people.
    #[serde(default)]
    pub title: String,
    /// A summary in a few sentences.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Its source: paper and section.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// The jobs.
    #[cfg_attr(feature = "schema", schemars(with = "parts::JobFields"))]
    pub jobs: JobSource,
    /// The speeds of models.
    pub curves: CurveSource,
    /// The machines.
    pub cluster: ClusterPart,
    /// Nodes that come and go, beside those that are always there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub availability: Option<AvailabilitySource>,
    /// Hashes of files that it names: with one, only the file with this content is taken.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, FileHash>,
    #[serde(default)]
    what_if: WhatIfPart,
    #[serde(default)]
    conditions: ConditionsPart,
    /// Changes in the middle of every run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub forks: Vec<Fork>,
    /// The policies to compare; the first is the baseline.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>", length(min = 1)))]
    pub policies: Vec<PolicySpec>,
    /// Every policy runs once with each: for jobs that are drawn, policies that draw, and what goes wrong.
    #[serde(default = "one_seed")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub seeds: Vec<u64>,
    /// Results that a paper reports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub paper: Vec<PaperValue>,
    /// What is varied, and what is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub study: Option<Spec>,
    /// The address of the JSON Schema, by which editors help to write the document. It is not read.
    #[serde(default, rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
}

fn one_seed() -> Vec<u64> {
    vec![0]
}

/// The version of a document, whatever its other fields.
#[derive(Deserialize)]
struct VersionOnly {
    elastiplan: Option<Value>,
}

impl Document {
    /// Reads and checks a document. Files that it names are not looked at.
    pub fn parse(text: &str) -> Result<Self, DocumentError> {
        let value: Value = serde_json::from_str(text).map_err(|error| DocumentError::syntax(&error))?;
        let version = serde_json::from_value(value).map_err(|_| DocumentError::NotADocument)?;
        Self::checked(&upgrade(text, version)?)
    }

    /// Reads and checks the text of a document of this version: always text, since reading the types from anything else
    /// as well would be 100 kB more of code.
    fn checked(text: &str) -> Result<Self, DocumentError> {
        let mut reader = serde_json::Deserializer::from_str(text);
        let document: Self = serde_path_to_error::deserialize(&mut reader).map_err(DocumentError::field)?;
        document.check()?;
        Ok(document)
    }

    /// Writes the document as text that [`Document::parse`] reads back the same, with the defaults of missing fields.
    pub fn to_json(&self) -> String {
        layout::to_text(self) + "\n"
    }

    /// The document of a scenario, with its data inside.
    pub fn of(title: &str, scenario: &Scenario, policies: Vec<PolicySpec>) -> Self {
        let conditions = &scenario.conditions;
        let log = conditions.availability.as_deref();
        Self {
            version: VERSION,
            title: title.into(),
            about: String::new(),
            source: String::new(),
            jobs: JobSource::of(&scenario.trace),
            curves: CurveSource::of(&scenario.curves),
            cluster: ClusterPart::of(&scenario.cluster, log.map_or(0, |log| log.nodes())),
            availability: log.map(AvailabilitySource::of),
            files: BTreeMap::new(),
            what_if: WhatIfPart::of(conditions),
            conditions: ConditionsPart::of(conditions),
            forks: conditions.forks.clone(),
            policies,
            seeds: vec![conditions.seed],
            paper: Vec::new(),
            study: None,
            schema: None,
        }
    }

    /// Its study, if it has one that can be run.
    pub fn study(&self) -> Option<Result<Study, StudyError>> {
        let first_seed = self.seeds.first().copied().unwrap_or_default();
        self.study.as_ref().map(|spec| Study::new(spec, &self.policies, first_seed))
    }
}

/// The text as this version has it. A new version adds an arm that rewrites the one before it.
fn upgrade(text: &str, version: VersionOnly) -> Result<Cow<'_, str>, DocumentError> {
    let version = version.elastiplan.ok_or(DocumentError::NotADocument)?;
    match version.as_u64() {
        Some(VERSION) => Ok(Cow::Borrowed(text)),
        Some(found) if found > VERSION => Err(DocumentError::Newer(found)),
        _ => Err(DocumentError::UnknownVersion(version.to_string())),
    }
}
