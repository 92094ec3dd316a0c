//! A document as HTML: headings with anchors, tables and code that scroll by themselves, links between pages.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::INDEX;
use super::links::{Target, page_file};

/// A document, read.
#[derive(Debug)]
pub struct Page {
    /// Its path from the root of the checkout: `docs/metrics.md`.
    pub source: String,
    /// The name of its page: `metrics.html`.
    pub file: String,
    /// The text of its first heading.
    pub title: String,
    /// The headings below the title.
    pub headings: Vec<Heading>,
    /// What follows the title.
    pub html: String,
    pub links: Vec<Target>,
    /// Of the index: the heading over each link, the words of the link, and where it leads.
    pub listed: Vec<(String, String, Target)>,
}

/// A heading and its anchor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    pub is_sub: bool,
    pub id: String,
    pub text: String,
}

impl Page {
    /// Reads a document, given by its path from the root of the checkout.
    pub fn read(source: &str, markdown: &str) -> Result<Page> {
        let Some(file) = page_file(source) else { bail!("no page is made of {source}") };
        let mut writer = Writer { source, ..Writer::default() };
        for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
            writer.take(event)?;
        }
        let mut html = String::new();
        pulldown_cmark::html::push_html(&mut html, writer.events.into_iter());
        // A corner of a table that says nothing heads nothing.
        let html = html.replace("<th></th>", "<td></td>");
        let Writer { title, headings, links, listed, .. } = writer;
        if title.is_empty() {
            bail!("the document has no title");
        }
        Ok(Page { source: source.to_owned(), file, title, headings, html, links, listed })
    }

    /// Whether the page has a heading with this anchor; it has one without an anchor, its top.
    pub fn has_anchor(&self, anchor: &str) -> bool {
        anchor.is_empty() || self.headings.iter().any(|heading| heading.id == anchor)
    }
}

/// Makes the events of a page from those of a document.
#[derive(Default)]
struct Writer<'a> {
    source: &'a str,
    events: Vec<Event<'a>>,
    title: String,
    headings: Vec<Heading>,
    links: Vec<Target>,
    listed: Vec<(String, String, Target)>,
    /// How often each anchor was made.
    anchors: BTreeMap<String, u32>,
    /// The heading, code or link that is open, with where its events begin and its text so far.
    open: Option<Open>,
    link: Option<(Target, String)>,
}

/// A heading or a block of code, whose text is wanted as a whole.
struct Open {
    kind: OpenKind,
    start: usize,
    text: String,
}

enum OpenKind {
    Heading(HeadingLevel),
    Code { language: String },
}

impl<'a> Writer<'a> {
    fn take(&mut self, event: Event<'a>) -> Result<()> {
        self.note_text(&event);
        match event {
            Event::Start(Tag::Heading { level, .. }) => self.open(OpenKind::Heading(level)),
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.to_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.open(OpenKind::Code { language });
            }
            Event::End(TagEnd::Heading(_) | TagEnd::CodeBlock) => self.close(),
            Event::Start(Tag::Table(alignments)) => {
                // The place of columns would be written as style attributes, which the pages' policy refuses.
                let plain = vec![pulldown_cmark::Alignment::None; alignments.len()];
                let about = self.headings.last().map_or(self.title.as_str(), |heading| heading.text.as_str());
                let start = format!(
                    "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"{}\">",
                    escaped(&format!("Table: {about}"))
                );
                self.html(start);
                self.events.push(Event::Start(Tag::Table(plain)));
            }
            Event::End(TagEnd::Table) => {
                self.events.push(Event::End(TagEnd::Table));
                self.html("</div>\n".to_owned());
            }
            Event::Start(Tag::Link { dest_url, .. }) => self.open_link(&dest_url)?,
            Event::End(TagEnd::Link) => self.close_link(),
            Event::Html(html) | Event::InlineHtml(html) => bail!("HTML in a document: {html}"),
            Event::Start(Tag::Image { dest_url, .. }) => bail!("the page cannot show the picture {dest_url}"),
            event => self.events.push(event),
        }
        Ok(())
    }

    fn note_text(&mut self, event: &Event<'a>) {
        let (Event::Text(text) | Event::Code(text)) = event else { return };
        if let Some(open) = &mut self.open {
            open.text.push_str(text);
        }
        if let Some((_, words)) = &mut self.link {
            words.push_str(text);
        }
    }

    fn html(&mut self, html: String) {
        self.events.push(Event::Html(CowStr::from(html)));
    }

    fn open(&mut self, kind: OpenKind) {
        self.open = Some(Open { kind, start: self.events.len(), text: String::new() });
    }

    fn close(&mut self) {
        let Some(Open { kind, start, text }) = self.open.take() else { return };
        match kind {
            OpenKind::Heading(HeadingLevel::H1) if self.title.is_empty() => {
                self.events.truncate(start);
                self.title = text;
            }
            OpenKind::Heading(level) => {
                let (id, is_sub) = (self.anchor(&text), level > HeadingLevel::H2);
                let tag = if is_sub { "h3" } else { "h2" };
                self.events.insert(start, Event::Html(format!("<{tag} id=\"{id}\"><a href=\"#{id}\">").into()));
                self.html(format!("</a></{tag}>\n"));
                self.headings.push(Heading { is_sub, id, text });
            }
            OpenKind::Code { language } => {
                self.events.truncate(start);
                let shown = if language == "rust" { without_hidden_lines(&text) } else { text };
                self.html(format!("<pre tabindex=\"0\"><code>{}</code></pre>\n", escaped(&shown)));
            }
        }
    }

    fn open_link(&mut self, link: &str) -> Result<()> {
        let target = Target::of(link, self.source)?;
        self.html(match &target {
            // Files of the repository have no address that is known here: they are named.
            Target::Repository(path) => format!("<span title=\"{} in the repository\">", escaped(path)),
            Target::Page { .. } => format!("<a href=\"{}\">", escaped(&target.to_string())),
            Target::Elsewhere(_) => {
                format!("<a href=\"{}\" rel=\"noopener noreferrer\">", escaped(&target.to_string()))
            }
        });
        self.link = Some((target, String::new()));
        Ok(())
    }

    fn close_link(&mut self) {
        let Some((target, words)) = self.link.take() else { return };
        let end = if matches!(target, Target::Repository(_)) { "</span>" } else { "</a>" };
        self.html(end.to_owned());
        if self.source == INDEX {
            let heading = self.headings.last().map(|heading| heading.text.clone()).unwrap_or_default();
            self.listed.push((heading, words, target.clone()));
        }
        self.links.push(target);
    }

    /// The anchor of a heading, as GitHub makes it; equal ones get a number.
    fn anchor(&mut self, text: &str) -> String {
        let anchor = slug(text);
        let earlier = self.anchors.entry(anchor.clone()).or_default();
        *earlier += 1;
        if *earlier == 1 { anchor } else { format!("{anchor}-{}", *earlier - 1) }
    }
}

/// Lower case, spaces as hyphens, no other punctuation.
fn slug(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

/// Rust without the lines that rustdoc hides.
fn without_hidden_lines(code: &str) -> String {
    code.split_inclusive('\n').filter(|line| !line.starts_with("# ") && line.trim_end() != "#").collect()
}

/// Text as HTML, also inside an attribute.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
