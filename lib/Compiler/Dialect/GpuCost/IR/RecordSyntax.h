//===- RecordSyntax.h - Assembly format of records --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Storage, syntax and registration of RecordAttr. The syntax is defined by
// Support/RecordText.h and uses the tokens of MLIR's parser, so a nested record
// may be an alias. One .cpp file instantiates this for a group of records.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_IR_RECORDSYNTAX_H
#define GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_IR_RECORDSYNTAX_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Core/Model/Validation.h"
#include "gpucost/Core/Support/RecordText.h"
#include "mlir/IR/AttributeSupport.h"
#include "mlir/IR/DialectImplementation.h"

namespace gpucost {

namespace detail {
template <typename Record> struct RecordStorage : mlir::AttributeStorage {
  using KeyTy = Record;
  explicit RecordStorage(const Record &value) : value(value) {}
  bool operator==(const Record &other) const { return value == other; }
  static llvm::hash_code hashKey(const Record &value) {
    return hashField(value);
  }
  static RecordStorage *construct(mlir::AttributeStorageAllocator &allocator,
                                  const Record &value) {
    return new (allocator.allocate<RecordStorage>()) RecordStorage(value);
  }
  Record value;
};
} // namespace detail

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Checks a record that a user has written.
template <typename Record> std::string findFaultInText(const Record &record) {
  return recordType<Record>().findFault(&record);
}

template <typename Record>
RecordAttr<Record> RecordAttr<Record>::get(mlir::MLIRContext *context,
                                           const Record &value) {
  assert(findFault(value).empty() && "not a valid record");
  return Parent::get(context, value);
}

template <typename Record>
RecordAttr<Record> RecordAttr<Record>::getChecked(
    llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
    mlir::MLIRContext *context, const Record &value) {
  if (std::string fault = findFaultInText(value); !fault.empty()) {
    emitError() << fault;
    return {};
  }
  return Parent::get(context, value);
}

template <typename Record> const Record &RecordAttr<Record>::getValue() const {
  return this->getImpl()->value;
}

/// Functions that create and access attributes with one kind of record.
struct RecordAttrSyntax {
  const RecordType &(*type)();
  mlir::Attribute (*get)(mlir::MLIRContext *context, const void *record);
  const void *(*value)(mlir::Attribute attr);
};

template <typename Record> constexpr RecordAttrSyntax recordAttrSyntax() {
  return {recordType<Record>,
          [](mlir::MLIRContext *context, const void *record) {
            return mlir::Attribute(RecordAttr<Record>::get(
                context, *static_cast<const Record *>(record)));
          },
          [](mlir::Attribute attr) -> const void * {
            return &llvm::cast<RecordAttr<Record>>(attr).getValue();
          }};
}

/// Parses `#gpucost.mnemonic<...>`; `loc` is the location of the mnemonic.
mlir::Attribute parseRecordAttribute(mlir::AsmParser &parser, llvm::SMLoc loc,
                                     llvm::StringRef mnemonic);
/// Returns false if `attr` is not a record.
bool printRecordAttribute(mlir::Attribute attr, mlir::AsmPrinter &printer);

// The records defined in each file.
llvm::ArrayRef<RecordAttrSyntax> kernelRecords();
llvm::ArrayRef<RecordAttrSyntax> gpuRecords();
llvm::ArrayRef<RecordAttrSyntax> coefficientRecords();

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_IR_RECORDSYNTAX_H
