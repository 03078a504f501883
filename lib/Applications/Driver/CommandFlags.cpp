//===- CommandFlags.cpp - The command line of a subcommand ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandFlags.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/StringExtras.h"
#include <fmt/format.h>

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;

/// Flags of every subcommand.
static constexpr OwnFlag everyFlag[] = {
    {"o", "file", "write to a file instead of standard output"},
    {"width", "columns",
     "width of the output (default: 100); 0: as many columns as it takes",
     false, anyCount, 0},
    {"help", "", "this text"}};

namespace {
struct FlagKind {
  const OwnFlag *own = nullptr; ///< null for a setting
  bool isSwitch = false, repeats = false;
};

} // namespace

/// nullopt for a name that is not a setting. In one scenario, only settings of
/// pairs, which contain commas, may be repeated; in a space every setting may.
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
        return FlagKind{&flag, flag.placeholder.empty(), flag.repeats};
  return settings == TakesSettings::Yes ? kindOfSetting(name) : std::nullopt;
}

/// "; did you mean '--batch'?" for a name that is nearly a known one.
static std::string suggest(StringRef name, llvm::ArrayRef<OwnFlag> own,
                           TakesSettings settings) {
  std::vector<StringRef> known;
  if (settings == TakesSettings::Yes)
    forEachSetting([&](const auto &row) { known.push_back(row.flag); });
  for (const OwnFlag &flag : own)
    known.push_back(flag.name);
  known.push_back("help");
  return suggestFlag(name, known);
}

static llvm::Error checkValue(const OwnFlag &flag, StringRef value) {
  std::vector<std::string_view> choices;
  for (StringRef choice : llvm::split(flag.placeholder, '|'))
    choices.push_back(choice);
  if (choices.size() > 1 &&
      !llvm::is_contained(choices, std::string_view(value)))
    return llvm::createStringError("unknown value '" + value + "' of --" +
                                   flag.name + ", expected " +
                                   listAlternatives(choices));
  int64_t count = 1;
  if (flag.most &&
      (!parseCount(value, count) || count < flag.least || count > flag.most))
    return llvm::createStringError(
        "--" + flag.name + " expects a whole number from " +
        llvm::Twine(flag.least) + " to " + llvm::Twine(flag.most) +
        ", but got '" + printable(value) + "'");
  return llvm::Error::success();
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

void gpucost::joinPairs(std::vector<AxisText> &texts) {
  for (AxisText &setting : texts)
    if (kindOfSetting(setting.flag)->repeats)
      setting.texts = {llvm::join(setting.texts, ",")};
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

llvm::Expected<Shard> gpucost::readShard(StringRef text, int64_t most) {
  Shard shard;
  auto [index, count] = text.split('/');
  if (index.getAsInteger(10, shard.index) ||
      count.getAsInteger(10, shard.count) || shard.index < 1 ||
      shard.index > shard.count || shard.count > most)
    return llvm::createStringError(
        "--shard expects i/n with i from 1 to n, but got '" + text + "'");
  return shard;
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
        kind->own ? flags.own[name] : textsOf(flags.texts, name);
    if (kind->own) {
      if (!kind->repeats && !values.empty())
        return llvm::createStringError("--" + name + " is given twice");
      if (llvm::Error error = checkValue(*kind->own, value))
        return std::move(error);
    }
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

std::vector<OwnFlag> gpucost::flagsOf(llvm::ArrayRef<OwnFlag> own) {
  std::vector<OwnFlag> flags(own.begin(), own.end());
  for (const OwnFlag &flag : everyFlag)
    if (llvm::none_of(
            own, [&](const OwnFlag &other) { return other.name == flag.name; }))
      flags.push_back(flag);
  return flags;
}

void gpucost::printOwnFlags(llvm::raw_ostream &os,
                            llvm::ArrayRef<OwnFlag> own) {
  constexpr int nameWidth = 28, helpColumn = nameWidth + 3;
  for (const OwnFlag &flag : flagsOf(own)) {
    bool isLetter = flag.name.size() == 1;
    std::string name = (isLetter ? "-" : "--") + flag.name.str();
    if (!flag.placeholder.empty())
      name += (isLetter ? " " : "=") + flag.placeholder.str();
    os << fmt::format("  {:<{}} ", name, nameWidth);
    if (name.size() > nameWidth)
      (os << '\n').indent(helpColumn);
    printWrapped(os, flag.help, helpColumn, helpColumn);
  }
}
