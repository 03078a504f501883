//===- ExpertExchange.h - Exchanges between GPUs of experts -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Serving stacks exchange the rows of experts with kernels that write to the
// other GPUs (DeepEP), equations (N13) to (N15) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_EXPERTEXCHANGE_H
#define GPUCOST_CORE_MODEL_EXPERTEXCHANGE_H

#include "gpucost/Core/Model/CostModel.h"
#include <string>

namespace gpucost {

/// (N15) The kernels that exchange the rows of `tokens` tokens of a GPU; null
/// if no stack was measured on tensor cores and links as the model's.
const ExchangeStack *findExchange(const CostModel &model, int64_t tokens);

/// Whether `work` is an exchange of a serving stack.
bool isExpertExchange(const KernelWork &work);

/// Whose exchanges are assumed; "" for PyTorch.
std::string describeExchange(const CostModel &model);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_EXPERTEXCHANGE_H
