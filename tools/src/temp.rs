// SPDX-License-Identifier: BSD-3-Clause
//! A directory for what lives only as long as one run of a tool.

use std::cell::OnceCell;
use std::path::PathBuf;

/// Made when first needed, gone with the value.
#[derive(Default)]
pub struct TempDir {
    path: OnceCell<PathBuf>,
}

impl TempDir {
    /// A path in the directory; or why there is none.
    pub fn file(&self, name: &str) -> Result<PathBuf, String> {
        if self.path.get().is_none() {
            let template = std::env::temp_dir().join("furlong-XXXXXX");
            let path = nix::unistd::mkdtemp(&template)
                .map_err(|errno| format!("cannot make `{}`: {errno}", template.display()))?;
            let _ = self.path.set(path);
        }
        Ok(self.path.get().map(|dir| dir.join(name)).unwrap_or_default())
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        if let Some(path) = self.path.get() {
            let _ = std::fs::remove_dir_all(path);
        }
    }
}
