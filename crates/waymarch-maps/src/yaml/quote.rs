//! Writes texts as YAML scalars that read back unchanged.

/// Words that other YAML readers take for a boolean or null.
const RESERVED: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// `text` as a scalar on one line: plain if every YAML reader takes it as text, otherwise in double quotes.
pub(super) fn scalar(text: &str) -> String {
    let plain = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        && !RESERVED.contains(&text.to_ascii_lowercase().as_str());
    if plain { text.to_string() } else { in_quotes(text) }
}

/// YAML allows keys without `?` up to 1024 characters, including quotes and colon; 1000 leaves a margin.
const MAX_SIMPLE_KEY: usize = 1000;

/// `text` as a key of a block map, with colon; `indent` is the indentation of its line.
pub(super) fn block_key(text: &str, indent: &str) -> String {
    let key = scalar(text);
    if key.chars().count() <= MAX_SIMPLE_KEY { format!("{key}:") } else { format!("? {key}\n{indent}:") }
}

/// `text` as a key of a flow map (in braces), with colon.
pub(super) fn flow_key(text: &str) -> String {
    let key = scalar(text);
    if key.chars().count() <= MAX_SIMPLE_KEY { format!("{key}:") } else { format!("? {key} :") }
}

/// `text` in double quotes. All characters except letters, digits and printable ASCII are escaped.
fn in_quotes(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            ' '..='~' => out.push(letter),
            _ if letter.is_alphanumeric() => out.push(letter),
            _ => out.push_str(&format!("\\U{:08X}", u32::from(letter))),
        }
    }
    out.push('"');
    out
}
