//===- GraphCosts.h - Costs on the graph of a file --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Output of --emit=onnx and --emit=model-explorer: a copy of the ONNX file with
// costs in its metadata, and node data for Google's Model Explorer.
// docs/Graphs.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_GRAPHCOSTS_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_GRAPHCOSTS_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// The value by which viewers colour a node.
enum class HeatValue { Time, Energy, Memory };

/// Writes the ONNX model `file` with the costs of `placed`, which was prepared
/// from it with origins, for the settings of `placed`.
llvm::Error writeAnnotatedOnnx(llvm::StringRef file, const PlacedModel &placed,
                               const IterationReport &report,
                               llvm::raw_ostream &os);

/// Writes one value per node of `file`, identified by the node's outputs.
llvm::Error writeNodeData(llvm::StringRef file, const PlacedModel &placed,
                          HeatValue value, llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_GRAPHCOSTS_H
