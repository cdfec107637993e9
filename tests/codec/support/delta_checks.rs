//! The checks of `Delta`: the kernels are compared with the oracle, next to guard pages.

use zigzag_varint::{BufferTooSmall, DeltaError, ErrorKind, Kernel};
use zigzag_varint_oracle::{self as oracle, BulkOutcome, ErrorAt};

use super::delta_codecs::{Call, Row};
use super::delta_oracle::{Format, Scheme, any_up_to};
use super::guard_pages::Edge;
use super::wires::{Rng, edge_cases};

/// Numbers of values at and around the block sizes of encoding (32, 256, 1024) and decoding (1024),
/// and of comparing gaps (64).
const COUNTS: [usize; 17] = [0, 1, 2, 7, 8, 32, 33, 100, 129, 255, 256, 257, 600, 1023, 1024, 1025, 2100];

/// Checks every kernel, and the choice by length, for one type.
pub struct Checker {
    row: Row,
    kernels: Vec<Option<Kernel>>,
    pub edge: Edge,
}

impl Checker {
    pub fn new(row: Row, edge: Edge) -> Self {
        Self { row, kernels: Kernel::available().map(Some).chain([None]).collect(), edge }
    }

    pub fn format(&self, scheme: Scheme) -> Format {
        Format { scheme, bits: self.row.bits }
    }

    /// Encodes into buffers of the exact length, a larger one, and shorter ones.
    pub fn encode(&self, scheme: Scheme, previous: &[u128], values: &[u128]) {
        let expected = self.format(scheme).encode(previous, values);
        let needed = expected.as_ref().map_or(values.len(), Vec::len);
        for &kernel in &self.kernels {
            let call = Call { scheme, canonical: false, kernel, edge: self.edge, previous };
            let context = || {
                let (name, components) = (self.row.name, previous.len());
                format!("{kernel:?}: {scheme:?} {components}, {name} of {}: {values:?}", values.len())
            };
            for available in [needed, needed + 100, needed.saturating_sub(1), needed / 2] {
                let (encoded, bytes) = (self.row.encode)(call, values, available);
                match &expected {
                    Err(index) => {
                        assert_eq!(encoded, Err(DeltaError::Unsorted { index: *index }), "{}", context());
                        assert!(bytes.iter().all(|&byte| byte == 0xaa), "{} writes", context());
                    }
                    Ok(_) if available < needed => {
                        let error = BufferTooSmall { needed, available };
                        assert_eq!(encoded, Err(DeltaError::BufferTooSmall(error)), "{}", context());
                    }
                    Ok(expected) => {
                        assert_eq!(encoded, Ok(needed), "{}", context());
                        assert!(bytes.starts_with(expected), "{}: wrong bytes", context());
                    }
                }
            }
            let (encoded, bytes) = (self.row.encode_append)(call, values);
            let unsorted = expected.as_ref().map(Vec::len).map_err(|&index| DeltaError::Unsorted { index });
            assert_eq!(encoded, unsorted, "{}, appended", context());
            assert!(bytes == expected.as_deref().unwrap_or_default(), "{}, appended", context());
        }
    }

    /// Decodes any bytes into `capacity` values, and to the end of a vector if that has space for all of
    /// them. Compares values, progress, error kind and offset.
    pub fn decode(&self, scheme: Scheme, previous: &[u128], src: &[u8], capacity: usize) {
        for canonical in [false, true] {
            let expected = self.format(scheme).decode(previous, src, capacity, canonical);
            for &kernel in &self.kernels {
                let call = Call { scheme, canonical, kernel, edge: self.edge, previous };
                let appended =
                    (expected.values.len() < capacity).then(|| (self.row.decode_append)(call, src));
                let check = |outcome: BulkOutcome, expected: &BulkOutcome| {
                    let (name, components) = (self.row.name, previous.len());
                    assert!(
                        outcome == *expected,
                        "{kernel:?}: {scheme:?} {components}, {name} into {capacity}, canonical: {canonical}, {src:02x?}\n     got: {outcome:?}\nexpected: {expected:?}",
                    );
                };
                let into_slices = [self.row.decode, self.row.read].map(|decode| decode(call, src, capacity));
                appended.into_iter().chain(into_slices).for_each(|outcome| check(outcome, &expected));
                for outcome in (self.row.decode_exact)(call, src, capacity) {
                    let error = (expected.values.len() < capacity)
                        .then_some(ErrorAt { kind: ErrorKind::Truncated, offset: src.len() });
                    check(outcome, &BulkOutcome { error: expected.error.or(error), ..expected.clone() });
                }
            }
        }
    }

    /// Checks sequences of the lengths of blocks, which are whole, cut, out of order, past the
    /// greatest value, and between invalid bytes.
    pub fn suite(&mut self) {
        let edge_cases = &edge_cases(self.row.bits);
        for scheme in Scheme::ALL {
            for components in [1, 2, 3, 4, 32] {
                let mut rng = Rng(components as u64);
                for n in COUNTS {
                    self.edge = Edge::BOTH[n % 2];
                    self.sequence(scheme, components, n, &mut rng);
                    if components == 1 {
                        self.invalid(scheme, n, &mut rng, edge_cases);
                    }
                }
            }
        }
    }

    fn sequence(&self, scheme: Scheme, components: usize, n: usize, rng: &mut Rng) {
        let format = self.format(scheme);
        let greatest = format.greatest();
        // Each of the starts is combined with other lengths.
        let start = [0, 1, greatest / 2, greatest - 1, greatest][(n + components) % 5];
        let previous: Vec<u128> =
            (0..components).map(|_| start.saturating_sub(rng.below(3) as u128)).collect();
        let mut values = format.sequence(rng, &previous, n);
        self.encode(scheme, &previous, &values);
        let bytes = format.encode(&previous, &values).expect("in order");
        for capacity in [n / 2, n, n + 1] {
            self.decode(scheme, &previous, &bytes, capacity);
        }
        // The greatest value, the one after it, and the greatest gap.
        let all = [&previous[..], &values].concat();
        let left = greatest - all[all.len() - components];
        for gap in [left.saturating_sub(1), left, left.saturating_add(1).min(greatest), greatest] {
            let end = oracle::encode_all([gap, 0, 1]);
            self.decode(scheme, &previous, &[&bytes[..], &end].concat(), n + 2);
        }
        // Out of order at one place: by one, equal, by any distance.
        if let Some(at) = (!values.is_empty()).then(|| rng.below(values.len())) {
            let before = all[at];
            for value in [before.saturating_sub(1), before, any_up_to(rng, before)] {
                values[at] = value;
                self.encode(scheme, &previous, &values);
            }
        }
    }

    /// Checks edge cases after `n` values, and among them.
    fn invalid(&self, scheme: Scheme, n: usize, rng: &mut Rng, edge_cases: &[Vec<u8>]) {
        let values = self.format(scheme).sequence(rng, &[0], n);
        let bytes = self.format(scheme).encode(&[0], &values).expect("in order");
        for edge_case in edge_cases {
            self.decode(scheme, &[0], &[&bytes[..], edge_case, &[0x01, 0x02]].concat(), n + 5);
            self.decode(scheme, &[0], &[&bytes[..], edge_case].concat(), n + 5);
            let mut bytes = bytes.clone();
            let at = rng.below(bytes.len() + 1);
            bytes.splice(at..at, edge_case.iter().copied());
            self.decode(scheme, &[0], &bytes, n + 5);
        }
    }
}
