//! Prices that change: looking them up, adding them up, and what is known of them.

use elastiplan_model::{KnownPrices, Prices, PricesError};
use proptest::prelude::*;

fn prices() -> Prices {
    Prices::new([(3600.0, 2.0), (7200.0, 0.5), (10_800.0, 1.0)]).unwrap()
}

#[test]
fn the_first_price_holds_before_and_the_last_one_after() {
    let prices = prices();
    assert_eq!([0.0, 3600.0, 7199.0, 7200.0, 1e9].map(|time_s| prices.at(time_s)), [2.0, 2.0, 2.0, 0.5, 1.0]);
    let next = [0.0, 3600.0, 7200.0, 10_800.0].map(|time_s| prices.next_change_s(time_s));
    assert_eq!(next, [Some(7200.0), Some(7200.0), Some(10_800.0), None]);
}

#[test]
fn money_is_the_integral() {
    let prices = prices();
    assert_eq!(prices.dollars(0.0, 14_400.0), 2.0 + 2.0 + 0.5 + 1.0);
    assert_eq!((prices.dollars(5400.0, 9000.0), prices.mean(5400.0, 9000.0)), (1.25, 1.25));
    assert_eq!((prices.dollars(7200.0, 7200.0), prices.mean(7200.0, 7200.0)), (0.0, 0.5));
}

#[test]
fn what_is_not_known_is_expected_to_cost_the_mean_of_what_is() {
    let prices = prices();
    // At 5400 s: since 3600 s two dollars were paid, which holds for another half hour.
    let blind = KnownPrices::new(&prices, 3600.0, 5400.0, 0.0);
    assert_eq!((blind.now(), blind.next_change_s(), blind.mean()), (2.0, Some(7200.0), 2.0));
    assert_eq!(blind.until(12_600.0), [(1800.0, 2.0), (5400.0, 2.0)]);
    assert_eq!(blind.until(6000.0), [(600.0, 2.0)]);
    // Who sees an hour ahead knows half an hour at the lower price.
    let seeing = KnownPrices::new(&prices, 3600.0, 5400.0, 3600.0);
    assert_eq!(seeing.until(12_600.0), [(1800.0, 2.0), (1800.0, 0.5), (3600.0, 1.5)]);
    // The last price is known for good.
    assert_eq!(KnownPrices::new(&prices, 3600.0, 10_800.0, 0.0).until(20_000.0), [(9200.0, 1.0)]);
}

#[test]
fn numbers_that_are_no_prices_are_refused() {
    let refused = |steps: &[(f64, f64)]| Prices::new(steps.iter().copied()).unwrap_err();
    assert_eq!(refused(&[]), PricesError::Empty);
    assert_eq!(refused(&[(0.0, -0.1)]), PricesError::Price(-0.1));
    assert_eq!(refused(&[(0.0, 1e6 + 1.0)]), PricesError::Price(1e6 + 1.0));
    assert!(matches!(refused(&[(0.0, f64::NAN)]), PricesError::Price(price) if price.is_nan()));
    assert!(matches!(refused(&[(f64::INFINITY, 1.0)]), PricesError::Time(_)));
    assert_eq!(refused(&[(-1.0, 1.0)]), PricesError::Time(-1.0));
    assert_eq!(refused(&[(5.0, 1.0), (5.0, 2.0)]), PricesError::NotRising { time_s: 5.0, before_s: 5.0 });
    // Even where the step before it changed nothing.
    let unchanged = [(5.0, 1.0), (6.0, 1.0), (5.5, 2.0)];
    assert_eq!(refused(&unchanged), PricesError::NotRising { time_s: 5.5, before_s: 6.0 });
}

#[test]
fn stored_prices_are_checked_when_they_are_read() {
    let stored = serde_json::to_string(&prices()).unwrap();
    assert_eq!(serde_json::from_str::<Prices>(&stored).unwrap(), prices());
    for wrong in ["[5.0, 4.0], \"per_gpu_hour\": [1.0, 2.0]", "[5.0, 6.0], \"per_gpu_hour\": [1.0]"] {
        assert!(serde_json::from_str::<Prices>(&format!("{{ \"time_s\": {wrong} }}")).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    /// Second by second, with all times whole.
    #[test]
    fn lookups_are_those_of_a_walk(
        gaps in prop::collection::vec((1..9u32, 0..5u32), 1..8), from in 0..60u32, length in 0..60u32,
    ) {
        let mut time = 0;
        let steps: Vec<(u32, u32)> = gaps.iter().map(|(gap, price)| { time += gap; (time, *price) }).collect();
        let prices = Prices::new(steps.iter().map(|(time, price)| (f64::from(*time), f64::from(*price)))).unwrap();
        let walk = |second: u32| steps.iter().rev().find(|(time, _)| *time <= second).unwrap_or(&steps[0]).1;
        prop_assert_eq!(prices.at(f64::from(from)), f64::from(walk(from)));
        let until = from + length;
        let dollars = (from..until).map(|second| f64::from(walk(second))).sum::<f64>() / 3600.0;
        let found = prices.dollars(f64::from(from), f64::from(until));
        prop_assert!((found - dollars).abs() < 1e-12, "{} is not {}", found, dollars);
        let next = (from + 1..100).find(|second| walk(*second) != walk(from));
        prop_assert_eq!(prices.next_change_s(f64::from(from)), next.map(f64::from));
        let stretches: Vec<_> = prices.between(f64::from(from), f64::from(until)).collect();
        let whole: f64 = stretches.iter().map(|(start_s, end_s, _)| end_s - start_s).sum();
        prop_assert_eq!(whole, f64::from(length));
        prop_assert!(stretches.windows(2).all(|pair| pair[0].1 == pair[1].0 && pair[0].2 != pair[1].2));
    }
}
