//===- IterationDetails.h - Why, when and where of an iteration -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a report says only when somebody asks (--details, --report=html): the
// terms of each kernel's time and energy, the roofs of the GPU, the sources of
// the coefficients, and the launches in program order with the memory in use.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_REPORT_ITERATIONDETAILS_H
#define GPUCOST_REPORT_ITERATIONDETAILS_H

#include "gpucost/Support/Quantity.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gpucost {

/// One launch of a kernel. Its time by (W1), at the clock of the iteration, is
///   ||compute, l2, issue, rows, dram, powerRoof||_norm
///     + exposed + serial + fixed.
struct KernelDetails {
  double dramBytes = 0; ///< after L2
  double l2Bytes = 0;   ///< L2 to SM; 0 where the model does not count them
  Seconds compute, l2, issue, rows, dram, powerRoof;
  double norm = 4;
  Seconds exposed; ///< of operand feed and of the smaller of SMs and DRAM
  Seconds serial;  ///< before or after the main loop
  Seconds fixed;   ///< launch, drain, split-K
  /// Idle power x time, and the dynamic energies of (P5). The power that
  /// kernels above the limit spread over others (P8) is not in them.
  Joules idle, tensor, fp32, instructions, smCycles, l2Access, dramAccess;
  /// Indices into IterationDetails::coefficients.
  std::vector<uint32_t> coefficients;
};

/// A group of coefficients that some kernel uses.
struct CoefficientSource {
  std::string name;            ///< "tensor_gemm"
  std::string meaning;         ///< what it describes, and its equations
  std::string provenance;      ///< where its numbers come from
  std::string transferredFrom; ///< die they were measured on, "" for this one
};

/// A launch site, in program order. A loop is one site for each launch of its
/// body, with the number of its trips in `count`.
struct LaunchSite {
  uint32_t kernel = 0; ///< index into IterationReport::kernels
  uint32_t node = 0;   ///< index into IterationDetails::nodes
  int64_t count = 1;
  /// Tensors that come and go, in use while it runs, bytes; -1: not known.
  int64_t liveBytes = -1;
};

struct IterationDetails {
  /// Static and leakage power at the clock of the iteration.
  Watts idlePower;
  int64_t smCount = 0;
  /// Dense peaks of the formats that kernels use, at the clock of the
  /// iteration.
  std::vector<std::pair<std::string, FlopsPerSecond>> peaks;
  /// What L2 delivers to all SMs, by the group that states it.
  std::vector<std::pair<std::string, BytesPerSecond>> l2Bandwidths;
  std::vector<CoefficientSource> coefficients;
  std::vector<KernelDetails> kernels; ///< one for each of the report's
  /// Names of the file, "" without one, and of a weight that each reads.
  std::vector<std::string> nodes, nodeWeights;
  std::vector<LaunchSite> launches;
};

} // namespace gpucost

#endif // GPUCOST_REPORT_ITERATIONDETAILS_H
