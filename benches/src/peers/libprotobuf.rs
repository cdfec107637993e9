//! The C++ library of Protocol Buffers, which a child process measures. Without a compiler or the
//! library there is no such contender.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// What a child process does with all of its messages.
#[derive(Clone, Copy)]
pub(crate) enum Operation {
    Parse,
    Serialize,
}

/// A running child process. It ends when this is dropped, which closes its input.
pub(crate) struct Libprotobuf {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
}

impl Libprotobuf {
    /// Returns whether the program can be built. If not, the first call prints why.
    pub(crate) fn is_available() -> bool {
        program().is_some()
    }

    /// Starts a process with these messages, which it parses and serializes once. The result must
    /// be the same bytes.
    pub(crate) fn start(field_type: &str, messages: &[Vec<u8>]) -> Self {
        let program = program().expect("an available program");
        let mut child = Command::new(program)
            .arg(field_type)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("a pipe"));
        let mut started = Self { child, input, output };
        let mut input = Vec::new();
        input.extend((messages.len() as u64).to_ne_bytes());
        for message in messages {
            input.extend((message.len() as u64).to_ne_bytes());
            input.extend(message);
        }
        started.send(&input);
        started
    }

    /// Performs the operation on all messages, that many times, and returns how long it took.
    pub(crate) fn run(&mut self, operation: Operation, times: u64) -> Duration {
        self.send(&[(operation as u64).to_ne_bytes(), times.to_ne_bytes()].concat());
        let mut nanoseconds = [0; 8];
        self.output
            .read_exact(&mut nanoseconds)
            .expect("libprotobuf: the messages are parsed and serialized alike");
        Duration::from_nanos(u64::from_ne_bytes(nanoseconds))
    }

    fn send(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("an open pipe");
        input
            .write_all(bytes)
            .and_then(|()| input.flush())
            .expect("libprotobuf: the process reads its input");
    }
}

impl Drop for Libprotobuf {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}

/// Returns the program, which is built by the first call.
fn program() -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || build().map_err(|reason| println!("libprotobuf is left out: {reason}")).ok();
    PROGRAM.get_or_init(build).as_deref()
}

/// Builds the program below the target folder, from `cpp/` in the folder of this package.
fn build() -> Result<PathBuf, String> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpp");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cpp");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let program = folder.join("packed");
    let flags = output(Command::new("pkg-config").args(["--cflags", "--libs", "protobuf"]))?;
    output(
        Command::new("protoc")
            .arg("--proto_path")
            .arg(&sources)
            .arg("--cpp_out")
            .arg(&folder)
            .arg("packed.proto"),
    )?;
    output(
        Command::new("c++")
            .args(["-O3", "-std=c++17", "-I"])
            .arg(&folder)
            .arg(sources.join("packed.cc"))
            .arg(folder.join("packed.pb.cc"))
            .arg("-o")
            .arg(&program)
            .args(flags.split_whitespace()),
    )?;
    Ok(program)
}

/// Runs a command, and returns its output. An error names the packages to install.
fn output(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            format!("{name} is not installed (Debian: g++ pkg-config libprotobuf-dev protobuf-compiler)")
        }
        _ => format!("{name}: {error}"),
    })?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{name} failed: {}", String::from_utf8_lossy(&output.stderr).trim()))
    }
}
