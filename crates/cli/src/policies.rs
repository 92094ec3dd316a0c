//! `elastiplan policies`: what can be simulated.

use std::fmt::Write;

use elastiplan_policies::REGISTRY;

use crate::table::{terminal_width, wrapped};

/// Every policy with its parameters, for a person.
pub fn list() -> String {
    let width = terminal_width();
    let mut text = String::new();
    for entry in REGISTRY {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", entry.name);
        for words in [entry.summary, entry.source] {
            text += &wrapped(words, 2, width);
        }
        for parameter in entry.parameters {
            let (name, default) = (parameter.name, parameter.kind.default_text());
            text += &wrapped(&format!("{name}={default}  {}; {}", parameter.help, parameter.kind.rule()), 2, width);
        }
    }
    text + "\nParameters go in brackets: elastic-dp[delta_s=300,queue=true]\n"
}
