//! What is offered while a query is typed.

use elastiplan_compare::{Query, Vocabulary, complete};
use elastiplan_model::{Job, ModelId, Trace, Work};
use proptest::prelude::*;

fn vocabulary() -> Vocabulary {
    let job = |(number, user): (u32, &str)| Job {
        name: format!("job-{number}"),
        source_row: 0,
        submit_s: 0.0,
        model: ModelId(0),
        batch_global: None,
        gpus_requested: 1,
        gpus_min: None,
        gpus_max: None,
        work: Work::Samples(1.0),
        deadline_s: None,
        user: Some(user.into()),
        rescale: None,
        batch_range: None,
        priority: None,
    };
    let models = ["bert", "bert large", "vgg16"].map(String::from).to_vec();
    let trace = Trace::new(models, (0..).zip(["bob", "ann", "bob"]).map(job).collect()).unwrap();
    Vocabulary::of(&trace, vec!["fixed".into(), "elastic-dp".into()])
}

/// The query with each completion in place; `|` is the cursor.
fn offered(text: &str) -> Vec<String> {
    let cursor = text.find('|').unwrap();
    let text = text.replace('|', "");
    let found = complete(&text, cursor, &vocabulary(), 9);
    let completed = |item: &elastiplan_compare::Completion| {
        let mut text = text.clone();
        text.replace_range(found.replaces.clone(), &item.text);
        text
    };
    found.items.iter().map(completed).collect()
}

#[test]
fn completions_for_what_is_typed() {
    let check = |text: &str, expected: &[&str]| assert_eq!(offered(text), expected, "{text}");
    check("mo|", &["model:"]);
    check("a mo| b", &["a model: b"]);
    check("-mis|", &["-missed"]);
    check("m|", &["model:", "missed", "met"]);
    check("model:|", &["model:bert", "model:\"bert large\"", "model:vgg16"]);
    check("model:be|", &["model:bert", "model:\"bert large\""]);
    check("model:\"bert l|", &["model:\"bert large\""]);
    check("model~16|", &["model:vgg16"]);
    check("ber|", &["model:bert", "model:\"bert large\""]);
    check("user:|", &["user:ann", "user:bob"]);
    check("state:c|", &["state:completed", "state:cancelled"]);
    check("missed:|", &["missed:A", "missed:B"]);
    check("later:|", &["later:B"]);
    check("jct:|", &["jct:A>", "jct:B>"]);
    check("diff:|", &["diff:B>"]);
    check("jct>2|", &["jct>2s", "jct>2m", "jct>2h", "jct>2d"]);
    check("jct:B>=2|", &["jct:B>=2s", "jct:B>=2m", "jct:B>=2h", "jct:B>=2d"]);
    check("gpus>2|", &[]);
    check("gpus:|", &[]);
    check("xyz|", &[]);
    assert_eq!(offered("|").len(), 9, "at most as many as asked for");
}

#[test]
fn without_users_or_a_second_policy_nothing_is_offered_about_them() {
    let trace = Trace::new(vec!["bert".into()], Vec::new()).unwrap();
    let vocabulary = Vocabulary::of(&trace, vec!["fixed".into()]);
    let words: Vec<String> = complete("", 0, &vocabulary, 99).items.into_iter().map(|item| item.text).collect();
    assert!(words.contains(&"missed".to_string()));
    assert!(!["user:", "later", "diff>"].iter().any(|word| words.contains(&word.to_string())), "{words:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

    #[test]
    fn whole_completions_are_terms_and_nothing_panics(
        text in "(\\PC|[\" :~<>=()or0-9hms-]|gpus|model|jct|missed|state|user:|bert){0,9}", cursor in 0..40_usize,
    ) {
        let found = complete(&text, cursor, &vocabulary(), 99);
        for item in found.items {
            prop_assert!(!item.help.is_empty());
            let read = item.text.parse::<Query>();
            prop_assert!(!item.is_whole || read.is_ok(), "{}: {:?}", item.text, read);
        }
    }
}
