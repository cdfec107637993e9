//! The child process of the tests of `--exec`. It has one role that is correct and one for each
//! fault.
//!
//! The test program runs itself as the child, so that the tests need no other program.

use std::fs::{File, create_dir, read};
use std::io::{self, Read, Write, stdin};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::thread::sleep;
use std::time::Duration;

use every_input::Integer;

use crate::leb128::{decode, encode};
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

    /// Returns the number of answers of all children that are `slow`.
    #[allow(dead_code)] // not all test programs have slow children
    pub(crate) fn answers(&self) -> usize {
        read(answers_beside(&self.path.display().to_string())).map_or(0, |answers| answers.len())
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

/// Returns the path of the file that has a byte for each answer.
fn answers_beside(witness: &str) -> String {
    format!("{witness}.answers")
}

/// Answers requests, with the fault that `role` names. Some faults affect only requests with the
/// value `bad`.
fn speak(role: &str, bad: i64, file: Option<&str>) -> io::Result<()> {
    // The lock is held until this process ends.
    let held = file.map(File::open).transpose()?;
    held.as_ref().map(File::lock_shared).transpose()?;
    match role {
        "ends-at-start" => exit(7),
        "hangs-at-start" => forever(),
        "prints-text" => return output()?.write_all(b"Hello, world!\n"),
        "has-a-child" => {
            let more = ["hangs-at-start", "0", file.unwrap_or_default()];
            Command::new(std::env::current_exe()?).args(child_arguments()).args(more).spawn()?;
        }
        _ => {}
    }
    let mut requests = 0;
    loop {
        let mut length = [0; 4];
        if stdin().read_exact(&mut length).is_err() {
            if role == "lingers" {
                forever();
            }
            return Ok(());
        }
        let mut body = vec![0; u32::from_le_bytes(length) as usize];
        stdin().read_exact(&mut body)?;
        let (task, inputs) = body.split_at(8);
        if let b"f32 " | b"f64 " | b"f16 " | b"bf16" = &task[4..] {
            answer(&thirds(role, inputs, bad).concat())?;
            continue;
        }
        let serve: Serve = match &task[4..] {
            b"i64 " => serve::<i64>,
            b"u64 " => serve::<u64>,
            b"i32 " => serve::<i32>,
            b"u32 " => serve::<u32>,
            b"i16 " => serve::<i16>,
            b"u16 " => serve::<u16>,
            b"i8  " => serve::<i8>,
            b"u8  " => serve::<u8>,
            other => panic!("unknown type {}", other.escape_ascii()),
        };
        // The request without inputs is not counted.
        requests += u32::from(!inputs.is_empty());
        // Creating the folder succeeds only once.
        if role == "crashes-once"
            && requests == 3
            && create_dir(format!("{}.crashed", file.unwrap_or_default())).is_ok()
        {
            exit(3);
        }
        if let ("is-wrong-of-several-and-then-exits", [length, rest @ ..]) = (role, inputs) {
            let several = format!("{}.several", file.unwrap_or_default());
            if rest.len() > usize::from(*length) {
                let _ = create_dir(several); // it may exist
            } else if Path::new(&several).exists() {
                exit(3);
            }
        }
        if let ("slow", Some(file)) = (role, file) {
            File::options().append(true).create(true).open(answers_beside(file))?.write_all(b".")?;
        }
        let task = &body[..3];
        let (mut results, is_bad) = serve(task, inputs, bad);
        if inputs.is_empty() {
            match role {
                "is-wrong-and-ends-without-inputs" if requests > 0 => exit(3),
                "is-wrong-and-hangs-without-inputs" if requests > 0 => forever(),
                _ => {}
            }
            answer(&results.concat())?;
        } else {
            reply_to(role, task, &mut results, bad, is_bad)?;
        }
    }
}

/// Returns the results for inputs of type `T`, each after its length, and whether a value is `bad`.
type Serve = fn(task: &[u8], inputs: &[u8], bad: i64) -> (Vec<Vec<u8>>, bool);

fn serve<T: Integer>(task: &[u8], mut inputs: &[u8], bad: i64) -> (Vec<Vec<u8>>, bool) {
    let number = |value: T| (value.to_i128() as u64).to_le_bytes()[..size_of::<T>()].to_vec();
    let (mut results, mut is_bad) = (Vec::new(), false);
    while let [length, rest @ ..] = inputs {
        let (input, rest) = rest.split_at((*length).into());
        inputs = rest;
        let value = T::from_i128(input.iter().rev().fold(0, |number, &byte| number << 8 | i128::from(byte)));
        let (value, result) = match task {
            b"enc" => {
                let mut bytes = [0; 10];
                let used = encode(value, &mut bytes).expect("ten bytes are enough");
                (value, bytes[..used].to_vec())
            }
            b"dec" => match decode::<T>(input) {
                Ok((value, used)) => (value, [vec![used as u8], number(value)].concat()),
                Err(_) => (T::from_i128(i128::from(bad) + 1), vec![]),
            },
            _ => (value, number(value.complement())),
        };
        results.push(string(&result));
        is_bad |= value.to_i128() == bad.into();
    }
    (results, is_bad)
}

/// Returns a third of each float, after its length: as a float of the same type, or as a wider result
/// if the role is `wide`. That of the float `bad` is wrong if the role says so.
fn thirds(role: &str, mut inputs: &[u8], bad: i64) -> Vec<Vec<u8>> {
    let mut results = Vec::new();
    while let [length, rest @ ..] = inputs {
        let (input, rest) = rest.split_at((*length).into());
        inputs = rest;
        let single = input.first_chunk().filter(|_| input.len() == 4).map(|bytes| f32::from_le_bytes(*bytes));
        let double = input.first_chunk().map(|bytes| f64::from_le_bytes(*bytes));
        // As the upper half of an f32, which is a bf16.
        let half = <[u8; 2]>::try_from(input).ok().map(|[low, high]| f32::from_le_bytes([0, 0, low, high]));
        let x = single.or(half).map(f64::from).or(double).expect("a float");
        let role = if x == bad as f64 || role == "wide" { role } else { "" };
        let result = match (role, single) {
            _ if half.is_some() => {
                let third = (x / 3.0) as f32;
                let [.., low, high] = third.to_le_bytes();
                match role {
                    "wide" => third.to_le_bytes().to_vec(),
                    "is-wrong" => vec![low + 1, high],
                    _ => vec![low, high],
                }
            }
            ("wide", Some(_)) => (x / 3.0).to_le_bytes().to_vec(),
            ("wide", None) => {
                let third = x / 3.0;
                [third, third.mul_add(-3.0, x) / 3.0].map(f64::to_le_bytes).concat()
            }
            ("is-wrong", Some(x)) => (x / 3.0).next_up().to_le_bytes().to_vec(),
            ("is-nan", Some(_)) => f32::NAN.to_le_bytes().to_vec(),
            ("has-no-result", _) => Vec::new(),
            (_, Some(x)) => (x / 3.0).to_le_bytes().to_vec(),
            (_, None) => (x / 3.0).to_le_bytes().to_vec(),
        };
        results.push(string(&result));
    }
    results
}

/// Sends the answer to a request, or a wrong one. The value of some faults is the only one of the
/// request at last.
fn reply_to(role: &str, task: &[u8], results: &mut [Vec<u8>], bad: i64, is_bad: bool) -> io::Result<()> {
    let fault = if is_bad { role } else { "" };
    let first = &mut results[0];
    match (fault, task) {
        ("exits", b"dec" | b"fun") => {
            eprintln!("out of luck\nat line 5\n");
            exit(3);
        }
        ("hangs", b"dec") => forever(),
        ("drips", b"dec") => {
            output()?.write_all(&9u32.to_le_bytes())?;
            loop {
                output()?.write_all(&[0x83])?;
                sleep(Duration::from_millis(400));
            }
        }
        ("encodes-short", b"enc") => *first = string(&first[1..first.len() - 1]),
        ("encodes-long", b"enc") => *first = string(&[0x80; 200]),
        ("announces-a-long-string", b"enc") => first[0] = 200,
        ("has-too-few-results", b"enc") => first.clear(),
        ("has-too-many-results", b"enc") => first.extend([1, 1]),
        ("decodes-long", b"dec") => *first = string(&[&first[1..], &[0]].concat()),
        ("stops-half-way", b"dec") => {
            output()?.write_all(&framed(first)[..9])?;
            exit(0);
        }
        ("writes-garbage", b"enc") => return output()?.write_all(b"Traceback (most recent call last)"),
        ("says-more", b"enc") => return output()?.write_all(&[framed(first), vec![0]].concat()),
        ("closes-its-output", b"enc") => {
            return Err(Command::new("sh").args(["-c", "exec 3>&-; sleep 1000"]).exec());
        }
        ("is-wrong" | "takes-less" | "has-no-reason", b"dec") => {
            for row in results.iter_mut().filter(|row| row.get(2..) == Some(&bad.to_le_bytes())) {
                match role {
                    "is-wrong" => row[2..].copy_from_slice(&(bad + 1).to_le_bytes()),
                    "takes-less" => row[1] -= 1,
                    _ => *row = string(&[]),
                }
            }
        }
        ("refuses-to-encode", b"enc") => {
            eprintln!("no luck with {bad}");
            *first = string(&[]);
        }
        ("refuses-to-decode", b"dec") => *first = string(&[0, 2, 9]),
        // Not at once, so that the second answer is read as that of another request.
        ("answers-twice", _) => {
            answer(&results.concat())?;
            sleep(Duration::from_millis(50));
        }
        ("is-wrong" | "is-wrong-and-ends-without-inputs" | "is-wrong-and-hangs-without-inputs", b"fun") => {
            *first = string(&[7; 2])
        }
        ("has-no-result", b"fun") => *first = string(&[]),
        _ => match role {
            "always-hangs" => forever(),
            "always-exits" => exit(3),
            "hangs-at-every-decode" if task == b"dec" => forever(),
            "takes-more-of-several" if task == b"dec" && results.len() > 1 => results[0][1] += 1,
            "is-wrong-of-several-and-then-exits" if results.len() > 1 => results[0] = string(&[200; 9]),
            "slow" => sleep(Duration::from_millis(200)),
            "floods-stderr" => io::stderr().write_all(&vec![b'x'; 300_000])?,
            "answers-without-end" => {
                answer(&results.concat())?;
                without_end(&mut output()?)?;
            }
            "complains-without-end" => without_end(&mut io::stderr())?,
            _ => {}
        },
    }
    answer(&results.concat())
}

fn string(bytes: &[u8]) -> Vec<u8> {
    [&[bytes.len() as u8], bytes].concat()
}

fn answer(results: &[u8]) -> io::Result<()> {
    output()?.write_all(&framed(results))
}

fn framed(results: &[u8]) -> Vec<u8> {
    [&(results.len() as u32).to_le_bytes(), results].concat()
}

/// Opens the pipe to the sweep. Writes to it are not buffered.
fn output() -> io::Result<File> {
    File::options().write(true).open("/dev/fd/3")
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
