//! What must hold of any bytes: each law once, for the tests and for the fuzz targets of the same names.

#![allow(dead_code, unreachable_pub)] // a test program or a fuzz target takes the part that it needs

/// `law::<T>(arguments)` for the type that a number chooses. Those that most vector code is for come twice.
macro_rules! by_type {
    ($choice:expr, $law:ident($($argument:expr),*)) => {
        match $choice % 16 {
            0 => $law::<u8>($($argument),*),
            1 => $law::<i8>($($argument),*),
            2 | 12 => $law::<u16>($($argument),*),
            3 => $law::<i16>($($argument),*),
            4 | 13 => $law::<u32>($($argument),*),
            5 => $law::<i32>($($argument),*),
            6 | 14 => $law::<u64>($($argument),*),
            7 | 15 => $law::<i64>($($argument),*),
            8 => $law::<u128>($($argument),*),
            9 => $law::<i128>($($argument),*),
            10 => $law::<usize>($($argument),*),
            _ => $law::<isize>($($argument),*),
        }
    };
}

pub mod chunks;
pub mod doors;
pub mod formats;
pub mod input;
pub mod kernels;
#[cfg(feature = "profile")]
pub mod profiles;

use super::common::streams::nasty;

/// A law, by the name of its fuzz target.
#[derive(Clone, Copy)]
pub struct Law {
    pub name: &'static str,
    /// Panics where the bytes break it.
    pub hold: fn(&[u8]),
    /// Inputs that reach far into what it is about: seeds of the fuzz target, and what the tests vary.
    pub examples: fn() -> Vec<Vec<u8>>,
}

/// Those of the features that there are.
pub const ALL: &[Law] = &[
    Law { name: "doors", hold: doors::hold, examples: doors::examples },
    Law { name: "kernels", hold: kernels::hold, examples: kernels::examples },
    Law { name: "chunks", hold: chunks::hold, examples: chunks::examples },
    Law { name: "formats", hold: formats::hold, examples: formats::examples },
    #[cfg(feature = "profile")]
    Law { name: "profiles", hold: profiles::hold, examples: profiles::examples },
];

/// Streams at and around the limits of types of 64, 32 and 16 bits, each behind some sound values, and the examples of the
/// formats' documents.
fn streams() -> Vec<Vec<u8>> {
    let bad = nasty::<u64>().into_iter().chain(nasty::<u32>()).chain(nasty::<u16>());
    let behind = bad.map(|bad| [&[0x01, 0xac, 0x02, 0x96, 0x01][..], &bad, &[0x00, 0x05]].concat());
    let mut streams: Vec<_> = behind.collect();
    streams.push(vec![0x08, 0x96, 0x01, 0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05]); // protobuf's guide
    streams.push(vec![0xe5, 0x8e, 0x26, 0xc0, 0xbb, 0x78, 0x80, 0x7f, 0xff, 0x7e]); // DWARF, WebAssembly
    streams.dedup();
    streams
}

/// Each stream behind one of the headers in turn.
fn behind(headers: &[&[u8]]) -> Vec<Vec<u8>> {
    let streams = streams();
    let pairs = (0..streams.len().max(headers.len()))
        .map(|n| (headers[n % headers.len()], &streams[n % streams.len()]));
    pairs.map(|(header, stream)| [header, stream].concat()).collect()
}
