//! The generated parts of all pages are up to date.

use zigzag_varint_docs::{Sweep, outdated};

#[test]
fn generated_parts_are_what_their_commands_write() {
    let outdated = outdated(&Sweep(vec![env!("CARGO_BIN_EXE_sweep").into()])).unwrap();
    let lines: Vec<String> =
        outdated.iter().map(|page| format!("{}:{}", page.page.display(), page.line)).collect();
    assert!(
        lines.is_empty(),
        "these generated parts differ from what their commands write; `cargo run -p zigzag-varint-docs` \
         writes them: {lines:?}"
    );
}
