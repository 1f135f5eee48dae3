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
