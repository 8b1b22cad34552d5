//! Texts as YAML scalars that read back as they were.

/// Plain words that other YAML readers would take for something else.
const RESERVED: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// `text` as a scalar on one line: plain where that is safe everywhere, in double quotes elsewhere.
pub(super) fn scalar(text: &str) -> String {
    let plain = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        && !RESERVED.contains(&text.to_ascii_lowercase().as_str());
    if plain { text.to_string() } else { in_quotes(text) }
}

/// YAML takes a key without `?` only if it is no longer than 1024 characters; quotes and colon count too.
const MAX_SIMPLE_KEY: usize = 1000;

/// `text` as a key of a map in lines, colon included; `indent` stands before it.
pub(super) fn block_key(text: &str, indent: &str) -> String {
    let key = scalar(text);
    if key.chars().count() <= MAX_SIMPLE_KEY { format!("{key}:") } else { format!("? {key}\n{indent}:") }
}

/// `text` as a key of a map in braces, colon included.
pub(super) fn flow_key(text: &str) -> String {
    let key = scalar(text);
    if key.chars().count() <= MAX_SIMPLE_KEY { format!("{key}:") } else { format!("? {key} :") }
}

/// `text` in double quotes; whatever is not a letter, a digit or printable ASCII is escaped.
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
