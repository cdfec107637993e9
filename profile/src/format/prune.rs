//! Drops the frames that the profile itself asks to drop, such as those inside an allocator.

use regex_lite::Regex;

use super::model::Profile;

/// Which part of a location is dropped.
#[derive(Clone, Copy, PartialEq)]
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
        let (drop, keep) = (self.text(self.header.drop_frames), self.text(self.header.keep_frames));
        // As in pprof, nothing is dropped if there is no pattern or if one of the two is invalid.
        let Some(Ok(drop)) = anchored(drop) else { return };
        let keep = match anchored(keep) {
            Some(Ok(keep)) => Some(keep),
            None => None,
            Some(Err(_)) => return,
        };
        let is_dropped: Vec<bool> = (self.functions.iter())
            .map(|function| {
                let name = without_parameters(self.text(function.name));
                !self.text(function.name).is_empty()
                    && drop.is_match(name)
                    && !keep.as_ref().is_some_and(|keep| keep.is_match(name))
            })
            .collect();
        let mut dropped = Vec::with_capacity(self.locations.len());
        let mut kept = 0;
        for location in &mut self.locations {
            let range = location.first as usize..location.end as usize;
            let lines = &self.lines[range.clone()];
            let matches = |function: Option<u32>| function.is_some_and(|index| is_dropped[index as usize]);
            let (part, removed) = match lines.iter().rposition(|line| matches(line.function)) {
                None => (Dropped::Nothing, 0),
                Some(last) if last + 1 == lines.len() => (Dropped::Whole, 0),
                Some(last) => (Dropped::InnerLines, last + 1),
            };
            dropped.push(part);
            // Locations have consecutive ranges of lines, so that the remaining lines move up.
            self.lines.copy_within(range.start + removed..range.end, kept);
            location.first = kept as u32;
            kept += range.len() - removed;
            location.end = kept as u32;
        }
        self.lines.truncate(kept);
        self.samples.remove_innermost(|stack| dropped_frames(stack, &dropped));
        (self.header.drop_frames, self.header.keep_frames) = Default::default();
    }
}

/// Returns the number of innermost frames of a stack that are dropped.
fn dropped_frames(stack: &[u32], dropped: &[Dropped]) -> usize {
    let mut has_caller = false; // whether a function that is kept calls the frame
    for (at, &location) in stack.iter().enumerate().rev() {
        match dropped[location as usize] {
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
