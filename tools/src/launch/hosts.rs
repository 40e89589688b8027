// SPDX-License-Identifier: BSD-3-Clause
//! Which hosts there are, from a list, a file, or an allocation of Slurm or PBS; and how many
//! threads each gets.

use super::plan::Host;
use std::collections::HashMap;
use std::io::Read;

/// More hosts than a job can have threads are a mistake, as are files that name so many.
pub const HOSTS_MOST: usize = 1 << 16;
const FILE_MOST_BYTES: u64 = 1 << 24;

/// Where the hosts of a job are named.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub enum Origin {
    #[default]
    Here,
    /// `a,b:4,c`
    List(String),
    File(String),
    /// The hosts of an allocation (slurm.rs).
    Slurm(Vec<Offer>),
    /// The file of an allocation: a line for each slot.
    Pbs(String),
    /// This one, several times.
    Virtual(u32),
}

/// A host that threads may run on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    pub name: String,
    /// How many threads it takes; none: as many as the others.
    pub slots: Option<u32>,
}

/// The hosts of a list, or of a file's text, by the way it is written.
pub fn offers(origin: &Origin, own_name: &str) -> Result<Vec<Offer>, String> {
    let plain = |name: String| Offer { name, slots: None };
    let offers = match origin {
        Origin::Here => vec![plain(own_name.to_string())],
        Origin::Virtual(count) => (0..*count).map(|i| plain(format!("virtual{i}"))).collect(),
        Origin::Slurm(offers) => offers.clone(),
        Origin::List(list) => {
            let named = list.split(',').map(str::trim).filter(|name| !name.is_empty());
            named.map(offer).collect::<Result<_, _>>()?
        }
        Origin::File(path) | Origin::Pbs(path) => {
            let text =
                read_file(path).map_err(|e| format!("cannot read the hosts from `{path}`: {e}"))?;
            from_file(&text).map_err(|text| format!("{path}: {text}"))?
        }
    };
    match offers.is_empty() {
        true => Err("the list of hosts names none".to_string()),
        false => Ok(merged(offers)),
    }
}

/// A file without end (`/dev/zero`) is not read to its end.
fn read_file(path: &str) -> std::io::Result<String> {
    let mut text = String::new();
    let file = std::fs::File::open(path)?;
    match file.take(FILE_MOST_BYTES).read_to_string(&mut text)? as u64 {
        FILE_MOST_BYTES => Err(std::io::Error::other("it is too large for a list of hosts")),
        _ => Ok(text),
    }
}

/// Lines of `name`, `name:SLOTS` or `name slots=SLOTS`; `#` begins a comment.
fn from_file(text: &str) -> Result<Vec<Offer>, String> {
    let mut offers = Vec::new();
    // Editors of other systems leave a mark before the first line.
    for (i, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let words = line.split('#').next().unwrap_or_default().split_whitespace();
        let offer = from_line(&words.collect::<Vec<_>>());
        offers.extend(offer.map_err(|text| format!("line {}: {text}", i + 1))?);
    }
    Ok(offers)
}

/// Lists of other launchers call slots `ppn` and `cpu` as well, and may say where they end.
fn from_line(words: &[&str]) -> Result<Option<Offer>, String> {
    let Some((name, words)) = words.split_first() else { return Ok(None) };
    let mut offer = offer(name)?;
    for word in words {
        match word.split_once('=') {
            Some(("slots" | "ppn" | "cpu", slots)) => offer.slots = Some(number(slots)?),
            Some(("max_slots" | "max-slots", slots)) => drop(number(slots)?),
            _ => return Err(format!("what is `{word}`? A line is as `a`, `a:4` or `a slots=4`")),
        }
    }
    Ok(Some(offer))
}

/// `name`, `name:SLOTS`, `::1`, `[::1]:SLOTS`
fn offer(text: &str) -> Result<Offer, String> {
    let (name, slots) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, "")) => (name, None),
        Some((name, slots)) => (name, Some(slots.strip_prefix(':').unwrap_or(slots))),
        None => match text.split_once(':') {
            Some((name, slots)) if !slots.contains(':') => (name, Some(slots)),
            _ => (text, None),
        },
    };
    let slots = slots.map(|slots| number(slots.strip_prefix("ppn=").unwrap_or(slots)));
    Ok(Offer { name: host_name(name)?, slots: slots.transpose()? })
}

/// The name becomes an argument of ssh, where it must not be an option. It may have a user before
/// it. Colons are those of an address.
pub fn host_name(name: &str) -> Result<String, String> {
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !",[]=\"'`".contains(c);
    let address = name.split('%').next().unwrap_or_default();
    let is_address = || address.parse::<std::net::Ipv6Addr>().is_ok();
    let is_name = !name.is_empty() && !name.starts_with('-') && name.chars().all(is_plain);
    match is_name && (!name.contains(':') || is_address()) {
        true => Ok(name.to_string()),
        false => Err(format!("`{}` is no host's name", name.escape_debug())),
    }
}

fn number(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(n) if (1..=i32::MAX as u32).contains(&n) => Ok(n),
        _ => Err(format!("`{text}` is not a number of threads")),
    }
}

/// Hosts that are named several times have as many slots, as in PBS's files. Case does not tell
/// names of hosts apart.
fn merged(offers: Vec<Offer>) -> Vec<Offer> {
    let mut out: Vec<Offer> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for offer in offers {
        match places.get(&offer.name.to_lowercase()) {
            Some(&place) => {
                let slots = out[place].slots.unwrap_or(1);
                out[place].slots = Some(slots.saturating_add(offer.slots.unwrap_or(1)));
            }
            None => {
                places.insert(offer.name.to_lowercase(), out.len());
                out.push(offer);
            }
        }
    }
    out
}

/// How many threads the hosts take, if any has a number of slots.
pub fn slots(offers: &[Offer]) -> Option<u64> {
    let by_slots = offers.iter().any(|offer| offer.slots.is_some());
    by_slots.then(|| offers.iter().map(|offer| u64::from(offer.slots.unwrap_or(1))).sum())
}

/// Deals threads to hosts in order: evenly, or, if any host has a number of slots, until these are
/// full. Hosts that get none are left out.
pub fn deal(offers: &[Offer], threads: u32) -> Result<Vec<Host>, String> {
    let by_slots = slots(offers).is_some();
    let (mut first, mut hosts) = (0, Vec::new());
    for (i, offer) in offers.iter().enumerate() {
        let left = threads - first;
        let count = match by_slots {
            true => offer.slots.unwrap_or(1).min(left),
            false => left.div_ceil((offers.len() - i) as u32),
        };
        if count > 0 {
            hosts.push(Host { name: offer.name.clone(), first, count });
        }
        first += count;
    }
    match first == threads {
        true => Ok(hosts),
        false => Err(format!("{threads} threads: the hosts take {first} only (their slots)")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Result<Vec<(String, Option<u32>)>, String> {
        let offers = offers(&Origin::List(text.to_string()), "me")?;
        Ok(offers.into_iter().map(|offer| (offer.name, offer.slots)).collect())
    }

    fn dealt(offers: &[(&str, Option<u32>)], threads: u32) -> Result<Vec<(u32, u32)>, String> {
        let offer = |(name, slots): &(&str, _)| Offer { name: name.to_string(), slots: *slots };
        let hosts = deal(&offers.iter().map(offer).collect::<Vec<_>>(), threads)?;
        Ok(hosts.iter().map(|host| (host.first, host.count)).collect())
    }

    #[test]
    fn lists_of_hosts() {
        let named = |name: &str, slots| (name.to_string(), slots);
        let found = list("a,b:4, c ,").unwrap();
        assert_eq!(found, [named("a", None), named("b", Some(4)), named("c", None)]);
        assert_eq!(list("a,b,a,a").unwrap(), [named("a", Some(3)), named("b", None)]);
        assert_eq!(list("fe80::1").unwrap(), [named("fe80::1", None)]);
        assert_eq!(list("[fe80::1]:2").unwrap(), [named("fe80::1", Some(2))]);
        assert_eq!(list("a:0").unwrap_err(), "`0` is not a number of threads");
        assert_eq!(list("a,-oProxyCommand=x").unwrap_err(), "`-oProxyCommand=x` is no host's name");
        assert_eq!(list(",").unwrap_err(), "the list of hosts names none");
        assert_eq!(list("fe80::1%eth0").unwrap(), [named("fe80::1%eth0", None)]);
        assert_eq!(list("me@a:2").unwrap(), [named("me@a", Some(2))]);
        assert_eq!(list("A.b,a.B:3").unwrap(), [named("A.b", Some(4))]);
        for wrong in ["a:2:eth0", "n[1-3]", "[::1", "a=2"] {
            assert!(list(wrong).unwrap_err().ends_with("is no host's name"), "{wrong}");
        }
    }

    #[test]
    fn files_of_other_launchers_and_systems() {
        let text = "\u{feff}a slots=2 max-slots=3\r\n\r\nb:ppn=3 # x\r\nc ppn=4\r\nd cpu=5";
        let slots: Vec<_> = from_file(text).unwrap().iter().map(|offer| offer.slots).collect();
        assert_eq!(slots, [Some(2), Some(3), Some(4), Some(5)]);
        assert_eq!(from_file(text).unwrap()[0].name, "a");
        let text = "line 1: `n[1-3]` is no host's name";
        assert_eq!(from_file("n[1-3] slots=2").unwrap_err(), text);
    }

    #[test]
    fn files_of_hosts() {
        let text = "# ours\na slots=2\n\nb:3 # old\nc  slots=1 max_slots=4\n";
        let slots: Vec<_> = from_file(text).unwrap().iter().map(|offer| offer.slots).collect();
        assert_eq!(slots, [Some(2), Some(3), Some(1)]);
        assert!(read_file("/dev/zero").is_err());
        let text = "line 2: what is `cpus=2`? A line is as `a`, `a:4` or `a slots=4`";
        assert_eq!(from_file("a\nb cpus=2\n").unwrap_err(), text);
        assert_eq!(from_file("a slots=x\n").unwrap_err(), "line 1: `x` is not a number of threads");
    }

    #[test]
    fn threads_are_dealt_evenly_or_by_slots() {
        let even = [("a", None), ("b", None), ("c", None)];
        assert_eq!(dealt(&even, 7).unwrap(), [(0, 3), (3, 2), (5, 2)]);
        assert_eq!(dealt(&even, 2).unwrap(), [(0, 1), (1, 1)]);
        let slots = [("a", Some(4)), ("b", None), ("c", Some(2))];
        assert_eq!(dealt(&slots, 6).unwrap(), [(0, 4), (4, 1), (5, 1)]);
        assert_eq!(dealt(&slots, 4).unwrap(), [(0, 4)]);
        let text = "8 threads: the hosts take 7 only (their slots)";
        assert_eq!(dealt(&slots, 8).unwrap_err(), text);
    }
}
