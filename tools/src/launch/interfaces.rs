// SPDX-License-Identifier: BSD-3-Clause
//! The network interfaces of this host, as far as they are up.

use nix::ifaddrs::getifaddrs;
use nix::net::if_::InterfaceFlags;
use std::net::IpAddr;

/// Names and addresses of all but loopback.
pub fn addresses() -> Vec<(String, IpAddr)> {
    all().into_iter().filter(|(_, address)| !address.is_loopback()).collect()
}

fn all() -> Vec<(String, IpAddr)> {
    let found = getifaddrs().into_iter().flatten();
    let up = found.filter(|found| found.flags.contains(InterfaceFlags::IFF_UP));
    let named = up.filter_map(|found| {
        let address = found.address?;
        let v4 = address.as_sockaddr_in().map(|a| IpAddr::from(a.ip()));
        let v6 = || address.as_sockaddr_in6().map(|a| IpAddr::from(a.ip()));
        Some((found.interface_name, v4.or_else(v6)?))
    });
    named.collect()
}

/// Why the interface cannot be used, if there is none of that name; with those that there are.
pub fn refusal(name: &str) -> Option<String> {
    let known = nix::net::if_::if_nameindex().ok()?;
    // UCX's names: `mlx5_0:1` is no interface of the kernel's, and `eth0,eth1` are two.
    let is_device = std::path::Path::new("/sys/class/infiniband")
        .join(name.split(':').next().unwrap_or(name))
        .exists();
    let is_known = |name: &str| known.iter().any(|k| k.name().to_bytes() == name.as_bytes());
    if name == "all" || is_device || name.split(',').all(is_known) {
        return None;
    }
    Some(format!("there is no network interface `{name}`; there are {}", shown(&all())))
}

/// `lo` (127.0.0.1, ::1), `eth0` (10.0.0.2)
fn shown(all: &[(String, IpAddr)]) -> String {
    let mut names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    names.sort();
    names.dedup();
    let one = |name: &str| {
        let own = all.iter().filter(|(of, _)| of == name).map(|(_, address)| address.to_string());
        format!("`{name}` ({})", own.collect::<Vec<_>>().join(", "))
    };
    names.into_iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_exist_are_named() {
        assert_eq!(refusal("lo"), None);
        let text = refusal("eth7x").unwrap();
        assert!(text.starts_with("there is no network interface `eth7x`; there are `"), "{text}");
    }
}
