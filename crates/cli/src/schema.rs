//! `elastiplan schema`: the JSON Schema of scenario documents.

use elastiplan_documents::Document;

use crate::output::json;
use crate::{CommandError, print};

/// Prints it.
pub fn schema() -> Result<(), CommandError> {
    print(&json(&Document::schema())?)
}
