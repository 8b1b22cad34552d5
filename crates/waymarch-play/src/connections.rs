//! Accepts connections: their number and the time for the head of a request are limited.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// The head of a request has to arrive within 5 seconds. An idle connection is closed after the same time.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// At most 512 connections are open at once; later ones wait.
const MAX_CONNECTIONS: usize = 512;
/// When the system gives no connection, for example because all descriptors are in use, the server tries again after 50 ms.
const RETRY: Duration = Duration::from_millis(50);

/// Serves connections until the program ends.
pub(crate) async fn serve(listener: TcpListener, router: Router) {
    let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        // The semaphore is never closed.
        let Ok(permit) = Arc::clone(&free).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(RETRY).await;
            continue;
        };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
            // A client that disconnects or is too slow loses its own connection only.
            let _ = http.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
            drop(permit);
        });
    }
}
