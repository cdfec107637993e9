//! Compares the machine that runs the tests with the expected one. Otherwise a cross build that
//! runs on the host by mistake would pass every test.

use zigzag_varint::Kernel;

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
fn only_little_endian_aarch64_has_the_neon_kernel() {
    let expected = cfg!(all(target_arch = "aarch64", target_endian = "little"));
    assert_eq!(Kernel::by_name("neon").is_some(), expected);
}

#[test]
fn only_wasm32_with_simd128_has_the_simd128_kernel() {
    let expected = cfg!(all(target_arch = "wasm32", target_feature = "simd128"));
    assert_eq!(Kernel::by_name("simd128").is_some(), expected);
}
