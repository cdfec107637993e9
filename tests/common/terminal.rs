//! A terminal for the standard error of a program.

use std::fs::File;
use std::io::Read;
use std::process::{Command, ExitStatus};

use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Runs a program whose standard error is a terminal with this number of columns. Returns the lines
/// that it draws, one after another in the same place or not, and its status.
pub(crate) fn drawn_lines(mut command: Command, columns: u16) -> (Vec<String>, ExitStatus) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let screen = openpt(flags).expect("a terminal");
    unlockpt(&screen).expect("a terminal");
    let terminal = ioctl_tiocgptpeer(&screen, flags).expect("a terminal");
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).expect("a size");
    let mut child = command.env("TERM", "xterm").stderr(terminal).spawn().expect("the program starts");
    drop(command); // the last end of the terminal is now that of the program
    let mut bytes = Vec::new();
    // The end of a terminal is an error.
    let _ = File::from(screen).read_to_end(&mut bytes);
    let status = child.wait().expect("a status");
    let text = String::from_utf8(bytes).expect("UTF-8");
    let mut parts = text.split('\x1b');
    let mut shown = parts.next().unwrap_or_default().to_owned();
    // A control sequence ends with a letter.
    let end = |part: &str| part.find(|char: char| char.is_ascii_alphabetic()).map_or(part.len(), |at| at + 1);
    parts.for_each(|part| shown += &part[end(part)..]);
    let lines = shown.split(['\r', '\n']).map(str::trim_end).filter(|line| !line.is_empty());
    (lines.map(str::to_owned).collect(), status)
}
