// SPDX-License-Identifier: BSD-3-Clause
//! The hosts of an allocation of Slurm, and their slots, from what Slurm leaves in the environment.

use super::hosts::{host_name, Offer, HOSTS_MOST};

/// None outside of an allocation. Slots are its tasks, each with its CPUs. They are those of the
/// whole job or, within a step that `srun` started, of the step, whose hosts may be fewer: `whole`
/// wants the hosts of the job all the same.
pub fn allocation(
    value: &impl Fn(&str) -> Option<String>,
    whole: bool,
) -> Result<Option<Vec<Offer>>, String> {
    let Some(job) = value("SLURM_JOB_NODELIST") else { return Ok(None) };
    let names = expand(&job)?;
    let slots = slots(value);
    if slots.len() == names.len() {
        return offers(names, slots).map(Some);
    }
    if let Some(step) = value("SLURM_STEP_NODELIST").filter(|_| !whole) {
        let names = expand(&step)?;
        if slots.len() == names.len() {
            return offers(names, slots).map(Some);
        }
    }
    offers(names, Vec::new()).map(Some)
}

fn offers(names: Vec<String>, slots: Vec<u32>) -> Result<Vec<Offer>, String> {
    let slots = slots.into_iter().map(Some).chain(std::iter::repeat(None));
    let offer = |(name, slots): (String, _)| Ok(Offer { name: host_name(&name)?, slots });
    names.into_iter().zip(slots).map(offer).collect()
}

/// Of each host in order; empty if they cannot be known.
fn slots(value: &impl Fn(&str) -> Option<String>) -> Vec<u32> {
    let tasks = value("SLURM_TASKS_PER_NODE").and_then(|list| counts(&list)).unwrap_or_default();
    let cpus = value("SLURM_CPUS_PER_TASK").and_then(|n| n.parse().ok()).unwrap_or(1u32).max(1);
    tasks.into_iter().map(|tasks| tasks.saturating_mul(cpus)).collect()
}

/// Slurm's short form of numbers: `4(x2),1`.
fn counts(list: &str) -> Option<Vec<u32>> {
    let mut counts = Vec::new();
    for item in list.split(',') {
        let (number, times) = match item.split_once("(x") {
            Some((number, times)) => (number, times.strip_suffix(')')?.parse().ok()?),
            None => (item, 1),
        };
        let number: u32 = number.parse().ok().filter(|n| *n > 0)?;
        if times > HOSTS_MOST - counts.len() {
            return None;
        }
        counts.extend(std::iter::repeat_n(number, times));
    }
    Some(counts)
}

/// Slurm's short form of a list: `n[1-3,07-09]-ib,m5`.
fn expand(list: &str) -> Result<Vec<String>, String> {
    let wrong = || format!("SLURM_JOB_NODELIST={list} cannot be understood");
    let mut names = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (i, c) in list.char_indices().chain([(list.len(), ',')]) {
        match c {
            '[' => depth += 1,
            ']' if depth > 0 => depth -= 1,
            ',' if depth == 0 => {
                names.extend(expand_name(&list[start..i]).ok_or_else(wrong)?);
                if names.len() > HOSTS_MOST {
                    return Err(wrong());
                }
                start = i + 1;
            }
            _ => {}
        }
    }
    if depth == 0 {
        Ok(names)
    } else {
        Err(wrong())
    }
}

/// One name with any number of bracketed ranges.
fn expand_name(name: &str) -> Option<Vec<String>> {
    let Some((before, rest)) = name.split_once('[') else { return Some(vec![name.to_string()]) };
    let (ranges, after) = rest.split_once(']')?;
    const BRACKETS_MOST: usize = 8;
    if after.matches('[').count() > BRACKETS_MOST {
        return None;
    }
    let after = expand_name(after)?;
    let mut names = Vec::new();
    for range in ranges.split(',') {
        let (from, to) = range.split_once('-').unwrap_or((range, range));
        let width = from.len();
        let (first, last) = (from.parse::<u32>().ok()?, to.parse::<u32>().ok()?);
        let count = (last.checked_sub(first)? as usize).checked_add(1)?.checked_mul(after.len())?;
        if names.len() + count > HOSTS_MOST || width > 64 {
            return None;
        }
        for number in first..=last {
            names.extend(after.iter().map(|after| format!("{before}{number:0width$}{after}")));
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(env: &[(&str, &str)], whole: bool) -> Result<Vec<(String, Option<u32>)>, String> {
        let value = |name: &str| env.iter().find(|(n, _)| *n == name).map(|(_, v)| v.to_string());
        let offers = allocation(&value, whole)?.unwrap_or_default();
        Ok(offers.into_iter().map(|offer| (offer.name, offer.slots)).collect())
    }

    #[test]
    fn names_have_ranges() {
        assert_eq!(expand("n[1-3,7],m5").unwrap(), ["n1", "n2", "n3", "n7", "m5"]);
        assert_eq!(expand("n[08-10]-ib").unwrap(), ["n08-ib", "n09-ib", "n10-ib"]);
        assert_eq!(expand("r[1-2]n[3-4]").unwrap(), ["r1n3", "r1n4", "r2n3", "r2n4"]);
        let slurm = |list: &str| found(&[("SLURM_JOB_NODELIST", list)], false);
        assert_eq!(
            slurm("-oProxyCommand=x,b").unwrap_err(),
            "`-oProxyCommand=x` is no host's name"
        );
        assert!(slurm("a b").is_err());
        assert_eq!(slurm("n[1-60000]").unwrap().len(), 60000);
        assert!(expand("n[1-300000000]").is_err());
        assert!(expand("n[1-60000],m[1-60000]").is_err());
        assert!(expand("a[1-9999]b[1-9999]c[1-9999]").is_err());
        assert!(expand("n[3-1]").is_err());
        assert!(expand("n[1-").is_err());
        assert!(expand("n[a-b]").is_err());
    }

    #[test]
    fn slots_are_tasks_with_their_cpus() {
        let named = |name: &str, slots| (name.to_string(), slots);
        let job = [("SLURM_JOB_NODELIST", "n[1-3]"), ("SLURM_TASKS_PER_NODE", "4(x2),1")];
        let expected = [named("n1", Some(4)), named("n2", Some(4)), named("n3", Some(1))];
        assert_eq!(found(&job, false).unwrap(), expected);
        let cpus = [&job[..], &[("SLURM_CPUS_PER_TASK", "2")]].concat();
        assert_eq!(found(&cpus, true).unwrap()[2], named("n3", Some(2)));
        for wrong in ["4(x2)", "4(x9999999999)", "4(x", "x", "0(x3)"] {
            let env = [job[0], ("SLURM_TASKS_PER_NODE", wrong)];
            assert_eq!(found(&env, false).unwrap()[0], named("n1", None), "{wrong}");
        }
        assert_eq!(found(&job[1..], false), Ok(Vec::new()));
    }

    #[test]
    fn a_step_has_its_own_hosts_unless_all_are_wanted() {
        let env = [
            ("SLURM_JOB_NODELIST", "n[1-3]"),
            ("SLURM_STEP_NODELIST", "n2"),
            ("SLURM_TASKS_PER_NODE", "5"),
        ];
        assert_eq!(found(&env, false).unwrap(), [("n2".to_string(), Some(5))]);
        assert_eq!(found(&env, true).unwrap().len(), 3);
    }
}
