//===- KernelText.h - Text shared by a kernel's events ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text that all launches of a kernel share, created once.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_TRACE_KERNELTEXT_H
#define GPUCOST_LIB_CORE_TRACE_KERNELTEXT_H

#include "gpucost/Core/Trace/Timeline.h"
#include <string>
#include <vector>

namespace gpucost {

/// `text` as a quoted JSON string.
std::string jsonText(std::string_view text);

/// Text for a kind of launch.
struct KindText {
  std::string name;      ///< kernel name, as JSON
  std::string op;        ///< op name, as JSON
  std::string arguments; ///< kernel members, each followed by a comma
};

/// Text for a problem.
struct WorkText {
  std::string arguments; ///< likewise
  std::string watts;     ///< board power while it runs
  std::string dramRate;  ///< GB/s
};

std::vector<KindText> describeKinds(const PlacedModel &placed);
std::vector<WorkText> describeWorks(const PlacedModel &placed,
                                    const IterationTotals &totals);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_TRACE_KERNELTEXT_H
