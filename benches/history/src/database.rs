//! The database, and messages for files that cannot be used as one.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, Row, TransactionBehavior, params};

use crate::measurement::{Environment, Measurement};

/// Marks the file as one of this program ("zzvh"), whatever its version.
const APPLICATION: i32 = 0x7a7a_7668;
/// The version of the table below.
const VERSION: i32 = 1;
/// How long to wait for another program's lock.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// The samples identify a measurement: no two runs take the same times, and copies of a file have the
/// same samples.
const TABLE: &str = "
CREATE TABLE measurement (
    benchmark TEXT NOT NULL,    -- the name without its last part, as criterion's group
    contender TEXT NOT NULL,    -- the last part
    baseline  TEXT NOT NULL,    -- a commit, or another name
    date      INTEGER NOT NULL, -- seconds since 1970
    machine   TEXT,             -- NULL if unknown
    compiler  TEXT,             -- NULL if unknown
    elements  INTEGER,          -- per iteration; NULL if unknown
    samples   TEXT NOT NULL,    -- nanoseconds per iteration, an array of JSON
    UNIQUE (benchmark, contender, samples)
) STRICT;
";

/// Adds `measurements` to the database `path`, unless they are there already, in one transaction. The
/// file is created if it does not exist. Returns the number of those added, and all measurements.
///
/// # Errors
///
/// Names the file and the remedy.
pub(crate) fn update(path: &Path, measurements: &[Measurement]) -> Result<(usize, Vec<Measurement>), String> {
    let updated = || {
        let mut database = Connection::open(path)?;
        database.busy_timeout(LOCK_TIMEOUT)?;
        let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if let Some(problem) = prepare(&transaction)? {
            return Ok(Err(problem));
        }
        let added = add(&transaction, measurements)?;
        let all = read(&transaction)?;
        transaction.commit()?;
        Ok(Ok((added, all)))
    };
    updated()
        .unwrap_or_else(|error| Err(explain(&error)))
        .map_err(|problem| format!("{}: {problem}", path.display()))
}

/// Creates the table in an empty database. Returns what is wrong with any other one.
fn prepare(database: &Connection) -> rusqlite::Result<Option<String>> {
    let number = |sql| database.query_row(sql, (), |row| row.get::<_, i32>(0));
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    if application == 0 && version == 0 && number("SELECT count(*) FROM sqlite_schema")? == 0 {
        database.execute_batch(TABLE)?;
        database.pragma_update(None, "application_id", APPLICATION)?;
        database.pragma_update(None, "user_version", VERSION)?;
    } else if application != APPLICATION {
        return Ok(Some("a database of another program; name another file with --db".into()));
    } else if version != VERSION {
        return Ok(Some(format!(
            "its format is version {version}, and this program knows version {VERSION}; update the program, or \
             name another file with --db"
        )));
    }
    Ok(None)
}

fn add(database: &Connection, measurements: &[Measurement]) -> rusqlite::Result<usize> {
    let mut insert = database.prepare(
        "INSERT INTO measurement (benchmark, contender, baseline, date, machine, compiler, elements, samples)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (benchmark, contender, samples) DO NOTHING",
    )?;
    let mut added = 0;
    for one in measurements {
        let environment = one.environment.as_ref();
        added += insert.execute(params![
            one.group,
            one.contender,
            one.baseline,
            one.date,
            environment.map(|environment| &environment.machine),
            environment.map(|environment| &environment.compiler),
            one.elements,
            serde_json::to_string(&one.samples).expect("numbers"),
        ])?;
    }
    Ok(added)
}

fn read(database: &Connection) -> rusqlite::Result<Vec<Measurement>> {
    let mut select = database.prepare(
        "SELECT benchmark, contender, baseline, date, machine, compiler, elements, samples FROM measurement",
    )?;
    select.query_map((), measurement)?.collect()
}

fn measurement(row: &Row<'_>) -> rusqlite::Result<Measurement> {
    let (machine, compiler): (Option<_>, Option<_>) = (row.get(4)?, row.get(5)?);
    let samples: String = row.get(7)?;
    let samples = serde_json::from_str(&samples).ok().filter(|samples: &Vec<f64>| !samples.is_empty());
    Ok(Measurement {
        group: row.get(0)?,
        contender: row.get(1)?,
        baseline: row.get(2)?,
        date: row.get(3)?,
        environment: machine.zip(compiler).map(|(machine, compiler)| Environment { machine, compiler }),
        elements: row.get(6)?,
        samples: samples.ok_or(rusqlite::Error::InvalidQuery)?,
    })
}

/// Returns the message for an error of SQLite.
fn explain(error: &rusqlite::Error) -> String {
    use ErrorCode::*;
    match error.sqlite_error_code() {
        Some(NotADatabase) => "not a SQLite database; name another file with --db".into(),
        Some(DatabaseBusy | DatabaseLocked) => {
            "in use by another program; try again when that program has ended".into()
        }
        Some(CannotOpen | ReadOnly | PermissionDenied | SystemIoFailure) => format!(
            "cannot be opened or written ({error}); check the permissions of the file and its folder, or name \
             another file with --db"
        ),
        Some(DiskFull) => "the disk is full; free some space and try again".into(),
        _ => format!(
            "damaged ({error}); remove the file, and all that criterion's folder has is imported again"
        ),
    }
}
