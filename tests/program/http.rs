//! `sweep --http`: addresses. The tests of the engine check the content that is served.

use crate::support::program;

#[test]
fn the_url_is_printed_and_unusable_addresses_are_refused() {
    let sweep = |arguments: &[&str]| {
        let output = program().args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, message) = sweep(&["--no-progress", "0..=10", "--http", "0"]);
    assert_eq!(code, Some(0));
    assert!(message.lines().any(|line| line.starts_with("watch it at http://127.0.0.1:")), "{message}");
    assert!(!message.contains("anyone"), "{message}");
    let (code, message) = sweep(&["--no-progress", "0..=10", "--http", "0.0.0.0:0"]);
    assert_eq!(code, Some(0));
    let warned =
        |line: &str| line.starts_with("warning: ") && line.contains("anyone who can reach this machine");
    assert!(message.lines().any(warned), "{message}");
    assert_eq!(sweep(&["--quiet", "0..=10", "--http", ":0"]), (Some(0), String::new()));

    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, message) = sweep(&["--exhaustive", "--quiet", "--http", &address]);
    assert_eq!(code, Some(3));
    assert!(message.contains(&address) && message.contains("choose a free port"), "{message}");
    for wrong in ["nowhere", "127.0.0.1:70000", "127.0.0.1:", ""] {
        let (code, message) = sweep(&["--exhaustive", "--http", wrong]);
        assert_eq!(code, Some(2), "{wrong}: {message}");
    }
}
