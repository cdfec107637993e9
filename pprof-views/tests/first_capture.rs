//! The first CPU profile of a process in which each allocation is sampled. It is a separate test program
//! because a process has only one first profile, at which the signal handler allocates memory.

use pprof_views::Capture;
use pprof_views::heap::{HeapProfiler, profile, set_rate};

#[global_allocator]
static ALLOCATOR: HeapProfiler = HeapProfiler::new();

/// The sampler follows the stack of the handler to its end. Behind it in memory are other variables of the
/// program, such as the counters of sampled allocations, which are no addresses of functions.
#[test]
fn allocations_in_the_signal_handler_are_sampled() -> Result<(), Box<dyn std::error::Error>> {
    if !Capture::IS_SUPPORTED {
        return Ok(());
    }
    set_rate(1);
    // Enough for nearly all counters of the sampler to be above 0.
    let kept: Vec<Box<[u8; 16]>> = (0..400_000).map(|_| Box::new([1; 16])).collect();
    set_rate(64); // the handler allocates the unwind tables of the program, in large blocks
    let capture = Capture::start(99)?;
    capture.finish()?;
    assert!(profile()?.total(0) >= kept.len() as i64);
    Ok(())
}
