//! The names of functions at addresses, in the format of Go's net/http/pprof.
//!
//! A request has hexadecimal addresses with plus signs between them. The answer has a line for each
//! address of a function: the address and the name.

use std::fmt::Write;

/// The maximum length of the addresses in bytes.
pub(in crate::http) const MAX_LENGTH: usize = 64 << 10;

/// Returns the answer for these addresses. Its first line tells pprof that names are available.
pub(in crate::http) fn symbols(addresses: &str, name: impl Fn(u64) -> Option<String>) -> String {
    let mut answer = String::from("num_symbols: 1\n");
    let numbers = addresses.split('+').filter_map(|address| address.trim().strip_prefix("0x"));
    for address in numbers.filter_map(|digits| u64::from_str_radix(digits, 16).ok()) {
        if let Some(name) = name(address) {
            let _ = writeln!(answer, "{address:#x} {name}"); // writing to a String cannot fail
        }
    }
    answer
}

/// Returns the name of a function of this process.
#[cfg(feature = "profile")]
pub(in crate::http) fn name(address: u64) -> Option<String> {
    pprof_views::function_name(address)
}

/// Returns no name, because this build has no profiler.
#[cfg(not(feature = "profile"))]
pub(in crate::http) fn name(_address: u64) -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_known_address_has_a_line_with_its_name() {
        let name = |address| (address != 0x20).then(|| format!("f{address}"));
        assert_eq!(symbols("", name), "num_symbols: 1\n");
        assert_eq!(symbols("0x10+0x20+0xFf\n", name), "num_symbols: 1\n0x10 f16\n0xff f255\n");
        assert_eq!(symbols("10+x+0x+0x1g+0x11111111111111111+-1", name), "num_symbols: 1\n");
    }
}
