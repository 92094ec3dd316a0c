//! Whether the page has a network, works without one, and has a new version ready.

/// What is known of the network and of versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offline {
    /// Since when there is no network, as a clock shows it: `14:02`.
    pub since: Option<String>,
    /// Whether the browser keeps all files of the page.
    pub is_kept: bool,
    /// Whether a new version is ready.
    pub update: Update,
}

/// The new version of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// There is none, or the user wants it later.
    #[default]
    None,
    /// It is ready.
    Ready,
    /// The user wants it, once nothing runs.
    Wanted,
}

/// What happens to network and versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfflineMsg {
    /// The first comparison is on the screen: the browser may keep the files.
    Start,
    /// The browser keeps all files.
    Kept,
    /// The network was lost at this time.
    Lost(String),
    /// The network is back.
    Back,
    /// A new version is ready.
    Ready,
    /// The user wants it later.
    Later,
    /// The user wants it now.
    Reload,
}

impl Offline {
    /// Takes note of a message.
    pub fn note(&mut self, msg: OfflineMsg) {
        match msg {
            OfflineMsg::Start => {}
            OfflineMsg::Kept => self.is_kept = true,
            OfflineMsg::Lost(since) => self.since = Some(since),
            OfflineMsg::Back => self.since = None,
            OfflineMsg::Ready if self.update == Update::None => self.update = Update::Ready,
            OfflineMsg::Ready => {}
            OfflineMsg::Later => self.update = Update::None,
            OfflineMsg::Reload => self.update = Update::Wanted,
        }
    }

    /// The status line without a network: since when, and what that means.
    pub fn words(&self) -> Option<(String, &'static str)> {
        let since = self.since.as_ref()?;
        let what = if self.is_kept { "Everything here works" } else { "What is loaded works" };
        Some((format!("Offline since {since}."), what))
    }

    /// The bar about a new version: what it says first, then what becomes of the user's work.
    pub fn bar(&self, is_busy: bool) -> Option<(&'static str, &'static str)> {
        match (self.update, is_busy) {
            (Update::None, _) => None,
            (Update::Wanted, true) => {
                Some(("The new version comes next", "The page reloads when the runs have ended."))
            }
            _ => Some(("A new version is ready", "Your work stays; running comparisons are finished first.")),
        }
    }

    /// Whether the page is to be reloaded now.
    pub fn is_due(&self, is_busy: bool) -> bool {
        self.update == Update::Wanted && !is_busy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_version_waits_for_the_user_and_for_runs() {
        let mut offline = Offline::default();
        assert_eq!((offline.bar(false), offline.is_due(false)), (None, false));
        offline.note(OfflineMsg::Ready);
        assert!(offline.bar(true).is_some() && !offline.is_due(false), "never by itself");
        offline.note(OfflineMsg::Later);
        assert_eq!(offline.bar(false), None);
        offline.note(OfflineMsg::Ready);
        offline.note(OfflineMsg::Reload);
        assert_eq!(offline.bar(true).unwrap().1, "The page reloads when the runs have ended.");
        assert_eq!([true, false].map(|is_busy| offline.is_due(is_busy)), [false, true]);
        offline.note(OfflineMsg::Ready);
        assert!(offline.is_due(false), "the same version is found once more");
    }

    #[test]
    fn the_status_line_says_since_when() {
        let mut offline = Offline::default();
        offline.note(OfflineMsg::Lost("14:02".into()));
        assert_eq!(offline.words(), Some(("Offline since 14:02.".into(), "What is loaded works")));
        offline.note(OfflineMsg::Kept);
        assert_eq!(offline.words().unwrap().1, "Everything here works");
        offline.note(OfflineMsg::Back);
        assert_eq!(offline.words(), None);
    }
}
