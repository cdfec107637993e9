//! An implementation of a wire type, as a child process.

use std::time::Duration;

use every_input::{Breakdown, ExecProgram};
use zigzag_varint_conformance::{WIRE_TYPES, WireType, hexadecimal};
use zigzag_varint_oracle::Outcome;

/// The time that an implementation has for an answer.
const TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) struct Implementation {
    command: String,
    pub(crate) wire_type: &'static WireType,
    /// The integer type of the protocol that has the values of the wire type.
    integer: &'static str,
}

impl Implementation {
    pub(crate) fn new(command: String, name: &str) -> Result<Self, String> {
        let wire_type = WIRE_TYPES.iter().find(|wire_type| wire_type.name == name);
        let wire_type = wire_type.ok_or_else(|| format!("'{command}': unknown wire type '{name}'"))?;
        let integer = match (wire_type.is_signed(), wire_type.rule.bits) {
            (false, ..=8) => "u8",
            (false, ..=32) => "u32",
            (false, ..=64) => "u64",
            (false, _) => "u128",
            (true, ..=32) => "i32",
            (true, ..=64) => "i64",
            (true, _) => "i128",
        };
        Ok(Self { command, wire_type, integer })
    }

    pub(crate) fn start(&self) -> Result<ExecProgram, String> {
        ExecProgram::start(&self.command, self.integer, TIMEOUT).map_err(|error| error.to_string())
    }

    /// Returns the number of bytes of a value.
    pub(crate) fn size(&self) -> usize {
        self.integer[1..].parse::<usize>().expect("a number of bits") / 8
    }

    /// Returns what a decoder does that does not return this outcome, and the input with its result. Any
    /// error is as good as the expected one.
    pub(crate) fn difference(
        &self,
        bytes: &[u8],
        answer: &[u8],
        expected: Outcome<u128>,
    ) -> Option<(&'static str, String)> {
        let (expected, [len @ 1..=u8::MAX, value @ ..]) = (expected.ok(), answer) else {
            // A length of zero is an error with its kind and offset.
            return expected.is_ok().then(|| ("rejects", text(bytes)));
        };
        let is_right = |(value_of, of_len): (u128, usize)| {
            usize::from(*len) == of_len && *value == value_of.to_le_bytes()[..self.size()]
        };
        if expected.is_some_and(is_right) {
            return None;
        }
        let (input, value) = (text(bytes), self.decimal(value));
        Some(match expected.map(|(expected, _)| self.wire_type.decimal(expected)) {
            Some(expected) if expected == value => ("reads", format!("{input} as {value} in {len} bytes")),
            Some(_) => ("reads", format!("{input} as {value}")),
            None => ("accepts", format!("{input} as {value}")),
        })
    }

    /// Returns a number in little-endian order as a decimal number.
    fn decimal(&self, bytes: &[u8]) -> String {
        let Some(last) = bytes.last().filter(|_| bytes.len() <= 16) else { return "no integer".to_owned() };
        let is_signed = self.integer.starts_with('i');
        let mut wide = [if is_signed && *last >= 0x80 { 0xff } else { 0 }; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        if is_signed { i128::from_le_bytes(wide).to_string() } else { u128::from_le_bytes(wide).to_string() }
    }
}

/// Returns the text of an input.
pub(crate) fn text(bytes: &[u8]) -> String {
    if bytes.is_empty() { "no bytes".to_owned() } else { format!("`{}`", hexadecimal(bytes)) }
}

/// Returns what an implementation does that does not answer.
pub(crate) fn loss(breakdown: &Breakdown) -> &'static str {
    match breakdown.to_string() {
        text if text.starts_with("end of") => "crashes for",
        text if text.starts_with("no answer") => "hangs for",
        _ => "answers nonsense for",
    }
}

#[cfg(all(test, unix))]
mod tests {
    use every_input::ExecTask;

    use super::*;

    #[test]
    fn a_child_that_crashes_hangs_floods_or_answers_nonsense_is_started_again() {
        for (script, does) in [
            ("exit 1", "crashes for"),
            (r"printf '\002\000'", "crashes for"),
            ("sleep 1000", "hangs for"),
            ("yes", "answers nonsense for"),
            (r"printf '\000\000\000\000'", "answers nonsense for"),
            (r"printf '\002\000\000\000\000\000'", "answers nonsense for"),
        ] {
            let timeout = Duration::from_secs(if does == "hangs for" { 1 } else { 60 });
            // Answers the request without inputs first.
            let command = format!(
                r#"sh -c "head -c 12 >/dev/null; printf '\\0\\0\\0\\0'; head -c 14 >/dev/null; {script}""#
            );
            let program = ExecProgram::start(&command, "u64", timeout).expect("a shell");
            for _ in 0..2 {
                let breakdown = program.ask(ExecTask::Decode, &[&[0x05][..]]).expect_err(script);
                assert_eq!(loss(&breakdown), does, "{script}: {breakdown}");
            }
        }
    }
}
