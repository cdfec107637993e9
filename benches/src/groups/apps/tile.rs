//! The coordinates of a map tile: x, y, x, y, as zigzag varints of the differences to the point before.
//! 86 % of them take one byte, 13 % two and 1 % three.

use criterion::Criterion;
use zigzag_varint::delta;

use super::one_by_one::{IntegerEncoding, OneByOne, Prost};
use super::task::{bench, ours};
use crate::contender::VALID;
use crate::corpus::{LONG, Set, Stream};

pub(super) fn run(criterion: &mut Criterion) {
    let Stream { values: steps, bytes } = Stream::<i64>::new(Set::Tile, 2 * LONG);
    let mut point = [0; 2];
    let coordinates: Vec<i64> = steps
        .into_iter()
        .enumerate()
        .map(|(index, step)| {
            point[index % 2] += step;
            point[index % 2]
        })
        .collect();
    let size = (coordinates.len(), bytes.len());
    bench(
        criterion,
        "apps/decode/tile".into(),
        size,
        &coordinates,
        &[
            (&ours(), &|coordinates| {
                *coordinates = delta::decode_to_vec([0; 2], &bytes).expect(VALID);
            }),
            ("integer-encoding", &|coordinates| *coordinates = decode::<IntegerEncoding>(&bytes)),
            ("prost", &|coordinates| *coordinates = decode::<Prost>(&bytes)),
        ],
    );
    bench(
        criterion,
        "apps/encode/tile".into(),
        size,
        &bytes,
        &[
            (&ours(), &|bytes| *bytes = delta::encode_to_vec([0; 2], &coordinates)),
            ("integer-encoding", &|bytes| *bytes = encode::<IntegerEncoding>(&coordinates)),
            ("prost", &|bytes| *bytes = encode::<Prost>(&coordinates)),
        ],
    );
}

fn decode<C: OneByOne>(bytes: &[u8]) -> Vec<i64> {
    let (mut rest, mut x, mut y) = (bytes, 0, 0);
    let mut coordinates = Vec::new();
    while !rest.is_empty() {
        for sum in [&mut x, &mut y] {
            let (step, len) = C::decode(rest);
            *sum += step;
            coordinates.push(*sum);
            rest = &rest[len..];
        }
    }
    coordinates
}

fn encode<C: OneByOne>(coordinates: &[i64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut before = [0; 2];
    for point in coordinates.chunks(2) {
        for (value, before) in point.iter().zip(&mut before) {
            C::encode(value - *before, &mut bytes);
            *before = *value;
        }
    }
    bytes
}
