//! Synthetic profiles, and an encoder of pprof's format that shares no code with the crate under
//! test.

#[derive(Clone, Debug, Default)]
pub(crate) struct Synthetic {
    /// Kinds and units.
    pub(crate) types: Vec<(String, String)>,
    pub(crate) default_type: String,
    /// Files. All mappings are symbolized.
    pub(crate) mappings: Vec<String>,
    /// Names, system names, files and first lines.
    pub(crate) functions: Vec<(String, String, String, i64)>,
    /// Mappings, each with functions and lines, from the innermost inlined function outwards. Ids
    /// start at 1; the id 0 means none.
    pub(crate) locations: Vec<(u64, Vec<(u64, i64)>)>,
    /// Locations, values and thread.
    pub(crate) samples: Vec<(Vec<u64>, Vec<i64>, String)>,
    /// More labels: positions of samples, keys, texts, numbers and units.
    pub(crate) labels: Vec<(usize, String, String, i64, String)>,
    pub(crate) drop_frames: String,
    pub(crate) keep_frames: String,
    pub(crate) time: i64,
    pub(crate) duration: i64,
    pub(crate) comments: Vec<String>,
}

impl Synthetic {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut out = Message::default();
        let mut strings = vec![String::new()];
        let mut text = |text: &str| match strings.iter().position(|known| known == text) {
            Some(at) => at as u64,
            None => {
                strings.push(text.to_owned());
                strings.len() as u64 - 1
            }
        };
        for (kind, unit) in &self.types {
            out.message(1, Message::default().number(1, text(kind)).number(2, text(unit)));
        }
        for (at, (stack, values, thread)) in self.samples.iter().enumerate() {
            let mut sample = Message::default();
            // The format allows both encodings: one value per field, and packed.
            stack.iter().take(1).for_each(|&location| _ = sample.number(1, location));
            sample.packed(1, stack.iter().skip(1).copied());
            sample.packed(2, values.iter().map(|&value| value as u64));
            if !thread.is_empty() {
                sample.message(3, Message::default().number(1, text("thread")).number(2, text(thread)));
            }
            for (_, key, value, number, unit) in self.labels.iter().filter(|label| label.0 == at) {
                let mut label = Message::default();
                label.number(1, text(key)).number(2, text(value));
                sample.message(3, label.number(3, *number as u64).number(4, text(unit)));
            }
            out.message(2, &sample);
        }
        for (id, file) in (1..).zip(&self.mappings) {
            let mut mapping = Message::default();
            mapping.number(1, id).number(2, id << 20).number(3, (id + 1) << 20).number(5, text(file));
            out.message(3, mapping.number(7, 1).number(8, 1).number(9, 1).number(10, 1));
        }
        for (id, (mapping, lines)) in (1..).zip(&self.locations) {
            let mut location = Message::default();
            location.number(1, id).number(2, *mapping).number(3, (mapping << 20) + id * 16);
            for &(function, line) in lines {
                location.message(4, Message::default().number(1, function).number(2, line as u64));
            }
            out.message(4, &location);
        }
        for (id, (name, system_name, file, start)) in (1..).zip(&self.functions) {
            let mut function = Message::default();
            function.number(1, id).number(2, text(name)).number(3, text(system_name));
            out.message(5, function.number(4, text(file)).number(5, *start as u64));
        }
        out.number(7, text(&self.drop_frames)).number(8, text(&self.keep_frames));
        out.number(9, self.time as u64).number(10, self.duration as u64);
        let comments: Vec<u64> = self.comments.iter().map(|comment| text(comment)).collect();
        out.packed(13, comments.into_iter());
        out.number(14, text(&self.default_type));
        for text in strings {
            out.bytes(6, text.as_bytes());
        }
        out.0
    }
}

/// A protobuf message under construction.
#[derive(Default)]
pub(crate) struct Message(pub(crate) Vec<u8>);

impl Message {
    pub(crate) fn number(&mut self, field: u64, value: u64) -> &mut Self {
        if value != 0 {
            self.varint(field << 3).varint(value);
        }
        self
    }

    pub(crate) fn bytes(&mut self, field: u64, bytes: &[u8]) -> &mut Self {
        self.varint(field << 3 | 2).varint(bytes.len() as u64).0.extend(bytes);
        self
    }

    pub(crate) fn message(&mut self, field: u64, message: &Self) -> &mut Self {
        self.bytes(field, &message.0)
    }

    pub(crate) fn packed(&mut self, field: u64, values: impl Iterator<Item = u64>) -> &mut Self {
        let mut packed = Self::default();
        values.for_each(|value| _ = packed.varint(value));
        if packed.0.is_empty() { self } else { self.message(field, &packed) }
    }

    fn varint(&mut self, mut value: u64) -> &mut Self {
        while value > 0x7f {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
        self
    }
}

/// Returns the profile of a small program with inlined and recursive calls, a library, a function
/// that is too small to be shown, and unknown lines.
pub(crate) fn small(source: &str) -> Synthetic {
    let text = str::to_owned;
    Synthetic {
        types: vec![(text("samples"), text("count")), (text("cpu"), text("nanoseconds"))],
        mappings: vec![text("/opt/app"), text("/usr/lib/libc.so.6")],
        functions: vec![
            (text("main"), text("main"), text("/nowhere/main.c"), 1),
            (text("app::run"), text("_ZN3app3run"), text(source), 3),
            (text("<codec::Wire as codec::Decode>::decode"), text("_ZN5codec"), text(source), 10),
            (text("codec::shift"), text("_ZN5shift"), text(source), 20),
            (text("memcpy"), text("memcpy"), text(""), 0),
            (text("app::tiny"), text("_ZN4tiny"), text(source), 30),
            (text("std::map::find"), text("std::map::find"), text("map.h"), 0),
        ],
        locations: vec![
            (1, vec![(4, 22), (3, 14)]),
            (1, vec![(3, 12)]),
            (1, vec![(2, 5)]),
            (1, vec![(1, 3)]),
            (2, vec![(5, 0)]),
            (1, vec![(6, 31)]),
            (2, vec![]),
            (1, vec![(4, 23)]),
            (1, vec![(7, 0)]),
            (1, vec![(3, 0)]),
            (0, vec![]),
        ],
        samples: vec![
            (vec![1, 3, 4], vec![5, 50_000_000], text("worker-0")),
            (vec![2, 3, 4], vec![3, 30_000_000], text("worker-0")),
            (vec![5, 2, 3, 4], vec![2, 20_000_000], text("worker-1")),
            (vec![8, 3, 4], vec![1, 10_000_000], text("")),
            (vec![6, 4], vec![1, 100_000], text("")),
            (vec![7, 4], vec![1, 10_000_000], text("")),
            (vec![2, 2, 3, 4], vec![4, 40_000_000], text("")),
            (vec![9, 3, 4], vec![7, 70_000_000], text("")),
            (vec![10, 3, 4], vec![1, 10_000_000], text("")),
            (vec![11, 4], vec![1, 10_000_000], text("")),
            (vec![3, 4], vec![0, 0], text("")),
            (vec![], vec![1, 5_000_000], text("")),
        ],
        duration: 200_000_000,
        comments: vec![text("made by hand"), text("#not shown")],
        ..Synthetic::default()
    }
}

/// Returns the profile of another run of the same program.
pub(crate) fn small_before(source: &str) -> Synthetic {
    let mut before = small(source);
    for (at, (_, values, _)) in before.samples.iter_mut().enumerate() {
        let count = (at as i64 * 5) % 8;
        *values = vec![count, count * 10_000_000];
    }
    before
}
