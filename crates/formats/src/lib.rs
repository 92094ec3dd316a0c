//! Importers, exporters, sniffing and diagnostics.
