//===- RecordAttr.h - Plain structs as attributes ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An attribute whose storage is a record of the cost model (Support/Record.h):
// `kernel.getWorkAttr()->count.bytesRead`. Its assembly format, checks and
// uniquing are derived from the fields of the record. The records are only
// declared here, so that a change of the model does not recompile every pass;
// code that accesses their fields includes the record's header
// (Model/KernelWork.h, Model/CostModel.h, Model/Gpu.h).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_IR_RECORDATTR_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_IR_RECORDATTR_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpucost {

namespace detail {
template <typename Record> struct RecordStorage;
/// "gpucost.work".
template <typename Record> struct RecordAttrName;
} // namespace detail

template <typename Record>
class RecordAttr
    : public mlir::Attribute::AttrBase<RecordAttr<Record>, mlir::Attribute,
                                       detail::RecordStorage<Record>> {
  using Parent = mlir::Attribute::AttrBase<RecordAttr<Record>, mlir::Attribute,
                                           detail::RecordStorage<Record>>;

public:
  using Parent::Parent;
  static constexpr llvm::StringLiteral name =
      detail::RecordAttrName<Record>::value;

  /// `value` must be a valid record.
  static RecordAttr get(mlir::MLIRContext *context, const Record &value);
  /// Null, and an error, when `value` is not valid.
  static RecordAttr
  getChecked(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
             mlir::MLIRContext *context, const Record &value);

  const Record &getValue() const;
  const Record *operator->() const { return &getValue(); }
};

} // namespace gpucost

/// Declares a record's attribute `#gpucost.mnemonic<...>`, at global scope.
#define GPUCOST_RECORD_ATTR(Record, mnemonic)                                  \
  namespace gpucost {                                                          \
  struct Record;                                                               \
  template <> struct detail::RecordAttrName<Record> {                          \
    static constexpr llvm::StringLiteral value = "gpucost." mnemonic;          \
  };                                                                           \
  }                                                                            \
  MLIR_DECLARE_EXPLICIT_TYPE_ID(::gpucost::RecordAttr<::gpucost::Record>)

#include "gpucost/Core/Support/RecordsOnly.inc"
#define RECORD(Struct, mnemonic, doc) GPUCOST_RECORD_ATTR(Struct, mnemonic)
#include "gpucost/Core/Model/Kernel.def"
#include "gpucost/Core/Model/Schedule.def"
RECORD(KernelWork, "work", "")
RECORD(Tiling, "tiling", "")
#include "gpucost/Core/Support/EndRecords.inc"

namespace gpucost {
/// Work of one launch. FLOP = 2 per multiply-add.
using WorkAttr = RecordAttr<KernelWork>;
/// Kernel configuration; a memory-bound kernel has no tile.
using TilingAttr = RecordAttr<Tiling>;
/// Decisions that a compiler has made about a kernel (Model/Schedule.h).
using ScheduleAttr = RecordAttr<Schedule>;
/// Predicted time of one launch and its parts.
using TimeAttr = RecordAttr<TimeParts>;
/// Predicted average board power and energy of one launch.
using PowerAttr = RecordAttr<KernelPower>;
} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_IR_RECORDATTR_H
