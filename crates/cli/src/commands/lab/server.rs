//! The lab over HTTP: the files of the page, and `POST /api`.
//!
//! Nobody else's page may ask. `Host` must be an address of this server in digits, or localhost, so that no name can be
//! made to point here. `Origin` must be this server. Work is bounded: the number of requests that wait, the number that
//! are worked on, and the limits of each.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY, RETRY_AFTER,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::Response;
use bellwether_lab::files::{File, files};
use bellwether_lab::{Limits, answer};
use bellwether_resources::pool;
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// The longest request in bytes: a trace of the longest run that is shown.
const LONGEST: usize = 64 << 20;
/// How many requests are read or wait at the same time.
const ROOM: usize = 8;
/// How long a request may take to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

/// Scripts, styles and data from this server alone; no frame around the page.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// What all requests share.
pub struct Server {
    address: SocketAddr,
    files: BTreeMap<String, File>,
    /// A permit for each request that may wait.
    room: Arc<Semaphore>,
    /// A permit for each request that is worked on.
    desk: Arc<Semaphore>,
}

impl Server {
    /// A server at this address.
    pub fn new(address: SocketAddr) -> Self {
        let files = files().into_iter().map(|file| (format!("/{}", file.path), file)).collect();
        let semaphore = |permits: usize| Arc::new(Semaphore::new(permits));
        Self { address, files, room: semaphore(ROOM), desk: semaphore(pool::cores().clamp(1, ROOM)) }
    }

    /// What answers every request.
    pub fn router(self) -> Router {
        Router::new().fallback(respond).with_state(Arc::new(self))
    }

    /// Whether a `Host` is this server: an address in digits with its port, or localhost. A name could be anybody's.
    fn is_here(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let digits = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
        let is_address = match digits.parse::<IpAddr>() {
            Ok(ip) => ip == self.address.ip() || ip.is_loopback() || self.address.ip().is_unspecified(),
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        };
        is_address && port == Some(self.address.port())
    }

    /// The reason to refuse a request that another page makes.
    fn foreign(&self, headers: &HeaderMap) -> Option<String> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let host = text(HOST).unwrap_or_default();
        if !self.is_here(host) {
            let right = self.address;
            return Some(format!("this server is not at that Host: open http://{right}/, in digits or as localhost"));
        }
        let origin = text(ORIGIN).filter(|origin| *origin != format!("http://{host}"));
        origin.map(|_| "another page may not ask this server: the Origin is foreign".into())
    }

    fn file(&self, path: &str) -> Response {
        let path = if path == "/" { "/index.html" } else { path };
        match self.files.get(path) {
            Some(file) => reply(StatusCode::OK, file.media_type(), file.content.clone()),
            None => problem(StatusCode::NOT_FOUND, "refused", "there is no such file here"),
        }
    }

    async fn api(&self, request: Request) -> Response {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.to_ascii_lowercase().starts_with("application/json") {
            let what = "a request is JSON: send it with Content-Type: application/json";
            return problem(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unreadable", what);
        }
        let Ok(place) = self.room.clone().try_acquire_owned() else { return busy() };
        let body = match timeout(PATIENCE, to_bytes(request.into_body(), LONGEST)).await {
            Ok(Ok(body)) => body,
            Ok(Err(_)) => {
                let what = format!("a request has at most {} MB", LONGEST >> 20);
                return problem(StatusCode::PAYLOAD_TOO_LARGE, "too-large", &what);
            }
            Err(_) => return problem(StatusCode::REQUEST_TIMEOUT, "unreadable", "the request did not arrive in time"),
        };
        let Ok(text) = String::from_utf8(body.into()) else {
            return problem(StatusCode::BAD_REQUEST, "unreadable", "a request is text in UTF-8");
        };
        let Ok(turn) = self.desk.clone().acquire_owned().await else { return busy() };
        // The work cannot be stopped, so it keeps its places even if nobody waits for it any more.
        let work = spawn_blocking(move || {
            let answered = answer(&text, &Limits::NATIVE);
            drop((place, turn));
            answered
        });
        match work.await {
            Ok(answered) => reply(StatusCode::OK, "application/json", answered.into_bytes()),
            Err(_) => problem(StatusCode::INTERNAL_SERVER_ERROR, "refused", "the lab has met a bug with this request"),
        }
    }
}

async fn respond(State(server): State<Arc<Server>>, request: Request) -> Response {
    let mut response = if let Some(foreign) = server.foreign(request.headers()) {
        problem(StatusCode::FORBIDDEN, "refused", &foreign)
    } else {
        let path = request.uri().path().to_string();
        match (request.method(), &path[..]) {
            (&Method::POST, "/api") => server.api(request).await,
            (&Method::GET | &Method::HEAD, path) if path != "/api" => server.file(path),
            (_, path) => {
                let right = if path == "/api" { "POST" } else { "GET, HEAD" };
                let what = format!("this takes {right}");
                let mut response = problem(StatusCode::METHOD_NOT_ALLOWED, "refused", &what);
                response.headers_mut().insert(ALLOW, HeaderValue::from_static(right));
                response
            }
        }
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn busy() -> Response {
    let what = "the lab is busy with other requests: try again in a moment";
    let mut response = problem(StatusCode::SERVICE_UNAVAILABLE, "refused", what);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    response
}

/// A refusal in the form of all answers.
fn problem(status: StatusCode, kind: &str, what: &str) -> Response {
    let object = json!({"ok": false, "error": {"kind": kind, "what": what}});
    reply(status, "application/json", object.to_string().into_bytes())
}

fn reply(status: StatusCode, media_type: &'static str, content: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(content));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_server_is_here() {
        let at = |address: &str| Server::new(address.parse().unwrap());
        let here = at("127.0.0.1:4242");
        for fine in ["127.0.0.1:4242", "localhost:4242", "LocalHost:4242", "[::1]:4242"] {
            assert!(here.is_here(fine), "{fine}");
        }
        for foreign in
            ["", "127.0.0.1", "localhost", "127.0.0.1:4243", "evil.example:4242", "192.168.1.5:4242", "[::1]", "::1"]
        {
            assert!(!here.is_here(foreign), "{foreign}");
        }
        assert!(at("0.0.0.0:4242").is_here("192.168.1.5:4242") && !at("0.0.0.0:4242").is_here("evil.example:4242"));
        assert!(at("127.0.0.1:80").is_here("127.0.0.1") && at("127.0.0.1:80").is_here("[::1]"));
        assert!(at("10.0.0.7:4242").is_here("10.0.0.7:4242") && !at("10.0.0.7:4242").is_here("10.0.0.8:4242"));
    }
}
