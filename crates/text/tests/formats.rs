//! How numbers are written.

use elastiplan_text::format::*;

#[test]
fn durations_have_at_most_two_units() {
    let written = [0.0, 0.34, 0.9996, 12.0, 59.6, 90.0, 245.0, 599.6, 2_520.0, 4_620.0, 86_390.0, 273_600.0, 1e8];
    let written = written.map(duration).join(" | ");
    assert_eq!(
        written,
        "0s | 0.3s | 1s | 12s | 1m 00s | 1m 30s | 4m 05s | 10m | 42m | 1h 17m | 1d 00h | 3d 04h | 1,157d"
    );
    assert_eq!(duration(-12.0), "−12s");
    assert_eq!([-1e-5, 0.02, -0.02, -0.34, 0.97].map(duration), ["0s", "<0.1s", "<0.1s", "−0.3s", "1s"]);
    assert_eq!(duration(f64::NAN), DASH);
    assert_eq!([6_060.0, -12.0, 0.0].map(signed_duration), ["+1h 41m", "−12s", "0s"]);
}

#[test]
fn moments_are_as_exact_as_pixels() {
    assert_eq!(moment(9_180.0, 29.0), "2h 33m");
    assert_eq!(moment(9_192.0, 1.0), "2h 33m 12s");
    assert_eq!(moment(12.3456, 0.001), "12s 346ms");
    assert_eq!(moment(277_000.0, 4_000.0), "3d 05h");
    assert_eq!(moment(-90.0, 29.0), "−2m");
    assert_eq!(moment(0.0, 29.0), "0m");
}

/// Four events of a long run must not all read "28d 10h".
#[test]
fn moments_beside_each_other_are_told_apart() {
    const DAY_S: f64 = 86_400.0;
    let check = |times_s: &[f64], expected: &[&str]| assert_eq!(told_apart(times_s), expected, "{times_s:?}");
    let late_s = 28.0 * DAY_S + 36_000.0;
    check(
        &[0.0, late_s, late_s + 300.0, late_s + 330.0, late_s + 330.25, late_s + DAY_S],
        &["0s", "28d 10h 00m", "28d 10h 05m", "28d 10h 05m 30s 000ms", "28d 10h 05m 30s 250ms", "29d 10h"],
    );
    check(&[late_s, late_s, late_s], &["28d 10h", "28d 10h", "28d 10h"]);
    check(&[660.0, 680.0, 4_000.0], &["11m 00s", "11m 20s", "1h 07m"]);
    check(&[660.0, 690.0], &["11m", "12m"]);
    check(&[12.0, 12.4], &["12s 000ms", "12s 400ms"]);
    check(&[], &[]);
}

#[test]
fn numbers_keep_three_digits_and_their_whole_part() {
    let written = [0.0, 0.012345, 0.5, 1.5, 34.0, 84.26, 999.96, 1_234.5, 12_699.0, 1e16, 3e-7, -0.25];
    let written = written.map(number).join(" | ");
    assert_eq!(written, "0 | 0.012 | 0.5 | 1.5 | 34 | 84.3 | 1,000 | 1,234 | 12,699 | 1.00e16 | 3.00e−7 | −0.25");
    assert_eq!(count(12_699), "12,699");
    assert_eq!([472.0, 1_234.0, 999_960.0, 2.5e6, 7e12].map(short), ["472", "1.23k", "1M", "2.5M", "7T"]);
    assert_eq!(samples_per_s(1_234.0), "1.23k samples/s");
    assert_eq!([122_400.0, 5.9, 0.0, 720.0].map(gpu_hours), ["34 GPU-h", "5.9 GPU-s", "0 GPU-h", "0.2 GPU-h"]);
    assert_eq!(number(0.001_64), "0.0016");
    assert_eq!([gpus(1), gpus(128)], ["1 GPU", "128 GPUs"]);
}

#[test]
fn shares_never_round_to_nothing_or_all() {
    let written = [0.0, 0.0001, 0.004, 0.712, 0.997, 0.99999, 1.0, 1.2].map(percent).join(" | ");
    assert_eq!(written, "0% | <0.1% | 0.4% | 71% | 99.7% | >99.9% | 100% | 120%");
    assert_eq!([0.15, -0.03, 0.004, 0.0].map(points), ["+15pt", "−3pt", "+0.4pt", "0pt"]);
}

#[test]
fn differences_have_a_sign() {
    assert_eq!(change(51.0, 77.0), "−34%");
    assert_eq!(change(256.0, 154.0), "+66%");
    assert_eq!(change(34.0, 5.4), "×6.3");
    assert_eq!(change(81.0, 5.4), "×15");
    assert_eq!(change(7_200.0, 0.711), ">×100");
    assert_eq!(change(0.0, 22.0), "−100%");
    assert_eq!(change(2.0, 1.0), "+100%");
    assert_eq!(change(98.0, 0.0), DASH);
    assert_eq!(change(f64::NAN, 1.0), DASH);
    assert_eq!([4, -2, 0].map(signed_count), ["+4", "−2", "0"]);
    assert_eq!(or_dash(None::<f64>, duration), DASH);
    assert_eq!(or_dash(Some(12.0), duration), "12s");
}
