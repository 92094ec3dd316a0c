//! Fields of the scenario that differ from their defaults.

use elastiplan_scenario::Scenario;
use elastiplan_scenario::fields::{FIELDS, Field};

use super::html::{escaped, tag};

/// The fields with their values, those of the machines and the seed always.
pub fn settings(scenario: &Scenario) -> String {
    let start_s = scenario.trace.start_s();
    let is_told = |field: &&Field| {
        let applies = field.control.as_ref().is_none_or(|control| (control.applies)(&scenario.conditions));
        let is_other = field.get(scenario) != field.default();
        field.access.is_of_cluster() || field.key == "seed" || (is_other && applies)
    };
    let row = |(name, value): (String, String)| {
        format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(&name), escaped(&value))
    };
    let fields = FIELDS.iter().filter(is_told).map(|field| (field.label(), field.words(scenario, start_s)));
    let conditions = &scenario.conditions;
    let forks = conditions.forks.iter().map(|fork| ("Fork".to_string(), fork.words()));
    let log = conditions.availability.iter().map(|_| ("Log of nodes".to_string(), "nodes come and go".to_string()));
    let prices = conditions.prices.iter().map(|_| ("Prices".to_string(), "change over time".to_string()));
    let rows: String = fields.chain(log).chain(prices).chain(forks).map(row).collect();
    let others = tag("p", "caption", "All other settings have their defaults");
    format!("<dl class=\"settings\">\n{rows}</dl>\n{others}")
}
