//! Writes pprof's format.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use prost::Message;

use super::model::{Line, Location, Profile, ValueType};
use super::wire;

impl Profile {
    /// Returns the profile in pprof's format without compression: the content of a `.pb` file.
    ///
    /// Reading these bytes returns an equal profile. Frames that were dropped when the profile was
    /// read are not included.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.tables().encode_to_vec();
        bytes.extend(self.wire_header().encode_to_vec());
        bytes
    }

    /// Returns the profile in pprof's format, compressed with gzip: the content of a `.pb.gz` file.
    ///
    /// # Errors
    ///
    /// Does not fail in practice, because it writes to memory.
    pub fn to_gzip(&self) -> io::Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(vec![], Compression::default());
        encoder.write_all(&self.to_bytes())?;
        encoder.finish()
    }

    fn tables(&self) -> wire::Tables {
        let thread = self.strings.iter().position(|text| text == "thread");
        wire::Tables {
            sample_type: self.types.iter().copied().map(value_type).collect(),
            sample: (self.samples())
                .map(|sample| wire::Sample {
                    location_id: sample.stack.iter().map(|&index| id(index)).collect(),
                    value: sample.values.to_vec(),
                    label: (thread.filter(|_| sample.thread != 0))
                        .map(|key| wire::Label { key: key as i64, text: sample.thread.into() })
                        .into_iter()
                        .collect(),
                })
                .collect(),
            mapping: (0u32..)
                .zip(&self.mappings)
                .map(|(index, mapping)| wire::Mapping {
                    id: id(index),
                    memory_start: mapping.start,
                    memory_limit: mapping.limit,
                    file_offset: mapping.offset,
                    filename: mapping.file.into(),
                    build_id: mapping.build_id.into(),
                    has_functions: mapping.symbolized,
                    has_filenames: mapping.symbolized,
                    has_line_numbers: mapping.symbolized,
                    has_inline_frames: mapping.symbolized,
                })
                .collect(),
            location: (0u32..)
                .zip(&self.locations)
                .map(|(index, location)| wire::Location {
                    id: id(index),
                    mapping_id: location.mapping.map_or(0, id),
                    address: location.address,
                    line: self.wire_lines(location),
                })
                .collect(),
            function: (0u32..)
                .zip(&self.functions)
                .map(|(index, function)| wire::Function {
                    id: id(index),
                    name: function.name.into(),
                    system_name: function.system_name.into(),
                    filename: function.file.into(),
                    start_line: function.start_line,
                })
                .collect(),
            string_table: self.strings.iter().map(str::to_owned).collect(),
        }
    }

    fn wire_lines(&self, location: &Location) -> Vec<wire::Line> {
        match self.lines_of(location) {
            [line] if *line == Line::default() => vec![], // an unknown line is not stored
            lines => lines
                .iter()
                .map(|line| wire::Line { function_id: line.function.map_or(0, id), line: line.line })
                .collect(),
        }
    }

    fn wire_header(&self) -> wire::Header {
        let header = &self.header;
        wire::Header {
            drop_frames: header.drop_frames.into(),
            keep_frames: header.keep_frames.into(),
            time_nanos: header.time_nanos,
            duration_nanos: header.duration_nanos,
            period_type: (header.period_type != ValueType::default()).then(|| value_type(header.period_type)),
            period: header.period,
            comment: header.comments.iter().map(|&text| text.into()).collect(),
            default_sample_type: header.default_type.into(),
            doc_url: header.doc_url.into(),
        }
    }
}

fn value_type(value_type: ValueType) -> wire::ValueType {
    wire::ValueType { kind: value_type.kind.into(), unit: value_type.unit.into() }
}

/// Returns the id in the file for an index. Ids start at 1.
fn id(index: u32) -> u64 {
    u64::from(index) + 1
}
