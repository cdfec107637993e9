//! Compares every view of a small profile with the expected text, character by character. The
//! expected text is the output of `go tool pprof`, except for `list`, which shows more.

use std::error::Error;
use std::fs;

use pprof_views::{Profile, View, ViewError};

use super::synthetic::{Synthetic, small, small_before};

/// Returns the text below a heading of the file of expected texts.
#[track_caller]
fn golden(name: &str) -> &'static str {
    let (_, rest) = include_str!("golden.txt").split_once(&format!("## {name}\n")).expect("a heading");
    rest.split("## ").next().unwrap_or_default()
}

fn profile(synthetic: &Synthetic) -> Result<Profile, Box<dyn Error>> {
    Ok(Profile::from_bytes(&synthetic.bytes())?)
}

#[test]
fn top_and_peek_are_the_output_of_pprof() -> Result<(), Box<dyn Error>> {
    let profile = profile(&small("/x.rs"))?;
    assert_eq!(View::new(&profile).top(), golden("top"));
    assert_eq!(View::new(&profile).sort_by_cum().top(), golden("cum"));
    assert_eq!(View::new(&profile).node_count(3).top(), golden("rows"));
    assert_eq!(View::new(&profile).focus("shift|libc")?.top(), golden("focus"));
    assert_eq!(View::new(&profile).sample_index("samples")?.top(), golden("samples"));
    assert_eq!(View::new(&profile).sample_index("0")?.top(), golden("samples"));
    assert!(View::new(&profile).top().ends_with(&View::new(&profile).top_table()));
    assert_eq!(View::new(&profile).peek("decode|memcpy")?, golden("peek"));
    Ok(())
}

#[test]
fn ignored_samples_and_hidden_frames_are_left_out() -> Result<(), Box<dyn Error>> {
    let profile = profile(&small("/x.rs"))?;
    let view = View::new(&profile).ignore("shift|libc")?.hide("Decode")?;
    assert_eq!(view.top(), golden("ignore_hide"));
    let svg = String::from_utf8(view.flamegraph()?)?;
    assert!(svg.contains("app::run (") && !svg.contains("codec::"), "{svg}");
    // The frames of an address without a function and a file have no name to match.
    let rest = View::new(&profile).hide(".")?.top_table();
    assert_eq!(rest.lines().skip(1).filter(|line| !line.ends_with("  <unknown>")).count(), 0, "{rest}");
    Ok(())
}

#[test]
fn the_filters_stand_in_the_flamegraph_and_above_every_table_of_functions() -> Result<(), Box<dyn Error>> {
    let profile = profile(&small("/x.rs"))?;
    assert!(!String::from_utf8(View::new(&profile).flamegraph()?)?.contains("Active filters"));
    let view =
        View::new(&profile).focus("<codec|shift")?.tag_ignore(&format!("thread={}", "ä".repeat(80)))?;
    let cut = format!("tagignore=thread={}…", "ä".repeat(31));
    let svg = String::from_utf8(view.flamegraph()?)?;
    assert!(svg.contains(&format!(">Active filters:   focus=&lt;codec|shift   {cut}<")), "{svg}");
    for table in [view.top(), view.peek("shift")?, view.list("shift")?] {
        assert!(table.contains(&format!("\nActive filters:\n   focus=<codec|shift\n   {cut}\n")), "{table}");
    }
    Ok(())
}

#[test]
fn a_comparison_is_the_output_of_pprof() -> Result<(), Box<dyn Error>> {
    let (after, before) = (profile(&small("/x.rs"))?, profile(&small_before("/x.rs"))?);
    assert_eq!(View::new(&after).diff(&before)?.top(), golden("diff"));
    assert_eq!(View::new(&after).diff(&before)?.peek("decode")?, golden("diff_peek"));
    let mut other = small("/x.rs");
    other.types[1].1 = "bytes".into();
    let other = profile(&other)?;
    let error = View::new(&after).diff(&other).map(drop).unwrap_err().to_string();
    assert!(error.contains("the unit of cpu is nanoseconds and bytes"), "{error}");
    Ok(())
}

#[test]
fn a_comparison_has_the_sample_types_of_both() -> Result<(), Box<dyn Error>> {
    let mut four = small_before("/x.rs");
    four.types = [("cpu", "us"), ("wall", "ms"), ("samples", "count"), ("other", "")]
        .map(|(kind, unit)| (kind.to_owned(), unit.to_owned()))
        .into();
    for (_, values, _) in &mut four.samples {
        *values = vec![values[1] / 1000, 1, values[0], 1];
    }
    let (two, before) = (profile(&small("/x.rs"))?, profile(&small_before("/x.rs"))?);
    let four = profile(&four)?;
    let view = || View::new(&two).diff(&four);
    assert_eq!(view()?.sample_index("cpu")?.top(), golden("diff"));
    assert_eq!(view()?.sample_index("1")?.top(), golden("diff"), "the order of the profile");
    assert_eq!(View::new(&two).sample_index("cpu")?.diff(&four)?.top(), golden("diff"), "selected before");
    assert!(String::from_utf8(view()?.sample_index("cpu")?.flamegraph()?)?.contains("app::run (230 ms"));
    let samples = View::new(&two).sample_index("samples")?.diff(&before)?.top();
    assert_eq!(view()?.top(), samples, "the first type, if the default is none of both");
    assert!(matches!(view()?.sample_index("2"), Err(ViewError::UnknownSampleType { .. })));
    let error = View::new(&four).sample_index("wall")?.diff(&two).map(drop).unwrap_err().to_string();
    assert!(error.contains("the sample type wall is not in both"), "{error}");
    let mut none = small("/x.rs");
    none.types = vec![("a".into(), "count".into()), ("b".into(), "bytes".into())];
    let error = View::new(&four).diff(&profile(&none)?).map(drop).unwrap_err().to_string();
    assert!(error.contains("cpu/us wall/ms samples/count other/ and a/count b/bytes"), "{error}");
    Ok(())
}

/// The root `[truncated]` says that outer functions are unknown. Elsewhere it is a name as any other.
#[test]
fn truncated_stacks_are_counted_in_every_view() -> Result<(), Box<dyn Error>> {
    let mut truncated = small("/x.rs");
    truncated.functions.push(("[truncated]".into(), "[truncated]".into(), String::new(), 0));
    truncated.locations.push((0, vec![(8, 0)]));
    truncated.samples.push((vec![12, 3, 4], vec![1, 900_000], String::new()));
    let elsewhere = profile(&truncated)?;
    assert!(!View::new(&elsewhere).top().contains("Truncated"));
    truncated.samples.push((vec![2, 2, 12], vec![3, 44_000_000], String::new()));
    let profile = profile(&truncated)?;
    let line = "Truncated stacks: 44ms (14.67%) below [truncated], which stands for unknown outer functions";
    let views = [View::new(&profile), View::new(&profile).focus("app::run")?];
    for view in views {
        let svg = String::from_utf8(view.flamegraph()?)?;
        for shown in [view.top(), view.peek("app::run")?, view.list("app::run")?, svg] {
            assert!(shown.contains(line), "no line in {shown}");
        }
    }
    let count = View::new(&profile).sample_index("samples")?.top();
    assert!(count.contains("Truncated stacks: 3 (9.68%) below"), "{count}");
    let base = View::new(&elsewhere).diff(&profile)?.top();
    assert!(base.contains("Truncated stacks of the base: 44ms (14.67%) below"), "{base}");
    Ok(())
}

#[test]
fn listed_lines_add_up_and_unknown_lines_are_marked() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.rs");
    fs::write(&path, (1..=40).map(|line| format!("\tline {line}\n")).collect::<String>())?;
    let path = path.to_string_lossy();
    let profile = profile(&small(&path))?;
    let listed = View::new(&profile).source(folder.path())?.list("decode|shift|memcpy")?;
    assert_eq!(listed.replace(" in x.rs", " in /x.rs"), golden("list"));
    Ok(())
}

#[test]
fn lines_are_listed_without_source_if_the_file_is_missing() -> Result<(), Box<dyn Error>> {
    let profile = profile(&small("/no/such/x.rs"))?;
    assert_eq!(View::new(&profile).list("decode")?, golden("list_without_source"));
    Ok(())
}

#[test]
fn functions_whose_source_can_be_read_are_listed_first() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("x.rs"), "a line\n".repeat(40))?;
    let mut synthetic = small("x.rs");
    // The first by name is a function of a library.
    synthetic.functions[0].2 = "/rustc/0123/library/core/src/x.rs".into();
    synthetic.functions[0].0 = "a_library::function".into();
    let profile = profile(&synthetic)?;
    let listed = View::new(&profile).source(folder.path())?.list(".")?;
    let read = |routine: &&str| !routine.contains("<source not read: ");
    let routines: Vec<_> = listed.split("ROUTINE ").skip(1).collect();
    let first_unread = routines.iter().position(|routine| !read(routine)).expect("one is not read");
    assert!(first_unread > 0 && !routines[first_unread..].iter().any(read), "{listed}");
    Ok(())
}

#[test]
fn impossible_views_are_errors() -> Result<(), Box<dyn Error>> {
    let profile = profile(&small("/x.rs"))?;
    let view = || View::new(&profile);
    assert!(matches!(view().focus("("), Err(ViewError::Pattern(_))));
    assert!(matches!(view().hide("("), Err(ViewError::Pattern(_))));
    assert!(matches!(view().list("nowhere at all"), Err(ViewError::NoMatch { .. })));
    for (pattern, names) in [
        ("codec::shfit", "a similar name is 'codec::shift'"),
        ("^Shift", "a similar name is 'codec::shift'"),
        ("decodes", "a similar name is '<codec::Wire as codec::Decode>::decode'"),
        ("nowhere at all", "see the top table for their names"),
    ] {
        for error in [view().list(pattern).unwrap_err(), view().peek(pattern).unwrap_err()] {
            let expected = format!("no function in the profile matches '{pattern}'; {names}");
            assert_eq!(error.to_string(), expected);
        }
    }
    assert!(matches!(view().peek("["), Err(ViewError::Pattern(_))));
    let mut nameless = small("/x.rs");
    nameless.functions.iter_mut().for_each(|function| (function.0, function.1) = Default::default());
    let nameless = self::profile(&nameless)?;
    let error = View::new(&nameless).list("dec[o]de").unwrap_err().to_string();
    assert!(error.contains("'dec[o]de'") && error.contains("no names; profile"), "{error}");
    assert!(View::new(&nameless).peek("libc")?.contains("[libc.so.6]"), "files stand for functions");
    let error = view().sample_index("wall").map(drop).unwrap_err().to_string();
    assert!(error.contains("'wall'") && error.contains("samples, cpu"), "{error}");
    assert!(matches!(view().sample_index("2"), Err(ViewError::UnknownSampleType { .. })));
    let empty = Profile::from_bytes(&Synthetic { samples: vec![], ..small("/x.rs") }.bytes())?;
    let error = View::new(&empty).flamegraph().unwrap_err().to_string();
    assert!(error.contains("the profile has no samples"), "{error}");
    assert!(View::new(&empty).top().contains("0 total"));
    Ok(())
}

#[test]
fn a_filter_without_a_match_is_named_and_omits_what_it_omits_in_pprof() -> Result<(), Box<dyn Error>> {
    let profile = profile(&small("/x.rs"))?;
    let view = || View::new(&profile);
    assert!(view().focus("shift")?.ignore("memcpy")?.hide("main")?.unmatched().is_empty());
    let focus = view().focus("nothing")?.ignore("decode")?;
    assert_eq!(focus.unmatched(), ["focus=nothing"]);
    assert_eq!(focus.top_table(), "      flat  flat%   sum%        cum   cum%\n");
    let error = focus.flamegraph().unwrap_err().to_string();
    assert!(error.contains("focus=nothing ignore=decode"), "{error}");
    assert!(matches!(focus.peek("decode"), Err(ViewError::NoMatch { .. })));
    let noise = view().ignore("^nothing$")?.hide("at all")?.tag_ignore("thread=x")?;
    assert_eq!(noise.unmatched(), ["ignore=^nothing$", "hide=at all", "tagignore=thread=x"]);
    assert!(noise.top_table().contains(" 98.04%  main\n"), "{}", noise.top_table());
    assert_eq!(view().tag_root("thread,user").unmatched(), ["tagroot=user"]);
    Ok(())
}

#[test]
fn a_flamegraph_shows_every_frame_with_its_time() -> Result<(), Box<dyn Error>> {
    let profile = profile(&small("/x.rs"))?;
    let svg = String::from_utf8(View::new(&profile).flamegraph()?)?;
    for frame in ["app::run (230 ms", "codec::shift (50 ms", "memcpy (20 ms", "[libc.so.6] (10 ms"] {
        assert!(svg.contains(frame), "no {frame} among {} frames", svg.matches("<title>").count());
    }
    let before = self::profile(&small_before("/x.rs"))?;
    let svg = String::from_utf8(View::new(&profile).diff(&before)?.flamegraph()?)?;
    assert!(svg.contains("compared with the base: red increased, blue decreased"));
    Ok(())
}
