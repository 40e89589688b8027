// SPDX-License-Identifier: BSD-3-Clause
//! How sources are compiled: by the `compile_commands.json` of the folders above, else by the flags
//! that the client gives for all.

use crate::text;
use serde_json::Value;
use std::path::{Component, Path, PathBuf};

/// The words of a command line, and the folder where it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flags {
    pub words: Vec<String>,
    pub folder: PathBuf,
}

/// The command for `path`, or its words in `otherwise`.
pub fn find(path: &Path, otherwise: &[String]) -> Flags {
    let command = database_above(path).and_then(|commands| {
        let own = commands.iter().find(|command| command.file == path);
        // A header has none: it is compiled as its neighbours are.
        let near = || commands.iter().find(|command| command.file.parent() == path.parent());
        own.or_else(near).cloned()
    });
    match command {
        Some(command) => Flags { words: command.words, folder: command.folder },
        None => Flags { words: otherwise.to_vec(), folder: folder_of(path).to_path_buf() },
    }
}

/// The sources that the database above `path` names.
pub fn sources(path: &Path) -> Vec<PathBuf> {
    let commands = database_above(path).unwrap_or_default();
    commands.into_iter().map(|command| command.file).collect()
}

/// Of a text that no file has, the root.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|_| path.is_absolute()).unwrap_or(Path::new("/"))
}

/// The commands of the nearest database in the folders above `path`, or in `build` there.
fn database_above(path: &Path) -> Option<Vec<Entry>> {
    let databases = folder_of(path).ancestors().flat_map(|folder| {
        ["compile_commands.json", "build/compile_commands.json"].map(|name| folder.join(name))
    });
    databases.filter_map(|database| commands(&database)).next()
}

#[derive(Clone, Debug)]
struct Entry {
    file: PathBuf,
    folder: PathBuf,
    words: Vec<String>,
}

fn commands(database: &Path) -> Option<Vec<Entry>> {
    let bytes = std::fs::read(database).ok()?;
    let value: Value = serde_json::from_slice(&bytes).ok()?;
    let above = folder_of(database);
    Some(value.as_array()?.iter().filter_map(|entry| read(entry, above)).collect())
}

fn read(entry: &Value, above: &Path) -> Option<Entry> {
    let folder = above.join(entry["directory"].as_str().unwrap_or("."));
    let name = entry["file"].as_str()?;
    let words: Vec<String> = match (&entry["arguments"], &entry["command"]) {
        (Value::Array(words), _) => {
            words.iter().filter_map(|word| word.as_str().map(str::to_string)).collect()
        }
        (_, Value::String(line)) => text::words(line),
        _ => return None,
    };
    let (mut kept, mut words) = (Vec::new(), words.into_iter().skip(1));
    while let Some(word) = words.next() {
        match word.as_str() {
            "-o" | "-MF" | "-MT" | "-MQ" => drop(words.next()),
            "-c" | "-MD" | "-MMD" | "-MP" => {}
            word if word == name => {}
            _ => kept.push(word),
        }
    }
    Some(Entry { file: normal(&folder.join(name)), folder: normal(&folder), words: kept })
}

/// Without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(out.pop()),
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let entry = serde_json::json!({
            "directory": "/src/build", "file": "../a.upc",
            "command": "upcc -DN='a b' -T=4 -MD -MF a.d -o a.o -c ../a.upc",
        });
        let entry = read(&entry, Path::new("/src")).unwrap();
        assert_eq!(entry.file, Path::new("/src/a.upc"));
        assert_eq!(entry.words, ["-DN=a b", "-T=4"]);
        assert!(read(&serde_json::json!({ "file": 3 }), Path::new("/")).is_none());
    }
}
