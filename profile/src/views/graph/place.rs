//! Where a sample is: the function or the line, by name.

use super::names::{Name, Names};
use crate::format::Profile;
use crate::format::model::Location;

/// What a node of a graph is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Detail {
    Functions,
    Lines,
}

/// A function, or a line of one; or a mapped file if nothing more is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) name: Name,
    pub(crate) file: Name,
    pub(crate) line: i64,
    pub(super) object: Name,
    pub(crate) start_line: i64,
    /// What it is called in tables.
    pub(crate) label: Name,
}

/// Returns the place of each line of a profile.
pub(crate) fn places<'p>(
    profile: &'p Profile,
    detail: Detail,
    names: &mut Names,
) -> impl Iterator<Item = Place> + use<'p> {
    let shown = names.of(profile);
    let unknown = names.unknown();
    let lines = |location: &Location| location.first as usize..location.end as usize;
    let mut owner = vec![None; profile.lines.len()];
    for location in &profile.locations {
        owner[lines(location)].fill(location.mapping);
    }
    profile.lines.iter().zip(owner).map(move |(line, mapping)| {
        let (object, label) = mapping.map_or((0, unknown), |index| shown.objects[index as usize]);
        let mut place = Place { name: 0, file: 0, line: 0, object, start_line: 0, label };
        if let Some(index) = line.function {
            let (name, file) = shown.functions[index as usize];
            place.name = name;
            if detail == Detail::Lines {
                place.file = file;
                place.line = line.line;
            } else if name != 0 {
                place.object = 0;
            }
            if name != 0 {
                place.label = name;
            }
            if detail == Detail::Lines || name == 0 {
                place.start_line = profile.functions[index as usize].start_line;
            }
        }
        place
    })
}
