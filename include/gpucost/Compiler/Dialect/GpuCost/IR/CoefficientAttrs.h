//===- CoefficientAttrs.h - Groups of coefficients as attributes -*- C++ -*-==//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `#gpucost.tensor_gemm<...>` and the other attributes that a coefficients file
// contains: the records of Model/Coefficients.def.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_IR_COEFFICIENTATTRS_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_IR_COEFFICIENTATTRS_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/RecordAttr.h"

#include "gpucost/Core/Support/RecordsOnly.inc"
#define RECORD(Struct, mnemonic, doc) GPUCOST_RECORD_ATTR(Struct, mnemonic)
#define GROUP(Struct, mnemonic, doc) GPUCOST_RECORD_ATTR(Struct, mnemonic)
#define SET(Struct, member, keyword, use)
#include "gpucost/Core/Model/Coefficients.def"
GPUCOST_RECORD_ATTR(InstructionTable, "instruction_table")
#include "gpucost/Core/Support/EndRecords.inc"
#undef GROUP
#undef SET

namespace gpucost {
/// Every fitted number that one target needs.
using CoefficientsAttr = RecordAttr<Coefficients>;
} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_IR_COEFFICIENTATTRS_H
