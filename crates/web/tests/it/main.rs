//! What holds for the colours of the page.

mod colour_blind;
mod contrast;
mod tokens;
