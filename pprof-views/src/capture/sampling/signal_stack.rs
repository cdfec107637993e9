//! Runs the signal handler of pprof-rs on a stack of its own.
//!
//! It moves 512 addresses several times, and with the unwinder it needs 26 KB of stack, and 66 KB in debug
//! builds. A thread may have less. The unwinder starts at the registers of the interrupted code, so it
//! does not depend on the stack on which it runs itself. On the thread's stack remain the registers that
//! the kernel stores for each signal.
#![allow(unsafe_code)] // a signal handler, and another stack

use std::arch::asm;
use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use nix::libc::siginfo_t;
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

/// The size of the stack in bytes. The system provides memory only for the part that is used.
const SIZE: usize = 256 << 10;
/// The number of bytes at the end of the stack that stay zero. At the first signal the handler allocates
/// memory, so the heap profiler unwinds this stack. It takes a word above the frames of the handler for the
/// address to which [`handle`] returns. An unwinder stops at the address 0. At any other one that belongs
/// to no function it reads the instructions, which crashes the program if no memory is there.
const ZEROS: usize = 4 << 10; // more than the frame of `handle`, whatever the compiler stores there

#[repr(align(16))] // as functions expect
struct Stack(UnsafeCell<[u8; SIZE]>);

// SAFETY: `IS_USED` gives it to one thread at a time.
unsafe impl Sync for Stack {}

static STACK: Stack = Stack(UnsafeCell::new([0; SIZE]));
static IS_USED: AtomicBool = AtomicBool::new(false);

type Handler = extern "C" fn(c_int, *mut siginfo_t, *mut c_void);

/// The handler of pprof-rs.
static HANDLER: OnceLock<Handler> = OnceLock::new();

/// Replaces the handler of pprof-rs, which has started, by one that calls it on another stack. It remains
/// until pprof-rs stops.
pub(super) fn install() -> nix::Result<()> {
    let flags = SaFlags::SA_SIGINFO | SaFlags::SA_RESTART;
    let action = SigAction::new(SigHandler::SigAction(handle), flags, SigSet::empty());
    // SAFETY: the handler calls only functions that a signal handler may call.
    let old = unsafe { sigaction(Signal::SIGPROF, &action) }?;
    if let SigHandler::SigAction(handler) = old.handler() {
        HANDLER.get_or_init(|| handler);
    }
    Ok(())
}

/// Calls the handler of pprof-rs. A sample is lost while another thread is sampled, as it is in pprof-rs.
extern "C" fn handle(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let Some(&handler) = HANDLER.get() else { return };
    if IS_USED.swap(true, Ordering::Acquire) {
        return;
    }
    let end = STACK.0.get().cast::<u8>().wrapping_add(SIZE - ZEROS);
    // SAFETY: this address is in the stack and a multiple of 16, and nothing else uses the stack. The
    // register that keeps the stack pointer is one that functions restore.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        asm!(
            "xchg rsp, r12",
            "call {handler}",
            "mov rsp, r12",
            handler = in(reg) handler,
            inout("r12") end => _,
            in("rdi") signal,
            in("rsi") info,
            in("rdx") context,
            clobber_abi("C"),
        );
        #[cfg(target_arch = "aarch64")]
        asm!(
            "mov x20, sp",
            "mov sp, {end}",
            "blr {handler}",
            "mov sp, x20",
            end = in(reg) end,
            handler = in(reg) handler,
            out("x20") _,
            in("x0") signal,
            in("x1") info,
            in("x2") context,
            clobber_abi("C"),
        );
    }
    IS_USED.store(false, Ordering::Release);
}
