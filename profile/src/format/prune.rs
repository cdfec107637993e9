//! Drops the frames that a profile itself asks to leave out, such as the inside of an allocator.

use regex::Regex;

use super::model::Profile;

/// What happens to a location.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    Keep,
    /// Its inner lines are dropped, with all that it calls.
    Below,
    /// It is dropped with all that it calls.
    Whole,
}

impl Profile {
    /// Drops the functions that match `drop_frames` and not `keep_frames`, with all that they call.
    /// Frames are dropped only below a function that is kept, so that no stack is lost. The
    /// patterns are removed too: applied again, they would drop more.
    pub(super) fn prune(&mut self) {
        let (drop, keep) = (self.text(self.header.drop_frames), self.text(self.header.keep_frames));
        // As in pprof, everything is kept if there is no pattern, or if one is not a regular
        // expression.
        let Some(Ok(drop)) = whole(drop) else { return };
        let keep = match whole(keep) {
            Some(Ok(keep)) => Some(keep),
            None => None,
            Some(Err(_)) => return,
        };
        let dropped: Vec<bool> = (self.functions.iter())
            .map(|function| {
                let name = without_arguments(self.text(function.name));
                !self.text(function.name).is_empty()
                    && drop.is_match(name)
                    && !keep.as_ref().is_some_and(|keep| keep.is_match(name))
            })
            .collect();
        let mut cuts = Vec::with_capacity(self.locations.len());
        let mut kept = 0;
        for location in &mut self.locations {
            let range = location.first as usize..location.end as usize;
            let lines = &self.lines[range.clone()];
            let is_dropped = |function: Option<u32>| function.is_some_and(|index| dropped[index as usize]);
            let (cut, gone) = match lines.iter().rposition(|line| is_dropped(line.function)) {
                None => (Cut::Keep, 0),
                Some(last) if last + 1 == lines.len() => (Cut::Whole, 0),
                Some(last) => (Cut::Below, last + 1),
            };
            cuts.push(cut);
            // The lines of one location follow those of the one before, so that the rest moves up.
            self.lines.copy_within(range.start + gone..range.end, kept);
            location.first = kept as u32;
            kept += range.len() - gone;
            location.end = kept as u32;
        }
        self.lines.truncate(kept);
        self.samples.cut(|stack| dropped_frames(stack, &cuts));
        (self.header.drop_frames, self.header.keep_frames) = Default::default();
    }
}

/// Returns how many of the innermost frames of a stack are dropped.
fn dropped_frames(stack: &[u32], cuts: &[Cut]) -> usize {
    let mut is_inside = false;
    for (at, &location) in stack.iter().enumerate().rev() {
        match cuts[location as usize] {
            Cut::Keep => is_inside = true,
            Cut::Below if is_inside => return at,
            Cut::Whole if is_inside => return at + 1,
            Cut::Below | Cut::Whole => {}
        }
    }
    0
}

fn whole(pattern: &str) -> Option<Result<Regex, regex::Error>> {
    (!pattern.is_empty()).then(|| Regex::new(&format!("^({pattern})$")))
}

/// Returns a name of C++ without its parameters.
fn without_arguments(name: &str) -> &str {
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
