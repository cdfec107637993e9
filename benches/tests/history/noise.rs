//! Ten commits under seeded noise: planted changes are found, equal code is left alone.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::world::{World, rows, stderr, stdout};

const COMMITS: usize = 10;
const BENCHMARKS: usize = 26;
const RUNS: usize = 5;

/// A benchmark, the commit from which on it is different, and its time from then on, as a factor.
const PLANTED: [(usize, usize, f64); 4] = [(3, 4, 1.05), (7, 7, 1.20), (11, 2, 0.92), (25, 9, 1.08)];

/// The planted factor of a benchmark at a commit.
fn factor(benchmark: usize, commit: usize) -> f64 {
    let planted = PLANTED.iter().filter(|planted| planted.0 == benchmark && planted.1 <= commit);
    planted.map(|planted| planted.2).product()
}

/// How machines are unsteady: a run differs by about 1 % from the next as a whole; a sample is late by 2 % on average, and
/// one in twenty is disturbed by 30 % more.
struct Noise(Xoshiro256PlusPlus);

impl Noise {
    fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The samples of one run, where undisturbed ones take `time`.
    fn run(&mut self, time: f64, samples: usize) -> Vec<f64> {
        let normal = (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0;
        let time = time * (0.01 * normal).exp();
        (0..samples)
            .map(|_| {
                let late = -0.02 * (1.0 - self.uniform()).ln();
                let disturbed = if self.uniform() < 0.05 { 0.3 } else { 0.0 };
                time * (1.0 + late + disturbed)
            })
            .collect()
    }
}

fn group(benchmark: usize) -> String {
    format!("decode/u64/set{benchmark:02}")
}

/// The place of the benchmark that a row is about.
fn benchmark(row: &[String]) -> usize {
    (0..BENCHMARKS).find(|&benchmark| row[0].starts_with(&group(benchmark))).unwrap()
}

/// A history of `commits`, and their names, oldest first.
fn history(seed: u64, commits: usize, runs: usize) -> (World, Vec<String>) {
    let mut noise = Noise(Xoshiro256PlusPlus::seed_from_u64(seed));
    let world = World::new();
    let mut names = Vec::new();
    for commit in 0..commits {
        names.push(world.commit(&format!("commit {commit}")));
        for _ in 0..runs {
            for benchmark in 0..BENCHMARKS {
                let time = (1.0 + benchmark as f64) * factor(benchmark, commit);
                world.bench(&group(benchmark), "ours-avx2", &noise.run(time, 20));
            }
            world.record();
        }
    }
    (world, names)
}

#[test]
fn planted_changes_are_found_and_equal_code_is_left_alone() {
    let (world, names) = history(1, COMMITS, RUNS);
    let (mut equal, mut by_chance, mut alarms, mut found) = (0, 0, 0, 0);
    for a in 0..COMMITS {
        for b in a + 1..COMMITS {
            let run = world.history(&["compare", &names[a], &names[b]]).success();
            assert_eq!(stderr(&run), "");
            let rows = rows(&stdout(&run));
            assert_eq!(rows.len(), BENCHMARKS);
            for row in rows {
                let (ratio, p, verdict) = (&row[3], &row[5], row[8].as_str());
                let change = factor(benchmark(&row), b) / factor(benchmark(&row), a);
                if change == 1.0 {
                    equal += 1;
                    by_chance += usize::from(p.trim_start_matches("< ").parse::<f64>().unwrap() < 0.05);
                    alarms += usize::from(verdict != "no difference");
                } else {
                    found += 1;
                    assert_eq!(verdict, if change > 1.0 { "**slower**" } else { "**faster**" }, "{row:?}");
                    assert!((ratio.parse::<f64>().unwrap() / change - 1.0).abs() < 0.03, "{row:?}");
                }
            }
        }
    }
    println!(
        "{equal} comparisons of equal code: {by_chance} with p < 0.05, {alarms} alarms; {found} changes found"
    );
    assert!(equal >= 1000);
    let share = f64::from(by_chance as u32) / f64::from(equal);
    assert!((0.02..0.10).contains(&share), "p < 0.05 for {by_chance} of {equal}, not about one in twenty");
    assert!(alarms <= 5, "{alarms} alarms in 45 families at a level of 5 %");
}

/// Why several runs are asked for.
#[test]
fn one_run_of_each_alarms_on_equal_code_and_says_why() {
    let (world, names) = history(2, 2, 1);
    let run = world.history(&["compare", &names[0], &names[1]]).success();
    let text = stdout(&run);
    assert!(rows(&text).iter().all(|row| row[7] == "20, 20 samples"), "{text}");
    assert!(stderr(&run).contains("26 benchmarks compared by the samples of one run"), "{}", stderr(&run));
}

#[test]
fn peers_are_a_control() {
    let world = World::new();
    let mut noise = Noise(Xoshiro256PlusPlus::seed_from_u64(3));
    let mut names = Vec::new();
    for (commit, ours, plain) in [("a", 1.0, 2.0), ("b", 1.0, 2.5)] {
        names.push(world.commit(commit));
        for _ in 0..RUNS {
            world.bench("decode/u64/mix", "ours-avx2", &noise.run(ours, 20));
            world.bench("decode/u64/mix", "plain", &noise.run(plain, 20));
            world.record();
        }
    }
    let text = stdout(&world.history(&["compare", &names[0], &names[1]]).success());
    assert_eq!(rows(&text).len(), 1, "{text}");
    assert!(text.contains("0 slower, 0 faster, 1 no difference"), "{text}");
    assert!(
        text.contains("Peers are the same code in both unless their versions changed: 1 of 1 differ."),
        "{text}"
    );
    let text = stdout(&world.history(&["compare", &names[0], &names[1], "--peers"]).success());
    assert_eq!(rows(&text)[1][8], "**slower**", "{text}");
    // Below what is asked for, a change is none, however certain.
    let arguments = ["compare", &names[0], &names[1], "--peers", "--least", "50"];
    let text = stdout(&world.history(&arguments).success());
    assert_eq!(rows(&text)[1][8], "no difference", "{text}");
}
