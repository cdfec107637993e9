//! What is read from criterion's files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use tempfile::tempdir;
use zigzag_varint_benches::results::read;

/// Writes a result as criterion does.
fn write(dir: &Path, group: &str, contender: &str, samples: &str) {
    let new = dir.join(group.replace('/', "_")).join(contender).join("new");
    fs::create_dir_all(&new).unwrap();
    let benchmark = format!(
        r#"{{"group_id":"{group}","function_id":"{contender}","value_str":null,"throughput":{{"Elements":100}}}}"#
    );
    fs::write(new.join("benchmark.json"), benchmark).unwrap();
    fs::write(new.join("sample.json"), samples).unwrap();
}

#[test]
fn the_minimum_time_per_value_is_read_with_the_allocations() {
    let dir = tempdir().unwrap();
    // The second sample has the smallest time per iteration, although its total is greater.
    let samples = r#"{"sampling_mode":"Flat","iters":[1.0,10.0,2.0],"times":[90.0,500.0,180.0]}"#;
    write(dir.path(), "decode/u64/mix", "prost", samples);
    let allocations = BTreeMap::from([("decode/u64/mix/prost".into(), 7)]);
    let results = read(dir.path(), SystemTime::UNIX_EPOCH, &allocations).unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0].name(), "decode/u64/mix/prost");
    let result = &results[0];
    assert_eq!((result.values, result.samples, result.allocations), (100, 3, 7));
    assert_eq!(result.nanoseconds, 0.5);

    let later = SystemTime::now() + Duration::from_secs(60);
    assert_eq!(read(dir.path(), later, &allocations).unwrap(), []);
    assert_eq!(read(&dir.path().join("missing"), later, &allocations).unwrap(), []);
}

#[test]
fn an_invalid_file_is_named() {
    for (group, samples) in [("decode/u64/mix", "{\"iters\": [1.0,"), ("other", r#"{"iters":[],"times":[]}"#)]
    {
        let dir = tempdir().unwrap();
        write(dir.path(), group, "prost", samples);
        let error = read(dir.path(), SystemTime::UNIX_EPOCH, &BTreeMap::new()).unwrap_err().to_string();
        assert!(error.contains("prost/new") && error.contains("remove criterion's folder"), "{error}");
    }
}
