//! Streams that are decoded or encoded in bulk give the same results as slices, wherever the input is
//! split.

use crate::property::input::{Cuts, Input};
use crate::support::bulk_streams;
use crate::support::oracle::{self, Int};
use crate::support::pieces::Pieces;

/// The first byte chooses the type and the strictness, the second the number of values in a call and
/// by how much the pieces are longer than those of [`Cuts`], which the next three choose.
pub fn check(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let (choice, sizes, cuts) = (input.byte(), input.byte(), input.cuts());
    let capacity = 1 + usize::from(sizes % 32);
    let longer = 8 * usize::from(sizes / 32);
    by_type!(choice, check_type(input.rest(), cuts, longer, capacity, choice & 0x80 != 0));
}

fn check_type<T: Int>(src: &[u8], mut cuts: Cuts, longer: usize, capacity: usize, canonical: bool) {
    let pieces = Pieces::new(src, || match cuts.next() {
        0 => 0,
        len => len + longer,
    });
    bulk_streams::compare::<T>(src, &pieces, canonical, capacity);
    bulk_streams::compare_encoders(&oracle::decode_all::<T>(src, usize::MAX, false).values);
}

pub fn examples() -> Vec<Vec<u8>> {
    let headers: [&[u8]; 14] = [
        &[0x06, 0x1f, 0, 0, 0],
        &[0x84, 0x00, 0x21, 0x00, 0x13],
        &[0x06, 0x21, 0x12, 0x01, 0x10],
        &[0x87, 0x3f, 0x01, 0x30, 0x07],
        &[0x04, 0x9f, 0xff, 0xff, 0xff],
        &[0x06, 0xe7, 0x10, 0x01, 0x00],
        &[0x85, 0x03, 0x11, 0x11, 0x11],
        &[0x08, 0x05, 0x53, 0x01, 0x02],
        &[0x80, 0x1f, 0x00, 0x10, 0x05],
        &[0x02, 0x07, 0x31, 0x10, 0x05],
        &[0x8a, 0x47, 0x00, 0x10, 0x05],
        &[0x0b, 0x67, 0x42, 0x11, 0x51],
        &[0x82, 0x10, 0x09, 0x90, 0x11],
        &[0x89, 0xff, 0x10, 0x00, 0x10],
    ];
    super::examples::after(&headers)
}
