//! The service of README.md.

#[global_allocator] // for /debug/pprof/heap and /debug/pprof/allocs
static ALLOCATOR: pprof_views::heap::HeapProfiler = pprof_views::heap::HeapProfiler::new();

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let service = axum::Router::new().nest_service("/debug/pprof", pprof_views::http::router());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:6060").await?;
    axum::serve(listener, service).await
}
