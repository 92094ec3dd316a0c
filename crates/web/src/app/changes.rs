//! What the app does after the first comparison: it reads files, draws jobs, saves results, forks runs and varies inputs.

use elastiplan_worker::messages::Response;
use elastiplan_workloads::Drawn;

use super::App;
use crate::state::edit::Edit;
use crate::state::message::{Msg, Screen};

impl App {
    /// Applies a message that `App::apply` leaves for later. Returns whether there is something else to show.
    pub(super) fn apply_later(&mut self, msg: Msg) -> bool {
        let (page, pool) = (&mut self.page, &mut self.pool);
        match msg {
            Msg::Draw(edit) => page.draw(pool, edit),
            Msg::FetchPresets => {
                page.fetch_presets(pool);
                return false;
            }
            Msg::Files(files) => self.read(files),
            Msg::OpenAddress => self.open_address(),
            Msg::Fetched(address, answer) => self.fetched(&address, answer),
            Msg::Gallery(gallery) => self.take_gallery(gallery),
            Msg::OpenFromGallery(file) => self.open_from_gallery(&file),
            Msg::Share => self.share(),
            Msg::Report(parts, what) => self.report(parts, what),
            Msg::Kept(msg) => return self.kept_message(*msg),
            Msg::Mapping(msg) => return self.mapping_message(*msg),
            Msg::Show(_) => self.show_report(),
            Msg::Choose(place) => self.choose(place),
            Msg::Program(slot, time_s, node_by_node) => page.write_program(pool, slot, time_s, node_by_node),
            Msg::Export(export) => self.export(export),
            Msg::Fork(slot, time_s) => page.open_fork(slot, time_s),
            Msg::Embed(msg) => {
                self.embed_message(*msg);
                return false;
            }
            Msg::Offline(msg) => self.offline_message(msg),
            Msg::Study(msg) => return page.study_message(&mut self.study, pool, msg),
            Msg::Vary(key) => {
                let spec = page.vary(&key);
                page.edit(pool, Edit::Study(Some(spec)));
                self.show(Screen::Study);
            }
            Msg::GoToStep(number) => {
                let after = page.planner.go_to(number, page.now_ms);
                self.went_through_history(after, "Gone to that step");
            }
            Msg::CompareWithStep(number) => {
                page.close_sheet(pool);
                page.compare_with_step(pool, number);
            }
            Msg::BackToStudy => page.back_to_study(pool),
            _ => return false,
        }
        true
    }

    /// Applies a response that is not about a run's progress. Returns whether there is something else to show.
    pub(super) fn receive_later(&mut self, request: u32, response: Response) -> bool {
        match response {
            Response::ImportProgress { bytes_read, bytes_total } => {
                self.import_progress(request, bytes_read, bytes_total);
            }
            Response::Imported { import, wall_ms } => self.imported(request, &import, wall_ms),
            Response::Opened(opened) => self.opened(request, &opened),
            Response::Shared { shared, .. } if self.host_link(request, Some(&shared)) => {}
            Response::Shared { shared, bundle, files } => return self.shared(request, Ok((shared, bundle, files))),
            Response::Kept(kept) => self.work_saved(request, &kept),
            Response::KeptList(list) => self.work_listed(request, &list),
            Response::KeptDeleted { id, copy } => self.page.deleted_kept(&id, copy),
            Response::KeptOpened(opened) => self.work_opened(request, &opened),
            Response::Surveyed(survey) => self.surveyed(request, &survey),
            Response::Excerpt(excerpt) => self.excerpt_read(request, excerpt),
            Response::Drawn(drawn) => self.drawn(request, drawn.unpack().map_err(String::from)),
            Response::Bound { workload, diagnostics } => {
                if self.page.bound(&mut self.pool, request, (workload, &diagnostics)) {
                    self.finish_import();
                }
            }
            Response::Program(program) => self.page.program_written(request, Ok(program)),
            Response::Presets(presets) => self.page.presets_sent(&presets),
            response => {
                if let Response::Failed(failure) = &response {
                    if self.page.presets_failed(request) {
                        return false;
                    }
                    if self.page.binding_failed(request, &failure.message) {
                        return true;
                    }
                    if self.work_failed(request, &failure.message) {
                        return true;
                    }
                    if self.host_link(request, None) || self.shared(request, Err(failure.message.clone())) {
                        return true;
                    }
                    self.drawn(request, Err(failure.message.clone()));
                    self.page.program_written(request, Err(failure.message.clone()));
                    self.survey_failed(request, &failure.message);
                    self.import_failed(request, &failure.message);
                }
                return self.page.receive(request, response);
            }
        }
        true
    }

    fn drawn(&mut self, request: u32, drawn: Result<Drawn, String>) {
        let waiting = self.page.drawn(&mut self.pool, request, drawn);
        self.apply_all(waiting.unwrap_or_default());
    }

    /// Shows the report, with the first finding that rows belong to.
    pub(super) fn show_report(&mut self) {
        self.page.screen = Screen::Report;
        self.page.mapping.clear();
        let report = self.page.report();
        match report.found.iter().position(|found| found.place().is_some()) {
            Some(place) => self.choose(place),
            None => {
                self.page.chosen = None;
                self.page.excerpt = None;
            }
        }
    }
}
