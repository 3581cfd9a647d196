//! Memory under attack: a program of its own, since what other tests hold would count.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use client::Served;

mod client;

/// Megabytes that this process holds.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|rest| rest.trim().split(' ').next()?.parse().ok()).unwrap_or(0) / 1024
}

/// Bodies that are announced as huge, and bodies that never end, are not kept.
#[test]
fn huge_bodies_are_refused_and_not_kept() {
    let server = Served::start_with(|limits| {
        limits.connections = 8;
        limits.idle = Duration::from_millis(300);
        limits.request = Duration::from_millis(500);
    });
    let before = resident();
    let mut peak = before;
    std::thread::scope(|scope| {
        let senders: Vec<_> = (0..8)
            .map(|n| {
                let server = &server;
                scope.spawn(move || {
                    let mut stream = TcpStream::connect(server.address).unwrap();
                    stream.set_write_timeout(Some(Duration::from_millis(200))).unwrap();
                    let length = match n % 2 {
                        0 => "content-length: 9999999999",
                        _ => "transfer-encoding: chunked",
                    };
                    let head = format!(
                        "POST /api/table HTTP/1.1\r\nhost: localhost\r\ncontent-type: \
                         application/json\r\n{length}\r\n\r\n"
                    );
                    let _ = stream.write_all(head.as_bytes());
                    let chunk = format!("{:x}\r\n{}\r\n", 1 << 20, " ".repeat(1 << 20));
                    // As much as it takes, up to 64 MB each.
                    let sent = (0..64).take_while(|_| stream.write_all(chunk.as_bytes()).is_ok());
                    let sent = sent.count();
                    let mut answer = String::new();
                    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
                    let _ = stream.read_to_string(&mut answer);
                    (sent, answer)
                })
            })
            .collect();
        while !senders.iter().all(|sender| sender.is_finished()) {
            peak = peak.max(resident());
            std::thread::sleep(Duration::from_millis(5));
        }
        for sender in senders {
            let (sent, answer) = sender.join().unwrap();
            // The answer may be lost where the connection is closed on what is still sent.
            assert!(answer.is_empty() || answer.contains(" 413 "), "{answer}");
            assert!(sent < 64, "all of it was taken");
        }
    });
    // Eight bodies would be 512 MB.
    assert!(peak < before + 400, "{before} MB before, {peak} MB at the peak");
    assert_eq!(server.get("/icon.svg").status, 200);
}
