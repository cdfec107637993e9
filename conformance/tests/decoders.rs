//! The programs of docs/decoders.md pass their right decoder, and fail one that loses bits of the tenth
//! byte, in each language that this machine has.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../docs/decoders.md");

/// The languages of the page as its blocks name them, and the programs that must exist.
const LANGUAGES: [(&str, &str); 6] = [
    ("python", "python3"),
    ("js", "node"),
    ("go", "go"),
    ("java", "java"),
    ("rust,ignore", "rustc"),
    ("c", "cc"),
];

/// Runs a program in a shell. Returns whether it succeeds, and its output.
fn shell(command: &str, folder: &Path) -> (bool, String) {
    let output = Command::new("sh").args(["-c", command]).current_dir(folder).output().expect("a shell");
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

#[test]
fn the_programs_of_the_page_pass_a_right_decoder_and_fail_another() {
    for (language, tool) in LANGUAGES {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        if !shell(&format!("command -v {tool}"), folder).0 {
            println!("skipped: {language}, because there is no {tool}");
            continue;
        }
        let fence = format!("```{language}\n");
        let (before, after) = PAGE.split_once(&fence).expect("a block of the language");
        let (program, _) = after.split_once("```").expect("the end of the block");
        let &[.., file, _, command, _] = &*before.split('`').collect::<Vec<_>>() else {
            panic!("{language}")
        };
        let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/unsigned-64.jsonl");
        fs::copy(vectors, folder.join("unsigned-64.jsonl")).expect("the vectors");
        for (program, is_right) in [(program, true), (&program.replacen("> 1", "> 127", 1), false)] {
            fs::write(folder.join(file), program).expect("a folder");
            let (passes, printed) = shell(command, folder);
            assert_eq!(passes, is_right, "{language}: {printed}");
            assert!(is_right || printed.contains("80808080808080808002"), "{language}: {printed}");
        }
    }
}
