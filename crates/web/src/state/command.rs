//! Commands: everything that a key, the palette or a button does, each defined once.
//!
//! The registry feeds the keys, the palette, the sheet of keys and docs/keys.md. A further command is a line there.

pub mod keys;
pub mod registry;
pub mod search;

use super::message::Msg;
use super::order::Order;

/// One command.
pub struct Command {
    /// Its id.
    pub id: &'static str,
    /// Its title in the palette.
    pub title: &'static str,
    /// Where the sheet lists it.
    pub group: Group,
    /// Its keys, the first of them shown: `W`, `Ctrl Enter`, `Alt ←`. Letters are without `Shift`.
    pub keys: &'static [&'static str],
    /// Where its keys count.
    pub place: Place,
    /// Its action.
    pub act: Act,
}

/// The columns of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Moves of the view and the cursor.
    Move,
    /// Selections.
    Select,
    /// Inputs and runs.
    Run,
    /// How it is shown.
    View,
}

impl Group {
    /// All of them, in the order of the sheet.
    pub const ALL: [Group; 4] = [Group::Move, Group::Select, Group::Run, Group::View];

    /// Its heading.
    pub fn label(self) -> &'static str {
        match self {
            Group::Move => "Move",
            Group::Select => "Select",
            Group::Run => "Run",
            Group::View => "View",
        }
    }
}

/// Where keys count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Anywhere but in fields and dialogs.
    Page,
    /// In fields too.
    Fields,
    /// On a timeline that has the focus.
    Strip,
    /// On the screen of the study, in fields too if `Ctrl` is held down.
    Study,
}

/// The action of a command.
#[derive(Clone, Copy)]
pub enum Act {
    /// Something of the page.
    Page(fn() -> Msg),
    /// Something of the timelines.
    Timelines(Order),
}
