//! Counts the calls of forbidden functions that the signal handler makes.
//!
//! The functions below replace those of the system in this program and in the libraries that it
//! loads. Each counts its calls in the handler and calls the function that it replaces.

use std::cell::Cell;
use std::ffi::{c_int, c_long, c_void};
use std::hint::black_box;
use std::mem::{transmute, zeroed};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering::Relaxed};

thread_local! {
    /// Whether this thread runs the handler.
    static IS_HANDLER: Cell<bool> = const { Cell::new(false) };
}

/// The handler of pprof-rs.
static HANDLER: AtomicPtr<c_void> = AtomicPtr::new(null_mut());
/// The number of signals that it has received.
pub(crate) static SIGNALS: AtomicU64 = AtomicU64::new(0);

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
pub(crate) fn take_calls() -> Vec<(&'static str, u64)> {
    let calls = NAMES.iter().zip(&CALLS).map(|(&name, count)| (name, count.swap(0, Relaxed)));
    calls.filter(|&(_, count)| count > 0).collect()
}

/// Puts a function around the handler of pprof-rs that notes that it is running. It remains until
/// the profile ends.
pub(crate) fn wrap_handler() {
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

/// Injects each fault into the handler while a profile is taken. Returns the number of faults, and
/// panics if one is not found.
pub(crate) fn inject_faults() -> usize {
    take_calls();
    for (index, (name, _)) in FAULTS.iter().enumerate() {
        FAULT.store(index, Relaxed);
        // SAFETY: the signal has a handler.
        unsafe { libc::raise(libc::SIGPROF) };
        FAULT.store(usize::MAX, Relaxed);
        let calls = take_calls();
        assert!(calls.iter().any(|(found, _)| found == name), "injected {name}, found {calls:?}");
    }
    FAULTS.len()
}
