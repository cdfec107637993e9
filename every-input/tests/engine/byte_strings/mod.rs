//! The check of decoders on byte strings: a correct decoder passes, and every injected fault is
//! reported.

mod bulk_faults;
mod checkpoint;
mod one_value_faults;

use every_input::byte_strings::{ByteDecoder, Decoders, DecodingError, ErrorKind, Outcome};
use every_input::{ByteStrings, Failure, Integer, Report, Sweep};

use crate::byte_properties::sets::count;

/// Returns the placement that a failure names.
fn placement(failure: &Failure) -> &str {
    let context = failure.context.as_deref().expect("a context");
    let (_, inside) = context.rsplit_once(" (").expect("a placement");
    let inside = inside.strip_prefix("canonical, ").unwrap_or(inside);
    inside.split([',', ')']).next().expect("a placement")
}

/// Returns whether a failure is of a canonical decoding.
fn is_canonical(failure: &Failure) -> bool {
    failure.context.as_deref().is_some_and(|context| context.contains(" (canonical, "))
}

/// A correct decoder, which adds the digits from the least significant one up while the sum fits the
/// type.
fn decode<T: Integer>(src: &[u8], canonical: bool) -> Outcome<T> {
    let error = |kind, offset| Err(DecodingError { kind, offset });
    let greatest = T::MAX - T::MIN;
    let (mut sum, mut weight) = (0, 1);
    for (offset, &byte) in src.iter().enumerate() {
        sum += i128::from(byte % 128) * weight;
        weight *= 128;
        let is_last = byte < 128;
        if sum > greatest || (!is_last && weight > greatest) {
            return error(ErrorKind::Overflow, offset);
        }
        if is_last && canonical && byte == 0 && offset > 0 {
            return error(ErrorKind::NonCanonical, offset);
        }
        if is_last {
            let number = match (T::SIGNED, sum % 2) {
                (true, 0) => sum / 2,
                (true, _) => -1 - sum / 2,
                (false, _) => sum,
            };
            return Ok((T::from_i128(number), offset + 1));
        }
    }
    error(ErrorKind::Truncated, src.len())
}

/// A decoder of single values by a function.
struct Single<T> {
    name: &'static str,
    kernel: Option<&'static str>,
    is_bulk: bool,
    decode: Box<Decode<T>>,
}

type Decode<T> = dyn Fn(&[u8], bool) -> Outcome<T> + Sync;

impl<T: Integer> Single<T> {
    fn correct() -> Self {
        Self { name: "correct", kernel: None, is_bulk: false, decode: Box::new(decode) }
    }
}

impl<T: Integer> ByteDecoder<T> for Single<T> {
    fn name(&self) -> &str {
        self.name
    }

    fn kernel(&self) -> Option<&str> {
        self.kernel
    }

    fn decode_first(&self, src: &[u8], canonical: bool) -> Outcome<T> {
        (self.decode)(src, canonical)
    }

    fn is_bulk(&self) -> bool {
        self.is_bulk
    }
}

/// Returns the report of the sweep of a decoder.
fn report<T: Integer>(sweep: &Sweep<ByteStrings>, decoder: impl ByteDecoder<T> + 'static) -> Report {
    sweep.check_decoders(&Decoders::new().with(Box::new(decoder))).expect("threads")
}

/// Returns the sweep of all strings of up to this length and structured ones.
fn structured(len: usize) -> Sweep<ByteStrings> {
    Sweep::of(ByteStrings::structured(len)).exhaustive().max_failures(0)
}

#[test]
fn correct_decoders_pass() {
    fn passes<T: Integer>() {
        let both = [false, true].map(|is_bulk| Single::<T> { is_bulk, ..Single::correct() });
        let decoders = both.into_iter().fold(Decoders::new(), |all, one| all.with(Box::new(one)));
        let report = structured(2).check_decoders(&decoders).expect("threads");
        assert!(report.failures == 0 && report.complete, "{report}");
        assert_eq!(report.values, count(&report.plan));
        assert_eq!((report.by_length[&1], report.by_length[&2]), (256, 65_536));
    }
    call_each!(passes: u8 i8 i16 u32 u64);
}
