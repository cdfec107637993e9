//! The properties of the codec that hold for any byte string, for tests and the fuzz target.

#![allow(dead_code, unreachable_pub)] // each test program and fuzz target uses a part of it

pub mod apis;
pub mod chunks;
pub mod formats;
pub mod kernels;
pub mod reader;

use crate::property::Property;
use crate::support::wires::edge_cases;

pub const ALL: &[Property] = &[
    Property { name: "apis", check: apis::check, examples: apis::examples },
    Property { name: "kernels", check: kernels::check, examples: kernels::examples },
    Property { name: "chunks", check: chunks::check, examples: chunks::examples },
    Property { name: "formats", check: formats::check, examples: formats::examples },
    Property { name: "reader", check: reader::check, examples: reader::examples },
];

/// Edge cases of 64-, 32- and 16-bit types, each after some valid values, and the examples of the
/// formats' specifications.
fn streams() -> Vec<Vec<u8>> {
    let edge_cases = [64, 32, 16].into_iter().flat_map(edge_cases);
    let after_values =
        edge_cases.map(|edge_case| [&[0x01, 0xac, 0x02, 0x96, 0x01][..], &edge_case, &[0x00, 0x05]].concat());
    let mut streams: Vec<_> = after_values.collect();
    streams.push(vec![0x08, 0x96, 0x01, 0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05]); // protobuf encoding guide
    streams.push(vec![0xe5, 0x8e, 0x26, 0xc0, 0xbb, 0x78, 0x80, 0x7f, 0xff, 0x7e]); // DWARF, WebAssembly
    streams.dedup();
    streams
}

/// Prepends the headers to the streams, in turn.
fn after<const N: usize>(headers: impl IntoIterator<Item = [u8; N]>) -> Vec<Vec<u8>> {
    let (headers, streams) = (headers.into_iter().collect::<Vec<_>>(), streams());
    let pairs = (0..streams.len().max(headers.len()))
        .map(|n| (&headers[n % headers.len()], &streams[n % streams.len()]));
    pairs.map(|(header, stream)| [header, &stream[..]].concat()).collect()
}
