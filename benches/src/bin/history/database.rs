//! The file that holds the history: opened, checked, and every way it can be unfit said in words.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, Error, ErrorCode, OpenFlags, TransactionBehavior};
use zigzag_varint_benches::failure::Failure;

/// Marks the file as a history of this program ("zzvh"), whatever its version.
const APPLICATION: i32 = 0x7a7a_7668;
/// Changes with the tables below.
const VERSION: i32 = 1;
/// How long another program's lock is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

const TABLES: &str = "
CREATE TABLE run (
    id        INTEGER PRIMARY KEY,
    commit_id TEXT NOT NULL,
    changes   TEXT NOT NULL,    -- a hash of what is not committed; '' without
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
    minimum   REAL NOT NULL,    -- nanoseconds per value, like the other two
    mean      REAL NOT NULL,
    deviation REAL NOT NULL,    -- standard deviation of the samples
    PRIMARY KEY (run, benchmark, contender)
) STRICT, WITHOUT ROWID;
CREATE INDEX point_by_name ON point (benchmark, contender);
";

/// Opens a history to read it.
pub(crate) fn open(path: &Path) -> Result<Connection, Failure> {
    if !path.exists() {
        let path = path.display();
        return Err(Failure::File(format!(
            "no history in {path}; run `cargo bench`, then `history record`, or name another file with --database"
        )));
    }
    refuse_folder(path)?;
    let opened = || {
        let database = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        database.busy_timeout(PATIENCE)?;
        let fitness = fitness(&database)?;
        Ok((database, fitness))
    };
    match opened().map_err(|error| explain(path, &error))? {
        (database, Fitness::Ours) => Ok(database),
        (_, Fitness::Empty) => Err(unfit(path, "it is empty; run `history record` to fill it")),
        (_, Fitness::Unfit(reason)) => Err(unfit(path, &reason)),
    }
}

/// Opens a history, or begins one, and lets `work` change it: wholly, or not at all where that fails.
pub(crate) fn change<T>(
    path: &Path,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> Result<T, Failure> {
    refuse_folder(path)?;
    let changed = || {
        let mut database = Connection::open(path)?;
        database.busy_timeout(PATIENCE)?;
        database.pragma_update(None, "foreign_keys", true)?;
        if let Fitness::Unfit(reason) = fitness(&database)? {
            return Ok(Err(unfit(path, &reason)));
        }
        let transaction = database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Asked again under the lock: another program may have begun it in the meantime.
        if let Fitness::Empty = fitness(&transaction)? {
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

/// SQLite speaks of a disk error.
fn refuse_folder(path: &Path) -> Result<(), Failure> {
    if path.is_dir() { Err(unfit(path, "it is a folder; name a file in it with --database")) } else { Ok(()) }
}

enum Fitness {
    Ours,
    /// No table yet.
    Empty,
    Unfit(String),
}

fn fitness(database: &Connection) -> rusqlite::Result<Fitness> {
    let number = |sql| database.query_row(sql, (), |row| row.get::<_, i32>(0));
    let application = number("PRAGMA application_id")?;
    let version = number("PRAGMA user_version")?;
    if application == 0 && version == 0 && number("SELECT count(*) FROM sqlite_schema")? == 0 {
        return Ok(Fitness::Empty);
    }
    if application != APPLICATION {
        return Ok(Fitness::Unfit(
            "it is a database of another program; name another file with --database".to_owned(),
        ));
    }
    if version != VERSION {
        let reason = format!(
            "it has version {version} of the tables and this program knows version {VERSION}; \
             use the program that made it, or begin another file with --database"
        );
        return Ok(Fitness::Unfit(reason));
    }
    let verdict: String = database.query_row("PRAGMA quick_check(1)", (), |row| row.get(0))?;
    Ok(if verdict == "ok" { Fitness::Ours } else { Fitness::Unfit(damaged(&verdict)) })
}

/// An error of SQLite's in this program's words.
pub(crate) fn explain(path: &Path, error: &Error) -> Failure {
    let reason = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            "it is no SQLite database; name another file with --database".to_owned()
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another program is using it; let that end, then try again".to_owned()
        }
        Some(ErrorCode::DatabaseCorrupt) => damaged(&error.to_string()),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => format!(
            "it cannot be opened or written ({error}); give leave to write it and its folder, or name another file with --database"
        ),
        Some(ErrorCode::DiskFull) => "the disk is full; make room, then try again".to_owned(),
        _ => error.to_string(),
    };
    unfit(path, &reason)
}

fn damaged(what: &str) -> String {
    let what = what.replace('\n', " ");
    let what = what.trim();
    format!(
        "it is damaged ({what}); restore a copy, or save what can be read with `sqlite3 FILE .recover`, \
         or begin another file with --database"
    )
}

fn unfit(path: &Path, reason: &str) -> Failure {
    Failure::File(format!("{}: {reason}", path.display()))
}
