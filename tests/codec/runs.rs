//! Runs of equal values. A kernel takes the lengths of a block from the OR, the minimum or a comparison
//! of its values. Of values that differ, one hides a wrong limit of another, so that only equal ones test
//! each limit exactly.

use crate::support::guard_pages::Edge;
use crate::support::wire_types::{AnyWireType, Codec, FORMATS, INTEGERS, check_scanning, codecs};
use crate::support::wires::{breakpoints, edge_cases, positions};
use zigzag_varint_oracle::{BulkOutcome, Rule};

/// The lengths of blocks, those from which on loops are used, and their neighbours.
const LENGTHS: [usize; 20] =
    [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 127, 128, 129, 191, 192, 193];

/// The runs of a wire type without and with the canonical rule.
struct Runs {
    rows: [AnyWireType; 2],
    rule: Rule,
    /// The codecs at either guard page. Checks take the pages in turn, to save time.
    codecs: [Vec<Codec>; 2],
    turn: usize,
}

impl Runs {
    fn new(rows: [AnyWireType; 2]) -> Self {
        let at = |edge| codecs().into_iter().filter(|codec| codec.1 == edge).collect();
        Self { rows, rule: rows[0].rule(), codecs: Edge::BOTH.map(at), turn: 0 }
    }

    /// Returns the values at the limits of lengths, for types of more than 64 bits some of them in each
    /// turn.
    fn limits(&self, turn: usize) -> Vec<u128> {
        let numbers = breakpoints(self.rule.wire_bits());
        positions(self.rule.bits, numbers.len(), turn).map(|at| self.rule.value(numbers[at])).collect()
    }

    fn codecs_in_turn(&mut self) -> &[Codec] {
        self.turn += 1;
        &self.codecs[self.turn % 2]
    }

    /// Encodes the values into a slice of the exact length and of one byte less, and decodes, validates,
    /// counts and skips their encodings.
    fn check(&mut self, values: &[u128]) {
        let [row, _] = self.rows;
        let bytes: Vec<u8> = values.iter().flat_map(|&value| self.rule.encode(value)).collect();
        let codecs = self.codecs_in_turn();
        row.check_encoding(codecs, values, &bytes, bytes.len());
        row.check_encoding(codecs, values, &bytes, bytes.len() - 1);
        check_scanning(codecs, &bytes, values.len());
        let decoded = BulkOutcome { values: values.to_vec(), bytes: bytes.len(), error: None };
        for row in self.rows {
            row.check_decoding(&self.codecs[self.turn % 2], &bytes, values.len(), &decoded);
            assert_eq!(row.validate(&bytes), Ok(values.len()), "{}, {values:?}", row.name());
        }
    }
}

/// Runs a check for every wire type.
fn each_type(check: impl Fn(Runs)) {
    INTEGERS.into_iter().chain(FORMATS).for_each(|rows| check(Runs::new(rows)));
}

#[test]
fn runs_of_each_value_next_to_a_power_of_two_match_the_oracle() {
    each_type(|mut runs| {
        let values = runs.rule.edge_values();
        for (turn, len) in LENGTHS.into_iter().enumerate() {
            positions(runs.rule.bits, values.len(), turn).for_each(|at| runs.check(&vec![values[at]; len]));
        }
    });
}

/// The other value is the next lower or higher one, or the other end of the type.
#[test]
fn runs_with_a_different_value_at_each_place_match_the_oracle() {
    each_type(|mut runs| {
        for place in 0..33 {
            for value in runs.limits(place) {
                let mut values = [value; 40];
                for other in [value.wrapping_sub(1), value.wrapping_add(1), !value] {
                    if runs.rule.is_value(other) {
                        values[place] = other;
                        runs.check(&values);
                    }
                }
            }
        }
    });
}

/// The values before a run give it another place in the blocks and in the windows.
#[test]
fn runs_after_shorter_values_match_the_oracle() {
    each_type(|mut runs| {
        for before in 1..=64 {
            for value in runs.limits(before) {
                runs.check(&[vec![1; before], vec![value; 33]].concat());
            }
        }
    });
}

/// Overlong encodings, and those of too many bytes or bits. A kernel that accepts a window only if all of
/// its values are overlong passes the other tests.
#[test]
fn runs_of_equal_encodings_match_the_oracle() {
    each_type(|mut runs| {
        for encoding in edge_cases(runs.rule.wire_bits()) {
            for len in LENGTHS {
                let src = encoding.repeat(len);
                for (row, rule) in runs.rows.into_iter().zip([runs.rule, runs.rule.canonical()]) {
                    let expected = rule.decode_all(&src, len);
                    row.check_decoding(runs.codecs_in_turn(), &src, len, &expected);
                }
                check_scanning(runs.codecs_in_turn(), &src, len);
            }
        }
    });
}
