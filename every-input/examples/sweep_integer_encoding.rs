//! Sweeps a published codec: `integer-encoding`, whose `VarInt` encodes signed types by zigzag.
//!
//! `cargo run -p every-input --example sweep_integer_encoding`

use std::time::Duration;

use every_input::{Sweep, SweepError, all, codec_from_fns};
use integer_encoding::VarInt;

fn main() -> Result<(), SweepError> {
    let codec = codec_from_fns(
        "integer-encoding",
        |value: i64, dst: &mut [u8]| {
            // `encode_var` panics if `dst` is too small.
            if dst.len() < value.required_space() {
                return Err("dst is too small".into());
            }
            Ok(value.encode_var(dst))
        },
        |src: &[u8]| i64::decode_var(src).ok_or_else(|| "truncated, or does not fit i64".into()),
    );
    let report = Sweep::of(all()).budget(Duration::from_secs(2)).run(&codec)?;
    println!("{report}");
    Ok(())
}
