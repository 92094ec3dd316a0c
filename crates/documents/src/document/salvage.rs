//! What can be used of a document that is damaged, cut off, or made by a later build.

use super::node::{Members, Node, get, set};
use super::{CurveSource, Document, DocumentError, JobSource, SampleJobs, VERSION, check_version};

/// Faults that are worked around in one document; with more, nothing is used.
const FAULTS_MAX: usize = 100;
/// Fields without which there is no comparison; those of the sample stand in.
const NEEDED: [&str; 4] = ["jobs", "curves", "cluster", "policies"];

/// Fields that decide runs, in the order in which they are told.
const TOLD: [&str; 9] =
    ["cluster", "policies", "seeds", "what_if", "conditions", "forks", "curves", "availability", "jobs"];

/// What could be used of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Salvaged {
    /// The document with what could be read; the sample stands in for [`Salvaged::missing`].
    pub document: Document,
    /// The faults, whose fields were left out.
    pub faults: Vec<DocumentError>,
    /// Whether the text ends too early.
    pub is_cut: bool,
    /// The fields that were read, as far as they decide runs.
    pub read: Vec<&'static str>,
    /// The fields among jobs, curves, cluster and policies that the sample stands in for.
    pub missing: Vec<&'static str>,
}

impl Salvaged {
    /// Whether the text was a good document.
    pub fn is_whole(&self) -> bool {
        self.faults.is_empty() && !self.is_cut
    }
}

impl Document {
    /// Reads what can be read of a text. Fields at fault are left out and named; of a text that ends too early the fields
    /// before the cut are read. An error only where nothing of a document is there.
    pub fn salvage(text: &str) -> Result<Salvaged, DocumentError> {
        let (node, is_cut) = match serde_json::from_str(text) {
            Ok(node) => (node, false),
            Err(error) if error.is_eof() => match Node::parse(&complete_members(text)) {
                Ok(node) => (node, true),
                Err(_) => return Err(DocumentError::syntax(&error)),
            },
            Err(error) => return Err(DocumentError::syntax(&error)),
        };
        let mut faults = Vec::new();
        let node = Node::without_repeated(node);
        let node = match check_version(&node) {
            Ok(()) => node,
            Err(error @ DocumentError::Newer(_)) => {
                faults.push(error);
                node
            }
            Err(error) => return Err(error),
        };
        let Node::Object(mut fields) = node else { return Err(DocumentError::NotADocument) };
        set(&mut fields, "elastiplan", Node::Whole(VERSION));
        remove_faults(fields, faults, is_cut)
    }
}

impl Document {
    /// Puts the sample's data in the place of data that are lost, given by the fields that name them: `jobs.file`. Returns
    /// the fields that the sample stands in for.
    pub fn do_without(&mut self, lost: &[&'static str]) -> Vec<&'static str> {
        let is_lost = |field: &str| lost.iter().any(|place| place.split('.').next() == Some(field));
        let mut missing = Vec::new();
        if is_lost("jobs") {
            self.jobs = JobSource::Sample(SampleJobs::default());
            missing.push("jobs");
        }
        if is_lost("jobs") || is_lost("curves") {
            self.curves = CurveSource::Sample {};
            missing.push("curves");
        }
        if is_lost("availability") {
            (self.availability, self.cluster.nodes) = (None, self.cluster.nodes.max(1));
        }
        if is_lost("conditions") {
            self.set_prices(None);
        }
        let named: Vec<String> = self.named_files().into_iter().map(|(_, name)| name.to_string()).collect();
        self.files.retain(|name, _| named.contains(name));
        missing
    }
}

fn remove_faults(mut fields: Members, mut faults: Vec<DocumentError>, is_cut: bool) -> Result<Salvaged, DocumentError> {
    let mut missing = Vec::new();
    while faults.len() < FAULTS_MAX {
        stand_in(&mut fields, &mut missing);
        let mut node = Node::Object(fields);
        // Lines of the text help nobody to whom fields are left out.
        let error = match Document::checked(&node, "") {
            Ok(document) => {
                let has = |name: &str| node.members().is_some_and(|members| get(members, name).is_some());
                let read = TOLD.into_iter().filter(|name| has(name) && !missing.contains(name)).collect();
                return Ok(Salvaged { document, faults, is_cut, read, missing });
            }
            Err(error) => error,
        };
        let is_removed = error.place().is_some_and(|place| remove(&mut node, &place));
        match (is_removed, node) {
            (true, Node::Object(left)) => {
                fields = left;
                faults.push(error);
            }
            _ => return Err(error),
        }
    }
    Err(faults.swap_remove(0))
}

/// Puts the sample's values in fields that are missing. Jobs without curves of their models could not run, so that the
/// sample's jobs come with its curves.
fn stand_in(fields: &mut Members, missing: &mut Vec<&'static str>) {
    if get(fields, "jobs").is_none() {
        fields.retain(|(name, _)| name != "curves");
    }
    for name in NEEDED {
        if get(fields, name).is_some() {
            continue;
        }
        let value = match name {
            "cluster" => {
                Node::Object(vec![("nodes".into(), Node::Whole(16)), ("gpus_per_node".into(), Node::Whole(8))])
            }
            "policies" => Node::List(["fixed", "equal-share", "elastic-dp"].map(|id| Node::Text(id.into())).into()),
            _ => Node::of_member("sample", Node::Object(Members::new())),
        };
        set(fields, name, value);
        missing.push(name);
    }
}

/// Removes what stands at a place: `conditions.faults.node_mtbf_s`, `policies[1]`; where that is not there, what would hold
/// it. Whether anything was removed.
fn remove(node: &mut Node, place: &str) -> bool {
    match node {
        Node::Object(fields) => {
            let rest_after = |key: &str| {
                let rest = place.strip_prefix(key)?;
                (rest.is_empty() || rest.starts_with(['.', '['])).then_some(rest.trim_start_matches('.'))
            };
            // A key may have points in it, as axes of studies do.
            let named = fields.iter().enumerate().filter_map(|(at, (key, _))| Some((at, key.len(), rest_after(key)?)));
            let Some((at, _, rest)) = named.max_by_key(|(_, length, _)| *length) else { return false };
            let is_inside = !rest.is_empty() && fields.get_mut(at).is_some_and(|(_, inner)| remove(inner, rest));
            if !is_inside {
                fields.remove(at);
            }
            true
        }
        Node::List(entries) => {
            let Some((at, rest)) = place.strip_prefix('[').and_then(|place| place.split_once(']')) else {
                return false;
            };
            let Some(at) = at.parse::<usize>().ok().filter(|at| *at < entries.len()) else { return false };
            let rest = rest.trim_start_matches('.');
            let is_inside = !rest.is_empty() && entries.get_mut(at).is_some_and(|inner| remove(inner, rest));
            if !is_inside {
                entries.remove(at);
            }
            true
        }
        _ => false,
    }
}

/// The members of an object that are complete in a text that ends too early, as an object.
fn complete_members(text: &str) -> String {
    let (mut depth, mut is_in_string, mut is_escaped, mut end) = (0_u32, false, false, None);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_in_string => is_escaped = true,
            b'"' => is_in_string = !is_in_string,
            _ if is_in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' if depth == 1 => end = Some(at),
            _ => {}
        }
    }
    format!("{}}}", end.and_then(|end| text.get(..end)).unwrap_or("{"))
}

#[cfg(test)]
mod tests {
    use super::complete_members;

    /// The longest start of a text that is an object if it is closed before a comma.
    fn naive(text: &str) -> String {
        let starts = (0..text.len()).rev().filter(|at| text.is_char_boundary(*at) && text[*at..].starts_with(','));
        let closed = starts.map(|at| format!("{}}}", &text[..at]));
        let is_object = |text: &String| serde_json::from_str::<serde_json::Value>(text).is_ok();
        closed.into_iter().find(is_object).unwrap_or("{}".into())
    }

    #[test]
    fn members_before_the_cut_are_complete() {
        let whole = r#"{"a": [1, {"b": ",}"}], "c": "\"},\\", "ä": {"d": [], "e": {"f": 1}}, "g": 12, "h": null}"#;
        for end in (0..=whole.len()).filter(|end| whole.is_char_boundary(*end)) {
            let cut = &whole[..end];
            assert_eq!(complete_members(cut), naive(cut), "{cut}");
        }
    }
}
