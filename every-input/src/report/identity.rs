//! Which sweep a report is of: its fingerprint, and how it differs from another report.

use std::hash::Hasher;
use std::io;

use serde::Serialize;
use twox_hash::XxHash64;

use crate::plan::interval::Ranges;
use crate::report::long_plan::LongPlan;
use crate::report::sweep_report::Report;
use crate::texts::grouped;

impl Report {
    /// Returns how `other` differs from this report, or `None` if both are of the same sweep: same
    /// program, type, codec, wire format, mode, plan, seed and draws.
    pub(crate) fn difference_to(&self, other: &Self) -> Option<String> {
        type Text = fn(&Report) -> String;
        let rows: [(bool, &str, Text); 8] = [
            (self.program != other.program, "program", |report| report.program.clone()),
            (self.value_type != other.value_type, "type", |report| report.value_type.clone()),
            (self.codec != other.codec, "codec", |report| report.codec.clone()),
            (self.wire != other.wire, "wire format", |report| or_none(report.wire.as_ref())),
            (self.mode != other.mode, "mode", |report| report.mode.to_string()),
            (!self.has_plan_of(other), "plan", Self::plan_text),
            (self.seed != other.seed, "seed", |report| or_none(report.seed)),
            (self.draws != other.draws, "number of draws", |report| or_none(report.draws)),
        ];
        let first = rows.into_iter().find(|(differs, ..)| *differs);
        let first = first.map(|(_, what, text)| format!("its {what} is {}, not {}", text(other), text(self)));
        first.or_else(|| (self.space != other.space).then(|| "its classes are others".into()))
    }

    fn has_plan_of(&self, other: &Self) -> bool {
        self.plan == other.plan
            && match (&self.long_plan, &other.long_plan) {
                (Some(own), Some(other)) => own.is_same(other),
                (own, other) => own.is_none() && other.is_none(),
            }
    }

    fn plan_text(&self) -> String {
        match &self.long_plan {
            Some(LongPlan { ranges, values, hash, .. }) => {
                let first = Ranges(self.plan.get(..3).unwrap_or_default());
                format!(
                    "{} in {} ranges, {first} and so on, with the hash {hash}",
                    self.inputs(*values),
                    grouped((*ranges).into())
                )
            }
            None => Ranges(&self.plan).to_string(),
        }
    }

    /// Returns the fingerprint: a hash of the fields that determine which values are checked,
    /// except the shard.
    pub(crate) fn identity(&self) -> String {
        let plan = (&self.value_type, self.mode, self.seed, self.draws, &self.plan);
        match &self.long_plan {
            Some(long) => hash_of_json(&(plan, long.identity())),
            None => hash_of_json(&plan),
        }
    }
}

fn or_none(field: Option<impl ToString>) -> String {
    field.map_or("none".into(), |field| field.to_string())
}

/// Returns the hash of bytes in hex.
pub(crate) fn hash(bytes: &[u8]) -> String {
    let mut hasher = XxHash64::with_seed(0);
    hasher.write(bytes);
    hex(&hasher)
}

fn hex(hasher: &XxHash64) -> String {
    format!("{:016x}", hasher.finish())
}

/// Returns the hash of the JSON form of a value.
pub(crate) fn hash_of_json(value: &impl Serialize) -> String {
    let mut hasher = JsonHasher(XxHash64::with_seed(0));
    // These values always have a JSON form: the keys of their maps are strings or numbers.
    let _ = serde_json::to_writer(&mut hasher, value);
    hex(&hasher.0)
}

/// Hashes a JSON document, which may be long, while it is written.
struct JsonHasher(XxHash64);

impl io::Write for JsonHasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
