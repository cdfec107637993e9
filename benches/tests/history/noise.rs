//! Ten commits under seeded noise: injected changes are found, and equal code is not flagged.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::fixture::{Fixture, rows, stderr, stdout};

const COMMITS: usize = 10;
const BENCHMARKS: usize = 26;
const RUNS: usize = 5;

/// Injected changes: a benchmark, the first commit with the change, and the factor of its time.
const INJECTED: [(usize, usize, f64); 4] = [(3, 4, 1.05), (7, 7, 1.20), (11, 2, 0.92), (25, 9, 1.08)];

/// Returns the product of the injected factors of a benchmark at a commit.
fn factor(benchmark: usize, commit: usize) -> f64 {
    let changes = INJECTED.iter().filter(|change| change.0 == benchmark && change.1 <= commit);
    changes.map(|change| change.2).product()
}

/// A model of noise. Whole runs vary by about 1 %. A sample is 2 % too slow on average, and one in
/// twenty is slower by another 30 %.
struct Noise(Xoshiro256PlusPlus);

impl Noise {
    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns the samples of one run. Undisturbed samples take `time`.
    fn run(&mut self, time: f64, samples: usize) -> Vec<f64> {
        let normal = (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0;
        let time = time * (0.01 * normal).exp();
        (0..samples)
            .map(|_| {
                let delay = -0.02 * (1.0 - self.uniform()).ln();
                let disturbed = if self.uniform() < 0.05 { 0.3 } else { 0.0 };
                time * (1.0 + delay + disturbed)
            })
            .collect()
    }
}

fn group(benchmark: usize) -> String {
    format!("decode/u64/set{benchmark:02}")
}

/// Returns the index of the benchmark of a row.
fn benchmark(row: &[String]) -> usize {
    (0..BENCHMARKS).find(|&benchmark| row[0].starts_with(&group(benchmark))).unwrap()
}

/// Returns a history of `commits` commits, and their names, oldest first.
fn history(seed: u64, commits: usize, runs: usize) -> (Fixture, Vec<String>) {
    let mut noise = Noise(Xoshiro256PlusPlus::seed_from_u64(seed));
    let fixture = Fixture::new();
    let mut names = Vec::new();
    for commit in 0..commits {
        names.push(fixture.commit(&format!("commit {commit}")));
        for _ in 0..runs {
            for benchmark in 0..BENCHMARKS {
                let time = (1.0 + benchmark as f64) * factor(benchmark, commit);
                fixture.bench(&group(benchmark), "ours-avx2", &noise.run(time, 20));
            }
            fixture.record();
        }
    }
    (fixture, names)
}

#[test]
fn injected_changes_are_found_and_equal_code_is_not_flagged() {
    let (fixture, names) = history(1, COMMITS, RUNS);
    let (mut equal, mut by_chance, mut flagged, mut found) = (0, 0, 0, 0);
    for a in 0..COMMITS {
        for b in a + 1..COMMITS {
            let run = fixture.history(&["compare", &names[a], &names[b]]).success();
            assert_eq!(stderr(&run), "");
            let rows = rows(&stdout(&run));
            assert_eq!(rows.len(), BENCHMARKS);
            for row in rows {
                let (ratio, p, result) = (&row[3], &row[5], row[8].as_str());
                let change = factor(benchmark(&row), b) / factor(benchmark(&row), a);
                if change == 1.0 {
                    equal += 1;
                    by_chance += usize::from(p.trim_start_matches("< ").parse::<f64>().unwrap() < 0.05);
                    flagged += usize::from(result != "no difference");
                } else {
                    found += 1;
                    assert_eq!(result, if change > 1.0 { "**slower**" } else { "**faster**" }, "{row:?}");
                    assert!((ratio.parse::<f64>().unwrap() / change - 1.0).abs() < 0.03, "{row:?}");
                }
            }
        }
    }
    println!(
        "{equal} comparisons of equal code: {by_chance} with p < 0.05, {flagged} flagged as different; {found} changes found"
    );
    assert!(equal >= 1000);
    let share = f64::from(by_chance as u32) / f64::from(equal);
    assert!((0.02..0.10).contains(&share), "p < 0.05 for {by_chance} of {equal}, not about one in twenty");
    assert!(flagged <= 5, "{flagged} flagged in 45 families at a level of 5 %");
}

/// The reason to record several runs.
#[test]
fn one_run_of_each_commit_gives_a_warning() {
    let (fixture, names) = history(2, 2, 1);
    let run = fixture.history(&["compare", &names[0], &names[1]]).success();
    let text = stdout(&run);
    assert!(rows(&text).iter().all(|row| row[7] == "20, 20 samples"), "{text}");
    assert!(stderr(&run).contains("26 benchmarks compared by the samples of one run"), "{}", stderr(&run));
}

#[test]
fn peers_are_a_control_group() {
    let fixture = Fixture::new();
    let mut noise = Noise(Xoshiro256PlusPlus::seed_from_u64(3));
    let mut names = Vec::new();
    for (commit, ours, plain) in [("a", 1.0, 2.0), ("b", 1.0, 2.5)] {
        names.push(fixture.commit(commit));
        for _ in 0..RUNS {
            fixture.bench("decode/u64/mix", "ours-avx2", &noise.run(ours, 20));
            fixture.bench("decode/u64/mix", "plain", &noise.run(plain, 20));
            fixture.record();
        }
    }
    let text = stdout(&fixture.history(&["compare", &names[0], &names[1]]).success());
    assert_eq!(rows(&text).len(), 1, "{text}");
    assert!(text.contains("0 slower, 0 faster, 1 no difference"), "{text}");
    assert!(
        text.contains("The peers' code is the same in A and B unless their versions changed: 1 of 1 differ."),
        "{text}"
    );
    let text = stdout(&fixture.history(&["compare", &names[0], &names[1], "--peers"]).success());
    assert_eq!(rows(&text)[1][8], "**slower**", "{text}");
    // A change below --min-change is no difference, even if it is significant.
    let arguments = ["compare", &names[0], &names[1], "--peers", "--min-change", "50"];
    let text = stdout(&fixture.history(&arguments).success());
    assert_eq!(rows(&text)[1][8], "no difference", "{text}");
}
