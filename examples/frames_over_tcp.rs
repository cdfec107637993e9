//! Frames over TCP: a server that answers in capitals, and a client that sends the lines of a file.
//!
//! `cargo run --example frames_over_tcp -- README.md`

use futures_util::{SinkExt, StreamExt};
use std::{env, error::Error, fs, io, path::PathBuf};
use tokio::{net::TcpListener, net::TcpStream, runtime};
use tokio_util::codec::Framed;
use zigzag_varint::{LengthPrefix, codec::LengthPrefixedCodec};

const FRAMES: LengthPrefix = LengthPrefix::new(64 * 1024).canonical(); // refuses what is longer

/// Serves all clients at the same time. An invalid frame ends the connection of its client alone.
pub(crate) async fn serve(listener: TcpListener) -> io::Result<()> {
    loop {
        let (socket, peer) = listener.accept().await?;
        tokio::spawn(async move {
            answer(socket).await.unwrap_or_else(|error| eprintln!("{peer}: {error}"));
        });
    }
}

pub(crate) async fn answer(socket: TcpStream) -> io::Result<()> {
    let mut frames = Framed::new(socket, LengthPrefixedCodec::new(FRAMES));
    while let Some(frame) = frames.next().await.transpose()? {
        frames.send(frame.to_ascii_uppercase().into()).await?;
    }
    Ok(())
}

pub(crate) fn run(args: &[PathBuf], out: &mut impl io::Write) -> Result<(), Box<dyn Error>> {
    let [path] = args else { return Err("usage: frames_over_tcp FILE".into()) };
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    runtime::Builder::new_current_thread().enable_io().build()?.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let socket = TcpStream::connect(listener.local_addr()?).await?;
        tokio::spawn(serve(listener));
        let mut frames = Framed::new(socket, LengthPrefixedCodec::new(FRAMES));
        for line in text.lines() {
            frames.send(line.to_owned().into()).await?;
            let answer = frames.next().await.ok_or("the server closed the connection")??;
            writeln!(out, "{}", String::from_utf8_lossy(&answer))?;
        }
        Ok(())
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&env::args_os().skip(1).map(PathBuf::from).collect::<Vec<_>>(), &mut io::stdout())
}
