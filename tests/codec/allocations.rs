//! No call allocates, whether it succeeds or fails. There are two exceptions: functions that return
//! a `Vec`, and errors of `std::io`, which box the error inside.

use std::hint::black_box;

use crate::support::wire_types::{Int, values, wire_types};
use crate::support::wires::{backgrounds, edge_cases};
use bytes::Buf;
use zigzag_varint::{
    BufMutVarint, BufVarint, Canonical, Decoder, Delta, Kernel, ReadVarint, Reader, Varint, WriteVarint,
    count, decode_append, decode_slice, decode_to_vec, encode_append, encode_slice, encode_to_vec,
    encoded_len_slice, skip_values,
};
use zigzag_varint_oracle::encode_all;

/// Returns the number of allocations that `work` makes.
fn allocations(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).count_total
}

fn check_encoding<T: Int>() {
    let mut bytes = vec![0; 300 * T::MAX_LEN];
    for numbers in backgrounds(T::RULE.bits, 300) {
        let values = values::<T>(&numbers);
        let mut sorted = values.clone();
        sorted.sort_unstable();
        let allocated = allocations(|| {
            for &value in &values {
                black_box((T::encode(value), T::encoded_len(value)));
                black_box(T::encode_to_slice(value, &mut bytes).is_ok());
                black_box(T::encode_to_slice(value, &mut []).is_err());
                black_box((&mut bytes[..]).write_varint(value).is_ok());
            }
            for kernel in Kernel::available() {
                black_box(kernel.encode_slice::<T>(&values, &mut bytes).is_ok());
                black_box(kernel.encode_slice::<T>(&values, &mut bytes[..250]).is_err());
                black_box(kernel.encoded_len_slice::<T>(&values));
            }
            black_box((encode_slice(&values, &mut bytes).is_ok(), encoded_len_slice(&values)));
            black_box((&mut bytes[..]).write_varints::<T>(&values).is_ok());
            black_box((&mut bytes[..]).try_put_varints::<T>(&values).is_ok());
            for delta in [Delta::zigzag, Delta::gaps, Delta::strict_gaps] {
                black_box(delta([T::default()]).encode_slice(&sorted, &mut bytes).is_ok());
                black_box(delta([T::default()]).encode_slice(&sorted, &mut []).is_err());
            }
        });
        assert_eq!(allocated, 0);
    }
}

test_each!(no_encoder_allocates_for: check_encoding, u32 u64 u128);

fn check_decoding<T: Int>() {
    let mut values = vec![T::default(); 400];
    let valid = backgrounds(T::RULE.bits, 300).into_iter().map(encode_all);
    let invalid = edge_cases(T::RULE.bits)
        .into_iter()
        .map(|edge_case| [&[0x01; 100][..], &edge_case, &[0x01; 100]].concat());
    for bytes in valid.chain(invalid) {
        let allocated = allocations(|| {
            for at in 0..bytes.len() {
                let src = &bytes[at..];
                black_box((T::decode(src).is_ok(), Canonical::<T>::decode(src).is_ok()));
            }
            black_box((Kernel::detect(), Kernel::by_name("scalar")));
            for kernel in Kernel::available() {
                black_box(kernel.decode_slice::<T>(&bytes, &mut values).is_ok());
                black_box(kernel.decode_slice::<Canonical<T>>(&bytes, &mut values).is_ok());
                black_box((
                    kernel.count(&bytes),
                    kernel.skip_values(&bytes, 100).is_ok(),
                    kernel.skip_values(&bytes, 9999).is_err(),
                ));
            }
            black_box(decode_slice(&bytes, &mut values).is_ok());
            black_box((count(&bytes), skip_values(&bytes, 100).is_ok()));
            black_box((T::validate(&bytes).is_ok(), Canonical::<T>::validate(&bytes).is_ok()));

            black_box(Reader::new(&bytes).read::<Canonical<T>>().is_ok());
            black_box(Reader::new(&bytes).values::<T>().filter(Result::is_ok).count());
            black_box(Reader::new(&bytes).into_values::<T>().filter(Result::is_ok).count());
            black_box(Reader::new(&bytes).read_slice::<T>(&mut values).is_ok());
            black_box(Reader::new(&bytes).skip_values(100).is_ok());

            for delta in [Delta::zigzag, Delta::gaps, Delta::strict_gaps] {
                black_box(delta([T::default()]).decode_slice(&bytes, &mut values).is_ok());
            }
            let (head, tail) = bytes.split_at(bytes.len() / 2);
            black_box(Buf::chain(head, tail).try_get_varints::<T>(&mut values).is_ok());
            if T::validate(&bytes).is_ok() {
                black_box((&bytes[..]).read_varints::<T>(&mut values).is_ok());
                black_box((&bytes[..]).next_varint::<T>().is_ok());
            }

            let mut decoder = Decoder::<T>::new();
            black_box(bytes.iter().filter(|&&byte| decoder.push(byte).is_ok()).count());
            black_box((decoder.push_slice(&bytes).is_ok(), decoder.finish().is_ok()));
            black_box(decoder.decode_slice(&bytes, &mut values).is_ok());
        });
        assert_eq!(allocated, 0, "{bytes:02x?}");
    }
}

test_each!(no_decoder_allocates_on_valid_or_invalid_input_for: check_decoding, u32 u64 u128);

#[test]
fn boxed_errors_and_vectors_allocate() {
    assert!(allocations(|| drop(black_box((&[0x80][..]).read_varint::<u64>()))) > 0, "the error is boxed");
    let values = vec![300u64; 1000];
    let bytes = encode_to_vec(&values);
    assert_eq!(allocations(|| drop(black_box(encode_to_vec(&values)))), 1);
    assert_eq!(allocations(|| drop(black_box(decode_to_vec::<u64>(&bytes)))), 1);
}

#[test]
fn decoding_allocates_once_and_at_most_one_value_per_byte() {
    for (src, valid) in [(vec![0x07; 4096], true), (vec![0x80; 4096], false), (vec![0xff; 4096], false)] {
        let plain = allocation_counter::measure(|| assert_eq!(decode_to_vec::<u128>(&src).is_ok(), valid));
        let delta = allocation_counter::measure(|| {
            _ = Delta::gaps([0u128]).decode_append(&src, &mut Vec::new());
        });
        let limit = (src.len() * size_of::<u128>()) as u64;
        for measured in [plain, delta] {
            assert!(measured.count_total <= 1 && measured.bytes_total <= limit, "{measured:?}");
        }
    }
}

/// The checks of the table compare the capacities with the number of bytes.
#[test]
fn every_wire_type_reserves_at_most_one_value_per_byte() {
    let more =
        [&[][..], &[0x80], &[0x01], &[0x80, 0x01], &[0x82, 0x00], &[0xff; 12], &[0xac, 0x02, 0x01, 0x80]];
    for wire_type in wire_types() {
        for len in (0..=20).chain([63, 64, 65, 128, 255, 256, 257, 512, 1000]) {
            for more in more {
                let src = [&vec![0x01; len][..], more].concat();
                let decoded = wire_type.decode_to_vec(&src).ok().map(|values| values.len());
                for before in [0, 1, 5, 64] {
                    let appended = wire_type.decode_append(&src, &mut vec![0; before]).ok();
                    assert_eq!(appended, decoded, "{} {src:02x?}", wire_type.name());
                }
                for n in [1, len, usize::MAX] {
                    wire_type.decode_exact(&src, n);
                }
            }
        }
    }
}

#[test]
fn appending_within_the_capacity_does_not_allocate() {
    let (values, mut bytes, mut decoded) = ([300u64; 100], Vec::with_capacity(200), Vec::with_capacity(200));
    let measured = allocation_counter::measure(|| {
        encode_append(&values, &mut bytes);
        assert_eq!(decode_append::<u64>(&bytes, &mut decoded), Ok(100));
    });
    assert_eq!((measured.count_total, decoded.len()), (0, 100));
}
