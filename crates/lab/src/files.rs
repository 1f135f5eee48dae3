//! The files of the page, as a server or a static site has them.

/// A file of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path, without a slash before it.
    pub path: String,
    /// Its content.
    pub content: Vec<u8>,
}

impl File {
    /// What it is, for a browser.
    #[must_use]
    pub fn media_type(&self) -> &'static str {
        media_type(&self.path)
    }
}

/// What a file of this name is, for a browser.
#[must_use]
pub fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "wasm" => "application/wasm",
        _ => "text/plain; charset=utf-8",
    }
}

/// Every file below `page`, by path.
const PAGE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// All files: those of the page, and the player's modules under `player/`.
#[must_use]
pub fn files() -> Vec<File> {
    let page = PAGE.iter().map(|(path, content)| File { path: (*path).into(), content: content.to_vec() });
    let player = bellwether_draw::player().into_iter();
    let player = player.map(|(name, text)| File { path: format!("player/{name}"), content: text.into_bytes() });
    page.chain(player).collect()
}

/// What a site without a server of ours allows: its own files, the program beside them, and a worker that it makes.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data: blob:; connect-src 'self'; worker-src blob:; base-uri 'none'; \
                      form-action 'none'";

/// All files of a page without a server of ours. Before all else it loads what asks the program for browsers.
#[must_use]
pub fn site() -> Vec<File> {
    let mut files = files();
    for file in files.iter_mut().filter(|file| file.path == "index.html") {
        let (charset, script) = ("<meta charset=\"utf-8\">\n", "<script type=\"module\"");
        let policy = format!("{charset}<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n");
        let carrier = format!("{script} src=\"carrier-wasm.js\"></script>\n{script}");
        let index = String::from_utf8_lossy(&file.content).replacen(charset, &policy, 1).replacen(script, &carrier, 1);
        file.content = index.into_bytes();
    }
    files
}
