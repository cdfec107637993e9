//! Calls of each kernel with slices that extend one element past their allocation. AddressSanitizer
//! must detect every one of them. checks/asan.sh runs this first, to make sure that the sanitizer
//! is active.

#![allow(unsafe_code)] // an injected fault has no safe form

use std::hint::black_box;

use zigzag_varint::{Kernel, Varint};

use crate::support::child::run_ignored_test;

/// The length of the slices: not a multiple of any window.
const N: usize = 203;

/// Extends the slice by the element after it.
fn one_more<T>(slice: &[T]) -> &[T] {
    // SAFETY: unsound on purpose. The element after the end is outside the allocation, and the
    // sanitizer must detect the access to it.
    unsafe { std::slice::from_raw_parts(slice.as_ptr(), slice.len() + 1) }
}

fn one_more_mut<T>(slice: &mut [T]) -> &mut [T] {
    // SAFETY: unsound on purpose, as above.
    unsafe { std::slice::from_raw_parts_mut(slice.as_mut_ptr(), slice.len() + 1) }
}

/// A call that reads or writes one element past the end.
type OutOfBoundsCall = fn(Kernel);

const OUT_OF_BOUNDS_CALLS: [(&str, OutOfBoundsCall); 6] = [
    ("decode reads", |kernel| {
        let _ = black_box(kernel.decode_slice::<u64>(one_more(&heap(1, N)), &mut [0; 2 * N]));
    }),
    ("decode writes", |kernel| {
        let valid = [1; 2 * N];
        let _ = black_box(kernel.decode_slice::<u64>(&valid, one_more_mut(&mut heap(0u64, N))));
    }),
    ("encode reads", |kernel| {
        let _ = black_box(kernel.encode_slice::<u64>(one_more(&heap(300u64, N)), &mut [0; 20 * N]));
    }),
    ("encode writes", |kernel| {
        let _ = black_box(kernel.encode_slice::<u32>(&[1; N + 1], one_more_mut(&mut heap(1, N))));
    }),
    ("count reads", |kernel| {
        black_box(kernel.count(one_more(&heap(1, N))));
    }),
    ("u64::decode reads", |_| {
        let _ = black_box(u64::decode(one_more(&heap(0x80, 5))));
    }),
];

/// Allocates `len` elements on the heap, where the sanitizer watches both ends.
fn heap<T: Clone>(value: T, len: usize) -> Box<[T]> {
    black_box(vec![value; len].into())
}

/// The environment variables that choose the kernel and the call of [`access_out_of_bounds`].
/// Without them the test does nothing.
const KERNEL: &str = "ZIGZAG_VARINT_OVER_READ_BY";
const CALL: &str = "ZIGZAG_VARINT_OVER_READ_IN";

#[test]
#[ignore = "accesses memory out of bounds; the test below runs it in a child process"]
fn access_out_of_bounds() {
    let (Ok(kernel), Ok(call)) = (std::env::var(KERNEL), std::env::var(CALL)) else { return };
    let kernel = Kernel::by_name(&kernel).expect("a kernel of this CPU");
    let (_, run) = OUT_OF_BOUNDS_CALLS.iter().find(|(name, _)| *name == call).expect("one of the calls");
    run(kernel);
}

#[test]
#[ignore = "passes only under AddressSanitizer: checks/asan.sh runs it"]
fn address_sanitizer_detects_one_element_past_the_end_in_every_call_of_every_kernel() {
    let mut detected = 0;
    for kernel in Kernel::available() {
        for (call, _) in OUT_OF_BOUNDS_CALLS {
            let arguments = [(KERNEL, kernel.name()), (CALL, call)];
            let output = run_ignored_test("over_read::access_out_of_bounds", &arguments);
            let output = output.expect("this test program as a child process");
            let stderr = String::from_utf8_lossy(&output.stderr);
            let reported =
                !output.status.success() && stderr.contains("AddressSanitizer: heap-buffer-overflow");
            assert!(reported, "{kernel}: {call} past the end, without a report: {stderr}");
            detected += 1;
        }
    }
    println!("detected: {detected} injected faults, {} in each kernel", OUT_OF_BOUNDS_CALLS.len());
}
