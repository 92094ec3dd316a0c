//! The report as a file, and on paper.

use elastiplan_present::report::Parts;

use super::App;
use crate::dom;
use crate::state::reporting::ReportFor;

impl App {
    /// Makes the report of the shown runs.
    pub(super) fn report(&mut self, parts: Parts, what: ReportFor) {
        let Some((name, html)) = self.page.report_file(parts, &dom::today()) else { return };
        match what {
            ReportFor::File => {
                dom::download_typed(&name, html.as_bytes(), "text/html");
                self.page.say(format!("{name} is in your downloads"));
            }
            ReportFor::Print => match dom::print_html(&html) {
                true => self.page.say("The report is with the print dialog"),
                false => self.page.say("This browser does not print from here: save the report and print it"),
            },
        }
    }
}
