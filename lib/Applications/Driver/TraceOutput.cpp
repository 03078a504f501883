//===- TraceOutput.cpp - The file of --trace ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceOutput.h"
#include "gpucost/Compiler/Support/OutputFile.h"
#include "gpucost/Core/Trace/TraceFile.h"

using namespace gpucost;

llvm::Error gpucost::writeTraceFile(llvm::StringRef path,
                                    const PlacedModel &placed,
                                    llvm::StringRef model, bool collapseLoops) {
  const Settings &run = placed.prepared().settings;
  IterationTotals totals = placed.solve(run);
  if (totals.pipeline)
    return writeFile(path, [&](llvm::raw_ostream &os) {
      writePipelineTrace(placed, totals, model, [&](std::string_view text) {
        os << llvm::StringRef(text);
      });
      return llvm::Error::success();
    });
  TimelineOptions options;
  options.collapseLoops = collapseLoops;
  Expected<Timeline> timeline = buildTimeline(placed, totals, run, options);
  if (!timeline)
    return llvm::createStringError("--trace: " + timeline.error().message);
  return writeFile(path, [&](llvm::raw_ostream &os) {
    writeTrace(placed, totals, *timeline, model,
               [&](std::string_view text) { os << llvm::StringRef(text); });
    return llvm::Error::success();
  });
}
