//! `bellwether lab` as a process: what it serves, to whom, and how it ends.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;

use serde_json::{Value, json};

/// A lab on a free port. It ends with the test.
struct Lab {
    child: Child,
    port: u16,
}

/// A response: its status, its headers in small letters, and its body.
struct Response {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Response {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&self.body)))
    }

    /// What a refusal says.
    fn refusal(&self) -> String {
        let json = self.json();
        assert_eq!(json["ok"], false, "{json}");
        json["error"]["what"].as_str().unwrap().into()
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.arg("lab").args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Lab {
    fn new() -> Self {
        let mut child = command(&["--port", "0"]).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let port = line.strip_prefix("http://127.0.0.1:").and_then(|rest| rest.strip_suffix("/\n"));
        let port = port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("{line}"));
        Self { child, port }
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).unwrap()
    }

    /// Sends a request with these lines as its head.
    fn send(&self, head: &[&str], body: &[u8]) -> Response {
        let mut stream = self.connect();
        let head = head.join("\r\n");
        write!(stream, "{head}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len()).unwrap();
        // A server that refuses a request need not read it.
        let _ = stream.write_all(body);
        received(stream)
    }

    fn get(&self, path: &str) -> Response {
        self.send(&[&format!("GET {path} HTTP/1.1"), &format!("Host: {}", self.host())], b"")
    }

    fn ask(&self, request: &str) -> Response {
        let host = format!("Host: {}", self.host());
        let origin = format!("Origin: http://{}", self.host());
        self.send(&["POST /api HTTP/1.1", &host, &origin, "Content-Type: application/json"], request.as_bytes())
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads until the server closes.
fn received(mut stream: TcpStream) -> Response {
    let mut all = vec![];
    let _ = stream.read_to_end(&mut all);
    let end = all.windows(4).position(|window| window == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8(all[..end].to_vec()).unwrap().to_ascii_lowercase();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
    Response { status, head, body: all[end + 4..].to_vec() }
}

#[test]
fn it_serves_the_player_and_answers_as_the_lab_does() {
    let lab = Lab::new();
    let player = lab.get("/player/player.js");
    assert_eq!(player.status, 200);
    assert!(player.head.contains("content-type: text/javascript"), "{}", player.head);
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-resource-policy: same-origin",
    ] {
        assert!(player.head.contains(header), "{header}: {}", player.head);
    }
    let request = json!({"ask": "run", "election": {"algorithm": "peterson", "topology": "ring:8"}}).to_string();
    let answer = lab.ask(&request);
    assert_eq!(answer.status, 200);
    let expected = bellwether_lab::answer(&request, &bellwether_lab::Limits::NATIVE);
    assert_eq!(String::from_utf8(answer.body).unwrap(), expected);
    // The report is the very one of the command.
    let ran = Command::new(env!("CARGO_BIN_EXE_bellwether")).args(["run", "peterson", "--json"]).output().unwrap();
    let expected: Value = serde_json::from_str(&expected).unwrap();
    assert_eq!(expected["report"], serde_json::from_slice::<Value>(&ran.stdout).unwrap());
    // A refusal of the lab is an answer like any other.
    let huge = lab.ask(r#"{"ask":"fits","topology":"ring:1000000000"}"#);
    assert_eq!((huge.status, huge.json()["error"]["kind"].as_str()), (200, Some("too-large")));
    assert_eq!(lab.ask("{").json()["error"]["kind"], "unreadable");
}

/// The report of a search is that of the command, but for the time that it took.
#[test]
fn a_search_is_reported_as_the_command_does() {
    let lab = Lab::new();
    for (check, line) in [
        (json!({"algorithm": "chang-roberts", "topology": "ring:4", "ids": "all"}), "--topology ring:4 --ids all"),
        (json!({"algorithm": "chang-roberts", "topology": "ring:3", "loss": 1}), "--topology ring:3 --loss 1"),
    ] {
        let args = format!("check chang-roberts --json {line}");
        let ran = Command::new(env!("CARGO_BIN_EXE_bellwether")).args(args.split(' ')).output().unwrap();
        let mut expected: Value = serde_json::from_slice(&ran.stdout).unwrap();
        expected.as_object_mut().unwrap().shift_remove("seconds");
        assert_eq!(lab.ask(&json!({"ask": "check", "check": check}).to_string()).json()["report"], expected, "{line}");
    }
}

#[test]
fn nobody_elses_page_may_ask() {
    let lab = Lab::new();
    let (own, port) = (format!("Host: {}", lab.host()), lab.port);
    for host in ["evil.example".to_string(), format!("evil.example:{port}"), "127.0.0.1".into(), "127.0.0.1:1".into()] {
        let refused = lab.send(&["GET /player/player.js HTTP/1.1", &format!("Host: {host}")], b"");
        assert_eq!(refused.status, 403, "{host}");
        assert!(refused.refusal().contains("not at that Host"), "{host}");
    }
    assert_eq!(lab.send(&["GET /player/player.js HTTP/1.1", &format!("Host: localhost:{port}")], b"").status, 200);
    let json = "Content-Type: application/json";
    for origin in ["http://evil.example", "null", &format!("https://127.0.0.1:{port}"), "http://127.0.0.1:1"] {
        let origin = format!("Origin: {origin}");
        let refused = lab.send(&["POST /api HTTP/1.1", &own, &origin, json], br#"{"ask":"catalogue"}"#);
        assert_eq!(refused.status, 403, "{origin}");
        assert!(refused.refusal().contains("Origin is foreign"), "{origin}");
    }
    // A form of another page could send this without asking.
    let plain = lab.send(&["POST /api HTTP/1.1", &own, "Content-Type: text/plain"], br#"{"ask":"catalogue"}"#);
    assert_eq!(plain.status, 415);
    assert!(lab.send(&["POST /api HTTP/1.1", &own, json], br#"{"ask":"catalogue"}"#).json()["ok"] == true);
}

#[test]
fn there_are_no_other_files_and_methods() {
    let lab = Lab::new();
    for path in [
        "/../Cargo.toml",
        "/player/../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "//etc/passwd",
        "/player/",
        "/nothing",
    ] {
        let response = lab.get(path);
        assert_eq!(response.status, 404, "{path}");
        assert!(response.refusal().contains("no such file"), "{path}");
    }
    assert_eq!(lab.get("/api").status, 405);
    let own = format!("Host: {}", lab.host());
    for line in ["PUT /player/player.js HTTP/1.1", "DELETE /api HTTP/1.1", "POST /player/player.js HTTP/1.1"] {
        assert_eq!(lab.send(&[line, &own], b"").status, 405, "{line}");
    }
    // What is no HTTP at all is answered, or the connection closed.
    for bytes in [&b"\0\0\0\0\r\n\r\n"[..], b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"] {
        let mut stream = lab.connect();
        stream.write_all(bytes).unwrap();
        let mut all = vec![];
        let _ = stream.read_to_end(&mut all);
        assert!(all.is_empty() || all.starts_with(b"HTTP/1.1 400"), "{}", String::from_utf8_lossy(&all));
    }
    assert_eq!(lab.get("/player/player.js").status, 200);
}

#[test]
fn a_request_that_is_too_long_is_refused() {
    let lab = Lab::new();
    let host = format!("Host: {}", lab.host());
    let mut stream = lab.connect();
    let head = format!("POST /api HTTP/1.1\r\n{host}\r\nContent-Type: application/json\r\nConnection: close");
    // Only the head says how long it is.
    write!(stream, "{head}\r\nTransfer-Encoding: chunked\r\n\r\n").unwrap();
    let part = vec![b' '; 1 << 20];
    for _ in 0..65 {
        if write!(stream, "{:x}\r\n", part.len()).and_then(|()| stream.write_all(&part)).is_err() {
            break;
        }
        let _ = stream.write_all(b"\r\n");
    }
    let refused = received(stream);
    assert_eq!(refused.status, 413);
    assert!(refused.refusal().contains("at most 64 MB"));
}

/// Eight requests wait in the room. The server asks for their bodies once they are in.
#[test]
fn a_flood_is_refused_and_passes() {
    let lab = Lab::new();
    let request = r#"{"ask":"run","election":{"algorithm":"peterson"}}"#;
    let head = format!(
        "POST /api HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nConnection: close\r\n\
         Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        lab.host(),
        request.len()
    );
    let waiting: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = lab.connect();
            stream.write_all(head.as_bytes()).unwrap();
            let mut go_on = [0; 25];
            stream.read_exact(&mut go_on).unwrap();
            assert_eq!(&go_on, b"HTTP/1.1 100 Continue\r\n\r\n");
            stream
        })
        .collect();
    let refused = lab.ask(request);
    assert_eq!(refused.status, 503);
    assert!(refused.refusal().contains("busy") && refused.head.contains("retry-after: 1"), "{}", refused.head);
    // Files are served all the same.
    assert_eq!(lab.get("/player/player.js").status, 200);
    let expected = bellwether_lab::answer(request, &bellwether_lab::Limits::NATIVE);
    thread::scope(|scope| {
        for mut stream in waiting {
            let expected = &expected;
            scope.spawn(move || {
                stream.write_all(request.as_bytes()).unwrap();
                let answer = received(stream);
                assert_eq!((answer.status, &answer.body[..]), (200, expected.as_bytes()));
            });
        }
    });
    assert_eq!(lab.ask(request).status, 200);
}

/// Two pages ask at the same time, and each gets its own answers.
#[test]
fn two_pages_do_not_disturb_each_other() {
    let lab = Lab::new();
    thread::scope(|scope| {
        for page in 0..2 {
            let lab = &lab;
            scope.spawn(move || {
                for seed in 0..10 {
                    let seed = 2 * seed + page;
                    let request =
                        json!({"ask": "run", "election": {"algorithm": "franklin", "seed": seed}}).to_string();
                    let expected = bellwether_lab::answer(&request, &bellwether_lab::Limits::NATIVE);
                    assert_eq!(lab.ask(&request).body, expected.as_bytes());
                }
            });
        }
    });
}

#[cfg(unix)]
#[test]
fn it_stops_when_it_is_told_even_with_work_under_way() {
    for signal in ["-INT", "-TERM"] {
        let mut lab = Lab::new();
        // Work for some seconds, and a connection that stays open.
        let request = r#"{"ask":"check","check":{"algorithm":"bully","topology":"complete:5","timers":"any"}}"#;
        let mut busy = lab.connect();
        let head = format!("POST /api HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json", lab.host());
        write!(busy, "{head}\r\nContent-Length: {}\r\n\r\n{request}", request.len()).unwrap();
        assert_eq!(lab.get("/player/player.js").status, 200);
        let pid = lab.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        assert_eq!(lab.child.wait().unwrap().code(), Some(0), "{signal}");
        let mut rest = String::new();
        lab.child.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "the address is the only line");
        assert!(TcpStream::connect(("127.0.0.1", lab.port)).is_err());
    }
}

#[test]
fn a_port_that_is_taken_is_refused_and_json_tells_the_address() {
    let lab = Lab::new();
    let output = command(&["--port", &lab.port.to_string()]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("another program serves there; --port 0 takes a free port"), "{said}");
    let mut child = command(&["--port", "0", "--json"]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let address = serde_json::from_str::<Value>(&line).unwrap()["address"].as_str().unwrap().to_string();
    assert!(address.starts_with("http://127.0.0.1:") && address.ends_with('/'), "{address}");
}

#[test]
fn a_site_is_written_and_foreign_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    // A section with code of three bytes.
    let program = b"\0asm\x01\0\0\0\x0a\x03abc";
    fs::write(path("lab.wasm"), program).unwrap();
    fs::write(path("cut"), &program[..program.len() - 1]).unwrap();
    fs::write(path("empty"), &program[..8]).unwrap();
    fs::write(path("text"), b"no program").unwrap();
    let export = |site: &str, wasm: &str| {
        let output = command(&["--export", &path(site), "--wasm", &path(wasm)]).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let (code, said) = export("site", "lab.wasm");
    assert!(code == 0 && said.contains("any web server hosts them"), "{said}");
    assert_eq!(fs::read(path("site/lab.wasm")).unwrap(), program);
    assert!(fs::read_to_string(path("site/player/player.js")).unwrap().contains("export"));
    // The page asks its own program, and as one file it names no other.
    let [index, single] = ["index.html", "lab.html"].map(|name| fs::read_to_string(path(&format!("site/{name}"))));
    let (index, single) = (index.unwrap(), single.unwrap());
    let [carrier, page] = ["carrier-wasm.js", "lab.js"].map(|name| index.find(&format!("src=\"{name}\"")).unwrap());
    assert!(carrier < page && index.contains("connect-src 'self'"), "{index}");
    assert!(!single.contains(" src=\"") && !single.contains(" href=\"style") && !single.contains("connect-src"));
    assert!(single.contains("id=\"program\"") && single.contains("id=\"texts-de\""));
    // Written here, so it may be written again.
    assert_eq!(export("site", "lab.wasm").0, 0);
    fs::create_dir(path("foreign")).unwrap();
    fs::write(path("foreign/index.html"), "mine").unwrap();
    let (code, said) = export("foreign", "lab.wasm");
    assert!(code == 2 && said.contains("this folder has other files in it"), "{said}");
    assert_eq!(fs::read_to_string(path("foreign/index.html")).unwrap(), "mine");
    for (wasm, reason) in [
        ("text", "this is no WebAssembly"),
        ("cut", "this WebAssembly is cut off"),
        ("empty", "or has no code"),
        ("foreign", "this is no file"),
        ("nowhere", "there is no such file: web/build-wasm"),
    ] {
        let (code, said) = export("other", wasm);
        assert!(code == 2 && said.contains(reason), "{said}");
        assert!(!folder.path().join("other").exists());
    }
}
