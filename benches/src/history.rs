//! Results by commit, in a SQLite file that git ignores.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, Error, ErrorCode, OpenFlags, Row, TransactionBehavior};

use crate::failure::Failure;
use crate::host;
use crate::name::Group;
use crate::results::Measurement;

/// Marks the file as a history of this program ("zzvh"), whatever its version.
const APPLICATION: i32 = 0x7a7a_7668;
/// The version of the tables below.
const VERSION: i32 = 2;
/// How long to wait for another program's lock.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

const TABLES: &str = "
CREATE TABLE run (
    id        INTEGER PRIMARY KEY,
    code      TEXT NOT NULL,    -- the commit's full name, with -dirty if files differ from it
    committed INTEGER NOT NULL, -- seconds since 1970
    machine   TEXT NOT NULL     -- host, CPU and compiler: only runs of one machine are compared
) STRICT;
CREATE TABLE measurement (
    run         INTEGER NOT NULL REFERENCES run (id),
    benchmark   TEXT NOT NULL,  -- operation/type/set
    contender   TEXT NOT NULL,
    elements    INTEGER NOT NULL, -- values per operation
    samples     INTEGER NOT NULL,
    nanoseconds REAL NOT NULL,  -- per value, the minimum of the samples
    allocations INTEGER NOT NULL, -- per operation
    PRIMARY KEY (run, benchmark, contender)
) STRICT, WITHOUT ROWID;";

/// What was measured at one time.
#[derive(Debug, PartialEq)]
pub struct Run {
    /// The full name of the commit, with `-dirty` if files differ from it.
    pub code: String,
    /// The time of the commit, in seconds since 1970.
    pub committed: i64,
    /// The host, the CPU and the compiler.
    pub machine: String,
    /// The results.
    pub results: Vec<Measurement>,
}

impl Run {
    /// Returns a run of the code that is checked out on this machine, or `None` if git does not know
    /// the code.
    #[must_use]
    pub fn new(results: Vec<Measurement>) -> Option<Self> {
        let code = git(&["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"])?;
        let committed = git(&["log", "-1", "--no-show-signature", "--format=%ct"])?.parse().ok()?;
        Some(Self { code, committed, machine: machine(), results })
    }
}

/// Returns a short name of a code, such as `1c279a4` or `1c279a4-dirty`.
#[must_use]
pub fn label(code: &str) -> String {
    let (commit, changes) = code.split_at(code.find('-').unwrap_or(code.len()));
    format!("{}{changes}", commit.get(..7).unwrap_or(commit))
}

/// Returns the names of this host, its CPU and the compiler.
#[must_use]
pub fn machine() -> String {
    format!("{}; {}; {}", host::name(), host::cpu(), host::rustc())
}

/// Returns the output of git in this repository.
fn git(arguments: &[&str]) -> Option<String> {
    host::output("git", &[&["-C", env!("CARGO_MANIFEST_DIR")], arguments].concat())
}

/// Returns the full name of the commit of a revision such as `HEAD~2`.
pub(crate) fn commit(revision: &str) -> Option<String> {
    git(&["rev-parse", "--quiet", "--verify", "--end-of-options", &format!("{revision}^{{commit}}")])
}

/// Returns the file of this repository.
#[must_use]
pub fn default_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("history.sqlite")
}

/// Adds a run to the file `path`, which is created if it does not exist.
///
/// # Errors
///
/// Returns a failure if the file cannot be written, or is not a history of this version.
pub fn record(path: &Path, run: &Run) -> Result<(), Failure> {
    let insert = || {
        let mut database = Connection::open(path)?;
        database.busy_timeout(LOCK_TIMEOUT)?;
        let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if is_empty(&transaction)? {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        } else if let Some(problem) = unusable(&transaction)? {
            return Ok(Err(problem));
        }
        transaction.execute(
            "INSERT INTO run (code, committed, machine) VALUES (?1, ?2, ?3)",
            (&run.code, run.committed, &run.machine),
        )?;
        let id = transaction.last_insert_rowid();
        for result in &run.results {
            let Measurement { group, contender, values, samples, nanoseconds, allocations } = result;
            transaction.execute(
                "INSERT INTO measurement VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                (id, group.to_string(), contender, values, samples, nanoseconds, allocations),
            )?;
        }
        transaction.commit()?;
        Ok(Ok(()))
    };
    explain(path, insert())
}

/// Reads the runs on `machine` whose benchmarks `filter` accepts by their full names, from the oldest
/// commit to the newest.
///
/// # Errors
///
/// Returns a failure if the file cannot be read, is not a history of this version, or has no such
/// run.
pub fn read(path: &Path, machine: &str, filter: impl Fn(&str) -> bool) -> Result<Vec<Run>, Failure> {
    if !path.exists() {
        return Err(failure(path, "no results are recorded; run `cargo bench` first"));
    }
    let select = || {
        let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        database.busy_timeout(LOCK_TIMEOUT)?;
        if let Some(problem) = unusable(&database)? {
            return Ok(Err(problem));
        }
        let mut query = database.prepare(
            "SELECT id, code, committed, benchmark, contender, elements, samples, nanoseconds, allocations
             FROM run JOIN measurement ON run.id = run WHERE machine = ?1 ORDER BY committed, id",
        )?;
        let mut rows = query.query([machine])?;
        let mut runs: Vec<(i64, Run)> = Vec::new();
        while let Some(row) = rows.next()? {
            let Some(result) = measurement(row)?.filter(|result| filter(&result.name())) else { continue };
            let id = row.get(0)?;
            match runs.last_mut().filter(|(last, _)| *last == id) {
                Some((_, run)) => run.results.push(result),
                None => {
                    let (code, committed) = (row.get(1)?, row.get(2)?);
                    runs.push((id, Run { code, committed, machine: machine.into(), results: vec![result] }));
                }
            }
        }
        Ok(Ok(runs.into_iter().map(|(_, run)| run).collect::<Vec<_>>()))
    };
    let runs = explain(path, select())?;
    if runs.is_empty() {
        return Err(failure(
            path,
            "no such results of this machine; run `cargo bench`, or use another filter",
        ));
    }
    Ok(runs)
}

fn measurement(row: &Row<'_>) -> Result<Option<Measurement>, Error> {
    let Some(group) = Group::parse(row.get_ref(3)?.as_str()?) else { return Ok(None) };
    Ok(Some(Measurement {
        group,
        contender: row.get(4)?,
        values: row.get(5)?,
        samples: row.get(6)?,
        nanoseconds: row.get(7)?,
        allocations: row.get(8)?,
    }))
}

fn is_empty(database: &Connection) -> Result<bool, Error> {
    database.query_row("SELECT count(*) = 0 FROM sqlite_schema", (), |row| row.get(0))
}

/// Returns why a database is not a history of this version, if so.
fn unusable(database: &Connection) -> Result<Option<String>, Error> {
    let number = |sql| database.query_row(sql, (), |row| row.get::<_, i32>(0));
    let marks = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    Ok(match marks {
        (APPLICATION, VERSION) => None,
        (APPLICATION, other) => {
            Some(format!("version {other} of the tables, expected version {VERSION}; move the file away"))
        }
        _ => Some("a database of another program; move the file away".into()),
    })
}

/// Returns the message for an error of SQLite, or for a file that cannot be used.
fn explain<T>(path: &Path, result: Result<Result<T, String>, Error>) -> Result<T, Failure> {
    let error = match result {
        Ok(result) => return result.map_err(|problem| failure(path, &problem)),
        Err(error) => error,
    };
    let problem = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "not a SQLite database; move the file away".to_owned(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "in use by another program; try again when that program has ended".to_owned()
        }
        Some(ErrorCode::DatabaseCorrupt) => format!("damaged database ({error}); move the file away"),
        _ => format!("{error}; check the free space, and the permissions of the file and its folder"),
    };
    Err(failure(path, &problem))
}

fn failure(path: &Path, problem: &str) -> Failure {
    Failure::File(format!("{}: {problem}", path.display()))
}
