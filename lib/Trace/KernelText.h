//===- KernelText.h - What events of a kernel have in common ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text that is the same for all launches of a kernel, made once.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_TRACE_KERNELTEXT_H
#define GPUCOST_LIB_TRACE_KERNELTEXT_H

#include "gpucost/Trace/Timeline.h"
#include <string>
#include <vector>

namespace gpucost {

/// `text` in quotes, as JSON.
std::string jsonText(std::string_view text);

/// Of a kind of launch.
struct KindText {
  std::string name;      ///< of the kernel, as JSON
  std::string op;        ///< of the op, as JSON
  std::string arguments; ///< of the kernel: members with a comma behind each
};

/// Of a problem.
struct WorkText {
  std::string arguments; ///< likewise
  std::string watts;     ///< of the board while it runs
  std::string dramRate;  ///< GB/s
};

std::vector<KindText> describeKinds(const PlacedModel &placed);
std::vector<WorkText> describeWorks(const PlacedModel &placed,
                                    const IterationTotals &totals);

} // namespace gpucost

#endif // GPUCOST_LIB_TRACE_KERNELTEXT_H
