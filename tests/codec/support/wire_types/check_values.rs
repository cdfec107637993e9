//! Every API that encodes agrees with the oracle.

use zigzag_varint::{BufferTooSmall, PaddedWidthError};
use zigzag_varint_oracle::Rule;

use super::check_kernels::codecs;
use super::{Encode, Sink, WireType};
use crate::support::guard_pages::{Edge, MEMORY};

impl dyn WireType {
    /// Compares every API that encodes with the oracle. Values that are not accepted cannot be written.
    pub fn check_values(&self, values: &[u128]) {
        let (name, rule) = (self.name(), self.rule());
        let (values, others): (Vec<u128>, Vec<u128>) =
            values.iter().partition(|&&value| rule.decode(&rule.encode(value)).is_ok());
        for value in others {
            let written = self.append_wrapped(Sink::Put, value, &mut Vec::new());
            assert_eq!(written, None, "{name} rejects the encoding of {value}");
        }
        let encoded: Vec<_> = values.iter().map(|&value| rule.encode(value)).collect();
        let bytes = encoded.concat();
        for sink in Sink::OF_WRAPPED {
            let mut dst = vec![0xaa];
            let append = |&value| self.append_wrapped(sink, value, &mut dst).expect("the value is accepted");
            let len: usize = values.iter().map(append).sum();
            assert_eq!(len, bytes.len(), "{sink:?}, {name}, {values:?}");
            assert_eq!((dst[0], &dst[1..]), (0xaa, &bytes[..]), "{sink:?}, {name}, {values:?}");
        }
        let Some(encoder) = self.encoder() else { return };
        for sink in Sink::ALL {
            let (mut one_by_one, mut at_once) = (vec![0xaa], vec![0xaa]);
            let append = |&value| encoder.append_one(sink, value, &mut one_by_one);
            let len: usize = values.iter().map(append).sum();
            let lens = [len, encoder.append_all(sink, &values, &mut at_once)];
            assert_eq!(lens, [bytes.len(); 2], "{sink:?}, {name}, {values:?}");
            for dst in [one_by_one, at_once] {
                assert_eq!((dst[0], &dst[1..]), (0xaa, &bytes[..]), "{sink:?}, {name}, {values:?}");
            }
        }
        let codecs = codecs();
        for available in [bytes.len(), bytes.len().saturating_sub(1), bytes.len() / 2] {
            self.check_encoding(&codecs, &values, &bytes, available);
        }
        for (&value, bytes) in values.iter().zip(&encoded).take(50) {
            self.check_single_value(encoder, value, bytes);
        }
    }

    /// Encodes a value into slices of every length next to either guard page.
    fn check_single_value(&self, encoder: &dyn Encode, value: u128, bytes: &[u8]) {
        let (name, needed) = (self.name(), bytes.len());
        assert_eq!(encoder.encoded_len(value), needed, "{name}, {value}");
        MEMORY.with_borrow_mut(|[_, dst]| {
            for (edge, available) in
                Edge::BOTH.into_iter().flat_map(|edge| (0..22).map(move |len| (edge, len)))
            {
                let dst = dst.filled(edge, available, 0xaau8);
                let fits = available >= needed;
                let expected = if fits { Ok(needed) } else { Err(BufferTooSmall { needed, available }) };
                assert_eq!(encoder.encode_to_slice(value, dst), expected, "{name}, {value}");
                let (written, rest) = dst.split_at(if fits { needed } else { 0 });
                assert!(!fits || written == bytes, "{name}, {value}: {written:02x?}");
                assert!(rest.iter().all(|&byte| byte == 0xaa), "{name}, {value}: {rest:02x?} is written to");
            }
        });
    }

    /// Checks that a value of any width is decoded by the wire type without the canonical rule, and
    /// that other widths are errors.
    pub fn check_padding(&self, value: u128) {
        let Some(encoder) = self.encoder() else { return };
        let (name, rule, max) = (self.name(), self.rule(), self.max_len());
        let min = rule.encode(value).len();
        for width in 0..=20 {
            let mut dst = vec![0xaa; width];
            let padded = encoder.encode_padded(value, &mut dst);
            if (min..=max).contains(&width) {
                let decoded = Rule { canonical: false, ..rule }.decode(&dst);
                assert_eq!((padded, decoded), (Ok(()), Ok((value, width))), "{name}, {dst:02x?}");
            } else {
                assert_eq!(padded, Err(PaddedWidthError { width, min, max }), "{name}, {value}");
                assert!(dst.iter().all(|&byte| byte == 0xaa), "{name}, {value}: nothing is written");
            }
        }
    }
}
