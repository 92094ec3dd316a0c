//! The keys of a link and their values.

use std::fmt::Write;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::{LinkError, ShownView, VERSION};

/// The key of the document.
pub(super) const DOCUMENT: &str = "s";
/// The key of a preset's name.
pub(super) const PRESET: &str = "preset";
/// What stays as it is in a value.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// A link's part behind `#`, taken apart.
pub(super) struct Fragment<'a> {
    pub preset: Option<&'a str>,
    pub document: Option<&'a str>,
    pub view: ShownView,
}

impl<'a> Fragment<'a> {
    /// Takes a link apart. Keys that cannot be used are faults.
    pub fn parse(link: &'a str, faults: &mut Vec<LinkError>) -> Result<Self, LinkError> {
        let link = link.trim();
        let fragment = link.split_once('#').map_or(link, |(_, fragment)| fragment);
        let pairs: Vec<(&str, &str)> = fragment.split('&').filter_map(|pair| pair.split_once('=')).collect();
        let version = pairs.iter().find(|(key, _)| *key == "v").map(|(_, version)| version.parse::<u64>());
        match version {
            Some(Ok(VERSION)) => {}
            Some(Ok(newer)) if newer > VERSION => faults.push(LinkError::Newer(newer)),
            _ => return Err(LinkError::NotALink),
        }
        let mut found = Self { preset: None, document: None, view: ShownView::default() };
        let mut given: Vec<&str> = Vec::new();
        for (key, value) in pairs {
            if given.contains(&key) {
                faults.push(LinkError::Twice(key.into()));
                continue;
            }
            given.push(key);
            found.take(key, value).unwrap_or_else(|fault| faults.push(fault));
        }
        Ok(found)
    }

    fn take(&mut self, key: &str, value: &'a str) -> Result<(), LinkError> {
        let text = || Some(percent_decode_str(value).decode_utf8_lossy().into_owned()).filter(|text| !text.is_empty());
        let time = || {
            let seconds = elastiplan_text::number(value).filter(|seconds| seconds.is_finite());
            let fault = || LinkError::NotATime { key: key.into(), value: value.into() };
            seconds.ok_or_else(fault).map(Some)
        };
        let view = &mut self.view;
        match key {
            "v" => {}
            DOCUMENT => self.document = Some(value),
            PRESET => self.preset = Some(value),
            "view" => view.view = text(),
            "chart" => view.chart = text(),
            "job" => view.job = text(),
            "t" => view.t = time()?,
            "from" => view.from = time()?,
            "to" => view.to = time()?,
            other => return Err(LinkError::UnknownKey(other.into())),
        }
        Ok(())
    }
}

/// The keys of a view with their values, each after `&`.
pub(super) fn text(view: &ShownView) -> String {
    let mut text = String::new();
    let ShownView { view, chart, job, t, from, to } = view;
    for (key, value) in [("view", view), ("chart", chart), ("job", job)] {
        if let Some(value) = value {
            // Writing to a string cannot fail.
            let _ = write!(text, "&{key}={}", utf8_percent_encode(value, KEPT));
        }
    }
    for (key, seconds) in [("t", t), ("from", from), ("to", to)] {
        if let Some(seconds) = seconds {
            let _ = write!(text, "&{key}={seconds}");
        }
    }
    text
}
