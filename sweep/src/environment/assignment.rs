//! Determines the shard of this process from environment variables that a cluster sets, for
//! `--shard auto`.

use crate::plan::shard::Shard;

/// A shard, and the environment variables that assigned it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardAssignment {
    /// The shard.
    pub shard: Shard,
    /// The variables and their values as `NAME=VALUE`, separated by spaces.
    pub source: String,
}

/// The names of the variables of one scheduler.
struct Scheduler {
    name: &'static str,
    index: &'static str,
    /// The index of the first shard: a variable or a number.
    base: Result<&'static str, u64>,
    count: &'static str,
    /// The difference between adjacent indices, if the scheduler has such a variable.
    step: Option<&'static str>,
}

/// The schedulers in the order of precedence. Our own variables come first, so that a user can
/// override those of a scheduler.
const SCHEDULERS: &[Scheduler] = &[
    Scheduler {
        name: "sweep",
        index: "SWEEP_SHARD_INDEX",
        base: Ok("SWEEP_SHARD_FIRST"),
        count: "SWEEP_SHARD_COUNT",
        step: None,
    },
    // https://slurm.schedmd.com/job_array.html
    Scheduler {
        name: "Slurm array",
        index: "SLURM_ARRAY_TASK_ID",
        base: Ok("SLURM_ARRAY_TASK_MIN"),
        count: "SLURM_ARRAY_TASK_COUNT",
        step: Some("SLURM_ARRAY_TASK_STEP"),
    },
    // https://kubernetes.io/docs/tasks/job/indexed-parallel-processing-static/ (has no count)
    Scheduler {
        name: "Kubernetes Indexed Job",
        index: "JOB_COMPLETION_INDEX",
        base: Err(0),
        count: "SWEEP_SHARD_COUNT",
        step: None,
    },
];

/// Returns the shard that environment variables assign to this process.
///
/// `variable` returns the value of a variable. The first of these that is set takes precedence:
///
/// 1. `SWEEP_SHARD=K/N`;
/// 2. `SWEEP_SHARD_INDEX` and `SWEEP_SHARD_COUNT`, where the first index is `SWEEP_SHARD_FIRST`,
///    which is 1 by default;
/// 3. the task of a Slurm job array;
/// 4. the index of a Kubernetes Indexed Job, with `SWEEP_SHARD_COUNT`.
///
/// # Errors
///
/// Returns a message with the variable and the remedy if none of these is set, if the index or the
/// count is missing, or if their values are not a valid shard.
pub fn assigned_shard(variable: impl Fn(&str) -> Option<String>) -> Result<ShardAssignment, String> {
    if let Some(text) = variable("SWEEP_SHARD") {
        let shard = text.parse().map_err(|error| format!("SWEEP_SHARD: {error}"))?;
        return Ok(ShardAssignment { shard, source: format!("SWEEP_SHARD={text}") });
    }
    let Some(scheduler) = SCHEDULERS.iter().find(|scheduler| variable(scheduler.index).is_some()) else {
        let names: Vec<_> = SCHEDULERS.iter().map(|scheduler| scheduler.index).collect();
        return Err(format!(
            "--shard auto: no shard in the environment; set SWEEP_SHARD=K/N, or use a scheduler that sets one of {}",
            names.join(", ")
        ));
    };
    scheduler.assigned_shard(&variable)
}

impl Scheduler {
    fn assigned_shard(&self, variable: &impl Fn(&str) -> Option<String>) -> Result<ShardAssignment, String> {
        let mut source = Vec::new();
        let mut number = |name: &str| match variable(name) {
            None => Ok(None),
            Some(text) => match text.parse::<u64>() {
                Ok(number) => {
                    source.push(format!("{name}={text}"));
                    Ok(Some(number))
                }
                Err(_) => Err(format!("--shard auto: {name}='{text}' is not a number; set SWEEP_SHARD=K/N")),
            },
        };
        let index = number(self.index)?.unwrap_or_default();
        let count = number(self.count)?.ok_or_else(|| {
            format!(
                "--shard auto: {} ({}) is set, but {} is not; set it to the number of shards",
                self.index, self.name, self.count
            )
        })?;
        let base = match self.base {
            Ok(name) => number(name)?.unwrap_or(1),
            Err(base) => base,
        };
        let step = self.step.map(&mut number).transpose()?.flatten().unwrap_or(1).max(1);
        let source = source.join(" ");
        let shard = index
            .checked_sub(base)
            .filter(|distance| distance.is_multiple_of(step))
            .and_then(|distance| Shard::new((distance / step).checked_add(1)?, count));
        match shard {
            Some(shard) => Ok(ShardAssignment { shard, source }),
            None => Err(format!(
                "--shard auto: {source} is not a valid shard ({}); number the tasks without gaps, or set SWEEP_SHARD=K/N",
                self.name
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(set: &[(&str, &str)]) -> Result<(String, String), String> {
        let variable =
            |name: &str| set.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned());
        assigned_shard(variable).map(|found| (found.shard.to_string(), found.source))
    }

    #[test]
    fn every_scheduler_is_supported() {
        let shard = |set: &[(&str, &str)]| from(set).unwrap().0;
        assert_eq!(shard(&[("SWEEP_SHARD", "2/3")]), "2/3");
        assert_eq!(shard(&[("SWEEP_SHARD_INDEX", "8"), ("SWEEP_SHARD_COUNT", "8")]), "8/8");
        assert_eq!(
            shard(&[("SWEEP_SHARD_INDEX", "0"), ("SWEEP_SHARD_FIRST", "0"), ("SWEEP_SHARD_COUNT", "8")]),
            "1/8"
        );
        let array = [
            ("SLURM_ARRAY_TASK_ID", "7"),
            ("SLURM_ARRAY_TASK_MIN", "3"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
        ];
        assert_eq!(shard(&array), "3/4");
        assert_eq!(shard(&[("JOB_COMPLETION_INDEX", "0"), ("SWEEP_SHARD_COUNT", "16")]), "1/16");
    }

    #[test]
    fn the_variables_used_are_named() {
        let set = [("JOB_COMPLETION_INDEX", "1"), ("SWEEP_SHARD_COUNT", "4"), ("HOME", "/")];
        assert_eq!(from(&set).unwrap().1, "JOB_COMPLETION_INDEX=1 SWEEP_SHARD_COUNT=4");
    }

    #[test]
    fn errors_contain_the_variable_or_the_remedy() {
        for (set, word) in [
            (&[][..], "SWEEP_SHARD=K/N"),
            (&[("SWEEP_SHARD", "9/8")], "9/8"),
            (&[("JOB_COMPLETION_INDEX", "3")], "SWEEP_SHARD_COUNT"),
            (&[("JOB_COMPLETION_INDEX", "x"), ("SWEEP_SHARD_COUNT", "4")], "JOB_COMPLETION_INDEX='x'"),
            (&[("JOB_COMPLETION_INDEX", "4"), ("SWEEP_SHARD_COUNT", "4")], "JOB_COMPLETION_INDEX=4"),
            // An array of the tasks 1, 5 and 9: the shard cannot be derived from the index.
            (
                &[
                    ("SLURM_ARRAY_TASK_ID", "9"),
                    ("SLURM_ARRAY_TASK_MIN", "1"),
                    ("SLURM_ARRAY_TASK_COUNT", "3"),
                ],
                "without gaps",
            ),
        ] {
            let message = from(set).unwrap_err();
            assert!(message.contains(word), "{message}");
        }
    }
}
