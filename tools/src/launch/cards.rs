// SPDX-License-Identifier: BSD-3-Clause
//! The network addresses of a job's processes, which every process needs of all others. What is in
//! them only the transport knows.

pub struct Cards {
    all: Vec<Option<String>>,
    missing: usize,
}

impl Cards {
    pub fn new(processes: usize) -> Cards {
        Cards { all: vec![None; processes], missing: processes }
    }

    /// Takes the card of a process; all of them, if it was the last. The first one counts.
    pub fn add(&mut self, process: usize, card: String) -> Option<Vec<String>> {
        let slot = self.all.get_mut(process).filter(|slot| slot.is_none())?;
        *slot = Some(card);
        self.missing -= 1;
        (self.missing == 0).then(|| self.all.iter().flatten().cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_card_brings_all_in_order() {
        let mut cards = Cards::new(3);
        assert_eq!(cards.add(2, "c".into()), None);
        assert_eq!(cards.add(0, "a".into()), None);
        assert_eq!(cards.add(0, "x".into()), None);
        assert_eq!(cards.add(7, "x".into()), None);
        let all = ["a", "b", "c"].map(String::from).to_vec();
        assert_eq!(cards.add(1, "b".into()), Some(all));
        assert_eq!(cards.add(1, "x".into()), None);
    }
}
