//! Determines the shard of this process from environment variables that a cluster sets, for
//! `--shard auto`.

use super::shard::Shard;

impl Shard {
    /// Returns the shard that environment variables assign to this process, and those variables as
    /// `NAME=VALUE`, separated by spaces.
    ///
    /// `variable` returns the value of a variable. The first of these that is set takes precedence:
    ///
    /// 1. `SWEEP_SHARD=K/N`;
    /// 2. the task of a [Slurm job array](https://slurm.schedmd.com/job_array.html);
    /// 3. the index of a [Kubernetes Indexed
    ///    Job](https://kubernetes.io/docs/tasks/job/indexed-parallel-processing-static/), with
    ///    `SWEEP_SHARD_COUNT`.
    ///
    /// # Errors
    ///
    /// Returns a message with the variable and the remedy if none of these is set, if the index or the
    /// count is missing, or if their values are not a valid shard.
    pub fn assigned(variable: impl Fn(&str) -> Option<String>) -> Result<(Self, String), String> {
        if let Some(text) = variable("SWEEP_SHARD") {
            let shard = text.parse().map_err(|error| format!("SWEEP_SHARD: {error}"))?;
            return Ok((shard, format!("SWEEP_SHARD={text}")));
        }
        let mut source: Vec<String> = vec![];
        let mut number = |name: &str| {
            let Some(text) = variable(name) else { return Ok(None) };
            let number = text
                .parse::<u64>()
                .map_err(|_| format!("--shard auto: {name}='{text}' is not a number; set SWEEP_SHARD=K/N"))?;
            source.push(format!("{name}={text}"));
            Ok::<_, String>(Some(number))
        };
        let (slurm, kubernetes) = ("SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX");
        let (index, base, step, count) = if let Some(index) = number(slurm)? {
            let base = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(1);
            let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
            (index, base, step, "SLURM_ARRAY_TASK_COUNT")
        } else if let Some(index) = number(kubernetes)? {
            (index, 0, 1, "SWEEP_SHARD_COUNT")
        } else {
            return Err(format!(
                "--shard auto: no shard in the environment; set SWEEP_SHARD=K/N, or use a scheduler that sets one of \
             {slurm}, {kubernetes}"
            ));
        };
        let count = number(count)?.ok_or_else(|| {
            format!(
                "--shard auto: {count} is not set; set it to the number of shards, or set SWEEP_SHARD=K/N"
            )
        })?;
        let source = source.join(" ");
        let distance = index.checked_sub(base).filter(|distance| distance.is_multiple_of(step));
        let shard = distance.and_then(|distance| Self::new((distance / step).checked_add(1)?, count));
        match shard {
            Some(shard) => Ok((shard, source)),
            None => Err(format!(
                "--shard auto: {source} is not a valid shard; number the tasks without gaps, or set SWEEP_SHARD=K/N"
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
        Shard::assigned(variable).map(|(shard, source)| (shard.to_string(), source))
    }

    #[test]
    fn every_scheduler_is_supported() {
        let shard = |set: &[(&str, &str)]| from(set).unwrap().0;
        assert_eq!(shard(&[("SWEEP_SHARD", "2/3")]), "2/3");
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
