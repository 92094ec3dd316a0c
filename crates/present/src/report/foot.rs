//! The foot: what made the runs, and how to make them again.

use elastiplan_text::format;
use elastiplan_text::words;

use super::Report;
use super::html::{escaped, isolated, tag};
use super::tables::badge;
use crate::runs::{RunEntry, shown};

/// Longer links are not printed in full.
const LINK_SHOWN_MAX: usize = 400;

/// Scenario, digests, build, link and command.
pub fn foot(report: &Report<'_>) -> String {
    let origin = &report.origin;
    let digest = |entry: &RunEntry| {
        let digest = entry.result.as_ref().map_or("none", |result| result.digest.as_str());
        format!("<li>{} <code>{}</code></li>\n", badge(entry.slot, &entry.letter()), escaped(digest))
    };
    let digests: String = shown(report.runs).map(digest).collect();
    let needs = |(name, hash, bytes): &(String, String, u64)| {
        let bytes = words::counted(*bytes, "byte", "bytes");
        format!("<li>{} <code>{}</code>, {bytes}</li>\n", isolated(name), escaped(hash))
    };
    let needs: String = origin.needs.iter().map(needs).collect();
    let rows = [
        ("Scenario", Some(isolated(report.title))),
        ("Seed", Some(report.scenario.conditions.seed.to_string())),
        ("Made by", Some(escaped(report.software))),
        ("Digests", Some(format!("<ul>{digests}</ul>"))),
        ("Link", link(origin.link.as_deref(), origin.note.as_deref())),
        ("It needs", (!needs.is_empty()).then(|| format!("<ul>{needs}</ul>"))),
        ("Run it again", origin.command.as_ref().map(|command| tag("code", "command", &escaped(command)))),
    ];
    let row = |(name, value): (&str, Option<String>)| Some(format!("<dt>{name}</dt><dd>{}</dd>\n", value?));
    let rows: String = rows.into_iter().filter_map(row).collect();
    let note = "The same scenario and build give the same runs, to the bit: their digests agree.";
    format!("<footer>\n<h2>Provenance</h2>\n<dl>\n{rows}</dl>\n{}</footer>\n", tag("p", "caption", note))
}

/// The link, to be followed and read, with what is to be said of it.
fn link(link: Option<&str>, note: Option<&str>) -> Option<String> {
    let note = note.map(|note| tag("span", "caption", &escaped(note)));
    let Some(link) = link else { return note };
    let length = link.chars().count();
    let is_address = link.starts_with("https://") || link.starts_with("http://");
    let characters = || format!("{} characters", format::count(length as u64));
    let link = match (is_address, length > LINK_SHOWN_MAX) {
        (true, false) => anchor(link, link),
        (true, true) => anchor(link, &format!("Open the scenario ({})", characters())),
        (false, false) => tag("code", "", &escaped(link)),
        (false, true) => escaped(&format!("{}: elastiplan link prints it", characters())),
    };
    Some(format!("{link} {}", note.unwrap_or_default()))
}

fn anchor(address: &str, words: &str) -> String {
    format!("<a href=\"{}\" rel=\"noopener noreferrer\">{}</a>", escaped(address), escaped(words))
}
