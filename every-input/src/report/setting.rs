//! How messages name the settings of a sweep: as methods of this library, or as options of the program
//! that runs the sweep.

/// What reports name as the program if there is none.
pub(crate) const LIBRARY: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

/// Returns whether a report that names this program is of this library, in any version.
pub(crate) fn is_library(program: &str) -> bool {
    program.strip_prefix(env!("CARGO_PKG_NAME")).is_some_and(|rest| rest.starts_with(' '))
}

/// Names a setting: `Sweep::max_failures` of this library is `--max-failures` of a program.
pub(crate) fn setting(program: &str, method: &str) -> String {
    if is_library(program) { format!("Sweep::{method}") } else { format!("--{}", method.replace('_', "-")) }
}

/// Names a setting with its value: `Sweep::max_failures(0)`, or `--max-failures 0`.
pub(crate) fn setting_to(program: &str, method: &str, value: &str) -> String {
    let name = setting(program, method);
    if is_library(program) { format!("{name}({value})") } else { format!("{name} {value}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_names_methods_and_a_program_options() {
        for program in [LIBRARY, "every-input 0.0.1"] {
            assert_eq!(setting(program, "max_failures"), "Sweep::max_failures");
            assert_eq!(setting_to(program, "max_failures", "0"), "Sweep::max_failures(0)");
        }
        for program in ["", "sweep 0.1.0", "every-input-tool 1.0"] {
            assert_eq!(setting_to(program, "max_failures", "0"), "--max-failures 0");
        }
    }
}
