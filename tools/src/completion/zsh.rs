// SPDX-License-Identifier: BSD-3-Clause
//! The script for zsh: a list of `_arguments` for each tool.

use super::{Choice, Tool, Words};

pub fn script(tools: &[Tool]) -> String {
    let names: Vec<&str> = tools.iter().map(|tool| tool.name).collect();
    let mut out = format!(
        "#compdef {}\n# Completion in zsh for Furlong's tools. Generated: furlong completion zsh\n\
         case $service in\n",
        names.join(" ")
    );
    for tool in tools {
        out += &format!("{})\n    _arguments \\\n", tool.name);
        for option in &tool.options {
            out += &format!("        {} \\\n", quoted(&specification(option)));
        }
        out += &match tool.launches {
            true => "        '(-)1:program:_files' '*::argument:_files'\n".to_string(),
            false => {
                format!("        {}\n", quoted(&format!("*:operand:{}", action(&tool.operands))))
            }
        };
        out += "    ;;\n";
    }
    out + "esac\n"
}

/// `-name=[about]:VALUE:action`: what stands after the name says where the value may be.
fn specification(option: &Choice) -> String {
    let place = match option {
        _ if option.value.is_empty() => "",
        _ if option.attached => "-",
        _ if option.next_word => "=",
        _ => "=-",
    };
    let about = option.about.replace(['[', ']'], "");
    let value = match option {
        _ if option.value.is_empty() => String::new(),
        _ => {
            let colons = if option.bare { "::" } else { ":" };
            format!("{colons}{}:{}", option.value, action(&option.words))
        }
    };
    format!("*{}{place}[{about}]{value}", option.name)
}

fn action(words: &Words) -> String {
    match words {
        Words::Free => " ".into(),
        Words::Files => "_files".into(),
        Words::Folders => "_files -/".into(),
        Words::Commands => "_command_names -e".into(),
        Words::Hosts => "_hosts".into(),
        Words::Interfaces => "_net_interfaces".into(),
        Words::These(list) => format!("({})", list.join(" ")),
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
