//! `--checkpoint` of the program: one sweep at a time uses the file, and what it has saved is kept. The
//! tests of the library have the content of the file, and which sweeps resume it.

#[cfg(unix)]
use crate::exec::child::Witness;
use crate::support::{assert_refused, in_folder, sweep};
#[cfg(unix)]
use crate::support::{document, program};
#[cfg(unix)]
use crate::waiting::wait_for;

#[test]
fn two_sweeps_cannot_use_one_checkpoint_at_the_same_time() {
    let path = in_folder();
    let file = path("sweep.json");
    let arguments = ["1..=9", "--checkpoint", &file];
    let held = every_input::Checkpoint::open(file.as_ref()).unwrap();
    let holder = format!("process {}", std::process::id());
    assert_refused(&arguments, 3, &["another sweep is using it", &holder]);
    drop(held);
    assert_eq!(sweep(&arguments).status.code(), Some(0));
}

/// The child takes 200 ms for each answer.
#[test]
#[cfg(unix)]
fn a_sweep_that_is_killed_again_and_again_advances() {
    let (witness, path) = (Witness::new(), in_folder());
    let file = path("checkpoint");
    let saved = || {
        let content = std::fs::read(&file).ok()?;
        document(&content)["content"]["report"]["values"].as_str()?.parse::<u64>().ok()
    };
    let mut before = 0;
    for _ in 0..3 {
        let mut sweep = program();
        sweep.args(["--exec", &witness.command("slow"), "--threads", "2", "--quiet", "--exhaustive"]);
        sweep.args(["--checkpoint", &file, "--checkpoint-every", "500ms"]);
        let mut sweep = sweep.spawn().expect("the program starts");
        let advanced = wait_for(|| saved().filter(|&values| values > before));
        sweep.kill().expect("the program can be killed");
        sweep.wait().expect("the program exits");
        let after = saved().expect("a checkpoint");
        assert!(after >= advanced, "{after} values are saved after {advanced}");
        before = after;
    }
    witness.wait_until_free();
}
