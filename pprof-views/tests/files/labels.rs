//! Labels: the table of them, filters and roots. They are compared with the output of `go tool pprof` if Go
//! is installed.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use pprof_views::{Profile, View};

use super::same_as_go_pprof::{assert_same, has_go, random_profile};
use super::synthetic::{Message, Synthetic, small};

/// Adds random labels to a profile. Those of a key have one unit, or none.
fn add_labels(profile: &mut Synthetic, state: &mut u64) {
    let mut random = |limit: usize| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) as usize % limit
    };
    let keys = [
        ("thread", ""),
        ("request", ""),
        ("latency", "milliseconds"),
        ("size", "kilobytes"),
        ("bytes", ""),
        ("way", "furlongs"),
        ("work", "milliGCU"),
        ("", ""),
    ];
    let texts = ["main", "worker-1", "worker-2", "4kB", "GET /a=b,c:d", "\u{e4}\u{f6}", "17"];
    let numbers = [0, 1, 17, 4096, -4096, 1 << 20, 1 << 40, i64::MAX, i64::MIN + 1];
    // pprof takes the unit of numbers without one from either profile of a comparison.
    let units = keys.iter().filter(|_| !profile.samples.is_empty());
    profile.labels.extend(units.map(|&(key, unit)| (0, key.into(), String::new(), 1, unit.into())));
    for _ in 0..3 * profile.samples.len() {
        let (sample, (key, unit)) = (random(profile.samples.len()), keys[random(keys.len())]);
        let (text, number) = match random(2) {
            0 => (texts[random(texts.len())], 0),
            _ => ("", numbers[random(numbers.len())]),
        };
        let unit = if random(3) == 0 { "" } else { unit };
        profile.labels.push((sample, key.into(), text.into(), number, unit.into()));
    }
}

/// Writes random profiles of the same types with labels, and returns them with their files.
fn random_profiles(
    folder: &tempfile::TempDir,
    state: &mut u64,
) -> Result<[(Profile, PathBuf); 2], Box<dyn Error>> {
    let mut first = random_profile(state);
    // Values of labels are no functions, which it would omit.
    first.drop_frames = ["main|[12].*", "", ".*[ac]|w.*"][(*state >> 40) as usize % 3].into();
    let mut other = first.clone();
    // pprof shows opposite values in random order.
    other.samples.iter_mut().flat_map(|(_, values, _)| values).for_each(|value| *value /= 3);
    let mut write = |synthetic: &mut Synthetic, name| -> Result<_, Box<dyn Error>> {
        add_labels(synthetic, state);
        let file = folder.path().join(name);
        fs::write(&file, synthetic.bytes())?;
        Ok((Profile::read(&file)?, file))
    };
    Ok([write(&mut first, "first.pb")?, write(&mut other, "other.pb")?])
}

/// Some filters of labels, of which not all match.
const FILTERS: [&str; 27] = [
    "thread=main",
    "thread=^worker,7",
    "worker",
    "^thread:,^request:",
    "request=17",
    "request=1:5000",
    "way=17",
    "way=17:",
    "work=1gcu:",
    "latency=17ms",
    "latency=:1s",
    "latency=1s:300hours",
    "size=4096kb",
    "size=4mb",
    "size=1gb:",
    "bytes=4kb:1mb",
    "bytes=4096",
    "bytes=-4kb",
    "4kb",
    "0:",
    "=main",
    "=17",
    "GET /a=b,c:d",
    "thread=b,x",
    "thread=",
    "1us",
    "nowhere",
];

#[test]
fn labels_of_random_profiles_are_shown_as_pprof_shows_them() -> Result<(), Box<dyn Error>> {
    if !has_go() {
        return Ok(());
    }
    let (folder, mut state) = (tempfile::tempdir()?, 1);
    for number in 0..4 {
        let [(first, file), (other, other_file)] = random_profiles(&folder, &mut state)?;
        let other_name = &*other_file.to_string_lossy();
        assert_same(&View::new(&first).tags(), &["-tags"], &file);
        let both = Profile::sum(&[other.clone(), first.clone()])?;
        assert_same(&View::new(&both).tags(), &["-tags", other_name], &file);
        let base = format!("-diff_base={other_name}");
        let compared = View::new(&first).diff(&other)?;
        assert_same(&compared.tags(), &["-tags", &base], &file);
        let root = compared.clone().tag_root("thread").tag_ignore("size=:1gb")?;
        assert_same(&root.top(), &["-top", "-tagroot=thread", "-tagignore=size=:1gb", &base], &file);
        assert_eq!(
            root.top(),
            View::new(&first).tag_root("thread").diff(&other)?.tag_ignore("size=:1gb")?.top()
        );
        for filter in FILTERS.iter().skip(number).step_by(4) {
            let view = View::new(&first).tag_focus(filter)?;
            let focus = format!("-tagfocus={filter}");
            assert_same(&view.top(), &["-top", &focus], &file);
            assert_same(&view.tags(), &["-tags", &focus], &file);
            let view = View::new(&first).tag_ignore(filter)?;
            assert_same(&view.peek(".")?, &["-peek=.", &format!("-tagignore={filter}")], &file);
        }
        for keys in ["thread", "latency", "size,thread", ",bytes,,nowhere", "way"] {
            let root = format!("-tagroot={keys}");
            assert_same(&View::new(&first).tag_root(keys).top(), &["-top", &root], &file);
            assert_same(&View::new(&both).tag_root(keys).peek(".")?, &["-peek=.", &root, other_name], &file);
            let view = View::new(&first).tag_root(keys).focus("worker|way|kB")?.hide("0")?;
            assert_same(&view.top(), &["-top", &root, "-focus=worker|way|kB", "-hide=0"], &file);
        }
    }
    Ok(())
}

fn labelled(labels: &[(usize, &str, &str, i64, &str)]) -> Result<Profile, Box<dyn Error>> {
    let labels = labels.iter().map(|&(sample, key, text, number, unit)| {
        (sample, key.to_owned(), text.to_owned(), number, unit.to_owned())
    });
    Ok(Profile::from_bytes(&Synthetic { labels: labels.collect(), ..small("/x.rs") }.bytes())?)
}

/// pprof shows and filters all numbers of a key in the unit of the first one.
#[test]
fn numbers_of_one_key_have_their_own_units() -> Result<(), Box<dyn Error>> {
    let labels = [(0, "size", "", 5, "kilobytes"), (1, "size", "", 5, "bytes"), (2, "size", "", 5, "")];
    let profile = labelled(&labels)?;
    let tags = View::new(&profile).tags();
    let size =
        " size: Total 100ms of 255.10ms (39.20%)\n       70ms (27.44%): 5kB\n       30ms (11.76%): 5B\n\n";
    assert!(tags.starts_with(size), "{tags}");
    let matching =
        |filter| View::new(&profile).tag_focus(filter).map(|view| view.tag_root("size").top_table());
    assert!(matching("size=5b")?.contains("30ms 11.76%  5B\n"), "{}", matching("size=5b")?);
    assert!(matching("size=5kb")?.contains("5kB\n") && !matching("size=5kb")?.contains("5B\n"));
    Ok(())
}

#[test]
fn labels_without_a_key_and_at_the_limits_are_shown() -> Result<(), Box<dyn Error>> {
    let numbers = [i64::MIN, i64::MAX, 0];
    let labels = numbers.map(|number| (0, "", "", number, "bytes"));
    let profile = labelled(&[&labels[..], &[(0, "\u{1b}[2J", "\u{7}", 0, "")]].concat())?;
    let tags = View::new(&profile).tags();
    for row in [
        "  50ms (19.60%): -8192PB\n",
        "  50ms (19.60%): 8192PB\n",
        "  50ms (19.60%): 0\n",
        " \u{fffd}[2J: Total",
    ] {
        assert!(tags.contains(row), "no {row:?} in {tags}");
    }
    assert!(View::new(&profile).tag_focus("-9223372036854775808b:0b")?.unmatched().is_empty());
    Ok(())
}

/// A million labels, all with the same long text: one sample has half of them, and the others have a key
/// each, which is as long in one case.
#[test]
fn a_million_labels_with_long_texts_need_memory_and_time_for_the_file_alone() -> Result<(), Box<dyn Error>> {
    const HALF: u64 = 500_000;
    let mut bytes = Message::default();
    bytes.message(1, Message::default().number(1, 1).number(2, 1));
    let label = |key, text| {
        let mut label = Message::default();
        label.number(1, key).number(2, text);
        label
    };
    let mut many = Message::default();
    many.packed(2, [HALF].into_iter());
    (0..HALF).for_each(|_| _ = many.message(3, &label(1, 2)));
    bytes.message(2, &many);
    for at in 0..HALF {
        bytes.message(2, Message::default().packed(2, [1].into_iter()).message(3, &label(3 + at, 2)));
    }
    bytes.bytes(6, b"").bytes(6, b"a").bytes(6, "\u{e4}".repeat(500_000).as_bytes());
    (1..HALF).for_each(|at| _ = bytes.bytes(6, format!("{at:x}").as_bytes()));
    bytes.bytes(6, "k".repeat(1 << 20).as_bytes());
    let profile = Profile::from_bytes(&bytes.0)?;
    let limit = 20 * bytes.0.len();
    let view = || View::new(&profile);
    assert!(view().tags().len() < limit, "{} bytes", view().tags().len());
    let rooted = view().tag_root("a").top();
    assert!(rooted.len() < limit && rooted.contains("\u{e4}\u{2026}\n"), "{} bytes", rooted.len());
    assert!(
        view().tag_focus("a=\u{e4}$")?.tag_ignore("ffff:,nothing")?.tag_focus(".")?.unmatched().len() == 1
    );
    Ok(())
}
