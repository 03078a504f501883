//===- SpaceFlags.cpp - Models, lists and ranges on the command line ------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpaceFlags.h"
#include "Output.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Threading.h"

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;

static llvm::Error readFile(CommandFlags &flags) {
  std::string path = flags.value("space");
  if (path.empty())
    return llvm::Error::success();
  auto buffer = openInput(path);
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<SpaceText> space = readSpaceFile((*buffer)->getBuffer());
  if (!space)
    return llvm::createStringError("'" + path +
                                   "': " + llvm::toString(space.takeError()));
  if (flags.files.empty())
    flags.files = space->models;
  llvm::StringSet<> given;
  for (const AxisText &setting : flags.texts)
    given.insert(setting.flag);
  for (AxisText &setting : space->settings) {
    std::replace(setting.flag.begin(), setting.flag.end(), '_', '-');
    if (!given.contains(setting.flag))
      flags.texts.push_back(std::move(setting));
  }
  return llvm::Error::success();
}

llvm::Expected<CommandFlags>
gpucost::readSpaceFlags(StringRef command, llvm::ArrayRef<char *> arguments,
                        llvm::ArrayRef<OwnFlag> own) {
  llvm::Expected<CommandFlags> read = readCommandFlags(command, arguments, own);
  if (!read)
    return read.takeError();
  CommandFlags &flags = *read;
  if (flags.has("help"))
    return read;
  if (llvm::Error error = readFile(flags))
    return std::move(error);
  if (flags.files.empty())
    return llvm::createStringError("no model; usage: gpu-cost-opt " + command +
                                   " model.onnx --target=a100,h100 "
                                   "--batch=1..64x2 (--help shows all)");
  return read;
}

void gpucost::printSpaceHelp(llvm::raw_ostream &os, StringRef usage,
                             llvm::ArrayRef<OwnFlag> own) {
  os << usage << "\nFlags:\n";
  printOwnFlags(os, own);
  os << R"(
Every setting of the tool (gpu-cost-opt --help) takes lists and ranges:
  --target=a100,h100,l40s      a list
  --batch=1..8                 whole numbers
  --seq=128..4096x2            128, 256, ... 4096
  --clock=600..1410:15         600, 615, ... 1410
  --clock=default,900          the board's own clock, and 900 MHz
  --bind=batch:1 --bind=batch:8,seq:64
                               bind, trip, trainable, recompute, set and price
                               hold commas themselves: repeat them
)";
}

unsigned gpucost::jobsOf(const CommandFlags &flags) {
  return static_cast<unsigned>(flags.count(
      "jobs", llvm::heavyweight_hardware_concurrency().compute_thread_count()));
}
