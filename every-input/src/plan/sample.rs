//! The values of a sample: all values near boundaries, and random draws in equal numbers from every class.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::rc::Rc;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use crate::plan::edges;
use crate::plan::interval::{self, Interval};
use crate::plan::space::{ErasedClass, ErasedSpace};

/// The number of values on each side of a boundary that a sample covers exhaustively.
pub(crate) const NEIGHBOURHOOD: i128 = 1 << 14;
/// A class with at most this number of values in the plan is covered exhaustively instead of sampled.
const MAX_EXHAUSTIVE: u128 = 1 << 22;
/// The number of values drawn from a stratum in one unit.
pub(crate) const DRAWS_PER_UNIT: u64 = 1 << 14;

/// Returns the number of checked inputs by the length of their class: those covered, and those
/// drawn, whose numbers come with the length of their stratum.
pub(crate) fn by_length(
    classes: &[ErasedClass],
    covered: &[Interval],
    drawn: impl Iterator<Item = (usize, u64)>,
) -> BTreeMap<usize, u64> {
    let mut lengths = BTreeMap::new();
    let covered = classes
        .iter()
        .map(|class| (class.length, interval::common(&class.intervals, covered).map(Interval::count).sum()));
    let drawn = drawn.map(|(length, count)| (length, u128::from(count)));
    for (length, count) in covered.chain(drawn).filter(|&(_, count)| count > 0) {
        let sum: &mut u64 = lengths.entry(length).or_default();
        *sum = sum.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
    }
    lengths
}

/// Divides a plan into the values to cover exhaustively and the strata to sample.
pub(crate) fn divide(space: &ErasedSpace, plan: &[Interval]) -> (Vec<Interval>, Vec<ErasedClass>) {
    let mut whole = neighbours(&edges::of_intervals(space, plan), NEIGHBOURHOOD, plan);
    let mut strata = Vec::new();
    for class in &space.classes {
        let intervals = interval::intersection(&class.intervals, plan);
        let planned = ErasedClass { intervals, ..class.clone() };
        match planned.count() {
            0 => {}
            count if count <= MAX_EXHAUSTIVE => whole.extend(planned.intervals),
            _ => strata.push(planned),
        }
    }
    (interval::union(whole), strata)
}

/// Returns the values of a plan that are at most `distance` away from one of these.
pub(crate) fn neighbours(edges: &[i128], distance: i128, plan: &[Interval]) -> Vec<Interval> {
    let near = edges.iter().map(|edge| Interval { first: edge - distance, last: edge + distance });
    interval::intersection(&interval::union(near), plan)
}

/// Returns the values that a complete sample covers exhaustively: all, or if its budget has ended before,
/// those up to this distance from the edges.
pub(crate) fn needed(space: &ErasedSpace, plan: &[Interval], distance: Option<u64>) -> Vec<Interval> {
    match distance {
        None => divide(space, plan).0,
        Some(0) => Vec::new(),
        Some(distance) => neighbours(&edges::of_intervals(space, plan), distance.into(), plan),
    }
}

/// Returns the values to cover exhaustively in rings, the nearest to the edges first: those up to a
/// distance of one, of two, of four and so on, and all others.
pub(crate) fn rings(whole: &[Interval], edges: &[i128]) -> Vec<Vec<Interval>> {
    let distances = (0..=NEIGHBOURHOOD.ilog2()).map(|power| neighbours(edges, 1 << power, whole));
    let mut inner = Vec::new();
    distances
        .chain([whole.to_vec()])
        .map(|outer| interval::difference(&outer, &std::mem::replace(&mut inner, outer.clone())))
        .collect()
}

pub(crate) fn fresh_seed() -> u64 {
    // The system's randomness through the standard library, whose hashers are keyed with it: one
    // number needs no dependency.
    RandomState::new().build_hasher().finish()
}

/// Draws values from a stratum, uniformly and with replacement.
#[derive(Clone)]
pub(crate) struct Draw<'s> {
    intervals: &'s [Interval],
    /// `ends[k]` is the number of values in the intervals up to and including number `k`. Of all 2^64
    /// values, which are a single interval, it is 0.
    ends: Rc<[u64]>,
    mask: u64,
    lanes: Lanes,
    /// Draws again what a lane has drawn beyond the last value.
    again: Xoshiro256PlusPlus,
    /// The places that the lanes have drawn beyond the last portion.
    ahead: Vec<u64>,
}

impl<'s> Draw<'s> {
    /// Creates the generator for the unit of draws with this number. The values depend only on the
    /// seed and the number, not on the thread.
    pub(crate) fn new(stratum: &'s ErasedClass, seed: u64, number: u64) -> Self {
        let mut count = 0;
        let ends: Rc<[u64]> = stratum
            .intervals
            .iter()
            .map(|interval| {
                count = u64::wrapping_add(count, interval.count() as u64);
                count
            })
            .collect();
        let mask = u64::MAX.checked_shr(count.wrapping_sub(1).leading_zeros()).unwrap_or(0);
        // Hash seed and number, so that the generators are independent of each other.
        let base = SplitMix64::seed_from_u64(seed).next_u64();
        let own = SplitMix64::seed_from_u64(base ^ number).next_u64();
        let mut seeds = SplitMix64::seed_from_u64(own);
        let lanes = [(); 4].map(|()| [(); LANES].map(|()| seeds.next_u64()));
        let again = Xoshiro256PlusPlus::seed_from_u64(seeds.next_u64());
        Self { intervals: &stratum.intervals, ends, mask, lanes, again, ahead: Vec::new() }
    }

    /// Returns the numbers of this many draws.
    pub(crate) fn numbers(&mut self, count: usize) -> Vec<i128> {
        let (intervals, ends, mut numbers) = (self.intervals, Rc::clone(&self.ends), vec![0; count]);
        self.fill(&mut numbers, |place| {
            let index = ends.partition_point(|&end| end <= place);
            let Some(interval) = intervals.get(index) else { return intervals[0].first + i128::from(place) };
            interval.last - i128::from(ends[index] - 1 - place)
        });
        numbers
    }

    /// Leaves out this many draws.
    pub(crate) fn skip(&mut self, count: u64) {
        self.fill(&mut vec![(); count as usize], |_| ());
    }

    /// Fills `inputs` with draws, which `at` returns by their numbers. The draws are the same in any
    /// portions.
    #[inline(always)]
    pub(crate) fn fill_with<I>(&mut self, inputs: &mut [I], at: impl Fn(i128) -> I) {
        match *self.intervals {
            // Nearly all strata. Then the first number is known before the loop.
            [Interval { first, .. }] => self.fill(inputs, |place| at(first + i128::from(place))),
            _ => {
                let numbers = self.numbers(inputs.len());
                inputs.iter_mut().zip(numbers).for_each(|(input, number)| *input = at(number));
            }
        }
    }

    /// Fills `inputs` with those at drawn places among all values of the stratum.
    #[inline(always)]
    fn fill<I>(&mut self, inputs: &mut [I], input_at: impl Fn(u64) -> I) {
        let last = self.ends.last().copied().unwrap_or(0).wrapping_sub(1);
        let mut places = [0; 8 * LANES];
        let mut inputs = inputs;
        if !self.ahead.is_empty() {
            let (early, later) = inputs.split_at_mut(self.ahead.len().min(inputs.len()));
            let ahead = self.ahead.drain(..early.len());
            early.iter_mut().zip(ahead).for_each(|(input, place)| *input = input_at(place));
            inputs = later;
        }
        for part in inputs.chunks_mut(places.len()) {
            let places = &mut places[..part.len().next_multiple_of(LANES)];
            draw_places(&mut self.lanes, &mut self.again, self.mask, last, places);
            part.iter_mut().zip(places).for_each(|(input, place)| *input = input_at(*place));
        }
        // Only the last part is no multiple of the lanes.
        let end = inputs.len() % places.len();
        if !end.is_multiple_of(LANES) {
            self.ahead.extend_from_slice(&places[end..end.next_multiple_of(LANES)]);
        }
    }
}

/// The number of generators that take turns, so that vector units run all of them at once.
const LANES: usize = 32;

/// The states of xoshiro256++ generators.
type Lanes = [[u64; LANES]; 4];

/// Fills `places` with random numbers from 0 to `last`. It is compiled once for all types.
fn draw_places(lanes: &mut Lanes, again: &mut Xoshiro256PlusPlus, mask: u64, last: u64, places: &mut [u64]) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx512f") {
        #[allow(unsafe_code)]
        // SAFETY: the CPU has AVX-512.
        return unsafe { with_avx512(lanes, again, mask, last, places) };
    } else if std::is_x86_feature_detected!("avx2") {
        #[allow(unsafe_code)]
        // SAFETY: the CPU has AVX2.
        return unsafe { with_avx2(lanes, again, mask, last, places) };
    }
    draw_portable(lanes, again, mask, last, places);
}

/// [`draw_portable`], compiled for AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn with_avx512(lanes: &mut Lanes, again: &mut Xoshiro256PlusPlus, mask: u64, last: u64, places: &mut [u64]) {
    draw_portable(lanes, again, mask, last, places);
}

/// [`draw_portable`], compiled for AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2(lanes: &mut Lanes, again: &mut Xoshiro256PlusPlus, mask: u64, last: u64, places: &mut [u64]) {
    draw_portable(lanes, again, mask, last, places);
}

/// With fewer generators the compiler would keep their states apart, and use no vectors.
#[inline(always)]
fn draw_portable(
    lanes: &mut Lanes,
    again: &mut Xoshiro256PlusPlus,
    mask: u64,
    last: u64,
    places: &mut [u64],
) {
    let [s0, s1, s2, s3] = lanes;
    for places in places.as_chunks_mut::<LANES>().0 {
        for lane in 0..LANES {
            let sum = s0[lane].wrapping_add(s3[lane]).rotate_left(23).wrapping_add(s0[lane]);
            let shifted = s1[lane] << 17;
            s2[lane] ^= s0[lane];
            s3[lane] ^= s1[lane];
            s1[lane] ^= s2[lane];
            s0[lane] ^= s3[lane];
            s2[lane] ^= shifted;
            s3[lane] = s3[lane].rotate_left(45);
            places[lane] = sum & mask;
        }
        // Rejection sampling keeps the distribution uniform. With the mask, less than half of the
        // numbers are rejected, and of nearly all strata less than one in a hundred.
        if places.iter().fold(false, |any, &place| any | (place > last)) {
            for place in places {
                while *place > last {
                    *place = again.next_u64() & mask;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::integer::Integer;
    use crate::plan::scalar::sealed::Sealed;

    #[test]
    fn draws_are_inside_their_stratum_and_reproducible() {
        let (_, strata) = divide(
            &i64::space(),
            &[Interval { first: -1 << 40, last: -1 << 30 }, Interval { first: 1 << 30, last: 1 << 40 }],
        );
        for stratum in &strata {
            let (mut a, b) = (Draw::new(stratum, 7, 3), Draw::new(stratum, 7, 3));
            let (mut values, mut again) = ([0i64; 1000], [0; 1000]);
            a.fill_with(&mut values, i64::from_i128);
            // In other portions the values are the same, and if some are left out.
            for (len, skipped) in [(1, 0), (7 * LANES, 0), (50, 33), (300, 1), (LANES, LANES)] {
                let mut c = b.clone();
                c.skip(skipped as u64);
                again[skipped..].chunks_mut(len).for_each(|part| c.fill_with(part, i64::from_i128));
                assert_eq!(values[skipped..], again[skipped..], "{len} {skipped}");
            }
            for value in values.map(i128::from) {
                let zigzag = if value < 0 { -2 * value - 1 } else { 2 * value };
                let fits = |length: usize| zigzag < 128i128.pow(length as u32);
                assert!(fits(stratum.length) && !fits(stratum.length - 1), "{value}");
                assert_eq!(value < 0, stratum.negative);
                assert!(stratum.intervals.iter().any(|i| i.contains(value)));
            }
        }
        assert!(strata.len() >= 4);
    }

    /// Checkpoints, shards and repeated sweeps need the same draws in every version. These come
    /// from another implementation of SplitMix64 and xoshiro256++.
    #[test]
    fn draws_are_those_of_the_published_generators() {
        let space = u64::space();
        let (_, strata) = divide(&space, &[space.limits]);
        let stratum = strata.iter().find(|stratum| stratum.length == 7).unwrap();
        let draw = |seed, number| {
            let mut values = [0u64; 4];
            Draw::new(stratum, seed, number).fill_with(&mut values, u64::from_i128);
            values
        };
        let expected = [6_487_886_268_849, 63_634_102_154_710, 327_134_186_571_392, 426_689_618_636_195];
        assert_eq!(draw(1, 0), expected);
        let expected = [388_819_708_083_868, 555_660_995_752_721, 418_428_975_470_044, 467_358_776_791_702];
        assert_eq!(draw(7, 3), expected);
    }
}
