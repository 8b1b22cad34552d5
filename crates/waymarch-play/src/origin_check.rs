//! Which requests the server answers: those to its own address from pages that it served itself.

use axum::http::{HeaderMap, header};

/// Whether the request's `Host` is this machine with our port. A foreign name that resolves to this machine (DNS rebinding) is refused.
pub(crate) fn host_is_ours(headers: &HeaderMap, port: u16) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    hosts.next().is_none() && host.is_some_and(|host| ours(port).iter().any(|own| own == host))
}

/// Whether a page of this server made the request. Browsers set `Origin`, and pages cannot change it.
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
    fn a_host_is_a_name_of_this_machine_with_our_port() {
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
    fn an_origin_is_a_page_of_this_server() {
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
