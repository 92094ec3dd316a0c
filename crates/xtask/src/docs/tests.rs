use super::page::Page;
use super::*;
use crate::files::read;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// The HTML of a document at docs/a.md, or what is wrong with it.
fn html(markdown: &str) -> String {
    match Page::read("docs/a.md", &format!("# A\n\n{markdown}")) {
        Ok(page) => page.html.trim().to_owned(),
        Err(error) => format!("error: {error}"),
    }
}

/// What reading says of a checkout with these documents.
fn refusal(documents: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("docs")).unwrap();
    let index = ("docs/README.md", "# Docs\n\n## All\n\n- [Changes](../CHANGELOG.md)\n- [A](a.md)");
    for (name, text) in [index, ("CHANGELOG.md", "# Changelog"), ("docs/a.md", "# A")].iter().chain(documents) {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    Docs::read(folder.path()).map_or_else(|error| error.to_string(), |_| String::new())
}

#[test]
fn documents_become_html() {
    for (markdown, expected) in [
        ("Some *words*", "<p>Some <em>words</em></p>"),
        ("## From & to", "<h2 id=\"from--to\"><a href=\"#from--to\">From &amp; to</a></h2>"),
        ("#### The `id`", "<h3 id=\"the-id\"><a href=\"#the-id\">The <code>id</code></a></h3>"),
        ("```rust\n# hidden\n#[a]\n1 < 2\n```", "<pre tabindex=\"0\"><code>#[a]\n1 &lt; 2\n</code></pre>"),
        ("```csv\n# kept\n```", "<pre tabindex=\"0\"><code># kept\n</code></pre>"),
        ("[b](b.md#c)", "<p><a href=\"b.html#c\">b</a></p>"),
        ("[top](README.md)", "<p><a href=\"index.html\">top</a></p>"),
        ("[c](../CHANGELOG.md)", "<p><a href=\"changelog.html\">c</a></p>"),
        ("[w](https://a.org/?a&b)", "<p><a href=\"https://a.org/?a&amp;b\" rel=\"noopener noreferrer\">w</a></p>"),
        ("[x](../crates/x.rs)", "<p><span title=\"crates/x.rs in the repository\">x</span></p>"),
        ("[m](mailto:a@b.org)", "error: the link mailto:a@b.org is neither https nor relative"),
        ("[m](../../a.md)", "error: the link ../../a.md leads out of the checkout"),
        ("a <b>bold</b> word", "error: HTML in a document: <b>"),
        ("![a](a.png)", "error: the page cannot show the picture a.png"),
    ] {
        assert_eq!(html(markdown), expected, "{markdown}");
    }
}

#[test]
fn tables_scroll_by_themselves_and_have_no_style_of_their_own() {
    let html = html("## Costs\n\n| | b |\n|---|--:|\n| 1 | 2 |");
    assert!(
        html.contains("<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Table: Costs\"><table>"),
        "{html}"
    );
    assert!(html.contains("<thead><tr><td></td><th>b</th></tr></thead>"), "{html}");
    assert!(html.ends_with("</table>\n</div>") && !html.contains("style="), "{html}");
}

#[test]
fn equal_headings_get_anchors_of_their_own() {
    let page = Page::read("docs/a.md", "# A\n## Two\n## Two\n### Two, too").unwrap();
    let ids: Vec<&str> = page.headings.iter().map(|heading| heading.id.as_str()).collect();
    assert_eq!(ids, ["two", "two-1", "two-too"]);
}

#[test]
fn links_that_lead_nowhere_are_named() {
    for (text, expected) in [
        ("# A\n[b](b.md)", "docs/a.md links to b.html, which does not exist"),
        ("# A\n[b](#b)", "docs/a.md links to a.html#b, which does not exist"),
        ("# A\n[c](../CHANGELOG.md#x)", "docs/a.md links to changelog.html#x, which does not exist"),
        ("# A\n[c](../gone.rs)", "docs/a.md links to gone.rs, which does not exist"),
        ("# A\n[c](../CHANGELOG.md)\n\n## b\n[b](#b) [b](a.md#b)", ""),
    ] {
        assert_eq!(refusal(&[("docs/a.md", text)]), expected, "{text}");
    }
}

#[test]
fn a_document_that_the_index_does_not_list_is_named() {
    assert_eq!(refusal(&[("docs/b.md", "# B")]), "docs/README.md does not list docs/b.md");
}

/// Every address in an attribute of this name.
fn addresses<'a>(html: &'a str, attribute: &'static str) -> impl Iterator<Item = &'a str> {
    html.split(attribute).skip(1).filter_map(|rest| rest.strip_prefix("=\"")?.split('"').next())
}

#[test]
fn every_link_of_the_finished_pages_leads_somewhere() {
    let dist = tempfile::tempdir().unwrap();
    for name in ["index.html", "favicon-0123456789abcdef.svg"] {
        std::fs::write(dist.path().join(name), name).unwrap();
    }
    Docs::read(&root()).unwrap().write(&root(), dist.path()).unwrap();
    let folder = dist.path().join(FOLDER);
    let text = |file: &Path| String::from_utf8(read(file).unwrap()).unwrap();
    let pages = sorted_files(&folder, ".html").unwrap();
    assert!(pages.len() > 10, "{pages:?}");
    let mut checked = 0;
    for page in &pages {
        let html = text(page);
        assert!(!html.contains(" style="), "{} has styles that its policy refuses", page.display());
        for address in addresses(&html, "href").chain(addresses(&html, "src")).filter(|at| !at.starts_with("https://"))
        {
            let (path, anchor) = address.split_once('#').unwrap_or((address, ""));
            let file = if path.is_empty() { page.clone() } else { folder.join(path) };
            let file = if file.is_dir() { file.join("index.html") } else { file };
            assert!(file.is_file(), "{}: {address}", page.display());
            let is_there = anchor.is_empty() || text(&file).contains(&format!(" id=\"{anchor}\""));
            assert!(is_there, "{}: {address}", page.display());
            checked += 1;
        }
    }
    assert!(checked > 300, "{checked} links");
}

#[test]
fn the_app_links_to_pages_that_exist() {
    let docs = Docs::read(&root()).unwrap();
    let sources = files_below(&root().join("crates/web/src")).unwrap();
    let mut checked = 0;
    for source in sources {
        let code = read_text(&source).unwrap();
        for address in code.split("\"docs/").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(docs.has_address(&format!("docs/{address}")), "{}: docs/{address}", source.display());
            checked += 1;
        }
    }
    assert!(checked > 0, "the app has no link to the docs");
}

#[test]
fn without_a_chosen_theme_the_systems_holds() {
    let sheet =
        style::sheet(":root {\n--a: 1;\n}\n:root[data-theme=\"dark\"] {\n--a: 2;\n}\np { }", "p { color: var(--a) }");
    let expected = ":root {\n--a: 1;\n}\n@media (prefers-color-scheme: dark) {\n:root:not([data-theme]) {\n--a: 2;\n}\n}\n\
                    :root[data-theme=\"dark\"] {\n--a: 2;\n}\np { color: var(--a) }";
    assert_eq!(sheet.unwrap(), expected);
    assert!(style::sheet("p { }", "").is_err());
}
