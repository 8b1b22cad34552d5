//! Who may talk to the server: pages that it gave out itself, nobody else.

use axum::http::{HeaderMap, header};

/// Whether a request was made to this server under a name of this machine: a foreign name that points here (DNS rebinding) is not one.
pub(crate) fn host_is_ours(headers: &HeaderMap, port: u16) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    hosts.next().is_none() && host.is_some_and(|host| ours(port).iter().any(|own| own == host))
}

/// Whether a page that this server gave out made the request: browsers say so, and pages cannot make them lie.
pub(crate) fn origin_is_ours(headers: &HeaderMap, port: u16) -> bool {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let origin = origins.next().and_then(|origin| origin.to_str().ok());
    let own = |origin: &str| ours(port).iter().any(|own| origin == format!("http://{own}"));
    origins.next().is_none() && origin.is_some_and(own)
}

fn ours(port: u16) -> [String; 2] {
    ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(list: &[(header::HeaderName, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in list {
            headers.append(name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_names_of_this_machine_with_our_port_are_hosts() {
        let host = |host| host_is_ours(&headers(&[(header::HOST, host)]), 7878);
        assert!(host("127.0.0.1:7878") && host("localhost:7878"));
        for other in [
            "evil.example:7878",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost.evil.example:7878",
            "",
            "127.0.0.1:7878.x",
        ] {
            assert!(!host(other), "{other}");
        }
        assert!(!host_is_ours(&HeaderMap::new(), 7878));
        let two = headers(&[(header::HOST, "127.0.0.1:7878"), (header::HOST, "evil.example")]);
        assert!(!host_is_ours(&two, 7878));
    }

    #[test]
    fn only_our_own_pages_are_origins() {
        let origin = |origin| origin_is_ours(&headers(&[(header::ORIGIN, origin)]), 7878);
        assert!(origin("http://127.0.0.1:7878") && origin("http://localhost:7878"));
        for other in [
            "null",
            "https://127.0.0.1:7878",
            "http://evil.example",
            "http://127.0.0.1:7879",
            "http://127.0.0.1:7878.evil.example",
        ] {
            assert!(!origin(other), "{other}");
        }
        assert!(!origin_is_ours(&HeaderMap::new(), 7878));
    }
}
