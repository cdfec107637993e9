//! The file with the history: opening it, checking it, and messages for every file that cannot be
//! used.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, Error, ErrorCode, OpenFlags, TransactionBehavior};
use zigzag_varint_benches::failure::Failure;

/// Marks the file as a history of this program ("zzvh"), whatever its version.
const APPLICATION: i32 = 0x7a7a_7668;
/// The version of the tables below.
const VERSION: i32 = 1;
/// How long to wait for another program's lock.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

const TABLES: &str = "
CREATE TABLE run (
    id        INTEGER PRIMARY KEY,
    commit_id TEXT NOT NULL,
    changes   TEXT NOT NULL,    -- a hash of uncommitted changes; '' if there are none
    committed INTEGER NOT NULL, -- seconds since 1970
    subject   TEXT NOT NULL,
    host      TEXT NOT NULL,
    cpu       TEXT NOT NULL,
    rustc     TEXT NOT NULL,
    number    INTEGER NOT NULL, -- 1 for the first of this code on this machine
    UNIQUE (commit_id, changes, host, cpu, rustc, number)
) STRICT;
CREATE TABLE point (
    run       INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    benchmark TEXT NOT NULL,    -- operation/type/set
    contender TEXT NOT NULL,
    samples   INTEGER NOT NULL,
    minimum   REAL NOT NULL,    -- nanoseconds per value, as the next two columns
    mean      REAL NOT NULL,
    deviation REAL NOT NULL,    -- standard deviation of the samples
    PRIMARY KEY (run, benchmark, contender)
) STRICT, WITHOUT ROWID;
CREATE INDEX point_by_name ON point (benchmark, contender);
";

/// Opens a history for reading.
pub(crate) fn open(path: &Path) -> Result<Connection, Failure> {
    if !path.exists() {
        let path = path.display();
        return Err(Failure::File(format!(
            "{path}: no such history; run `cargo bench`, then `history record`, or name another file with --database"
        )));
    }
    refuse_folder(path)?;
    let opened = || {
        let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        database.busy_timeout(LOCK_TIMEOUT)?;
        let state = state(&database)?;
        Ok((database, state))
    };
    match opened().map_err(|error| explain(path, &error))? {
        (database, State::Valid) => Ok(database),
        (_, State::Empty) => Err(unusable(path, "is empty; run `history record` to fill it")),
        (_, State::Unusable(reason)) => Err(unusable(path, &reason)),
    }
}

/// Opens or creates a history and lets `work` change it in one transaction.
pub(crate) fn change<T>(
    path: &Path,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> Result<T, Failure> {
    refuse_folder(path)?;
    let changed = || {
        let mut database = Connection::open(path)?;
        database.busy_timeout(LOCK_TIMEOUT)?;
        database.pragma_update(None, "foreign_keys", true)?;
        if let State::Unusable(reason) = state(&database)? {
            return Ok(Err(unusable(path, &reason)));
        }
        let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Checked again under the lock: another program may have created the tables in the
        // meantime.
        if let State::Empty = state(&transaction)? {
            transaction.execute_batch(TABLES)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        let result = work(&transaction)?;
        transaction.commit()?;
        Ok(Ok(result))
    };
    changed().map_err(|error| explain(path, &error))?
}

/// Refuses a folder, for which SQLite would report a disk error.
fn refuse_folder(path: &Path) -> Result<(), Failure> {
    if path.is_dir() { Err(unusable(path, "is a folder; name a file in it with --database")) } else { Ok(()) }
}

/// The state of a database.
enum State {
    /// A history of this version.
    Valid,
    /// A database without tables.
    Empty,
    /// Anything else, with the reason.
    Unusable(String),
}

fn state(database: &Connection) -> rusqlite::Result<State> {
    let number = |sql| database.query_row(sql, (), |row| row.get::<_, i32>(0));
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    if application == 0 && version == 0 && number("SELECT count(*) FROM sqlite_schema")? == 0 {
        return Ok(State::Empty);
    }
    if application != APPLICATION {
        return Ok(State::Unusable(
            "a database of another program; name another file with --database".to_owned(),
        ));
    }
    if version != VERSION {
        let reason = format!(
            "version {version} of the tables (expected version {VERSION}); use the program that wrote the \
             file, or name another file with --database"
        );
        return Ok(State::Unusable(reason));
    }
    let result: String = database.query_row("PRAGMA quick_check(1)", (), |row| row.get(0))?;
    Ok(if result == "ok" { State::Valid } else { State::Unusable(damaged(&result)) })
}

/// Returns the message for an error of SQLite.
pub(crate) fn explain(path: &Path, error: &Error) -> Failure {
    let reason = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            "not a SQLite database; name another file with --database".to_owned()
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "in use by another program; try again when that program has ended".to_owned()
        }
        Some(ErrorCode::DatabaseCorrupt) => damaged(&error.to_string()),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => format!(
            "cannot be opened or written ({error}); check the permissions of the file and its folder, or name \
             another file with --database"
        ),
        Some(ErrorCode::DiskFull) => "the disk is full; free some space and try again".to_owned(),
        _ => error.to_string(),
    };
    unusable(path, &reason)
}

fn damaged(what: &str) -> String {
    let what = what.replace('\n', " ");
    let what = what.trim();
    format!(
        "damaged database ({what}); restore a copy, or rescue its data with `sqlite3 FILE .recover`, \
         or name another file with --database"
    )
}

fn unusable(path: &Path, reason: &str) -> Failure {
    Failure::File(format!("{}: {reason}", path.display()))
}
