//===- Links.h - Links between GPUs by name ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_ARCHIVE_LINKS_H
#define GPUCOST_ARCHIVE_LINKS_H

#include "gpucost/Model/Coefficients.h"
#include "gpucost/Support/Expected.h"
#include <functional>

namespace gpucost {

/// The set of coefficients of a name.
using FindSet = std::function<Expected<Coefficients>(std::string_view name)>;

/// Replaces the links inside a node by those of `interconnect`: a name of
/// Archive/Interconnects.def, or `NAME:GB/s:us` with the bandwidth of long
/// messages on the bus of nccl-tests and the latency of one step.
Expected<Coefficients> withInterconnect(Coefficients coefficients,
                                        std::string_view interconnect,
                                        const FindSet &findSet);
/// States the network between nodes: "GB/s:us".
Expected<Coefficients> withNetwork(Coefficients coefficients,
                                   std::string_view network);

} // namespace gpucost

#endif // GPUCOST_ARCHIVE_LINKS_H
