//! Messages with four packed fields, `uint64`, `sint64`, `int32` and `bool`, of the same number of
//! values, which is the set. All fields have the same number in their tags.

use criterion::Criterion;
use zigzag_varint::LengthPrefix;

use super::task::{bench, ours};
use crate::contender::VALID;
use crate::corpus::LONG;
use crate::ours::Packed;
use crate::packed_field::{Bool, FieldType, Int32, PackedField, Sint64, Uint64};
use crate::peers::{Buffa, Prost, Protobuf};

pub(super) fn run(criterion: &mut Criterion) {
    for (len, set) in [(16, "16"), (100, "100"), (1_000_000, "1e6")] {
        let messages = messages((LONG / len).max(1), len);
        let encoded: Vec<Vec<u8>> = messages.iter().map(|message| message.encode(&Prost)).collect();
        let size = (4 * len * messages.len(), encoded.iter().map(Vec::len).sum());

        fn decoder(contender: &impl Fields, encoded: &[Vec<u8>]) -> impl Fn(&mut Vec<Message>) {
            move |messages| {
                *messages = encoded.iter().map(|bytes| Message::decode(contender, bytes)).collect()
            }
        }
        bench(
            criterion,
            format!("apps/decode/message-{set}"),
            size,
            &messages,
            &[
                (&ours(), &decoder(&Packed, &encoded)),
                ("prost", &decoder(&Prost, &encoded)),
                ("protobuf", &decoder(&Protobuf, &encoded)),
                ("buffa", &decoder(&Buffa, &encoded)),
            ],
        );

        fn encoder(contender: &impl Fields, messages: &[Message]) -> impl Fn(&mut Vec<Vec<u8>>) {
            move |encoded| *encoded = messages.iter().map(|message| message.encode(contender)).collect()
        }
        bench(
            criterion,
            format!("apps/encode/message-{set}"),
            size,
            &encoded,
            &[
                (&ours(), &encoder(&Packed, &messages)),
                ("prost", &encoder(&Prost, &messages)),
                ("protobuf", &encoder(&Protobuf, &messages)),
                ("buffa", &encoder(&Buffa, &messages)),
            ],
        );
    }
}

#[derive(Default, PartialEq)]
struct Message {
    uint64: Vec<u64>,
    sint64: Vec<i64>,
    int32: Vec<i32>,
    bool: Vec<bool>,
}

trait Fields: PackedField<Uint64> + PackedField<Sint64> + PackedField<Int32> + PackedField<Bool> {}

impl<C: PackedField<Uint64> + PackedField<Sint64> + PackedField<Int32> + PackedField<Bool>> Fields for C {}

fn messages(count: usize, len: usize) -> Vec<Message> {
    let (uint64, sint64) = (Uint64::values(count * len), Sint64::values(count * len));
    let (int32, bool) = (Int32::values(count * len), Bool::values(count * len));
    (0..count)
        .map(|index| index * len..(index + 1) * len)
        .map(|part| Message {
            uint64: uint64[part.clone()].to_vec(),
            sint64: sint64[part.clone()].to_vec(),
            int32: int32[part.clone()].to_vec(),
            bool: bool[part].to_vec(),
        })
        .collect()
}

impl Message {
    fn decode(contender: &impl Fields, bytes: &[u8]) -> Self {
        let mut message = Self::default();
        let mut rest = bytes;
        let mut next = || {
            let (_, len) = LengthPrefix::new(usize::MAX).decode(&rest[1..]).expect(VALID);
            let (field, others) = rest[1..].split_at(len);
            rest = others;
            field
        };
        PackedField::<Uint64>::decode(contender, next(), &mut message.uint64);
        PackedField::<Sint64>::decode(contender, next(), &mut message.sint64);
        PackedField::<Int32>::decode(contender, next(), &mut message.int32);
        PackedField::<Bool>::decode(contender, next(), &mut message.bool);
        message
    }

    fn encode(&self, contender: &impl Fields) -> Vec<u8> {
        let mut bytes = Vec::new();
        PackedField::<Uint64>::encode(contender, &self.uint64, &mut bytes);
        PackedField::<Sint64>::encode(contender, &self.sint64, &mut bytes);
        PackedField::<Int32>::encode(contender, &self.int32, &mut bytes);
        PackedField::<Bool>::encode(contender, &self.bool, &mut bytes);
        bytes
    }
}
