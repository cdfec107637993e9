//! A time series: blocks of 1,000 samples, each with a column of timestamps and a column of sensor
//! values, as zigzag varints of the differences.

use criterion::Criterion;
use zigzag_varint::{LengthPrefix, delta};

use super::one_by_one::{IntegerEncoding, OneByOne, Prost};
use super::task::{bench, ours};
use crate::contender::VALID;
use crate::corpus::{Set, Stream};

const SAMPLES: usize = 100_000;
const BLOCK: usize = 1_000;
const COLUMN: LengthPrefix = LengthPrefix::new(usize::MAX);

pub(super) fn run(criterion: &mut Criterion) {
    // About a second between two timestamps in milliseconds, and a random walk of the sensor.
    let steps = Stream::<i64>::new(Set::OneByte, SAMPLES).values.into_iter().map(|step| 1_000 + step);
    let walk = Stream::<i64>::new(Set::Tile, SAMPLES).values;
    let series =
        Series { timestamps: sums(1_700_000_000_000, steps), values: sums(20_000, walk.into_iter()) };
    let bytes = series.encode(one_by_one_encoder::<Prost>);
    let size = (2 * SAMPLES, bytes.len());
    bench(
        criterion,
        "apps/decode/series".into(),
        size,
        &series,
        &[
            (&ours(), &|series| {
                *series = Series::decode(&bytes, |column, values| {
                    delta::decode_append([0], column, values).expect(VALID);
                });
            }),
            ("integer-encoding", &|series| {
                *series = Series::decode(&bytes, one_by_one_decoder::<IntegerEncoding>);
            }),
            ("prost", &|series| *series = Series::decode(&bytes, one_by_one_decoder::<Prost>)),
        ],
    );
    bench(
        criterion,
        "apps/encode/series".into(),
        size,
        &bytes,
        &[
            (&ours(), &|bytes| {
                *bytes = series.encode(|values, column| _ = delta::encode_append([0], values, column));
            }),
            ("integer-encoding", &|bytes| *bytes = series.encode(one_by_one_encoder::<IntegerEncoding>)),
            ("prost", &|bytes| *bytes = series.encode(one_by_one_encoder::<Prost>)),
        ],
    );
}

fn sums(first: i64, steps: impl Iterator<Item = i64>) -> Vec<i64> {
    steps
        .scan(first, |sum, step| {
            *sum += step;
            Some(*sum)
        })
        .collect()
}

#[derive(Default, PartialEq)]
struct Series {
    timestamps: Vec<i64>,
    values: Vec<i64>,
}

impl Series {
    fn decode(bytes: &[u8], decode: impl Fn(&[u8], &mut Vec<i64>)) -> Self {
        let mut series = Self::default();
        let mut rest = bytes;
        while !rest.is_empty() {
            for values in [&mut series.timestamps, &mut series.values] {
                let (column, len) = COLUMN.decode(rest).expect(VALID);
                decode(column, values);
                rest = &rest[len..];
            }
        }
        series
    }

    fn encode(&self, encode: impl Fn(&[i64], &mut Vec<u8>)) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut column = Vec::new();
        for (timestamps, values) in self.timestamps.chunks(BLOCK).zip(self.values.chunks(BLOCK)) {
            for values in [timestamps, values] {
                column.clear();
                encode(values, &mut column);
                COLUMN.encode_append(&column, &mut bytes).expect(VALID);
            }
        }
        bytes
    }
}

fn one_by_one_decoder<C: OneByOne>(column: &[u8], values: &mut Vec<i64>) {
    let (mut rest, mut sum) = (column, 0);
    while !rest.is_empty() {
        let (step, len) = C::decode(rest);
        sum += step;
        values.push(sum);
        rest = &rest[len..];
    }
}

fn one_by_one_encoder<C: OneByOne>(values: &[i64], column: &mut Vec<u8>) {
    let mut before = 0;
    for &value in values {
        C::encode(value - before, column);
        before = value;
    }
}
