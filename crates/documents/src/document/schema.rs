//! The JSON Schema of documents. It follows from the types that read them and from their doc comments; parts whose fields
//! stand in a table get theirs from the table: conditions, generators, published curves.
//!
//! A document that breaks the schema is refused by the reader, too. The reader has rules beyond it, for values that
//! have to do with each other.

use std::borrow::Cow;

use elastiplan_model::RescaleSeconds;
use elastiplan_scenario::fields::{Access, Field, Range, Value as FieldValue};
use elastiplan_scenario::{Cloud, Placement};
use elastiplan_workloads::generate::{GENERATORS, Generator, Parameter};
use elastiplan_workloads::published::PUBLISHED;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::generated::{GeneratedJobs, PublishedName};
use super::sections::{CONDITIONS, FAULTS, Part, fields, names};
use super::{Document, FileHash, PriceSource};

impl Document {
    /// The JSON Schema of documents of this version, in draft 2020-12.
    pub fn schema() -> Value {
        let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Self>();
        schema.insert("title".into(), "Elastiplan scenario".into());
        schema.to_value()
    }
}

/// Jobs come from one of their sources, and a mapping is for a table.
pub(super) fn one_source(schema: &mut Schema) {
    let table = ["file", "inline"].map(|source| json!({ "required": [source] }));
    let drawn = ["sample", "generated"].map(|source| json!({ "required": [source], "not": { "required": ["map"] } }));
    schema.insert("oneOf".into(), table.into_iter().chain(drawn).collect());
}

/// A curve has one kind of speed.
pub(super) fn one_speed(schema: &mut Schema) {
    let kinds = ["measured", "by_nodes", "power", "scaling", "throughput", "steps"];
    schema.insert("oneOf".into(), kinds.iter().map(|kind| json!({ "required": [kind] })).collect());
}

impl<const IS_WHAT_IF: bool> JsonSchema for Part<IS_WHAT_IF> {
    fn schema_name() -> Cow<'static, str> {
        if IS_WHAT_IF { "WhatIf" } else { "Conditions" }.into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        section(Self::SECTION, generator)
    }
}

/// GPUs in each node, which has an entry in the table of fields.
pub(super) fn gpus_per_node(_: &mut SchemaGenerator) -> Schema {
    Field::named("cluster.gpus_per_node").map(of_field).and_then(|field| field.try_into().ok()).unwrap_or_default()
}

/// A section of the table of fields.
fn section(section: &str, generator: &mut SchemaGenerator) -> Schema {
    let property = |name: &&'static str| {
        let field = fields(section).find(|field| field.place().1 == *name);
        let schema = match (field, *name) {
            (Some(field), _) => of_field(field),
            (None, "faults") => self::section(FAULTS, generator).to_value(),
            (None, "rescale_by_model") => {
                let costs = generator.subschema_for::<RescaleSeconds>();
                let description = "Rescale costs of single models, by their names";
                json!({ "description": description, "type": "object", "additionalProperties": costs })
            }
            (None, "cloud") => generator.subschema_for::<Option<Cloud>>().to_value(),
            (None, _) => generator.subschema_for::<Option<PriceSource>>().to_value(),
        };
        ((*name).to_string(), schema)
    };
    let description = match section {
        CONDITIONS => "What every run meets",
        FAULTS => "What goes wrong, drawn from the seed",
        _ => "What would be, if",
    };
    object(description, names(section).iter().map(property).collect(), &[])
}

/// An object with these members and no others.
fn object(description: &str, properties: Map<String, Value>, required: &[&str]) -> Schema {
    let schema = json!({
        "description": description, "type": "object", "properties": properties, "additionalProperties": false,
    });
    let schema = if required.is_empty() { schema } else { with(schema, "required", required.into()) };
    schema.try_into().unwrap_or_default()
}

/// A schema with another member.
fn with(mut schema: Value, name: &str, member: Value) -> Value {
    if let Value::Object(members) = &mut schema {
        members.insert(name.into(), member);
    }
    schema
}

/// A field of the table: its type and range, with the help of its option and the rule of messages.
fn of_field(field: &Field) -> Value {
    let schema = match &field.access {
        Access::Number { range, .. } => bounded(json!("number"), range),
        Access::Optional { range, .. } => bounded(json!(["number", "null"]), range),
        Access::Count { range, .. } => bounded(json!("integer"), range),
        Access::Whole { .. } => json!({ "type": "integer", "minimum": 0 }),
        Access::Placement { .. } => json!({ "enum": Placement::NAMES }),
        _ => json!({ "type": ["string", "null"] }),
    };
    let help = field.option.as_ref().map(|option| option.help);
    let help = help.or(field.control.as_ref().map(|control| control.help)).filter(|help| !help.is_empty());
    let description = format!("{}: {}", help.map_or(field.label(), String::from), field.access.rule());
    let schema = with(schema, "description", description.into());
    let default = match field.default() {
        FieldValue::Absent if field.access.is_of_cluster() => return schema,
        FieldValue::Absent => Value::Null,
        FieldValue::Number(number) => number.into(),
        FieldValue::Whole(number) => number.into(),
        text => text.to_string().into(),
    };
    with(schema, "default", default)
}

fn bounded(kind: Value, range: &Range) -> Value {
    let [minimum, maximum] = match range.closed {
        (true, true) => ["minimum", "maximum"],
        (true, false) => ["minimum", "exclusiveMaximum"],
        (false, true) => ["exclusiveMinimum", "maximum"],
        (false, false) => ["exclusiveMinimum", "exclusiveMaximum"],
    };
    json!({ "type": kind, minimum: range.min, maximum: range.max })
}

impl JsonSchema for GeneratedJobs {
    fn schema_name() -> Cow<'static, str> {
        "GeneratedJobs".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let generators: Vec<Value> = GENERATORS.iter().map(|generator| of_generator(generator)).collect();
        let description = "Jobs drawn by a generator";
        json!({ "description": description, "oneOf": generators }).try_into().unwrap_or_default()
    }
}

/// A generator with its parameters.
fn of_generator(generator: &Generator) -> Value {
    let description = "Seed of the jobs; without it, each run's seed draws its own";
    let seed = json!({ "description": description, "type": ["integer", "null"], "minimum": 0 });
    let own = [("generator".to_string(), json!({ "const": generator.name })), ("seed".to_string(), seed)];
    let parameters = generator.parameters.iter().map(|parameter| (parameter.name.to_string(), of_parameter(parameter)));
    object(generator.summary, own.into_iter().chain(parameters).collect(), &["generator"]).to_value()
}

fn of_parameter(parameter: &Parameter) -> Value {
    let Parameter { label, help, default, min, max, whole, .. } = parameter;
    let kind = if *whole { "integer" } else { "number" };
    let description = if help.is_empty() { (*label).to_string() } else { format!("{label}: {help}") };
    json!({ "description": description, "type": kind, "minimum": min, "maximum": max, "default": default })
}

impl JsonSchema for FileHash {
    fn schema_name() -> Cow<'static, str> {
        "FileHash".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let description = "The hash of a file's content: XXH3 of 64 bits";
        json!({ "description": description, "type": "string", "pattern": "^[0-9a-f]{16}$" })
            .try_into()
            .unwrap_or_default()
    }
}

impl JsonSchema for PublishedName {
    fn schema_name() -> Cow<'static, str> {
        "PublishedName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = PUBLISHED.iter().map(|table| table.name).collect();
        let description = "The name of a built-in table of curves";
        json!({ "description": description, "enum": names }).try_into().unwrap_or_default()
    }
}
