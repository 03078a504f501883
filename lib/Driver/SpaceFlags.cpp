//===- SpaceFlags.cpp - Models, lists and ranges on the command line ------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceFlags.h"
#include "gpucost/Scenario/SettingRow.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"
#include <fmt/format.h>

using namespace gpucost;
using llvm::StringRef;

static const OwnFlag *findOwn(llvm::ArrayRef<OwnFlag> own, StringRef name) {
  const auto *it = llvm::find_if(
      own, [&](const OwnFlag &flag) { return flag.name == name; });
  return it == own.end() ? nullptr : it;
}

/// The nearest known flag, for one that nobody knows.
static std::string suggest(StringRef name, llvm::ArrayRef<OwnFlag> own) {
  StringRef nearest;
  unsigned distance = std::min<unsigned>(2, name.size() / 2) + 1;
  auto consider = [&](StringRef known) {
    unsigned edits = name.edit_distance(known, true, distance);
    if (edits < distance) {
      nearest = known;
      distance = edits;
    }
  };
  forEachSetting([&](const auto &row) { consider(row.flag); });
  for (const OwnFlag &flag : own)
    consider(flag.name);
  return nearest.empty() ? "" : "; did you mean '--" + nearest.str() + "'?";
}

static llvm::Error readFile(SpaceFlags &flags) {
  std::string path = flags.value("space", "");
  if (path.empty())
    return llvm::Error::success();
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + buffer.getError().message());
  llvm::Expected<SpaceText> space = readSpaceFile((*buffer)->getBuffer());
  if (!space)
    return llvm::createStringError("'" + path +
                                   "': " + llvm::toString(space.takeError()));
  if (flags.models.empty())
    flags.models = space->models;
  llvm::StringSet<> given;
  for (const AxisText &setting : flags.settings)
    given.insert(setting.flag);
  for (AxisText &setting : space->settings) {
    std::replace(setting.flag.begin(), setting.flag.end(), '_', '-');
    if (!given.contains(setting.flag))
      flags.settings.push_back(std::move(setting));
  }
  return llvm::Error::success();
}

llvm::Expected<SpaceFlags>
gpucost::readSpaceFlags(StringRef command, llvm::ArrayRef<char *> arguments,
                        llvm::ArrayRef<OwnFlag> own) {
  SpaceFlags flags;
  llvm::StringMap<size_t> settings;
  for (size_t i = 0; i < arguments.size(); ++i) {
    StringRef argument = arguments[i];
    if (!argument.starts_with("-") || argument == "-") {
      flags.models.push_back(argument.str());
      continue;
    }
    auto [name, value] =
        argument.drop_front(argument.starts_with("--") ? 2 : 1).split('=');
    if (name == "h")
      name = "help";
    bool hasValue = argument.contains('=');
    const OwnFlag *ownFlag = findOwn(own, name);
    bool known = ownFlag != nullptr,
         isSwitch = ownFlag && ownFlag->placeholder.empty();
    if (!ownFlag)
      known = visitSetting(name, [&](const auto &row) {
        isSwitch = std::decay_t<decltype(row)>::isSwitch;
      });
    if (!known)
      return llvm::createStringError("unknown flag '--" + name + "' of " +
                                     command + suggest(name, own) +
                                     " (--help lists all)");
    if (!hasValue && !isSwitch) {
      if (i + 1 == arguments.size())
        return llvm::createStringError("--" + name + " needs a value");
      value = arguments[++i];
    }
    if (ownFlag) {
      if (!flags.own.try_emplace(name, value.str()).second)
        return llvm::createStringError("--" + name + " is given twice");
      continue;
    }
    auto [it, isNew] = settings.try_emplace(name, flags.settings.size());
    if (isNew)
      flags.settings.push_back({name.str(), {}});
    flags.settings[it->second].texts.push_back(value.str());
  }
  if (flags.has("help"))
    return flags;
  if (llvm::Error error = readFile(flags))
    return std::move(error);
  if (flags.models.empty())
    return llvm::createStringError("no model; usage: gpu-cost-opt " + command +
                                   " model.onnx --target=a100,h100 "
                                   "--batch=1..64x2 (--help shows all)");
  return flags;
}

void gpucost::printSpaceHelp(llvm::raw_ostream &os, StringRef usage,
                             llvm::ArrayRef<OwnFlag> own) {
  os << usage << "\nFlags:\n";
  for (const OwnFlag &flag : own) {
    std::string name = (flag.name.size() == 1 ? "-" : "--") + flag.name.str();
    if (!flag.placeholder.empty())
      name += (flag.name.size() == 1 ? " " : "=") + flag.placeholder.str();
    os << fmt::format("  {:<28} {}\n", name, flag.help.str());
  }
  os << R"(
Every setting of the tool (gpu-cost-opt --help) takes lists and ranges:
  --target=a100,h100,l40s      a list
  --batch=1..8                 whole numbers
  --seq=128..4096x2            128, 256, ... 4096
  --clock=600..1410:15         600, 615, ... 1410
  --clock=default,900          the board's own clock, and 900 MHz
  --bind=batch:1 --bind=batch:8,seq:64
                               bind, trip, trainable, recompute, set and price hold
                               commas themselves: repeat them
)";
}

llvm::Expected<int64_t> gpucost::readCount(StringRef flag, StringRef text,
                                           int64_t most) {
  int64_t value = 0;
  if (text.getAsInteger(10, value) || value < 1 || value > most)
    return llvm::createStringError(
        "--" + flag + " expects a whole number from 1 to " + llvm::Twine(most) +
        ", but got '" + text + "'");
  return value;
}

unsigned gpucost::defaultJobs() {
  return llvm::heavyweight_hardware_concurrency().compute_thread_count();
}
