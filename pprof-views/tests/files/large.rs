//! Large profiles of several shapes, made by a generator.

use super::synthetic::Message;

/// The shape of a profile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    /// The heap of a server: four values, deep stacks.
    Heap,
    /// CPU time with labels: two values, inlined functions, a label for thread and request.
    Labels,
    /// Many stacks of one or two frames with one value.
    Short,
    /// Many functions with long names, each in one stack.
    Symbols,
}

pub(crate) const SHAPES: [Shape; 4] = [Shape::Heap, Shape::Labels, Shape::Short, Shape::Symbols];

/// Returns a profile with about `size` bytes.
pub(crate) fn profile(shape: Shape, size: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut random = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let mut strings: Vec<String> =
        ["", "cpu", "nanoseconds", "inuse_space", "bytes", "thread", "request"].map(String::from).into();
    let mut out = Message::default();
    let types: &[(u64, u64)] = match shape {
        Shape::Heap => &[(3, 4), (3, 4), (3, 4), (3, 4)],
        Shape::Labels => &[(1, 2), (1, 2)],
        Shape::Short | Shape::Symbols => &[(1, 2)],
    };
    for &(kind, unit) in types {
        out.message(1, Message::default().number(1, kind).number(2, unit));
    }
    // A location has an average of 100 bytes with its function and strings.
    let locations = match shape {
        Shape::Symbols => size as u64 / 180,
        _ => (size as u64 / 2000).max(10),
    };
    let mut number = 0;
    // The rest of the file are the locations, functions and strings.
    let samples = if shape == Shape::Symbols { size } else { size - 125 * locations as usize };
    while out.0.len() < samples && (shape != Shape::Symbols || number < locations) {
        number += 1;
        let mut sample = Message::default();
        let depth = match shape {
            Shape::Heap => 20 + random(60),
            Shape::Labels => 5 + random(40),
            Shape::Short => 1 + random(2),
            Shape::Symbols => 4,
        };
        // The outermost frame is that of a thread, and a function calls one of a few others.
        let thread = random(8);
        let mut frame = if shape == Shape::Symbols { number } else { thread };
        let mut stack: Vec<u64> = (0..depth)
            .map(|_| {
                frame = (frame * 5 + random(4) * 1237 + 1) % locations;
                1 + frame
            })
            .collect();
        stack.reverse();
        sample.packed(1, stack.into_iter());
        let values: Vec<u64> = types.iter().map(|_| 1 + random(1 << 20)).collect();
        sample.packed(2, values.into_iter());
        if shape == Shape::Labels {
            sample.message(3, Message::default().number(1, 5).number(2, 1 + thread));
            sample.message(3, Message::default().number(1, 6).number(3, random(1 << 30)).number(4, 4));
        }
        out.message(2, &sample);
    }
    for id in 1..=locations {
        let mut location = Message::default();
        location.number(1, id).number(3, id * 64);
        location.message(4, Message::default().number(1, id).number(2, id % 1000));
        if shape == Shape::Labels && id % 2 == 0 {
            location.message(4, Message::default().number(1, 1 + id / 2).number(2, id % 100));
        }
        out.message(4, &location);
        let name = strings.len() as u64;
        strings.push(format!("service::module_{id}::<impl core::iter::Iterator for T{id}>::next_{id}"));
        strings.push(format!("/home/builder/service/src/module/file_{}.rs", id / 10));
        out.message(5, Message::default().number(1, id).number(2, name).number(3, name).number(4, name + 1));
    }
    strings.iter().for_each(|text| _ = out.bytes(6, text.as_bytes()));
    out.0
}
