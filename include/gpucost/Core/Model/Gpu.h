//===- Gpu.h - Physical facts of a GPU --------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts of one board from a datasheet or a device query, not fitted numbers.
// Gpu.def defines the fields. Section "Device" of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_GPU_H
#define GPUCOST_CORE_MODEL_GPU_H

#include "gpucost/Core/Support/Record.h"
#include "gpucost/Core/Vocabulary/Enums.h"
#include <optional>
#include <string>
#include <vector>

namespace gpucost {

struct FormatRate;
using FormatRates = std::vector<FormatRate>;
using Texts = std::vector<std::string>;

#define GPUCOST_RECORDS "gpucost/Core/Model/Gpu.def"
#include "gpucost/Core/Support/DefineRecords.inc"

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_GPU_H
