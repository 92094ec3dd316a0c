//! Queries as text: what is read, what is refused, and that what is written is read again.

use elastiplan_compare::query::{Clause, Compare, Condition, NumberField, Problem, State, Term, TextField};
use elastiplan_compare::{Badge, Query};
use proptest::prelude::*;

#[test]
fn queries_are_written_as_they_are_read() {
    let check = |text: &str, expected: &str| {
        let query: Query = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(query.to_string(), expected, "{text}");
        assert_eq!(expected.parse(), Ok(query), "{text}");
    };
    check("", "");
    check("model:bert gpus>4 missed later:C", "model:bert gpus>4 missed later:C");
    check("  user:ann\tjct>2h ", "user:ann jct>2h");
    check("wait>=10m state:dropped name~vision", "wait>=10m dropped name~vision");
    check("-model:vgg16 bert OR vgg16", "-model:vgg16 bert or vgg16");
    check("Model:BERT GPUS≥4 diff:b<-10m", "model:BERT gpus>=4 diff:B<-10m");
    check("gpus:4 gpus=4", "gpus=4 gpus=4");
    check("jct:B>90m jct:2h", "jct:B>1h30m jct=2h");
    check("model:\"bert large\" \"two words\"", "model:\"bert large\" \"two words\"");
    check("\"missed\" \"or\" \"-a\" \"\"", "\"missed\" \"or\" \"-a\" \"\"");
    check("\"a \\\"b\\\" \\\\ \\c\"", "\"a \\\"b\\\" \\\\ \\\\c\"");
    check("vgg16-12 12:30 a(b)", "vgg16-12 \"12:30\" \"a(b)\"");
    check("state:missed:A", "missed:A");
    check("user", "user");
    check("resizes>1 difference>0 submitted<1d", "rescales>1 diff>0s submit<1d");
}

#[test]
fn what_is_refused_says_where_and_what_is_allowed() {
    let check = |text: &str, at: &str, expected: &str| {
        let error = text.parse::<Query>().unwrap_err();
        assert_eq!((&text[error.at.clone()], error.to_string().as_str()), (at, expected), "{text}");
    };
    check("a gpu>4", "gpu", "gpu is not a term: did you mean gpus?");
    check("deadline:2h", "deadline", "deadline is not a term: put text in quotes to search for it");
    check("state:drop", "drop", "drop is not a state: did you mean dropped?");
    let states = "use completed, dropped, failed, cancelled, unfinished, met or missed";
    check("state:asleep", "asleep", &format!("asleep is not a state: {states}"));
    check("a model: b", "model:", "model needs a value, as in model:bert");
    check("gpus>", "gpus>", "gpus needs a value, as in gpus>4");
    check("jct:B", "jct:B", "jct needs a value, as in jct>2h");
    check("gpus>4.5", "4.5", "4.5 is not a whole number, as in gpus>4");
    check("gpus>-4", "-4", "-4 is not a whole number, as in gpus>4");
    check("jct>2y", "2y", "2y is not a time with s, m, h or d, as in jct>2h");
    check("jct>2", "2", "2 has no unit: 2s, 2m, 2h or 2d");
    check("model>bert", "model>", "model takes : or ~, as in model:bert");
    check("jct~2h", "jct~", "jct takes > >= < <= or =, as in jct>2h");
    check("missed>2", "missed>", "missed takes nothing, or : and the letter of a policy, as in missed:A");
    check("later:fixed", "fixed", "fixed is not the letter of a policy, as in later:C");
    check("gpus:B>4", "gpus:B", "gpus is the same under every policy: leave out the letter, as in gpus>4");
    check("a \"b c", "\"b c", "the quote is not closed");
    check("a or", "or", "or stands between two terms, as in bert or vgg16");
    check("or a", "or", "or stands between two terms, as in bert or vgg16");
    check("a or or b", "or", "or stands between two terms, as in bert or vgg16");
    check("a - b", "-", "- stands before a term, without a space, as in -model:bert");
    check("gpus > 4", ">", "a comparison stands right between a term and a value, as in gpus>4");
    let parentheses =
        "parentheses are not needed: a or b c finds c that is a or b; put text in quotes to search for it";
    check("(a or b) c", "(", parentheses);
}

#[test]
fn a_suggestion_takes_the_place_of_what_is_wrong() {
    let check = |text: &str, expected: &str| {
        let error = text.parse::<Query>().unwrap_err();
        let suggestion = match error.problem {
            Problem::UnknownTerm { nearest, .. } | Problem::UnknownState { nearest, .. } => nearest.unwrap(),
            Problem::NoValue { example, .. } => example,
            problem => panic!("{problem:?}"),
        };
        let mut corrected = text.to_string();
        corrected.replace_range(error.at, suggestion);
        assert_eq!(corrected, expected);
        assert!(corrected.parse::<Query>().is_ok(), "{corrected}");
    };
    check("a gpu>4 b", "a gpus>4 b");
    check("state:drop", "state:dropped");
    check("a jct> b", "a jct>2h b");
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9-]{0,9}", "\\PC{0,6}", "[\" \\\\:~<>=()-]{0,5}", Just("missed".into()), Just("OR".into())]
}

fn badge() -> impl Strategy<Value = Option<Badge>> {
    prop::option::of((0..26_usize).prop_map(|slot| Badge::of_slot(slot).unwrap()))
}

fn condition() -> impl Strategy<Value = Condition> {
    use prop::sample::select;
    let fields = select(vec![TextField::Name, TextField::Model, TextField::User]);
    let named =
        (fields, any::<bool>(), text()).prop_map(|(field, exactly, text)| Condition::Named { field, exactly, text });
    let compares = select(vec![Compare::Above, Compare::AtLeast, Compare::Below, Compare::AtMost, Compare::Equals]);
    let numbers = select(vec![
        NumberField::Gpus,
        NumberField::Submit,
        NumberField::Jct,
        NumberField::Wait,
        NumberField::Resizes,
        NumberField::Preemptions,
        NumberField::Difference,
    ]);
    let times = prop_oneof![-1e6..1e6_f64, (-100_000..100_000_i32).prop_map(f64::from), -1e300..1e300_f64];
    let number = (numbers, badge(), compares, times, any::<u32>()).prop_map(|(field, run, compare, time_s, count)| {
        let value = if field.is_time() { time_s + 0.0 } else { f64::from(count) };
        Condition::Number { field, run: run.filter(|_| field.is_of_a_run()), compare, value }
    });
    let states = select(vec![
        State::Completed,
        State::Dropped,
        State::Failed,
        State::Cancelled,
        State::Unfinished,
        State::Met,
        State::Missed,
        State::Sooner,
        State::Equal,
        State::Later,
    ]);
    let is = (states, badge()).prop_map(|(state, run)| Condition::Is { state, run });
    prop_oneof![text().prop_map(Condition::Text), named, number, is]
}

pub fn query() -> impl Strategy<Value = Query> {
    let term = (any::<bool>(), condition()).prop_map(|(negated, condition)| Term { negated, condition });
    let clause = prop::collection::vec(term, 1..4).prop_map(|terms| Clause { terms });
    prop::collection::vec(clause, 0..4).prop_map(|clauses| Query { clauses })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn what_is_written_is_read_again(query in query()) {
        prop_assert_eq!(query.to_string().parse::<Query>(), Ok(query));
    }

    #[test]
    fn no_text_panics_and_errors_lie_within_it(text in "(\\PC|[\" :~<>=()orA-C0-9hms-]|gpus|model|jct|missed|state){0,14}") {
        match text.parse::<Query>() {
            Ok(query) => prop_assert_eq!(query.to_string().parse::<Query>(), Ok(query)),
            Err(error) => prop_assert!(text.get(error.at.clone()).is_some_and(|part| !part.is_empty()), "{:?}", error),
        }
    }

    #[test]
    fn a_part_of_a_query_does_not_panic_either(query in query(), length in 0..60_usize) {
        let text: String = query.to_string().chars().take(length).collect();
        let _ = text.parse::<Query>();
    }
}
