//! Text as HTML: everything is escaped here.

/// Text that stands for itself between tags and in attributes. Control characters, which HTML does not allow, are
/// replaced.
pub fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            '\n' | '\t' => html.push(' '),
            letter if letter.is_control() => html.push('\u{fffd}'),
            letter => html.push(letter),
        }
    }
    html
}

/// Text whose direction turns nothing around it.
pub fn isolated(text: &str) -> String {
    tag("bdi", "", &escaped(text))
}

/// An element around HTML.
pub fn tag(name: &str, class: &str, content: &str) -> String {
    let end = if matches!(name, "p" | "li" | "tr" | "dd") { "\n" } else { "" };
    match class {
        "" => format!("<{name}>{content}</{name}>{end}"),
        class => format!("<{name} class=\"{class}\">{content}</{name}>{end}"),
    }
}

/// A section with a heading; nothing without content.
pub fn section(title: &str, content: &str) -> String {
    match content {
        "" => String::new(),
        content => format!("<section>\n<h2>{}</h2>\n{content}</section>\n", escaped(title)),
    }
}
