//! The machine that runs the tests, and the default kernel.

use zigzag_varint::{Kernel, decode_to_vec, encode_to_vec};
use zigzag_varint_oracle::encode_all;

use crate::support::child::run_ignored_test;

/// Otherwise a cross build that runs on the host by mistake would pass every test.
#[test]
fn the_tests_run_on_the_expected_machine() {
    let endian = if 1u16.to_ne_bytes() == [1, 0] { "little" } else { "big" };
    let machine = format!("{} {endian}-endian {}-bit", std::env::consts::ARCH, usize::BITS);
    let kernels: Vec<_> = Kernel::available().map(Kernel::name).collect();
    println!("machine: {machine}, kernels: {}", kernels.join(" "));
    if let Ok(expected) = std::env::var("EXPECTED_MACHINE") {
        assert_eq!(machine, expected);
    }
}

#[test]
fn only_little_endian_aarch64_and_wasm32_with_simd128_have_their_kernels() {
    let has = |name| Kernel::by_name(name).is_some();
    assert_eq!(has("neon"), cfg!(all(target_arch = "aarch64", target_endian = "little")));
    assert_eq!(has("simd128"), cfg!(all(target_arch = "wasm32", target_feature = "simd128")));
}

/// The environment variable by which [`case`] finds its kernel. Without it the test does nothing.
const KERNEL: &str = "ZIGZAG_VARINT_DEFAULT_KERNEL";

// The default kernel is set once in a process, so that each case runs in a process of its own.
#[test]
#[ignore = "sets the default kernel; the test below runs it in a child process"]
fn case() {
    let Ok(name) = std::env::var(KERNEL) else { return };
    let kernel = Kernel::by_name(&name).expect("the parent names an available kernel");
    assert_eq!(Kernel::set_default(kernel), Ok(()));
    assert_eq!(Kernel::detect(), kernel);

    let values: Vec<u64> = (0..64).map(|bit| u64::MAX >> bit).collect(); // of every length
    let bytes = encode_to_vec(&values);
    assert_eq!(bytes, encode_all(values.iter().map(|&value| u128::from(value))));
    assert_eq!(decode_to_vec(&bytes), Ok(values));

    assert_eq!(Kernel::set_default(kernel), Ok(()), "the same kernel again");
    for other in Kernel::available().filter(|other| *other != kernel) {
        let error = Kernel::set_default(other).expect_err("the default is in use");
        let expected = format!("default kernel: {name} is already in use; set the default before");
        assert!(error.to_string().starts_with(&expected), "{error}");
        assert_eq!(Kernel::detect(), kernel);
    }
}

#[test]
fn every_available_kernel_can_be_the_default() {
    for kernel in Kernel::available() {
        let Some(output) = run_ignored_test("machine::case", &[(KERNEL, kernel.name())]) else { return };
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{kernel}: {output:?}");
    }
}
