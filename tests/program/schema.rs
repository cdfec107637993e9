//! `sweep --schema`: the JSON of every mode is valid against the schema.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use every_input::byte_strings::Decoders;
use every_input::{
    ByteStrings, Checkpoint, Interval, Shard, Status, StatusFile, Sweep, Ulps, Watch, agrees, all,
    codec_from_fns,
};
use jsonschema::Validator;
use serde_json::{Value, json as value};

use crate::support::faulty_decoder::Faulty;
use crate::support::{json, program};

fn schema() -> Value {
    let output = program().arg("--schema").output().expect("the program starts");
    assert_eq!(output.status.code(), Some(0));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Returns a validator for one of the `$defs`.
fn validator(schema: &Value, kind: &str) -> Validator {
    let reference = format!("#/$defs/{kind}");
    let one = value!({"$schema": schema["$schema"], "$ref": reference, "$defs": schema["$defs"]});
    jsonschema::validator_for(&one).expect("a schema")
}

fn to_json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("JSON")
}

/// Returns the JSON of every mode, with the name of its kind and of the mode.
fn documents() -> Vec<(&'static str, &'static str, Value)> {
    let folder = tempfile::tempdir().expect("a folder");
    let shards = ["1/2", "2/2"].map(|shard| {
        let (report, _) = json(&["--sample", "20000", "--seed", "5", "--shard", shard]);
        let path = folder.path().join(shard.replace('/', "-"));
        fs::write(&path, report.to_string()).expect("a file");
        (report, path)
    });
    let of_command = |arguments: &[&str]| {
        let output = program().args(arguments).args(["--json", "-"]).output().expect("the program starts");
        let text = String::from_utf8_lossy(&output.stderr);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    let path = |file: usize| shards[file].1.to_str().expect("text");
    let from_environment = program()
        .args(["--sample", "20000", "--seed", "5", "--shard", "auto", "--json", "-"])
        .env("SWEEP_SHARD", "1/2")
        .output()
        .expect("the program starts");
    let mut documents = vec![
        ("report", "exhaustive", json(&["0..=5000"]).0),
        ("report", "sample", json(&["--sample", "20000"]).0),
        ("report", "sample by budget", json(&["--budget", "1ms"]).0),
        ("report", "shard", shards[0].0.clone()),
        ("report", "shard auto", serde_json::from_slice(&from_environment.stdout).expect("JSON")),
        ("report", "merge", of_command(&["merge", path(0), path(1)])),
        ("report", "merge of one shard", of_command(&["merge", path(0)])),
        ("report", "failures", json(&["--codec", "article2015"]).0),
        (
            "report",
            "other failures",
            json(&["--codec", "article2015", "--max-failures", "0", "MIN..=-9_223_372_036_854_775_000"]).0,
        ),
        ("reports", "several codecs", json(&["--codec", "bulk", "--codec", "article2015", "0..=5000"]).0),
        (
            "report",
            "byte strings",
            of_command(&[
                "bytes",
                "--len",
                "1",
                "--type",
                "u8,i64",
                "--decoder",
                "single,bulk",
                "--exhaustive",
            ]),
        ),
        (
            "report",
            "a sample of byte strings",
            of_command(&["bytes", "--type", "u8", "--decoder", "single", "--sample", "100000"]),
        ),
    ];
    let failures = folder.path().join("failures.jsonl");
    let article = ["--codec", "article2015", "--quiet", "--failures"];
    assert_eq!(program().args(article).arg(&failures).status().expect("it starts").code(), Some(1));
    let lines = fs::read_to_string(&failures).expect("a file of failures");
    let line = serde_json::from_str(lines.lines().next().expect("a failure")).expect("JSON");
    documents.push(("failure_record", "a line of --failures", line));
    let (watch, sweep) = (Watch::new(), Sweep::of(ByteStrings::structured(1)).exhaustive());
    let disagreements =
        sweep.check_decoders_watched(&Decoders::new().with(Faulty), &watch, None).expect("a report");
    documents.push(("report", "disagreements", to_json(&disagreements)));
    documents.extend(functions().map(|(mode, report)| ("report", mode, report)));
    documents.push(("status", "disagreements", to_json(&Status::of(&watch))));
    documents.extend(statuses().into_iter().map(|(mode, status)| ("status", mode, status)));

    let stopped = Watch::new();
    stopped.stop();
    let interrupted = sweep_of(&stopped, None);
    documents.push(("report", "interrupted", interrupted));
    documents
}

/// Sweeps a type with a correct codec and returns the report.
fn sweep_of(watch: &Watch, checkpoint: Option<&mut Checkpoint>) -> Value {
    let codec = codec_from_fns(
        "mine",
        |value: u64, dst: &mut [u8]| Ok(zigzag_varint::Varint::encode_to_slice(value, dst)?),
        |src: &[u8]| Ok(<u64 as zigzag_varint::Varint>::decode(src)?),
    );
    let sweep = Sweep::of(all::<u64>()).ranges([Interval { first: 0, last: 1000 }]);
    to_json(&sweep.run_watched(&codec, watch, checkpoint).expect("a report"))
}

/// Returns reports of functions of floats and of pairs, whose space no name stands for.
fn functions() -> [(&'static str, Value); 5] {
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
    [
        ("worst of floats", to_json(&same)),
        ("panics of a function", to_json(&panics)),
        ("a sample of floats", to_json(&sample)),
        ("pairs", to_json(&own)),
        ("a sample of pairs", to_json(&drawn)),
    ]
}

/// Returns the status before, at the end of and instead of a sweep.
fn statuses() -> [(&'static str, Value); 4] {
    let waiting = Status::of(&Watch::new());

    let folder = tempfile::tempdir().expect("a folder");
    let (status, checkpoint) = (folder.path().join("status"), folder.path().join("checkpoint"));
    let watch = Arc::new(Watch::new());
    let file = StatusFile::keep(&status, Arc::clone(&watch), |error| panic!("{error}")).expect("a file");
    let mut checkpoint = Checkpoint::open(&checkpoint).expect("a checkpoint");
    sweep_of(&watch, Some(&mut checkpoint));
    drop(file);
    let complete = serde_json::from_slice(&fs::read(&status).expect("a status")).expect("JSON");

    let failed = Arc::new(Watch::new());
    let wrong = codec_from_fns("wrong", |_: u64, _: &mut [u8]| Ok(1), |_: &[u8]| Ok((0, 1)));
    let sweep = Sweep::of(all::<u64>());
    sweep.run_watched(&wrong, &failed, None).expect("a report");

    let refused = Watch::new();
    sweep.shard(Shard::new(1, 2).expect("a shard")).run_watched(&wrong, &refused, None).expect_err("no mode");
    [
        ("before the start", to_json(&waiting)),
        ("complete", complete),
        ("failures", to_json(&Status::of(&failed))),
        ("refused", to_json(&Status::of(&refused))),
    ]
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
fn the_json_of_every_mode_is_valid() {
    let schema = schema();
    assert!(jsonschema::meta::is_valid(&schema));
    let any = jsonschema::validator_for(&schema).expect("a schema");
    let mut names = BTreeSet::new();
    for (kind, mode, document) in documents() {
        let validator = validator(&schema, kind);
        let errors: Vec<_> = validator
            .iter_errors(&document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{mode}: {errors:#?} in {document:#}");
        assert!(any.is_valid(&document), "{mode}: not exactly one kind of JSON: {document:#}");
        add_names(&document, &mut names);
    }
    for (kind, properties) in objects(&schema) {
        let unused: Vec<_> = properties.into_iter().filter(|name| !names.contains(*name)).collect();
        assert!(unused.is_empty(), "no mode writes these properties of '{kind}': {unused:?}");
    }
}

#[test]
fn a_change_of_the_json_is_noticed() {
    let schema = schema();
    let validator = validator(&schema, "report");
    let (report, _) = json(&["--codec", "article2015", "MIN..=-9_223_372_036_854_775_000"]);
    assert!(validator.is_valid(&report));
    for (pointer, changed) in [
        ("", value!({"new": 1})),
        ("", value!({"values": 5})),
        ("", value!({"format": 1})),
        ("", value!({"ending": "tired"})),
        ("", value!({"plan": [["1", "2", "3"]]})),
        ("", value!({"by_length": {"x": "1"}})),
        ("/first_failures/0", value!({"kind": "unknown"})),
        ("/first_failures/0", value!({"new": 1})),
    ] {
        let mut report = report.clone();
        let object = report.pointer_mut(pointer).and_then(Value::as_object_mut).expect("an object");
        object.extend(changed.as_object().expect("an object").clone());
        assert!(!validator.is_valid(&report), "{pointer}: {changed}");
    }
    for name in report
        .as_object()
        .expect("an object")
        .keys()
        .filter(|name| !["cpus", "thread_cpu_seconds", "wire"].contains(&&***name))
    {
        let mut report = report.clone();
        report.as_object_mut().expect("an object").remove(name);
        assert!(!validator.is_valid(&report), "without {name}");
    }
}
