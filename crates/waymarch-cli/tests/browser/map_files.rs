//! Map files that are dropped on the page.

use serde_json::json;

use crate::{Server, browser, page};

#[test]
fn a_dropped_file_that_is_refused_is_named_once() {
    let Some((mut browser, _turn)) = browser("files") else { return };
    let server = Server::start("--port 0 door");
    let tab = page(&mut browser, &server.url);
    let drop = |name: &str, text: &str| {
        format!(
            "(() => {{ document.getElementById('toasts').replaceChildren(); const data = new DataTransfer();
             data.items.add(new File([{}], '{name}'));
             document.getElementById('view').dispatchEvent(new DragEvent('drop', {{dataTransfer: data, bubbles: true}})); }})(), 0",
            json!(text)
        )
    };
    let toasts = "document.getElementById('toasts').textContent";
    for (name, text) in
        [("cliff.map", "type octile\nheight 9\nwidth 2\nmap\n.T\n"), ("duel.oramap", "PK"), ("a.doc", "x")]
    {
        browser.eval(&tab, &drop(name, text));
        browser.wait(&tab, &format!("{toasts} != ''"));
        let told = browser.eval(&tab, toasts);
        assert_eq!(told.as_str().unwrap().matches(name).count(), 1, "{told}");
    }
    browser.eval(&tab, &drop("plain.map", "type octile\nheight 9\nwidth 9\nmap\n.........\n.........\n.........\n.........\n.........\n.........\n.........\n.........\n.........\n"));
    browser.wait(&tab, "waymarch.store.hello.name == 'plain' && document.title.startsWith('plain')");
    let formats = browser.eval(&tab, "document.getElementById('formats').textContent");
    assert!(formats.as_str().unwrap().contains("waymarch play --mod DIR"), "{formats}");
}
