use proptest::prelude::*;

use super::*;

const UNITS: [Unit; 12] = [
    Unit::Count,
    Unit::Seconds,
    Unit::GpuHours,
    Unit::NodeHours,
    Unit::GpuSeconds,
    Unit::Nodes,
    Unit::Jobs,
    Unit::Ratio,
    Unit::Factor,
    Unit::Samples,
    Unit::SamplesPerSecond,
    Unit::Dollars,
];

#[test]
fn values_that_differ_never_read_alike() {
    let check = |unit: Unit, values: &[f64], expected: &[&str]| {
        let values: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
        assert_eq!(Quantity::of(unit).told_apart(&values), expected);
    };
    check(Unit::Seconds, &[1_680.0, 1_695.0, 4_620.0], &["28m 00s", "28m 15s", "1h 17m"]);
    check(Unit::Seconds, &[232_200.0, 233_000.0], &["2d 16h 30m", "2d 16h 43m"]);
    check(Unit::Seconds, &[232_200.0, 235_800.0], &["2d 17h", "2d 18h"]);
    check(Unit::Seconds, &[245.1, 245.4], &["4m 05.1s", "4m 05.4s"]);
    check(Unit::Seconds, &[12.1, 12.4], &["12.1s", "12.4s"]);
    check(Unit::Seconds, &[0.31, 0.34], &["0.310s", "0.340s"]);
    check(Unit::Ratio, &[0.592, 0.588, 0.70], &["59.2%", "58.8%", "70%"]);
    check(Unit::Dollars, &[371_100.0, 371_400.0, 387_000.0], &["$371,100", "$371,400", "$387k"]);
    check(Unit::GpuSeconds, &[252_360.0, 252_504.0], &["70.1", "70.14"]);
    check(Unit::Samples, &[12_345.0, 12_322.0], &["12,345", "12,322"]);
    check(Unit::Factor, &[1.234, 1.231], &["1.234", "1.231"]);
    check(Unit::Jobs, &[17.41, 17.44], &["17.41", "17.44"]);
    check(Unit::Count, &[28.0, 29.0], &["28", "29"]);
}

#[test]
fn digits_that_tell_nothing_apart_are_left_out() {
    let check = |unit: Unit, values: &[Option<f64>], expected: &[&str]| {
        assert_eq!(Quantity::of(unit).told_apart(values), expected);
    };
    // Less than a tenth of a percent is no difference, and is written as none.
    check(Unit::Seconds, &[Some(1_680.0), Some(1_680.4), None], &["28m", "28m", "—"]);
    check(Unit::Seconds, &[Some(1_680.0), Some(1_680.0), Some(1_695.0)], &["28m 00s", "28m 00s", "28m 15s"]);
    check(Unit::Dollars, &[Some(0.0), Some(0.004)], &["$0", "$0.00"]);
    check(Unit::Ratio, &[Some(1.0), Some(0.9999)], &["100%", ">99.9%"]);
    check(Unit::Seconds, &[], &[]);
}

#[test]
fn a_value_with_its_unit() {
    let check = |unit: Unit, value: f64, expected: &str| assert_eq!(Quantity::of(unit).with_unit(value), expected);
    check(Unit::GpuHours, 4.0, "4 GPU-h");
    check(Unit::GpuSeconds, 36.0, "36 GPU-s");
    check(Unit::NodeHours, 12.0, "12 node-h");
    check(Unit::Samples, 12_345.0, "12.3k samples");
    check(Unit::SamplesPerSecond, 12_345.0, "12.3k samples/s");
    check(Unit::Dollars, 12.0, "$12.00");
    check(Unit::Factor, 1.5, "1.5");
}

#[test]
fn all_that_look_as_good_as_the_best_are_best() {
    let check = |unit: Unit, better: Better, values: &[f64], expected: &[usize]| {
        let values: Vec<(usize, f64)> = values.iter().copied().enumerate().collect();
        assert_eq!(Quantity::of(unit).best(&values, better), expected);
    };
    check(Unit::Seconds, Better::Lower, &[1_680.0, 1_695.0, 1_680.2], &[0, 2]);
    check(Unit::Ratio, Better::Higher, &[0.9, 0.9004, 0.91], &[2]);
    check(Unit::Seconds, Better::Lower, &[0.0, 1e-9], &[0]);
    check(Unit::Factor, Better::Neither, &[1.0], &[]);
}

/// Two of any values read alike only if their difference cannot be seen, or is finer than what is ever written.
#[test]
fn generated_values_are_told_apart() {
    let unit = prop::sample::select(UNITS.to_vec());
    let near = (0.0..1e6_f64, prop::collection::vec(0.0..0.02_f64, 1..5));
    proptest!(|((unit, (base, parts)) in (unit, near))| {
        let scale = if unit == Unit::Ratio { 1e-6 } else { 1.0 };
        let value = |part: &f64| base * scale * (1.0 + part);
        let round = |value: f64| if unit == Unit::Count { value.round() } else { value };
        let values: Vec<f64> = parts.iter().map(value).map(round).collect();
        let quantity = Quantity::of(unit);
        let texts = quantity.told_apart(&values.iter().copied().map(Some).collect::<Vec<_>>());
        for (a, one) in values.iter().zip(&texts) {
            for (b, other) in values.iter().zip(&texts) {
                let is_fine_enough = a.min(*b) * scale.max(1.0) > 0.02;
                prop_assert!(one != other || !quantity.differ(*a, *b) || !is_fine_enough, "{a} and {b} are {one}");
            }
        }
    });
}
