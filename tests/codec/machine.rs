//! Compares the machine that the tests run on with the expected one: a cross build that runs on the
//! host by mistake passes every other test.

use zigzag_varint::Kernel;

#[test]
fn the_tests_run_on_the_machine_that_is_expected() {
    let endian = if 1u16.to_ne_bytes() == [1, 0] { "little" } else { "big" };
    let machine = format!("{} {endian}-endian {}-bit", std::env::consts::ARCH, usize::BITS);
    let kernels: Vec<_> = Kernel::available().map(Kernel::name).collect();
    println!("machine: {machine}, kernels: {}", kernels.join(" "));
    if let Ok(meant) = std::env::var("EXPECTED_MACHINE") {
        assert_eq!(machine, meant);
    }
}

#[test]
fn little_endian_aarch64_has_neon_and_nothing_else_has() {
    let meant = cfg!(all(target_arch = "aarch64", target_endian = "little"));
    assert_eq!(Kernel::by_name("neon").is_some(), meant);
}
