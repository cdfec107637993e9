//! `--shard auto`: which shard this process is, from what a cluster tells it.

use crate::plan::shard::Shard;

/// A shard, and the variables that told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The shard.
    pub shard: Shard,
    /// The variables and their values, as `NAME=VALUE`, separated by blanks.
    pub source: String,
}

/// Names of the variables of one engine.
struct Engine {
    name: &'static str,
    index: &'static str,
    /// The index of the first shard: a variable, or else a number.
    base: Result<&'static str, u64>,
    count: &'static str,
    /// The distance between indices, where an engine has that.
    step: Option<&'static str>,
}

/// In the order in which they are asked: our own first, so that a user can overrule the engine; an array's task before
/// a rank within it.
const ENGINES: &[Engine] = &[
    Engine {
        name: "sweep",
        index: "SWEEP_SHARD_INDEX",
        base: Ok("SWEEP_SHARD_FIRST"),
        count: "SWEEP_SHARD_COUNT",
        step: None,
    },
    // https://slurm.schedmd.com/job_array.html
    Engine {
        name: "Slurm array",
        index: "SLURM_ARRAY_TASK_ID",
        base: Ok("SLURM_ARRAY_TASK_MIN"),
        count: "SLURM_ARRAY_TASK_COUNT",
        step: Some("SLURM_ARRAY_TASK_STEP"),
    },
    // https://kubernetes.io/docs/tasks/job/indexed-parallel-processing-static/: the index, but no count
    Engine {
        name: "Kubernetes Indexed Job",
        index: "JOB_COMPLETION_INDEX",
        base: Err(0),
        count: "SWEEP_SHARD_COUNT",
        step: None,
    },
    Engine {
        name: "Open MPI",
        index: "OMPI_COMM_WORLD_RANK",
        base: Err(0),
        count: "OMPI_COMM_WORLD_SIZE",
        step: None,
    },
    Engine { name: "PMI", index: "PMI_RANK", base: Err(0), count: "PMI_SIZE", step: None },
    Engine { name: "Slurm step", index: "SLURM_PROCID", base: Err(0), count: "SLURM_NTASKS", step: None },
];

/// The shard that the environment assigns: from `SWEEP_SHARD=K/N`; `SWEEP_SHARD_INDEX` (from `SWEEP_SHARD_FIRST` on,
/// which is 1 unless set) and `SWEEP_SHARD_COUNT`; a Slurm array's task; the index of a Kubernetes Indexed Job and
/// `SWEEP_SHARD_COUNT`; the rank and size of Open MPI, PMI or a Slurm step. The first that is set counts.
///
/// # Errors
///
/// Where none is set, or one without the other, or what they say is no shard: a line that names variable and remedy.
pub fn assigned(variable: impl Fn(&str) -> Option<String>) -> Result<Assignment, String> {
    if let Some(text) = variable("SWEEP_SHARD") {
        let shard = text.parse().map_err(|error| format!("SWEEP_SHARD: {error}"))?;
        return Ok(Assignment { shard, source: format!("SWEEP_SHARD={text}") });
    }
    let Some(engine) = ENGINES.iter().find(|engine| variable(engine.index).is_some()) else {
        let names: Vec<_> = ENGINES.iter().map(|engine| engine.index).collect();
        return Err(format!(
            "--shard auto finds no shard in the environment: set SWEEP_SHARD=K/N, or run under an engine that sets one of {}",
            names.join(", ")
        ));
    };
    engine.assigned(&variable)
}

impl Engine {
    fn assigned(&self, variable: &impl Fn(&str) -> Option<String>) -> Result<Assignment, String> {
        let mut source = Vec::new();
        let mut number = |name: &str| match variable(name) {
            None => Ok(None),
            Some(text) => match text.parse::<u64>() {
                Ok(number) => {
                    source.push(format!("{name}={text}"));
                    Ok(Some(number))
                }
                Err(_) => Err(format!("{name}={text} is not a number: --shard auto cannot tell the shard")),
            },
        };
        let index = number(self.index)?.unwrap_or_default();
        let count = number(self.count)?.ok_or_else(|| {
            format!(
                "{} is set ({}) but {} is not: set it to the number of shards",
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
            Some(shard) => Ok(Assignment { shard, source }),
            None => Err(format!(
                "{source} is not a shard: number the tasks of the {} without gaps, or set SWEEP_SHARD=K/N",
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
        assigned(variable).map(|found| (found.shard.to_string(), found.source))
    }

    #[test]
    fn every_engine_is_understood() {
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
            ("SLURM_PROCID", "0"),
            ("SLURM_NTASKS", "1"),
        ];
        assert_eq!(shard(&array), "3/4");
        assert_eq!(shard(&[("JOB_COMPLETION_INDEX", "0"), ("SWEEP_SHARD_COUNT", "16")]), "1/16");
        assert_eq!(shard(&[("OMPI_COMM_WORLD_RANK", "3"), ("OMPI_COMM_WORLD_SIZE", "4")]), "4/4");
        assert_eq!(shard(&[("PMI_RANK", "1"), ("PMI_SIZE", "4")]), "2/4");
        assert_eq!(shard(&[("SLURM_PROCID", "5"), ("SLURM_NTASKS", "6")]), "6/6");
    }

    #[test]
    fn the_variables_used_are_named() {
        let source = from(&[("PMI_RANK", "1"), ("PMI_SIZE", "4"), ("HOME", "/")]).unwrap().1;
        assert_eq!(source, "PMI_RANK=1 PMI_SIZE=4");
    }

    #[test]
    fn what_is_no_shard_is_refused_with_the_remedy() {
        for (set, word) in [
            (&[][..], "SWEEP_SHARD=K/N"),
            (&[("SWEEP_SHARD", "9/8")], "9/8"),
            (&[("JOB_COMPLETION_INDEX", "3")], "SWEEP_SHARD_COUNT"),
            (&[("PMI_RANK", "x"), ("PMI_SIZE", "4")], "PMI_RANK=x"),
            (&[("PMI_RANK", "4"), ("PMI_SIZE", "4")], "PMI_RANK=4"),
            // An array of 1,5,9: three tasks, but the index does not tell which one this is.
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
