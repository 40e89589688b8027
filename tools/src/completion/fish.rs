// SPDX-License-Identifier: BSD-3-Clause
//! The script for fish: a line for each option.

use super::{Choice, Tool, Words};

pub fn script(tools: &[Tool]) -> String {
    let mut out = "# Completion in fish for Furlong's tools. Generated: furlong completion fish\n"
        .to_string();
    for tool in tools {
        for option in &tool.options {
            out += &format!("complete -c {} {}\n", tool.name, line(option));
        }
        if let Words::These(list) = &tool.operands {
            out += &format!("complete -c {} -f -a {}\n", tool.name, quoted(&list.join(" ")));
        }
    }
    out
}

fn line(option: &Choice) -> String {
    let name = option.name.trim_start_matches('-');
    let about = quoted(&option.about);
    // What fish has no form for is offered as a word.
    if option.attached || option.after_equals && !option.next_word || name.contains('=') {
        let equals = if option.attached || name.contains('=') { "" } else { "=" };
        return format!("-a {} -d {about}", quoted(&format!("{}{equals}", option.name)));
    }
    let value = match &option.words {
        _ if !option.next_word => String::new(),
        Words::Files => " -r -F".into(),
        Words::Free => " -x".into(),
        Words::Folders => " -x -a '(__fish_complete_directories)'".into(),
        Words::Commands => " -x -a '(__fish_complete_command)'".into(),
        Words::Hosts => " -x -a '(__fish_print_hostnames)'".into(),
        Words::Interfaces => " -x -a '(__fish_print_interfaces)'".into(),
        Words::These(list) => format!(" -x -a {}", quoted(&list.join(" "))),
    };
    format!("-o {name}{value} -d {about}")
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
