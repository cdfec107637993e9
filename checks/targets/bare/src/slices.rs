//! Slices on every kernel: values of each encoded length and of mixed lengths, also truncated and
//! with invalid bytes.

use zigzag_varint::{BufferTooSmall, BulkError, Canonical, Delta, Kernel, Progress};
use zigzag_varint_oracle::{self as oracle, ErrorAt};

use crate::Checker;
use crate::int::{self, Int};
use crate::random_values::Rng;
use crate::singles::CAPACITY;

/// The number of values in a stream: several of the widest windows even if each value takes one
/// byte.
const N: usize = 210;

pub(crate) fn check<T: Int>(checker: &mut Checker) {
    checker.begin("slices");
    let mut rng = Rng(1);
    for len in 0..=T::LONGEST {
        let mut values = [T::default(); N];
        for value in &mut values {
            let len = if len == 0 { 1 + rng.below(T::LONGEST) } else { len };
            *value = int::value(rng.wire(T::BITS, len));
        }
        let mut bytes = [0; N * CAPACITY];
        let mut used = 0;
        for (encoded, len) in values.map(|value| oracle::encode(value.wire())) {
            bytes[used..used + len].copy_from_slice(&encoded[..len]);
            used += len;
        }
        for kernel in Kernel::available() {
            encoding(kernel, &values, &bytes[..used], checker);
            for cut in (0..used).step_by(61).chain(used.saturating_sub(3)..=used) {
                decoding::<T>(kernel, &bytes[..cut], checker);
            }
            for invalid in [
                [0x80; 20],
                [0xff; 20],
                *b"\x80\x00\xff\x00\xff\xff\xff\xff\x0f\xff\xff\xff\xff\x10\x81\x80\x80\x80\x80\x00",
                // One overlong value: of two bytes, and of ten with a last byte that is not 1.
                *b"\x01\x80\x00\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01",
                *b"\x01\x81\x80\x80\x80\x80\x80\x80\x80\x80\x00\x01\x01\x01\x01\x01\x01\x01\x01\x01",
            ] {
                let mut broken = bytes;
                let at = rng.below(used - invalid.len());
                broken[at..at + invalid.len()].copy_from_slice(&invalid);
                decoding::<T>(kernel, &broken[..used], checker);
            }
        }
        differences(&values, checker);
    }
}

fn encoding<T: Int>(kernel: Kernel, values: &[T], expected: &[u8], checker: &mut Checker) {
    let mut bytes = [0; N * CAPACITY];
    let needed = expected.len();
    checker.same(kernel.encoded_len_slice::<T>(values), needed);
    checker.same(kernel.encode_slice::<T>(values, &mut bytes), Ok(needed));
    checker.same(&bytes[..needed], expected);
    // With and without values after the last block of a kernel.
    for values in [values, &values[..N / 16 * 16]] {
        let needed = kernel.encoded_len_slice::<T>(values);
        bytes[needed..].fill(0xa5);
        checker.same(kernel.encode_slice::<T>(values, &mut bytes[..needed]), Ok(needed));
        assert!(bytes[needed..].iter().all(|&byte| byte == 0xa5), "{kernel} writes past the end");
    }
    let short = kernel.encode_slice::<T>(values, &mut bytes[..needed - 1]);
    checker.same(short, Err(BufferTooSmall { needed, available: needed - 1 }));
}

/// Compares values, progress, kind and offset with the oracle's, and the results of `count` and
/// `skip`.
fn decoding<T: Int>(kernel: Kernel, src: &[u8], checker: &mut Checker) {
    for canonical in [false, true] {
        let mut values = [T::default(); N + 20];
        let decoded = match canonical {
            true => kernel.decode_slice::<Canonical<T>>(src, &mut values),
            false => kernel.decode_slice::<T>(src, &mut values),
        };
        let (progress, fault) = match decoded {
            Ok(progress) => (progress, None),
            Err(BulkError { progress, error }) => (progress, Some(ErrorAt::from(error))),
        };
        let mut done = Progress::default();
        let mut expected = None;
        while done.bytes < src.len() && done.values < values.len() {
            match int::decode::<T>(&src[done.bytes..], canonical) {
                Ok((value, len)) => {
                    checker.same(values[done.values], value);
                    done = Progress { values: done.values + 1, bytes: done.bytes + len };
                }
                Err(fault) => {
                    expected = Some(fault.shifted(done.bytes));
                    break;
                }
            }
        }
        checker.same((progress, fault), (done, expected));
    }
    let mut values = [T::default(); N];
    let _ = kernel.decode_slice::<T>(src, &mut values[..N / 2]);
    assert!(values[N / 2..].iter().all(|&value| value == T::default()), "{kernel} writes past the end");
    checker.same(kernel.count(src), oracle::count(src));
    for n in [0, 1, N / 2, N] {
        checker.same(kernel.skip_values(src, n).map_err(ErrorAt::from), oracle::skip(src, n));
    }
}

/// Checks round trips on every kernel and with the free functions, which must give the same bytes.
fn differences<T: Int>(values: &[T; N], checker: &mut Checker) {
    let (mut bytes, free) = ([0; N * CAPACITY], Delta::zigzag([T::default()]));
    let used = free.encode_slice(values, &mut bytes).expect("enough space");
    for delta in Kernel::available().map(|kernel| free.with_kernel(kernel)).chain([free]) {
        let mut same = [0; N * CAPACITY];
        checker.same(delta.encode_slice(values, &mut same), Ok(used));
        checker.same(&same[..used], &bytes[..used]);
        for delta in [delta, delta.canonical()] {
            let mut decoded = [T::default(); N];
            let progress = delta.decode_slice(&bytes[..used], &mut decoded);
            checker.same(progress, Ok(Progress { values: N, bytes: used }));
            checker.same(&decoded, values);
        }
    }
}
