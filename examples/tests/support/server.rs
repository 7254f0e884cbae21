//! A model's server with a script: it answers each request with the next reply and keeps the request.

#![allow(dead_code, reason = "no test needs all of it")]

use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::Receiver;
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Longer than any step of a test takes, and short enough for a test that fails.
const PATIENCE: Duration = Duration::from_secs(5);

/// One answer of the script.
pub struct Reply {
    status: &'static str,
    pieces: Vec<Vec<u8>>,
    /// Opens once for each piece but the first.
    gate: Option<Receiver<()>>,
}

impl Reply {
    /// A body with this status.
    pub fn new(status: &'static str, body: &Value) -> Self {
        let pieces = vec![body.to_string().into_bytes()];
        Self {
            status,
            pieces,
            gate: None,
        }
    }

    /// A whole response that holds this message.
    pub fn message(message: Value) -> Self {
        Self::new("200 OK", &json!({"choices": [{"message": message}]}))
    }

    /// A body in pieces. Each but the first waits until the gate was opened for it.
    pub fn pieces(pieces: impl IntoIterator<Item = Vec<u8>>, gate: Receiver<()>) -> Self {
        Self {
            status: "200 OK",
            pieces: pieces.into_iter().collect(),
            gate: Some(gate),
        }
    }
}

/// What a client sent.
#[derive(Debug)]
pub struct Request {
    pub path: String,
    pub authorization: Option<String>,
    pub body: Value,
}

/// A server that runs until its script is over.
pub struct Server {
    pub url: String,
    thread: JoinHandle<io::Result<Vec<Request>>>,
}

impl Server {
    /// Starts it on a free port.
    pub fn start(script: impl IntoIterator<Item = Reply>) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}/v1", listener.local_addr()?);
        let script: Vec<Reply> = script.into_iter().collect();
        let serve = move || script.iter().map(|reply| serve(&listener, reply)).collect();
        let thread = thread::spawn(serve);
        Ok(Self { url, thread })
    }

    /// The requests, once the script is over.
    pub fn requests(self) -> io::Result<Vec<Request>> {
        let requests = self.thread.join();
        requests.unwrap_or_else(|_| Err(io::Error::other("the server panicked")))
    }
}

fn serve(listener: &TcpListener, reply: &Reply) -> io::Result<Request> {
    let (stream, _) = listener.accept()?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let request = read(&mut BufReader::new(&stream))?;
    write(&stream, reply)?;
    Ok(request)
}

fn read(stream: &mut impl BufRead) -> io::Result<Request> {
    let head: Vec<String> = stream
        .lines()
        .take_while(|line| line.as_ref().map_or(true, |line| !line.is_empty()))
        .collect::<io::Result<_>>()?;
    let header = |name: &str| {
        let mut pairs = head.iter().filter_map(|line| line.split_once(": "));
        let value = pairs.find(|(key, _)| key.eq_ignore_ascii_case(name));
        value.map(|(_, value)| value.to_owned())
    };
    let length = header("content-length").and_then(|length| length.parse().ok());
    let mut body = vec![0; length.unwrap_or_default()];
    stream.read_exact(&mut body)?;
    let path = head.first().and_then(|line| line.split(' ').nth(1));
    Ok(Request {
        path: path.unwrap_or_default().to_owned(),
        authorization: header("authorization"),
        body: serde_json::from_slice(&body)?,
    })
}

/// The body ends where the connection does.
fn write(mut stream: &TcpStream, reply: &Reply) -> io::Result<()> {
    write!(
        stream,
        "HTTP/1.1 {}\r\nconnection: close\r\n\r\n",
        reply.status
    )?;
    for (index, piece) in reply.pieces.iter().enumerate() {
        if let Some(gate) = reply.gate.as_ref().filter(|_| index > 0) {
            gate.recv_timeout(PATIENCE).map_err(io::Error::other)?;
        }
        stream.write_all(piece)?;
    }
    Ok(())
}
