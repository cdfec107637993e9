//! Bytes that are no profile: an error, never a panic, and no more memory than the limits allow.

use pprof_views::{Profile, ProfileError};
use proptest::prelude::*;

use super::property::{exercise, packed};
use super::synthetic::{Message, Synthetic, arbitrary, small};

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        exercise(&bytes);
    }

    #[test]
    fn any_profile_is_shown(synthetic in arbitrary()) {
        exercise(&synthetic.bytes());
    }

    #[test]
    fn any_change_of_a_profile_is_survived(
        synthetic in arbitrary(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        end in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut bytes = synthetic.bytes();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(end.index(bytes.len()));
        }
        exercise(&bytes);
    }
}

#[track_caller]
fn refused(bytes: &[u8], words: &[&str]) {
    let error = Profile::from_bytes(bytes).map(drop).expect_err("it is damaged").to_string();
    for word in words {
        assert!(error.contains(word), "no {word:?} in {error:?}");
    }
}

#[test]
fn damage_is_named() {
    let whole = || small("/x.rs");
    refused(b"", &["empty"]);
    refused(b"cpu profile in words", &["pprof's format", "at byte"]);
    refused(&[0x0a, 0x80], &["truncated", "at byte 2"]);
    refused(&[0x0a, 0x7f], &["127 bytes are announced"]);
    refused(&[0x0b], &["0xb"]);
    let bytes = packed(&whole().bytes());
    refused(&bytes[..bytes.len() / 2], &["gzip", "copied whole"]);
    refused(&[&whole().bytes()[..], &whole().bytes()].concat(), &["two functions", "two profiles"]);
    refused(&Synthetic { types: vec![], ..whole() }.bytes(), &["no sample types"]);

    let mut damaged = whole();
    damaged.samples[3].0[0] = 99;
    refused(&damaged.bytes(), &["no location 99"]);
    let mut damaged = whole();
    damaged.locations[0].1[0].0 = 1 << 60;
    refused(&damaged.bytes(), &["no function 1152921504606846976"]);
    let mut damaged = whole();
    damaged.locations[0].0 = 7;
    refused(&damaged.bytes(), &["no mapping 7"]);
    let mut damaged = whole();
    damaged.samples[0].1.pop();
    refused(&damaged.bytes(), &["1 values", "2 sample types"]);

    let with = |field, message: &Message| {
        let mut bytes = Message(whole().bytes());
        bytes.message(field, message);
        bytes.0
    };
    refused(&with(5, Message::default().number(1, 1)), &["two functions", "id 1"]);
    refused(&with(4, Message::default().number(1, 2)), &["two locations", "id 2"]);
    refused(&with(5, Message::default().number(2, 1)), &["reserved id 0"]);
    refused(&with(5, Message::default().number(1, 99).number(2, 1 << 40)), &["string 1099511627776"]);
    refused(&with(5, Message::default().number(1, 99).number(4, u64::MAX)), &["string -1"]);
    refused(&with(1, Message::default().number(1, 999)), &["string 999"]);
}

#[test]
fn what_unpacks_to_too_much_is_refused() {
    let bomb = packed(&vec![0; 33 << 20]);
    assert!(bomb.len() < 1 << 20);
    assert!(matches!(Profile::from_bytes(&bomb), Err(ProfileError::TooLarge(_))));
    let mut name = Message::default();
    name.bytes(6, b"").bytes(6, &[b'x'; 70 << 10]);
    refused(&name.0, &["a name of 70 KiB"]);
    let mut sample = Message::default();
    sample.bytes(6, b"").message(1, Message::default().number(1, 0)).bytes(2, &vec![0; 5 << 20]);
    refused(&sample.0, &["a single entry of 5120 KiB"]);
}

#[test]
fn sums_beyond_64_bits_stay_at_the_limit() {
    let mut synthetic = small("/x.rs");
    for (_, values, _) in &mut synthetic.samples {
        *values = vec![i64::MAX, i64::MIN];
    }
    exercise(&synthetic.bytes());
}
