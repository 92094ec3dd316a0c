//! Everything that is to be read can be read: contrasts of the colours in www/style.css, as WCAG 2 counts them.

use crate::tokens::{linear, themes};

fn luminance(colour: [f64; 3]) -> f64 {
    0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2])
}

fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let (a, b) = (luminance(one), luminance(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[track_caller]
fn check(front: &str, back: &str, at_least: f64) {
    for (theme, tokens) in themes() {
        // To the two digits in which contrasts are told.
        let found = (contrast(tokens[front], tokens[back]) * 100.0).round() / 100.0;
        assert!(found >= at_least, "{theme}: {front} on {back} has {found:.2}, wants {at_least}");
    }
}

#[test]
fn black_on_white_is_21() {
    assert!((contrast([0.0; 3], [255.0; 3]) - 21.0).abs() < 1e-9);
}

#[test]
fn text_on_every_ground() {
    for ground in ["bg-panel", "bg-app", "bg-sunken", "bg-hover", "bg-select"] {
        for ink in ["ink-1", "ink-2", "ink-3", "accent", "better", "worse", "bad", "warn"] {
            check(ink, ground, 4.5);
        }
    }
}

#[test]
fn jobs_on_the_panel_and_numbers_on_jobs() {
    for slot in 1..=8 {
        check(&format!("model-{slot}"), "bg-panel", 3.0);
        check(&format!("on-model-{slot}"), &format!("model-{slot}"), 4.5);
    }
}

#[test]
fn runs_on_the_panel_and_letters_on_runs() {
    for letter in 'a'..='h' {
        check(&format!("policy-{letter}"), "bg-panel", 4.5);
        check("on-policy", &format!("policy-{letter}"), 5.5);
    }
    check("on-wait", "wait", 4.5);
}

#[test]
fn edges_and_waiting_lines() {
    check("control", "bg-panel", 3.0);
    check("wait", "bg-panel", 3.0);
    check("on-accent", "accent", 4.5);
}
