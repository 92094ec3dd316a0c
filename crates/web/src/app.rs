//! The app: receives messages, updates the page, and talks to the workers and the browser.

mod changes;
mod embed;
mod export;
mod gallery;
mod importing;
mod keeping;
mod kept;
mod later;
mod launched;
mod listen;
mod mapping;
mod offline;
mod reporting;

use std::collections::{BTreeMap, VecDeque};

use elastiplan_worker::Module;
use elastiplan_worker::messages::{Request, Response};
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use web_sys::File;
use yew::prelude::*;

use self::importing::Loaded;
use crate::dom::ToOpen;
use crate::files::NamedFile;
use crate::state::command::Act;
use crate::state::embed::EmbedMsg;
