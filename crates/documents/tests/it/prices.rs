//! Prices in documents: read from tables, drawn, written again, and what they do to the cost of a run.

use elastiplan_documents::{Document, Resolved};
use elastiplan_engine::Run;
use elastiplan_model::Prices;
use elastiplan_planner::run;
use elastiplan_workloads::DrawnPrices;
use expect_test::{Expect, expect};
use serde_json::{Value, json};

fn document(prices: Value) -> String {
    json!({
        "elastiplan": 1,
        "jobs": { "sample": {} },
        "curves": { "sample": {} },
        "cluster": { "nodes": 16, "gpus_per_node": 8 },
        "conditions": { "prices": prices },
        "policies": ["fixed"],
    })
    .to_string()
}

fn resolve(prices: Value) -> Result<Resolved, String> {
    let document = Document::parse(&document(prices)).map_err(|error| error.to_string())?;
    let file = |name: &str| (name == "prices.csv").then(|| b"price_per_gpu_hour;time_s\r\n2.5;0\r\n".to_vec());
    document.resolve(&file).map_err(|error| error.to_string())
}

fn steps(prices: Value) -> Vec<(f64, f64)> {
    resolve(prices).unwrap().scenario.conditions.prices.unwrap().steps().collect()
}

fn check_error(prices: Value, expected: Expect) {
    expected.assert_eq(&resolve(prices).unwrap_err());
}

fn check_findings(table: &str, used: &[(f64, f64)], expected: Expect) {
    let resolved = resolve(json!({ "inline": table })).unwrap();
    assert_eq!(resolved.scenario.conditions.prices.as_deref(), Some(&Prices::new(used.iter().copied()).unwrap()));
    let findings: Vec<String> = resolved.diagnostics.iter().map(ToString::to_string).collect();
    expected.assert_eq(&findings.join("\n"));
}

#[test]
fn tables_are_read_with_their_columns_in_any_order() {
    let table = "time_s,price_per_gpu_hour\n0,2.5\n3600,0.9\n";
    assert_eq!(steps(json!({ "inline": table })), [(0.0, 2.5), (3600.0, 0.9)]);
    assert_eq!(steps(json!({ "file": "prices.csv" })), [(0.0, 2.5)]);
    check_error(
        json!({ "file": "spot.csv" }),
        expect!["conditions.prices.file: the file spot.csv is not there; files are looked up beside the scenario"],
    );
}

#[test]
fn rows_without_prices_are_reported_and_left_out() {
    check_findings(
        "time_s,price_per_gpu_hour,note\n0,1,a\n60,-2\n120,NaN\n180,\n\n240,free\n300,1e9\n60,2\n60,3\nnoon,2\n360,2\n",
        &[(0.0, 1.0), (60.0, 2.0), (360.0, 2.0)],
        expect![[r#"
            conditions.prices.inline, rows 3, 4, 5, 7 and 1 more, price_per_gpu_hour: -2. Dollars for a GPU and hour, from 0 to 1,000,000. Row left out. Write a number
            conditions.prices.inline, row 10, time_s: 60. Later than the row before it. Row left out. Put the rows in order of time
            conditions.prices.inline, row 11, time_s: noon. Seconds from 0 to 1e11. Row left out. Write a number"#]],
    );
}

#[test]
fn tables_without_prices_are_errors() {
    check_error(
        json!({ "inline": "" }),
        expect![
            "conditions.prices.inline: no prices in conditions.prices.inline: no columns time_s and price_per_gpu_hour"
        ],
    );
    check_error(
        json!({ "inline": "time_s,price\n0,1\n" }),
        expect![
            "conditions.prices.inline: no prices in conditions.prices.inline: no columns time_s and price_per_gpu_hour"
        ],
    );
    check_error(
        json!({ "inline": "time_s,price_per_gpu_hour\n0,x\n" }),
        expect!["conditions.prices.inline: no prices in conditions.prices.inline: no row that can be used"],
    );
    check_error(
        json!({ "drawn": { "swing": 1.5 } }),
        expect!["conditions.prices.drawn.swing: 1.5 is not a number from 0 to 1"],
    );
    check_error(
        json!({ "drawn": { "hours": 3 } }),
        expect![
            "line 1, conditions.prices.drawn.hours: unknown field `hours`, expected one of `mean`, `swing`, `noise`, `days`, `seed`"
        ],
    );
}

#[test]
fn drawn_prices_swing_over_the_day_around_their_mean() {
    let quiet = DrawnPrices { mean: 2.0, swing: 0.5, noise: 0.0, days: 1.0, seed: 3 };
    let prices = quiet.prices(0.0);
    assert_eq!([2.0, 8.0, 14.0, 20.0].map(|hour| prices.at(hour * 3600.0)), [1.0, 2.0, 3.0, 2.0]);
    assert_eq!(prices.next_change_s(0.0), Some(3600.0));
    // They begin in the hour of the first job.
    assert_eq!(quiet.prices(50_000.0).steps().next(), Some((46_800.0, 2.9659)));

    let noisy = DrawnPrices { noise: 0.4, days: 400.0, ..quiet };
    let year = noisy.prices(0.0);
    let mean = year.mean(0.0, 400.0 * 86_400.0);
    assert!((mean - 2.0).abs() < 0.06, "{mean}");
    let logarithms: Vec<f64> =
        (0..400).map(|day| libm::log(year.at(f64::from(day) * 86_400.0 + 14.0 * 3600.0) / 3.0) + 0.08).collect();
    let deviation = libm::sqrt(logarithms.iter().map(|log| log * log).sum::<f64>() / 400.0);
    assert!((deviation - 0.4).abs() < 0.05, "{deviation}");
    assert_eq!(noisy.prices(0.0), year, "the same seed, the same prices");
    assert_ne!(DrawnPrices { seed: 4, ..noisy }.prices(0.0), year);
    // What cannot be is not drawn.
    assert_eq!(DrawnPrices { noise: f64::NAN, ..noisy }.prices(0.0), DrawnPrices::default().prices(0.0));
}

#[test]
fn a_scenario_is_written_with_its_prices() {
    let drawn = resolve(json!({ "drawn": { "days": 2, "seed": 5 } })).unwrap();
    let written = Document::of("", &drawn.scenario, drawn.policies).to_json();
    let read = Document::parse(&written).unwrap().resolve(&|_| None).unwrap();
    assert_eq!(read.scenario.conditions, drawn.scenario.conditions);
    assert!(read.scenario.conditions.prices.is_some());
}

/// Prices change what a run costs, and nothing else unless the policy looks at them.
#[test]
fn prices_change_the_cost_and_not_the_run() {
    let mut scenario = resolve(json!({ "inline": "time_s,price_per_gpu_hour\n0,3.6\n" })).unwrap().scenario;
    let (workload, _) = scenario.workload();
    let policy = "elastic-dp".parse().unwrap();
    let priced = run(&scenario, &workload, &policy).unwrap();
    let metrics = &priced.summary.metrics;
    assert!((metrics.cost_dollars.unwrap() - metrics.gpu_hours * 3.6).abs() < 1e-9 * metrics.gpu_hours);
    scenario.conditions.prices = None;
    let unpriced = run(&scenario, &workload, &policy).unwrap();
    assert_eq!(unpriced.summary.metrics.cost_dollars, None);
    assert_ne!(unpriced.digest, priced.digest, "prices are part of the record");
    assert_eq!(unpriced.run, Run { prices: None, ..priced.run });
}
