//! A page of many files as one file, which opens from disk and loads nothing. A program as WebAssembly is in it.
//!
//! A browser lets a page on disk neither import modules nor fetch files. So the modules are joined, and the styles
//! stand in the page. Data stand there too, each in an element that is named after its file: `texts-en` for
//! `texts/en.json`. The program is in the element `program`, deflated and in base 64.

use std::collections::BTreeMap;

use miniz_oxide::deflate::{CompressionLevel, compress_to_vec_zlib};

use crate::bundle;

/// Scripts and styles only from the page itself, no request to anywhere, and a worker that the page makes.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; \
                      img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'";

/// Files by path.
type Files<'a> = BTreeMap<&'a str, &'a [u8]>;

/// The page that these files make, with this program in it. The files are given with their paths.
///
/// # Errors
/// If there is no `index.html`, if it names a file that is not there, or if its modules cannot be joined.
pub fn page(files: &[(&str, &[u8])], program: &[u8]) -> Result<String, String> {
    let files: Files<'_> = files.iter().copied().collect();
    let (mut page, mut entries) = (String::new(), vec![]);
    let mut rest = text(&files, "index.html")?;
    while let Some((before, tag, after)) = next_tag(rest) {
        page += before;
        rest = after;
        match (attribute(tag, "src").or(attribute(tag, "href")), attribute(tag, "rel")) {
            _ if attribute(tag, "http-equiv") == Some("Content-Security-Policy") => {}
            _ if attribute(tag, "charset").is_some() => {
                page += &format!("{tag}\n<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">");
            }
            (Some(entry), _) if tag.starts_with("<script ") => {
                rest = rest.strip_prefix("</script>").ok_or(format!("index.html: no </script> after {tag}"))?;
                entries.push(entry);
            }
            (Some(path), Some("stylesheet")) => page += &format!("<style>\n{}</style>", style(&files, path)?),
            (Some(path), Some("icon")) if path.ends_with(".svg") => {
                let data = format!("data:image/svg+xml;base64,{}", base64(text(&files, path)?.as_bytes()));
                page += &tag.replace(path, &data);
            }
            (Some(path), _) if files.contains_key(path) => return Err(format!("index.html: cannot be packed: {tag}")),
            _ => page += tag,
        }
    }
    // All scripts are modules, which wait for the end of the page.
    let end = rest.find("</body>").unwrap_or(rest.len());
    Ok(page + &rest[..end] + &scripts(&files, &entries, program)? + &rest[end..])
}

/// The program, the data and the modules, each in an element.
fn scripts(files: &Files<'_>, entries: &[&str], program: &[u8]) -> Result<String, String> {
    let with = |ending: &str| files.keys().copied().filter(|path| path.ends_with(ending)).collect::<Vec<_>>();
    let modules = with(".js").into_iter().map(|path| Ok((path, text(files, path)?)));
    let script = bundle::script(&modules.collect::<Result<Vec<_>, String>>()?, entries)?;
    if let Some(line) = script.lines().find(|line| line.contains("</script")) {
        return Err(format!("a module would end the page's script: `{line}`"));
    }
    let program = base64(&compress_to_vec_zlib(program, CompressionLevel::UberCompression as u8));
    let mut scripts = format!("<script type=\"text/plain\" id=\"program\">{program}</script>\n");
    for path in with(".json") {
        let name = path.trim_end_matches(".json").replace('/', "-");
        // The text must not contain the end tag of a script.
        let data = text(files, path)?.trim().replace('<', "\\u003c");
        scripts += &format!("<script type=\"application/json\" id=\"{name}\">{data}</script>\n");
    }
    Ok(scripts + "<script type=\"module\">\n" + &script + "</script>\n")
}

/// A style. It may not name other files.
fn style<'a>(files: &Files<'a>, path: &str) -> Result<&'a str, String> {
    let style = text(files, path)?;
    match style.lines().find(|line| line.contains("@import") || line.contains("url(") && !line.contains("url(#")) {
        Some(line) => Err(format!("{path}: it cannot load another file: `{}`", line.trim())),
        None => Ok(style),
    }
}

fn text<'a>(files: &Files<'a>, path: &str) -> Result<&'a str, String> {
    let file = files.get(path).ok_or(format!("{path}: not there, named by the page"))?;
    str::from_utf8(file).map_err(|_| format!("{path}: it is not text"))
}

/// The text before the next tag that may name a file, the tag, and the text after it.
fn next_tag(html: &str) -> Option<(&str, &str, &str)> {
    let start = ["<link ", "<script ", "<meta ", "<img "].iter().filter_map(|tag| html.find(tag)).min()?;
    let end = start + html[start..].find('>')? + 1;
    Some((&html[..start], &html[start..end], &html[end..]))
}

/// The value of an attribute.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = tag.split_once(&format!(" {name}=\""))?;
    value.split('"').next()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let byte = |place: usize| u32::from(group.get(place).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= group.len() { letter.into() } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(given: &[(&str, &str)]) -> Result<String, String> {
        let files: Vec<_> = given.iter().map(|(path, content)| (*path, content.as_bytes())).collect();
        page(&files, b"\0asm")
    }

    const INDEX: &str = "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<link rel=\"icon\" href=\"sign.svg\">\n\
                         <link rel=\"stylesheet\" href=\"style.css\">\n<p>Hello</p>\n\
                         <script type=\"module\" src=\"lab.js\"></script>\n</body>\n";

    #[test]
    fn everything_stands_in_one_file() {
        let page = packed(&[
            ("index.html", INDEX),
            ("sign.svg", "<svg/>"),
            ("style.css", "p { color: red }\n"),
            ("lab.js", "import { a } from './player/a.js';\nconsole.log(a);\n"),
            ("player/a.js", "export const a = 1;\n"),
            ("texts/en.json", "{\"end\":\"</script>\"}\n"),
        ])
        .unwrap();
        let expected = format!(
            "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <link rel=\"icon\" href=\"data:image/svg+xml;base64,PHN2Zy8+\">\n\
             <style>\np {{ color: red }}\n</style>\n<p>Hello</p>\n\n\
             <script type=\"text/plain\" id=\"program\">{}</script>\n\
             <script type=\"application/json\" id=\"texts-en\">{{\"end\":\"\\u003c/script>\"}}</script>\n\
             <script type=\"module\">\nconst player_a_js = (() => {{\nconst a = 1;\nreturn {{ a }};\n}})();\n\
             const lab_js = (() => {{\nconst {{ a }} = player_a_js;\nconsole.log(a);\nreturn {{  }};\n}})();\n\
             </script>\n</body>\n",
            base64(&compress_to_vec_zlib(b"\0asm", CompressionLevel::UberCompression as u8))
        );
        assert_eq!(page, expected);
    }

    #[test]
    fn what_cannot_stand_in_it_is_named() {
        let with = |style, module| {
            packed(&[("index.html", INDEX), ("sign.svg", ""), ("style.css", style), ("lab.js", module)])
        };
        assert_eq!(packed(&[]), Err("index.html: not there, named by the page".into()));
        let problem = "style.css: it cannot load another file: `p { background: url(a.png) }`";
        assert_eq!(with("p { background: url(a.png) }", ""), Err(problem.into()));
        assert_eq!(with("", "import './b.js';\n"), Err("b.js: not there, imported by lab.js".into()));
        let problem = "a module would end the page's script: `const a = '</script>';`";
        assert_eq!(with("", "const a = '</script>';\n"), Err(problem.into()));
        let problem = "index.html: cannot be packed: <img src=\"a.png\">";
        assert_eq!(packed(&[("index.html", "<img src=\"a.png\">"), ("a.png", "")]), Err(problem.into()));
    }

    #[test]
    fn base64_is_as_the_standard_has_it() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }
}
