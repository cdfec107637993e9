//! Chooses the kernels to compile, and sets `cfg(kernel = "...")` for each of them.
//!
//! * The target must be able to run the kernel: with feature `std`, the CPU is queried at run time.
//!   Without it, the target features of the compilation must have the kernel's instructions.
//! * The compiler must know the kernel's intrinsics. Since Rust 1.87 they are safe where their
//!   features are enabled, and those of AVX-512 are stable since 1.89.
//! * `--cfg zigzag_varint_max_kernel="..."` in RUSTFLAGS leaves out the kernels after the named one.

use std::env;
use std::process::Command;

/// A kernel that needs more than the target's basic instructions: its name, the minor version of the
/// oldest compiler, and the features of its instructions.
type Kernel = (&'static str, u32, &'static str);

const X86_64: [Kernel; 3] = [
    ("sse", 87, "sse2,ssse3,sse4.1,popcnt"),
    ("avx2", 87, "sse2,bmi1,bmi2,lzcnt,popcnt,avx2"),
    (
        "avx512",
        89,
        "bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512cd,avx512vl,avx512vbmi,avx512vbmi2",
    ),
];
const AARCH64: [Kernel; 1] = [("neon", 87, "neon")];
const WASM32: [Kernel; 1] = [("simd128", 87, "simd128")];

/// The kernels with vectors of 16 bytes. With one of them, `cfg(kernel = "vector128")` is set too.
const VECTOR128: [&str; 3] = ["sse", "neon", "simd128"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!(
        "cargo::rustc-check-cfg=cfg(kernel, values(\"sse\", \"avx2\", \"avx512\", \"neon\", \"simd128\", \"vector128\"))"
    );
    // In this build, which is for proofs only, the steps of loops are functions of their own.
    println!("cargo::rustc-check-cfg=cfg(proof_steps)");
    let arch = variable("CARGO_CFG_TARGET_ARCH");
    let target: &[Kernel] = match (arch.as_str(), variable("CARGO_CFG_TARGET_ENDIAN").as_str()) {
        ("x86_64", _) => &X86_64,
        ("aarch64", "little") => &AARCH64,
        ("wasm32", _) => &WASM32,
        _ => &[],
    };
    let max = variable("CARGO_CFG_ZIGZAG_VARINT_MAX_KERNEL");
    let end = match max.as_str() {
        "" => target.len(),
        "swar" => 0,
        "sse" => 1,
        "avx2" => 2,
        _ => panic!("zigzag_varint_max_kernel: unknown kernel {max:?}; use \"swar\", \"sse\" or \"avx2\""),
    };
    let compiler = minor_version();
    let enabled = variable("CARGO_CFG_TARGET_FEATURE");
    let enabled: Vec<&str> = enabled.split(',').collect();
    // Only on x86-64 can a program query the CPU and then use what the target does not have.
    let queried = arch == "x86_64" && env::var_os("CARGO_FEATURE_STD").is_some();
    for (kernel, oldest, features) in target.iter().take(end) {
        let runs = queried || features.split(',').all(|feature| enabled.contains(&feature));
        if runs && compiler >= *oldest {
            println!("cargo::rustc-cfg=kernel=\"{kernel}\"");
            if VECTOR128.contains(kernel) {
                println!("cargo::rustc-cfg=kernel=\"vector128\"");
            }
        }
    }
}

/// Returns the value of an environment variable, or an empty string if it is not set.
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// Returns the y of the compiler's version 1.y. An unknown compiler counts as a new one.
fn minor_version() -> u32 {
    let output = Command::new(variable("RUSTC")).arg("--version").output();
    let version = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let minor = version.as_deref().ok().and_then(|version| version.split('.').nth(1)?.parse().ok());
    minor.unwrap_or(u32::MAX)
}
