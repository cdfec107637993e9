//! Finds functions, macro calls and bounds in Rust source, also in the definitions of macros.
//!
//! A place is a path such as `varint!/encode_packed`: a function, and names of what encloses it, in
//! order but not necessarily all of them. `name!` is a macro, `$name` a name that a macro inserts.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The kinds of places.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What is between the braces of a function.
    Body,
    /// A macro call, with its semicolon.
    Call,
    /// After the colon of a trait, or of a function's type parameter: `function/T`.
    Bounds,
}

/// Returns the bytes of the only place of that kind and path.
pub(crate) fn find(source: &str, kind: Kind, path: &str) -> Result<Range<usize>, String> {
    let tokens: TokenStream = source.parse().map_err(|error| format!("not Rust: {error}"))?;
    let mut places = Vec::new();
    collect(tokens, &mut Vec::new(), &mut places);
    let wanted: Vec<&str> = path.split('/').collect();
    let mut found = places.into_iter().filter(|place| place.kind == kind && place.has_path(&wanted));
    match (found.next(), found.count()) {
        (None, _) => Err(format!("no '{path}'")),
        (Some(place), 0) => Ok(place.bytes),
        (Some(_), others) => Err(format!("'{path}' is ambiguous: {} places", others + 1)),
    }
}

struct Place {
    kind: Kind,
    path: Vec<String>,
    bytes: Range<usize>,
}

impl Place {
    /// Returns whether the last names are equal and the others occur in this order.
    fn has_path(&self, wanted: &[&str]) -> bool {
        let (Some((name, scopes)), Some((last, outer))) = (self.path.split_last(), wanted.split_last())
        else {
            return false;
        };
        let mut scopes = scopes.iter();
        name == last && outer.iter().all(|wanted| scopes.any(|scope| scope == wanted))
    }
}

/// Adds the places of `tokens`, which are inside `scopes`.
fn collect(tokens: TokenStream, scopes: &mut Vec<String>, places: &mut Vec<Place>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    // The keyword and the name of the item whose braces come next.
    let mut item: Option<(String, String)> = None;
    for (index, token) in tokens.iter().enumerate() {
        let next = &tokens[index + 1..];
        match token {
            TokenTree::Ident(word) => match word.to_string().as_str() {
                keyword @ ("fn" | "mod" | "trait") => {
                    if let Some(name) = name(next) {
                        item = Some((keyword.into(), name));
                    }
                }
                "macro_rules" => item = name(&next[1..]).map(|name| ("macro".into(), name + "!")),
                word => {
                    if let (Some((_, item)), true) = (&item, is_punct(next, ':')) {
                        let path = match item == word {
                            true => [&scopes[..], &[item.clone()]].concat(),
                            false => [&scopes[..], &[item.clone(), word.into()]].concat(),
                        };
                        let end = next[0].span().byte_range().end;
                        places.push(Place { kind: Kind::Bounds, path, bytes: end..end });
                    }
                    if let [TokenTree::Punct(mark), TokenTree::Group(arguments), rest @ ..] = next
                        && mark.as_char() == '!'
                    {
                        let end = if is_punct(rest, ';') { rest[0].span() } else { arguments.span() };
                        let bytes = token.span().byte_range().start..end.byte_range().end;
                        let path = [&scopes[..], &[format!("{word}!")]].concat();
                        places.push(Place { kind: Kind::Call, path, bytes });
                    }
                }
            },
            TokenTree::Group(group) => {
                let braces = group.delimiter() == Delimiter::Brace;
                let entered = if braces { item.take() } else { None };
                if let Some((keyword, name)) = &entered {
                    scopes.push(name.clone());
                    if keyword == "fn" {
                        places.push(Place { kind: Kind::Body, path: scopes.clone(), bytes: inner(group) });
                    }
                }
                collect(group.stream(), scopes, places);
                if entered.is_some() {
                    scopes.pop();
                }
            }
            TokenTree::Punct(mark) if mark.as_char() == ';' => item = None,
            _ => {}
        }
    }
}

/// Returns the name at the start of `tokens`: `name`, or `$name` in a macro.
fn name(tokens: &[TokenTree]) -> Option<String> {
    match tokens {
        [TokenTree::Punct(dollar), TokenTree::Ident(name), ..] if dollar.as_char() == '$' => {
            Some(format!("${name}"))
        }
        [TokenTree::Ident(name), ..] => Some(name.to_string()),
        _ => None,
    }
}

/// Returns whether `tokens` start with `mark` alone: not `::` if it is a colon.
fn is_punct(tokens: &[TokenTree], mark: char) -> bool {
    let at =
        |index: usize| matches!(tokens.get(index), Some(TokenTree::Punct(punct)) if punct.as_char() == mark);
    at(0) && !at(1)
}

/// Returns the bytes between the delimiters.
fn inner(group: &Group) -> Range<usize> {
    group.span_open().byte_range().end..group.span_close().byte_range().start
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
        trait Word: Copy {}
        macro_rules! field { ($name:ident) => { fn $name(x: u8) -> u8 { helper!(x); x } } }
        macro_rules! other { ($name:ident) => { fn $name() {} } }
        mod inner { pub fn read<T: Word>(source: Vec<T>) -> T where T: Copy { fn nested() {} panic!() } }
    ";

    fn found(kind: Kind, path: &str) -> Result<&'static str, String> {
        find(SOURCE, kind, path).map(|bytes| &SOURCE[bytes])
    }

    #[test]
    fn functions_of_macros_are_found() {
        assert_eq!(found(Kind::Body, "field!/$name").as_deref(), Ok(" helper!(x); x "));
        assert_eq!(found(Kind::Call, "field!/helper!").as_deref(), Ok("helper!(x);"));
    }

    #[test]
    fn functions_of_modules_are_found() {
        assert_eq!(found(Kind::Body, "read").as_deref(), Ok(" fn nested() {} panic!() "));
        assert_eq!(found(Kind::Body, "inner/read/nested").as_deref(), Ok(""));
    }

    #[test]
    fn a_missing_or_ambiguous_place_is_an_error() {
        assert_eq!(found(Kind::Body, "reed").unwrap_err(), "no 'reed'");
        assert_eq!(found(Kind::Body, "field!/read").unwrap_err(), "no 'field!/read'");
        assert_eq!(found(Kind::Body, "$name").unwrap_err(), "'$name' is ambiguous: 2 places");
    }

    #[test]
    fn bounds_are_found_after_the_colon() {
        let end = |path| find(SOURCE, Kind::Bounds, path).map(|bytes| SOURCE[..bytes.end].trim_end().len());
        assert_eq!(end("Word"), Ok(SOURCE.find("Word:").unwrap() + 5));
        assert!(found(Kind::Bounds, "read/T").unwrap_err().contains("ambiguous")); // `where T: Copy`
    }
}
