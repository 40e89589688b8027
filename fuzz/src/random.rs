// SPDX-License-Identifier: BSD-3-Clause
//! Random numbers that are the same on every machine (splitmix64).

pub struct Random(u64);

impl Random {
    /// The numbers that belong to input `number` of `seed`.
    pub fn of(seed: u64, number: u64) -> Random {
        let mut random = Random(seed);
        random.0 = random.next().wrapping_add(number);
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Less than `limit`; 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        let idx = self.below(list.len());
        list.get(idx)
    }
}
