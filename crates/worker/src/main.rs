//! The wasm of the worker that runs the sample starts here.

fn main() {
    // On any other machine there is no page to serve; the binary exists there only so that the workspace builds.
    if cfg!(target_arch = "wasm32") {
        elastiplan_worker::serve(elastiplan_worker::SAMPLE);
    }
}
