// SPDX-License-Identifier: BSD-3-Clause
//! Files and folders that a signal must not leave behind: a directory for what lives only as long
//! as one run of a tool, and results that are being written.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all that is not finished, before the process dies.
pub fn remove_unfinished() {
    for path in unfinished().iter() {
        let _ = match std::fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() => std::fs::remove_dir_all(path),
            // Not a device or a pipe: `-o /dev/null`.
            Ok(found) if found.is_file() => std::fs::remove_file(path),
            _ => Ok(()),
        };
    }
}

/// What is at a path is not finished, as long as this lives.
pub struct Unfinished {
    path: PathBuf,
}

impl Unfinished {
    pub fn new(path: &Path) -> Unfinished {
        unfinished().push(path.to_path_buf());
        Unfinished { path: path.to_path_buf() }
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut all = unfinished();
        if let Some(place) = all.iter().position(|path| *path == self.path) {
            all.swap_remove(place);
        }
    }
}

/// Made when first needed, gone with the value.
#[derive(Default)]
pub struct TempDir {
    dir: OnceCell<Unfinished>,
}

impl TempDir {
    /// A path in the directory; or why there is none.
    pub fn file(&self, name: &str) -> Result<PathBuf, String> {
        if self.dir.get().is_none() {
            let parent = std::env::temp_dir();
            let make = |parent: &Path| nix::unistd::mkdtemp(&parent.join("furlong-XXXXXX"));
            // As gcc does where the folder that TMPDIR names is not there.
            let path = make(&parent).or_else(|errno| match parent.is_dir() {
                true => Err(errno),
                false => make(Path::new("/tmp")).map_err(|_| errno),
            });
            let path = path.map_err(|errno| {
                format!(
                    "cannot make a folder for temporary files in `{}`: {}; let TMPDIR name a \
                     folder where that works",
                    parent.display(),
                    errno.desc()
                )
            })?;
            let _ = self.dir.set(Unfinished::new(&path));
        }
        Ok(self.dir.get().map(|dir| dir.path.join(name)).unwrap_or_default())
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        if let Some(dir) = self.dir.get() {
            let _ = std::fs::remove_dir_all(&dir.path);
        }
    }
}
