//! The page's files. They are embedded in the program and served one by one, or joined into one replay page.

use std::borrow::Cow;
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rust_embed::RustEmbed;

/// Embeds the whole folder, also in debug builds.
#[derive(RustEmbed)]
#[folder = "page/"]
struct Files;

/// A file of the page and its content type. Names are looked up in the embedded table, never on disk.
pub(crate) fn file(name: &str) -> Option<(Cow<'static, [u8]>, &'static str)> {
    let kind = match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        _ => return None,
    };
    Some((Files::get(name)?.data, kind))
}

fn text(name: &str) -> String {
    file(name).map(|(bytes, _)| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

/// Prefix of module names in a joined page. A name without a leading dot is looked up in the import map.
const PREFIX: &str = "waymarch/";

/// The page as a single file with `data` in it. It loads nothing from anywhere.
pub(crate) fn in_one_piece(data: &[u8]) -> String {
    let mut html = text("index.html");
    let names: Vec<String> = Files::iter().map(Cow::into_owned).collect();
    for name in names.iter().filter(|name| name.ends_with(".css")) {
        let link = format!("<link rel=\"stylesheet\" href=\"{name}\">");
        html = html.replace(&link, &format!("<style>\n{}</style>", text(name)));
    }
    let element = format!(
        "<script type=\"application/octet-stream;base64\" id=\"replay\">{}</script>",
        STANDARD.encode(data)
    );
    let html = html.replace("<!-- replay -->", &element);
    html.replace("<script type=\"module\" src=\"main.js\"></script>", &modules(&names))
}

/// All modules as an import map, and a script that starts `main.js`.
fn modules(names: &[String]) -> String {
    let mut map = String::from("<script type=\"importmap\">{\"imports\":{");
    for (number, name) in names.iter().filter(|name| name.ends_with(".js")).enumerate() {
        let module = text(name).replace("from \"./", &format!("from \"{PREFIX}"));
        let module = module.replace("import \"./", &format!("import \"{PREFIX}"));
        let comma = if number == 0 { "" } else { "," };
        // Writing to a `String` cannot fail.
        let _ = write!(
            map,
            "{comma}\n\"{PREFIX}{name}\":\"data:text/javascript;base64,{}\"",
            STANDARD.encode(module)
        );
    }
    map.push_str("}}</script>\n");
    map + &format!("<script type=\"module\">import \"{PREFIX}main.js\";</script>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_page_are_given_out() {
        assert!(file("index.html").is_some() && file("main.js").is_some());
        for name in [
            "../Cargo.toml",
            "..\\Cargo.toml",
            "/etc/passwd",
            "%2e%2e/src/lib.rs",
            "page/index.html",
            "",
            ".",
            "x.js\0",
        ] {
            assert!(file(name).is_none(), "{name}");
        }
    }

    /// The files that a file of the page loads: modules, and what `index.html` links.
    fn loads(name: &str) -> Vec<String> {
        let source = text(name);
        let starts = [
            "from \"./",
            "import \"./",
            "<link rel=\"stylesheet\" href=\"",
            "<script type=\"module\" src=\"",
        ];
        let code = source.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
        let names = code.flat_map(|line| {
            starts
                .into_iter()
                .filter_map(move |start| Some(line.split_once(start)?.1.split_once('"')?.0.to_owned()))
        });
        names.collect()
    }

    #[test]
    fn every_file_that_is_served_is_used_by_the_page() {
        let mut used = std::collections::BTreeSet::from([String::from("index.html")]);
        let mut next = vec![String::from("index.html")];
        while let Some(name) = next.pop() {
            next.extend(loads(&name).into_iter().filter(|name| used.insert(name.clone())));
        }
        let served: std::collections::BTreeSet<String> =
            Files::iter().filter(|name| file(name).is_some()).map(Cow::into_owned).collect();
        assert_eq!(served, used, "files for tests and tools are outside of `page`");
    }

    #[test]
    fn a_page_in_one_piece_asks_for_nothing() {
        let html = in_one_piece(b"data");
        assert!(html.contains(&STANDARD.encode(b"data")));
        for outside in ["src=\"", "href=\"theme", "<link rel=\"stylesheet\"", "<!-- replay -->"] {
            assert!(!html.contains(outside), "{outside}");
        }
    }

    #[test]
    fn modules_of_the_page_import_each_other_as_one_piece_needs_it() {
        for name in Files::iter().filter(|name| name.ends_with(".js")) {
            let source = text(&name);
            let other = source.lines().find(|line| {
                let is_code = !line.trim_start().starts_with(['*', '/']);
                let names = line.starts_with("import ")
                    || line.starts_with("} from ")
                    || line.starts_with("export * ");
                let ours = line.contains("from \"./") || line.starts_with("import \"./");
                is_code && (line.contains("import(") || names && !ours && !line.ends_with('{'))
            });
            assert_eq!(other, None, "{name}");
        }
    }
}
