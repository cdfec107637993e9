//! Codecs as child processes: right ones pass, and whatever a wrong one does is named, with the values, in bounded time.
//!
//! The program is its own child: `exec child ROLE VALUE [FILE]`. So nothing but Rust is needed.

#[cfg(unix)]
mod child;
#[cfg(unix)]
mod faults;
#[cfg(unix)]
mod languages;
#[cfg(unix)]
mod lifetimes;
#[cfg(unix)]
#[path = "../common/limited.rs"]
mod limited;
#[cfg(unix)]
#[path = "../common/signals.rs"]
mod signals;

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    let words: Vec<String> = std::env::args().collect();
    if let [_, mode, role, value, file @ ..] = &words[..]
        && mode == "child"
    {
        let ended = child::main(role, value.parse().unwrap_or(0), file.first().map(String::as_str));
        return std::process::ExitCode::from(u8::from(ended.is_err()));
    }
    let tests = faults::tests().into_iter().chain(lifetimes::tests()).chain(languages::tests()).collect();
    libtest_mimic::run(&libtest_mimic::Arguments::from_args(), tests).exit_code()
}

#[cfg(not(unix))]
fn main() {
    println!("skipped: codecs as child processes need a Unix");
}

/// The command for a child of that role; `value` is the one it gets wrong.
#[cfg(unix)]
fn command(role: &str, value: i64) -> String {
    let program = std::env::current_exe().expect("this program");
    format!("'{}' child {role} {value}", program.display())
}

/// Tests with the names of their functions.
#[cfg(unix)]
macro_rules! tests {
    ($($name:ident)*) => {
        pub(crate) fn tests() -> Vec<libtest_mimic::Trial> {
            vec![$(libtest_mimic::Trial::test(stringify!($name), || {
                $name();
                Ok(())
            })),*]
        }
    };
}
#[cfg(unix)]
use tests;
