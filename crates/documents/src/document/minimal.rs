//! The shortest text of a document: for links, in which every letter counts.

use elastiplan_workloads::generate::GeneratorSpec;
use serde_json::{Map, Number, Value, json};

use super::{Document, JobSource};

/// The order of the fields: small ones first, and the jobs last, so that a text that is cut off still has most of what was
/// set. Fields that do not stand here come after these, in the order of the alphabet.
const FIRST: [&str; 9] =
    ["elastiplan", "title", "cluster", "policies", "seeds", "what_if", "conditions", "forks", "files"];
const LAST: [&str; 3] = ["curves", "availability", "jobs"];

impl Document {
    /// Writes the document on one line and without defaults; [`Document::parse`] reads the same.
    pub fn to_minimal_json(&self) -> String {
        let text = self.without_defaults().unwrap_or_default();
        match Self::parse(&text) {
            Ok(read) if read == *self => text,
            // A part whose defaults are not known here.
            _ => serde_json::to_string(self).unwrap_or_default(),
        }
    }

    fn without_defaults(&self) -> Option<String> {
        let Ok(Value::Object(mut fields)) = serde_json::to_value(self) else { return None };
        let least = json!({
            "elastiplan": super::VERSION, "jobs": { "sample": {} }, "curves": { "sample": {} },
            "cluster": { "nodes": 1, "gpus_per_node": 1 }, "policies": ["fixed"]
        });
        let Ok(Value::Object(defaults)) = Self::parse(&least.to_string()).ok().map(serde_json::to_value)? else {
            return None;
        };
        for name in ["title", "what_if", "conditions", "seeds"] {
            if let (Some(value), Some(default)) = (fields.get_mut(name), defaults.get(name)) {
                strip(value, default);
                if value == default || value.as_object().is_some_and(Map::is_empty) {
                    fields.remove(name);
                }
            }
        }
        if let Some(jobs) = fields.get_mut("jobs") {
            self.strip_jobs(jobs);
        }
        fields.values_mut().for_each(shorten_numbers);
        Some(in_order(fields))
    }

    /// Takes the generator's own values out of the jobs.
    fn strip_jobs(&self, jobs: &mut Value) {
        let kinds = jobs.as_object_mut().into_iter().flat_map(Map::values_mut);
        for kind in kinds.filter_map(Value::as_object_mut) {
            if kind.get("seed").is_some_and(Value::is_null) {
                kind.remove("seed");
            }
        }
        let JobSource::Generated(generated) = &self.jobs else { return };
        let Some(given) = jobs.get_mut("generated").and_then(Value::as_object_mut) else { return };
        for (parameter, usual) in GeneratorSpec::of(generated.spec.generator()).values() {
            if given.get(parameter.name).and_then(Value::as_f64) == Some(usual) {
                given.remove(parameter.name);
            }
        }
    }
}

/// Takes out of an object what is as in another.
fn strip(value: &mut Value, default: &Value) {
    let (Value::Object(fields), Value::Object(defaults)) = (value, default) else { return };
    fields.retain(|name, field| {
        let Some(default) = defaults.get(name) else { return true };
        if field == default {
            return false;
        }
        strip(field, default);
        true
    });
}

/// Writes whole numbers without a point.
fn shorten_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => {
            // Those that a float holds exactly, but for -0.
            let whole = number.as_f64().filter(|value| number.is_f64() && value.fract() == 0.0 && value.abs() < 9e15);
            if let Some(whole) = whole.filter(|whole| *whole != 0.0 || whole.is_sign_positive()) {
                *number = Number::from(whole as i64);
            }
        }
        Value::Array(entries) => entries.iter_mut().for_each(shorten_numbers),
        Value::Object(fields) => fields.values_mut().for_each(shorten_numbers),
        _ => {}
    }
}

fn in_order(mut fields: Map<String, Value>) -> String {
    let mut members = Vec::new();
    let mut take = |fields: &mut Map<String, Value>, name: &str| {
        if let Some(value) = fields.remove(name) {
            members.push(format!("{}:{value}", Value::from(name)));
        }
    };
    FIRST.iter().for_each(|name| take(&mut fields, name));
    let between: Vec<String> = fields.keys().filter(|name| !LAST.contains(&name.as_str())).cloned().collect();
    between.iter().map(String::as_str).chain(LAST).for_each(|name| take(&mut fields, name));
    format!("{{{}}}", members.join(","))
}
