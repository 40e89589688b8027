// SPDX-License-Identifier: BSD-3-Clause
//! Links between pages lead to files and headings that exist: in the tree, and where the pages
//! are installed.

use super::markdown::Page;
use std::path::{Path, PathBuf};

/// The links of a page that lead nowhere, as `page:line: reason`.
pub fn dead(root: &Path, page: &str) -> Vec<String> {
    let path = root.join(page);
    let read = match Page::read(&path) {
        Ok(read) => read,
        Err(problem) => return vec![problem],
    };
    let local = read.links.iter().filter(|(_, target)| !target.contains("://"));
    let reason = |(line, target): &(usize, String)| {
        leads_nowhere(root, &path, target).map(|why| format!("{page}:{line}: {why}"))
    };
    local.filter_map(reason).collect()
}

fn leads_nowhere(root: &Path, page: &Path, target: &str) -> Option<String> {
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let path = match file {
        "" => page.to_path_buf(),
        _ => page.parent().unwrap_or(root).join(file),
    };
    let Ok(path) = path.canonicalize() else {
        return Some(format!("there is no {file}"));
    };
    if !root.canonicalize().is_ok_and(|root| path.starts_with(root)) {
        return Some(format!("{file} is outside of the folder of all pages"));
    }
    let known = heading.is_empty()
        || Page::read(&path).is_ok_and(|page| page.anchors.iter().any(|anchor| anchor == heading));
    (!known).then(|| format!("{} has no heading #{heading}", path.display()))
}

/// All pages below a folder, relative to it.
pub fn pages(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(folder.join(&inner)).into_iter().flatten().flatten() {
            let path = inner.join(entry.file_name());
            if folder.join(&path).is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path.display().to_string());
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_headings_must_exist() {
        let root = std::env::temp_dir().join(format!("furlong-links-{}", std::process::id()));
        std::fs::create_dir_all(root.join("docs")).unwrap();
        let text =
            "# Top\n[a](docs/b.md#one) [b](docs/b.md#two) [c](gone.md) [d](#top) [e](../x)\n";
        std::fs::write(root.join("a.md"), text).unwrap();
        std::fs::write(root.join("docs/b.md"), "## One\n[back](../a.md)\n").unwrap();
        let problems = dead(&root, "a.md");
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(problems[0].contains("no heading #two"), "{problems:?}");
        assert_eq!(problems[1], "a.md:2: there is no gone.md");
        assert_eq!(pages(&root), ["a.md", "docs/b.md"]);
        assert!(dead(&root, "docs/b.md").is_empty());
        std::fs::remove_dir_all(&root).unwrap();
    }
}
