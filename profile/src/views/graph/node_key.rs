//! The identity of a node: its function or line, by name.

use super::names::{Name, Names};
use crate::format::Profile;

/// Whether the nodes of a graph are functions or lines, as in the options `-functions` and `-lines`
/// of pprof.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Granularity {
    Functions,
    Lines,
}

/// A function or a line of a function. If neither is known, it is a mapped file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NodeKey {
    pub(crate) name: Name,
    pub(crate) file: Name,
    pub(crate) line: i64,
    pub(super) object: Name,
    pub(crate) start_line: i64,
    /// The name that tables show.
    pub(crate) label: Name,
}

/// Returns the key of the node of each line of a profile.
pub(crate) fn node_keys<'p>(
    profile: &'p Profile,
    granularity: Granularity,
    names: &mut Names,
) -> impl Iterator<Item = NodeKey> + use<'p> {
    let profile_names = names.add_profile(profile);
    let unknown = names.unknown();
    let locations = profile.tables.location.iter();
    let lines = locations.flat_map(|location| location.lines().iter().map(move |line| (location, line)));
    lines.map(move |(location, line)| {
        let mapping = (location.mapping_id as usize).checked_sub(1);
        let (object, label) = mapping.map_or((0, unknown), |at| profile_names.objects[at]);
        let mut key = NodeKey { name: 0, file: 0, line: 0, object, start_line: 0, label };
        if let Some(at) = (line.function_id as usize).checked_sub(1) {
            let (name, file) = profile_names.functions[at];
            key.name = name;
            if granularity == Granularity::Lines {
                key.file = file;
                key.line = line.line;
            } else if name != 0 {
                key.object = 0;
            }
            if name != 0 {
                key.label = name;
            }
            if granularity == Granularity::Lines || name == 0 {
                key.start_line = profile.tables.function[at].start_line;
            }
        }
        key
    })
}
