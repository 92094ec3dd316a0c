//! The pages say what the code does.

use elastiplan_compare::Query;
use elastiplan_compare::query::TERMS;

const PAGE: &str = include_str!("../../../../docs/search.md");

#[test]
fn the_page_has_a_row_for_every_term() {
    let rows: Vec<String> =
        TERMS.iter().map(|term| format!("| `{}` | {} | `{}` |", term.word, term.help, term.example)).collect();
    let table = rows.join("\n");
    assert!(PAGE.contains(&table), "docs/search.md should have these rows:\n{table}");
}

#[test]
fn every_example_is_a_query() {
    for term in TERMS {
        let read = term.example.parse::<Query>();
        assert!(read.is_ok(), "{}: {read:?}", term.example);
    }
    let blocks = PAGE.split("```text\n").skip(1).filter_map(|block| block.split("```").next());
    for line in blocks.flat_map(str::lines) {
        let query = line.split("  ").next().unwrap();
        assert!(query.parse::<Query>().is_ok(), "{query}");
    }
}
