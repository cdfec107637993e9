//! Tests of profiles of the heap. They are a separate test program because of its allocator.
#![allow(unsafe_code)] // an allocator that fails, and functions of the C library

use std::alloc::{GlobalAlloc, Layout, System, alloc, dealloc, realloc};
use std::hint::black_box;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use pprof_views::heap::{DEFAULT_RATE, HeapProfiler, profile, set_rate};
use pprof_views::{Capture, Profile, View};

/// An allocator that refuses to make an allocation of this many bytes, which nothing else asks for.
struct Refusing;

const REFUSED: usize = isize::MAX as usize / 2;

// SAFETY: all calls are passed on as they are, or refused, which an allocator may do.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        if size == REFUSED { std::ptr::null_mut() } else { unsafe { System.realloc(pointer, layout, size) } }
    }
}

#[global_allocator]
static ALLOCATOR: HeapProfiler<Refusing> = HeapProfiler::with(Refusing);

/// Sets the rate, for the test that holds the lock: it is that of the process. Returns `None` where
/// profiles cannot be taken.
fn with_rate(bytes: usize) -> Option<MutexGuard<'static, ()>> {
    static LOCK: Mutex<()> = Mutex::new(());
    let guard = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    set_rate(bytes);
    Capture::IS_SUPPORTED.then_some(guard)
}

/// Returns `alloc_objects`, `alloc_space`, `inuse_objects` and `inuse_space` of a function and its
/// callees, as numbers of `top`.
fn values(profile: &Profile, function: &str) -> [f64; 4] {
    ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"].map(|kind| {
        let view = View::new(profile).sample_index(kind).expect("a sample type of heap profiles");
        let pattern = function.replace(['[', ']'], ".");
        let Ok(text) = view.peek(&pattern) else { return 0.0 }; // no sample
        let row = text.lines().find(|row| row.ends_with(&format!("| {function}")));
        let Some(row) = row else { return 0.0 };
        let cum = row.split_whitespace().nth(3).expect("a column");
        let units = [("kB", 1024.0), ("MB", 1048576.0), ("GB", 1073741824.0), ("B", 1.0), ("", 1.0)];
        let (unit, factor) = units.into_iter().find(|(unit, _)| cum.ends_with(unit)).expect("a unit");
        cum[..cum.len() - unit.len()].parse::<f64>().expect("a number") * factor
    })
}

#[allow(clippy::vec_box)] // many objects are needed
#[inline(never)]
fn kept_boxes(count: usize) -> Vec<Box<[u8; 1024]>> {
    let mut boxes = Vec::with_capacity(count);
    boxes.extend((0..count).map(|_| black_box(Box::new([1; 1024]))));
    boxes
}

#[allow(clippy::vec_box)]
#[inline(never)]
fn boxes_below(depth: usize) -> Vec<Box<[u8; 1024]>> {
    match depth {
        0 => kept_boxes(100),
        _ => black_box(boxes_below(black_box(depth - 1))), // no tail call
    }
}

#[allow(clippy::vec_box)]
#[inline(never)]
fn caller_of_300() -> Vec<Box<[u8; 1024]>> {
    black_box(boxes_below(black_box(300)))
}

#[allow(clippy::vec_box)]
#[inline(never)]
fn caller_of_20000() -> Vec<Box<[u8; 1024]>> {
    black_box(boxes_below(black_box(20_000)))
}

#[test]
fn deep_stacks_have_all_frames_or_a_root_that_says_so() {
    let Some(_rate) = with_rate(1) else { return };
    let kept = caller_of_300();
    assert_eq!(values(&profile().expect("a profile"), "heap::caller_of_300")[0], 101.0);
    drop(kept);
    let thread = thread::Builder::new().stack_size(64 << 20).spawn(caller_of_20000).expect("a thread");
    let kept = thread.join().expect("no panic");
    let profile = profile().expect("a profile");
    let [objects, ..] = values(&profile, "[truncated]");
    assert_eq!((objects, values(&profile, "heap::caller_of_20000")), (101.0, [0.0; 4]));
    assert!(View::new(&profile).top().contains("\nTruncated stacks: "));
    drop(kept);
}

#[inline(never)]
fn freed_boxes(count: usize) {
    (0..count).for_each(|_| drop(black_box(Box::new([1u8; 2048]))));
}

#[test]
fn at_rate_1_every_object_and_byte_is_counted() {
    let Some(_rate) = with_rate(1) else { return };
    let kept = kept_boxes(1000);
    freed_boxes(500);
    let before = profile().expect("a profile");
    drop(kept);
    let after = profile().expect("a profile");
    // The boxes, and the vector of their addresses. Sizes are rounded to two digits after the point.
    let bytes = (1000 * 1024 + 8000) as f64;
    let near = |[objects, space, objects_in_use, space_in_use]: [f64; 4]| {
        [objects, (space / 10240.0).round(), objects_in_use, (space_in_use / 10240.0).round()]
    };
    let rounded = (bytes / 10240.0).round();
    assert_eq!(near(values(&before, "heap::kept_boxes")), [1001.0, rounded, 1001.0, rounded]);
    assert_eq!(near(values(&after, "heap::kept_boxes")), [1001.0, rounded, 0.0, 0.0]);
    assert_eq!(values(&before, "heap::freed_boxes"), [500.0, 500.0 * 2048.0, 0.0, 0.0]);
}

#[test]
fn samples_begin_at_the_function_that_asks_for_memory() {
    let Some(_rate) = with_rate(1) else { return };
    let kept = black_box(kept_boxes(10));
    let text = View::new(&profile().expect("a profile")).peek("heap::kept_boxes").expect("a sample");
    assert!(text.contains("heap::kept_boxes::{{closure}}"), "the function that calls Box::new: {text}");
    for inner in
        ["Box<T>::new", "with_capacity", "alloc::raw_vec", "HeapProfiler", "backtrace::", "__rust_alloc"]
    {
        assert!(!text.contains(inner), "{inner} in {text}");
    }
    drop(kept);
}

/// Allocates 1 GB in sizes from 16 bytes to 1 MB, as many bytes of each.
#[inline(never)]
fn mixed_sizes() -> (f64, f64) {
    let (mut objects, mut bytes) = (0.0, 0.0);
    for power in 4..=20 {
        let size = 1usize << power;
        for _ in 0..(1 << 26) / size {
            drop(black_box(Vec::<u8>::with_capacity(size)));
            objects += 1.0;
            bytes += size as f64;
        }
    }
    (objects, bytes)
}

/// The bytes have about 2,100 samples here, a standard deviation of 2.2 %. Nearly all objects are of 16 and
/// 32 bytes, of which few are sampled: their number is too uncertain for a test.
#[test]
fn sums_of_samples_are_near_the_truth_whatever_the_sizes_are() {
    let Some(_rate) = with_rate(DEFAULT_RATE) else { return };
    let (_, bytes) = mixed_sizes();
    let [_, space, _, in_use] = values(&profile().expect("a profile"), "heap::mixed_sizes");
    assert!((space / bytes - 1.0).abs() < 0.12, "{space} of {bytes} bytes");
    assert_eq!(in_use, 0.0);
}

#[inline(never)]
fn objects_of_one_size(count: usize) -> Vec<Vec<u8>> {
    black_box((0..count).map(|_| black_box(Vec::with_capacity(64 << 10))).collect()) // no tail call
}

/// One in eight of these is a sample: about 4,000, which have a standard deviation of 1.5 %.
#[test]
fn objects_and_bytes_are_known_to_a_few_percent_at_the_default_rate() {
    let Some(_rate) = with_rate(DEFAULT_RATE) else { return };
    let kept = objects_of_one_size(32_768); // not written, so that they take no memory
    let found = values(&profile().expect("a profile"), "heap::objects_of_one_size");
    for (value, truth) in found.into_iter().zip([32_768.0, 2147483648.0, 32_768.0, 2147483648.0]) {
        assert!((value / truth - 1.0).abs() < 0.10, "{found:?}");
    }
    drop(kept);
    let [_, _, objects, bytes] = values(&profile().expect("a profile"), "heap::objects_of_one_size");
    assert_eq!((objects, bytes), (0.0, 0.0));
}

#[inline(never)]
fn resized(first: usize, refused: usize) -> (*mut u8, Layout) {
    let layout = Layout::from_size_align(first, 8).expect("a valid layout");
    // SAFETY: the size is not 0, and the memory is that of the call before.
    unsafe {
        let pointer = black_box(alloc(layout));
        assert!(black_box(realloc(pointer, layout, refused)).is_null());
        (pointer, layout)
    }
}

#[test]
fn memory_that_cannot_be_resized_is_still_in_use() {
    let Some(_rate) = with_rate(1) else { return };
    let (pointer, layout) = resized(5120, REFUSED);
    assert_eq!(values(&profile().expect("a profile"), "heap::resized"), [1.0, 5120.0, 1.0, 5120.0]);
    // SAFETY: allocated with this layout.
    unsafe { dealloc(pointer, layout) };
    assert_eq!(values(&profile().expect("a profile"), "heap::resized"), [1.0, 5120.0, 0.0, 0.0]);
}

#[inline(never)]
fn unsampled() -> Box<[u64; 100]> {
    black_box(Box::new([7; 100]))
}

#[test]
fn at_rate_0_nothing_is_sampled() {
    let Some(_rate) = with_rate(0) else { return };
    let kept = unsampled();
    assert_eq!(values(&profile().expect("a profile"), "heap::unsampled"), [0.0; 4]);
    drop(kept);
}

#[inline(never)]
fn in_threads(byte: u8) -> Vec<u8> {
    black_box(vec![byte; 4096])
}

/// Memory of a thread can be freed by another one, and after its thread has ended.
#[test]
fn threads_free_the_memory_of_each_other() {
    let Some(_rate) = with_rate(1) else { return };
    let made: Vec<_> = (0..8)
        .map(|byte| thread::spawn(move || (0..100).map(|_| in_threads(byte)).collect::<Vec<_>>()))
        .collect();
    let made: Vec<_> = made.into_iter().map(|thread| thread.join().expect("no panic")).collect();
    assert_eq!(values(&profile().expect("a profile"), "heap::in_threads")[2], 800.0);
    for thread in made.into_iter().map(|made| thread::spawn(move || drop(made))).collect::<Vec<_>>() {
        thread.join().expect("no panic");
    }
    assert_eq!(values(&profile().expect("a profile"), "heap::in_threads")[2], 0.0);
}

/// A child has one thread, and locks of the others are never released in it.
#[cfg(target_os = "linux")]
#[test]
fn children_of_threads_that_allocate_do_not_wait_for_locks() {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    let Some(_rate) = with_rate(1) else { return };
    static IS_OVER: AtomicBool = AtomicBool::new(false);
    let threads = [(); 3].map(|()| {
        thread::spawn(|| {
            while !IS_OVER.load(Relaxed) {
                drop(black_box(vec![1u8; 100]));
            }
        })
    });
    for _ in 0..200 {
        // SAFETY: the child only allocates, frees, and ends without destructors. glibc's allocator can be
        // used after `fork`.
        let status = unsafe {
            let child = libc::fork();
            assert!(child >= 0, "fork failed");
            if child == 0 {
                libc::alarm(20); // ends a child that waits for a lock
                (0..500).for_each(|size| drop(black_box(vec![1u8; size + 1])));
                libc::_exit(0);
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &mut status, 0), child);
            status
        };
        assert_eq!(status, 0, "a child was ended by its alarm or a signal");
    }
    IS_OVER.store(true, Relaxed);
    for thread in threads {
        thread.join().expect("no panic");
    }
}
