//! Reading and writing profiles. Invalid ones cause errors. `byte_property.rs` changes bytes at random.

use std::error::Error;
use std::io::Read;

use flate2::read::GzDecoder;
use pprof_views::{Limits, Profile, ProfileError, View};

use super::byte_property::gzip;
use super::synthetic::{Message, Synthetic, small, small_before};

#[test]
fn totals_are_the_sums_of_the_values() -> Result<(), Box<dyn Error>> {
    let profile = Profile::from_bytes(&small("/x.rs").bytes())?;
    assert_eq!(profile.sample_types().collect::<Vec<_>>(), [("samples", "count"), ("cpu", "nanoseconds")]);
    assert_eq!((profile.total(0), profile.total(1), profile.total(2)), (27, 255_100_000, 0));
    assert_eq!((profile.len(), profile.duration_nanos()), (12, 200_000_000));
    Ok(())
}

#[test]
fn a_compressed_profile_is_gzip() -> Result<(), Box<dyn Error>> {
    let profile = Profile::from_bytes(&small("/x.rs").bytes())?;
    let mut uncompressed = vec![];
    GzDecoder::new(&profile.to_gzip()?[..]).read_to_end(&mut uncompressed)?;
    assert_eq!(uncompressed, profile.to_bytes());
    Ok(())
}

#[test]
fn names_that_are_not_utf8_are_shown_with_a_replacement() -> Result<(), Box<dyn Error>> {
    let mut bytes = small("/x.rs").bytes();
    let at = bytes.windows(12).position(|bytes| bytes == b"codec::shift").ok_or("no such name")?;
    bytes[at + 7] = 0xff;
    let table = View::new(&Profile::from_bytes(&bytes)?).top();
    assert!(table.contains("codec::\u{fffd}hift"), "{table}");
    Ok(())
}

#[test]
fn the_sum_of_profiles_has_the_values_of_both() -> Result<(), Box<dyn Error>> {
    let [one, other] =
        [small("/x.rs"), small_before("/x.rs")].map(|it| Profile::from_bytes(&it.bytes()).unwrap());
    assert_eq!(Profile::sum(std::slice::from_ref(&one))?, one);
    let sum = Profile::sum(&[one.clone(), other.clone()])?;
    assert_eq!((sum.total(0), sum.total(1)), (one.total(0) + other.total(0), one.total(1) + other.total(1)));
    assert_eq!(sum.duration_nanos(), one.duration_nanos() + other.duration_nanos());
    assert_eq!(sum.len(), one.len(), "equal stacks are one");
    assert_eq!(Profile::from_bytes(&sum.to_bytes())?, sum, "all references are valid");
    Ok(())
}

#[test]
fn profiles_of_different_kinds_are_not_added() {
    let types = [("inuse_objects", "count"), ("inuse_space", "bytes\u{1b}")];
    let types = types.map(|(kind, unit)| (kind.to_owned(), unit.to_owned())).into();
    let other = Synthetic { types, ..small("/x.rs") };
    let profiles = [small("/x.rs"), other].map(|it| Profile::from_bytes(&it.bytes()).unwrap());
    let error = Profile::sum(&profiles).expect_err("other types").to_string();
    assert!(
        error.contains("samples/count cpu/nanoseconds and inuse_objects/count inuse_space/bytes\u{fffd}"),
        "{error}"
    );
    assert!(matches!(Profile::sum(&[]), Err(ProfileError::Empty)));
}

#[test]
fn all_labels_and_the_frames_to_drop_are_kept() -> Result<(), Box<dyn Error>> {
    let mut with = small("/x.rs");
    let label = |at, key: &str, text: &str, number, unit: &str| {
        (at, key.to_owned(), text.to_owned(), number, unit.to_owned())
    };
    with.labels = vec![
        label(0, "bytes", "", 4096, "bytes"),
        label(0, "bytes", "", -1, ""),
        label(0, "zero", "", 0, "seconds"),
        label(1, "", "without a key", 0, ""),
    ];
    (with.drop_frames, with.keep_frames) = ("malloc|free".into(), "main".into());
    let profile = Profile::from_bytes(&with.bytes())?;
    let count =
        |label: &[u8]| profile.to_bytes().windows(label.len()).filter(|bytes| *bytes == label).count();
    assert_eq!(count(&[24, 0x80, 0x20]), 1, "4096, and a unit");
    assert_eq!(count(b"malloc|free"), 1);
    let sum = Profile::sum(&[profile.clone(), profile.clone()])?;
    assert_eq!((sum.len(), sum.total(0)), (profile.len(), 2 * profile.total(0)));
    // A label without a value is none, and a text hides the number.
    let mut equal = with.clone();
    equal.labels[3].3 = 7;
    equal.labels.push(label(2, "nothing", "", 0, ""));
    assert_eq!(Profile::from_bytes(&equal.bytes())?.len(), profile.len());
    assert_eq!(Profile::sum(&[Profile::from_bytes(&equal.bytes())?, profile.clone()])?.len(), profile.len());
    // Numbers and units tell samples apart.
    with.labels[0].3 = 1024;
    assert_eq!(
        Profile::sum(&[Profile::from_bytes(&with.bytes())?, profile.clone()])?.len(),
        profile.len() + 1
    );
    Ok(())
}

#[track_caller]
fn assert_rejected(bytes: &[u8], words: &[&str]) {
    let error = Profile::from_bytes(bytes).map(drop).expect_err("an invalid profile").to_string();
    for word in words {
        assert!(error.contains(word), "no {word:?} in {error:?}");
    }
}

#[test]
fn errors_describe_the_damage() {
    let intact = || small("/x.rs");
    assert_rejected(b"", &["empty"]);
    assert_rejected(b"cpu profile in words", &["pprof's format", "copied completely"]);
    assert_rejected(&[0x0a, 0x80], &["the end of a varint is missing"]);
    assert_rejected(&[0x0a, 0x7f], &["the end of a field is missing"]);
    assert_rejected(&[0x0f], &["invalid wire type value: 7"]);
    let bytes = gzip(&intact().bytes());
    assert_rejected(&bytes[..bytes.len() / 2], &["gzip", "copied completely"]);
    let twice = intact().bytes().repeat(2);
    assert_rejected(&twice, &["duplicate mapping id 1", "two concatenated profiles"]);
    assert_rejected(&Synthetic { types: vec![], ..intact() }.bytes(), &["no sample types"]);

    let damaged = |damage: fn(&mut Synthetic)| {
        let mut synthetic = intact();
        damage(&mut synthetic);
        synthetic.bytes()
    };
    assert_rejected(&damaged(|it| it.samples[3].0[0] = 99), &["unknown location id 99"]);
    assert_rejected(
        &damaged(|it| it.locations[0].1[0].0 = 1 << 60),
        &["unknown function id 1152921504606846976"],
    );
    assert_rejected(&damaged(|it| it.samples[0].1.truncate(1)), &["1 values", "2 sample types"]);

    let with = |field, message: &Message| {
        let mut bytes = Message(intact().bytes());
        bytes.message(field, message);
        bytes.0
    };
    assert_rejected(&with(5, Message::default().number(1, 1)), &["duplicate function id 1"]);
    assert_rejected(&with(4, Message::default().number(1, 2)), &["duplicate location id 2"]);
    assert_rejected(&with(5, Message::default().number(2, 1)), &["reserved id 0"]);
    let unnamed = with(5, Message::default().number(1, 99).number(2, 1 << 40));
    assert_rejected(&unnamed, &["no string 1099511627776"]);
    assert_rejected(&with(5, Message::default().number(1, 99).number(4, u64::MAX)), &["no string -1"]);
    assert_rejected(&with(1, Message::default().number(1, 999)), &["no string 999"]);
}

#[test]
fn profiles_beyond_the_limits_are_rejected_with_advice() -> Result<(), Box<dyn Error>> {
    let read = |bytes: &[u8], limits| Profile::from_reader(bytes, limits).map(drop);
    let bytes = small("/x.rs").bytes();
    let size = bytes.len() as u64;
    let exactly = Limits { bytes: size, ..Limits::default() };
    assert!(read(&bytes, exactly).is_ok() && read(&gzip(&bytes), exactly).is_ok());
    let less = Limits { bytes: size - 1, ..Limits::default() };
    for bytes in [&bytes, &gzip(&bytes)] {
        let error = read(bytes, less).unwrap_err();
        assert!(matches!(error, ProfileError::TooLarge(limit) if limit == size - 1));
        let error = error.to_string();
        let words =
            [&*format!("{} bytes", size - 1), "--max-size", "Limits::bytes", "shorter time", "sample"];
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
    // The default limits.
    let mut bomb = Message::default();
    bomb.bytes(99, &vec![0; 129 << 20]);
    let bomb = gzip(&bomb.0);
    assert!(bomb.len() < 1 << 20);
    let error = Profile::from_bytes(&bomb).unwrap_err().to_string();
    assert!(error.contains("more than 128 MiB, uncompressed"), "{error}");

    let mut many_frames = small("/x.rs");
    many_frames.locations[0].1 = vec![(1, 1); 1 << 14];
    many_frames.samples.truncate(1);
    many_frames.samples[0].0 = vec![1; 1 << 13];
    assert!(Profile::from_bytes(&many_frames.bytes()).is_ok());
    many_frames.samples[0].0.push(2);
    let error = Profile::from_bytes(&many_frames.bytes()).unwrap_err();
    assert!(matches!(error, ProfileError::TooManyFrames { limit: 134_217_728, is_heap: false }));
    let error = error.to_string();
    let words = ["134217728 frames", "--max-frames", "Limits::frames", "shorter time"];
    assert!(words.iter().all(|word| error.contains(word)), "{error}");
    many_frames.types[1] = ("inuse_space".into(), "bytes".into());
    let error = Profile::from_bytes(&many_frames.bytes()).unwrap_err().to_string();
    assert!(error.contains("sample fewer allocations") && !error.contains("time"), "{error}");
    let more = Limits { frames: 1 << 28, ..Limits::default() };
    assert!(read(&many_frames.bytes(), more).is_ok());
    let less = Limits { frames: 3, ..Limits::default() };
    assert!(matches!(read(&bytes, less), Err(ProfileError::TooManyFrames { limit: 3, .. })));
    Ok(())
}
