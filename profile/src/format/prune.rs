//! Drops the frames that the profile itself asks to drop, such as those inside an allocator.

use regex_lite::Regex;

use super::profile::Profile;
use super::wire::{Line, Tables};

/// Which part of a location is dropped.
enum Dropped {
    Nothing,
    /// Its inner lines and all its callees.
    InnerLines,
    /// The whole location and all its callees.
    Whole,
}

impl Profile {
    /// Drops the functions that match `drop_frames` but not `keep_frames`, with all their callees.
    ///
    /// Frames are dropped only below a function that is kept, so that no stack gets empty. The
    /// patterns are removed as well, because they would drop more frames if applied again.
    pub(super) fn prune(&mut self) {
        let Tables { drop_frames, keep_frames, .. } = self.tables;
        let (drop, keep) = (self.text(drop_frames), self.text(keep_frames));
        // As in pprof, nothing is dropped if there is no pattern or if one of the two is invalid.
        let Some(Ok(drop)) = anchored(drop) else { return };
        let keep = match anchored(keep) {
            Some(Ok(keep)) => Some(keep),
            None => None,
            Some(Err(_)) => return,
        };
        let is_dropped: Vec<bool> = (self.tables.function.iter())
            .map(|function| {
                let name = without_parameters(self.text(function.name));
                !self.text(function.name).is_empty()
                    && drop.is_match(name)
                    && !keep.as_ref().is_some_and(|keep| keep.is_match(name))
            })
            .collect();
        let matches =
            |line: &Line| (line.function_id as usize).checked_sub(1).is_some_and(|at| is_dropped[at]);
        let dropped: Vec<Dropped> = (self.tables.location.iter_mut())
            .map(|location| match location.line.iter().rposition(matches) {
                None => Dropped::Nothing,
                Some(last) if last + 1 == location.line.len() => Dropped::Whole,
                Some(last) => {
                    location.line.drain(..=last);
                    Dropped::InnerLines
                }
            })
            .collect();
        for sample in &mut self.tables.sample {
            let count = dropped_frames(&sample.location_id, &dropped);
            sample.location_id.drain(..count);
        }
        (self.tables.drop_frames, self.tables.keep_frames) = (0, 0);
    }
}

/// Returns the number of innermost frames of a stack that are dropped.
fn dropped_frames(stack: &[u64], dropped: &[Dropped]) -> usize {
    let mut has_caller = false; // whether a function that is kept calls the frame
    for (at, &id) in stack.iter().enumerate().rev() {
        match dropped[id as usize - 1] {
            Dropped::Nothing => has_caller = true,
            Dropped::InnerLines if has_caller => return at,
            Dropped::Whole if has_caller => return at + 1,
            Dropped::InnerLines | Dropped::Whole => {}
        }
    }
    0
}

/// Returns a regular expression that matches the whole text, or `None` for an empty pattern.
fn anchored(pattern: &str) -> Option<Result<Regex, regex_lite::Error>> {
    (!pattern.is_empty()).then(|| Regex::new(&format!("^({pattern})$")))
}

/// Returns a C++ name without its parameters.
fn without_parameters(name: &str) -> &str {
    let name = name.strip_prefix('.').unwrap_or(name);
    let mut from = 0;
    while let Some(found) = name[from..].find('(') {
        let at = from + found;
        if name[at..].starts_with("(anonymous namespace)") {
            from = at + "(anonymous namespace)".len();
        } else if name[..at].ends_with("operator") && name[at..].starts_with("()") {
            from = at + 2;
        } else {
            return &name[..at];
        }
    }
    name
}
