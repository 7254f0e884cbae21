//! A client of the Chat Completions API, as much of it as the examples need.
//!
//! `ureq` blocks, so each request waits on one of tokio's threads for that. A dropped future does
//! not end its request; [`IDLE`] does. The certificates are the system's.

#![allow(dead_code, reason = "no example needs all of it")]

use serde_json::{Value, json};
use std::env;
use std::error::Error;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use ureq::Body;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// Whatever went wrong, in words for the person who runs the program.
pub type Failure = Box<dyn Error + Send + Sync>;

const OPENAI: &str = "https://api.openai.com/v1";
/// A server that does not answer the connection for so long is not there.
const CONNECT: Duration = Duration::from_secs(10);
/// A model that says nothing for so long says nothing any more. Thinking counts as nothing.
const IDLE: Duration = Duration::from_secs(300);

/// A model behind an endpoint that speaks Chat Completions. Cheap to clone.
#[derive(Clone)]
pub struct Model {
    agent: ureq::Agent,
    url: String,
    key: Option<String>,
    name: String,
}

impl Model {
    /// The model that `OPENAI_BASE_URL`, `OPENAI_API_KEY` and `OPENAI_MODEL` name.
    pub fn from_env() -> Result<Self, Failure> {
        let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
        let (url, key) = (set("OPENAI_BASE_URL"), set("OPENAI_API_KEY"));
        if url.is_none() && key.is_none() {
            return Err(
                "`OPENAI_API_KEY` is not set; set it, or `OPENAI_BASE_URL` to a server without keys"
                    .into(),
            );
        }
        let name = set("OPENAI_MODEL")
            .ok_or("`OPENAI_MODEL` is not set; set it to a model that the server has")?;
        Ok(Self::new(url.as_deref().unwrap_or(OPENAI), key, name))
    }

    /// The model of this name at `base_url`.
    pub fn new(base_url: &str, key: Option<String>, name: impl Into<String>) -> Self {
        Self {
            agent: agent(base_url),
            url: format!("{}/chat/completions", base_url.trim_end_matches('/')),
            key,
            name: name.into(),
        }
    }

    /// What the model answers: a whole response.
    pub async fn chat(&self, messages: &[Value], tools: &Value) -> Result<Value, Failure> {
        let (model, request) = (self.clone(), self.request(messages, tools));
        let text = spawn_blocking(move || model.send(&request)?.read_to_string().map_err(words));
        Ok(serde_json::from_str(&text.await??)?)
    }

    /// The same in pieces, as they arrive. Once the receiver is dropped, no more are read.
    pub async fn stream(
        &self,
        messages: &[Value],
        tools: &Value,
    ) -> Result<mpsc::Receiver<Result<Vec<u8>, Failure>>, Failure> {
        let (model, mut request) = (self.clone(), self.request(messages, tools));
        request["stream"] = true.into();
        let body = spawn_blocking(move || model.send(&request)).await??;
        let (pieces, received) = mpsc::channel(16);
        spawn_blocking(move || forward(body, &pieces));
        Ok(received)
    }

    fn request(&self, messages: &[Value], tools: &Value) -> Value {
        let mut request = json!({"model": self.name, "messages": messages});
        // The API refuses an empty list.
        if tools.as_array().is_some_and(|tools| !tools.is_empty()) {
            request["tools"] = tools.clone();
        }
        request
    }

    /// The body of a successful response; another one as an error.
    fn send(&self, request: &Value) -> Result<Body, Failure> {
        let mut post = self.agent.post(&self.url);
        post = post.header("content-type", "application/json");
        if let Some(key) = &self.key {
            post = post.header("authorization", format!("Bearer {key}"));
        }
        let url = &self.url;
        let response = post.send(request.to_string());
        let response = response.map_err(|error| format!("cannot reach {url}: {error}"))?;
        let (head, mut body) = response.into_parts();
        if head.status.is_success() {
            return Ok(body);
        }
        let text = body.read_to_string().unwrap_or_default();
        Err(format!("{url} answers {}: {}", head.status, reason(&text)).into())
    }
}

/// What a model said beside its calls.
pub fn text(message: &Value) -> String {
    let said = message["content"].as_str().or(message["refusal"].as_str());
    said.unwrap_or_default().to_owned()
}

fn agent(base_url: &str) -> ureq::Agent {
    let mut config = ureq::Agent::config_builder()
        .timeout_connect(Some(CONNECT))
        .timeout_per_read(Some(IDLE))
        // The body of an error says more than its status.
        .http_status_as_error(false);
    if base_url.starts_with("https:") {
        config = config.tls_config(tls());
    }
    if is_local(base_url) {
        config = config.proxy(None);
    }
    config.build().new_agent()
}

/// A server on this machine stands behind no proxy, whatever the environment says.
fn is_local(url: &str) -> bool {
    let here = ["http://127.0.0.1", "http://localhost", "http://[::1]"];
    here.iter().any(|here| url.starts_with(here))
}

fn tls() -> TlsConfig {
    let roots = rustls_native_certs::load_native_certs().certs;
    let roots: Vec<_> = roots
        .iter()
        .map(|root| Certificate::from_der(root).to_owned())
        .collect();
    TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&roots))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build()
}

/// Hands on what arrives, until it ends, breaks or nobody listens.
fn forward(body: Body, pieces: &mpsc::Sender<Result<Vec<u8>, Failure>>) {
    let (mut reader, mut buffer) = (body.into_reader(), [0; 4096]);
    loop {
        let piece = match reader.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => Ok(buffer[..length].to_vec()),
            Err(error) => Err(words(error)),
        };
        let broken = piece.is_err();
        if pieces.blocking_send(piece).is_err() || broken {
            return;
        }
    }
}

fn words(error: impl Error) -> Failure {
    format!("the response broke off: {error}").into()
}

/// The message of an error in the API's form, else the body as it is.
fn reason(body: &str) -> String {
    let error: Value = serde_json::from_str(body).unwrap_or_default();
    let message = error["error"]["message"].as_str();
    message.unwrap_or(body.trim()).to_owned()
}
