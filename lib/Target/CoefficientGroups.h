//===- CoefficientGroups.h - Groups of a coefficients attribute -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_TARGET_COEFFICIENTGROUPS_H
#define GPUCOST_LIB_TARGET_COEFFICIENTGROUPS_H

#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"

namespace gpucost {

/// Calls `visit(name, group)` for every group, absent ones included.
template <typename Visitor>
void forEachGroup(CoefficientsAttr a, Visitor visit) {
  visit("tensor_gemm", a.getTensorGemm());
  visit("tensor_power", a.getTensorPower());
  visit("simt_linear", a.getSimtLinear());
  visit("simt_batched", a.getSimtBatched());
  visit("simt_conv", a.getSimtConv());
  visit("attention_full", a.getAttentionFull());
  visit("attention_causal", a.getAttentionCausal());
  visit("decode", a.getDecode());
  visit("streaming", a.getStreaming());
  visit("instructions", a.getInstructions());
  visit("power", a.getPower());
  visit("runtime", a.getRuntime());
  visit("collectives", a.getCollectives());
  visit("error_bars", a.getErrorBars());
}

} // namespace gpucost

#endif // GPUCOST_LIB_TARGET_COEFFICIENTGROUPS_H
