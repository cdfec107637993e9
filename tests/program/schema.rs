//! `sweep --schema`: every property of the schema is written, and it notices changes. That JSON is
//! valid is checked wherever a test reads it.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use every_input::byte_strings::Decoders;
use every_input::{
    ByteStrings, Checkpoint, Interval, Report, Shard, Status, StatusFile, Sweep, Ulps, Watch, agrees, all,
    codec_from_fns,
};
use serde_json::{Value, json as value};

use crate::leb128;
use crate::support::{Faulty, document, json, json_file, program, sweep};

fn document_of(value: &impl serde::Serialize) -> Value {
    document(&serde_json::to_vec(value).expect("JSON"))
}

/// Returns documents that have all properties of the schema together, besides what other tests
/// read.
fn documents() -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a folder");
    let sample = ["--sample", "20000", "--seed", "5", "--json", "-", "--shard"];
    let shards = ["1/2", "auto"].map(|shard| {
        let output = program().args(sample).arg(shard).env("SWEEP_SHARD", "2/2").output();
        let output = output.expect("the program starts").stdout;
        let path = folder.path().join(shard.replace('/', "-")).display().to_string();
        fs::write(&path, &output).expect("a file");
        (document(&output), path)
    });
    let merged = sweep(&["merge", &shards[0].1, &shards[1].1, "--json", "-"]).stdout;
    let failures = folder.path().join("failures.jsonl").display().to_string();
    let article = ["--codec", "article2015", "--failures", &failures, "--min-rate", "2^60"];
    let (article, _) = json(&article);
    let lines = fs::read_to_string(&failures).expect("a file of failures");
    let line = lines.lines().next().expect("a failure");
    let mut documents = vec![document(&merged), article, document(line.as_bytes())];
    documents.extend(shards.map(|(report, _)| report));

    let (watch, sweep) = (Watch::new(), Sweep::of(ByteStrings::structured(1)).exhaustive());
    let disagreements = sweep.check_decoders_watched(&Decoders::new().with(Box::new(Faulty)), &watch, None);
    documents.extend([document_of(&disagreements.expect("a report")), document_of(&Status::of(&watch))]);
    documents.extend(functions());
    documents.extend(statuses());
    documents
}

/// Sweeps a type with a correct codec and returns the report.
fn sweep_of(watch: &Watch, checkpoint: Option<&mut Checkpoint>) -> Value {
    let codec = codec_from_fns("mine", leb128::encode::<u64>, leb128::decode);
    let sweep = Sweep::of(all::<u64>()).ranges([Interval { first: 0, last: 1000 }]);
    document_of(&sweep.run_watched(&codec, watch, checkpoint).expect("a report"))
}

/// Returns reports of functions of floats and of pairs, whose space no name stands for.
fn functions() -> [Value; 5] {
    let half = |x: f32| x / 2.0;
    let floats = Sweep::of(1.0f32..=1.5).exhaustive();
    let same =
        floats.report("half", &agrees(half, |x: f32| f64::from(x) / 2.0, Ulps(1.0))).expect("a report");
    let panics = floats
        .report("half", &|x: f32| {
            assert!(half(x) < 0.6);
            true
        })
        .expect("a report");
    let sample =
        Sweep::of(all::<f64>()).sample(Some(5000)).report("half", &|x: f64| !x.is_nan()).expect("a report");
    let pairs = Sweep::of((all::<i8>(), all::<u16>()));
    let all_pairs = pairs.clone().exhaustive();
    let own = all_pairs.report("own", &|pair: (i8, u16)| pair != (64, 0)).expect("a report");
    let drawn = pairs.sample(Some(50_000)).report("own", &|(_, x): (i8, u16)| x % 2 == 0).expect("a report");
    [same, panics, sample, own, drawn].map(|report| document_of(&report))
}

/// Returns the status before, at the end of and instead of a sweep.
fn statuses() -> [Value; 4] {
    let waiting = Status::of(&Watch::new());

    let folder = tempfile::tempdir().expect("a folder");
    let (status, checkpoint) = (folder.path().join("status"), folder.path().join("checkpoint"));
    let watch = Arc::new(Watch::new());
    let file = StatusFile::keep(&status, Arc::clone(&watch), |error| panic!("{error}")).expect("a file");
    let mut checkpoint = Checkpoint::open(&checkpoint).expect("a checkpoint");
    sweep_of(&watch, Some(&mut checkpoint));
    drop(file);
    let complete = json_file(&status);

    let failed = Arc::new(Watch::new());
    let wrong = codec_from_fns("wrong", |_: u64, _: &mut [u8]| Ok(1), |_: &[u8]| Ok((0, 1)));
    let sweep = Sweep::of(all::<u64>());
    sweep.run_watched(&wrong, &failed, None).expect("a report");

    let refused = Watch::new();
    sweep.shard(Shard::new(1, 2).expect("a shard")).run_watched(&wrong, &refused, None).expect_err("no mode");
    [document_of(&waiting), complete, document_of(&Status::of(&failed)), document_of(&Status::of(&refused))]
}

/// Adds the names of all properties of a document.
fn add_names(document: &Value, names: &mut BTreeSet<String>) {
    match document {
        Value::Object(properties) => properties.iter().for_each(|(name, value)| {
            names.insert(name.clone());
            add_names(value, names);
        }),
        Value::Array(items) => items.iter().for_each(|item| add_names(item, names)),
        _ => {}
    }
}

/// Returns each of the `$defs` that is an object with fixed properties, and their names.
fn objects(schema: &Value) -> Vec<(&str, Vec<&str>)> {
    let defs = schema["$defs"].as_object().expect("definitions");
    let objects = defs.iter().filter_map(|(kind, def)| Some((&**kind, def["properties"].as_object()?)));
    objects.map(|(kind, properties)| (kind, properties.keys().map(String::as_str).collect())).collect()
}

#[test]
fn every_property_of_the_schema_is_written() {
    let schema: Value = serde_json::from_slice(&sweep(&["--schema"]).stdout).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema));
    let mut names = BTreeSet::new();
    documents().iter().for_each(|document| add_names(document, &mut names));
    for (kind, properties) in objects(&schema) {
        let unused: Vec<_> = properties.into_iter().filter(|name| !names.contains(*name)).collect();
        assert!(unused.is_empty(), "no mode writes these properties of '{kind}': {unused:?}");
    }
}

#[test]
fn a_change_of_the_json_is_noticed() {
    let schema = serde_json::from_str(Report::JSON_SCHEMA).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let (report, _) = json(&["--codec", "article2015", "MIN..=-9_223_372_036_854_775_000"]);
    assert!(validator.is_valid(&report));
    for (pointer, changed) in
        [("", value!({"new": 1})), ("", value!({"values": 5})), ("/first_failures/0", value!({"new": 1}))]
    {
        let mut report = report.clone();
        let object = report.pointer_mut(pointer).and_then(Value::as_object_mut).expect("an object");
        object.extend(changed.as_object().expect("an object").clone());
        assert!(!validator.is_valid(&report), "{pointer}: {changed}");
    }
    for name in report
        .as_object()
        .expect("an object")
        .keys()
        .filter(|name| !["cpus", "exit_code", "wire"].contains(&&***name))
    {
        let mut report = report.clone();
        report.as_object_mut().expect("an object").remove(name);
        assert!(!validator.is_valid(&report), "without {name}");
    }
}
