//! Uses every part of the crate that works without `std`, in a crate without `std`.

#![no_std]

use zigzag_varint::protobuf::Int32;
use zigzag_varint::{BufferTooSmall, BulkError, Canonical, DecodeError, Decoder, Delta, DeltaError, Encoded, FrameError, Kernel, LengthPrefix, PaddedWidthError, Progress, Reader, S33, Signed, SignedInteger, Varint, count, decode_slice, encode_slice, encoded_len_slice, skip_values, varint, zigzag};

/// The example for a microcontroller.
#[path = "../../../examples/sensor_log/log.rs"]
pub mod sensor_log;

/// If a dependency used `std`, its panic handler would conflict with this one, and this crate would
/// not compile.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

pub const MINUS_150: Encoded<u64> = varint::encode_u64(zigzag::i64_to_u64(-150));
pub const THREE_HUNDRED: Result<(u64, usize), DecodeError> = varint::decode_u64(&[0xac, 0x02]);
pub const ONE: u64 = zigzag::i64_to_u64(-1);

pub fn one_value<T: Varint>(value: T, bytes: &mut [u8]) -> Result<usize, BufferTooSmall> {
    let encoded = value.encode();
    debug_assert_eq!(T::decode(&encoded).map(|(_, len)| len), Ok(value.encoded_len()));
    debug_assert_eq!(Canonical::<T>::decode(&encoded).map(|(_, len)| len), Ok(encoded.len()));
    value.encode_to_slice(bytes)
}

pub fn slices(values: &mut [i32], bytes: &mut [u8]) -> Result<Progress, BulkError> {
    let len = encode_slice(values, bytes).unwrap_or_else(|error| error.needed);
    debug_assert_eq!(len, encoded_len_slice(values));
    Canonical::<i32>::decode_slice(bytes, values)?;
    Kernel::detect().decode_slice::<i32>(bytes, values)?;
    decode_slice(bytes, values)
}

pub fn mixed_types(bytes: &[u8]) -> Result<u64, DecodeError> {
    let mut reader = Reader::new(bytes);
    let number = reader.read::<u32>()?;
    let delta = reader.read::<Canonical<i64>>()?;
    reader.skip_values(1)?;
    reader.read::<Signed<i32>>()?;
    reader.read::<S33>()?;
    reader.read_slice::<u16>(&mut [0; 4])?;
    let sum = reader.values::<u64>().try_fold(0u64, |sum, value| value.map(|value| sum.wrapping_add(value)))?;
    Ok(sum.wrapping_add(number.into()).wrapping_add_signed(delta))
}

pub fn chunked_input(chunks: &[&[u8]]) -> Result<Option<u128>, DecodeError> {
    let mut decoder = Decoder::<Canonical<u128>>::new();
    for chunk in chunks {
        if let (Some(value), _) = decoder.push_slice(chunk)? {
            return Ok(Some(value));
        }
    }
    decoder.finish().map(|()| None)
}

pub fn chunked_input_in_bulk(chunks: &[&[u8]], values: &mut [u64]) -> Result<Progress, BulkError> {
    let mut decoder = Decoder::<u64>::new();
    chunks.iter().try_fold(Progress::default(), |_, chunk| decoder.decode_slice(chunk, values))
}

pub fn owned_values(bytes: &[u8]) -> impl Iterator<Item = Result<u64, DecodeError>> {
    Reader::new(bytes).into_values::<u64>()
}

pub fn valid(bytes: &[u8]) -> bool {
    u64::validate(bytes).is_ok() && Canonical::<u64>::validate(bytes).is_ok()
}

pub fn skipped(bytes: &[u8]) -> Result<usize, DecodeError> {
    skip_values(bytes, count(bytes))
}

pub fn fields(values: &[i32], bytes: &mut [u8]) -> Result<(i32, usize), DecodeError> {
    let len = Int32::encode_slice(values, bytes).unwrap_or_else(|error| error.available);
    Canonical::<Int32>::decode(&bytes[..len])
}

pub fn signed_leb128<T: SignedInteger>(value: T, bytes: &mut [u8]) -> Result<T, DecodeError> {
    let len = Signed(value).encode_to_slice(bytes).unwrap_or_else(|error| error.available);
    Canonical::<Signed<T>>::decode(&bytes[..len]).map(|(value, _)| value)
}

pub fn signed_leb128_in_chunks(bytes: &[u8]) -> Result<(Option<i64>, usize), DecodeError> {
    Decoder::<Signed<i64>>::new().push_slice(bytes)
}

pub fn padded(section: &mut [u8; 5], len: u32) -> Result<(), PaddedWidthError> {
    len.encode_padded(section)
}

pub fn differences(values: &mut [u64], bytes: &mut [u8]) -> Result<Progress, BulkError> {
    let sorted = Delta::gaps([0]).encode_slice(values, bytes) != Err(DeltaError::Unsorted { index: 0 });
    let delta = if sorted { Delta::strict_gaps([0]) } else { Delta::zigzag([0]) };
    let len = delta.encode_slice(values, bytes).unwrap_or(0);
    delta.canonical().decode_slice(&bytes[..len], values)
}

#[cfg(feature = "alloc")]
pub fn vectors(bytes: &[u8]) -> Result<bool, BulkError> {
    extern crate alloc;

    let mut values: alloc::vec::Vec<u64> = zigzag_varint::decode_to_vec(bytes)?;
    zigzag_varint::decode_append(bytes, &mut values)?;
    Delta::zigzag([0]).decode_append(bytes, &mut values)?;
    let mut encoded = zigzag_varint::encode_to_vec(&values);
    zigzag_varint::encode_append(&values, &mut encoded);
    let sorted = Delta::gaps([0]).encode_append(&values, &mut encoded).is_ok();
    Ok(sorted && encoded == bytes)
}

pub fn length_prefixed<'a>(src: &'a [u8], dst: &mut [u8]) -> Result<&'a [u8], FrameError> {
    const FRAMES: LengthPrefix = LengthPrefix::new(100).prefix_u32().canonical();
    let payload = Reader::new(src).read_length_prefixed(FRAMES)?;
    FRAMES.encode_to_slice(payload, dst)?;
    FRAMES.decode(src).map(|(payload, _)| payload)
}

#[cfg(feature = "bytes")]
pub fn buffers(mut src: impl bytes::Buf, mut dst: impl bytes::BufMut) -> Result<usize, FrameError> {
    use zigzag_varint::{BufMutVarint, BufVarint};

    let mut values = [0u64; 2];
    src.try_get_varints::<u64>(&mut values)?;
    dst.try_put_varints::<u64>(&values)?;
    let value = src.try_get_varint::<u64>()?;
    let payload = src.try_get_length_prefixed(LengthPrefix::new(100))?;
    Ok(dst.try_put_varint(value)? + dst.put_length_prefixed(LengthPrefix::new(100), &payload)?)
}

#[cfg(feature = "embedded-io")]
pub fn io<I: embedded_io::BufRead + embedded_io::Write>(serial: &mut I) -> bool {
    use zigzag_varint::embedded_io::{ReadVarint, WriteVarint};

    let mut payload = [0; 100];
    let read = serial.read_length_prefixed(LengthPrefix::new(100), &mut payload).is_ok();
    let varint = serial.read_varint::<u32>().is_ok_and(|value| serial.write_varint(value).is_ok());
    let mut values = [0u32; 4];
    let bulk = serial.read_varints::<u32>(&mut values).is_ok() && serial.write_varints::<u32>(&values).is_ok();
    let signed = serial.read_varint::<Signed<i32>>();
    read && varint && bulk && signed.is_ok_and(|value| serial.write_varint(Signed(value)).is_ok())
}

#[cfg(feature = "defmt")]
pub fn logged(error: FrameError, source: impl defmt::Format) {
    fn every_error<T: defmt::Format>(_: Option<T>) {}
    every_error(None::<DecodeError>);
    every_error(None::<BufferTooSmall>);
    every_error(None::<BulkError>);
    defmt::error!("{} from {}", error, source);
}
