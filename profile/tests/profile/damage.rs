//! Invalid profiles cause an error, never a panic, and stay within the memory limits.

use pprof_views::{Profile, ProfileError};
use proptest::prelude::*;

use super::byte_property::{gzip, show_in_every_way};
use super::synthetic::{Message, Synthetic, arbitrary, small};

proptest! {
    #[test]
    fn damaged_profiles_never_panic(
        synthetic in arbitrary(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        end in any::<prop::sample::Index>(),
        is_truncated in any::<bool>(),
    ) {
        let mut bytes = synthetic.bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_truncated {
            bytes.truncate(end.index(bytes.len()));
        }
        show_in_every_way(&bytes);
    }
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
    assert_rejected(&[0x0a, 0x80], &["Tables.sample_type", "varint"]);
    assert_rejected(&[0x0a, 0x7f], &["Tables.sample_type", "underflow"]);
    assert_rejected(&[0x0f], &["invalid wire type value: 7"]);
    let bytes = gzip(&intact().bytes());
    assert_rejected(&bytes[..bytes.len() / 2], &["gzip", "copied completely"]);
    assert_rejected(
        &[&intact().bytes()[..], &intact().bytes()].concat(),
        &["duplicate mapping id 1", "two concatenated profiles"],
    );
    assert_rejected(&Synthetic { types: vec![], ..intact() }.bytes(), &["no sample types"]);

    let mut damaged = intact();
    damaged.samples[3].0[0] = 99;
    assert_rejected(&damaged.bytes(), &["unknown location id 99"]);
    let mut damaged = intact();
    damaged.locations[0].1[0].0 = 1 << 60;
    assert_rejected(&damaged.bytes(), &["unknown function id 1152921504606846976"]);
    let mut damaged = intact();
    damaged.locations[0].0 = 7;
    assert_rejected(&damaged.bytes(), &["unknown mapping id 7"]);
    let mut damaged = intact();
    damaged.samples[0].1.pop();
    assert_rejected(&damaged.bytes(), &["1 values", "2 sample types"]);

    let with = |field, message: &Message| {
        let mut bytes = Message(intact().bytes());
        bytes.message(field, message);
        bytes.0
    };
    assert_rejected(&with(5, Message::default().number(1, 1)), &["duplicate function id 1"]);
    assert_rejected(&with(4, Message::default().number(1, 2)), &["duplicate location id 2"]);
    assert_rejected(&with(5, Message::default().number(2, 1)), &["reserved id 0"]);
    assert_rejected(
        &with(5, Message::default().number(1, 99).number(2, 1 << 40)),
        &["no string 1099511627776"],
    );
    assert_rejected(&with(5, Message::default().number(1, 99).number(4, u64::MAX)), &["no string -1"]);
    assert_rejected(&with(1, Message::default().number(1, 999)), &["no string 999"]);
}

#[test]
fn profiles_beyond_the_size_limits_are_rejected() {
    let bomb = gzip(&vec![0; 33 << 20]);
    assert!(bomb.len() < 1 << 20);
    assert!(matches!(Profile::from_bytes(&bomb), Err(ProfileError::TooLarge { .. })));
    let with = |field, bytes: &[u8], count| {
        let mut profile = Synthetic { samples: vec![], ..small("/x.rs") }.bytes();
        let mut entry = Message::default();
        profile.extend(entry.bytes(field, bytes).0.repeat(count));
        profile
    };
    assert!(Profile::from_bytes(&with(6, &[b'x'; 64 << 10], 1)).is_ok());
    assert_rejected(&with(6, &[b'x'; 70 << 10], 1), &["65536 bytes in a string"]);
    assert_rejected(&with(6, &[b'x'; 60_000], 500), &["bytes in all strings"]);
    assert_rejected(&with(6, &[b'\n'; 60_000], 150), &["bytes in all strings"]);
    assert_rejected(&with(6, b"", 600_000), &["524288 samples, locations"]);
    assert_rejected(&with(2, &[0x08; 5 << 20], 1), &["4194304 frames"]);
    assert_rejected(&with(1, &[], 100), &["100 sample types"]);
    assert_rejected(&with(13, &[0; 101], 1), &["100 comments"]);
}

#[test]
fn sums_beyond_64_bits_saturate() {
    let mut synthetic = small("/x.rs");
    for (_, values, _) in &mut synthetic.samples {
        *values = vec![i64::MAX, i64::MIN];
    }
    show_in_every_way(&synthetic.bytes());
}
