//===- SubcommandFlags.cpp - Settings and flags of a subcommand -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SubcommandFlags.h"
#include "gpucost/Report/NumberText.h"
#include "gpucost/Scenario/CheckScenario.h"
#include "gpucost/Scenario/SettingRow.h"
#include "llvm/ADT/MapVector.h"

using namespace gpucost;
using llvm::StringRef;

namespace {
/// Texts of settings by flag; those of pairs may be given several times.
using SettingTexts = llvm::MapVector<StringRef, std::string>;
} // namespace

static bool isSetting(StringRef name) {
  return visitSetting(name, [](const auto &) {});
}

static bool isSwitch(StringRef name) {
  bool result = false;
  visitSetting(name, [&](const auto &row) {
    result = std::decay_t<decltype(row)>::isSwitch;
  });
  return result;
}

static bool holdsPairs(StringRef name) {
  bool result = false;
  visitSetting(name, [&](const auto &row) {
    using Row = std::decay_t<decltype(row)>;
    result = std::is_same_v<typename Row::Type, NamedValues>;
  });
  return result;
}

static llvm::Error addText(SettingTexts &texts, StringRef name,
                           StringRef value) {
  auto [it, isNew] = texts.insert({name, value.str()});
  if (isNew)
    return llvm::Error::success();
  if (!holdsPairs(name))
    return llvm::createStringError("--" + name + " is given twice");
  it->second += "," + value.str();
  return llvm::Error::success();
}

static llvm::Error stateTexts(const SettingTexts &texts, Scenario &settings) {
  for (const auto &[name, value] : texts)
    if (llvm::Error error = state(settings, name, value))
      return error;
  return llvm::Error::success();
}

/// "; did you mean '--batch'?" for a name that is nearly a setting's.
static std::string suggest(StringRef name, llvm::ArrayRef<SubcommandFlag> own) {
  StringRef nearest;
  unsigned distance = std::min<unsigned>(2, name.size() / 2) + 1;
  auto tryName = [&](StringRef known) {
    unsigned edits = name.edit_distance(known, true, distance);
    if (edits < distance) {
      nearest = known;
      distance = edits;
    }
  };
  forEachSetting([&](const auto &row) { tryName(row.flag); });
  for (const SubcommandFlag &flag : own)
    tryName(flag.name);
  return nearest.empty() ? "" : "; did you mean '--" + nearest.str() + "'?";
}

llvm::Error gpucost::readSettingWords(StringRef flag, StringRef text,
                                      Scenario &settings) {
  SettingTexts texts;
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    auto [name, value] = word.ltrim('-').split('=');
    if (!isSetting(name))
      return llvm::createStringError("unknown setting '" + printable(name) +
                                     "' in --" + flag + suggest(name, {}));
    if (!word.contains('=')) {
      if (!isSwitch(name))
        return llvm::createStringError("'" + name + "' in --" + flag +
                                       " needs a value");
      value = "true";
    }
    if (llvm::Error error = addText(texts, name, value))
      return error;
  }
  return stateTexts(texts, settings);
}

llvm::Expected<SubcommandFlags>
gpucost::readSubcommandFlags(StringRef command,
                             llvm::ArrayRef<char *> arguments,
                             llvm::ArrayRef<SubcommandFlag> own) {
  SubcommandFlags flags;
  SettingTexts texts;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (argument == "--help" || argument == "-h") {
      flags.help = true;
      continue;
    }
    if (argument == "-" || !argument.starts_with("-")) {
      flags.files.push_back(argument.str());
      continue;
    }
    auto [name, value] = argument.ltrim('-').split('=');
    const auto *flag =
        llvm::find_if(own, [&, known = name](const SubcommandFlag &each) {
          return each.name == known;
        });
    bool isOwn = flag != own.end() || name == "o";
    if (!isOwn && !isSetting(name))
      return llvm::createStringError("unknown flag '--" + printable(name) +
                                     "' of " + command + suggest(name, own) +
                                     " (" + command + " --help lists all)");
    if (!argument.contains('=')) {
      if (isSwitch(name)) {
        value = "true";
      } else if (i + 1 == arguments.size()) {
        return llvm::createStringError("'" + argument + "' needs a value");
      } else {
        value = arguments[++i];
      }
    }
    if (!isOwn) {
      if (llvm::Error error = addText(texts, name, value))
        return std::move(error);
      continue;
    }
    std::vector<std::string> &values = flags.own[name];
    if (!values.empty() && (flag == own.end() || !flag->repeats))
      return llvm::createStringError("--" + name + " is given twice");
    values.push_back(value.str());
  }
  if (llvm::Error error = stateTexts(texts, flags.settings))
    return std::move(error);
  return flags;
}

llvm::Expected<unsigned> gpucost::readWhole(const SubcommandFlags &flags,
                                            StringRef flag, unsigned initial) {
  std::string text = flags.value(flag);
  unsigned number = initial;
  if (!text.empty() &&
      (StringRef(text).getAsInteger(10, number) || number == 0))
    return llvm::createStringError("--" + flag +
                                   " expects a number of at least 1, but got "
                                   "'" +
                                   printable(text) + "'");
  return number;
}
