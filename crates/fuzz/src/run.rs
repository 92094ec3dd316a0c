//! One target for some time: damage, parse, watch.

use std::fmt;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

use anyhow::Result;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::memory::peak_of;
use crate::mutate::{BYTES_MAX, mutated};
use crate::targets::Target;

/// How many times the memory of its input a parser may take.
pub const MEMORY_FACTOR: usize = 10;
/// What a parser may take however small the input: its buffers.
const MEMORY_FREE: usize = 2_000_000;
/// How long an input of 64 kB may take, without optimisation and beside other work.
pub const SECONDS_MAX: u64 = 20;

/// What came of a run.
#[derive(Debug)]
pub struct Outcome {
    /// Inputs that were parsed.
    pub inputs: u64,
    /// The most memory that an input took, in times its size, beyond what is always allowed.
    pub memory_factor: f64,
    /// The longest time that an input took.
    pub longest: Duration,
    /// The first failure, with the file that holds the input.
    pub failure: Option<(String, PathBuf)>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { inputs, memory_factor, longest, failure } = self;
        write!(f, "{inputs} inputs, longest {} ms, memory {memory_factor:.1} times the input", longest.as_millis())?;
        match failure {
            Some((what, path)) => write!(f, "; FAILED: {what}, {}", path.display()),
            None => Ok(()),
        }
    }
}

/// Gives a parser what is kept of it, its samples, and then damaged samples, until the time is over or one fails.
pub fn fuzz(target: &Target, time: Duration, seed: u64) -> Result<Outcome> {
    watch();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let samples: Vec<Vec<u8>> = (target.samples)().into_iter().filter(|sample| sample.len() <= BYTES_MAX).collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut outcome = Outcome { inputs: 0, memory_factor: 0.0, longest: Duration::ZERO, failure: None };
    for input in kept(&folder)?.iter().chain(&samples) {
        if let Some(what) = outcome.add(target, &folder, input) {
            return outcome.keep(&folder, what, input);
        }
    }
    let start = Instant::now();
    while start.elapsed() < time && !samples.is_empty() {
        let mut any = || samples.get(random.random_range(0..samples.len())).map_or(&[][..], Vec::as_slice);
        let (sample, other) = (any(), any());
        let input = mutated(sample, other, &mut random);
        if let Some(what) = outcome.add(target, &folder, &input) {
            return outcome.keep(&folder, what, &input);
        }
    }
    Ok(outcome)
}

/// The input that is being parsed, since when, and where it is kept if that does not end.
static CURRENT: Mutex<Option<(Instant, PathBuf, Vec<u8>)>> = Mutex::new(None);

/// Ends the process, with the input kept, where a parser does not return.
fn watch() {
    static WATCHER: Once = Once::new();
    WATCHER.call_once(|| {
        std::thread::spawn(|| {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let current = CURRENT.lock().map(|current| current.clone()).unwrap_or_default();
                let Some((since, folder, input)) = current else { continue };
                if since.elapsed() > Duration::from_secs(3 * SECONDS_MAX) {
                    eprintln!("it does not end: {:?}", write(&folder, &input));
                    std::process::abort();
                }
            }
        });
    });
}

/// The inputs that once failed, in order of their names.
fn kept(folder: &Path) -> Result<Vec<Vec<u8>>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    paths.iter().map(|path| Ok(fs::read(path)?)).collect()
}

impl Outcome {
    /// Parses an input; what is wrong with how, if anything is.
    fn add(&mut self, target: &Target, folder: &Path, input: &[u8]) -> Option<String> {
        self.inputs += 1;
        let start = Instant::now();
        if let Ok(mut current) = CURRENT.lock() {
            *current = Some((start, folder.to_path_buf(), input.to_vec()));
        }
        let (peak, size) = peak_of(|| catch_unwind(AssertUnwindSafe(|| (target.parse)(input))));
        let took = start.elapsed();
        if let Ok(mut current) = CURRENT.lock() {
            *current = None;
        }
        self.longest = self.longest.max(took);
        let Ok(size) = size else { return Some("it panicked".into()) };
        let beyond = peak.saturating_sub(MEMORY_FREE);
        self.memory_factor = self.memory_factor.max(beyond as f64 / size.max(1) as f64);
        if beyond > MEMORY_FACTOR * size {
            return Some(format!("{peak} bytes of memory for {size} of input"));
        }
        (took > Duration::from_secs(SECONDS_MAX)).then(|| format!("it took {} s", took.as_secs()))
    }

    /// Keeps an input that failed.
    fn keep(mut self, folder: &Path, what: String, input: &[u8]) -> Result<Self> {
        self.failure = Some((what, write(folder, input)?));
        Ok(self)
    }
}

/// Keeps an input, named by its content.
fn write(folder: &Path, input: &[u8]) -> Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let hash = input
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    let path = folder.join(format!("{hash:016x}"));
    fs::write(&path, input)?;
    Ok(path)
}
