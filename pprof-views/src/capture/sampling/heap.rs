//! Samples allocations. This is called by the allocator, so whatever allocates memory here must be
//! marked as busy, and nothing may wait for a lock that the same thread can hold.

use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, SystemTime};

use pprof::MAX_DEPTH;

use super::builder::Builder;
use super::symbols::{Frame, Symbols};
use crate::capture::error::{CaptureError, DEFAULT_RATE};
use crate::format::Profile;

/// The number of parts of a table, each with a lock.
const SHARDS: usize = 64;
/// The number of counters of the filter.
const COUNTERS: usize = 1 << 16;
/// The number of allocated bytes after which a thread that takes no samples looks at the rate again.
const PAUSE: i64 = 1 << 30;
/// The unit in which objects are counted: a sample can stand for a fraction of an object more.
const FRACTION: f64 = 256.0;

static RATE: AtomicUsize = AtomicUsize::new(DEFAULT_RATE);
/// Whether the allocator of this process is the one that calls this module.
static IS_INSTALLED: AtomicBool = AtomicBool::new(false);
/// The process that has taken the first sample.
static PROCESS: AtomicU32 = AtomicU32::new(0);
/// The sampled allocations that are not freed, by address.
static SAMPLES: [Mutex<Table<usize, Sample>>; SHARDS] = [const { Mutex::new(new_table()) }; SHARDS];
/// For each hash of an address, how many samples have it. Nearly all allocations that are freed are no
/// samples, and this tells it without a lock.
static FILTER: [AtomicU32; COUNTERS] = [const { AtomicU32::new(0) }; COUNTERS];
static STACKS: [Mutex<Table<&'static [usize], &'static Stack>>; SHARDS] =
    [const { Mutex::new(new_table()) }; SHARDS];

type Table<K, V> = HashMap<K, V, BuildHasherDefault<AddressHasher>>;

const fn new_table<K, V>() -> Table<K, V> {
    HashMap::with_hasher(BuildHasherDefault::new())
}

/// A sampled allocation with the objects and bytes that it stands for.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    stack: &'static Stack,
    objects: u64,
    bytes: u64,
}

/// A stack with what was allocated there. It is never freed, so that samples can refer to it.
struct Stack {
    frames: Box<[usize]>,
    allocated: Sum,
    freed: Sum,
}

#[derive(Default)]
struct Sum {
    objects: AtomicU64,
    bytes: AtomicU64,
}

impl Sum {
    fn add(&self, sample: Sample) {
        self.objects.fetch_add(sample.objects, Relaxed);
        self.bytes.fetch_add(sample.bytes, Relaxed);
    }

    fn subtract(&self, sample: Sample) {
        self.objects.fetch_sub(sample.objects, Relaxed);
        self.bytes.fetch_sub(sample.bytes, Relaxed);
    }

    /// Returns the objects and the bytes, less those of `other`.
    fn without(&self, other: &Self) -> [i64; 2] {
        let less =
            |of: fn(&Self) -> &AtomicU64| of(self).load(Relaxed).saturating_sub(of(other).load(Relaxed));
        let objects = less(|sum| &sum.objects) as f64 / FRACTION;
        [objects.round() as i64, less(|sum| &sum.bytes).try_into().unwrap_or(i64::MAX)]
    }
}

/// The state of a thread. It has no destructor, so that it also works while a thread ends.
struct Local {
    /// The number of bytes before the next sample.
    left: Cell<i64>,
    /// The state of the random generator. It is 0 if `left` is yet to be drawn.
    random: Cell<u64>,
    /// Whether this module allocates.
    is_busy: Cell<bool>,
}

thread_local! {
    static LOCAL: Local =
        const { Local { left: Cell::new(0), random: Cell::new(0), is_busy: Cell::new(false) } };
}

impl Local {
    /// Draws the number of bytes before the next sample, from an exponential distribution: then each byte
    /// has the same probability, whatever was sampled before.
    fn draw(&self, rate: usize) -> i64 {
        let mut random = self.random.get();
        if random == 0 {
            let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
            random = mix(std::ptr::from_ref(self) as u64 ^ time.as_nanos() as u64) | 1;
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        self.random.set(random);
        let uniform = ((random >> 11) + 1) as f64 / (1u64 << 53) as f64; // above 0, at most 1
        (-uniform.ln() * rate as f64) as i64
    }

    fn busy<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = self.is_busy.replace(true);
        let result = work();
        self.is_busy.set(before);
        result
    }
}

pub(crate) fn set_rate(bytes: usize) {
    RATE.store(bytes, Relaxed);
    LOCAL.with(|local| {
        local.random.set(0);
        local.left.set(0);
    });
}

/// Counts an allocation, which failed if `pointer` is null.
#[inline]
pub(crate) fn allocated(pointer: *mut u8, size: usize) {
    LOCAL.with(|local| {
        let left = local.left.get().saturating_sub_unsigned(size as u64);
        local.left.set(left);
        if left < 0 {
            reached(local, pointer, size);
        }
    });
}

/// Takes a sample, if the allocation is one.
#[cold]
#[inline(never)]
fn reached(local: &Local, pointer: *mut u8, size: usize) {
    IS_INSTALLED.store(true, Relaxed);
    if local.is_busy.get() || pointer.is_null() {
        local.left.set(local.left.get().saturating_add_unsigned(size as u64));
        return;
    }
    let rate = RATE.load(Relaxed);
    if rate == 0 {
        local.random.set(0);
        local.left.set(PAUSE);
        return;
    }
    if local.random.get() == 0 {
        local.left.set(local.draw(rate).saturating_sub_unsigned(size as u64));
        if local.left.get() >= 0 && rate > 1 {
            return;
        }
    }
    // At the rate 1 the next allocation is the next sample, even of one byte.
    local.left.set(if rate == 1 { 0 } else { local.draw(rate) });
    // The probability that an allocation of this size is a sample.
    let probability = if rate == 1 { 1.0 } else { -(-(size as f64) / rate as f64).exp_m1() };
    local.busy(|| {
        let _ = PROCESS.compare_exchange(0, process::id(), Relaxed, Relaxed);
        let Some(stack) = stack() else { return };
        let objects = (FRACTION / probability).round() as u64;
        let sample = Sample { stack, objects, bytes: (size as f64 / probability).round() as u64 };
        if insert(pointer as usize, sample) {
            stack.allocated.add(sample);
        }
    });
}

/// Inserts a sample, and returns whether that was possible.
fn insert(address: usize, sample: Sample) -> bool {
    let hash = hash(address);
    let Some(mut samples) = lock(&SAMPLES[hash % SHARDS]) else { return false };
    match samples.insert(address, sample) {
        Some(lost) => lost.stack.freed.add(lost), // was freed while its lock could not be taken
        None => drop(FILTER[hash].fetch_add(1, Relaxed)),
    }
    true
}

/// Removes the sample of an address that is about to be freed.
#[inline]
pub(crate) fn freed(pointer: *mut u8) -> Option<Sample> {
    // Relaxed is enough: whoever frees an address has got it from the thread that has counted it.
    if FILTER[hash(pointer as usize)].load(Relaxed) == 0 { None } else { remove(pointer as usize) }
}

#[cold]
#[inline(never)]
fn remove(address: usize) -> Option<Sample> {
    LOCAL.with(|local| {
        if local.is_busy.get() {
            return None; // memory of this module, which is never a sample
        }
        local.busy(|| {
            let hash = hash(address);
            let sample = lock(&SAMPLES[hash % SHARDS])?.remove(&address)?;
            FILTER[hash].fetch_sub(1, Relaxed);
            sample.stack.freed.add(sample);
            Some(sample)
        })
    })
}

/// Takes back that an address was freed.
#[cold]
pub(crate) fn restore(pointer: *mut u8, sample: Option<Sample>) {
    let Some(sample) = sample else { return };
    if LOCAL.with(|local| local.busy(|| insert(pointer as usize, sample))) {
        sample.stack.freed.subtract(sample);
    }
}

/// Locks a part of a table. In a child after `fork`, a thread that does not exist there may hold the
/// lock: then this does not wait, and returns `None`.
fn lock<T>(table: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    match table.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::WouldBlock) if process::id() == PROCESS.load(Relaxed) => table.lock().ok(),
        Err(_) => None,
    }
}

/// Returns the current stack.
#[allow(unsafe_code)] // the safe function waits for a lock, which a child after `fork` cannot get
fn stack() -> Option<&'static Stack> {
    let (mut frames, mut depth) = ([0; MAX_DEPTH], 0);
    // SAFETY: the function is unsafe because of Windows, for which this module is not compiled. Elsewhere
    // threads can trace their stacks at the same time.
    unsafe {
        backtrace::trace_unsynchronized(|frame| {
            let address = frame.ip() as usize; // 0 after the outermost function
            frames[depth] = address;
            depth += usize::from(address != 0);
            address != 0 && depth < MAX_DEPTH
        });
    }
    let frames = &frames[..depth];
    let hash = BuildHasherDefault::<AddressHasher>::new().hash_one(frames);
    let mut stacks = lock(&STACKS[hash as usize % SHARDS])?;
    if let Some(stack) = stacks.get(frames) {
        return Some(*stack);
    }
    let new = Stack { frames: frames.into(), allocated: Sum::default(), freed: Sum::default() };
    let stack: &'static Stack = Box::leak(Box::new(new));
    stacks.insert(&stack.frames, stack);
    Some(stack)
}

pub(crate) fn profile(default_type: &str) -> Result<Profile, CaptureError> {
    drop(std::hint::black_box(Box::new(0u8))); // the first allocation of this thread, if it is one
    if !IS_INSTALLED.load(Relaxed) {
        return Err(CaptureError::NoHeapProfiler);
    }
    let values = |table| -> Vec<&'static Stack> {
        lock(table)
            .map_or_else(Vec::new, |stacks: MutexGuard<'_, Table<_, _>>| stacks.values().copied().collect())
    };
    // Busy, because a sample would wait for the lock that this thread holds.
    let mut stacks: Vec<_> = LOCAL.with(|local| local.busy(|| STACKS.iter().flat_map(values).collect()));
    stacks.sort_by(|one, other| one.frames.cmp(&other.frames));
    let types = ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"];
    let mut builder = Builder::new(&[0, 1, 2, 3].map(|at| (types[at], ["count", "bytes"][at % 2])));
    builder.default_type(default_type);
    let mut symbols = Symbols::new(&mut builder);
    for Stack { frames, allocated, freed } in stacks {
        let values = [allocated.without(&Sum::default()), allocated.without(freed)].concat();
        let locations = symbols.stack(&mut builder, Frame::Allocating, frames);
        builder.sample(locations, &values, "");
    }
    let period = RATE.load(Relaxed).try_into().unwrap_or(i64::MAX);
    Ok(builder.finish(SystemTime::now(), Duration::ZERO, period, ("space", "bytes")))
}

/// Returns the counter of an address in the filter.
#[inline]
fn hash(address: usize) -> usize {
    (mix(address as u64 >> 4) >> 48) as usize // addresses are multiples of 16
}

#[inline]
fn mix(word: u64) -> u64 {
    word.wrapping_mul(0x9e37_79b9_7f4a_7c15) // 2^64 divided by the golden ratio: Fibonacci hashing
}

/// Hashes addresses and stacks. The standard hasher is built for inputs of attackers, and slower.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_ne_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0.rotate_left(5) ^ word);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}
