//! The value of `--shard`.

use varint_sweep::{Shard, ShardAssignment, Sweep, assigned_shard};

use super::error::Error;

/// The value of `--shard`.
#[derive(Clone, Copy)]
pub(crate) enum ShardChoice {
    Given(Shard),
    Auto,
}

/// Parses a shard or `auto`.
pub(crate) fn shard_choice(text: &str) -> Result<ShardChoice, String> {
    if text == "auto" { Ok(ShardChoice::Auto) } else { text.parse().map(ShardChoice::Given) }
}

/// Returns the chosen shard of the sweep.
pub(crate) fn sharded<S>(sweep: Sweep<S>, choice: Option<ShardChoice>) -> Result<Sweep<S>, Error> {
    match choice {
        None => Ok(sweep),
        Some(ShardChoice::Given(shard)) => Ok(sweep.shard(shard)),
        Some(ShardChoice::Auto) => {
            let ShardAssignment { shard, source } =
                assigned_shard(|name| std::env::var(name).ok()).map_err(Error::usage)?;
            Ok(sweep.shard(shard).shard_source(source))
        }
    }
}
