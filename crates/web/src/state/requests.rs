//! What the page asks of workers besides runs and imports, and what it does with their responses.

mod binding;
mod drawing;
mod presets;
mod program;
