use std::time::{Duration, Instant};

use crate::yaml::{read_config, read_map, read_rules, write_map};
use crate::{FileError, Place};

const MAP: &str = "waymarch_map: 1\nsize: [2, 2]\nlegend: {'.': Clear, '~': Water}\nrows: |\n  .~\n  ..\nelevation: |\n  0 1\n  2 3\nstamps:\n  - at: [0, 0]\n    rows: |\n      x\nstarts: [[1, 1]]\n";

/// Gives `bytes` to every reader; each must refuse them early.
fn all_refuse(bytes: &[u8]) -> Vec<FileError> {
    let start = Instant::now();
    let errors = vec![
        read_config("f", bytes).expect_err("settings"),
        read_rules("f", bytes).expect_err("rules"),
        read_map("f", bytes).expect_err("map"),
    ];
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    errors
}

#[test]
fn an_alias_bomb_is_refused() {
    let mut bomb = String::from("a: &a [x, x, x, x, x, x, x, x, x]\n");
    for level in b'b'..=b'i' {
        let (this, last) = (char::from(level), char::from(level - 1));
        bomb += &format!("{this}: &{this} [{}]\n", vec![format!("*{last}"); 9].join(", "));
    }
    for error in all_refuse(bomb.as_bytes()) {
        assert!(error.problem.contains("anchors"), "{error}");
        assert!(matches!(error.place, Place::Text { line: 1, .. }));
    }
    for error in all_refuse(b"a: &a [*a]") {
        assert!(error.problem.contains("anchors"), "{error}");
    }
}

#[test]
fn deep_nesting_is_refused_with_its_place() {
    let block: String = (0..2000).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
    for text in
        ["[".repeat(1_000_000), "{a: ".repeat(100_000), "- ".repeat(1_000_000), "? ".repeat(100_000), block]
    {
        for error in all_refuse(text.as_bytes()) {
            assert!(matches!(error.place, Place::Text { line, .. } if line < 100), "{error}");
        }
    }
}

#[test]
fn a_hundred_megabytes_are_refused_quickly() {
    let size = 100 << 20;
    for error in &all_refuse(&vec![b'x'; size])[..2] {
        assert!(error.problem.contains("but the limit is"), "{error}");
    }
    all_refuse(&vec![b'['; size]);
    all_refuse(&b"- x\n".repeat(size / 4));
}

#[test]
fn repeated_pieces_of_yaml_take_linear_time() {
    let scraps = [
        "a",
        "a\n",
        "\n",
        " ",
        " \n",
        "#\n",
        "# a",
        "'",
        "''",
        "\"",
        "\"\\n",
        "- \n",
        "-\n",
        "a: b\n",
        "a:\n",
        ": ",
        ":",
        "?\n",
        "? a\n",
        "[],",
        "[a, ",
        "{}",
        "{a: b, ",
        "'a': ",
        "\"a\" ",
        "|\n",
        ">\n a\n",
        "---\n",
        "...\n",
        "&a ",
        "*a ",
        "!a ",
        "!",
        "%",
        "%A\n",
        "@",
        "`",
        "a: |\n  x\n",
        "é",
        "\r",
        "\t",
        "a: 'b\n",
        ", ",
        "]",
        "}",
        "- - ",
        "-\n ",
        "\u{2028}",
    ];
    let size = 1 << 18;
    for scrap in scraps {
        for start in ["", "a: ", "[", "a: |\n  ", "waymarch_map: 1\nrows: |\n  "] {
            let text = format!("{start}{}", scrap.repeat(size / scrap.len()));
            let clock = Instant::now();
            assert!(read_config("f", text.as_bytes()).is_err());
            assert!(read_map("f", text.as_bytes()).is_err());
            assert!(clock.elapsed() < Duration::from_secs(5), "{scrap:?} took {:?}", clock.elapsed());
        }
    }
}

#[test]
fn input_that_is_not_text_is_refused() {
    assert!(all_refuse(b"a: \xFF\xFE").iter().all(|error| error.place == Place::Byte(3)));
    assert!(all_refuse(b"\xFF\xFEa\0").iter().all(|error| error.place == Place::Byte(0)));
    assert!(all_refuse(b"a: b\0").iter().all(|error| error.problem.contains("NUL")));
    for nothing in ["", "\n\n", "# only a comment\n", "---\n", "~", "\u{feff}"] {
        assert!(
            all_refuse(nothing.as_bytes()).iter().all(|error| error.problem.contains("empty")),
            "{nothing:?}"
        );
    }
    for error in all_refuse(b"a:\n\tb: 1\n") {
        assert!(error.to_string().contains("tab"), "{error}");
    }
}

#[test]
fn tags_directives_second_documents_and_odd_keys_are_refused() {
    for text in
        ["a: !!int 3", "%YAML 1.2\n---\na: 1", "a: 1\n---\na: 1", "[a]: 1", "? {a: b}\n: 1", "a: 1\na: 2"]
    {
        for error in all_refuse(text.as_bytes()) {
            assert!(matches!(error.place, Place::Text { .. }), "{text}: {error}");
        }
    }
}

#[test]
fn a_file_may_begin_with_a_byte_order_mark_and_end_its_lines_with_crlf() {
    let map = read_map("f", MAP.as_bytes()).unwrap();
    assert_eq!(read_map("f", format!("\u{feff}{MAP}").as_bytes()).unwrap(), map);
    assert_eq!(read_map("f", MAP.replace('\n', "\r\n").as_bytes()).unwrap(), map);
}

#[test]
fn a_file_cut_anywhere_never_panics() {
    let map = read_map("f", MAP.as_bytes()).unwrap();
    let long = write_map("f", &map).unwrap();
    for text in [MAP, &long, &crate::yaml::write_default_config()] {
        for end in 0..text.len() {
            let part = &text.as_bytes()[..end];
            let _ = (read_map("f", part), read_rules("f", part), read_config("f", part));
        }
    }
    let rows_end = MAP.find("elevation").unwrap();
    for end in 0..rows_end - 1 {
        assert!(read_map("f", &MAP.as_bytes()[..end]).is_err(), "cut at {end}");
    }
}

#[test]
fn a_file_with_any_one_byte_changed_never_panics() {
    for at in 0..MAP.len() {
        for byte in [0, b'\t', b'\n', b' ', b'9', b'-', b':', b'|', b'"', b'{', b']', b'&', b'\r', 0x80, 0xC3]
        {
            let mut bytes = MAP.as_bytes().to_vec();
            bytes[at] = byte;
            let _ = (read_map("f", &bytes), read_rules("f", &bytes), read_config("f", &bytes));
        }
    }
}
