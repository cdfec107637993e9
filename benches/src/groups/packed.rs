//! `packed-decode` and `packed-encode`: packed fields of 16, 100 and a million values, with their
//! lengths.
//!
//! With `-L1` the same few fields are repeated, and the CPU learns their branches. With `-new` the
//! result of each field is a new vector. Otherwise it replaces the contents of a vector.

use std::hint::black_box;

use criterion::Criterion;

use crate::corpus::SHORT;
use crate::measure::Group;
use crate::ours::Packed;
use crate::packed_field::{Bool, FieldType, Int32, PackedField, Sint64, Uint64};
use crate::peers::{Buffa, Prost, Protobuf};

/// The number of values of a short field.
const SHORT_FIELDS: [usize; 2] = [16, 100];
/// The number of values of the short fields together, whose branches a CPU cannot learn.
const MANY: usize = 1 << 20;
/// The number of values of the long field.
const LONG_FIELD: usize = 1_000_000;

pub(crate) fn run(criterion: &mut Criterion) {
    run_type::<Uint64>(criterion);
    run_type::<Sint64>(criterion);
    run_type::<Int32>(criterion);
    run_type::<Bool>(criterion);
}

type Contender<F> = (&'static str, Box<dyn PackedField<F>>);

fn run_type<F: FieldType>(criterion: &mut Criterion)
where
    Packed: PackedField<F>,
    Prost: PackedField<F>,
    Protobuf: PackedField<F>,
    Buffa: PackedField<F>,
{
    let contenders: [Contender<F>; 4] = [
        ("ours-packed", Box::new(Packed)),
        ("prost", Box::new(Prost)),
        ("protobuf", Box::new(Protobuf)),
        ("buffa", Box::new(Buffa)),
    ];
    for len in SHORT_FIELDS {
        let fresh = Fields::new(&Prost, MANY / len, len);
        decode(criterion, &contenders, &fresh, "", Vec::clear);
        decode(criterion, &contenders, &fresh, "-new", |values| *values = Vec::new());
        encode(criterion, &contenders, &fresh, "", Vec::clear);
        let learnt = Fields::new(&Prost, SHORT / len, len);
        decode(criterion, &contenders, &learnt, "-L1", Vec::clear);
        encode(criterion, &contenders, &learnt, "-L1", Vec::clear);
    }
    let long = Fields::new(&Prost, 1, LONG_FIELD);
    decode(criterion, &contenders, &long, "", Vec::clear);
    decode(criterion, &contenders, &long, "-new", |values| *values = Vec::new());
    encode(criterion, &contenders, &long, "", Vec::clear);
}

/// Fields of one length.
struct Fields<F: FieldType> {
    /// The values of each.
    values: Vec<Vec<F::Value>>,
    /// The encodings, with tags.
    bytes: Vec<Vec<u8>>,
}

impl<F: FieldType> Fields<F> {
    /// Returns `count` fields of `len` values.
    fn new(encoder: &impl PackedField<F>, count: usize, len: usize) -> Self {
        let values: Vec<Vec<_>> = F::values(count * len).chunks(len).map(<[_]>::to_vec).collect();
        let encode = |values: &Vec<_>| {
            let mut bytes = Vec::new();
            encoder.encode(values, &mut bytes);
            bytes
        };
        Self { bytes: values.iter().map(encode).collect(), values }
    }

    /// Returns a group for an operation on all fields.
    fn group<'c>(&self, criterion: &'c mut Criterion, operation: &str, suffix: &str) -> Group<'c> {
        let len = self.values[0].len();
        let name = format!("packed-{operation}/{}{suffix}/{len}", F::NAME);
        let group = Group::new(criterion, name, len * self.values.len());
        if suffix == "-new" { group.with_allocations() } else { group }
    }
}

fn decode<F: FieldType>(
    criterion: &mut Criterion,
    contenders: &[Contender<F>],
    fields: &Fields<F>,
    suffix: &str,
    reset: fn(&mut Vec<F::Value>),
) {
    let Fields { values, bytes } = fields;
    let mut group = fields.group(criterion, "decode", suffix);
    for (name, contender) in contenders {
        let mut decoded = Vec::new();
        for (values, bytes) in values.iter().zip(bytes) {
            decoded.clear();
            contender.decode(&bytes[1..], &mut decoded);
            assert!(decoded == *values, "{name}: wrong values");
        }
        group.bench(
            name,
            &mut decoded,
            |_| (),
            |decoded| {
                for bytes in black_box(bytes) {
                    reset(decoded);
                    contender.decode(&bytes[1..], decoded); // without the tag
                }
            },
            |decoded, ()| decoded == values.last().expect("a field"),
        );
    }
    group.finish();
}

fn encode<F: FieldType>(
    criterion: &mut Criterion,
    contenders: &[Contender<F>],
    fields: &Fields<F>,
    suffix: &str,
    reset: fn(&mut Vec<u8>),
) {
    let Fields { values, bytes } = fields;
    let mut group = fields.group(criterion, "encode", suffix);
    for (name, contender) in contenders {
        let mut encoded = Vec::new();
        for (values, bytes) in values.iter().zip(bytes) {
            encoded.clear();
            contender.encode(values, &mut encoded);
            assert!(encoded == *bytes, "{name}: wrong bytes");
        }
        group.bench(
            name,
            &mut encoded,
            |_| (),
            |encoded| {
                for values in black_box(values) {
                    reset(encoded);
                    contender.encode(values, encoded);
                }
            },
            |encoded, ()| encoded == bytes.last().expect("a field"),
        );
    }
    group.finish();
}
