//===- ResultFile.h - Results that survive their process --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines are appended whole, each batch with one call of the system: what a
// killed process leaves is a file of finished points, with a part of a line at
// its end at most. The next run of the same sweep drops that part and goes on.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_SWEEP_RESULTFILE_H
#define GPUCOST_SWEEP_RESULTFILE_H

#include "gpucost/Sweep/PointText.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace gpucost {

class ResultFile {
public:
  struct Identity {
    std::string sweep, version;
    int64_t points = 0;
  };
  /// Opens `path` ("-": standard output) for the sweep of `identity`; lines of
  /// the same sweep that stand there are done. `restart` drops what stands
  /// there. An error when the file is of another sweep, another version of the
  /// tool or no such file at all, and when another process writes to it.
  static llvm::Expected<std::unique_ptr<ResultFile>>
  open(const std::string &path, PointFormat format, const Identity &identity,
       const std::string &header, bool restart);
  ~ResultFile();

  bool isDone(int64_t point) const {
    return !done.empty() && done[static_cast<size_t>(point)];
  }
  int64_t doneBefore() const { return count; }

  /// Appends whole lines. After an error nothing more is written.
  llvm::Error append(llvm::StringRef lines);

private:
  ResultFile() = default;
  llvm::Error readDone(PointFormat format, const Identity &identity,
                       const std::string &header);

  std::string path;
  int descriptor = -1;
  std::vector<bool> done;
  int64_t count = 0;
};

/// Names a sweep: its space, and what its models and target files hold.
llvm::Expected<std::string> nameSweep(const Space &space);

} // namespace gpucost

#endif // GPUCOST_SWEEP_RESULTFILE_H
