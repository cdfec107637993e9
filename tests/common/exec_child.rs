//! The children of these tests: one that is right, and one for everything that can go wrong.

use std::fs::{File, create_dir};
use std::io::{self, Read, Write, stdin, stdout};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Command, exit};
use std::thread::sleep;
use std::time::Duration;

use zigzag_varint::{decode_slice, encode_slice, encoded_len_slice, zigzag};

const HELLO: u8 = 1;
const ENCODE: u8 = 2;
const DECODE: u8 = 3;

/// Speaks the protocol, with the flaw that `role` names, for the value `bad` where the flaw is about a value.
pub(crate) fn main(role: &str, bad: i64, file: Option<&str>) -> io::Result<()> {
    // Held as long as this process lives.
    let held = file.map(File::open).transpose()?;
    held.as_ref().map(File::lock_shared).transpose()?;
    match role {
        "sleeper" => forever(),
        "dies-at-greeting" => exit(7),
        "hangs-at-greeting" => forever(),
        "refuses-the-type" => return answer(0xff, b"numbers? never heard of them"),
        "greets-wrongly" => return answer(0x81, b"varsweep\x02\0\0\0"),
        "prints-text" => return output()?.write_all(b"Hello, world!\n"),
        "has-a-child" => {
            let path = file.unwrap_or_default();
            Command::new(std::env::current_exe()?).args(["child", "sleeper", "0", path]).spawn()?;
        }
        _ => {}
    }
    let mut signed = true;
    let mut requests = 0;
    loop {
        let mut header = [0; 5];
        if stdin().read_exact(&mut header).is_err() {
            if role == "lingers" {
                forever();
            }
            return Ok(());
        }
        let [length @ .., kind] = header;
        let length = u32::from_le_bytes(length) as usize - 1;
        if kind == ENCODE && role == "reads-and-writes-in-turn" {
            in_turn(length)?;
            continue;
        }
        if kind == ENCODE && role == "answers-first" {
            answer(0x82, &vec![0; (length - 4) / 8])?;
        }
        if kind == ENCODE && role == "reads-nothing" {
            forever();
        }
        let mut payload = vec![0; length];
        stdin().read_exact(&mut payload)?;
        if kind == HELLO {
            signed = payload[12] == b'i';
            answer(0x81, &payload[..12])?;
            continue;
        }
        requests += 1;
        // A folder can be made once.
        if role == "crashes-once"
            && requests == 3
            && create_dir(format!("{}.crashed", file.unwrap_or_default())).is_ok()
        {
            exit(3);
        }
        let reply = if kind == ENCODE { encode(&payload, signed) } else { decode(&payload, signed) };
        let numbers = if kind == ENCODE { &payload } else { &reply };
        let is_bad = numbers[4..].chunks(8).any(|number| number == bad.to_le_bytes());
        reply_to(role, kind, reply, bad, is_bad)?;
    }
}

/// Answers a request, rightly or not.
fn reply_to(role: &str, kind: u8, mut reply: Vec<u8>, bad: i64, is_bad: bool) -> io::Result<()> {
    let at_bad = |wrong| if is_bad { wrong } else { "" };
    match (at_bad(role), kind) {
        ("aborts", ENCODE) => std::process::abort(),
        ("exits", DECODE) => {
            eprintln!("out of luck\nat line 5\n");
            exit(3);
        }
        ("hangs", DECODE) => forever(),
        ("drips", DECODE) => {
            output()?.write_all(&100u32.to_le_bytes())?;
            loop {
                output()?.write_all(&[0x83])?;
                sleep(Duration::from_millis(100));
            }
        }
        ("encodes-short", ENCODE) => reply.truncate(reply.len() - 1),
        ("encodes-long", ENCODE) => reply.extend([0; 2000]),
        ("decodes-short", DECODE) => reply.truncate(reply.len() - 1),
        ("decodes-long", DECODE) => reply.push(0),
        ("stops-half-way", DECODE) => {
            let half = reply.len() / 2;
            output()?.write_all(&framed(0x83, &reply)[..5 + half])?;
            exit(0);
        }
        ("writes-garbage", ENCODE) => return output()?.write_all(b"Traceback (most recent call last)"),
        ("announces-giants", ENCODE) => return output()?.write_all(&[0xff; 1 << 16]),
        ("announces-nothing", ENCODE) => return output()?.write_all(&[0; 5]),
        ("says-more", ENCODE) => {
            reply.push(0);
            let mut bytes = framed(0x82, &reply);
            bytes[0] -= 1;
            return output()?.write_all(&bytes);
        }
        ("mistakes-the-kind", ENCODE) => return answer(0x83, &reply),
        ("closes-its-output", ENCODE) => {
            return Err(Command::new("sh").args(["-c", "exec >&-; sleep 1000"]).exec());
        }
        ("is-wrong", DECODE) => {
            for number in reply[4..].chunks_mut(8).filter(|number| *number == bad.to_le_bytes()) {
                number.copy_from_slice(&(bad + 1).to_le_bytes());
            }
        }
        ("is-out-of-range", DECODE) => reply[11] ^= 0x40,
        ("takes-less", DECODE) => reply[0] = reply[0].wrapping_sub(1),
        ("refuses", DECODE) => return answer(0xff, format!("no luck with {bad}").as_bytes()),
        _ => match role {
            "always-hangs" => forever(),
            "always-exits" => exit(3),
            "hangs-at-every-decode" if kind == DECODE => forever(),
            "floods-stderr" => io::stderr().write_all(&vec![b'x'; 300_000])?,
            "answers-without-end" => {
                answer(kind | 0x80, &reply)?;
                without_end(&mut output()?)?;
            }
            "complains-without-end" => without_end(&mut io::stderr())?,
            _ => {}
        },
    }
    answer(kind | 0x80, &reply)
}

fn encode(payload: &[u8], signed: bool) -> Vec<u8> {
    let (numbers, _) = payload[4..].as_chunks();
    let mut wire: Vec<u64> = numbers.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
    if signed {
        wire.iter_mut().for_each(|number| *number = zigzag::encode_i64(*number as i64));
    }
    let mut bytes = vec![0; encoded_len_slice(&wire)];
    encode_slice(&wire, &mut bytes).expect("just enough room");
    bytes
}

fn decode(payload: &[u8], signed: bool) -> Vec<u8> {
    let count = u32::from_le_bytes([payload[0], payload[1], payload[2], payload[3]]);
    let mut wire = vec![0u64; count as usize];
    let used = decode_slice(&payload[4..], &mut wire).expect("our own bytes").bytes;
    let number = |wire: u64| if signed { zigzag::decode_i64(wire) as u64 } else { wire };
    let numbers = wire.into_iter().flat_map(|wire| number(wire).to_le_bytes());
    (used as u32).to_le_bytes().into_iter().chain(numbers).collect()
}

fn answer(kind: u8, payload: &[u8]) -> io::Result<()> {
    output()?.write_all(&framed(kind, payload))
}

fn framed(kind: u8, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32 + 1).to_le_bytes();
    [&length, &[kind][..], payload].concat()
}

/// Standard output without a buffer: what is written together is read together.
fn output() -> io::Result<File> {
    Ok(stdout().as_fd().try_clone_to_owned()?.into())
}

/// Encodes values below 64, each as soon as it is read.
fn in_turn(length: usize) -> io::Result<()> {
    let mut count = [0; 4];
    stdin().read_exact(&mut count)?;
    let mut bytes = (u32::from_le_bytes(count) + 1).to_le_bytes().to_vec();
    bytes.push(0x82);
    for _ in 0..(length - 4) / 8 {
        let mut number = [0; 8];
        stdin().read_exact(&mut number)?;
        bytes.push(number[0] * 2);
        if bytes.len() >= 1024 {
            output()?.write_all(&bytes)?;
            bytes.clear();
        }
    }
    output()?.write_all(&bytes)?;
    Ok(())
}

fn without_end(output: &mut impl Write) -> io::Result<()> {
    loop {
        output.write_all(&[b'x'; 1 << 16])?;
    }
}

fn forever() -> ! {
    loop {
        sleep(Duration::from_secs(1000));
    }
}
