//! Keeps relocations in a module that is going to be divided: they say what depends on what.

fn main() {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    let is_wasm = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
    if is_set("CARGO_FEATURE_PARTS") && is_wasm {
        println!("cargo:rustc-link-arg-bins=--emit-relocs");
    }
    println!("cargo:rerun-if-changed=build.rs");
}
