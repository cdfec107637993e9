//! The web pages.

use maud::{DOCTYPE, Markup, html};

use crate::http::content::chart::{chart, short};
use crate::report::numbers::{grouped, long_time};
use crate::watch::status::{State, Status};

/// The duration of the profile that the button takes.
const SECONDS: u32 = 10;

/// Returns the page with the progress. A script updates its main part; without scripts the browser
/// reloads the page.
pub(in crate::http) fn progress(status: &Status, rates: &[(f64, f64)]) -> Markup {
    let title = format!("{:.1} % · {}", percent(status.part), heading(status));
    let head = html! {
        script src="/live.js" defer {}
        noscript { meta http-equiv="refresh" content="5"; }
    };
    let body = html! {
        p #lost role="status" hidden {
            "The server does not answer: the sweep has ended or cannot be reached. Last update at " time #seen {} "."
        }
        main {
            (top(status))
            (tiles(status))
            h2 { "Rate" }
            (chart(rates))
            h2 { "Failures" }
            (failures(status))
            h2 { "Values by encoded length" }
            (lengths(status))
            (about(status))
        }
        (button())
        nav {
            a href="/status.json" { "status.json" } " "
            a href="/metrics" { "metrics" } " "
            a href="/debug/pprof/" { "profiles" }
        }
    };
    page(&title, head, body)
}

/// Returns the page with links to the profiles.
pub(in crate::http) fn profiles() -> Markup {
    let body = html! {
        main {
            h1 { "Profiles of this sweep" }
            p {
                "One profile is taken at a time. Parameters: " code { "seconds" } " from 1 to 300 (default 30), "
                code { "hz" } " from 1 to 1000 (default 99)."
            }
            dl {
                dt { a href="profile?seconds=10" { "profile?seconds=10" } }
                dd { "CPU profile in pprof's format: " code { "go tool pprof http://…/debug/pprof/profile?seconds=10" } }
                dt { a href="flamegraph?seconds=10" { "flamegraph?seconds=10" } }
                dd { "CPU profile as a flamegraph (SVG)" }
                dt { a href="cmdline" { "cmdline" } }
                dd { "command line, with a zero byte between its words" }
            }
        }
        nav { a href="/" { "progress" } }
    };
    page("Profiles", html! {}, body)
}

fn page(title: &str, head: Markup, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="icon" href="/icon.svg";
                link rel="stylesheet" href="/live.css";
                (head)
            }
            body { (body) }
        }
    }
}

fn heading(status: &Status) -> String {
    match &status.value_type {
        Some(value_type) => format!("sweep of {value_type}"),
        None => "sweep".into(),
    }
}

fn percent(part: f64) -> f64 {
    // Rounded down, so that 100 % is shown only at the end.
    if part < 1.0 { (part * 1000.0).floor() / 10.0 } else { 100.0 }
}

fn top(status: &Status) -> Markup {
    let state = match status.state {
        State::Running => "running",
        State::Complete => "complete",
        State::Failures => "ended with failures",
        State::Interrupted => "interrupted",
        State::TimeLimit => "ended by the time limit",
        State::Refused => "could not be run",
    };
    html! {
        header {
            h1 { (heading(status)) }
            p.muted {
                @if let Some(codec) = &status.codec { "codec " (codec) }
                @if let Some(kernel) = &status.kernel { ", kernel " (kernel) }
                @if let Some(shard) = &status.shard { ", shard " (shard) }
            }
        }
        div.bar {
            progress max="1" value=(status.part) { (percent(status.part)) " %" }
            strong { (format!("{:.1} %", percent(status.part))) }
            span.muted { (state) }
        }
        @if let Some(error) = &status.error { p.bad { (error) } }
    }
}

fn tiles(status: &Status) -> Markup {
    let cpu = status.cpu_seconds.zip(status.available_cpu_seconds);
    let cpu = cpu.map(|(used, available)| 100.0 * used / available.max(1e-9)).zip(status.threads);
    html! {
        dl.tiles {
            (tile("values", &grouped(status.values), status.of.map(|of| format!("of {}", grouped(of))).as_deref()))
            (tile("rate", &format!("{}/s", short(status.values_per_second)), None))
            (tile("remaining", &status.eta_seconds.map_or("unknown".into(), long_time), None))
            (tile("elapsed", &long_time(status.seconds), None))
            @if let Some((percent, threads)) = cpu {
                (tile("CPU", &format!("{percent:.0} %"), Some(&format!("of {threads} {}", if threads == 1 { "thread" } else { "threads" }))))
            }
        }
    }
}

fn tile(name: &str, value: &str, more: Option<&str>) -> Markup {
    html! {
        div {
            dt { (name) }
            dd {
                strong { (value) }
                @if let Some(more) = more { " " span.muted { (more) } }
            }
        }
    }
}

fn failures(status: &Status) -> Markup {
    let first: Vec<_> = status.first_failures.iter().collect();
    let more = status.failures.saturating_sub(first.len() as u64);
    html! {
        @if status.failures == 0 {
            p.good { "none so far" }
        } @else {
            p.bad { strong { (grouped(status.failures.into())) } }
            ol.failures {
                @for failure in &first { li { code { (failure) } } }
            }
            @if more > 0 { p.muted { "and " (grouped(more.into())) " more" } }
            @if let Some(command) = &status.replay {
                p { "Command that checks " (if more > 0 { "the listed values" } else { "these values" }) " again:" }
                div.replay {
                    code { (command) }
                    button.copy type="button" { "Copy" }
                }
            }
        }
    }
}

fn lengths(status: &Status) -> Markup {
    let most = status.by_length.values().max().copied().unwrap_or(1).max(1);
    html! {
        @if status.by_length.is_empty() { p.muted { "nothing yet" } } @else {
            table {
                thead { tr { th { "bytes" } th { "values" } th { span.hidden { "share" } } } }
                tbody {
                    @for (length, &values) in &status.by_length {
                        tr {
                            td { (length) }
                            td { (grouped(values.into())) }
                            td {
                                svg.share aria-hidden="true" {
                                    rect width={ (format!("{:.2}", 100.0 * values as f64 / most as f64)) "%" } height="100%" {}
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn about(status: &Status) -> Markup {
    html! {
        p.muted.about {
            (status.program) ", process " (status.pid)
            @if let Some(fingerprint) = &status.fingerprint { ", fingerprint of the plan " code { (fingerprint) } }
            @if let Some(checkpoint) = &status.checkpoint {
                ", checkpoint " (checkpoint.file.display())
                @match &checkpoint.saved {
                    Some(saved) => { ", saved " (saved) },
                    None => { ", not saved yet" },
                }
            }
        }
    }
}

fn button() -> Markup {
    html! {
        form action="/debug/pprof/flamegraph" target="_blank" {
            input type="hidden" name="seconds" value=(SECONDS);
            button { "Flamegraph of " (SECONDS) " s" }
            " " span.muted { "opens in a new tab when the profile is done" }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::handle::Watch;

    #[test]
    fn long_times_have_long_units() {
        let mut status = Status::of(&Watch::new());
        status.eta_seconds = Some(12_164.0 * 31_557_600.0);
        status.seconds = 90.0;
        let page = progress(&status, &[]).into_string();
        assert!(page.contains("12,164 years") && page.contains("90 seconds"), "{page}");
    }
}
