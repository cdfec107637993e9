//! What is printed and written for a benchmark.

use std::error::Error;

use regex_lite::Regex;

use crate::views::{Work, remove_samples};
use crate::{Profile, View, ViewError};

/// Functions that call a benchmark or a part of it, and those of the panics that they catch.
const CALLERS: &str = concat!(
    "^<?(criterion|codspeed[a-z_]*|alloca|rayon|rayon_core|crossbeam_[a-z]+)::|",
    "^<?(std|core)::panic(king)?::",
);
/// Functions of this crate in which the start and the end of a profile can be sampled.
pub(super) const OWN: &str = "^<?pprof_views::(criterion::Flamegraph|capture::sampling)";
/// The source files of the standard library.
const STD: &str = "/library/(core|alloc|std)/src/";
/// Those of its source files whose functions are small and nearly always inlined.
const SMALL: &str = concat!(
    "/library/(stdarch|alloc/src/(boxed|slice|vec)|core/src/(array|clone|cmp|convert|hint|intrinsics|",
    "iter|mem|num|ops|option|ptr|result|slice/(index|iter|mod|raw)|sync))[/.]",
);

/// What is printed and written for a benchmark.
pub(super) struct Summary {
    pub(super) text: String,
    pub(super) files: [(&'static str, Vec<u8>); 3],
}

impl Summary {
    pub(super) fn new(
        id: &str,
        mut profile: Profile,
        ignored: Option<&Regex>,
    ) -> Result<Self, Box<dyn Error>> {
        remove_samples(&mut profile, &Regex::new(OWN)?);
        let all = profile.total(0);
        if let Some(regex) = ignored {
            remove_samples(&mut profile, regex);
        }
        let (samples, seconds) = (profile.total(0), profile.total(1) as f64 / 1e9);
        let mut amount = format!("{seconds:.2} s of CPU time, {samples} samples");
        if let Some(regex) = ignored {
            amount += &format!(", {} ignored", all - samples);
            if samples == 0 && all > 0 {
                return Err(format!("'{regex}' ignores all of the {all} samples").into());
            }
        }
        let profile = &profile;
        let is_detailed = has_debug_information(profile);
        // Without it, the work may be part of these functions.
        let without = |pattern: &str| -> Result<_, ViewError> {
            let view = View::new(profile).hide(pattern)?;
            Ok(if is_detailed && view.unmatched().is_empty() { view } else { View::new(profile) })
        };
        let view = without(CALLERS)?;
        let files = [
            ("flamegraph.svg", view.flamegraph_of(Some(&Work { name: id, amount: &amount, wrappers: STD }))?),
            ("cpu.pb.gz", profile.to_gzip()?),
            ("top.txt", view.top().into_bytes()),
        ];
        let hottest = without(&format!("{CALLERS}|{SMALL}"))?.node_count(5).top_table();
        let mut text = format!("{id}: {amount}\n");
        // Fewer than five functions may have samples of their own.
        for row in hottest.lines().filter(|row| !row.trim_start().starts_with("0 ")) {
            text += &format!("{row}\n");
        }
        if !is_detailed {
            text += "no debug information: inlined functions and lines are unknown; \
                     set `debug = 1` in [profile.bench] of Cargo.toml, and no `strip`\n";
        }
        Ok(Self { text, files })
    }
}

/// Returns whether there is debug information of Rust code, other than that of the standard library.
fn has_debug_information(profile: &Profile) -> bool {
    let mut files = profile.tables.function.iter().map(|function| profile.text(function.filename));
    files
        .any(|file| file.ends_with(".rs") && !file.starts_with("/rustc/") && !file.starts_with("/rust/deps/"))
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;
    use crate::Capture;

    #[inline(never)]
    fn measured(x: u64) -> u64 {
        (0..10_000).fold(x, |x, i| black_box(x).rotate_left(5) ^ i)
    }

    #[inline(never)]
    fn prepared(x: u64) -> u64 {
        black_box(measured(x)) // no tail call
    }

    #[test]
    fn ignored_samples_are_counted_and_shown_nowhere() -> Result<(), Box<dyn Error>> {
        if !Capture::IS_SUPPORTED {
            return Ok(());
        }
        // How many samples there are depends on the timer of the system.
        let mut rounds = 2000;
        let profile = loop {
            let capture = Capture::start(250)?;
            black_box((0..rounds).fold(1, |x, _| measured(prepared(x))));
            let mut profile = capture.finish()?;
            remove_samples(&mut profile, &Regex::new(OWN)?);
            if profile.total(0) >= 50 {
                break profile;
            }
            rounds *= 2;
            assert!(rounds < 10_000_000, "only {} samples", profile.total(0));
        };
        let all = profile.total(0);
        let summary = |pattern| {
            let regex = Regex::new(pattern)?;
            Summary::new("sum", profile.clone(), Some(&regex))
        };

        let Summary { text, files } = summary("::prepared$")?;
        let words: Vec<&str> = text.lines().next().unwrap_or_default().split(' ').collect();
        let [.., samples, "samples,", ignored, "ignored"] = words[..] else { panic!("{text}") };
        let (samples, ignored): (i64, i64) = (samples.parse()?, ignored.parse()?);
        assert!(samples > 0 && ignored > 0 && samples + ignored == all, "{text}, of {all} samples");
        for (name, content) in files {
            let shown = match name {
                "cpu.pb.gz" => View::new(&Profile::from_bytes(&content)?).top(),
                _ => String::from_utf8(content)?,
            };
            assert!(shown.contains("::measured") && !shown.contains("::prepared"), "{name}: {shown}");
        }
        assert!(text.contains("::measured") && !text.contains("::prepared"), "{text}");

        assert!(summary("no such function")?.text.contains(&format!(", {all} samples, 0 ignored")));
        let error = summary("").err().map(|error| error.to_string());
        assert_eq!(error, Some(format!("'' ignores all of the {all} samples")));
        Ok(())
    }
}
