//===- Gpu.h - Physical facts of a GPU --------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a datasheet or a device query says about one board: no fitted number.
// The fields stand in Gpu.def. Section "Device" of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_MODEL_GPU_H
#define GPUCOST_MODEL_GPU_H

#include "gpucost/Support/Record.h"
#include "gpucost/Vocabulary/Enums.h"
#include <optional>
#include <string>
#include <vector>

namespace gpucost {

struct FormatRate;
using FormatRates = std::vector<FormatRate>;
using Texts = std::vector<std::string>;

#define GPUCOST_RECORDS "gpucost/Model/Gpu.def"
#include "gpucost/Support/DefineRecords.inc"

} // namespace gpucost

#endif // GPUCOST_MODEL_GPU_H
