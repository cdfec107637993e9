//! The unit tests of protobuf include a file of this name, which the published crate lacks. This is
//! not that file, but has the functions that they call.

/// Returns the bytes of hexadecimal digits, with spaces between the bytes or without.
pub fn decode_hex(text: &str) -> Vec<u8> {
    let digits: Vec<char> = text.chars().filter(|digit| !digit.is_whitespace()).collect();
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

/// Returns hexadecimal digits, with a space between two bytes.
pub fn encode_hex(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(" ")
}
