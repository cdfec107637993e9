//! The signal handler of profiles does not allocate, wait for a lock or unwind, whatever it interrupts:
//! threads that panic, allocate, fork, load libraries, start threads and use a thread pool.
//!
//! The functions below replace those of the system in this program and in the libraries that it
//! loads. Each counts its calls in the handler and calls the function that it replaces.
#![cfg(all(target_os = "linux", target_env = "gnu"))]
#![allow(unsafe_code)] // functions of the C library

use std::cell::Cell;
use std::error::Error;
use std::ffi::{c_int, c_long, c_void};
use std::hint::black_box;
use std::mem::{transmute, zeroed};
use std::os::unix::process::CommandExt;
use std::panic::{catch_unwind, resume_unwind};
use std::process::Command;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;

use pprof_views::{Capture, MAX_HERTZ};
use rayon::prelude::*;

thread_local! {
    /// Whether this thread runs the handler.
    static IS_HANDLER: Cell<bool> = const { Cell::new(false) };
}

/// The handler of pprof-rs.
static HANDLER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// The number of signals that it has received.
static SIGNALS: AtomicU64 = AtomicU64::new(0);

type Pointer = *mut c_void;

unsafe extern "C" {
    // Other names of the allocator. Looking up a name could allocate memory.
    fn __libc_malloc(size: usize) -> Pointer;
    fn __libc_calloc(count: usize, size: usize) -> Pointer;
    fn __libc_realloc(block: Pointer, size: usize) -> Pointer;
    fn __libc_free(block: Pointer);
}

/// Defines functions with the names, parameters and results of the system's. A name after `=` is
/// another one of the system's function. Without it, that function is looked up in the libraries.
macro_rules! intercept {
    ($($name:ident $(= $other:ident)? ($($argument:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {
        #[allow(non_camel_case_types)]
        enum Function { $($name),* }

        /// The names of the forbidden functions.
        const NAMES: &[&str] = &[$(stringify!($name)),*];

        $(
            #[unsafe(no_mangle)]
            unsafe extern "C" fn $name($($argument: $kind),*) $(-> $result)? {
                static ORIGINAL: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
                if IS_HANDLER.get() {
                    CALLS[Function::$name as usize].fetch_add(1, Relaxed);
                }
                let others: &[Pointer] = &[$($other as *const () as Pointer)?];
                let original = others.first().copied().unwrap_or_else(|| {
                    look_up(&ORIGINAL, concat!(stringify!($name), "\0"))
                });
                // SAFETY: the function has this type, and the caller keeps its rules.
                unsafe {
                    transmute::<Pointer, unsafe extern "C" fn($($kind),*) $(-> $result)?>(original)($($argument),*)
                }
            }
        )*
    };
}

intercept! {
    malloc = __libc_malloc(size: usize) -> Pointer;
    calloc = __libc_calloc(count: usize, size: usize) -> Pointer;
    realloc = __libc_realloc(block: Pointer, size: usize) -> Pointer;
    free = __libc_free(block: Pointer);
    posix_memalign(block: Pointer, alignment: usize, size: usize) -> c_int;
    pthread_mutex_lock(mutex: Pointer) -> c_int;
    pthread_rwlock_rdlock(lock: Pointer) -> c_int;
    pthread_rwlock_wrlock(lock: Pointer) -> c_int;
    pthread_cond_wait(condition: Pointer, mutex: Pointer) -> c_int;
    // The standard library waits for its locks with it.
    syscall(number: c_long, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize) -> c_long;
    dl_iterate_phdr(callback: Pointer, data: Pointer) -> c_int;
    _Unwind_Backtrace(callback: Pointer, data: Pointer) -> c_int;
    _Unwind_RaiseException(exception: Pointer) -> c_int;
}

static CALLS: [AtomicU64; NAMES.len()] = [const { AtomicU64::new(0) }; NAMES.len()];

/// Returns the function with this name in the libraries after this program.
fn look_up(cache: &AtomicPtr<c_void>, name: &'static str) -> Pointer {
    let mut found = cache.load(Relaxed);
    if found.is_null() {
        // SAFETY: the name ends with a zero byte.
        found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr().cast()) };
        cache.store(found, Relaxed);
    }
    found
}

/// Returns the forbidden functions that the handler has called since the last time, with the number
/// of calls.
fn take_calls() -> Vec<(&'static str, u64)> {
    let calls = NAMES.iter().zip(&CALLS).map(|(&name, count)| (name, count.swap(0, Relaxed)));
    calls.filter(|&(_, count)| count > 0).collect()
}

/// Puts a function around the handler of pprof-rs that notes that it is running. It remains until
/// the profile ends.
fn wrap_handler() {
    // SAFETY: zero is a valid value of all fields, and the handler below has the type that
    // `SA_SIGINFO`, which pprof-rs sets, requires.
    unsafe {
        let mut action: libc::sigaction = zeroed();
        assert_eq!(libc::sigaction(libc::SIGPROF, null(), &mut action), 0);
        HANDLER.store(action.sa_sigaction as Pointer, Relaxed);
        action.sa_sigaction = wrapped as *const () as usize;
        assert_eq!(libc::sigaction(libc::SIGPROF, &action, null_mut()), 0);
    }
}

extern "C" fn wrapped(signal: c_int, info: Pointer, context: Pointer) {
    let before = IS_HANDLER.replace(true);
    SIGNALS.fetch_add(1, Relaxed);
    // SAFETY: the handler has this type.
    let handler: extern "C" fn(c_int, Pointer, Pointer) = unsafe { transmute(HANDLER.load(Relaxed)) };
    handler(signal, info, context);
    if let Some(inject) = FAULTS.get(FAULT.load(Relaxed)) {
        inject.1();
    }
    IS_HANDLER.set(before);
}

/// A function that the handler must not call, and its name.
type Fault = (&'static str, fn());

const FAULTS: [Fault; 3] = [
    ("malloc", || drop(black_box(Box::new(1)))),
    ("pthread_mutex_lock", || {
        static mut MUTEX: libc::pthread_mutex_t = libc::PTHREAD_MUTEX_INITIALIZER;
        // SAFETY: the mutex is initialized.
        unsafe { libc::pthread_mutex_lock(&raw mut MUTEX) };
    }),
    ("_Unwind_Backtrace", || {
        extern "C" fn stop(_: Pointer, _: Pointer) -> c_int {
            4 // _URC_END_OF_STACK
        }
        // SAFETY: the callback has the required type.
        unsafe { _Unwind_Backtrace(stop as *const () as Pointer, null_mut()) };
    }),
];
/// The index of the fault that the handler has; none if there is no such fault.
static FAULT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// What is delicate for a signal handler.
const WORK: [fn(); 6] = [
    || _ = catch_unwind(|| resume_unwind(Box::new(()))),
    || {
        for size in 1..1000 {
            let mut bytes = vec![1u8; size * 7];
            bytes.reserve(size * 100);
            black_box(bytes);
        }
    },
    || {
        let mut command = Command::new("/bin/true");
        // SAFETY: the function does nothing. With one, the standard library forks.
        let status = unsafe { command.pre_exec(|| Ok(())) }.status();
        assert!(status.is_ok_and(|status| status.success()), "cannot run /bin/true");
    },
    || {
        // SAFETY: no function of the library, which is one of glibc, is used.
        let closed = unsafe { libc::dlclose(libc::dlopen(c"libresolv.so.2".as_ptr(), libc::RTLD_NOW)) };
        assert_eq!(closed, 0, "cannot load and unload a library");
    },
    || _ = black_box((0..100_000u64).into_par_iter().map(black_box).sum::<u64>()),
    || assert!(thread::spawn(|| (0..10_000u64).map(black_box).sum::<u64>()).join().is_ok()),
];

/// The number of signals that must arrive during the work.
const LEAST_SIGNALS: u64 = 50;
/// The number of profiles after which they must have arrived.
const MOST_PROFILES: usize = 2000;

/// Does some work `least` times or more, and for as long as profiles are recorded.
fn repeat(work: fn(), least: usize, left: &AtomicUsize, is_running: &AtomicBool) {
    (0..least).for_each(|_| work());
    left.fetch_sub(1, Relaxed);
    while is_running.load(Relaxed) {
        work();
    }
}

#[test]
fn the_signal_handler_calls_no_forbidden_function() -> Result<(), Box<dyn Error>> {
    if !Capture::IS_SUPPORTED {
        return Ok(());
    }
    let capture = Capture::start(MAX_HERTZ)?;
    wrap_handler();
    take_calls();
    // SAFETY: the signal has a handler.
    unsafe { libc::raise(libc::SIGPROF) };
    assert_eq!(take_calls(), [], "of the first signal");
    for (index, (name, _)) in FAULTS.iter().enumerate() {
        FAULT.store(index, Relaxed);
        // SAFETY: the signal has a handler.
        unsafe { libc::raise(libc::SIGPROF) };
        FAULT.store(usize::MAX, Relaxed);
        let calls = take_calls();
        assert!(calls.iter().any(|(found, _)| found == name), "injected {name}, found {calls:?}");
    }
    drop(capture);

    let before = SIGNALS.load(Relaxed);
    let signals = || SIGNALS.load(Relaxed) - before;
    let (left, is_running) = (&AtomicUsize::new(WORK.len()), &AtomicBool::new(true));
    thread::scope(|scope| {
        for work in WORK {
            scope.spawn(move || repeat(work, 20, left, is_running));
        }
        // Profiles start and stop at any moment of the work. How many signals a profile gets depends on
        // the timer of the system, so their number decides when to stop, and not a time.
        scope.spawn(|| {
            for _ in 0..MOST_PROFILES {
                let capture = Capture::start(MAX_HERTZ).expect("a timer");
                wrap_handler();
                thread::sleep(std::time::Duration::from_millis(20));
                drop(capture);
                if left.load(Relaxed) == 0 && signals() >= LEAST_SIGNALS {
                    break;
                }
            }
            is_running.store(false, Relaxed);
        });
    });
    let signals = signals();
    assert!(signals >= LEAST_SIGNALS, "only {signals} signals in {MOST_PROFILES} profiles");
    assert_eq!(take_calls(), [], "of {signals} signals");
    Ok(())
}
