//! Every byte string of up to two bytes, and structured ones, by `sweep bytes --exec`.

use std::process::Command;

use serde_json::Value;

/// The wire types that `sweep` knows, and their names there.
const TYPES: [(&str, &str); 4] =
    [("unsigned-32", "u32"), ("unsigned-64", "u64"), ("zigzag-32", "i32"), ("zigzag-64", "i64")];

/// Returns what `sweep` finds about a child that decodes a wire type: that all results are right, perhaps
/// of a decoder that accepts only the shortest encodings, or a string whose result is not. For wire types
/// that it does not know, nothing.
pub(crate) fn results(sweep: &str, child: &str, wire_type: &str) -> Result<Option<String>, String> {
    let Some((_, integer)) = TYPES.into_iter().find(|(name, _)| *name == wire_type) else { return Ok(None) };
    let failure = a_failure(sweep, child, integer, &[])?;
    if failure.is_some() && a_failure(sweep, child, integer, &["--canonical"])?.is_none() {
        return Ok(Some(format!("right if only the shortest encodings are valid ({wire_type})")));
    }
    let failure = failure.unwrap_or_else(|| "right".to_owned());
    Ok(Some(format!("{failure} ({wire_type})")))
}

/// Returns a string that fails, or how. One thread finds the same one each time.
fn a_failure(sweep: &str, child: &str, integer: &str, options: &[&str]) -> Result<Option<String>, String> {
    let sweeps = ["bytes", "--len", "2", "--exhaustive", "--threads", "1", "--max-failures", "1"];
    let mut command = Command::new(sweep);
    command.args(sweeps).args(["--no-progress", "--json", "-", "--type", integer, "--exec", child]);
    let output = command.args(options).output().map_err(|error| format!("{sweep}: {error}"))?;
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("{sweep}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let failure = &report["first_failures"][0];
    Ok(failure["value"].as_str().map(|string| match (failure["kind"].as_str(), string) {
        // `sweep` gives up after some of these, at any string.
        (Some("breakdown"), _) => "crashes, or values that do not fit the type".to_owned(),
        (_, "") => "no bytes".to_owned(),
        _ => format!("`{string}`"),
    }))
}
