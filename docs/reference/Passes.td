//===- Passes.td - Every pass, for the reference page -----*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "gpucost/Compiler/CostAnalysis/Passes.td"
include "gpucost/Compiler/Transforms/Passes.td"
