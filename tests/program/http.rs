//! `sweep --http`: the addresses. What is served there is tested with the engine.

use crate::support::program;

#[test]
fn the_program_says_where_it_serves_and_refuses_addresses_that_it_cannot_have() {
    let sweep = |arguments: &[&str]| {
        let output = program().args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = sweep(&["--no-progress", "0..=10", "--http", "0"]);
    assert_eq!(code, Some(0));
    assert!(said.lines().any(|line| line.starts_with("watch it at http://127.0.0.1:")), "{said}");
    assert!(!said.contains("anybody"), "{said}");
    let (code, said) = sweep(&["--no-progress", "0..=10", "--http", "0.0.0.0:0"]);
    assert_eq!(code, Some(0));
    let warned =
        |line: &str| line.starts_with("warning: ") && line.contains("anybody who reaches this machine");
    assert!(said.lines().any(warned), "{said}");
    assert_eq!(sweep(&["--quiet", "0..=10", "--http", ":0"]), (Some(0), String::new()));

    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, said) = sweep(&["--exhaustive", "--quiet", "--http", &address]);
    assert_eq!(code, Some(3));
    assert!(said.contains(&address) && said.contains("choose a free port"), "{said}");
    for wrong in ["nowhere", "1:2:3", "127.0.0.1:70000", "127.0.0.1:", ""] {
        let (code, said) = sweep(&["--exhaustive", "--http", wrong]);
        assert_eq!(code, Some(2), "{wrong}: {said}");
    }
}
