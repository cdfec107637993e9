//! Tables of the properties of JSON, from a JSON Schema.

use std::fmt::Write;

use serde_json::Value;

/// Names of the definitions that are no objects, as readers know them.
const SIMPLE: [(&str, &str); 6] = [
    ("count", "decimal string"),
    ("integer", "decimal string"),
    ("seconds", "number (s)"),
    ("optional_seconds", "number (s) or null"),
    ("rate", "number (1/s)"),
    ("time", "string (RFC 3339)"),
];

struct Schema<'v> {
    definitions: &'v Value,
}

impl<'v> Schema<'v> {
    /// Returns the name and the content of the definition that a property refers to.
    fn referred(&self, property: &'v Value) -> Option<(&'v str, &'v Value)> {
        let name = property["$ref"].as_str()?.rsplit('/').next()?;
        Some((name, &self.definitions[name]))
    }

    fn kind(&self, property: &'v Value) -> String {
        let alternatives = |list: &'v Value| {
            let kinds: Vec<String> =
                list.as_array().into_iter().flatten().map(|one| self.kind(one)).collect();
            kinds.join(" or ")
        };
        if let Some((name, target)) = self.referred(property) {
            if target["properties"].is_object() {
                return format!("[`{name}`](#{name})");
            }
            let simple = SIMPLE.iter().find(|(simple, _)| *simple == name);
            return simple.map_or_else(|| self.kind(target), |(_, kind)| (*kind).to_owned());
        }
        match &property["type"] {
            _ if property["anyOf"].is_array() => alternatives(&property["anyOf"]),
            _ if property["oneOf"].is_array() || property["enum"].is_array() => "string".to_owned(),
            _ if !property["const"].is_null() => {
                format!("`{}`", property["const"].to_string().trim_matches('"'))
            }
            Value::String(list) if list == "array" && property["prefixItems"].is_array() => {
                "pair of decimal strings".to_owned()
            }
            Value::String(list) if list == "array" => {
                let item = self.kind(&property["items"]);
                let is_countable = ["number", "pair"].iter().find(|noun| item.starts_with(**noun));
                let items = is_countable.map(|noun| item.replacen(noun, &format!("{noun}s"), 1));
                format!("list of {}", items.unwrap_or(item))
            }
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
            Value::String(kind) => kind.clone(),
            _ => "null".to_owned(),
        }
    }

    /// Returns the values of a property that are listed, each with its meaning if there is one.
    fn values(&self, property: &'v Value) -> Option<String> {
        if let Some((_, target)) = self.referred(property) {
            return self.values(target);
        }
        if let Some(list) = property["anyOf"].as_array() {
            return list.iter().find_map(|one| self.values(one));
        }
        if let Some(list) = property["enum"].as_array() {
            let names: Vec<_> =
                list.iter().filter_map(Value::as_str).map(|name| format!("`{name}`")).collect();
            return Some(format!("One of {}", names.join(", ")));
        }
        let list = property["oneOf"].as_array()?;
        let meanings: Vec<_> = list
            .iter()
            .filter_map(|one| Some((one["const"].as_str()?, one["description"].as_str()?)))
            .map(|(name, meaning)| format!("`{name}`: {}", lower(meaning)))
            .collect();
        Some(meanings.join("; "))
    }

    fn description(&self, property: &'v Value) -> Option<&'v str> {
        property["description"].as_str().or_else(|| {
            let parts = property["anyOf"].as_array().into_iter().flatten().chain([property]);
            parts.filter_map(|part| self.referred(part)).find_map(|(_, target)| self.description(target))
        })
    }
}

/// Returns a sentence as a part of another: without its full stop, and with a small first letter
/// unless the first word is a name.
fn lower(sentence: &str) -> String {
    let sentence = sentence.trim_end_matches('.');
    let is_name = sentence.chars().nth(1).is_some_and(|c| !c.is_lowercase() && c != ' ');
    let mut rest = sentence.chars();
    match rest.next() {
        Some(first) if !is_name => first.to_lowercase().chain(rest).collect(),
        _ => sentence.to_owned(),
    }
}

/// Returns a section for each object of a schema. Its properties have the order of `required`.
pub(crate) fn json(schema: &str) -> Result<String, String> {
    let schema: Value = serde_json::from_str(schema).map_err(|error| format!("schema.json: {error}"))?;
    let schema = Schema { definitions: &schema["$defs"] };
    let mut out = String::new();
    for (name, object) in schema.definitions.as_object().into_iter().flatten() {
        let Some(properties) = object["properties"].as_object() else { continue };
        let _ = write!(out, "### `{name}`\n\n"); // a String
        for key in ["title", "description"] {
            if let Some(text) = object[key].as_str() {
                out = out + text.trim_end_matches('.') + ".\n";
            }
        }
        out += "\n| property | type | meaning |\n|---|---|---|\n";
        let required: Vec<&str> =
            object["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let optional = properties.keys().map(String::as_str).filter(|key| !required.contains(key));
        for key in required.iter().copied().chain(optional) {
            let property = &properties[key];
            let description = schema
                .description(property)
                .ok_or_else(|| format!("schema.json: '{key}' of '{name}' has no description"))?;
            let mut meaning = description.trim_end_matches('.').to_owned();
            if let Some(values) = schema.values(property) {
                meaning = meaning + ". " + &values;
            }
            if !required.contains(&key) && !meaning.contains("absent") {
                meaning += " (may be absent)";
            }
            let _ =
                writeln!(out, "| `{key}` | {} | {} |", schema.kind(property), meaning.replace('|', "\\|"));
        }
        out += "\n";
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_becomes_tables() {
        let schema = r##"{"$defs": {
            "report": {
                "title": "A report", "properties": {
                    "b": {"anyOf": [{"$ref": "#/$defs/count"}, {"type": "null"}], "description": "How many."},
                    "a": {"$ref": "#/$defs/intervals", "description": "Where."},
                    "c": {"$ref": "#/$defs/mode"},
                    "d": {"type": "array", "items": {"$ref": "#/$defs/rate"}, "description": "Rates"},
                    "e": {"type": "array", "items": {"$ref": "#/$defs/report"}, "description": "Parts"},
                    "f": {"type": ["string", "null"], "enum": ["x", "y"], "description": "X|Y."}
                }, "required": ["b", "a", "c"]
            },
            "intervals": {"type": "array", "items": {"type": "array", "prefixItems": []}},
            "mode": {"oneOf": [{"const": "x", "description": "All of it."}, {"const": "y", "description": "CPU"}], "description": "What."},
            "count": {"type": "string"},
            "rate": {"type": "number"}
        }}"##;
        let expected = "### `report`\n\nA report.\n\n| property | type | meaning |\n|---|---|---|\n\
                        | `b` | decimal string or null | How many |\n\
                        | `a` | list of pairs of decimal strings | Where |\n\
                        | `c` | string | What. `x`: all of it; `y`: CPU |\n\
                        | `d` | list of numbers (1/s) | Rates (may be absent) |\n\
                        | `e` | list of [`report`](#report) | Parts (may be absent) |\n\
                        | `f` | string | X\\|Y. One of `x`, `y` (may be absent) |\n\n";
        assert_eq!(json(schema).as_deref(), Ok(expected));
        let without = r#"{"$defs": {"report": {"properties": {"a": {"type": "string"}}}}}"#;
        assert_eq!(json(without).unwrap_err(), "schema.json: 'a' of 'report' has no description");
    }
}
