//! Chooses the kernels to compile, and sets `cfg(kernel = "...")` for each of them.
//!
//! * The target must be able to run the kernel: with feature `std`, the CPU is queried at run time.
//!   Without it, the target features of the compilation must have the kernel's instructions.
//! * The intrinsics of AVX-512 are stable since Rust 1.89.
//! * `--cfg zigzag_varint_max_kernel="..."` in RUSTFLAGS leaves out the kernels after the named one.
//!
//! Since Rust 1.87, intrinsics and functions with `#[target_feature]` are safe where their features
//! are enabled. For older compilers, copies of the kernels in which these functions are `unsafe` are
//! written to `OUT_DIR`.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The kernels that need more than the target's basic instructions, and the features of each.
const X86_64: [(&str, &str); 3] = [
    ("bmi2", "sse2,bmi1,bmi2,lzcnt,popcnt"),
    ("avx2", "sse2,bmi1,bmi2,lzcnt,popcnt,avx2"),
    ("avx512", "bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512dq,avx512cd,avx512vl,avx512vbmi,avx512vbmi2"),
];
const AARCH64: [(&str, &str); 1] = [("neon", "neon")];
const WASM32: [(&str, &str); 1] = [("simd128", "simd128")];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!(
        "cargo::rustc-check-cfg=cfg(kernel, values(\"bmi2\", \"avx2\", \"avx512\", \"neon\", \"simd128\"))"
    );
    println!("cargo::rustc-check-cfg=cfg(safe_intrinsics)");
    let compiler = minor_version();
    let safe_intrinsics = compiler >= 87;
    if safe_intrinsics {
        println!("cargo::rustc-cfg=safe_intrinsics");
    }
    for kernel in kernels(compiler) {
        println!("cargo::rustc-cfg=kernel=\"{kernel}\"");
        if !safe_intrinsics && kernel != "simd128" {
            println!("cargo::rerun-if-changed=src/simd/{kernel}");
            let copy = Path::new(&variable("OUT_DIR")).join(kernel);
            copy_with_unsafe_functions(&Path::new("src/simd").join(kernel), &copy);
        }
    }
}

/// Returns the names of the kernels to compile.
fn kernels(compiler: u32) -> Vec<&'static str> {
    let arch = variable("CARGO_CFG_TARGET_ARCH");
    let target: &[(&str, &str)] = match (arch.as_str(), variable("CARGO_CFG_TARGET_ENDIAN").as_str()) {
        ("x86_64", _) => &X86_64,
        ("aarch64", "little") => &AARCH64,
        ("wasm32", _) => &WASM32,
        _ => &[],
    };
    let max = variable("CARGO_CFG_ZIGZAG_VARINT_MAX_KERNEL");
    let end = match max.as_str() {
        "" => target.len(),
        "swar" => 0,
        "bmi2" => 1,
        "avx2" => 2,
        _ => panic!("zigzag_varint_max_kernel: unknown kernel {max:?}; use \"swar\", \"bmi2\" or \"avx2\""),
    };
    let enabled = variable("CARGO_CFG_TARGET_FEATURE");
    let enabled: Vec<&str> = enabled.split(',').collect();
    // Only on x86-64 can a program query the CPU and then use what the target does not have.
    let queried = arch == "x86_64" && env::var_os("CARGO_FEATURE_STD").is_some();
    let chosen = target.iter().take(end).filter(|(name, features)| {
        (queried || features.split(',').all(|feature| enabled.contains(&feature)))
            && (*name != "avx512" || compiler >= 89)
    });
    chosen.map(|(name, _)| *name).collect()
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

/// Copies a folder of sources, and makes each function with `#[target_feature]` unsafe.
fn copy_with_unsafe_functions(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("OUT_DIR must be writable");
    for entry in fs::read_dir(from).expect("the folder of the kernel must be readable") {
        let from = entry.expect("the folder of the kernel must be readable").path();
        let to = to.join(from.file_name().unwrap_or_default());
        if from.is_dir() {
            copy_with_unsafe_functions(&from, &to);
        } else {
            let source = fs::read_to_string(&from).expect("the source must be readable");
            fs::write(to, with_unsafe_functions(&source)).expect("OUT_DIR must be writable");
        }
    }
}

fn with_unsafe_functions(source: &str) -> String {
    let mut copy = String::new();
    let mut has_target_feature = false;
    // Inner documentation is not allowed in a file that is included.
    for line in source.lines().filter(|line| !line.starts_with("//!")) {
        has_target_feature |= line.trim_start().starts_with("#[target_feature");
        if has_target_feature && line.contains("fn ") {
            has_target_feature = false;
            copy += &if line.contains("unsafe fn ") {
                line.into()
            } else {
                line.replacen("fn ", "unsafe fn ", 1)
            };
        } else {
            copy += line;
        }
        copy.push('\n');
    }
    copy
}
