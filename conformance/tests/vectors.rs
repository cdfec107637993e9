//! The committed vectors are those that the generator makes, their rows are as the schema says, and
//! files with other rows are refused.

use std::collections::BTreeSet;

use jsonschema::Validator;
use serde_json::{Value, json};
use zigzag_varint_conformance::{RULES, SCHEMA, WIRE_TYPES, committed, made, read, text};

const README: &str = include_str!("../README.md");

fn schema() -> (Value, Validator) {
    let schema = serde_json::from_str(SCHEMA).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    (schema, validator)
}

#[test]
fn the_committed_rows_are_those_that_the_generator_makes_and_as_the_schema_says() {
    let (_, validator) = schema();
    for wire_type in &WIRE_TYPES {
        let (file, committed, made) = (wire_type.file(), wire_type.rows, text(wire_type));
        let differs = committed.lines().zip(made.lines()).position(|(old, new)| old != new);
        let remedy = "`cargo run -p zigzag-varint-conformance` writes it";
        assert_eq!(differs.map(|line| line + 1), None, "{file} differs from this line on: {remedy}");
        assert!(committed == made, "{file} has more or fewer lines: {remedy}");
        for (number, line) in (1..).zip(committed.lines()) {
            let row = serde_json::from_str(line).expect("JSON");
            validator.validate(&row).unwrap_or_else(|error| panic!("{file}:{number}: {error}"));
        }
    }
    let bytes: usize = WIRE_TYPES.iter().map(|wire_type| wire_type.rows.len()).sum();
    assert!(bytes < 1_000_000, "{bytes} bytes of vectors, less than 1 MB are allowed");
}

#[test]
fn a_change_of_a_row_is_noticed_by_the_schema() {
    let (_, validator) = schema();
    let valued = json!({"type": "unsigned-64", "rule": "overlong", "bytes": "8000", "value": "0", "length": 2,
        "canonical": {"error": "overlong", "offset": 1}, "why": "Two bytes."});
    let refused = json!({"type": "unsigned-64", "rule": "truncated", "bytes": "", "error": "truncated",
        "offset": 0, "why": "No byte."});
    for row in [&valued, &refused] {
        assert!(validator.is_valid(row), "{row}");
        for name in row.as_object().expect("an object").keys().filter(|name| **name != "canonical") {
            let mut changed = row.clone();
            changed.as_object_mut().expect("an object").remove(name);
            assert!(!validator.is_valid(&changed), "without {name}");
        }
    }
    for (name, value) in [
        ("type", json!("unsigned-24")),
        ("rule", json!("other")),
        ("bytes", json!("8")),
        ("bytes", json!("AC")),
        ("value", json!("-0")),
        ("value", json!(0)),
        ("error", json!("overflow")),
        ("canonical", json!({"error": "overlong"})),
        ("open", json!(false)),
        ("why", json!("no sentence")),
        ("sources", json!([])),
        ("other", json!(1)),
    ] {
        let mut changed = valued.clone();
        changed[name] = value;
        assert!(!validator.is_valid(&changed), "{changed}");
    }
}

#[test]
fn schema_and_page_name_every_type_and_rule() {
    let (schema, _) = schema();
    let names = |field: &str| -> BTreeSet<String> {
        let names = schema["properties"][field]["enum"].as_array().expect("a list");
        names.iter().map(|name| name.as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names("type"), WIRE_TYPES.iter().map(|wire_type| wire_type.name.to_owned()).collect());
    assert_eq!(names("rule"), RULES.map(str::to_owned).into());
    for name in names("type") {
        assert!(README.contains(&format!("`{name}`")), "README.md does not describe `{name}`");
    }
    for rule in RULES {
        assert!(README.contains(&format!("| `{rule}` | ")), "README.md lacks the row of `{rule}`");
    }
}

#[test]
fn every_type_has_rows_of_the_rules_that_concern_it() {
    for wire_type in &WIRE_TYPES {
        let vectors = made(wire_type);
        let rules: BTreeSet<&str> = vectors.iter().map(|vector| vector.rule).collect();
        for rule in ["limits", "truncated", "overlong", "too-long", "more-input"] {
            assert!(rules.contains(rule), "{}: no row for {rule}", wire_type.name);
        }
        // A row has the error of a canonical decoder only if other decoders accept the bytes.
        for vector in vectors.iter().filter(|vector| vector.outcome != vector.canonical) {
            assert!(vector.outcome.is_ok() && vector.canonical.is_err(), "{vector:?}");
        }
    }
}

#[test]
fn a_file_with_an_invalid_row_is_refused_with_its_line() {
    let valid = WIRE_TYPES[3].rows;
    let row = |bytes: &str, rest: &str| {
        format!(r#"{{"type":"unsigned-64","rule":"example","bytes":"{bytes}",{rest},"why":"A row."}}"#)
    };
    let cases = [
        (row("05", r#""value":"5","length":1"#).replace("64", "24"), "unknown wire type 'unsigned-24'; "),
        (row("05", r#""value":"5","length":1"#).replace("example", "other"), "unknown rule 'other'; "),
        (row("5", r#""value":"5","length":1"#), "invalid bytes '5'; "),
        (row("0G", r#""value":"5","length":1"#), "invalid bytes '0G'; "),
        (row("é", r#""value":"5","length":1"#), "invalid bytes 'é'; "),
        (row("05", r#""value":"6","length":1"#), "wrong row (the oracle has {"),
        (row("05", r#""value":"5","length":2"#), "wrong row (the oracle has {"),
        (row("05", r#""value":"5""#), "wrong row (the oracle has {"),
        (row("05", r#""value":"5","length":1,"open":true"#), "wrong row (the oracle has {"),
        (row("80", r#""error":"truncated","offset":0"#), "wrong row (the oracle has {"),
        (row("80", r#""error":"overflow","offset":1"#), "wrong row (the oracle has {"),
        (row("80", r#""error":"truncated","offset":-1"#), "wrong row (the oracle has {"),
        (row("05", r#""value":"5","length":1,"other":1"#), "wrong row (the oracle has {"),
        ("[]".to_owned(), "invalid row (no text 'type'); "),
        (String::new(), "invalid row ("),
        (
            valid.lines().nth(4).expect("a row").to_owned(),
            "duplicate row (line 5 has the same type and bytes); ",
        ),
    ];
    let line = valid.lines().count() + 1;
    for (row, problem) in cases {
        let message = read("some.jsonl", &format!("{valid}{row}\n")).expect_err(&row);
        let expected = format!("some.jsonl:{line}: {problem}");
        assert!(message.starts_with(&expected), "{message} instead of {expected}");
    }
    assert_eq!(read("some.jsonl", valid).expect("valid rows").len() + 1, line);
    assert!(committed().len() > 1000);
}
