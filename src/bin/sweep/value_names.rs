//! The names that the command line has for the values of an enum.

use clap::ValueEnum;

/// Returns the name of a value. A value that the command line does not offer has an empty one.
pub(crate) fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|named| named.get_name().to_owned()).unwrap_or_default()
}

/// Returns a line for each value: its name and what it is.
pub(crate) fn list_of<T: ValueEnum>() -> String {
    let values = T::value_variants().iter().filter_map(T::to_possible_value);
    values
        .map(|value| {
            let about = value.get_help().map(ToString::to_string).unwrap_or_default();
            format!("  {:<12} {about}\n", value.get_name())
        })
        .collect()
}
