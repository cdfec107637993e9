//! What makes the profile tell inlined functions and lines apart.

/// pprof counts two samples as one where this function gives one answer for both: as the system has it, that is one
/// answer for a whole function, so that all its samples take the inlined calls and the line of the first. Answering with
/// the address itself keeps them apart. For this program alone: the symbol is process-wide.
// SAFETY: the name is that of a function of the unwinding library, and the signature its own. Nothing but pprof calls it:
// unwinding itself does not, and backtraces, which may, do not need its answer to be the beginning of a function.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn _Unwind_FindEnclosingFunction(address: *mut std::ffi::c_void) -> *mut std::ffi::c_void {
    address
}
