//! Throughput curves.

use elastiplan_model::{Curve, CurveKey, CurveMatch, Curves};
use expect_test::{Expect, expect};

/// Samples/s on 0 to 9 GPUs, or what is wrong with the points.
fn check(points: &[(u32, f64)], expected: Expect) {
    let text = match Curve::new(key("bert", Some(64)), points.iter().copied()) {
        Ok(curve) => speeds(&curve),
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&text);
}

fn speeds(curve: &Curve) -> String {
    (0..=9).map(|gpus| curve.samples_per_s(gpus).to_string()).collect::<Vec<_>>().join(" ")
}

fn key(model: &str, batch_global: Option<u32>) -> CurveKey {
    CurveKey { model: model.into(), batch_global }
}

#[test]
fn between_points_a_straight_line_and_beyond_the_last_its_speed() {
    check(&[(1, 10.0), (2, 18.0), (6, 30.0)], expect!["0 10 18 21 24 27 30 30 30 30"]);
    // Any shape, in any order.
    check(&[(8, 12.0), (2, 20.0), (4, 10.0)], expect!["0 0 20 15 10 10.5 11 11.5 12 12"]);
    check(&[(3, 7.0)], expect!["0 0 0 7 7 7 7 7 7 7"]);
}

#[test]
fn a_model_may_not_run_beyond_its_last_point() {
    let curve = Curve::new(key("bert", None), [(2, 20.0), (4, 30.0)]).unwrap().ending_at_last_point();
    assert_eq!(speeds(&curve), "0 0 20 25 30 0 0 0 0 0");
    assert_eq!(curve.samples_per_s(u32::MAX), 0.0);
}

#[test]
fn the_baseline_is_the_speed_per_gpu_on_the_fewest() {
    let single =
        |points: &[(u32, f64)]| Curve::new(key("bert", None), points.iter().copied()).unwrap().samples_per_s_single();
    assert_eq!(single(&[(1, 10.0), (2, 18.0)]), 10.0);
    assert_eq!(single(&[(4, 36.0), (8, 50.0)]), 9.0);
}

#[test]
fn points_that_make_no_curve() {
    check(&[], expect!["bert at batch 64: no measured point"]);
    check(&[(0, 1.0)], expect!["bert at batch 64: 0 GPUs is not a whole number from 1 to 65,536"]);
    check(&[(65_537, 1.0)], expect!["bert at batch 64: 65537 GPUs is not a whole number from 1 to 65,536"]);
    check(&[(1, 0.0)], expect!["bert at batch 64 on 1 GPU: 0 samples/s must be above 0 and at most 1e18"]);
    check(&[(1, -5.0)], expect!["bert at batch 64 on 1 GPU: -5 samples/s must be above 0 and at most 1e18"]);
    check(&[(1, f64::NAN)], expect!["bert at batch 64 on 1 GPU: NaN samples/s must be above 0 and at most 1e18"]);
    check(&[(1, f64::INFINITY)], expect!["bert at batch 64 on 1 GPU: inf samples/s must be above 0 and at most 1e18"]);
    check(&[(2, 1.0), (1, 1.0), (2, 3.0)], expect!["bert at batch 64: 2 GPUs is there twice"]);
}

#[test]
fn looking_up_a_model_and_batch() {
    let curve = |model: &str, batch_global| Curve::new(key(model, batch_global), [(1, 1.0)]).unwrap();
    let curves = Curves::from_iter([
        curve("vgg", Some(64)),
        curve("bert", Some(64)),
        curve("bert", Some(32)),
        curve("gpt2", None),
        curve("gpt2", Some(8)),
    ]);
    assert_eq!(curves.models(), ["bert", "gpt2", "vgg"]);
    let find = |model, batch_global| curves.find(model, batch_global);
    assert_eq!(find("bert", Some(64)), CurveMatch::Exact(1));
    assert_eq!(find("bert", Some(128)), CurveMatch::OtherBatches);
    assert_eq!(find("bert", None), CurveMatch::OtherBatches);
    assert_eq!(find("gpt2", Some(8)), CurveMatch::Exact(3));
    assert_eq!(find("gpt2", None), CurveMatch::Exact(2));
    assert_eq!(find("gpt2", Some(16)), CurveMatch::OnlyOne(2));
    assert_eq!(find("vgg", None), CurveMatch::OnlyOne(4));
    assert_eq!(find("vgg", Some(32)), CurveMatch::OtherBatches);
    assert_eq!(find("lstm", Some(32)), CurveMatch::None);
    assert_eq!(Curves::default().find("vgg", None), CurveMatch::None);
}

#[test]
fn a_later_curve_under_one_key_replaces_the_first() {
    let curve = |speed| Curve::new(key("vgg", None), [(1, speed)]).unwrap();
    let mut curves = Curves::default();
    assert_eq!(curves.insert(curve(1.0)), None);
    assert_eq!(curves.insert(curve(2.0)), Some(curve(1.0)));
    assert_eq!(curves.as_slice(), [curve(2.0)]);
}

#[test]
fn stored_curves_are_checked_when_they_are_read() {
    let read = |json: &str| {
        let curves = serde_json::from_str::<Curves>(json);
        curves.map_or_else(|error| error.to_string(), |curves| format!("{:?}", curves.models()))
    };
    let curve = |model: &str, points: &str| {
        format!(r#"{{"key":{{"model":"{model}","batch_global":null}},"points":[{points}],"runs_beyond":false}}"#)
    };
    let point = |gpus: u32| format!(r#"{{"gpus":{gpus},"samples_per_s":1.5}}"#);
    let curves = |curves: &[String]| format!(r#"{{"curves":[{}]}}"#, curves.join(","));
    let text = curves(&[curve("vgg", &point(2)), curve("bert", &point(1))]);
    expect![[r#"["bert", "vgg"]"#]].assert_eq(&read(&text));
    expect!["vgg: 0 GPUs is not a whole number from 1 to 65,536 at line 1 column 117"]
        .assert_eq(&read(&curves(&[curve("vgg", &point(0))])));
    expect!["vgg: no measured point at line 1 column 87"].assert_eq(&read(&curves(&[curve("vgg", "")])));

    let set = serde_json::from_str::<Curves>(&text).unwrap();
    assert!(!set.as_slice()[0].runs_beyond());
    assert_eq!(serde_json::from_str::<Curves>(&serde_json::to_string(&set).unwrap()).unwrap(), set);
}
