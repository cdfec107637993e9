//! Information about the machine and the cluster: CPU time, load, and the assigned shard.

pub(crate) mod cpu_time;
pub(crate) mod preflight;
