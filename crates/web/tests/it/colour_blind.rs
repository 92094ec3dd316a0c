//! Models and runs can be told apart by those who see colours differently: simulated after Machado, Oliveira and Fernandes (2009)
//! at full severity, compared in CIE Lab.

use crate::tokens::{Tokens, linear, themes};

type Matrix = [[f64; 3]; 3];

const NORMAL: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const PROTANOPIA: Matrix =
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]];
const DEUTERANOPIA: Matrix =
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]];
const TRITANOPIA: Matrix =
    [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]];

/// Light of red, green and blue to CIE XYZ.
const XYZ: Matrix =
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]];
/// The white of D65.
const WHITE: [f64; 3] = [0.95047, 1.0, 1.08883];

fn times(matrix: &Matrix, vector: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
}

/// A colour as it is seen, in Lab.
fn seen(colour: [f64; 3], sight: &Matrix) -> [f64; 3] {
    let light = times(sight, colour.map(linear)).map(|channel| channel.clamp(0.0, 1.0));
    let xyz = times(&XYZ, light);
    let [x, y, z] = [0, 1, 2].map(|at| match xyz[at] / WHITE[at] {
        share if share > 216.0 / 24389.0 => libm::cbrt(share),
        share => (24389.0 / 27.0 * share + 16.0) / 116.0,
    });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn distance(one: [f64; 3], other: [f64; 3]) -> f64 {
    libm::sqrt(one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum())
}

/// The two names that look most alike, and by how much they differ.
fn closest(tokens: &Tokens, names: &[String], sight: &Matrix) -> (f64, String) {
    let pairs = names.iter().enumerate().flat_map(|(at, one)| names.iter().skip(at + 1).map(move |other| (one, other)));
    let apart = pairs.map(|(one, other)| {
        let distance = distance(seen(tokens[one], sight), seen(tokens[other], sight));
        (distance, format!("{one} and {other}"))
    });
    apart.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}

#[track_caller]
fn check(names: &[String], sights: &[(&str, Matrix)], at_least: f64) {
    for (theme, tokens) in themes() {
        for (sight, matrix) in sights {
            let (apart, pair) = closest(&tokens, names, matrix);
            assert!(apart >= at_least, "{theme}, {sight}: {pair} are {apart:.1} apart, at least {at_least} is wanted");
        }
    }
}

const SIGHTS: [(&str, Matrix); 4] =
    [("normal", NORMAL), ("protanopia", PROTANOPIA), ("deuteranopia", DEUTERANOPIA), ("tritanopia", TRITANOPIA)];

#[test]
fn black_and_white_are_100_apart_for_everybody() {
    for (_, sight) in &SIGHTS {
        assert!((distance(seen([0.0; 3], sight), seen([255.0; 3], sight)) - 100.0).abs() < 1.0);
    }
}

#[test]
fn red_and_green_look_alike_without_the_one_or_the_other() {
    let (red, green) = ([200.0, 60.0, 30.0], [110.0, 110.0, 20.0]);
    let apart = |sight| distance(seen(red, sight), seen(green, sight));
    assert!(apart(&DEUTERANOPIA) < apart(&NORMAL) / 2.0);
}

#[test]
fn every_two_models_can_be_told_apart() {
    let models: Vec<String> = (1..=8).map(|slot| format!("model-{slot}")).collect();
    check(&models, &SIGHTS[..1], 19.0);
    check(&models, &SIGHTS, 14.0);
}

#[test]
fn every_two_runs_can_be_told_apart() {
    let runs: Vec<String> = ('a'..='h').map(|letter| format!("policy-{letter}")).collect();
    check(&runs, &SIGHTS[..1], 32.0);
    // Lines have dashes besides, and badges letters.
    check(&runs, &SIGHTS, 12.0);
}

#[test]
fn better_and_worse_can_be_told_apart() {
    check(&["better".into(), "worse".into()], &SIGHTS, 20.0);
}
