//===- UserDocuments.cpp - Manual page and completion ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UserDocuments.h"
#include "Subcommands.h"
#include "Version.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace gpucost;
using llvm::StringRef;

namespace {

/// A flag as shown to users.
struct ShownFlag {
  std::string name, value, help;
  /// Possible names; empty for other kinds of values.
  std::vector<std::string> choices;

  bool takesFile() const {
    return StringRef(value).starts_with("file") || name == "o";
  }
};

} // namespace

/// "a" and "b" for "a|b"; empty if one of them is not a plain name.
static std::vector<std::string> choicesOf(StringRef placeholder) {
  std::vector<std::string> choices;
  for (StringRef part : llvm::split(placeholder, '|')) {
    if (part.empty() || !llvm::all_of(part, [](char c) {
          return llvm::isAlnum(c) || c == '-' || c == '.' || c == '_';
        }))
      return {};
    choices.push_back(part.str());
  }
  return choices.size() > 1 ? choices : std::vector<std::string>();
}

/// Our flags by category, in alphabetical order.
static std::map<std::string, std::vector<ShownFlag>>
shownFlags(const DriverOptions &options) {
  // Setting flags show only the first of many values.
  std::map<std::string, std::string> placeholders;
  forEachSetting([&](const auto &row) {
    placeholders[std::string(row.flag)] = placeholderOf(row);
  });
  std::map<std::string, std::vector<ShownFlag>> groups;
  for (auto &[name, option] : llvm::cl::getRegisteredOptions()) {
    if (option->getOptionHiddenFlag() != llvm::cl::NotHidden)
      continue;
    for (llvm::cl::OptionCategory *category : option->Categories) {
      if (!options.hasCategory(category))
        continue;
      ShownFlag flag;
      flag.name = name.str();
      flag.value = option->ValueStr.str();
      flag.help = option->HelpStr.str();
      if (auto setting = placeholders.find(flag.name);
          setting != placeholders.end())
        flag.value = setting->second;
      flag.choices = choicesOf(flag.value);
      groups[category->getName().str()].push_back(std::move(flag));
    }
  }
  // Values that a parser lists, not a placeholder.
  std::vector<std::string> emits;
  auto &parser = const_cast<DriverOptions &>(options).emit.getParser();
  for (unsigned i = 0; i < parser.getNumOptions(); ++i)
    emits.push_back(parser.getOption(i).str());
  for (auto &[category, flags] : groups) {
    for (ShownFlag &flag : flags)
      if (flag.name == "emit") {
        flag.choices = emits;
        flag.value = llvm::join(emits, "|");
      }
    llvm::sort(flags, [](const ShownFlag &a, const ShownFlag &b) {
      return a.name < b.name;
    });
  }
  return groups;
}

/// The flags of a subcommand that are not settings.
static std::vector<ShownFlag> flagsOfCommand(const Subcommand &command) {
  std::vector<ShownFlag> flags;
  if (!command.flags)
    return flags;
  for (const OwnFlag &own : flagsOf(command.flags())) {
    ShownFlag flag{own.name.str(), own.placeholder.str(), own.help.str(), {}};
    flag.choices = choicesOf(flag.value);
    flags.push_back(std::move(flag));
  }
  return flags;
}

/// The flags that are settings.
static std::vector<ShownFlag> settingFlags() {
  std::vector<ShownFlag> flags;
  forEachSetting([&](const auto &row) {
    ShownFlag flag{
        std::string(row.flag), placeholderOf(row), std::string(row.help), {}};
    flag.choices = choicesOf(flag.value);
    flags.push_back(std::move(flag));
  });
  return flags;
}

/// "--batch", "-o".
static std::string dashes(const ShownFlag &flag) {
  return (flag.name.size() == 1 ? "-" : "--") + flag.name;
}

//===----------------------------------------------------------------------===//
// Manual page
//===----------------------------------------------------------------------===//

/// `text` escaped for troff.
static std::string troff(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if (c == '|')
      result += "|\\:"; // lines may break there
    else if ((c == '.' || c == '\'') &&
             (result.empty() || result.back() == '\n'))
      (result += "\\&") += c;
    else
      result += c;
  }
  return result;
}

static void printManFlags(llvm::StringRef title,
                          llvm::ArrayRef<ShownFlag> flags,
                          llvm::raw_ostream &os) {
  os << ".SH " << troff(title.upper()) << '\n';
  for (const ShownFlag &flag : flags) {
    os << ".TP\n.B " << troff(dashes(flag));
    if (!flag.value.empty())
      os << "=\\fI" << troff(flag.value) << "\\fR";
    os << '\n' << troff(flag.help) << '\n';
  }
}

static void printManPage(const DriverOptions &options, llvm::raw_ostream &os) {
  os << ".\\\" Written by gpu-cost-opt --print-document=man.\n"
     << ".TH GPU\\-COST\\-OPT 1 \"\" \"" << troff(versionName())
     << "\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\n"
     << "gpu\\-cost\\-opt \\- time, power and energy of a model's iteration on "
        "a GPU, from the model file only\n"
     << ".SH SYNOPSIS\n.B gpu\\-cost\\-opt\n.I model.onnx|model.mlir\n"
     << "[\\fIflags\\fR]\n.br\n.B gpu\\-cost\\-opt\n.I command\n"
     << "[\\fIarguments\\fR]\n.SH COMMANDS\n";
  for (const Subcommand &command : subcommands())
    os << ".TP\n.B " << troff(command.name) << '\n'
       << troff(command.help) << '\n';
  for (const auto &[category, flags] : shownFlags(options))
    printManFlags(category, flags, os);
  for (const Subcommand &command : subcommands())
    if (command.flags)
      printManFlags(("flags of " + command.name).str(), flagsOfCommand(command),
                    os);
  os << ".SH EXIT STATUS\n"
     << "0: the answer is there. 1: an error, which standard error names. 3: "
        "with\n.BR \\-\\-strict ,\nsome op is not fully modelled. 4: with\n"
        ".BR compare ,\na budget is exceeded.\n"
     << ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nno colour, whatever the terminal\n"
     << ".SH SEE ALSO\nThe folder docs of the source, README.md first.\n";
}

//===----------------------------------------------------------------------===//
// Completion
//===----------------------------------------------------------------------===//

/// `text` in single quotes for a shell.
static std::string quoted(StringRef text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

static std::string subcommandNames() {
  std::vector<std::string> names;
  for (const Subcommand &command : subcommands())
    names.push_back(command.name.str());
  return llvm::join(names, " ");
}

namespace {
/// Flags as words, and patterns of `command:flag` with their values.
struct BashFlags {
  std::string names, values, files;

  /// `command` may be a pattern; "": the values of these flags are known.
  void add(llvm::ArrayRef<ShownFlag> flags, StringRef command) {
    for (const ShownFlag &flag : flags) {
      names += " " + dashes(flag) + (flag.value.empty() ? "" : "=");
      std::string pattern = command.str() + ":" + dashes(flag);
      if (command.empty())
        continue;
      if (!flag.choices.empty())
        values += "    " + pattern +
                  ") words=" + quoted(llvm::join(flag.choices, " ")) + " ;;\n";
      else if (flag.takesFile())
        files += "|" + pattern;
    }
  }
};
} // namespace

static void printBash(const DriverOptions &options, llvm::raw_ostream &os) {
  BashFlags report;
  for (const auto &[category, group] : shownFlags(options))
    report.add(group, "*");
  std::string commands;
  for (const Subcommand &command : subcommands())
    if (command.flags) {
      BashFlags own;
      own.add(flagsOfCommand(command), command.name);
      if (command.settings == TakesSettings::Yes)
        own.add(settingFlags(), "");
      commands += "    " + command.name.str() +
                  ") flags=" + quoted(llvm::StringRef(own.names).ltrim()) +
                  " ;;\n";
      report.values.insert(0, own.values);
      report.files += own.files;
    }
  os << "# Written by gpu-cost-opt --print-document=bash.\n"
     << "_gpu_cost_opt() {\n"
     << "  local word=${COMP_WORDS[COMP_CWORD]} flag= words= \n"
     << "  COMPREPLY=()\n"
     << "  # Bash makes words of '--flag', '=' and the value.\n"
     << "  if [[ $word == = ]]; then\n"
     << "    flag=${COMP_WORDS[COMP_CWORD-1]} word=\n"
     << "  elif [[ ${COMP_WORDS[COMP_CWORD-1]} == = ]]; then\n"
     << "    flag=${COMP_WORDS[COMP_CWORD-2]}\n"
     << "  elif [[ ${COMP_WORDS[COMP_CWORD-1]} == -o ]]; then\n"
     << "    flag=-o\n"
     << "  fi\n"
     << "  local command=${COMP_WORDS[1]-} flags\n"
     << "  case $command in\n"
     << commands << "    *) flags=" << quoted(StringRef(report.names).ltrim())
     << " ;;\n  esac\n"
     << "  case $command:$flag in\n"
     << "    *:--target) words=$(gpu-cost-opt --list-targets 2>/dev/null | awk "
        "'NR > 1 { print $1 }') ;;\n"
        "    *:--network) words=$(gpu-cost-opt --list-networks 2>/dev/null | "
        "awk '/ x / { print $1 }') ;;\n"
     << report.values << "    " << StringRef(report.files).ltrim('|')
     << ") COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n"
     << "    *:) words=$flags\n"
     << "      [[ $COMP_CWORD -gt 1 ]] || words+="
     << quoted(" " + subcommandNames())
     << "\n      if [[ $word != -* ]]; then\n"
     << "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\") $(compgen -f "
        "-- \"$word\"))\n        return\n      fi ;;\n"
     << "  esac\n"
     << "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
     << "  [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null\n"
     << "}\ncomplete -F _gpu_cost_opt gpu-cost-opt\n";
}

/// A text between brackets of `_arguments`.
static std::string bracketed(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\')
      result += '\\';
    result += c;
  }
  return result;
}

static void printZshFlags(llvm::ArrayRef<ShownFlag> flags,
                          llvm::raw_ostream &os) {
  for (const ShownFlag &flag : flags) {
    std::string spec = dashes(flag);
    if (!flag.value.empty())
      spec += flag.name.size() == 1 ? "" : "=";
    spec += "[" + bracketed(flag.help) + "]";
    if (!flag.value.empty()) {
      spec += ":" + bracketed(flag.value.substr(0, 40)) + ":";
      if (flag.name == "target")
        spec += "_gpu_cost_opt_targets";
      else if (!flag.choices.empty())
        spec += "(" + llvm::join(flag.choices, " ") + ")";
      else if (flag.takesFile())
        spec += "_files";
    }
    os << "      " << quoted(spec) << '\n';
  }
}

static void printZsh(const DriverOptions &options, llvm::raw_ostream &os) {
  os << "#compdef gpu-cost-opt\n"
     << "# Written by gpu-cost-opt --print-document=zsh.\n"
     << "_gpu_cost_opt_targets() {\n"
     << "  compadd -- ${(f)\"$(gpu-cost-opt --list-targets 2>/dev/null | awk "
        "'NR > 1 { print $1 }')\"}\n}\n"
     << "_gpu_cost_opt() {\n  local -a flags settings\n  settings=(\n";
  printZshFlags(settingFlags(), os);
  os << "  )\n  case $words[2] in\n";
  for (const Subcommand &command : subcommands())
    if (command.flags) {
      os << "    " << command.name << ") flags=(\n";
      printZshFlags(flagsOfCommand(command), os);
      os << "    )"
         << (command.settings == TakesSettings::Yes ? "; flags+=($settings)"
                                                    : "")
         << " ;;\n";
    }
  os << "    *) flags=(\n";
  for (const auto &[category, group] : shownFlags(options))
    printZshFlags(group, os);
  os << "    ) ;;\n  esac\n"
     << "  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
     << "    compadd -- " << subcommandNames() << "\n  fi\n"
     << "  _arguments -S $flags '*:model:_files -g \"*.(onnx|mlir)\"'\n}\n"
     << "_gpu_cost_opt \"$@\"\n";
}

void gpucost::printUserDocument(UserDocument document,
                                const DriverOptions &options,
                                llvm::raw_ostream &os) {
  switch (document) {
  case UserDocument::None:
    return;
  case UserDocument::ManPage:
    return printManPage(options, os);
  case UserDocument::Bash:
    return printBash(options, os);
  case UserDocument::Zsh:
    return printZsh(options, os);
  }
}
