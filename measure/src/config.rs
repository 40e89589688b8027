// SPDX-License-Identifier: BSD-3-Clause
//! What is to be measured, by which tools, and where its files are: in the repository, or in an
//! installed tree.

use crate::mapping::Mapping;
use crate::netns::Netns;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone)]
pub struct Config {
    pub filters: Vec<String>,
    /// The folder that has bench/, relative to which files are named: the repository, or
    /// PREFIX/share/furlong.
    pub root: PathBuf,
    /// Below it goes all that is built and measured: `build`.
    pub out: PathBuf,
    pub upcc: PathBuf,
    pub upcrun: PathBuf,
    pub write: bool,
    /// The sizes of the papers, which take long.
    pub full: bool,
    /// Of a testbed, the settings that take little time.
    pub quick: bool,
    /// Where the figures of a testbed go.
    pub plot: Option<PathBuf>,
    /// Compiled code is to take all shared memory for another host's.
    pub remote: bool,
    pub rounds: Option<usize>,
    /// The hosts are network namespaces, which this holds; else virtual ones.
    pub netns: Option<Arc<Netns>>,
    /// What carries messages between hosts; an MPI's launcher starts the programs then.
    pub transport: Option<String>,
    /// Instead of those that the tables name.
    pub mappings: Option<Vec<Mapping>>,
    /// Hears what is under way.
    pub tell: fn(&str),
}

impl Config {
    /// The tools in `prefix`, the sources below `root`, and all else as the tables have it.
    pub fn new(root: &Path, out: &Path, prefix: &Path) -> Config {
        Config {
            filters: Vec::new(),
            root: root.to_path_buf(),
            out: out.to_path_buf(),
            upcc: prefix.join("bin/upcc"),
            upcrun: prefix.join("bin/upcrun"),
            write: false,
            full: std::env::var("FULL").is_ok_and(|value| value == "1"),
            quick: false,
            plot: None,
            remote: false,
            rounds: None,
            netns: None,
            transport: None,
            mappings: None,
            tell: |text| eprintln!("{text}"),
        }
    }

    /// The folder with the bin, lib, include and share of the tools.
    pub fn prefix(&self) -> &Path {
        self.upcc.parent().and_then(Path::parent).unwrap_or(&self.root)
    }

    /// A tool beside `upcc`.
    pub fn tool(&self, name: &str) -> PathBuf {
        self.upcc.with_file_name(name)
    }

    pub fn wants(&self, name: &str) -> bool {
        self.filters.is_empty() || self.filters.iter().any(|f| name.contains(f.as_str()))
    }

    /// The filters that none of the names contains.
    pub fn unmatched<'a>(&self, names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
        let is_vain = |filter: &&String| !names.clone().any(|name| name.contains(filter.as_str()));
        self.filters.iter().filter(is_vain).cloned().collect()
    }

    /// Where measurements go.
    pub fn results(&self) -> PathBuf {
        self.out.join("bench")
    }

    /// A directory of the test's own below `build/tests`, created empty or emptied.
    pub fn scratch(&self, test: &str) -> PathBuf {
        let dir = self.out.join("tests").join(test);
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
        dir
    }

    /// The path as a reader at the root would type it.
    pub fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).display().to_string()
    }
}
