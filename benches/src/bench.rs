//! All benchmarks, in one program: `cargo bench -- FILTER`. README.md of this package describes
//! them.

mod contender;
mod corpus;
mod groups;
mod inputs;
mod measure;
mod ours;
mod packed_field;
mod peers;

use std::env;
use std::time::Duration;

use criterion::Criterion;
use pprof_views::criterion::Flamegraph;
use zigzag_varint::Kernel;

fn main() {
    // About a third of a second for each of a thousand benchmarks. `ratios` takes the minimum of
    // the samples, which settles early, so few resamplings of the mean are enough.
    let mut criterion = Criterion::default()
        .with_profiler(Flamegraph::new())
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(200))
        .sample_size(40)
        .nresamples(2000)
        .configure_from_args();
    limit_kernel();
    groups::run(&mut criterion);
    criterion.final_summary();
}

/// Limits the free functions to the kernel that the variable `KERNEL` names.
fn limit_kernel() {
    if let Ok(name) = env::var("KERNEL") {
        let kernel = Kernel::by_name(&name).unwrap_or_else(|| panic!("this CPU has no kernel '{name}'"));
        Kernel::set_default(kernel).expect("no slice was processed before");
    }
}
