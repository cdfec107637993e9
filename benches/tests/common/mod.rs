//! Test data: criterion's folders with artificial results.

use std::fs;
use std::path::Path;

/// Writes a result as criterion does. `samples` are pairs of iterations and nanoseconds.
pub(crate) fn result(dir: &Path, group: &str, contender: &str, values: u64, samples: &[(f64, f64)]) {
    let new = dir.join(group.replace('/', "_")).join(contender).join("new");
    fs::create_dir_all(&new).unwrap();
    let (iters, times): (Vec<f64>, Vec<f64>) = samples.iter().copied().unzip();
    let benchmark = format!(
        r#"{{"group_id":"{group}","function_id":"{contender}","value_str":null,"throughput":{{"Elements":{values}}}}}"#
    );
    fs::write(new.join("benchmark.json"), benchmark).unwrap();
    let sample = format!(r#"{{"sampling_mode":"Flat","iters":{iters:?},"times":{times:?}}}"#);
    fs::write(new.join("sample.json"), sample).unwrap();
}
