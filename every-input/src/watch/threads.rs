//! The CPU time that a sweep uses: of the process, of each thread by its name, and of the children.
//!
//! Linux shows threads in `/proc/self/task`, in steps of 10 ms; other systems have no such list. A
//! thread that ends takes its time with it, so the times are added up whenever a status or a report is
//! made, and before the threads of a sweep end. Children are those that run, by their process groups,
//! and those that have ended; other systems show the time of neither.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;
use std::{fs, mem, process};

use crate::check::panics::lock;
use crate::report::sweep_report::{Report, ThreadCpu};

/// Returns the CPU time used so far by all threads, if the system reports it.
pub(crate) fn cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    return rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).try_into().ok();
    #[cfg(not(unix))]
    return None;
}

/// Returns the ID of this thread, if the system shows its threads.
pub(crate) fn thread_id() -> Option<u32> {
    fs::read_link("/proc/thread-self").ok()?.file_name()?.to_str()?.parse().ok()
}

/// Measures the CPU time since the start of a run, and adds it to that of earlier runs.
pub(crate) struct CpuTimes {
    start: Option<Duration>,
    /// The time of the children at the start.
    children: u64,
    /// The IDs of the worker threads; none if the system does not show threads.
    workers: Vec<u32>,
    used: Mutex<Used>,
}

/// The times of threads, in ticks.
#[derive(Default)]
struct Used {
    /// The time of each thread when it was last seen.
    seen: HashMap<u32, u64>,
    /// The time by name, and whether the thread is a worker.
    by_name: Times,
    /// The sum of the times in this run.
    sum: u64,
    /// The greatest time of the children in this run.
    children: u64,
}

type Times = BTreeMap<(String, bool), u64>;

/// The number of names from which on further ones are counted together, so that memory is bounded.
const MAX_NAMES: usize = 1000;

impl Used {
    fn add(&mut self, name: &str, is_worker: bool, ticks: u64) {
        let is_full = self.by_name.len() >= MAX_NAMES && !is_worker;
        let mut key = (name.to_owned(), is_worker);
        if is_full && !self.by_name.contains_key(&key) {
            key.0 = "others".into();
        }
        *self.by_name.entry(key).or_default() += ticks;
        self.sum += ticks;
    }
}

impl CpuTimes {
    /// Starts to measure. `workers` are the IDs of the worker threads, and `before` has the times of
    /// earlier runs.
    pub(crate) fn start(workers: Vec<u32>, before: &Report) -> Self {
        let ticks = |thread: &ThreadCpu| (thread.cpu_seconds * TICKS).round() as u64;
        let by_name =
            before.cpu_by_thread.iter().map(|one| ((one.name.clone(), one.worker), ticks(one))).collect();
        let seen = stats("/proc/self/task").map(|(id, stat)| (id, stat.own)).collect();
        let used = Mutex::new(Used { seen, by_name, ..Used::default() });
        Self { start: cpu_time(), children: of_children(), workers, used }
    }

    /// Adds the times since the last update.
    pub(crate) fn update(&self) {
        drop(self.updated());
    }

    fn updated(&self) -> MutexGuard<'_, Used> {
        let mut used = lock(&self.used);
        let (threads, main): (Vec<(u32, Stat)>, _) = (stats("/proc/self/task").collect(), process::id());
        let is_worker = |id| self.workers.contains(&id);
        let of_sweep = threads.iter().filter(|(id, _)| *id == main || is_worker(*id));
        let of_sweep: Vec<&str> = of_sweep.map(|(_, stat)| &*stat.name).collect();
        let now = threads.iter().map(|(id, stat)| (*id, stat.own)).collect();
        let seen = mem::replace(&mut used.seen, now);
        for (id, stat) in &threads {
            // A thread may have the ID of one that has ended.
            let before = seen.get(id).copied().filter(|&before| before <= stat.own).unwrap_or(0);
            let name = match &*stat.name {
                _ if *id == main => "main",
                // A thread without a name has that of the thread that has started it.
                name if !is_worker(*id) && of_sweep.contains(&name) => "unnamed",
                name => name,
            };
            if stat.own > before || *id == main || is_worker(*id) {
                used.add(name, is_worker(*id), stat.own - before);
            }
        }
        used.children = used.children.max(of_children().saturating_sub(self.children));
        used
    }

    /// Sets the times of a report, which has the total of earlier runs.
    pub(crate) fn add_to(&self, report: &mut Report) {
        let process = cpu_time().zip(self.start).map(|(now, start)| now.saturating_sub(start).as_secs_f64());
        let used = self.updated();
        let cpu_seconds = process.map(|process| process + used.children as f64 / TICKS);
        report.cpu_seconds = cpu_seconds.zip(report.cpu_seconds).map(|(cpu, before)| cpu + before);
        if self.workers.is_empty() {
            return report.cpu_by_thread.clear();
        }
        let mut times = used.by_name.clone();
        let ended = process.map_or(0, |seconds| (seconds * TICKS) as u64).saturating_sub(used.sum);
        // The time of each thread is rounded.
        let is_exact = ended <= 10 + used.seen.len() as u64;
        for (name, worker, ticks) in
            [("children", true, used.children), ("ended", false, if is_exact { 0 } else { ended })]
        {
            if ticks > 0 {
                *times.entry((name.into(), worker)).or_default() += ticks;
            }
        }
        let threads = times.into_iter().map(|((name, worker), ticks)| {
            let cpu_seconds = ticks as f64 / TICKS;
            ThreadCpu { name, cpu_seconds, worker }
        });
        report.cpu_by_thread = threads.collect();
        report.cpu_by_thread.sort_by(|one, other| natural(&one.name).cmp(&natural(&other.name)));
    }
}

/// Returns the order of a name, in which `sweep-2` is before `sweep-10`.
fn natural(name: &str) -> (&str, u64) {
    let word = name.trim_end_matches(|char: char| char.is_ascii_digit());
    (word, name[word.len()..].parse().unwrap_or(0))
}

/// The ticks in a second. All architectures of Linux that Rust supports have this number.
const TICKS: f64 = 100.0;

/// What `/proc` shows of a thread or a process.
struct Stat {
    name: String,
    /// The process group.
    group: i32,
    /// The CPU time in ticks.
    own: u64,
    /// The CPU time of the child processes that have ended.
    reaped: u64,
}

impl Stat {
    /// Reads a file `stat`, which proc(5) describes.
    fn read(path: &Path) -> Option<Self> {
        Self::parse(&String::from_utf8_lossy(&fs::read(path).ok()?))
    }

    fn parse(text: &str) -> Option<Self> {
        // A name may contain spaces and parentheses.
        let (head, tail) = text.rsplit_once(") ")?;
        let fields: Vec<&str> = tail.split_ascii_whitespace().collect();
        let ticks = |at: usize| fields.get(at)?.parse::<u64>().ok();
        Some(Self {
            name: head.split_once('(')?.1.to_owned(),
            group: fields.get(2)?.parse().ok()?,
            own: ticks(11)? + ticks(12)?,
            reaped: ticks(13)? + ticks(14)?,
        })
    }
}

/// Returns the threads or processes in a folder of `/proc`, by their IDs.
fn stats(folder: &str) -> impl Iterator<Item = (u32, Stat)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let id = entry.file_name().to_str()?.parse().ok()?;
        Some((id, Stat::read(&entry.path().join("stat"))?))
    })
}

/// Returns the CPU time of all child processes so far, in ticks, and of those that they have started.
fn of_children() -> u64 {
    // The reaped ones first: a child that ends meanwhile is better left out than counted twice.
    let reaped = Stat::read(Path::new("/proc/self/stat")).map_or(0, |stat| stat.reaped);
    #[cfg(unix)]
    let groups = crate::exec::child_groups();
    #[cfg(not(unix))]
    let groups: Vec<i32> = Vec::new();
    if groups.is_empty() {
        return reaped;
    }
    let alive = stats("/proc").filter(|(_, stat)| groups.contains(&stat.group));
    reaped + alive.map(|(_, stat)| stat.own + stat.reaped).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_is_read() {
        let stat = Stat::parse("7 (a) b (c) S 1 42 7 0 -1 0 0 0 0 0 100 20 3 4 20 0\n").expect("a stat");
        assert_eq!((&*stat.name, stat.group, stat.own, stat.reaped), ("a) b (c", 42, 120, 7));
        assert!(Stat::parse("7 (a) S 1 42").is_none());
    }

    #[test]
    fn any_number_of_names_takes_bounded_memory_and_loses_no_time() {
        let mut used = Used::default();
        (0..3000).for_each(|number| used.add(&format!("thread-{number}"), number >= 2990, 1));
        assert!(used.by_name.len() <= MAX_NAMES + 11, "{}", used.by_name.len());
        assert_eq!((used.by_name.values().sum(), used.sum), (3000, 3000));
        assert!(used.by_name.contains_key(&("thread-2995".into(), true)));
    }

    #[test]
    fn names_are_in_natural_order() {
        let mut names = ["sweep-10", "sweep-2", "main", "progress"];
        names.sort_by_key(|name| natural(name));
        assert_eq!(names, ["main", "progress", "sweep-2", "sweep-10"]);
    }
}
