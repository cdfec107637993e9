//! `sweep --schema`: every property of the schema is written, and it notices changes. That JSON is
//! valid is checked wherever a test reads it.

use std::collections::BTreeSet;
use std::fs;

use every_input::byte_strings::Decoders;
use every_input::{ByteStrings, Interval, Report, Status, Sweep, Ulps, Watch, agrees, all, exhaustive};
use serde_json::{Value, json as value};

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
    let mut documents = vec![document(&merged), article];
    documents.extend(lines.lines().map(|line| document(line.as_bytes())));
    documents.extend(shards.map(|(report, _)| report));

    let [status, checkpoint] = ["status", "checkpoint"].map(|name| folder.path().join(name));
    // The second sweep is refused, because the checkpoint is of the first.
    for value_type in ["i16", "i8"] {
        let mut watched = program();
        watched.args(["--quiet", "--type", value_type, "--status"]).arg(&status);
        watched.arg("--checkpoint").arg(&checkpoint).output().expect("the program starts");
        documents.push(json_file(&status));
    }
    let (watch, sweep) = (Watch::new(), Sweep::of(ByteStrings::structured(1)).exhaustive());
    let waiting = document_of(&Status::of(&watch));
    let disagreements = sweep.check_decoders_watched(&Decoders::new().with(Box::new(Faulty)), &watch, None);
    let failed = document_of(&Status::of(&watch));
    documents.extend([document_of(&disagreements.expect("a report")), waiting, failed]);
    documents.extend(functions());
    // Some systems do not report the CPU time of threads.
    let mut report = exhaustive(all::<i8>()).report("any", &|_: i8| true).expect("a report");
    let thread = value!({"name": "sweep-1", "cpu_seconds": 0.5, "worker": true});
    report.cpu_by_thread = vec![serde_json::from_value(thread).expect("a thread")];
    documents.push(document_of(&report));
    documents
}

/// Returns reports of functions of floats, of pairs, whose space no name stands for, and of a long plan.
fn functions() -> [Value; 4] {
    let half = agrees(|x: f32| x / 2.0, |x| f64::from(x) / 2.0, Ulps(1.0));
    let same = exhaustive(1.0f32..=1.5).report("half", &half);
    let drawn = Sweep::of(all::<f64>()).sample(Some(5000)).report("half", &|x: f64| !x.is_nan());
    let panics = |pair: (i8, u16)| {
        assert_ne!(pair, (64, 0));
        true
    };
    let panicked = exhaustive((all::<i8>(), all::<u16>())).report("own", &panics);
    let alone = (0..70_000).map(|number| Interval { first: 2 * number, last: 2 * number });
    let of_many_ranges = exhaustive(all::<u32>()).ranges(alone).report("any", &|_: u32| true);
    [same, drawn, panicked, of_many_ranges].map(|report| document_of(&report.expect("a report")))
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
    let properties = report.as_object().expect("an object");
    for name in
        properties.keys().filter(|name| !["cpus", "cpu_by_thread", "exit_code", "wire"].contains(&&***name))
    {
        let mut others = properties.clone();
        others.remove(name);
        assert!(!validator.is_valid(&others.into()), "without {name}");
    }
}
