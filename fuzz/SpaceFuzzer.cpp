//===- SpaceFuzzer.cpp - Spaces, goals and facts as a user writes them ----===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole inputs as files of spaces; their lines as settings (flag=values),
// bounds, prices and changed facts. Values that a list or range gives must be
// values again.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/Goal.h"
#include "gpucost/Applications/Sweep/PointText.h"
#include "gpucost/Applications/Sweep/Space.h"
#include "gpucost/Core/Model/GpuFacts.h"
#include "gpucost/Core/Support/Prices.h"
#include <cstdlib>

using namespace gpucost;
using namespace gpucost::sweep;

static void check(bool holds) {
  if (!holds)
    std::abort();
}

static void readValues(llvm::StringRef flag, llvm::StringRef text) {
  llvm::Expected<std::vector<std::string>> values =
      expandValues(flag, {text.str()});
  if (!values) {
    llvm::consumeError(values.takeError());
    return;
  }
  check(!values->empty());
  // Each by itself: some hold commas.
  std::vector<std::string> few(*values);
  few.resize(std::min<size_t>(few.size(), 50));
  for (const std::string &value : few) {
    llvm::Expected<std::vector<std::string>> again =
        expandValues(flag, {value});
    // A value may contain separators.
    if (again)
      check(!again->empty());
    else
      llvm::consumeError(again.takeError());
  }
}

static void readSpace(const SpaceText &text) {
  llvm::Expected<Space> space = Space::create(text.models, text.settings);
  if (!space) {
    llvm::consumeError(space.takeError());
    return;
  }
  check(!space->describe().empty());
  if (space->size() == 0)
    return;
  PointResult result;
  result.point = space->size() - 1;
  for (PointFormat format : {PointFormat::JsonLines, PointFormat::Csv}) {
    PointText writer(*space, format, "0", "1");
    std::string line;
    writer.append(line, result);
    auto start = PointText::readStart(line, format);
    check(start && start->point == result.point);
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  if (llvm::Expected<SpaceText> space = readSpaceFile(text))
    readSpace(*space);
  else
    llvm::consumeError(space.takeError());
  Gpu gpu;
  gpu.smCount = 4;
  gpu.maxClock = gpu.boostClock = Hertz(1e9);
  gpu.formats.push_back({NumericFormat::FP32, 128, FlopsPerSecond(1), {}});
  for (int lines = 0; lines < 8 && !text.empty(); ++lines) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    auto [flag, value] = line.split('=');
    readValues(flag, value);
    (void)PointText::readStart(line, PointFormat::JsonLines);
    (void)PointText::readStart(line, PointFormat::Csv);
    std::string_view view(line.data(), line.size());
    (void)parsePrices(view);
    (void)changeFacts(gpu, view);
    if (llvm::Expected<Goal> goal = parseGoal("energy", line); !goal)
      llvm::consumeError(goal.takeError());
  }
  return 0;
}
