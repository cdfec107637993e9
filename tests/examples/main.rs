//! The programs in `examples/`, on real input and on input that they must refuse.

#![allow(dead_code)] // their `main`

#[path = "../../examples/frames_over_tcp.rs"]
mod frames_over_tcp;
#[path = "../../examples/inverted_index.rs"]
mod inverted_index;
#[path = "../../examples/line_index.rs"]
mod line_index;
#[path = "../../examples/protobuf_relay.rs"]
mod protobuf_relay;
#[path = "../../examples/wasm_sections.rs"]
mod wasm_sections;

use std::collections::BTreeSet;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};

use prost::encoding as prost;
use tempfile::TempDir;
use zigzag_varint::encode_to_vec;

const TOO_LONG: &str = "varint too long: no encoding of the target type continues at offset";

type Program = fn(&[PathBuf], &mut Vec<u8>) -> Result<(), Box<dyn Error>>;

/// Runs a program, and returns what it prints, or its error.
fn run(program: Program, args: &[&Path]) -> Result<Vec<u8>, String> {
    let args: Vec<PathBuf> = args.iter().map(PathBuf::from).collect();
    let mut out = vec![];
    program(&args, &mut out).map_err(|error| error.to_string())?;
    Ok(out)
}

fn text(printed: Vec<u8>) -> String {
    String::from_utf8(printed).expect("UTF-8")
}

fn tempdir() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn write(folder: &TempDir, name: &str, contents: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, contents).expect("written");
    path
}

/// Checks that an input that ends inside of a part is refused with the offset of that part. `starts` has
/// the offset of each part.
fn check_truncated<T>(input: &[u8], starts: &[usize], part: &str, run: impl Fn(&[u8]) -> Result<T, String>) {
    for len in starts[0]..input.len() {
        let start = starts.iter().rfind(|start| **start <= len).expect("a part");
        let error = run(&input[..len]).err().unwrap_or_default();
        let expected = if *start == len { String::new() } else { format!("{part} at offset {start}: ") };
        assert!(error.starts_with(&expected) && error.is_empty() == expected.is_empty(), "{len}: {error}");
    }
}

#[test]
fn without_arguments_each_program_prints_its_usage() {
    let programs: [(&str, Program); 5] = [
        ("frames_over_tcp FILE", frames_over_tcp::run),
        ("inverted_index TEXT >INDEX, then inverted_index INDEX WORD", inverted_index::run),
        ("line_index TEXT >INDEX, then line_index TEXT INDEX LINE", line_index::run),
        ("protobuf_relay FROM TO", protobuf_relay::run),
        ("wasm_sections FILE", wasm_sections::run),
    ];
    for (usage, program) in programs {
        assert_eq!(run(program, &[]), Err(format!("usage: {usage}")));
        let missing = tempdir().path().join("missing");
        let args = vec![&*missing; if usage.starts_with("protobuf") { 2 } else { 1 }];
        let error = run(program, &args).expect_err("no such file");
        assert!(error.starts_with(&format!("{}: ", missing.display())), "{usage}: {error}");
    }
}

/// `module.wasm` is what rustc 1.95 makes, with `--target wasm32-unknown-unknown --crate-type cdylib
/// -Copt-level=s -Cpanic=abort -Cstrip=debuginfo`, of a library without std: a `static` of four `i32`, an
/// imported function, and `weighted`, which calls it.
const MODULE: &[u8] = include_bytes!("../../examples/module.wasm");

fn sections(module: &[u8]) -> Result<String, String> {
    run(wasm_sections::run, &[&write(&tempdir(), "module.wasm", module)]).map(text)
}

#[test]
fn the_sections_of_a_webassembly_module_are_listed() {
    let expected = [
        "       8  type             11 bytes  entries: 2",
        "      21  import           15 bytes  entries: 1",
        "      38  function          2 bytes  entries: 1",
        "      42  memory            3 bytes  entries: 1",
        "      47  global           25 bytes  entries: 3",
        r#"      74  export           48 bytes  "memory"  "weighted"  "__data_end"  "__heap_base""#,
        "     124  code             33 bytes  entries: 1",
        "     159  data             25 bytes  entries: 1",
        r#"     186  custom           98 bytes  "name""#,
        r#"     286  custom           61 bytes  "producers""#,
        r#"     349  custom          148 bytes  "target_features""#,
    ];
    assert_eq!(sections(MODULE).expect("valid").lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_damaged_webassembly_module_is_refused_with_the_offset() {
    check_truncated(MODULE, &[8, 21, 38, 42, 47, 74, 124, 159, 186, 286, 349], "section", sections);
    assert!(sections(&MODULE[..7]).is_err_and(|error| error.contains("not a WebAssembly module")));
    let module = |section: &[u8]| sections(&[&MODULE[..8], section].concat());
    // LLVM writes such lengths in object files.
    let padded = [0x0c, 0x81, 0x80, 0x80, 0x80, 0x00, 0x07];
    assert_eq!(module(&padded).as_deref(), Ok("       8  data-count        1 bytes  entries: 7\n"));
    for (section, error) in [
        (&b"\x0c\x81\x80\x80\x80\x80\x00\x07"[..], &*format!("length prefix: {TOO_LONG} 13")),
        (
            b"\x0c\xff\xff\xff\xff\x0f",
            "truncated payload: input ends at offset 14, 4294967295 of 4294967295 bytes missing",
        ),
        (b"\x0c\x01\x80\x07", "truncated varint: input ends at offset 11"), // where the section ends
        (b"\x07\x05\xff\xff\xff\xff\x0f", "length prefix: truncated varint: input ends at offset 15"),
        (b"\x00\x02\x01\xff", "invalid utf-8 sequence of 1 bytes from index 0"),
    ] {
        assert_eq!(module(section), Err(format!("section at offset 8: {error}")));
    }
}

/// Relays a message, and returns the message and what is printed.
fn relayed(message: &[u8]) -> Result<(Vec<u8>, String), String> {
    let folder = tempdir();
    let to = folder.path().join("relayed");
    let printed = run(protobuf_relay::run, &[&write(&folder, "message", message), &to])?;
    Ok((fs::read(to).expect("written"), text(printed)))
}

#[test]
fn a_relayed_message_keeps_unknown_fields_of_every_wire_type() {
    let (mut message, mut others, mut expected) = (vec![], vec![], vec![]);
    for fields in [&mut message, &mut others] {
        prost::int64::encode(1, &-2, fields);
        prost::fixed64::encode(2, &u64::MAX, fields);
        prost::string::encode(3, &"a newer sender".to_owned(), fields);
        fields.extend_from_slice(b"\x23\x08\x07\x24"); // a group
    }
    prost::uint32::encode_packed(6, &[3, 270], &mut message); // a field may have several parts
    prost::uint32::encode(6, &86_942, &mut message); // and not be packed
    for fields in [&mut message, &mut others] {
        prost::float::encode(536_870_911, &1.5, fields); // the greatest number
        prost::double::encode(6, &0.5, fields); // this wire type is not that of the route
    }
    expected.extend_from_slice(&others);
    prost::uint32::encode_packed(6, &[3, 270, 86_942, 300], &mut expected);
    let printed = format!("route: [3, 270, 86942, 300]; other fields: {} bytes\n", others.len());
    assert_eq!(relayed(&message), Ok((expected, printed)));
}

#[test]
fn the_examples_of_the_encoding_guide_are_relayed() {
    let others = b"\x08\x96\x01\x12\x07testing";
    let message = [b"\x32\x06\x03\x8e\x02\x9e\xa7\x05", &others[..]].concat();
    let extended = [others, &b"\x32\x08\x03\x8e\x02\x9e\xa7\x05\xac\x02"[..]].concat();
    assert_eq!(relayed(&message).map(|(message, _)| message), Ok(extended));
    assert_eq!(relayed(b"").map(|(message, _)| message).as_deref(), Ok(&b"\x32\x02\xac\x02"[..]));
}

#[test]
fn a_damaged_message_is_refused_with_the_offset_of_the_field() {
    let message = b"\x08\x96\x01\x12\x07testing\x32\x06\x03\x8e\x02\x9e\xa7\x05\x1d\x00\x00\xc0\x3f";
    check_truncated(message, &[0, 3, 12, 20], "field", relayed);
    for (field, error) in [
        (
            &b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"[..],
            "varint overflow: value does not fit the target type (at offset 12)",
        ),
        (
            b"\x12\xff\xff\xff\xff\x07\x00",
            "truncated payload: input ends at offset 9, 2147483646 of 2147483647 bytes missing",
        ),
        (b"\x32\x80\x80\x80\x80\x08", "payload too long: 2147483648 bytes, limit 2147483647 (at offset 3)"),
        (b"\x32\x02\x01\x80", "value at index 1: truncated varint: input ends at offset 2"),
        (b"\x0b\x10\x07", "truncated varint: input ends at offset 5"),
        (b"\x0b\x14", "unexpected end of group 2 (at offset 3)"),
        (b"\x02\x00", "invalid tag: field number 0 (at offset 2)"),
        (b"\x0e\x00", "invalid tag: field 1 has the unknown type 6 (at offset 2)"),
    ] {
        let message = [&[0x10, 0x07][..], field].concat();
        assert_eq!(relayed(&message), Err(format!("field at offset 2: {error}")));
    }
}

const TEXT: &str = include_str!("../../LICENSE-APACHE");

fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn lines_of(word: &str, index: &[u8]) -> Result<String, String> {
    run(inverted_index::run, &[&write(&tempdir(), "index", index), word.as_ref()]).map(text)
}

#[test]
fn an_inverted_index_has_the_lines_of_every_word_of_a_text() {
    let index = run(inverted_index::run, &[&write(&tempdir(), "text", TEXT.as_bytes())]).expect("built");
    for word in words(TEXT) {
        let with_word = (1..).zip(TEXT.lines()).filter(|(_, line)| words(line).contains(&word));
        let lines = with_word.map(|(number, _)| format!("{number}\n")).collect();
        assert_eq!(lines_of(&word, &index), Ok(lines), "{word}");
    }
    assert_eq!(lines_of("LICENSE", &index), lines_of("license", &index));
    assert_eq!(lines_of("absent", &index).as_deref(), Ok(""));
}

#[test]
fn a_damaged_inverted_index_is_refused_with_the_offset_of_the_entry() {
    // Lines 2, 5 and 6 have "ab", lines 1 and 300 "cd".
    let index = b"\x02ab\x03\x01\x02\x00\x02cd\x03\x00\xaa\x02";
    assert_eq!(lines_of("ab", index).as_deref(), Ok("2\n5\n6\n"));
    assert_eq!(lines_of("cd", index).as_deref(), Ok("1\n300\n"));
    check_truncated(index, &[0, 7], "entry", |index| lines_of("ab", index));
    for (entry, error) in [
        (&b"\x82\x00cd\x01\x00"[..], "length prefix: overlong varint: redundant byte at offset 8"),
        (b"\x02cd\x02\x85\x00", "value at index 0: overlong varint: redundant byte at offset 1"),
        (
            b"\x02cd\xff\xff\xff\xff\x7f",
            "truncated payload: input ends at offset 15, 34359738367 of 34359738367 bytes missing",
        ),
    ] {
        let index = [&index[..7], entry].concat();
        assert_eq!(lines_of("cd", &index), Err(format!("entry at offset 7: {error}")));
    }
}

#[test]
fn a_server_answers_the_lines_of_a_file() {
    let folder = tempdir();
    let answers = |contents: &[u8]| run(frames_over_tcp::run, &[&write(&folder, "text", contents)]).map(text);
    assert_eq!(answers(TEXT.as_bytes()), Ok(TEXT.to_ascii_uppercase()));
    assert_eq!(answers(&[b'x'; 65_537]), Err("payload too long: 65537 bytes, limit 65536".into()));
}

#[test]
fn an_invalid_frame_ends_the_connection_of_its_client_alone() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().expect("a runtime");
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).expect("a port");
    let address = listener.local_addr().expect("an address");
    let connect = || TcpStream::connect(address).expect("a server");
    std::thread::spawn(move || runtime.block_on(frames_over_tcp::serve(listener)));

    let mut steady = connect();
    for invalid in [&b"\xff\xff\xff\xff\x7f"[..], b"\x81\x00x", &[0xff; 10], b"\x05ab"] {
        let (mut client, mut answers) = (connect(), vec![]);
        client.write_all(&[b"\x02ok", invalid].concat()).expect("sent");
        _ = client.shutdown(Shutdown::Write); // an error if the server has closed the connection
        client.read_to_end(&mut answers).expect("the end of the stream");
        assert_eq!(answers, b"\x02OK", "{invalid:02x?}");

        let mut answer = [0; 6];
        steady.write_all(b"\x05hello").expect("sent");
        steady.read_exact(&mut answer).expect("an answer");
        assert_eq!(&answer, b"\x05HELLO");
    }
}

/// Returns a line of a large file. Some have no text but the number, and some have 100,000 bytes.
fn line(number: usize) -> String {
    let len = if number % 1000 == 0 { 100_000 } else { number * 7 % 151 };
    format!("{}{number}\n", "x".repeat(len))
}

#[test]
fn any_line_of_a_large_file_is_found_in_constant_memory() {
    let folder = tempdir();
    let (lines, index) = (90_000, folder.path().join("index"));
    let contents: String = (1..=lines).map(line).collect();
    assert!(contents.len() > 15_000_000);
    let file = write(&folder, "text", contents.as_bytes());
    let mut out = BufWriter::new(File::create(&index).expect("created"));
    let build = || line_index::run(std::slice::from_ref(&file), &mut out).expect("built");
    let built = allocation_counter::measure(build);
    drop(out);
    assert!(built.bytes_max < 50_000, "{built:?}");
    let find = |number: usize| run(line_index::run, &[&file, &index, number.to_string().as_ref()]).map(text);
    for number in [1, 1024, 1025, lines / 2 + 1, lines - 1] {
        let found = allocation_counter::measure(|| assert_eq!(find(number), Ok(line(number))));
        assert!(found.bytes_max < 50_000, "{found:?}");
    }
    assert_eq!(find(lines), Ok(line(lines)));
    assert_eq!(find(lines + 1), Err("index: the text has fewer lines".into()));
    assert_eq!(find(0), Err("LINE: number would be zero for non-zero type".into()));
}

#[test]
fn a_damaged_index_of_lines_is_refused_with_the_offset() {
    let folder = tempdir();
    let file = write(&folder, "text", TEXT.as_bytes());
    let find = |index: &[u8], number: &str| {
        run(line_index::run, &[&file, &write(&folder, "index", index), number.as_ref()]).map(text)
    };
    for (damage, error) in [
        (&b"\x80"[..], "truncated varint: input ends at offset 2001"),
        (b"\x85\x00", "overlong varint: redundant byte at offset 2001"),
        (&[0xff; 10], &*format!("{TOO_LONG} 2009")),
    ] {
        let index = [&[1; 2000], damage].concat();
        assert_eq!(find(&index, "2001"), Err(format!("index: {error}")));
        assert!(find(&index, "2000").is_ok());
    }
    let index = encode_to_vec(&[1 << 40, u64::MAX, 1]); // of another text
    assert_eq!(find(&index, "1").as_deref(), Ok(TEXT));
    assert_eq!(find(&index, "2").as_deref(), Ok(""));
}
