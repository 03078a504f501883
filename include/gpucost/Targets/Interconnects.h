//===- Interconnects.h - Links between GPUs as stated -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TARGETS_INTERCONNECTS_H
#define GPUCOST_TARGETS_INTERCONNECTS_H

#include "gpucost/Dialect/GpuCost/IR/CoefficientAttrs.h"
#include "gpucost/Scenario/Scenario.h"
#include "llvm/Support/Error.h"

namespace gpucost {

/// `coefficients` with the collectives of an interconnect: a name of
/// Interconnects.def, or `NAME:GB/s:us` with the bandwidth of long messages on
/// the bus of a GPU (as nccl-tests state it) and the time of one step (N1).
llvm::Expected<CoefficientsAttr> setInterconnect(CoefficientsAttr coefficients,
                                                 llvm::StringRef interconnect);

/// `coefficients` with the network between nodes (N6): `GB/s:us`, the bandwidth
/// of a node in one direction and the latency of one hop.
llvm::Expected<CoefficientsAttr> setNetwork(CoefficientsAttr coefficients,
                                            llvm::StringRef network);

/// Both, where they are stated.
llvm::Expected<CoefficientsAttr> setLinks(CoefficientsAttr coefficients,
                                          const Scenario &scenario);

} // namespace gpucost

#endif // GPUCOST_TARGETS_INTERCONNECTS_H
