//! Length-prefixed frames over TCP with tokio: a server and its clients in one program.
//!
//! `cargo run --features tokio-util --example framed_tcp`

use std::io;

use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::codec::Framed;
use zigzag_varint::codec::LengthPrefixedCodec;
use zigzag_varint::{FrameError, LengthPrefix};

/// The framing that both sides use: payloads of at most 64 KiB, and canonical lengths only.
const FRAMES: LengthPrefix = LengthPrefix::new(64 * 1024).canonical();

/// Serves two clients, one after another: answers every frame with its text in capitals, until the
/// client disconnects or sends an invalid frame. Returns the errors.
async fn serve(listener: TcpListener) -> io::Result<Vec<String>> {
    let mut errors = Vec::new();
    for _ in 0..2 {
        let (socket, _) = listener.accept().await?;
        let mut frames = Framed::new(socket, LengthPrefixedCodec::new(FRAMES));
        while let Some(frame) = frames.next().await {
            match frame {
                Ok(frame) => frames.send(frame.to_ascii_uppercase().into()).await?,
                Err(error) => {
                    errors.push(error.to_string());
                    break;
                }
            }
        }
    }
    Ok(errors)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = tokio::spawn(serve(listener));

    let mut frames = Framed::new(TcpStream::connect(address).await?, LengthPrefixedCodec::new(FRAMES));
    for question in ["hello", "", "a longer question"] {
        frames.send(question.into()).await?;
        let answer = frames.next().await.ok_or(io::ErrorKind::UnexpectedEof)??;
        println!("{question:?} -> {answer:?}");
        assert_eq!(answer, question.to_ascii_uppercase());
    }
    // A payload over the limit is not sent.
    let error = frames.send(vec![b'x'; 70_000].into()).await.unwrap_err();
    println!("not sent: {error}");
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<FrameError>());
    assert_eq!(inner, Some(&FrameError::TooLong { len: 70_000, max_len: 64 * 1024 }));
    frames.close().await?;
    drop(frames);

    // A hostile client announces 32 GiB. The server reports the error when it has read the prefix.
    let mut hostile = TcpStream::connect(address).await?;
    tokio::io::AsyncWriteExt::write_all(&mut hostile, &[0xff, 0xff, 0xff, 0xff, 0x7f]).await?;

    let errors = server.await??;
    println!("the server closed the second connection: {}", errors.join(", "));
    assert_eq!(errors, ["payload too long: 34359738367 bytes, limit 65536"]);
    Ok(())
}
