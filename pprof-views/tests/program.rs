//! Profiles of a program whatever its path is, and whether it is still there. The program is this one,
//! which runs copies of itself.
#![cfg(target_os = "linux")]

use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

use pprof_views::{Capture, Profile, View};

/// When a copy deletes its file, and where it writes its profile.
const VARIABLES: [&str; 2] = ["PPROF_VIEWS_DELETE", "PPROF_VIEWS_PROFILE"];

#[inline(never)]
fn worked(x: u64) -> u64 {
    (0..1000).fold(x, |x, i| black_box(x).rotate_left(5) ^ i)
}

/// The work of the copies, which takes a profile with some samples.
#[test]
#[ignore = "the other tests run it, in copies of this program"]
fn copy() -> Result<(), Box<dyn Error>> {
    let [delete, path] = VARIABLES.map(|name| env::var_os(name).unwrap_or_default());
    let program = env::current_exe()?;
    let delete_at = |moment: &str| if delete == *moment { fs::remove_file(&program) } else { Ok(()) };
    delete_at("before")?;
    for times in (0..16).map(|doubled| 1 << doubled) {
        let capture = Capture::start(1000)?;
        black_box((0..100_000u64 * times).fold(1, |x, _| black_box(worked(x))));
        if times == 1 {
            delete_at("between")?;
        }
        let profile = capture.finish()?;
        if profile.total(0) >= 20 {
            return Ok(fs::write(path, profile.to_bytes())?);
        }
    }
    Err("no samples".into())
}

/// Held from the first byte of a copy until it runs. A process that another test starts meanwhile would
/// have the file open for writing until it runs its own program, and a file open for writing cannot run.
static COPY: Mutex<()> = Mutex::new(());

struct Copied {
    program: PathBuf,
    profile: Profile,
    /// The bytes of the profile, which has its strings as they are.
    bytes: String,
}

/// Copies this program into a folder, where it takes a profile of itself.
fn profile_of_copy(
    folder: &Path,
    name: &str,
    is_stripped: bool,
    delete: &str,
) -> Result<Copied, Box<dyn Error>> {
    let program = folder.join("target dir ü").join(name);
    fs::create_dir_all(program.parent().ok_or("no folder")?)?;
    let held = COPY.lock().unwrap_or_else(PoisonError::into_inner);
    fs::copy(env::current_exe()?, &program)?;
    if is_stripped {
        assert!(Command::new("strip").arg(&program).status()?.success(), "strip, of the C linker");
    }
    let path = folder.join("profile.pb");
    let mut command = Command::new(&program);
    command.args(["--exact", "copy", "--ignored"]).env(VARIABLES[0], delete).env(VARIABLES[1], &path);
    let started = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    drop(held);
    let output = started.wait_with_output()?;
    assert!(output.status.success(), "{output:?}");
    let profile = Profile::read(&path)?;
    let bytes = String::from_utf8_lossy(&profile.to_bytes()).into_owned();
    Ok(Copied { program, profile, bytes })
}

#[test]
fn the_path_of_a_program_can_have_any_characters() -> Result<(), Box<dyn Error>> {
    for is_stripped in [false, true].into_iter().filter(|_| Capture::IS_SUPPORTED) {
        let folder = tempfile::tempdir()?;
        let Copied { program, profile, bytes } = profile_of_copy(folder.path(), "a b", is_stripped, "never")?;
        assert!(bytes.contains(&*program.to_string_lossy()), "no {program:?} in the profile");
        let top = View::new(&profile).top();
        assert!(top.starts_with("File: a b\n"), "{top}");
        let row = if is_stripped { "  [a b]\n" } else { "  program::worked" };
        assert!(top.contains(row), "no row '{row}' in {top}");
    }
    Ok(())
}

#[test]
fn a_program_that_was_deleted_keeps_its_name() -> Result<(), Box<dyn Error>> {
    let cases = [("app", "before"), ("app", "between"), ("x (deleted)", "never")];
    for (name, delete) in cases.into_iter().filter(|_| Capture::IS_SUPPORTED) {
        let folder = tempfile::tempdir()?;
        let Copied { program, profile, bytes } = profile_of_copy(folder.path(), name, false, delete)?;
        assert!(bytes.contains(&*program.to_string_lossy()), "no {program:?} in the profile");
        assert_eq!(bytes.contains("(deleted)"), name.contains("(deleted)"), "{bytes}");
        let top = View::new(&profile).top();
        assert!(top.starts_with(&format!("File: {name}\n")), "{top}");
        // The first profile of a process reads the file. Without it, neither callers nor names are known,
        // and what the unwinder takes for a caller may be in a file by chance.
        assert!(delete == "before" || !top.contains("Truncated stacks: "), "{name}, deleted {delete}: {top}");
        let row = if delete == "before" { "  [app]\n" } else { "  program::worked" };
        assert!(top.contains(row), "no row '{row}' in {top}");
    }
    Ok(())
}
