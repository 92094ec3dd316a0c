//! What stands around a document: the way back to the app, the list of pages, the list of headings.

use std::fmt::Write;

use super::Group;
use super::page::{Heading, Page, escaped};
use super::style::Style;

/// What all pages have in common.
pub struct Frame<'a> {
    pub style: Style,
    /// The name of the icon's file beside the app.
    pub icon: Option<String>,
    pub groups: &'a [Group],
}

/// Like the app's, without WebAssembly, workers and style attributes.
const POLICY: &str =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/// The app's mark.
const MARK: &str = "<svg viewBox=\"0 0 24 24\" width=\"20\" height=\"20\" aria-hidden=\"true\">\
    <rect class=\"mark-1\" x=\"3\" y=\"4\" width=\"11\" height=\"4\" rx=\"1\"/>\
    <rect class=\"mark-2\" x=\"8\" y=\"10\" width=\"13\" height=\"4\" rx=\"1\"/>\
    <rect class=\"mark-3\" x=\"5\" y=\"16\" width=\"8\" height=\"4\" rx=\"1\"/></svg>";

impl Frame<'_> {
    /// The whole page of a document. All addresses are relative: it works in any folder.
    pub fn around(&self, page: &Page) -> String {
        let Style { sheet, script } = &self.style;
        let title = escaped(&page.title);
        let icon = self.icon.as_ref().map(|icon| format!("<link rel=\"icon\" href=\"../{icon}\">\n"));
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title} - Elastiplan</title>\n{icon}\
             <link rel=\"stylesheet\" href=\"{sheet}\">\n<script src=\"{script}\"></script>\n</head>\n<body>\n\
             <header><a class=\"home\" href=\"../\">{MARK}<span>Elastiplan</span></a>\
             <a href=\"./\">Docs</a><a class=\"to-pages\" href=\"#pages\">All pages</a></header>\n\
             <main>\n<h1>{title}</h1>\n{contents}<article>\n{html}</article>\n</main>\n{pages}</body>\n</html>\n",
            icon = icon.unwrap_or_default(),
            // The list of pages has the index's headings.
            contents = if page.file == "index.html" { String::new() } else { contents(&page.headings) },
            html = page.html,
            pages = self.pages(page),
        )
    }

    /// The list of pages, with this one marked.
    fn pages(&self, current: &Page) -> String {
        let mut html = "<nav id=\"pages\" aria-label=\"Pages\">\n".to_owned();
        for Group { heading, pages } in self.groups {
            let _ = writeln!(html, "<h2>{}</h2>\n<ul>", escaped(heading));
            for (words, file) in pages {
                let mark = if *file == current.file { " aria-current=\"page\"" } else { "" };
                let _ = writeln!(html, "<li><a href=\"{file}\"{mark}>{}</a></li>", escaped(words));
            }
            html.push_str("</ul>\n");
        }
        html + "</nav>\n"
    }
}

/// The list of headings; nothing where there are too few to look for.
fn contents(headings: &[Heading]) -> String {
    if headings.len() < 3 {
        return String::new();
    }
    let mut html =
        "<nav class=\"contents\" aria-label=\"On this page\">\n<details open>\n<summary>On this page</summary>\n<ul>\n"
            .to_owned();
    for Heading { is_sub, id, text } in headings {
        let class = if *is_sub { " class=\"sub\"" } else { "" };
        let _ = writeln!(html, "<li{class}><a href=\"#{id}\">{}</a></li>", escaped(text));
    }
    html + "</ul>\n</details>\n</nav>\n"
}
