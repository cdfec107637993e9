//! Profiles of this process: a test program of its own, in which nothing else uses CPU time or
//! opens files meanwhile.
#![cfg(any(
    all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"),
    all(target_os = "macos", any(target_arch = "x86_64", target_arch = "aarch64"))
))]

use std::error::Error;
use std::hint::black_box;
use std::panic::{catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};

use pprof_views::{Capture, CaptureError, Profile, View};

/// What the docs of [`Capture`] ask programs on Linux for.
// SAFETY: the name is that of a function of the unwinding library, and the signature its own.
// Nothing but pprof-rs calls it.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn _Unwind_FindEnclosingFunction(address: *mut std::ffi::c_void) -> *mut std::ffi::c_void {
    address
}

/// One profile at a time.
static TURN: Mutex<()> = Mutex::new(());

macro_rules! take_turns {
    () => {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    };
}

/// Two functions of equal loops, 3 and 7 of 10 rounds, inlined into a third that nothing is left
/// of.
mod split {
    #[inline(always)]
    fn three(mut x: u64) -> u64 {
        let mut round = 0;
        while round < 300 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            round += 1;
        }
        x
    }

    #[inline(always)]
    fn seven(mut x: u64) -> u64 {
        let mut round = 0;
        while round < 700 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            round += 1;
        }
        x
    }

    #[inline(never)]
    pub(super) fn both(x: u64) -> u64 {
        seven(three(x))
    }
}

/// Takes a profile of that many calls; the shares of the two functions in percent.
fn split(calls: u64) -> Result<(Profile, f64, f64), Box<dyn Error>> {
    let capture = Capture::start(1000)?;
    let mut x = 1;
    for _ in 0..calls {
        x = black_box(split::both(x));
    }
    let profile = capture.finish()?;
    let top = View::new(&profile).top()?;
    let share = |name: &str| {
        let line = top.lines().find(|line| line.contains(name)).unwrap_or("0 0%");
        line.split_whitespace().nth(1).and_then(|share| share.strip_suffix('%')?.parse().ok()).unwrap_or(0.0)
    };
    let (three, seven) = (share("split::three"), share("split::seven"));
    Ok((profile, three, seven))
}

#[test]
fn inlined_functions_have_the_shares_that_they_take() -> Result<(), Box<dyn Error>> {
    take_turns!();
    let (profile, three, seven) = split(1_000_000)?;
    assert!(profile.total(0) > 100, "{} samples", profile.total(0));
    assert!((15.0..45.0).contains(&three) && (55.0..85.0).contains(&seven), "{three} % and {seven} %");
    let listed = View::new(&profile).list("split::seven$")?;
    let lines = listed.lines().filter(|line| line.contains("x ^= x") && !line.contains(". ")).count();
    assert!(lines >= 2, "more than one line has samples: {listed}");
    Ok(())
}

/// Of some 2,500 samples each: three points are more than three standard deviations.
#[test]
#[ignore = "takes a minute of CPU time"]
fn the_split_is_found_within_three_points_five_times() -> Result<(), Box<dyn Error>> {
    take_turns!();
    for _ in 0..5 {
        let (profile, three, seven) = split(5_000_000)?;
        println!("{three:.2} % and {seven:.2} % of {} samples", profile.total(0));
        assert!((three - 30.0).abs() < 3.0 && (seven - 70.0).abs() < 3.0, "{three} % and {seven} %");
    }
    Ok(())
}

#[test]
fn a_second_profile_at_once_is_refused_and_the_next_one_not() -> Result<(), Box<dyn Error>> {
    take_turns!();
    let first = Capture::start(99)?;
    assert!(matches!(Capture::start(99), Err(CaptureError::AlreadyRunning)));
    drop(first);
    let second = Capture::start(99)?;
    assert!(matches!(Capture::start(99), Err(CaptureError::AlreadyRunning)));
    second.finish()?;
    Capture::start(99)?.finish()?;
    Ok(())
}

/// pprof-rs has a temporary file open at any time.
#[cfg(target_os = "linux")]
#[test]
fn no_file_is_left_after_a_profile_nor_after_one_that_is_given_up() -> Result<(), Box<dyn Error>> {
    take_turns!();
    let files = || -> Result<usize, Box<dyn Error>> {
        let open = std::fs::read_dir("/proc/self/fd")?
            .filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
        let is_its_own = |file: &std::path::PathBuf| {
            file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".tmp"))
        };
        Ok(open.filter(|file| is_its_own(file) && file.exists()).count())
    };
    for _ in 0..3 {
        let capture = Capture::start(99)?;
        assert_eq!(files()?, 1);
        capture.finish()?;
        assert_eq!(files()?, 0);
        drop(Capture::start(99)?);
        assert_eq!(files()?, 0);
    }
    Ok(())
}

#[test]
fn frequencies_that_no_timer_has_are_refused() {
    for hertz in [0, 1001, u32::MAX] {
        assert!(matches!(Capture::start(hertz), Err(CaptureError::Frequency(given)) if given == hertz));
    }
}

/// Few systems sample a thousand times a second: the values must not depend on how many samples
/// came.
#[cfg(target_os = "linux")]
#[test]
fn samples_add_up_to_the_cpu_time_that_the_system_counts() -> Result<(), Box<dyn Error>> {
    take_turns!();
    let capture = Capture::start(1000)?;
    let before = cpu_ticks()?;
    let mut x = 1;
    while cpu_ticks()? < before + 100 {
        x = (0..10_000).fold(x, |x, _| black_box(split::both(x)));
    }
    let ticks = cpu_ticks()? - before;
    let profile = capture.finish()?;
    let shown = profile.total(1) as f64 / (ticks * 10_000_000) as f64;
    assert!(
        (0.9..1.1).contains(&shown),
        "{} ns where the system counts {ticks} ticks of 10 ms",
        profile.total(1)
    );
    Ok(())
}

/// CPU time of this process in ticks, of which Linux tells programs that there are 100 in a second.
#[cfg(target_os = "linux")]
fn cpu_ticks() -> Result<u64, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let mut times = after_name.split_whitespace().skip(11).map(str::parse::<u64>);
    let (user, system) = (times.next().ok_or("no user time")??, times.next().ok_or("no system time")??);
    Ok(user + system)
}

/// A signal that meets a panic which is being caught crashes the usual unwinder.
#[test]
fn a_process_that_catches_a_million_panics_is_profiled() -> Result<(), Box<dyn Error>> {
    take_turns!();
    const PANICS: u32 = 1_000_000;
    let capture = Capture::start(1000)?;
    let caught = |_| catch_unwind(|| resume_unwind(Box::new(()))).is_err();
    let threads =
        [(); 2].map(|()| std::thread::spawn(move || (0..PANICS / 2).filter(|&n| caught(n)).count()));
    let counts = threads.map(|thread| thread.join().expect("its panics are caught"));
    let profile = capture.finish()?;
    assert_eq!(counts.iter().sum::<usize>(), PANICS as usize);
    assert!(!profile.is_empty());
    assert!(View::new(&profile).top()?.contains("panic"));
    Ok(())
}
