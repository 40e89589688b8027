// SPDX-License-Identifier: BSD-3-Clause
//! The script for bash. Readline takes `-network=smp` for three words.

use super::{Choice, Tool, Words};

const HEAD: &str = r#"# Completion in bash for Furlong's tools. Generated: furlong completion bash
_furlong() {
    local tool=${1##*/} word=$2 before=$3 equals= dash= i words=
    if [[ $word == = ]]; then
        word= equals==
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]} equals==
    fi
    [[ $word == --* ]] && dash=- word=${word#-}
    [[ $before == --* ]] && before=${before#-}
    COMPREPLY=()
"#;

/// What a launcher starts has options of its own. Empty replies have readline complete files.
const PROGRAM: &str = r#"    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${COMP_WORDS[i + 1]} == = ]] && ((i += 2)) && continue
        case $tool:${COMP_WORDS[i]/#--/-} in
        TAKES) ((i++)) ;;
        LAUNCHERS:-*) ;;
        LAUNCHERS:*) return ;;
        esac
    done
"#;

const TAIL: &str = r#"    [[ $words ]] && COMPREPLY=($(compgen -P "$dash" -W "$words" -- "$word"))
    [[ ${COMPREPLY[0]} == *[=,-] ]] && compopt -o nospace
} && complete -o default -F _furlong"#;

pub fn script(tools: &[Tool]) -> String {
    let names: Vec<&str> = tools.iter().map(|tool| tool.name).collect();
    let launchers: Vec<&Tool> = tools.iter().filter(|tool| tool.launches).collect();
    let takes = |tool: &&Tool| {
        let values = tool.options.iter().filter(|option| option.next_word);
        values.map(|option| format!("{}:{}", tool.name, option.name)).collect::<Vec<_>>()
    };
    let takes = launchers.iter().flat_map(takes).collect::<Vec<_>>().join(" | ");
    let launchers: Vec<&str> = launchers.iter().map(|tool| tool.name).collect();
    let program = PROGRAM
        .replace("LAUNCHERS:-*", &joined(&launchers, ":-*"))
        .replace("LAUNCHERS:*", &joined(&launchers, ":*"))
        .replace("TAKES", &takes);
    let mut out = format!("{HEAD}{program}    case $tool:$before$equals in\n");
    for tool in tools {
        tool.options.iter().for_each(|option| out += &value(tool.name, option));
    }
    out += "    *=) return ;;\n    *)\n        case $tool:$word in\n";
    for tool in tools {
        let options = tool.options.iter().flat_map(spelled).collect::<Vec<_>>().join(" ");
        out += &format!("        {}:-*) words='{options}' ;;\n", tool.name);
        if let Words::These(list) = &tool.operands {
            out += &format!("        {}:*) words='{}' ;;\n", tool.name, list.join(" "));
        }
    }
    out += &format!("        esac\n        ;;\n    esac\n{TAIL} {}\n", names.join(" "));
    out
}

fn joined(names: &[&str], end: &str) -> String {
    names.iter().map(|name| format!("{name}{end}")).collect::<Vec<_>>().join(" | ")
}

/// The case in which the option's value is to be completed.
fn value(tool: &str, option: &Choice) -> String {
    let mut places = Vec::new();
    if option.next_word {
        places.push(format!("{tool}:{}", option.name));
    }
    if option.after_equals {
        places.push(format!("{tool}:{}=", option.name));
    }
    let reply = match &option.words {
        _ if places.is_empty() => return String::new(),
        Words::These(list) => format!("words='{}'", list.join(" ")),
        Words::Free => "return".into(),
        Words::Files => "COMPREPLY=($(compgen -f -- \"$word\"))".into(),
        Words::Folders => "COMPREPLY=($(compgen -d -- \"$word\"))".into(),
        Words::Commands => "COMPREPLY=($(compgen -c -- \"$word\"))".into(),
        Words::Hosts => "COMPREPLY=($(compgen -A hostname -- \"$word\"))".into(),
        Words::Interfaces => "words=$(ls /sys/class/net)".into(),
    };
    format!("    {}) {reply} ;;\n", places.join(" | "))
}

/// The forms in which the option is offered.
fn spelled(option: &Choice) -> Vec<String> {
    let mut forms = Vec::new();
    if option.bare || option.next_word || option.attached {
        forms.push(option.name.to_string());
    }
    if option.after_equals && !option.next_word {
        forms.push(format!("{}=", option.name));
    }
    forms
}
