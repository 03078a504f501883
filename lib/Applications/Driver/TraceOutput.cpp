//===- TraceOutput.cpp - The file of --trace ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TraceOutput.h"
#include "gpucost/Core/Trace/TraceFile.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace gpucost;

llvm::Error gpucost::writeTraceFile(llvm::StringRef path,
                                    const PlacedModel &placed,
                                    llvm::StringRef model, bool collapseLoops) {
  const Settings &run = placed.prepared().settings;
  IterationTotals totals = placed.solve(run);
  TimelineOptions options;
  options.collapseLoops = collapseLoops;
  Expected<Timeline> timeline = buildTimeline(placed, totals, run, options);
  if (!timeline)
    return llvm::createStringError("--trace: " + timeline.error().message);
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file =
      mlir::openOutputFile(path, &message);
  if (!file)
    return llvm::createStringError(message);
  writeTrace(placed, totals, *timeline, model, [&](std::string_view text) {
    file->os() << llvm::StringRef(text);
  });
  file->os().flush();
  // An unhandled error on the stream would end the program.
  if (std::error_code error = file->os().error()) {
    file->os().clear_error();
    return llvm::createStringError("cannot write '" + path +
                                   "': " + error.message());
  }
  file->keep();
  return llvm::Error::success();
}
