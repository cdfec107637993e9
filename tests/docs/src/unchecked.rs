//! What is not checked: public functions, kernels, and results that are missing or old.

use std::fmt::Write;

use indexmap::IndexMap;

use crate::results::{self, cell};

/// The files that the list is made of.
pub(crate) struct Sources<'a> {
    /// `proofs/README.md`, which ends with the list of public functions.
    pub(crate) proofs: &'a str,
    /// `checks/proved.py`, which names the proved kernels.
    pub(crate) proved: &'a str,
    /// The sources of the kernels, each of which has its name.
    pub(crate) kernels: &'a [String],
    /// `checks/run`, with the list of checks.
    pub(crate) script: &'a str,
    /// `checks/results.json`.
    pub(crate) results: &'a str,
}

/// Returns the whole list.
pub(crate) fn unchecked(sources: &Sources<'_>) -> Result<String, String> {
    Ok(functions(sources.proofs)? + "\n" + &kernels(sources)? + "\n" + &ages(sources)?)
}

fn code(name: impl AsRef<str>) -> String {
    format!("`{}`", name.as_ref())
}

/// Returns a table of what the proofs leave out, with the public functions.
fn functions(page: &str) -> Result<String, String> {
    let (types, rows) = page
        .split_once("\n| function | for ")
        .and_then(|(_, list)| list.split_once(" |\n"))
        .ok_or("proofs/README.md has no list of functions")?;
    let (mut proved, mut in_part, mut tested) = (0, 0, 0);
    let mut parts: IndexMap<String, Vec<&str>> = IndexMap::new();
    for row in rows.lines().skip(1).take_while(|row| !row.is_empty()) {
        let error = || format!("proofs/README.md: unexpected row '{row}'");
        let cells = row.strip_prefix("| ").and_then(|row| row.strip_suffix(" |"));
        let (names, state) = cells.and_then(|cells| cells.rsplit_once(" | ")).ok_or_else(error)?;
        match state.split_once(": ").unwrap_or((state, "")) {
            ("proved", "") => proved += 1,
            ("tested", "") => tested += names.split(": ").last().unwrap_or_default().split(", ").count(),
            ("proved in part", left) => {
                in_part += 1;
                for part in left.split(", and ") {
                    let divided = part.split_once(" is tested").or_else(|| part.split_once(" are tested"));
                    let (what, when) = divided.ok_or_else(error)?;
                    parts.entry(what.trim_end_matches(',').to_owned() + when).or_default().push(names);
                }
            }
            _ => return Err(error()),
        }
    }
    let all = proved + in_part + tested;
    let mut out = format!(
        "Of {all} public functions with default features, {proved} are proved as a whole, {in_part} in part, \
         and {tested} are tested, but not proved. The end of `proofs/README.md` lists them. The proofs are for \
         {types}; other types are tested.\n\n\
         | tested, but not proved | in |\n|---|---|\n"
    );
    for (part, functions) in parts {
        let _ = writeln!(out, "| {part} | {} |", functions.join(", ")); // a String
    }
    Ok(out)
}

/// Returns a table of the kernels that checks of kernels leave out.
fn kernels(sources: &Sources<'_>) -> Result<String, String> {
    let all: Vec<&str> = sources.kernels.iter().filter_map(|file| kernel_name(file)).collect();
    let list = sources.proved.lines().find_map(|line| line.strip_prefix("KERNELS = "));
    let proved: Vec<String> = serde_json::from_str(list.ok_or("checks/proved.py has no list of kernels")?)
        .map_err(|error| format!("checks/proved.py: kernels: {error}"))?;
    let swept = results::run(sources.results, "exhaustive")?.figures;
    let swept = swept.first().and_then(|row| row.get("kernels")).map(cell).unwrap_or_default();
    let measured = results::run(sources.results, "speed")?.figures;
    let measured: Vec<String> = measured.iter().filter_map(|row| row.values().next().map(cell)).collect();

    let mut out = "| check | CPU of its result | kernels without one |\n|---|---|---|\n".to_owned();
    for (check, has) in [
        ("proofs", &(|kernel: &str| proved.iter().any(|one| one == kernel)) as &dyn Fn(&str) -> bool),
        ("exhaustive", &|kernel| swept.split(' ').any(|one| one == kernel)),
        ("speed", &|kernel| measured.contains(&format!("ours-{kernel}"))),
    ] {
        let left: Vec<String> = all.iter().copied().filter(|kernel| !has(kernel)).map(code).collect();
        let machine = results::run(sources.results, check)?.machine;
        let _ = writeln!(out, "| `{check}` | {machine} | {} |", left.join(", ")); // a String
    }
    Ok(out)
}

/// Returns the name of the kernel that this file defines.
fn kernel_name(file: &str) -> Option<&str> {
    file.lines().find_map(|line| line.strip_prefix("slices!(")?.split('"').nth(1))
}

/// Returns lists of the checks without a result, with a failed one, and with one of other sources.
fn ages(sources: &Sources<'_>) -> Result<String, String> {
    let (checks, results) = (results::listed(sources.script)?, results::parsed(sources.results)?);
    let (mut missing, mut failed, mut old) = (vec![], vec![], vec![]);
    for check in checks {
        match (results.runs.get(check.name), results.changed.files.get(check.name)) {
            (None, _) => missing.push(code(check.name)),
            (Some(run), _) if run.exit != 0 => failed.push(code(check.name)),
            (Some(_), Some(Some(0))) => {}
            _ => old.push(code(check.name)),
        }
    }
    let mut out = String::new();
    for (what, names) in [
        ("Checks without a recorded result".to_owned(), missing),
        ("Checks that failed".to_owned(), failed),
        (format!("Checks whose result is of other sources than those at {}", results.changed.until), old),
    ] {
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let _ = writeln!(out, "- {what}: {names}."); // a String
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULTS: &str = r#"{
        "exhaustive": {"date": "", "commit": "a", "machine": "A", "seconds": 1, "cpu_seconds": 1, "exit": 0,
            "figures": [{"kernels": "scalar sse"}]},
        "speed": {"date": "", "commit": "a", "machine": "B", "seconds": 1, "cpu_seconds": 1, "exit": 1,
            "figures": [{"encode u64": "ours-sse"}]},
        "proofs": {"date": "", "commit": "a", "machine": "C", "seconds": 1, "cpu_seconds": 1, "exit": 0, "figures": []},
        "changed": {"until": "b", "files": {"exhaustive": 0, "speed": 0, "proofs": 2}}}"#;

    #[test]
    fn functions_kernels_and_checks_without_a_current_result_are_listed() {
        let proofs = "# A\n\n| function | for `u64` |\n|---|---|\n| `one` | proved |\n\
            | `two` | proved in part: what `x` decodes, by a buffer, is tested |\n\
            | `A::three` | proved in part: the error is tested for all lengths, and what `x` decodes, by a buffer, is tested |\n\
            | `four`, `five` | tested |\n| `B`: `six` | tested |\n";
        let kernels =
            ["mod a;\n", "slices!(S \"scalar\" self {\n", "x\nslices!(T \"sse\" s {\n"].map(str::to_owned);
        let script = "check a gate 'A' '' \\\ncheck exhaustive weekly 'B' '' \\\ncheck speed hand 'C' '' \\\n\
            check proofs weekly 'D' '' \\\ncheck none weekly 'E' '' \\\n";
        let sources = Sources {
            proofs,
            proved: "a\nKERNELS = [\"scalar\"]\n",
            kernels: &kernels,
            script,
            results: RESULTS,
        };
        let expected = "Of 6 public functions with default features, 1 are proved as a whole, 2 in part, and 3 are \
            tested, but not proved. The end of `proofs/README.md` lists them. The proofs are for `u64`; other \
            types are tested.\n\n\
            | tested, but not proved | in |\n|---|---|\n\
            | what `x` decodes, by a buffer | `two`, `A::three` |\n| the error for all lengths | `A::three` |\n\n\
            | check | CPU of its result | kernels without one |\n|---|---|---|\n\
            | `proofs` | C | `sse` |\n| `exhaustive` | A |  |\n| `speed` | B | `scalar` |\n\n\
            - Checks without a recorded result: `none`.\n- Checks that failed: `speed`.\n\
            - Checks whose result is of other sources than those at b: `proofs`.\n";
        assert_eq!(unchecked(&sources).as_deref(), Ok(expected));
        let error =
            |row: &str| unchecked(&Sources { proofs: &format!("{proofs}{row}\n"), ..sources }).unwrap_err();
        for row in ["| `seven` | unknown |", "| `seven` | proved in part: the error |", "none"] {
            assert_eq!(error(row), format!("proofs/README.md: unexpected row '{row}'"));
        }
    }
}
