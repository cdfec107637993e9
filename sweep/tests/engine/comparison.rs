//! Comparisons of codecs: the rounds, and the progress over all codecs.

use std::sync::{Arc, Mutex};

use varint_sweep::{
    Codec, CodecError, Comparison, Interval, RoundScope, Sweep, Watch, codec_from_fns, oracle,
};

fn encode(value: u32, dst: &mut [u8]) -> Result<usize, CodecError> {
    let mut bytes = [0; oracle::MAX_LEN];
    let len = oracle::encode(value.into(), false, &mut bytes);
    dst[..len].copy_from_slice(&bytes[..len]);
    Ok(len)
}

fn decode(src: &[u8]) -> Result<(u32, usize), CodecError> {
    let len = src.iter().position(|&byte| byte < 0x80).ok_or("no last byte")? + 1;
    Ok((src[..len].iter().rev().fold(0, |value, &byte| value << 7 | u32::from(byte & 0x7f)), len))
}

/// Returns a correct codec that adds its name to `order` if another codec was called last.
fn recorded(name: char, order: &Mutex<String>) -> impl Codec<u32> {
    codec_from_fns(
        name,
        move |value, dst: &mut [u8]| {
            let mut order = order.lock().unwrap();
            if !order.ends_with(name) {
                order.push(name);
            }
            encode(value, dst)
        },
        decode,
    )
}

#[test]
fn the_codecs_take_turns_and_another_one_begins_each_round() {
    let order = Mutex::new(String::new());
    let (a, b, c) = (recorded('a', &order), recorded('b', &order), recorded('c', &order));
    // Three shards of 2^18 values.
    let sweep =
        Sweep::<u32>::new().ranges([Interval { first: 0, last: (3 << 18) - 1 }]).exhaustive().threads(1);
    let report = Comparison::new(sweep).run(&[&a, &b, &c]).unwrap();
    assert_eq!((report.rounds, report.each_round), (3, RoundScope::Shard));
    drop((a, b, c));
    assert_eq!(order.into_inner().unwrap(), "abcbcacab");
    assert!(report.complete && report.codecs.iter().all(|codec| codec.report.values == 3 << 18));
}

#[test]
fn the_watch_counts_the_values_of_all_codecs() {
    let right = codec_from_fns("right", encode, decode);
    let wrong = codec_from_fns("wrong", encode, |src| Ok((decode(src)?.0 & !64, 1)));
    let sweep = Sweep::<u32>::new().ranges([Interval { first: 0, last: 127 }]).max_failures(0);
    let watch = Arc::new(Watch::for_program("tests 1"));
    let report = Comparison::new(sweep).run_watched(&[&right, &wrong], &watch).unwrap();
    assert_eq!((report.program.as_str(), report.each_round), ("tests 1", RoundScope::Plan));
    assert_eq!(report.codecs[1].report.failures, 64);
    assert_eq!((watch.values(), watch.failures()), (report.rounds * 2 * 128, report.rounds * 64));
    assert_eq!(watch.part(), (1.0, Some(0.0)));
}

#[test]
fn a_stopped_comparison_has_a_report_for_each_codec() {
    let right = codec_from_fns("right", encode, decode);
    let watch = Arc::new(Watch::new());
    watch.stop();
    let report = Comparison::new(Sweep::new().exhaustive()).run_watched(&[&right, &right], &watch).unwrap();
    assert_eq!((report.complete, report.codecs.len()), (false, 2));
    assert!(report.codecs.iter().all(|codec| codec.speed.is_none()));
}

#[test]
fn a_limit_of_failures_applies_to_all_rounds_of_a_codec() {
    // One failure in each of the three shards, far from the edge cases.
    let wrong = codec_from_fns("wrong", encode, |src| {
        let (value, len) = decode(src)?;
        Ok((if value % (1 << 18) == 5000 { 0 } else { value }, len))
    });
    let right = codec_from_fns("right", encode, decode);
    let run = |max_failures| {
        let sweep = Sweep::<u32>::new().ranges([Interval { first: 0, last: (3 << 18) - 1 }]).threads(1);
        Comparison::new(sweep.max_failures(max_failures)).run(&[&wrong, &right]).unwrap()
    };
    let report = run(4);
    assert_eq!((report.codecs[0].report.failures, report.complete), (3, true));
    let report = run(2);
    assert_eq!((report.codecs[0].report.failures, report.codecs[0].report.complete), (2, false));
    assert!(report.codecs[1].report.complete && report.codecs[1].speed.is_some());
}
