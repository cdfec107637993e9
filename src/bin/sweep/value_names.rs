//! The names of enum values on the command line.

use clap::ValueEnum;

/// Returns the name of a value, or an empty string if the command line does not have the value.
pub(crate) fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|named| named.get_name().to_owned()).unwrap_or_default()
}

/// Returns a line for each value, with its name and description.
pub(crate) fn list_of<T: ValueEnum>() -> String {
    let values = T::value_variants().iter().filter_map(T::to_possible_value);
    values
        .map(|value| {
            let about = value.get_help().map(ToString::to_string).unwrap_or_default();
            format!("  {:<12} {about}\n", value.get_name())
        })
        .collect()
}
