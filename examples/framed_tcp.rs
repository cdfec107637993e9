//! Length-delimited frames over TCP with tokio: a server and its client in one program, over loopback.
//!
//! `cargo run --features tokio-util --example framed_tcp`

use std::io;

use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::codec::Framed;
use zigzag_varint::codec::LengthPrefixedCodec;
use zigzag_varint::{FrameError, LengthPrefix};

/// Both sides agree: nothing longer than this, and one form only for each length.
const FRAMES: LengthPrefix = LengthPrefix::new(64 * 1024).canonical();

/// Answers every frame with the same in capitals, until the client goes or sends what is no frame.
async fn serve(listener: TcpListener) -> io::Result<Vec<String>> {
    let mut complaints = Vec::new();
    for _ in 0..2 {
        let (socket, _) = listener.accept().await?;
        let mut frames = Framed::new(socket, LengthPrefixedCodec::new(FRAMES));
        while let Some(frame) = frames.next().await {
            match frame {
                Ok(frame) => frames.send(frame.to_ascii_uppercase().into()).await?,
                Err(error) => {
                    complaints.push(error.to_string());
                    break;
                }
            }
        }
    }
    Ok(complaints)
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
    // Too long for the server: it does not even leave the client.
    let refused = frames.send(vec![b'x'; 70_000].into()).await.unwrap_err();
    println!("not sent: {refused}");
    let inside = refused.get_ref().and_then(|inside| inside.downcast_ref::<FrameError>());
    assert_eq!(inside, Some(&FrameError::TooLong { len: 70_000, max_len: 64 * 1024 }));
    frames.close().await?;
    drop(frames);

    // A hostile client promises gigabytes. The server refuses as soon as it has read the prefix.
    let mut hostile = TcpStream::connect(address).await?;
    tokio::io::AsyncWriteExt::write_all(&mut hostile, &[0xff, 0xff, 0xff, 0xff, 0x7f]).await?;

    let complaints = server.await??;
    println!("the server on the second client: {}", complaints.join(", "));
    assert_eq!(complaints, ["payload too long: 34359738367 bytes, limit 65536"]);
    Ok(())
}
