//! The code of docs/decoders.md passes a right decoder, and fails one that loses bits of the tenth byte,
//! in each language that this machine has.

use std::fs;
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../docs/decoders.md");

/// What a language needs around the code of the page: the program that must exist, the name of the file,
/// its text, in which `CODE` is the code of the page and `LIMIT` the greatest tenth byte, and a command.
struct Language {
    fence: &'static str,
    tool: &'static str,
    file: &'static str,
    text: &'static str,
    command: &'static str,
}

const LANGUAGES: [Language; 6] = [
    Language {
        fence: "python",
        tool: "python3",
        file: "check.py",
        text: r#"
def decode(source):
    value = 0
    for at, byte in enumerate(source[:10]):
        if at == 9 and byte > LIMIT:
            break
        value |= (byte & 127) << 7 * at
        if byte < 128:
            return value % 2**64, at + 1
    raise ValueError

CODE"#,
        command: "python3 check.py",
    },
    Language {
        fence: "js",
        tool: "node",
        file: "check.cjs",
        text: r"
function decode(source) {
  let value = 0n;
  for (let at = 0; at < 10; at++) {
    if (at >= source.length || (at === 9 && source[at] > LIMIT)) break;
    value |= BigInt(source[at] & 127) << BigInt(7 * at);
    if (source[at] < 128) return [BigInt.asUintN(64, value), at + 1];
  }
  throw new RangeError();
}
CODE",
        command: "node check.cjs",
    },
    Language {
        fence: "go",
        tool: "go",
        file: "check_test.go",
        text: r#"package check
import ("encoding/hex"; "encoding/json"; "fmt"; "os"; "strings"; "testing")

func decode(source []byte) (value uint64, length int) {
	for at := 0; at < 10 && at < len(source); at++ {
		if at == 9 && source[at] > LIMIT {
			return 0, 0
		}
		value |= uint64(source[at]&127) << (7 * at)
		if source[at] < 128 {
			return value, at + 1
		}
	}
	return 0, 0
}
CODE"#,
        command: "go test check_test.go",
    },
    Language {
        fence: "java",
        tool: "java",
        file: "Check.java",
        text: r"
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;

class Check {
    static long[] decode(byte[] source) throws IOException {
        long value = 0;
        for (int at = 0; at < 10 && at < source.length; at++) {
            if (at == 9 && (source[at] & 255) > LIMIT) break;
            value |= (source[at] & 127L) << 7 * at;
            if (source[at] >= 0) return new long[] {value, at + 1};
        }
        throw new IOException();
    }

    public static void main(String[] arguments) throws IOException {
CODE
    }
}",
        command: "java Check.java",
    },
    Language {
        fence: "rust,ignore",
        tool: "rustc",
        file: "check.rs",
        text: r"
fn decode(source: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0;
    for (at, &byte) in source.iter().enumerate().take(10) {
        if at == 9 && byte > LIMIT {
            return None;
        }
        value |= u64::from(byte & 127) << (7 * at);
        if byte < 128 {
            return Some((value, at + 1));
        }
    }
    None
}
CODE",
        command: "rustc --edition 2024 --test -o check check.rs && ./check",
    },
    Language {
        fence: "c",
        tool: "cc",
        file: "check.c",
        text: r"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t decode(const unsigned char *source, size_t len, unsigned long long *value) {
    for (size_t at = 0; at < 10 && at < len; at++) {
        if (at == 9 && source[at] > LIMIT) return 0;
        *value |= (source[at] & 127ull) << 7 * at;
        if (source[at] < 128) return at + 1;
    }
    return 0;
}

int main(void) {
CODE
    return 0;
}",
        command: "cc -o check check.c && ./check",
    },
];

/// Runs the code of a language with a decoder that accepts a tenth byte up to `limit`. Returns whether
/// it passes, and its output.
fn run(language: &Language, folder: &Path, limit: &str) -> (bool, String) {
    let (_, rest) = PAGE.split_once(&format!("```{}\n", language.fence)).expect("a block of the language");
    let (code, _) = rest.split_once("```").expect("the end of the block");
    let text = language.text.replace("LIMIT", limit).replace("CODE", code);
    fs::write(folder.join(language.file), text).expect("a folder");
    let output = Command::new("sh").args(["-c", language.command]).current_dir(folder).output();
    let output = output.expect("a shell");
    let printed = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&printed).into_owned())
}

#[cfg(unix)]
#[test]
fn the_code_of_the_page_passes_a_right_decoder_and_fails_another() {
    for language in &LANGUAGES {
        let has = Command::new("sh").args(["-c", &format!("command -v {}", language.tool)]).output();
        if !has.is_ok_and(|found| found.status.success()) {
            println!("skipped: {}, because there is no {}", language.fence, language.tool);
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/unsigned-64.jsonl");
        fs::copy(vectors, folder.path().join("unsigned-64.jsonl")).expect("the vectors");
        let (passes, printed) = run(language, folder.path(), "1");
        assert!(passes, "{}: {printed}", language.fence);
        let (passes, printed) = run(language, folder.path(), "127");
        assert!(!passes && printed.contains("80808080808080808002"), "{}: {printed}", language.fence);
    }
}
