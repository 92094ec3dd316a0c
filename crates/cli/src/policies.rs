//! `elastiplan policies`: what can be simulated.

use std::fmt::Write;

use elastiplan_policies::REGISTRY;

/// Every policy with its parameters, for a person.
pub fn list() -> String {
    let mut text = String::new();
    for entry in REGISTRY {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}\n  {}\n  {}", entry.name, entry.summary, entry.source);
        for parameter in entry.parameters {
            let (name, default) = (parameter.name, parameter.kind.default_text());
            let _ = writeln!(text, "  {name}={default}  {}; {}", parameter.help, parameter.kind.rule());
        }
    }
    text + "\nParameters go in brackets: elastic-dp[delta_s=300,queue=true]\n"
}
