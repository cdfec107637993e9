//! The kernels and their operations.

use std::collections::BTreeSet;
use std::path::Path;

use syn::{Expr, ImplItem, Item, Lit, TraitItem};

use crate::sources::sources;

/// Returns the operations of each kernel, such as `avx2: count`: the methods of the traits in
/// `backend.rs`, and the names of the types that implement `Untyped`.
pub(crate) fn operations(folder: &Path) -> BTreeSet<String> {
    let (mut kernels, mut methods) = (Vec::new(), Vec::new());
    for source in sources(folder) {
        for item in source.code.items {
            match item {
                Item::Trait(item) if source.module == ["backend"] => {
                    methods.extend(item.items.iter().filter_map(|item| match item {
                        TraitItem::Fn(method) => Some(method.sig.ident.to_string()),
                        _ => None,
                    }));
                }
                Item::Impl(item)
                    if item.trait_.as_ref().is_some_and(|(_, path, _)| path.is_ident("Untyped")) =>
                {
                    kernels.extend(item.items.iter().filter_map(name));
                }
                _ => {}
            }
        }
    }
    kernels
        .iter()
        .flat_map(|kernel| methods.iter().map(move |method| format!("{kernel}: {method}")))
        .collect()
}

/// Returns the name of a kernel, if the item has it.
fn name(item: &ImplItem) -> Option<String> {
    let ImplItem::Const(item) = item else { return None };
    match &item.expr {
        Expr::Lit(literal) if item.ident == "NAME" => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}
