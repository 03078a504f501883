//===- CoefficientAttrs.h - Groups of coefficients as attributes -*- C++ -*-==//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `#gpucost.tensor_gemm<...>` and the others that a coefficients file names one
// by one: the records of Model/Coefficients.def.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_COEFFICIENTATTRS_H
#define GPUCOST_DIALECT_GPUCOST_IR_COEFFICIENTATTRS_H

#include "gpucost/Dialect/GpuCost/IR/RecordAttr.h"

#define RECORD(Struct, mnemonic, doc) GPUCOST_RECORD_ATTR(Struct, mnemonic)
#define GROUP(Struct, mnemonic, doc) GPUCOST_RECORD_ATTR(Struct, mnemonic)
#define FIELD(Type, member, keyword, range, note, doc)
#define OPTIONAL_FIELD(Type, member, keyword, initial, range, note, doc)
#define SET(Struct, member, keyword, use, classes)
#define RECORD_METHODS(...)
#define END_RECORD(Struct)
#include "gpucost/Model/Coefficients.def"
GPUCOST_RECORD_ATTR(InstructionTable, "instruction_table")
#undef RECORD
#undef GROUP
#undef FIELD
#undef OPTIONAL_FIELD
#undef SET
#undef RECORD_METHODS
#undef END_RECORD

namespace gpucost {
/// Every fitted number that one target needs.
using CoefficientsAttr = RecordAttr<Coefficients>;
} // namespace gpucost

#endif // GPUCOST_DIALECT_GPUCOST_IR_COEFFICIENTATTRS_H
