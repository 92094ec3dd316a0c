//! Scenarios that an author has put beside the page.

/// Scenarios of one list.
const ITEMS_MAX: usize = 200;
/// Characters of a title or of what is said of a scenario.
const TEXT_MAX: usize = 1_000;

/// The list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gallery {
    /// The folder, as an address.
    pub folder: String,
    /// Its scenarios.
    pub items: Vec<Item>,
    /// Whether the first is opened.
    pub opens: bool,
}

/// A scenario of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// The file, from the folder.
    pub file: String,
    /// Its title.
    pub title: String,
    /// What is said of it.
    pub sentence: String,
    /// The address of the paper.
    pub paper: Option<String>,
}

impl Item {
    /// An item from its fields; `None` without a file in the folder. Text is cut to what can be shown, and a paper is on
    /// the web.
    pub fn of(get: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let text = |name: &str| -> String { get(name).unwrap_or_default().trim().chars().take(TEXT_MAX).collect() };
        let file = text("file");
        let is_inside = !file.is_empty()
            && !file.contains([':', '\\'])
            && !file.split('/').any(|part| part.is_empty() || part == "..");
        let title = Some(text("title")).filter(|title| !title.is_empty()).unwrap_or_else(|| file.clone());
        let paper = get("paper").filter(|paper| paper.starts_with("https://") || paper.starts_with("http://"));
        is_inside.then(|| Self { title, sentence: text("sentence"), paper, file })
    }
}

impl Gallery {
    /// A list from its items; those without a file in the folder are left out.
    pub fn of(folder: String, items: impl Iterator<Item = Option<Item>>, opens: bool) -> Self {
        Self { folder, items: items.take(ITEMS_MAX).flatten().collect(), opens }
    }

    /// The scenario of a file.
    pub fn named(&self, file: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.file == file)
    }

    /// The scenario of a title.
    pub fn titled(&self, title: &str) -> Option<&Item> {
        self.items.iter().find(|item| item.title == title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(file: &str, paper: &str) -> Option<Item> {
        Item::of(|name| match name {
            "file" => Some(file.into()),
            "paper" => Some(paper.into()),
            _ => None,
        })
    }

    #[test]
    fn files_lie_in_the_folder_and_papers_on_the_web() {
        let found = item("a/b.json", "https://example.org/paper").unwrap();
        assert_eq!((found.title.as_str(), found.paper.as_deref()), ("a/b.json", Some("https://example.org/paper")));
        assert_eq!(item("b.json", "javascript:alert(1)").unwrap().paper, None);
        for file in ["", "../a.json", "/a.json", "https://example.org/a.json", "//example.org/a", "a\\b"] {
            assert_eq!(item(file, ""), None, "{file}");
        }
    }
}
