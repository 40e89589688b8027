// SPDX-License-Identifier: BSD-3-Clause
//! The doctor's hand on another host: `furlong probe`, started there through ssh or its like. It
//! says over standard output what that host is, and tries on request to connect to its likes on
//! other hosts. It ends with its standard input, and in any case after a minute.
//!
//! ```text
//! probe:  furlong-probe VERSION        doctor:
//!         time SECONDS
//!         id WORD
//!         address INTERFACE ADDRESS    (several)
//!         port NUMBER
//!         end
//!                                      reach NAME ID PORT INTERFACE ADDRESS    (several)
//!                                      end
//!         reached NAME INTERFACE       (or)
//!         missed NAME INTERFACE WHY
//!         end
//! ```

use crate::launch::interfaces;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What a probe says first; what stands before it comes from the shell that started it.
pub const HELLO: &str = "furlong-probe ";
pub const END: &str = "end";
pub const CONNECT_LIMIT: Duration = Duration::from_secs(2);
const LIFE_SECONDS: u32 = 60;

/// Runs a probe to its end.
pub fn answer() {
    nix::unistd::alarm::set(LIFE_SECONDS);
    let id = format!("{:x}-{:x}", std::process::id(), now().to_bits());
    let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, 0))
        .or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)));
    say(&format!("\n{HELLO}{}\ntime {}\nid {id}", env!("CARGO_PKG_VERSION"), now()));
    for (name, address) in own_addresses() {
        say(&format!("address {name} {address}"));
    }
    if let Ok(listener) = listener {
        if let Ok(address) = listener.local_addr() {
            say(&format!("port {}", address.port()));
        }
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                let _ = connection.and_then(|mut stream| writeln!(stream, "{id}"));
            }
        });
    }
    say(END);
    let mut tries = Vec::new();
    for line in std::io::stdin().lines().map_while(Result::ok) {
        match line.as_str() {
            END => {
                for one in std::mem::take(&mut tries) {
                    let one: std::thread::JoinHandle<String> = one;
                    say(&one.join().unwrap_or_default());
                }
                say(END);
            }
            _ => tries.push(std::thread::spawn(move || reach(&line))),
        }
    }
}

fn say(text: &str) {
    let mut out = std::io::stdout();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

pub fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
}

/// Those that other hosts may reach; a machine that has none may still be all of the hosts.
fn own_addresses() -> Vec<(String, IpAddr)> {
    let is_link_local = |address: &IpAddr| match address {
        IpAddr::V4(v4) => v4.is_link_local(),
        IpAddr::V6(v6) => v6.segments()[0] & 0xffc0 == 0xfe80,
    };
    let mut addresses = interfaces::addresses();
    addresses.retain(|(_, address)| !is_link_local(address));
    match addresses.is_empty() {
        true => vec![("lo".to_string(), Ipv4Addr::LOCALHOST.into())],
        false => addresses,
    }
}

/// Does what a line asks for; the answer.
fn reach(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["reach", name, id, port, interface, address] = words[..] else { return String::new() };
    match connect(address, port, id) {
        Ok(()) => format!("reached {name} {interface}"),
        Err(why) => format!("missed {name} {interface} {why}"),
    }
}

fn connect(address: &str, port: &str, id: &str) -> Result<(), String> {
    let (address, port) = (address.parse::<IpAddr>(), port.parse::<u16>());
    let (Ok(address), Ok(port)) = (address, port) else { return Err("no address".to_string()) };
    let error = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::TimedOut | std::io::ErrorKind::WouldBlock => "no answer".to_string(),
        _ => e.to_string(),
    };
    let to = SocketAddr::new(address, port);
    let stream = TcpStream::connect_timeout(&to, CONNECT_LIMIT).map_err(error)?;
    stream.set_read_timeout(Some(CONNECT_LIMIT)).map_err(error)?;
    let mut heard = String::new();
    BufReader::new(stream).take(256).read_line(&mut heard).map_err(error)?;
    // Every host may have a bridge of that address.
    match heard.trim() == id {
        true => Ok(()),
        false => Err("another machine has that address".to_string()),
    }
}
