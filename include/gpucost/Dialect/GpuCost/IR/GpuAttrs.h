//===- GpuAttrs.h - Boards and targets as attributes ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `#gpucost.gpu<...>`, `#gpucost.target<...>`: the records of Model/Gpu.def.
// Who looks inside includes Model/Gpu.h.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUATTRS_H
#define GPUCOST_DIALECT_GPUCOST_IR_GPUATTRS_H

#include "gpucost/Dialect/GpuCost/IR/RecordAttr.h"

#define RECORD(Struct, mnemonic, doc) GPUCOST_RECORD_ATTR(Struct, mnemonic)
#define FIELD(Type, member, keyword, range, note, doc)
#define OPTIONAL_FIELD(Type, member, keyword, initial, range, note, doc)
#define RECORD_METHODS(...)
#define END_RECORD(Struct)
#include "gpucost/Model/Gpu.def"
#undef RECORD
#undef FIELD
#undef OPTIONAL_FIELD
#undef RECORD_METHODS
#undef END_RECORD

namespace gpucost {
/// Datasheet facts of one board.
using GpuAttr = RecordAttr<Gpu>;
/// A GPU and the format its matrix kernels compute in.
using TargetAttr = RecordAttr<Target>;
} // namespace gpucost

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUATTRS_H
