//! The default kernel. It is set once in a process, so that each case runs in a process of its own.

use std::process::Command;

use zigzag_varint::{Kernel, Varint, decode_slice, encode_slice};

/// The environment variable by which [`case`] finds its kernel. Without it the test does nothing.
const KERNEL: &str = "ZIGZAG_VARINT_DEFAULT_KERNEL";

/// Values of every length.
fn values() -> impl Iterator<Item = u64> {
    (0..64).map(|bit| u64::MAX >> bit)
}

#[test]
#[ignore = "sets the default kernel; the test below runs it in a child process"]
fn case() {
    let Ok(name) = std::env::var(KERNEL) else { return };
    let kernel = Kernel::by_name(&name).expect("the parent names an available kernel");
    assert_eq!(Kernel::set_default(kernel), Ok(()));
    assert_eq!(Kernel::detect(), kernel);

    let values: Vec<u64> = values().collect();
    let mut bytes = [0; 640];
    let len = encode_slice(&values, &mut bytes).expect("ten bytes for each value");
    let single: Vec<u8> = values.iter().flat_map(|value| value.encode()).collect();
    assert_eq!(bytes[..len], single);
    let mut decoded = [0u64; 64];
    decode_slice(&bytes[..len], &mut decoded).expect("valid bytes");
    assert_eq!(decoded[..], values);

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
    let program = std::env::current_exe().expect("this test program");
    for kernel in Kernel::available() {
        let mut command = Command::new(&program);
        command.args(["--ignored", "--exact", "default_kernel::case"]).env(KERNEL, kernel.name());
        // An emulator may be unable to start a child process. Then nothing can be checked.
        let Ok(output) = command.output() else { return };
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{kernel}: {output:?}");
    }
}

#[test]
fn the_fastest_kernel_is_the_default_if_none_is_set() {
    assert_eq!(Some(Kernel::detect()), Kernel::available().last());
}
