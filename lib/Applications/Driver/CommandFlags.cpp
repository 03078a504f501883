//===- CommandFlags.cpp - The command line of a subcommand ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandFlags.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/StringExtras.h"
#include <fmt/format.h>

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;

static constexpr OwnFlag everyFlag[] = {{"o", "file"}, {"help", ""}};

namespace {
/// What the reader has to know of a flag.
struct FlagKind {
  bool isOwn = false, isSwitch = false, repeats = false;
};
} // namespace

/// Nullopt for a name that is no setting. Pairs, which hold commas, are given
/// several times in one scenario; in a space every setting may be.
static std::optional<FlagKind> kindOfSetting(StringRef name) {
  FlagKind kind;
  bool known = visitSetting(name, [&](const auto &row) {
    using Row = std::decay_t<decltype(row)>;
    kind.isSwitch = Row::isSwitch;
    kind.repeats = std::is_same_v<typename Row::Type, NamedValues>;
  });
  return known ? std::optional(kind) : std::nullopt;
}

static std::optional<FlagKind>
kindOf(StringRef name, llvm::ArrayRef<OwnFlag> own, TakesSettings settings) {
  for (llvm::ArrayRef<OwnFlag> flags : {own, llvm::ArrayRef(everyFlag)})
    for (const OwnFlag &flag : flags)
      if (flag.name == name)
        return FlagKind{true, flag.placeholder.empty(), flag.repeats};
  return settings == TakesSettings::Yes ? kindOfSetting(name) : std::nullopt;
}

/// "; did you mean '--batch'?" for a name that is nearly a known one.
static std::string suggest(StringRef name, llvm::ArrayRef<OwnFlag> own,
                           TakesSettings settings) {
  StringRef nearest;
  unsigned distance = std::min<unsigned>(2, name.size() / 2) + 1;
  auto consider = [&](StringRef known) {
    unsigned edits = name.edit_distance(known, true, distance);
    if (edits < distance) {
      nearest = known;
      distance = edits;
    }
  };
  if (settings == TakesSettings::Yes)
    forEachSetting([&](const auto &row) { consider(row.flag); });
  for (const OwnFlag &flag : own)
    consider(flag.name);
  consider("help");
  return nearest.empty() ? "" : "; did you mean '--" + nearest.str() + "'?";
}

static std::vector<std::string> &textsOf(std::vector<AxisText> &settings,
                                         StringRef name) {
  auto it = llvm::find_if(
      settings, [&](const AxisText &each) { return each.flag == name; });
  if (it == settings.end())
    it = settings.insert(settings.end(), {name.str(), {}});
  return it->texts;
}

/// The scenario that the texts state.
static llvm::Error stateTexts(llvm::ArrayRef<AxisText> texts,
                              Scenario &settings) {
  for (const AxisText &setting : texts) {
    if (setting.texts.size() > 1 && !kindOfSetting(setting.flag)->repeats)
      return llvm::createStringError("--" + setting.flag + " is given twice");
    if (llvm::Error error =
            state(settings, setting.flag, llvm::join(setting.texts, ",")))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error gpucost::readSettingWords(StringRef flag, StringRef text,
                                      Scenario &settings) {
  std::vector<AxisText> texts;
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    auto [name, value] = word.ltrim('-').split('=');
    std::optional<FlagKind> kind = kindOfSetting(name);
    if (!kind)
      return llvm::createStringError("unknown setting '" + printable(name) +
                                     "' in --" + flag +
                                     suggest(name, {}, TakesSettings::Yes));
    if (!word.contains('=') && !kind->isSwitch)
      return llvm::createStringError("'" + name + "' in --" + flag +
                                     " needs a value");
    textsOf(texts, name)
        .push_back(word.contains('=') ? value.str() : std::string("true"));
  }
  return stateTexts(texts, settings);
}

llvm::Expected<CommandFlags>
gpucost::readCommandFlags(StringRef command, llvm::ArrayRef<char *> arguments,
                          llvm::ArrayRef<OwnFlag> own, TakesSettings settings) {
  CommandFlags flags;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (argument == "-" || !argument.starts_with("-")) {
      flags.files.push_back(argument.str());
      continue;
    }
    auto [name, value] =
        argument.drop_front(argument.starts_with("--") ? 2 : 1).split('=');
    if (name == "h")
      name = "help";
    std::optional<FlagKind> kind = kindOf(name, own, settings);
    if (!kind)
      return llvm::createStringError(
          "unknown flag '--" + printable(name) + "' of " + command +
          suggest(name, own, settings) + " (" + command + " --help lists all)");
    if (!argument.contains('=')) {
      if (!kind->isSwitch && i + 1 == arguments.size())
        return llvm::createStringError("--" + name + " needs a value");
      value = kind->isSwitch ? "true" : arguments[++i];
    }
    std::vector<std::string> &values =
        kind->isOwn ? flags.own[name] : textsOf(flags.texts, name);
    if (kind->isOwn && !kind->repeats && !values.empty())
      return llvm::createStringError("--" + name + " is given twice");
    values.push_back(value.str());
  }
  return flags;
}

llvm::Expected<SubcommandFlags>
gpucost::readSubcommandFlags(StringRef command,
                             llvm::ArrayRef<char *> arguments,
                             llvm::ArrayRef<OwnFlag> own) {
  llvm::Expected<CommandFlags> read = readCommandFlags(command, arguments, own);
  if (!read)
    return read.takeError();
  SubcommandFlags flags{std::move(*read), Scenario()};
  if (!flags.has("help"))
    if (llvm::Error error = stateTexts(flags.texts, flags.settings))
      return std::move(error);
  return flags;
}

llvm::Expected<int64_t> gpucost::readCount(const CommandFlags &flags,
                                           StringRef flag, int64_t initial,
                                           int64_t most) {
  int64_t value = initial;
  std::string text = flags.value(flag);
  if (flags.has(flag) &&
      (StringRef(text).getAsInteger(10, value) || value < 1 || value > most))
    return llvm::createStringError(
        "--" + flag + " expects a whole number from 1 to " + llvm::Twine(most) +
        ", but got '" + printable(text) + "'");
  return value;
}

void gpucost::printOwnFlags(llvm::raw_ostream &os,
                            llvm::ArrayRef<OwnFlag> own) {
  for (const OwnFlag &flag : own) {
    bool isLetter = flag.name.size() == 1;
    std::string name = (isLetter ? "-" : "--") + flag.name.str();
    if (!flag.placeholder.empty())
      name += (isLetter ? " " : "=") + flag.placeholder.str();
    os << fmt::format("  {:<28} {}\n", name, flag.help.str());
  }
}
