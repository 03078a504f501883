//===- GpuAttrs.h - Boards and targets as attributes ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `#gpucost.gpu<...>`, `#gpucost.target<...>`: the records of Model/Gpu.def.
// Code that accesses their fields includes Model/Gpu.h.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUATTRS_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUATTRS_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/RecordAttr.h"

#include "gpucost/Core/Support/RecordsOnly.inc"
#define RECORD(Struct, mnemonic, doc) GPUCOST_RECORD_ATTR(Struct, mnemonic)
#include "gpucost/Core/Model/Gpu.def"
#include "gpucost/Core/Support/EndRecords.inc"

namespace gpucost {
/// Datasheet facts of one board.
using GpuAttr = RecordAttr<Gpu>;
/// A GPU and the format that its matrix kernels compute in.
using TargetAttr = RecordAttr<Target>;
} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUATTRS_H
