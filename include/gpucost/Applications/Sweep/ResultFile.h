//===- ResultFile.h - Results that survive their process --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Complete lines are appended, each batch with one system call: a killed
// process leaves a file of finished points, with at most one partial line at
// its end. The next run of the same sweep drops that part and continues.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SWEEP_RESULTFILE_H
#define GPUCOST_APPLICATIONS_SWEEP_RESULTFILE_H

#include "gpucost/Applications/Sweep/PointText.h"
#include "gpucost/Applications/Sweep/Sweep.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace gpucost::sweep {

class ResultFile {
public:
  struct Identity {
    std::string sweep, version;
    int64_t points = 0;
  };
  /// Opens `path` ("-": standard output) for the sweep `identity`; existing
  /// lines of this sweep count as done. `restart` drops the existing contents.
  /// Fails if the file belongs to another sweep or version of the tool, or is
  /// not such a file or was changed, or if another process writes to it.
  static llvm::Expected<std::unique_ptr<ResultFile>>
  open(const std::string &path, const PointText &text, const Identity &identity,
       bool restart);
  ~ResultFile();

  bool isDone(int64_t point) const {
    return !done.empty() && done[static_cast<size_t>(point)];
  }
  int64_t doneBefore() const { return count; }

  /// Appends whole lines. After an error nothing more is written.
  llvm::Error append(llvm::StringRef lines);

private:
  ResultFile() = default;
  llvm::Error readDone(const PointText &points, const Identity &identity);

  std::string path;
  int descriptor = -1;
  std::vector<bool> done;
  int64_t count = 0;
};

/// Evaluates the points of the part that `file` lacks (without a file, all of
/// them) and appends their lines. Afterwards `deliver` gets each batch, with
/// its lines; it runs in one thread at a time and ends the sweep by returning
/// false.
llvm::Error runSweep(const Evaluator &evaluator, const SweepOptions &options,
                     const PointText &text, ResultFile *file,
                     const std::function<bool(const PointBatch &)> &deliver);

/// Identifies a sweep by its space and the contents of its models and target
/// files.
llvm::Expected<std::string> nameSweep(const Space &space);

} // namespace gpucost::sweep

#endif // GPUCOST_APPLICATIONS_SWEEP_RESULTFILE_H
