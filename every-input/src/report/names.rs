//! How texts name a sweep, its inputs and its failures.

use std::collections::BTreeMap;

use crate::check::failure::{Failure, OfByteStrings};
use crate::check::oracle::{ANY, LEB128};
use crate::plan::byte_strings::ByteStrings;
use crate::plan::interval::{Interval, Ranges};
use crate::plan::space_names::by_name;
use crate::report::sweep_report::Report;
use crate::texts::plural;

impl Report {
    /// Returns what the sweep checks, such as `sweep of i64 by codec bulk, kernel avx2`.
    pub fn title(&self) -> String {
        self.title_with(self.kernel.as_deref())
    }

    /// Returns the title with this kernel. Without one, it is the same on every machine.
    pub(crate) fn title_with(&self, kernel: Option<&str>) -> String {
        let kernel = kernel.map(|kernel| format!(", kernel {kernel}")).unwrap_or_default();
        let of_space = || self.known_space().map_or("codec", |space| space.subject_noun);
        let noun = self.subject.as_deref().unwrap_or_else(of_space);
        let wire = match self.other_wire() {
            Some(ANY) => ", round trip only".into(),
            Some(wire) => format!(", wire format {wire}"),
            None => String::new(),
        };
        let shard = self.shard.as_ref().map(|shard| format!(", shard {shard}")).unwrap_or_default();
        format!("sweep of {} by {noun} {}{kernel}{wire}{shard}", self.value_type, self.codec)
    }

    /// Returns the wire format if it is not LEB128, by whose lengths reports count.
    pub(crate) fn other_wire(&self) -> Option<&str> {
        self.wire.as_deref().filter(|wire| *wire != LEB128)
    }

    pub(crate) fn noun(&self) -> &'static str {
        // A table names no noun, and may be long.
        let named = if self.space.is_none() { by_name(&self.value_type) } else { None };
        named.map_or("input", |space| space.noun)
    }

    /// Returns the names of the classes by the index in [`by_length`](Self::by_length), if there are
    /// several but not hundreds.
    pub(crate) fn few_classes(&self) -> BTreeMap<usize, Option<String>> {
        const MAX_NAMED: usize = 40;
        let space = self.known_space().filter(|space| (2..=MAX_NAMED).contains(&space.classes.len()));
        let classes = space.iter().flat_map(|space| &space.classes);
        classes.map(|class| (class.length, class.name.clone())).collect()
    }

    /// Returns the text of a failure.
    pub(crate) fn shown(&self, failure: &Failure) -> String {
        // The strings for decoders are encodings, and no text.
        let is_of_function = self.space.is_none() && self.subject.is_some();
        match is_of_function && ByteStrings::by_name(&self.value_type).is_some() {
            true => OfByteStrings(failure).to_string(),
            false => failure.to_string(),
        }
    }

    /// Returns a number of inputs, such as `3 values`.
    pub(crate) fn inputs(&self, number: u128) -> String {
        plural(number, self.noun())
    }

    /// Returns the text of values, or of their places in a long plan.
    pub(crate) fn text_of(&self, checked: &[Interval]) -> String {
        let of = if self.long_plan.is_some() { "places " } else { "" };
        format!("{of}{}", Ranges(checked))
    }
}
