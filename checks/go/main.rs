//! Does the work of `round_trip.go` with this crate, and runs that program, whose path is the argument. They
//! take turns. The figures are the least and the greatest time.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::ops::Range;
use std::process::Command;
use std::time::Instant;

use zigzag_varint::{Kernel, Varint};

const RANGES: [Range<i64>; 8] = [
    100_000_001..150_000_001,
    200_000_001..250_000_001,
    300_000_001..350_000_000,
    400_000_001..450_000_000,
    500_000_001..550_000_000,
    600_000_001..650_000_000,
    700_000_001..750_000_000,
    800_000_001..850_000_000,
];
const VALUES: i64 = 399_999_994;
const ROUNDS: usize = 5;
const BLOCK: usize = 1024;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let program = env::args().nth(1).ok_or("no argument; give the path of the Go program")?;
    let mut version = String::new();
    let mut times = [const { Vec::new() }; 4];
    for _ in 0..ROUNDS {
        let (name, nanoseconds) = go(&program)?;
        version = name;
        times[0].push(nanoseconds);
        times[1].push(time(by_value)?);
        times[2].push(time(|range| by_block(range, Kernel::SCALAR))?);
        times[3].push(time(|range| by_block(range, Kernel::detect()))?);
    }
    let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    let rows = [
        format!("{version}: `PutVarint`, `Varint`"),
        "Rust: `encode_to_slice`, `decode`".to_owned(),
        format!("Rust: `encode_slice`, `decode_slice` of {BLOCK} values, plain loops (`Kernel::SCALAR`)"),
        format!("Rust: the same on {}, the default here", Kernel::detect()),
    ];
    for (name, row) in rows.iter().zip(&times) {
        let (min, max) = (least(row), row.iter().copied().fold(0.0, f64::max));
        let ratio = least(&times[0]) / min;
        println!(
            "figure: round trip={name}; ns per value={min:.2} to {max:.2}; times as fast as Go={ratio:.1}"
        );
    }
    Ok(())
}

/// Runs the Go program. Returns its version and the nanoseconds per value.
fn go(program: &str) -> Outcome<(String, f64)> {
    let output = Command::new(program).output().map_err(|error| format!("{program}: {error}"))?;
    let text = String::from_utf8(output.stdout)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let [version, values, "0", nanoseconds] = words[..] else {
        return Err(format!("{program}: failures, or unexpected output: {text}").into());
    };
    if values.parse() != Ok(VALUES) {
        return Err(format!("{program}: {values} values instead of {VALUES}").into());
    }
    Ok((version.to_owned(), nanoseconds.parse()?))
}

/// Returns the nanoseconds per value of round trips over all ranges.
fn time(failures: impl Fn(Range<i64>) -> usize) -> Outcome<f64> {
    let start = Instant::now();
    let failures: usize = RANGES.map(&failures).iter().sum();
    let nanoseconds = start.elapsed().as_nanos() as f64 / VALUES as f64;
    if failures > 0 {
        return Err(format!("{failures} failures in Rust").into());
    }
    Ok(nanoseconds)
}

fn by_value(range: Range<i64>) -> usize {
    let mut buffer = [0; 10];
    let failed = range.filter(|&value| {
        let len = i64::encode_to_slice(value, &mut buffer).unwrap_or(0);
        i64::decode(black_box(&buffer[..len])) != Ok((value, len))
    });
    failed.count()
}

fn by_block(range: Range<i64>, kernel: Kernel) -> usize {
    let (mut values, mut back, mut bytes) = ([0; BLOCK], [0; BLOCK], [0; 10 * BLOCK]);
    let mut failed = 0;
    for first in range.clone().step_by(BLOCK) {
        let block = first..range.end.min(first + BLOCK as i64);
        let len = block.end.abs_diff(first) as usize;
        let (values, back) = (&mut values[..len], &mut back[..len]);
        values.iter_mut().zip(block).for_each(|(slot, value)| *slot = value);
        let used = kernel.encode_slice::<i64>(values, &mut bytes).unwrap_or(0);
        let decoded =
            kernel.decode_slice::<i64>(black_box(&bytes[..used]), back).map_or(0, |progress| progress.bytes);
        failed += if decoded == used { values.iter().zip(back).filter(|(a, b)| a != b).count() } else { len };
    }
    failed
}
