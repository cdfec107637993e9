//! Ranges, shards and environment variables are parsed correctly, or refused with a message.

use every_input::{Interval, Shard};

/// Checks a text as a range, a shard or an environment; the first byte chooses which.
pub fn check(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match choice % 4 {
        0 | 1 => range(text, choice),
        2 => shard(text),
        _ => environment(text),
    }
}

/// Checks that a range is within its type, and that both notations of it parse to the same
/// interval.
fn range(text: &str, choice: u8) {
    let limits = |least: i128, greatest: i128| Interval { first: least, last: greatest };
    let (name, limits) = match choice >> 2 & 3 {
        0 => ("i64", limits(i64::MIN.into(), i64::MAX.into())),
        1 => ("u64", limits(u64::MIN.into(), u64::MAX.into())),
        2 => ("i8", limits(i8::MIN.into(), i8::MAX.into())),
        _ => ("u32", limits(u32::MIN.into(), u32::MAX.into())),
    };
    let within = |text: &str| Interval::parse(text, name, limits);
    match within(text) {
        Ok(interval @ Interval { first, last }) => {
            assert!(
                limits.first <= first && first <= last && last <= limits.last,
                "{interval:?} from {text:?}"
            );
            assert_eq!(within(&format!("{first}..={last}")), Ok(interval));
            assert_eq!(within(&format!("{first}..{}", last + 1)), Ok(interval));
        }
        Err(why) => assert!(why.contains(text), "{why:?} names {text:?}"),
    }
}

fn shard(text: &str) {
    match text.parse::<Shard>() {
        Ok(shard) => {
            assert!(1 <= shard.index() && shard.index() <= shard.count(), "{shard} from {text:?}");
            assert_eq!(shard.to_string().parse(), Ok(shard));
        }
        Err(why) => assert!(why.contains(text), "{why:?} names {text:?}"),
    }
}

/// Checks that an assignment from lines of NAME=VALUE is a valid shard and names its variables.
fn environment(text: &str) {
    let variable = |name: &str| {
        let mut pairs = text.lines().filter_map(|line| line.split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
    };
    match Shard::assigned(variable) {
        Ok((shard, source)) => {
            assert!(source.split(' ').all(|pair| text.contains(pair)), "{shard} by {source}");
            assert_eq!(Shard::new(shard.index(), shard.count()), Some(shard));
        }
        Err(why) => assert!(!why.is_empty()),
    }
}

pub fn examples() -> Vec<Vec<u8>> {
    const TEXTS: [(u8, &str); 25] = [
        (0, "-5..=5"),
        (0, "MIN..=MAX"),
        (0, "MIN..MAX"),
        (4, "0..=18446744073709551615"),
        (4, "0..18_446_744_073_709_551_616"),
        (8, "-129..=5"),
        (8, "5..5"),
        (8, "5..=-5"),
        (0, "1_000 .. 2_000"),
        (0, "170141183460469231731687303715884105727..=-170141183460469231731687303715884105728"),
        (0, "+1..=+2"),
        (0, "_1..2"),
        (0, "..="),
        (0, "1...2"),
        (12, "4294967295..4294967296"),
        (2, "3/8"),
        (2, "0/8"),
        (2, "4294967296/4294967296"),
        (2, "1/4294967297"),
        (2, "+1/+2"),
        (3, "SWEEP_SHARD=3/8"),
        (3, "JOB_COMPLETION_INDEX=2\nSWEEP_SHARD_COUNT=4"),
        (
            3,
            "SLURM_ARRAY_TASK_ID=9\nSLURM_ARRAY_TASK_MIN=1\nSLURM_ARRAY_TASK_COUNT=5\nSLURM_ARRAY_TASK_STEP=2",
        ),
        (3, "JOB_COMPLETION_INDEX=18446744073709551615\nSWEEP_SHARD_COUNT=18446744073709551615"),
        (3, "JOB_COMPLETION_INDEX=1\nSWEEP_SHARD_COUNT=x"),
    ];
    TEXTS.map(|(choice, text)| [&[choice], text.as_bytes()].concat()).to_vec()
}
