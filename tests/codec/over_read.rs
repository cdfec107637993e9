//! Slices that claim one element more than there is, for each kernel: what AddressSanitizer must
//! catch, in the machine code of every one of them. checks/asan.sh begins with this, so that a run
//! without the sanitizer cannot pass for one with it.

#![allow(unsafe_code)] // an injected fault has no safe form

use std::hint::black_box;
use std::process::Command;

use zigzag_varint::{Kernel, Reader, Varint};

/// Not a multiple of any window.
const N: usize = 203;

/// The slice and the element after it.
fn one_more<T>(slice: &[T]) -> &[T] {
    // SAFETY: none is claimed. The element after the end is not part of the allocation: that it is
    // touched is what has to be seen.
    unsafe { std::slice::from_raw_parts(slice.as_ptr(), slice.len() + 1) }
}

fn one_more_mut<T>(slice: &mut [T]) -> &mut [T] {
    // SAFETY: none is claimed, as above.
    unsafe { std::slice::from_raw_parts_mut(slice.as_mut_ptr(), slice.len() + 1) }
}

/// A call that reads or writes one element too many.
type Trespass = fn(Kernel);

const TRESPASSES: [(&str, Trespass); 13] = [
    ("decode reads", |kernel| {
        let _ = black_box(kernel.decode_slice(one_more(&heap(1, N)), &mut [0u64; 2 * N]));
    }),
    ("decode_canonical reads", |kernel| {
        let _ = black_box(kernel.decode_slice_canonical(one_more(&heap(1, N)), &mut [0u32; 2 * N]));
    }),
    ("decode writes", |kernel| {
        let valid = [1; 2 * N];
        let _ = black_box(kernel.decode_slice(&valid, one_more_mut(&mut heap(0u64, N))));
    }),
    ("encode reads", |kernel| {
        let _ = black_box(kernel.encode_slice(one_more(&heap(300u64, N)), &mut [0; 20 * N]));
    }),
    ("encode writes", |kernel| {
        let _ = black_box(kernel.encode_slice(&[1u32; N + 1], one_more_mut(&mut heap(1, N))));
    }),
    ("encoded_len reads", |kernel| {
        black_box(kernel.encoded_len_slice(one_more(&heap(300u64, N))));
    }),
    ("count reads", |kernel| {
        black_box(kernel.count(one_more(&heap(1, N))));
    }),
    ("skip reads", |kernel| {
        let _ = black_box(kernel.skip(one_more(&heap(1, N)), N + 1));
    }),
    ("delta encode reads", |kernel| {
        let _ = black_box(kernel.encode_delta_slice(0, one_more(&heap(300u64, N)), &mut [0; 20 * N]));
    }),
    ("delta decode writes", |kernel| {
        let valid = [2; 2 * N];
        let _ = black_box(kernel.decode_delta_slice(0, &valid, one_more_mut(&mut heap(0u64, N))));
    }),
    ("one value is read", |_| {
        let _ = black_box(u64::decode(one_more(&heap(0x80, 5))));
    }),
    ("a reader reads", |_| {
        let _ = black_box(Reader::new(one_more(&heap(0x80, 5))).read::<u64>());
    }),
    // Not a u64: the sanitizer does not see into assembly, with which AVX-512 stores one. Guard
    // pages do (guarded_singles.rs).
    ("one value is written", |_| {
        let _ = black_box(u128::MAX.encode_to_slice(one_more_mut(&mut heap(0, 18))));
    }),
];

/// `len` elements on the heap, whose ends the sanitizer watches.
fn heap<T: Clone>(value: T, len: usize) -> Box<[T]> {
    black_box(vec![value; len].into())
}

/// The kernel and the call that [`trespass`] shall make. Without them the test does nothing.
const KERNEL: &str = "ZIGZAG_VARINT_OVER_READ_BY";
const CALL: &str = "ZIGZAG_VARINT_OVER_READ_IN";

#[test]
#[ignore = "touches what it may not; run by the test below"]
fn trespass() {
    let (Ok(kernel), Ok(call)) = (std::env::var(KERNEL), std::env::var(CALL)) else { return };
    let kernel = Kernel::by_name(&kernel).expect("a kernel of this CPU");
    let (_, trespass) = TRESPASSES.iter().find(|(name, _)| *name == call).expect("one of the calls");
    trespass(kernel);
}

#[test]
#[ignore = "passes under AddressSanitizer alone: checks/asan.sh runs it"]
fn address_sanitizer_catches_one_element_too_many_in_every_call_of_every_kernel() {
    let program = std::env::current_exe().expect("this test program");
    let mut caught = 0;
    for kernel in Kernel::available() {
        for (call, _) in TRESPASSES {
            let mut command = Command::new(&program);
            command
                .args(["--ignored", "--exact", "over_read::trespass"])
                .env(KERNEL, kernel.name())
                .env(CALL, call);
            let output = command.output().expect("this test program starts again");
            let stderr = String::from_utf8_lossy(&output.stderr);
            let seen = !output.status.success() && stderr.contains("AddressSanitizer: heap-buffer-overflow");
            assert!(seen, "{kernel}: {call} one too many, and no report: {stderr}");
            caught += 1;
        }
    }
    println!("caught: {caught} injected faults, {} in each kernel", TRESPASSES.len());
}
