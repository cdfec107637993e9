//! The coordinates of a map tile, x, y, x, y, as zigzag varints of differences: 86 % of one byte, 13 % of
//! two and 1 % of three.

use core::fmt::{self, Write};
use core::hint::black_box;

use zigzag_varint::Kernel;

use super::sets::{N, random};
use super::{Host, KERNELS, ROUNDS, time};

/// Prints the table.
pub(super) fn table() -> fmt::Result {
    let mut state = 1;
    let mut point = [0u32; 2];
    let coordinates: [u32; N] = core::array::from_fn(|index| {
        let magnitude = match random(&mut state) % 100 {
            0..86 => random(&mut state) % 64,
            86..99 => 64 + random(&mut state) % 8_000,
            _ => 8_192 + random(&mut state) % 500_000,
        };
        let sign = if random(&mut state) % 2 == 0 { 1 } else { -1 };
        let sum = &mut point[index % 2];
        *sum = sum.wrapping_add_signed(sign * magnitude as i32);
        *sum
    });
    let mut bytes = [0; N * 5];
    let used = Kernel::SCALAR
        .encode_delta_slice([0; 2], &coordinates, &mut bytes)
        .expect("five bytes for each coordinate");
    let mut decoded = [0; N];
    let mut times = [[f64::INFINITY; KERNELS]; 2];
    for _ in 0..ROUNDS {
        for (column, kernel) in Kernel::available().enumerate() {
            let encoding = time(|| {
                let encoded =
                    kernel.encode_delta_slice([0; 2], black_box(&coordinates), black_box(&mut bytes));
                assert_eq!(encoded, Ok(used));
            });
            let decoding = time(|| {
                let decoded =
                    kernel.decode_delta_slice([0; 2], black_box(&bytes[..used]), black_box(&mut decoded));
                assert!(decoded.is_ok_and(|done| done.values == N));
            });
            for (least, time) in times.iter_mut().zip([encoding, decoding]) {
                least[column] = least[column].min(time);
            }
        }
    }
    assert!(decoded == coordinates, "decoded coordinates differ");
    writeln!(Host, "| map tile, x and y u32 | encode | decode |\n|---|--:|--:|")?;
    let [encoding, decoding] = times;
    for ((kernel, encoding), decoding) in Kernel::available().zip(encoding).zip(decoding) {
        writeln!(Host, "| {kernel} | {encoding:.2} | {decoding:.2} |")?;
    }
    Ok(())
}
