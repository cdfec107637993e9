//! The memory that reading and showing a profile takes is within a multiple of its uncompressed size.
//! It is counted by the allocator. The crate documentation states the multiples.

#![allow(dead_code)] // the modules are those of the other tests

mod large;
mod synthetic;

use allocation_counter::measure;
use large::SHAPES;
use pprof_views::{Profile, View};
use synthetic::Message;

const SIZE: usize = 8 << 20;

/// Returns the maximum memory in use as a multiple of the size.
fn multiple(size: usize, run: impl FnOnce()) -> f64 {
    measure(run).bytes_max as f64 / size as f64
}

#[test]
fn a_profile_takes_at_most_five_times_its_size_and_a_view_four_times() {
    let mut failed = vec![];
    for shape in SHAPES {
        let bytes = large::profile(shape, SIZE);
        assert!((SIZE * 9 / 10..SIZE * 11 / 10).contains(&bytes.len()), "{shape:?}: {}", bytes.len());
        let profile = Profile::from_bytes(&bytes).expect("a profile");
        let view = || View::new(&profile);
        let diff = || view().diff(&profile).expect("the same types");
        let hidden = || view().hide("module_1").expect("a pattern");
        let function = "module_7:";
        let two = [profile.clone(), profile.clone()];
        let cases: [(&str, f64, &dyn Fn()); 12] = [
            ("read", 5.0, &|| drop(Profile::from_bytes(&bytes))),
            ("top", 4.0, &|| drop(view().top())),
            ("cum", 4.0, &|| drop(view().sort_by_cum().node_count(10).top())),
            ("hide", 4.0, &|| drop(hidden().top())),
            ("peek", 4.0, &|| drop(view().peek(function).expect("a function"))),
            ("list", 4.0, &|| drop(view().list(function).expect("a function"))),
            ("flamegraph", 4.0, &|| drop(view().flamegraph().expect("samples"))),
            ("tags", 4.0, &|| drop(view().tags())),
            // With a copy of the profile.
            ("tag root", 6.0, &|| drop(view().tag_root("thread").top())),
            // Of two profiles.
            ("diff", 8.0, &|| drop(diff().top())),
            ("flamegraph of a diff", 8.0, &|| drop(diff().flamegraph().expect("samples"))),
            ("sum", 8.0, &|| drop(Profile::sum(&two).expect("the same types"))),
        ];
        for (name, limit, run) in cases {
            let multiple = multiple(bytes.len(), run);
            println!("{shape:?}: {name}: {multiple:.2} of at most {limit}");
            if multiple > limit {
                failed.push(format!("{shape:?}: {name}: {multiple:.2}"));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}

/// Repeats the shortest entries of each kind, which take more memory than those of programs.
#[test]
fn no_bytes_take_more_than_24_times_their_size() {
    let entry = |field: u64, content: &Message| {
        let mut out = Message::default();
        out.message(field, content);
        out.0
    };
    let id = |number: u64| {
        let mut message = Message::default();
        message.number(1, number);
        message
    };
    let bytes = |field: u64, content: &[u8]| {
        let mut out = Message::default();
        out.bytes(field, content);
        out.0
    };
    let repeat = |entry: &[u8]| entry.repeat((1 << 20) / entry.len());
    let ids = |field: u64| (1..=150_000).flat_map(|number| entry(field, &id(number))).collect::<Vec<u8>>();
    let kinds: [(&str, Vec<u8>); 14] = [
        ("sample types", repeat(&[0x0a, 0])),
        ("samples", repeat(&[0x12, 2, 0x10, 7])),
        ("empty samples", repeat(&[0x12, 0])),
        ("frames", bytes(2, &bytes(1, &[1; 1 << 20]))),
        ("values", bytes(2, &bytes(2, &[1; 1 << 20]))),
        ("labels", bytes(2, &repeat(&[0x1a, 2, 0x10, 1]))),
        ("mappings", ids(3)),
        ("locations", ids(4)),
        ("lines", bytes(4, &repeat(&[0x22, 0]))),
        ("functions", ids(5)),
        ("strings", repeat(&[0x32, 0])),
        ("a string", bytes(6, &[b'x'; 1 << 20])),
        ("comments", bytes(13, &[0; 1 << 20])),
        ("an unknown field", bytes(99, &[0; 1 << 20])),
    ];
    let mut failed = vec![];
    for (name, kind) in kinds {
        let mut file = entry(1, &id(1)); // a sample type
        file.extend(&kind);
        file.extend([0x32, 0, 0x32, 1, b'x']);
        let multiple = multiple(file.len(), || _ = Profile::from_bytes(&file).map(drop));
        println!("{name}: {multiple:.2}");
        // A profile also has memory of its own, whatever its size.
        if multiple > 24.01 {
            failed.push(format!("{name}: {multiple:.2}"));
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
