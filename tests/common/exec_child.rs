//! The child process of the tests of `--exec`. It has one role that is correct and one for each
//! fault.
//!
//! The test program runs itself as the child, so that the tests need no other program.

use std::fs::{File, create_dir};
use std::io::{self, Read, Write, stdin};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, exit};
use std::thread::sleep;
use std::time::Duration;

use crate::leb128::{decode_slice, encode_slice};
use crate::waiting::wait_for;

/// Returns the command for a child with this role. The fault of the role affects `value`. Callers
/// can append the path of a file to lock.
pub(crate) fn command(role: &str, value: i64) -> String {
    let program = std::env::current_exe().expect("the path of this program");
    let words = child_arguments().join(" ");
    // The test harness prints to standard output, so the child answers on descriptor 3.
    format!("sh -c 'exec \"$0\" \"$@\" 3>&1 >/dev/null' '{}' {words} {role} {value}", program.display())
}

/// Returns arguments that make the test harness run `child` alone. It ignores the words after them,
/// since no test has such a name.
fn child_arguments() -> [&'static str; 4] {
    const NAME: &str = concat!(module_path!(), "::child");
    let (_, name) = NAME.split_once("::").expect("a module of the test program");
    ["--ignored", "--exact", "--nocapture", name]
}

#[test]
#[ignore = "other tests run it as a child process"]
fn child() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some([role, bad, file @ ..]) = words.strip_prefix(&child_arguments().map(String::from)) {
        let result = speak(role, bad.parse().unwrap_or(0), file.first().map(String::as_str));
        exit(result.is_err().into());
    }
}

/// A file that a child and its own children lock as long as they live.
pub(crate) struct Witness {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Witness {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("witness");
        File::create(&path).expect("a file");
        Self { _folder: folder, path }
    }

    /// Returns the command for a child that locks the file.
    pub(crate) fn command(&self, role: &str) -> String {
        format!("{} '{}'", command(role, 0), self.path.display())
    }

    /// Returns whether a child is alive.
    pub(crate) fn is_held(&self) -> bool {
        File::open(&self.path).expect("the witness").try_lock().is_err()
    }

    /// Waits until no child is alive.
    #[track_caller]
    pub(crate) fn wait_until_free(&self) {
        wait_for(|| (!self.is_held()).then_some(()));
    }
}

const HELLO: u8 = 1;
const ENCODE: u8 = 2;
const DECODE: u8 = 3;

/// Answers requests, with the fault that `role` names. Some faults affect only requests with the
/// value `bad`.
fn speak(role: &str, bad: i64, file: Option<&str>) -> io::Result<()> {
    // The lock is held until this process ends.
    let held = file.map(File::open).transpose()?;
    held.as_ref().map(File::lock_shared).transpose()?;
    match role {
        "sleeper" => forever(),
        "dies-at-greeting" => exit(7),
        "hangs-at-greeting" => forever(),
        "refuses-the-type" => return answer(0xff, b"numbers? never heard of them"),
        "greets-wrongly" => return answer(0x81, b"varsweep\x02\0\0\0"),
        "prints-text" => return output()?.write_all(b"Hello, world!\n"),
        "has-a-child" => {
            let more = ["sleeper", "0", file.unwrap_or_default()];
            Command::new(std::env::current_exe()?).args(child_arguments()).args(more).spawn()?;
        }
        _ => {}
    }
    let mut signed = true;
    let mut requests = 0;
    loop {
        let mut header = [0; 5];
        if stdin().read_exact(&mut header).is_err() {
            if role == "lingers" {
                forever();
            }
            return Ok(());
        }
        let [length @ .., kind] = header;
        let length = u32::from_le_bytes(length) as usize - 1;
        if kind == ENCODE && role == "reads-and-writes-in-turn" {
            in_turn(length)?;
            continue;
        }
        if kind == ENCODE && role == "answers-first" {
            answer(0x82, &vec![0; (length - 4) / 8])?;
        }
        if kind == ENCODE && role == "reads-nothing" {
            forever();
        }
        let mut payload = vec![0; length];
        stdin().read_exact(&mut payload)?;
        if kind == HELLO {
            signed = payload[12] == b'i';
            answer(0x81, &payload[..12])?;
            continue;
        }
        requests += 1;
        // Creating the folder succeeds only once.
        if role == "crashes-once"
            && requests == 3
            && create_dir(format!("{}.crashed", file.unwrap_or_default())).is_ok()
        {
            exit(3);
        }
        let reply = if kind == ENCODE { encode(&payload, signed) } else { decode(&payload, signed) };
        let numbers = if kind == ENCODE { &payload } else { &reply };
        let is_bad = numbers[4..].chunks(8).any(|number| number == bad.to_le_bytes());
        reply_to(role, kind, reply, bad, is_bad)?;
    }
}

/// Sends the answer to a request, or a wrong one.
fn reply_to(role: &str, kind: u8, mut reply: Vec<u8>, bad: i64, is_bad: bool) -> io::Result<()> {
    let fault = if is_bad { role } else { "" };
    match (fault, kind) {
        ("aborts", ENCODE) => std::process::abort(),
        ("exits", DECODE) => {
            eprintln!("out of luck\nat line 5\n");
            exit(3);
        }
        ("hangs", DECODE) => forever(),
        ("drips", DECODE) => {
            output()?.write_all(&100u32.to_le_bytes())?;
            loop {
                output()?.write_all(&[0x83])?;
                sleep(Duration::from_millis(100));
            }
        }
        ("encodes-short", ENCODE) => reply.truncate(reply.len() - 1),
        ("encodes-long", ENCODE) => reply.extend([0; 2000]),
        ("decodes-short", DECODE) => reply.truncate(reply.len() - 1),
        ("decodes-long", DECODE) => reply.push(0),
        ("stops-half-way", DECODE) => {
            let half = reply.len() / 2;
            output()?.write_all(&framed(0x83, &reply)[..5 + half])?;
            exit(0);
        }
        ("writes-garbage", ENCODE) => return output()?.write_all(b"Traceback (most recent call last)"),
        ("announces-giants", ENCODE) => return output()?.write_all(&[0xff; 1 << 16]),
        ("announces-nothing", ENCODE) => return output()?.write_all(&[0; 5]),
        ("says-more", ENCODE) => {
            reply.push(0);
            let mut bytes = framed(0x82, &reply);
            bytes[0] -= 1;
            return output()?.write_all(&bytes);
        }
        ("mistakes-the-kind", ENCODE) => return answer(0x83, &reply),
        ("closes-its-output", ENCODE) => {
            return Err(Command::new("sh").args(["-c", "exec 3>&-; sleep 1000"]).exec());
        }
        ("closes-its-input-afterwards", DECODE) => {
            answer(0x83, &reply)?;
            return Err(Command::new("sh").args(["-c", "exec 0<&-; sleep 1000"]).exec());
        }
        ("is-wrong", DECODE) => {
            for number in reply[4..].chunks_mut(8).filter(|number| *number == bad.to_le_bytes()) {
                number.copy_from_slice(&(bad + 1).to_le_bytes());
            }
        }
        ("is-out-of-range", DECODE) => reply[11] ^= 0x40,
        ("takes-less", DECODE) => reply[0] = reply[0].wrapping_sub(1),
        ("refuses", DECODE) => return answer(0xff, format!("no luck with {bad}").as_bytes()),
        _ => match role {
            "always-hangs" => forever(),
            "always-exits" => exit(3),
            "hangs-at-every-decode" if kind == DECODE => forever(),
            "floods-stderr" => io::stderr().write_all(&vec![b'x'; 300_000])?,
            "answers-without-end" => {
                answer(kind | 0x80, &reply)?;
                without_end(&mut output()?)?;
            }
            "complains-without-end" => without_end(&mut io::stderr())?,
            _ => {}
        },
    }
    answer(kind | 0x80, &reply)
}

fn encode(payload: &[u8], signed: bool) -> Vec<u8> {
    let (numbers, _) = payload[4..].as_chunks();
    let mut bytes = vec![0; 10 * numbers.len()];
    let used = if signed {
        let values: Vec<_> = numbers.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect();
        encode_slice(&values, &mut bytes)
    } else {
        let values: Vec<_> = numbers.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
        encode_slice(&values, &mut bytes)
    };
    bytes.truncate(used.expect("`bytes` has ten bytes for each value"));
    bytes
}

fn decode(payload: &[u8], signed: bool) -> Vec<u8> {
    let (count, src) = payload.split_first_chunk().expect("a count");
    let count = u32::from_le_bytes(*count) as usize;
    let (used, numbers): (_, Vec<_>) = if signed {
        let mut values = vec![0i64; count];
        (decode_slice(src, &mut values), values.iter().flat_map(|value| value.to_le_bytes()).collect())
    } else {
        let mut values = vec![0u64; count];
        (decode_slice(src, &mut values), values.iter().flat_map(|value| value.to_le_bytes()).collect())
    };
    let used = used.expect("bytes that `encode` returned") as u32;
    [&used.to_le_bytes()[..], &numbers].concat()
}

fn answer(kind: u8, payload: &[u8]) -> io::Result<()> {
    output()?.write_all(&framed(kind, payload))
}

fn framed(kind: u8, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32 + 1).to_le_bytes();
    [&length, &[kind][..], payload].concat()
}

/// Opens the pipe to the sweep. Writes to it are not buffered.
fn output() -> io::Result<File> {
    File::options().write(true).open("/dev/fd/3")
}

/// Reads and encodes values below 64 one at a time.
fn in_turn(length: usize) -> io::Result<()> {
    let mut count = [0; 4];
    stdin().read_exact(&mut count)?;
    let mut bytes = (u32::from_le_bytes(count) + 1).to_le_bytes().to_vec();
    bytes.push(0x82);
    for _ in 0..(length - 4) / 8 {
        let mut number = [0; 8];
        stdin().read_exact(&mut number)?;
        bytes.push(number[0] * 2);
        if bytes.len() >= 1024 {
            output()?.write_all(&bytes)?;
            bytes.clear();
        }
    }
    output()?.write_all(&bytes)?;
    Ok(())
}

fn without_end(output: &mut impl Write) -> io::Result<()> {
    loop {
        output.write_all(&[b'x'; 1 << 16])?;
    }
}

fn forever() -> ! {
    loop {
        sleep(Duration::from_secs(1000));
    }
}
