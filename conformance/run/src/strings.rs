//! Every byte string up to a length, and structured ones, by the engine of `sweep bytes --exec`.

use std::collections::BTreeMap;

use every_input::{
    Breakdown, ByteString, ByteStrings, Check, ExecProgram, ExecTask, FailureKind, Fault, Sweep,
};
use zigzag_varint_conformance::is_open;
use zigzag_varint_oracle::Rule;

use crate::implementation::{Implementation, loss};

/// The check of an implementation by a rule.
struct Decodes<'i> {
    program: ExecProgram,
    one: &'i Implementation,
    rule: Rule,
}

impl Check<ByteString> for Decodes<'_> {
    type Memory = ();

    fn explain(&self, strings: &[ByteString], (): &mut ()) -> Result<Option<Fault>, Breakdown> {
        let answers = self.program.ask(ExecTask::Decode, strings)?;
        for (at, (string, answer)) in strings.iter().zip(&answers).enumerate() {
            let expected = self.rule.decode(string);
            let difference = self.one.difference(string, answer, expected);
            if let Some((does, text)) = difference.filter(|_| !is_open(self.one.wire_type, expected)) {
                let fault = Fault::new("", format!("{does} {text}")).kind(FailureKind::Disagreement);
                return Ok(Some(fault.at(at)));
            }
        }
        Ok(None)
    }

    fn is_remote(&self) -> bool {
        true
    }
}

/// Returns what the implementations do with the strings, by what they do. Each is that of a wire type.
pub(crate) fn text(all: &[Implementation], len: usize) -> Result<String, String> {
    let mut types = BTreeMap::<String, Vec<&str>>::new();
    for one in all {
        let rule = one.wire_type.rule;
        let does = match fault(one, rule, len)? {
            None => "right".to_owned(),
            Some(_) if fault(one, rule.canonical(), len)?.is_none() => {
                "right if only the shortest encodings are valid".to_owned()
            }
            Some(does) => does,
        };
        types.entry(does).or_default().push(one.wire_type.name);
    }
    let texts: Vec<_> = types.iter().map(|(does, types)| format!("{does} ({})", types.join(", "))).collect();
    Ok(texts.join("<br>"))
}

/// Returns what an implementation does with the first string for which it is wrong. One thread finds the
/// same one each time, also among those that crash.
fn fault(one: &Implementation, rule: Rule, len: usize) -> Result<Option<String>, String> {
    let sweep = Sweep::of(ByteStrings::structured(len)).exhaustive().threads(1).max_failures(1);
    let check = Decodes { program: one.start()?, one, rule };
    let report = sweep.report("strings", &check).map_err(|error| error.to_string())?;
    Ok(report.first_failures.first().map(|first| match first.kind {
        FailureKind::Breakdown => {
            let does = loss(&Breakdown::new(&*first.got));
            let string = if first.value.is_empty() { "no bytes" } else { &format!("`{}`", first.value) };
            format!("{does} {string}")
        }
        _ => first.got.clone(),
    }))
}
