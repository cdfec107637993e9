//! Looks up the functions, files and lines of addresses in the machine code, each address once.

use std::collections::HashMap;
use std::ffi::c_void;
use std::ops::Range;
use std::path::Path;
use std::{env, fs};

use pprof::MAX_DEPTH;

use super::builder::Builder;
use crate::format::wire::{Line, Mapping};
use crate::names::TRUNCATED;

/// The function that std calls at the start of a program and of each thread, and from which the
/// backtraces of panics are shown. Other crates have functions of this name for the same purpose.
const START: &str = "__rust_begin_short_backtrace";
/// The modules of criterion that call benchmarks, from several places.
const BENCHMARK_CALLERS: [&str; 3] =
    ["criterion::bencher::", "criterion::routine::", "criterion::benchmark_group::"];

pub(super) struct Symbols {
    locations: HashMap<(usize, Frame), Found>,
    /// The addresses of the machine code of files. There are none if the system does not report them.
    files: Vec<Range<u64>>,
    /// The location that stands for the functions that truncated stacks lack.
    truncated: Option<u64>,
}

/// What the address of a frame is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Frame {
    /// The instruction that was running.
    Running,
    /// The instruction after a call, from that of the allocator outwards.
    #[cfg_attr(not(feature = "heap"), allow(dead_code))]
    Allocating,
    /// The instruction after a call.
    Calling,
}

#[derive(Clone, Copy)]
struct Found {
    /// The location of the frame. If the start of the work is inlined into its function, it has only
    /// the lines of the work.
    location: u64,
    /// Whether all its lines are of the allocator.
    is_allocator: bool,
    /// Whether the stack starts here.
    is_first: bool,
    /// Whether this is the frame of a function that calls the work.
    is_caller: bool,
}

impl Symbols {
    /// Adds the files that are mapped into memory to `builder`.
    pub(super) fn new(builder: &mut Builder) -> Self {
        let program = env::current_exe().unwrap_or_default().to_string_lossy().into_owned();
        let program = without_deleted(program);
        let mut mapped = mapped_files();
        let files = mapped.iter().filter(|(_, file)| !file.starts_with('['));
        let files = files.map(|(mapping, _)| mapping.memory_start..mapping.memory_limit).collect();
        mapped.sort_by_key(|(_, file)| *file != program); // the program comes first
        if mapped.first().is_none_or(|(_, file)| *file != program) {
            mapped.insert(0, (Mapping::default(), program)); // for its name; its addresses are unknown
        }
        for (mapping, file) in mapped {
            builder.mapping(mapping, &file);
        }
        Self { locations: HashMap::new(), files, truncated: None }
    }

    /// Returns the locations of a stack, given its addresses from the innermost frame on and what the
    /// first one is.
    ///
    /// The innermost function that calls the work and its callers are left out, as in the
    /// backtraces of panics: they are the same in all stacks. If nothing else is left, because the
    /// sample is in that function itself, that location remains.
    pub(super) fn stack(&mut self, builder: &mut Builder, mut frame: Frame, addresses: &[usize]) -> Vec<u64> {
        let (mut stack, mut allocator) = (vec![], None);
        let mut is_complete = false;
        for &address in addresses {
            let found = self.location(builder, address, frame);
            if found.is_allocator {
                allocator = Some(found.location);
                continue;
            }
            frame = Frame::Calling;
            if !found.is_caller || stack.is_empty() {
                stack.push(found.location);
            }
            if found.is_first {
                is_complete = true;
                break;
            }
        }
        if stack.is_empty() {
            stack.extend(allocator);
        }
        if !is_complete && self.is_truncated(addresses) {
            stack.push(self.truncated(builder));
        }
        stack
    }

    /// Returns whether a stack in which the work does not start lacks its outermost functions.
    ///
    /// Either it has the maximum number of frames, or the unwinder has stopped at an address that is in
    /// no file: a thread starts in a function of the C library or of a program.
    fn is_truncated(&self, addresses: &[usize]) -> bool {
        let is_in_file = |&address: &usize| {
            self.files.is_empty() || self.files.iter().any(|file| file.contains(&(address as u64)))
        };
        addresses.len() >= MAX_DEPTH || addresses.last().is_some_and(|outermost| !is_in_file(outermost))
    }

    /// Returns the location that stands for the functions that a truncated stack lacks.
    fn truncated(&mut self, builder: &mut Builder) -> u64 {
        *self.truncated.get_or_insert_with(|| {
            let function_id = builder.function(TRUNCATED, TRUNCATED, "");
            builder.location(0, &[Line { function_id, line: 0 }])
        })
    }

    fn location(&mut self, builder: &mut Builder, ip: usize, frame: Frame) -> Found {
        // `backtrace` looks up the instruction before the address, because an address is usually
        // the one that a call returns to.
        let address = if frame == Frame::Running { ip.saturating_add(1) } else { ip };
        *self.locations.entry((address, frame)).or_insert_with(|| {
            let (mut lines, mut start, mut allocator) = (vec![], None, 0);
            backtrace::resolve(address as *mut c_void, |symbol| {
                let (name, system_name) = symbol.name().map_or_else(Default::default, |name| {
                    (format!("{name:#}"), String::from_utf8_lossy(name.as_bytes()).into_owned())
                });
                if is_start(&name) {
                    start.get_or_insert(lines.len());
                }
                let file =
                    symbol.filename().map(|file| file.to_string_lossy().into_owned()).unwrap_or_default();
                if frame == Frame::Allocating && allocator == lines.len() && is_allocator(&name, &file) {
                    allocator += 1;
                }
                let function_id = builder.function(&name, &system_name, &file);
                lines.push(Line { function_id, line: symbol.lineno().unwrap_or(0).into() });
            });
            let is_caller = start == Some(0);
            let shown = start.filter(|_| !is_caller).unwrap_or(lines.len());
            let is_allocator = allocator > 0 && allocator >= shown;
            let shown = if is_allocator { 0..shown } else { allocator..shown };
            let location = builder.location(address as u64 - 1, &lines[shown]);
            Found { location, is_allocator, is_first: start.is_some(), is_caller }
        })
    }
}

/// Returns whether a function calls the work of a thread or of a benchmark.
fn is_start(name: &str) -> bool {
    let path = name.strip_prefix('<').unwrap_or(name);
    name.contains(START) || BENCHMARK_CALLERS.iter().any(|module| path.starts_with(module))
}

/// Returns whether a function is between an allocation and the code that asks for it: one of the sampler,
/// or of the standard library's crates `alloc` and `core`, such as `Vec::push`.
///
/// Names of inlined functions may lack their path, as with `debug = "line-tables-only"`, and functions
/// without debug information have no file. The field `drop_frames` of the format cannot say this: it omits
/// all that the outermost function with such a name calls, such as the closure of an iterator.
fn is_allocator(name: &str, file: &str) -> bool {
    const FILES: [&str; 6] = [
        "/library/alloc/src/",
        "/library/core/src/",
        "/library/std/src/thread/local.rs",
        "/src/capture/heap.rs",
        "/src/capture/sampling/heap.rs",
        "/backtrace-",
    ];
    const NAMES: [&str; 6] =
        ["alloc::", "core::", "pprof_views::capture::", "backtrace::", "std::thread::local::", "__rust"];
    let path = match name.strip_prefix('<') {
        Some(name) => match name.split_once(" as ") {
            Some((own, of_trait)) if !own.contains("::") => of_trait, // a primitive or any type
            _ => name,
        },
        None => name,
    };
    FILES.iter().any(|part| file.contains(part)) || NAMES.iter().any(|start| path.starts_with(start))
}

/// Returns the files whose machine code is mapped, according to Linux. On other systems there are
/// none.
fn mapped_files() -> Vec<(Mapping, String)> {
    let maps = fs::read("/proc/self/maps").unwrap_or_default(); // paths can be other than UTF-8
    String::from_utf8_lossy(&maps).lines().filter_map(mapping).collect()
}

/// Parses a line `start-end permissions offset device inode path`, with numbers in hexadecimal. The path
/// is padded at its start, and can have blanks itself.
/// Returns `None` unless it is an executable mapping of a file.
fn mapping(line: &str) -> Option<(Mapping, String)> {
    let mut words = line.splitn(6, ' ');
    let (start, limit) = words.next()?.split_once('-')?;
    let permissions = words.next()?;
    let offset = words.next()?;
    let file = words.nth(2)?.trim_start_matches(' ').replace("\\012", "\n"); // as Linux writes it
    if file.is_empty() {
        return None;
    }
    let number = |text| u64::from_str_radix(text, 16).ok();
    let mapping = Mapping {
        memory_start: number(start)?,
        memory_limit: number(limit)?,
        file_offset: number(offset)?,
        ..Mapping::default()
    };
    permissions.contains('x').then(|| (mapping, without_deleted(file)))
}

/// Removes what Linux adds to the path of a file that was deleted, unless a file has this name.
fn without_deleted(file: String) -> String {
    match file.strip_suffix(" (deleted)") {
        Some(name) if !Path::new(&file).exists() => name.into(),
        _ => file,
    }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::time::{Duration, SystemTime};

    use super::*;

    #[inline(never)]
    fn sampled(x: u64) -> u64 {
        black_box(x) * 3
    }

    #[test]
    fn first_instruction_in_the_innermost_frame_belongs_to_its_function() {
        let address = black_box(sampled as fn(u64) -> u64) as usize;
        let mut builder = Builder::new(&[("samples", "count"), ("cpu", "nanoseconds")]);
        let mut symbols = Symbols::new(&mut builder);
        let stack = symbols.stack(&mut builder, Frame::Running, &[address]);
        builder.sample(stack.clone(), &[1, 1], "");
        let profile = builder.finish(SystemTime::now(), Duration::ZERO, 0, ("cpu", "nanoseconds"));
        let top = crate::View::new(&profile).top();
        assert!(top.contains("symbols::tests::sampled"), "{top}");
        assert_eq!(profile.tables.location[stack[0] as usize - 1].address, address as u64);
    }

    #[test]
    fn functions_of_the_allocator_are_known_by_name_or_by_file() {
        let std = "/rustc/59807616e1fa/library";
        for (name, file) in [
            (
                "trace",
                "/home/me/.cargo/registry/src/index/backtrace-0.3.77/src/backtrace/libunwind.rs".to_owned(),
            ),
            ("reached", "/x/pprof-views-0.1.0/src/capture/sampling/heap.rs".into()),
            ("alloc<std::alloc::System>", "/x/pprof-views/src/capture/heap.rs".into()),
            ("with", format!("{std}/std/src/thread/local.rs")),
            ("with_capacity<u8>", format!("{std}/alloc/src/vec/mod.rs")),
            ("call_once", format!("{std}/core/src/ops/function.rs")),
            ("__rustc::__rust_alloc", String::new()),
            ("<alloc::vec::Vec<T> as core::clone::Clone>::clone", String::new()),
            ("<u8 as alloc::vec::spec_from_elem::SpecFromElem>::from_elem", String::new()),
            (
                "<pprof_views::capture::heap::HeapProfiler<A> as core::alloc::GlobalAlloc>::alloc",
                String::new(),
            ),
        ] {
            assert!(is_allocator(name, &file), "{name} in {file}");
        }
        for (name, file) in [
            ("hyper::proto::h1::io::new", "/x/hyper-1.12.0/src/proto/h1/io.rs"),
            ("<mine::Buffer as core::clone::Clone>::clone", "/x/mine/src/lib.rs"),
            ("<u8 as mine::Encode>::encode", ""),
            (
                "std::collections::hash::map::HashMap<K,V>::insert",
                "/x/library/std/src/collections/hash/map.rs",
            ),
            ("allocate", "/x/mine/src/alloc.rs"),
        ] {
            assert!(!is_allocator(name, file), "{name} in {file}");
        }
    }

    #[test]
    fn mappings_of_linux_are_parsed() {
        let line = "7f14e8dde000-7f14e8f34000 r-xp 00026000 fe:00 1234    /usr/lib/libc.so.6";
        let (mapping, file) = mapping(line).expect("a mapping");
        assert_eq!(file, "/usr/lib/libc.so.6");
        assert_eq!(
            (mapping.memory_start, mapping.memory_limit, mapping.file_offset),
            (0x7f14_e8dd_e000, 0x7f14_e8f3_4000, 0x26000)
        );
        for (path, name) in [
            ("  /target dir ü/a  b", "/target dir ü/a  b"),
            ("/a\\012b", "/a\nb"),
            ("/no/such/app (deleted)", "/no/such/app"),
            ("[vdso]", "[vdso]"),
        ] {
            let (_, file) = super::mapping(&format!("1-2 r-xp 0 0:0 0 {path}")).expect("a mapping");
            assert_eq!(file, name);
        }
        for other in [
            "1-2 r-xp 0 0:0 0 ",
            "7f14e8dde000-7f14e8f34000 r--p 00026000 fe:00 1234 /x",
            "1-2 r-xp 0 0:0 0",
            "?",
        ] {
            assert!(super::mapping(other).is_none(), "{other}");
        }
    }
}
