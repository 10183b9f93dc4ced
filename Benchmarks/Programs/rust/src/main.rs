// Keeps IN_FLIGHT requests under way until REQUESTS were answered with SIZE bytes each, and prints what that took:
// wire URL IN_FLIGHT REQUESTS SIZE
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};
use std::sync::Arc;
use std::time::Instant;

type Client = hyper::Client<hyper::client::HttpConnector>;

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |index: usize| arguments[index].parse::<i64>().expect("a number");
    let (in_flight, requests, size) = (number(2), number(3), number(4) as usize);
    let uri: hyper::Uri = arguments[1].parse().expect("a URL");
    let client = hyper::Client::builder().pool_max_idle_per_host(in_flight as usize).build_http();

    let warm_up = (requests / 10).max(in_flight);
    send(&client, &uri, in_flight, warm_up, size).await;
    let (before, start) = (Usage::current(), Instant::now());
    send(&client, &uri, in_flight, requests, size).await;
    let (seconds, after) = (start.elapsed().as_secs_f64(), Usage::current());
    // Apart from what is timed, because counting takes time.
    let counted = (requests / 5).max(20 * in_flight);
    IS_COUNTING.store(true, Relaxed);
    send(&client, &uri, in_flight, counted, size).await;
    IS_COUNTING.store(false, Relaxed);
    println!(
        "figures sent={} requests={} seconds={} user={} system={} switches={} allocations={}",
        warm_up + requests + counted, requests, seconds,
        after.user - before.user, after.system - before.system, after.switches - before.switches,
        COUNT.load(Relaxed) as f64 / counted as f64
    );
}

async fn send(client: &Client, uri: &hyper::Uri, in_flight: i64, requests: i64, size: usize) {
    let left = Arc::new(AtomicI64::new(requests));
    let senders: Vec<_> = (0..in_flight).map(|_| {
        let (client, uri, left) = (client.clone(), uri.clone(), left.clone());
        tokio::spawn(async move {
            while left.fetch_sub(1, Relaxed) > 0 {
                let response = client.get(uri.clone()).await.expect("a response");
                assert_eq!(response.status(), 200);
                let body = hyper::body::to_bytes(response.into_body()).await.expect("a body");
                assert_eq!(body.len(), size);
            }
        })
    }).collect();
    for sender in senders { sender.await.expect("a sender that ends") }
}

struct Usage { user: f64, system: f64, switches: i64 }

impl Usage {
    fn current() -> Usage {
        // SAFETY: every pattern of bits is a rusage, and the system fills it.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(libc::RUSAGE_SELF, &mut usage);
            usage
        };
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        Usage {
            user: seconds(usage.ru_utime),
            system: seconds(usage.ru_stime),
            switches: (usage.ru_nvcsw + usage.ru_nivcsw) as i64,
        }
    }
}

static IS_COUNTING: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU64 = AtomicU64::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn note() {
    if IS_COUNTING.load(Relaxed) { COUNT.fetch_add(1, Relaxed); }
}

// SAFETY: hands on to the system's allocator as it was asked.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 { note(); System.alloc(layout) }
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 { note(); System.realloc(place, layout, size) }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) { System.dealloc(place, layout) }
}
