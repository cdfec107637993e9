//! Every kernel, and the functions that choose one, agree with the oracle about slices.

use zigzag_varint::{self as codec, BufferTooSmall, Kernel, Reader};
use zigzag_varint_oracle::{self as oracle, BulkOutcome, ErrorAt};

use super::{AnyWireType, WireType};
use crate::support::guard_pages::{Edge, MEMORY};

/// What is called: a kernel, or the functions that choose one.
pub type Codec = Option<Kernel>;

impl dyn WireType {
    /// Decodes at most `capacity` values with each codec, and compares the outcome with the expected
    /// one. The source and the destination begin after a guard page, and then end before one.
    pub fn check_decoding(
        &self,
        codecs: &[Codec],
        src: &[u8],
        capacity: usize,
        expected: &BulkOutcome<u128>,
    ) {
        MEMORY.with_borrow_mut(|[memory, dst]| {
            for edge in Edge::BOTH {
                let src = memory.copy(edge, src);
                for &codec in codecs {
                    let outcome = self.decode_slice(codec, src, dst, edge, capacity);
                    assert!(
                        outcome == *expected,
                        "{codec:?} decodes {} wrongly (edge: {edge:?}, capacity: {capacity})\n     src: {src:02x?}\n     \
                         got: {outcome:?}\nexpected: {expected:?}",
                        self.name(),
                    );
                }
            }
        });
    }

    /// Encodes values with each codec into `available` bytes, and compares the bytes, their length and
    /// the error with what `bytes` has.
    pub fn check_encoding(&self, codecs: &[Codec], values: &[u128], bytes: &[u8], available: usize) {
        let needed = bytes.len();
        let fits = available >= needed;
        let expected = if fits { Ok(needed) } else { Err(BufferTooSmall { needed, available }) };
        MEMORY.with_borrow_mut(|[src, dst]| {
            for (edge, codec) in Edge::BOTH.into_iter().flat_map(|edge| codecs.iter().map(move |&codec| (edge, codec))) {
                let dst = dst.filled(edge, available, edge.content() as u8);
                let encoded = self.encode_slice(codec, values, src, edge, dst);
                assert!(
                    encoded == (expected, needed) && (!fits || dst.starts_with(bytes)),
                    "{codec:?} encodes {} wrongly (edge: {edge:?}, capacity: {available})\n     src: {values:?}\n     \
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
        for edge in Edge::BOTH {
            let src = memory.copy(edge, src);
            for codec in codecs {
                let scanned = match codec {
                    Some(kernel) => (kernel.count(src), kernel.skip_values(src, n)),
                    None => (codec::count(src), codec::skip_values(src, n)),
                };
                let scanned = (scanned.0, scanned.1.map_err(ErrorAt::from));
                assert_eq!(scanned, (counted, skipped), "{codec:?} skips {n} of {src:02x?}");
            }
            let mut reader = Reader::new(src);
            assert_eq!(reader.skip_values(n).map_err(ErrorAt::from), skipped, "{n} of {src:02x?}");
            assert_eq!(reader.position(), skipped.unwrap_or(0), "a failed call keeps the position");
        }
    });
}

/// Checks codecs on the slices of an integer type.
pub struct Checker {
    /// The rows of the type, without and with the canonical rule.
    pub rows: [AnyWireType; 2],
    pub codecs: Vec<Codec>,
}

impl Checker {
    pub fn bits(&self) -> u32 {
        self.rows[0].rule().bits
    }

    /// Decodes `src` into `capacity` values, without and with the canonical rule.
    pub fn decode(&self, src: &[u8], capacity: usize) {
        let rule = self.rows[0].rule();
        for (row, numbers) in self.rows.iter().zip(oracle::decode_both(src, self.bits(), capacity)) {
            row.check_decoding(&self.codecs, src, capacity, &numbers.map(|number| rule.value(number)));
        }
    }

    /// Encodes the values of some numbers into `capacity` bytes.
    pub fn encode(&self, numbers: &[u128], capacity: usize) {
        let values: Vec<_> = numbers.iter().map(|&number| self.rows[0].rule().value(number)).collect();
        self.rows[0].check_encoding(&self.codecs, &values, &oracle::encode_all(numbers), capacity);
    }

    pub fn scan(&self, src: &[u8], n: usize) {
        check_scanning(&self.codecs, src, n);
    }
}

/// Returns every kernel of this CPU, slowest first, and the functions that choose one, which have loops
/// of their own for short slices.
pub fn codecs() -> impl Iterator<Item = Codec> {
    Kernel::available().map(Some).chain([None])
}
