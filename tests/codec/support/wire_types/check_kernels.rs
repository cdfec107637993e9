//! Every kernel, and the functions that choose one, agree with the oracle about slices.

use zigzag_varint::{self as codec, BufferTooSmall, Kernel, Reader};
use zigzag_varint_oracle::{self as oracle, BulkOutcome, ErrorAt, Rule};

use super::{AnyWireType, WireType};
use crate::support::guard_pages::{Edge, MEMORY};

/// What is called: a kernel, or the functions that choose one. The source and the destination begin
/// after a guard page, or end before one.
pub type Codec = (Option<Kernel>, Edge);

impl dyn WireType {
    /// Decodes at most `capacity` values with each codec, and compares the outcome with the expected
    /// one.
    pub fn check_decoding(&self, codecs: &[Codec], src: &[u8], capacity: usize, expected: &BulkOutcome) {
        MEMORY.with_borrow_mut(|[memory, dst]| {
            for &codec in codecs {
                let src = memory.copy(codec.1, src);
                let outcome = self.decode_slice(codec, src, dst, capacity);
                assert!(
                    outcome == *expected,
                    "{codec:?} decodes {} wrongly (capacity: {capacity})\n     src: {src:02x?}\n     \
                     got: {outcome:?}\nexpected: {expected:?}",
                    self.name(),
                );
            }
        });
    }

    /// Encodes values with each codec into `available` bytes, and compares the bytes, their length and
    /// the error with what `bytes` has.
    pub fn check_encoding(&self, codecs: &[Codec], values: &[u128], bytes: &[u8], available: usize) {
        let Some(encoder) = self.encoder() else { return };
        let needed = bytes.len();
        let fits = available >= needed;
        let expected = if fits { Ok(needed) } else { Err(BufferTooSmall { needed, available }) };
        MEMORY.with_borrow_mut(|[src, dst]| {
            for &codec in codecs {
                let dst = dst.filled(codec.1, available, codec.1.content() as u8);
                let encoded = encoder.encode_slice(codec, values, src, dst);
                assert!(
                    encoded == (expected, needed) && (!fits || dst.starts_with(bytes)),
                    "{codec:?} encodes {} wrongly (capacity: {available})\n     src: {values:?}\n     \
                     got: {encoded:?} {dst:02x?}\nexpected: {expected:?} {bytes:02x?}",
                    self.name(),
                );
            }
        });
    }
}

/// Counts the varints of `src` and skips the first `n`, with each codec and with a reader.
pub fn check_scanning(codecs: &[Codec], src: &[u8], n: usize) {
    let (counted, skipped) = (oracle::count(src), oracle::skip(src, n));
    MEMORY.with_borrow_mut(|[memory, _]| {
        for codec in codecs {
            let src = memory.copy(codec.1, src);
            let scanned = match codec.0 {
                Some(kernel) => (kernel.count(src), kernel.skip_values(src, n)),
                None => (codec::count(src), codec::skip_values(src, n)),
            };
            let scanned = (scanned.0, scanned.1.map_err(ErrorAt::from));
            assert_eq!(scanned, (counted, skipped), "{codec:?} skips {n} of {src:02x?}");
            let mut reader = Reader::new(src);
            assert_eq!(reader.skip_values(n).map_err(ErrorAt::from), skipped, "{n} of {src:02x?}");
            assert_eq!(reader.position(), skipped.unwrap_or(0), "a failed call keeps the position");
        }
    });
}

/// Checks codecs on the slices of an integer type.
pub struct Checker {
    /// What the oracle expects of both rows. The second one has the canonical rule in addition.
    pub rule: Rule,
    pub rows: [AnyWireType; 2],
    pub codecs: Vec<Codec>,
}

impl Checker {
    pub fn new(rows: [AnyWireType; 2], codecs: Vec<Codec>) -> Self {
        Self { rule: rows[0].rule(), rows, codecs }
    }

    pub fn bits(&self) -> u32 {
        self.rule.bits
    }

    /// Decodes `src` into `capacity` values, without and with the canonical rule.
    pub fn decode(&self, src: &[u8], capacity: usize) {
        for (row, rule) in self.rows.iter().zip([self.rule, self.rule.canonical()]) {
            row.check_decoding(&self.codecs, src, capacity, &rule.decode_all(src, capacity));
        }
    }

    /// Encodes the values of some numbers into `capacity` bytes.
    pub fn encode(&self, numbers: &[u128], capacity: usize) {
        let values: Vec<_> = numbers.iter().map(|&number| self.rule.value(number)).collect();
        self.rows[0].check_encoding(&self.codecs, &values, &oracle::encode_all(numbers), capacity);
    }

    pub fn scan(&self, src: &[u8], n: usize) {
        check_scanning(&self.codecs, src, n);
    }
}

/// Returns every kernel of this CPU, and the functions that choose one, which have loops of their own
/// for short slices, each at both guard pages.
pub fn codecs() -> Vec<Codec> {
    let chosen = || Kernel::available().map(Some).chain([None]);
    Edge::BOTH.into_iter().flat_map(|edge| chosen().map(move |kernel| (kernel, edge))).collect()
}
