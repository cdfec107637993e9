//! Frames that a profile says are of no interest: `drop_frames` and `keep_frames`.

use std::error::Error;
use std::fs;

use pprof_views::{Profile, View};

use super::same_as_go_pprof::{assert_same, has_go, random_profile};
use super::synthetic::{Synthetic, small};

/// Returns a profile in which each of these functions is called by the one before, and has a sample.
fn chain(names: &[&str], drop: &str, keep: &str) -> Profile {
    let ids = 1..=names.len() as u64;
    let text = str::to_owned;
    let synthetic = Synthetic {
        functions: names.iter().map(|name| (text(name), text(""), text("/x.rs"), 0)).collect(),
        locations: ids.clone().map(|id| (1, vec![(id, id as i64)])).collect(),
        samples: ids.map(|id| ((1..=id).rev().collect(), vec![1, 10_000_000], text(""))).collect(),
        drop_frames: text(drop),
        keep_frames: text(keep),
        ..small("/x.rs")
    };
    Profile::from_bytes(&synthetic.bytes()).expect("a profile")
}

const CALLS: [&str; 3] = ["main", "work", "leaf"];

/// Returns the names in the rows of a table.
fn rows(table: &str) -> Vec<&str> {
    let rows = table.lines().skip_while(|line| !line.starts_with("      flat")).skip(1);
    rows.filter_map(|row| row.get(44..)).collect()
}

#[test]
fn frames_of_no_interest_are_omitted_in_every_view() -> Result<(), Box<dyn Error>> {
    let (profile, all) = (chain(&CALLS, "leaf|work", ""), chain(&CALLS, "", ""));
    let view = || View::new(&profile);
    assert_eq!(rows(&view().top()), ["main"]);
    assert!(view().top().contains("      30ms   100%   100%       30ms   100%  main"));
    let has_others = |text: String| CALLS[1..].iter().any(|name| text.contains(name));
    assert!(!has_others(view().peek("main")?));
    assert!(!has_others(view().list("main")?));
    assert!(view().peek("work").is_err() && view().list("leaf").is_err());
    let has_frames = |view: &View<'_>| -> Result<bool, Box<dyn Error>> {
        Ok(String::from_utf8(view.flamegraph()?)?.contains("<title>work ("))
    };
    assert!(!has_frames(&view())? && has_frames(&view().all_frames())?);
    assert!(!has_others(view().focus("main")?.sort_by_cum().top()));
    // A switch shows all.
    assert_eq!(view().all_frames().top(), View::new(&all).top());
    assert_eq!(view().all_frames().peek(".")?, View::new(&all).peek(".")?);
    assert_eq!(view().all_frames().flamegraph()?, View::new(&all).flamegraph()?);
    // What the first profile says also applies to others.
    assert_eq!(rows(&View::new(&Profile::sum(&[profile.clone(), all.clone()])?).top()), ["main"]);
    assert_eq!(rows(&View::new(&Profile::sum(&[all.clone(), profile.clone()])?).top()).len(), 3);
    assert_eq!(rows(&view().diff(&all)?.top()), [""; 0], "no difference");
    assert!(!has_frames(&view().diff(&all)?)?);
    assert_eq!(rows(&view().diff(&all)?.all_frames().top()), [""; 0]);
    Ok(())
}

#[test]
fn something_is_left_of_every_stack() {
    let shown = |drop: &str, keep: &str| {
        let profile = chain(&["[truncated]", "main", "work", "leaf"], drop, keep);
        rows(&View::new(&profile).sort_by_cum().top()).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(shown("main|leaf", ""), ["[truncated]"]);
    assert_eq!(shown("work", ""), ["[truncated]", "main"]);
    assert_eq!(shown("wor", ""), ["[truncated]", "main", "work", "leaf"], "names match as a whole");
    assert_eq!(shown(".*", ""), ["[truncated]", "main", "work", "leaf"]);
    assert_eq!(shown(".*", "main"), ["[truncated]", "main"], "the outermost frames stay");
    assert_eq!(shown("work|leaf", "work"), ["[truncated]", "main", "work"]);
}

#[test]
fn all_frames_are_shown_if_an_expression_is_invalid() -> Result<(), Box<dyn Error>> {
    for (drop, keep, field) in [
        ("wo(rk", "", "drop_frames"),
        ("work", "wo(rk", "keep_frames"),
        (&*"work|".repeat(20_000), "", "drop_frames"),
        ("((.?){1000}){1000}", "", "drop_frames"),
    ] {
        let profile = chain(&CALLS, drop, keep);
        let top = View::new(&profile).top();
        assert_eq!(rows(&top).len(), 3);
        assert!(top.contains(&format!("\nAll frames are shown: invalid {field} in the profile: ")), "{top}");
        let svg = String::from_utf8(View::new(&profile).flamegraph()?)?;
        for shown in [View::new(&profile).peek("work")?, View::new(&profile).list("work")?, svg] {
            assert!(shown.contains("All frames are shown: "), "{shown}");
        }
        assert!(!View::new(&profile).all_frames().top().contains("All frames are shown: "));
    }
    Ok(())
}

#[test]
fn pprof_omits_the_same_frames() -> Result<(), Box<dyn Error>> {
    if !has_go() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let [file, base] = ["x.pb", "base.pb"].map(|name| folder.path().join(name));
    let patterns = [
        "",
        ".*",
        "[0-2].*",
        ".*[ac]",
        "[03].*|system.*",
        r"\d<a as b>::c<d>",
        r"\db;c ",
        "wo(rk",
        "1.*)|(2.*",
    ];
    let mut state = 7;
    let mut omitted = 0;
    for number in 0..24 {
        let mut synthetic = random_profile(&mut state);
        synthetic.drop_frames = patterns[1 + number % (patterns.len() - 1)].into();
        // Values of one stack would cancel out.
        synthetic
            .samples
            .iter_mut()
            .for_each(|sample| sample.1.iter_mut().for_each(|value| *value = value.abs()));
        synthetic.keep_frames = patterns[(state >> 40) as usize % 7].into();
        fs::write(&file, synthetic.bytes())?;
        let profile = Profile::read(&file)?;
        let view = || View::new(&profile);
        if synthetic.drop_frames == "wo(rk" {
            continue; // pprof does not say why
        }
        omitted += usize::from(view().top() != view().all_frames().top());
        assert_same(&view().top(), &["-top"], &file);
        assert_same(&view().sort_by_cum().node_count(2).top(), &["-top", "-cum", "-nodecount=2"], &file);
        if let Ok(peek) = view().peek(".") {
            assert_same(&peek, &["-peek=."], &file);
        }
        // The base has other expressions, which do not count.
        synthetic.drop_frames = patterns[(state >> 50) as usize % 7].into();
        synthetic
            .samples
            .iter_mut()
            .for_each(|sample| sample.1.iter_mut().for_each(|value| *value = value.abs() / 3));
        fs::write(&base, synthetic.bytes())?;
        let other = Profile::read(&base)?;
        let option = format!("-diff_base={}", base.display());
        assert_same(&view().diff(&other)?.top(), &["-top", &option], &file);
        let sum = Profile::sum(&[profile.clone(), other])?;
        assert_same(&View::new(&sum).top(), &["-top", &file.to_string_lossy()], &base);
    }
    assert!(omitted > 3, "only {omitted} profiles without some frames");
    Ok(())
}
