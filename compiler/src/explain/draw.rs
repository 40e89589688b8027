// SPDX-License-Identifier: BSD-3-Clause
//! Which thread has which element: a column for each thread, a row for each round of blocks.

/// A line of the drawing is no longer than this.
const WIDTH: usize = 80;
const INDENT: usize = 4;
/// Longer drawings are cut in the middle.
const MAX_ROWS: u64 = 6;
/// Rows of what has no end.
const ENDLESS_ROWS: u64 = 3;

/// Elements of an array, or those from a pointer on.
#[derive(Debug)]
pub(super) struct Elements {
    pub name: String,
    /// The first is `None` for a pointer: there is no end.
    pub dims: Vec<Option<u64>>,
    /// 0: all on one thread.
    pub block: u64,
    pub threads: u64,
}

impl Elements {
    pub fn drawn(&self) -> String {
        let shown = self.shown_threads();
        let mut out = String::new();
        let head = shown.iter().map(|t| t.map_or("...".into(), |t| format!("thread {t}")));
        let rows: Vec<Vec<String>> = std::iter::once(head.collect())
            .chain(self.shown_rows().into_iter().map(|row| match row {
                Some(row) => self.row(row, &shown),
                None => vec!["...".into()],
            }))
            .collect();
        let width =
            |n: usize| rows.iter().filter_map(|row| row.get(n)).map(String::len).max().unwrap_or(0);
        for row in &rows {
            let mut line = " ".repeat(INDENT);
            for (n, cell) in row.iter().enumerate() {
                line += &format!("{cell:<width$}", width = width(n) + 2);
            }
            out += line.trim_end();
            out.push('\n');
        }
        out
    }

    fn row(&self, row: u64, shown: &[Option<u64>]) -> Vec<String> {
        let cell = |thread: &Option<u64>| match thread {
            Some(thread) => self.cell(row, *thread),
            None => String::new(),
        };
        shown.iter().map(cell).collect()
    }

    fn total(&self) -> Option<u64> {
        self.dims.iter().try_fold(1u64, |n, dim| n.checked_mul((*dim)?))
    }

    /// Elements in a block; at least all, if they are all on one thread.
    fn block(&self) -> u64 {
        match self.block {
            0 => self.total().unwrap_or(u64::MAX).max(1),
            block => block,
        }
    }

    /// Rows to draw, `None` for those left out.
    fn shown_rows(&self) -> Vec<Option<u64>> {
        let Some(total) = self.total() else {
            let rows = if self.block == 0 { 1 } else { ENDLESS_ROWS };
            let end = (self.block != 0).then_some(None);
            return (0..rows).map(Some).chain(end).collect();
        };
        let rows = total.div_ceil(self.block()).div_ceil(self.threads);
        match rows > MAX_ROWS {
            true => (0..MAX_ROWS - 2).map(Some).chain([None, Some(rows - 1)]).collect(),
            false => (0..rows).map(Some).collect(),
        }
    }

    /// Threads to draw, `None` for those left out.
    fn shown_threads(&self) -> Vec<Option<u64>> {
        let rows = self.shown_rows();
        let widest = |threads: &[Option<u64>]| -> usize {
            let cell = |t: u64| {
                let cells = rows.iter().flatten().map(|&row| self.cell(row, t).len());
                cells.max().unwrap_or(0).max(format!("thread {t}").len()) + 2
            };
            threads.iter().map(|t| t.map_or(5, cell)).sum()
        };
        let all: Vec<_> = (0..self.threads.min(WIDTH as u64)).map(Some).collect();
        if all.len() as u64 == self.threads && widest(&all) <= WIDTH - INDENT {
            return all;
        }
        let some = |n: u64| -> Vec<Option<u64>> {
            (0..n).map(Some).chain([None, Some(self.threads - 1)]).collect()
        };
        let fits = |n: &u64| *n == 1 || widest(&some(*n)) <= WIDTH - INDENT;
        some((1..all.len() as u64).rev().find(fits).unwrap_or(1))
    }

    /// The elements of a block: `a[1][0..3]`.
    fn cell(&self, row: u64, thread: u64) -> String {
        let number = row.checked_mul(self.threads).and_then(|n| n.checked_add(thread));
        let block = self.block();
        let Some(from) = number.and_then(|n| n.checked_mul(block)) else { return String::new() };
        let total = self.total().unwrap_or(u64::MAX);
        if from >= total {
            return String::new();
        }
        if self.block == 0 && self.total().is_none() {
            return format!("{}{}..", self.name, self.brackets(&self.indices(0)));
        }
        let (first, last) =
            (self.indices(from), self.indices(total.min(from.saturating_add(block)) - 1));
        let n = first.len().saturating_sub(1);
        match first == last {
            true => format!("{}{}", self.name, self.brackets(&first)),
            false if first[..n] == last[..n] => {
                format!("{}{}[{}..{}]", self.name, self.brackets(&first[..n]), first[n], last[n])
            }
            false => {
                format!("{}{}..{}", self.name, self.brackets(&first), self.brackets(&last))
            }
        }
    }

    fn indices(&self, mut flat: u64) -> Vec<u64> {
        let mut indices: Vec<u64> = Vec::new();
        for dim in self.dims.iter().rev() {
            let dim = dim.unwrap_or(u64::MAX).max(1);
            indices.push(flat % dim);
            flat /= dim;
        }
        indices.reverse();
        indices
    }

    fn brackets(&self, indices: &[u64]) -> String {
        indices.iter().map(|i| format!("[{i}]")).collect()
    }
}
