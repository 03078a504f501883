//===- Links.h - Links between GPUs by name ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TARGETS_LINKS_H
#define GPUCOST_CORE_TARGETS_LINKS_H

#include "gpucost/Core/Model/Coefficients.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "gpucost/Core/Support/Expected.h"
#include "gpucost/Core/Targets/DataText.h"

namespace gpucost {

/// Replaces the links inside a node by those of `interconnect`: a name in
/// Interconnects.def, or `NAME:GB/s:us` with the bus bandwidth (as in
/// nccl-tests) for long messages and the latency per step (N1).
Expected<Coefficients> withInterconnect(Coefficients coefficients,
                                        std::string_view interconnect);
/// A network (N6): the name of a compiled-in one, FILE.mlir, or "GB/s:us".
Expected<DataFile> readNetwork(std::string_view text);
/// What the network of `data` lacks; "": nothing.
std::string faultOfNetwork(const DataFile &data);
/// Sets the network between nodes, and the links of nodes with more GPUs than
/// those of `coefficients` were measured with.
Expected<Coefficients> withNetwork(Coefficients coefficients,
                                   std::string_view network);
/// Applies both settings if they are stated.
Expected<Coefficients> withLinks(Coefficients coefficients,
                                 const Scenario &scenario);

} // namespace gpucost

#endif // GPUCOST_CORE_TARGETS_LINKS_H
