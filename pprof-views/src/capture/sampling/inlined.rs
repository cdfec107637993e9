//! A function that makes profiles distinguish inlined functions and lines (feature `program`).

/// Returns `address` itself.
///
/// pprof-rs counts two samples as the same if this function returns the same address for both. The
/// system's version returns the start of the machine function. All samples in that function would
/// then have the inlined functions and the line of the first one. The symbol is process-wide, so
/// it is behind a feature that programs enable and libraries do not.
// SAFETY: the name and the signature are those of a function of the unwinding library. Only
// pprof-rs depends on its result: unwinding does not call it, and backtraces, which may call it, do
// not require the start of a function.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
extern "C" fn _Unwind_FindEnclosingFunction(address: *mut std::ffi::c_void) -> *mut std::ffi::c_void {
    address
}
