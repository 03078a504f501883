//===- Annotations.cpp - Verifier of discardable attributes ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/CoefficientAttrs.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostCostAttr.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostScenarioAttr.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace gpucost;

// Kinds of values: a predicate on attributes and a name for diagnostics.
namespace {
struct Flag {
  static constexpr llvm::StringLiteral words = "a unit attribute";
  static bool holds(Attribute attr) { return isa<UnitAttr>(attr); }
};
struct Count {
  static constexpr llvm::StringLiteral words = "a 64-bit integer of at least 0";
  static bool holds(Attribute attr) {
    auto integer = dyn_cast<IntegerAttr>(attr);
    return integer && integer.getType().isInteger(64) && integer.getInt() >= 0;
  }
};
struct Text {
  static constexpr llvm::StringLiteral words = "a string";
  static bool holds(Attribute attr) { return isa<StringAttr>(attr); }
};
struct Integers {
  static constexpr llvm::StringLiteral words = "array<i64: ...>";
  static bool holds(Attribute attr) { return isa<DenseI64ArrayAttr>(attr); }
};
struct Numbers {
  static constexpr llvm::StringLiteral words = "array<f64: ...>";
  static bool holds(Attribute attr) { return isa<DenseF64ArrayAttr>(attr); }
};
struct ElementType {
  static constexpr llvm::StringLiteral words = "a floating-point type";
  static bool holds(Attribute attr) {
    auto type = dyn_cast<TypeAttr>(attr);
    return type && isa<FloatType>(type.getValue());
  }
};
struct TextList {
  static constexpr llvm::StringLiteral words = "a list of strings";
  static bool holds(Attribute attr) {
    auto list = dyn_cast<ArrayAttr>(attr);
    return list && llvm::all_of(list, Text::holds);
  }
};
struct TextPairs {
  static constexpr llvm::StringLiteral words = "a list of pairs of strings";
  static bool holds(Attribute attr) {
    auto list = dyn_cast<ArrayAttr>(attr);
    return list && llvm::all_of(list, [](Attribute pair) {
             return TextList::holds(pair) && cast<ArrayAttr>(pair).size() == 2;
           });
  }
};
template <typename Kind> static bool holdsEach(Attribute attr) {
  auto entries = dyn_cast<DictionaryAttr>(attr);
  return entries && llvm::all_of(entries, [](NamedAttribute entry) {
           return Kind::holds(entry.getValue());
         });
}
struct Counts {
  static constexpr llvm::StringLiteral words = "64-bit integers by name";
  static bool holds(Attribute attr) { return holdsEach<Count>(attr); }
};
struct Types {
  static constexpr llvm::StringLiteral words = "types by name";
  struct One {
    static bool holds(Attribute attr) { return isa<TypeAttr>(attr); }
  };
  static bool holds(Attribute attr) { return holdsEach<One>(attr); }
};
template <typename Attr> struct Record {
  static constexpr llvm::StringLiteral words = Attr::name;
  static bool holds(Attribute attr) { return isa<Attr>(attr); }
};

/// A record or the name of an embedded one.
template <typename Attr> struct RecordOrName {
  static constexpr llvm::StringLiteral words = Attr::name;
  static bool holds(Attribute attr) { return isa<Attr, StringAttr>(attr); }
};

enum class Holder { Module, Function, Operation };

struct Annotation {
  llvm::StringLiteral name;
  bool (*holds)(Attribute attr);
  llvm::StringLiteral words;
  Holder holder;
};
} // namespace

static constexpr Annotation annotations[] = {
#define GPUCOST_ANNOTATION(name, spelling, value, holder, description)         \
  {spelling, value::holds, value::words, Holder::holder},
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.def"
};

static bool canHold(Operation *op, Holder holder) {
  switch (holder) {
  case Holder::Module:
    return isa<ModuleOp>(op);
  case Holder::Function:
    return isa<FunctionOpInterface>(op);
  case Holder::Operation:
    return true;
  }
  llvm_unreachable("all cases are covered");
}

LogicalResult
GpuCostDialect::verifyOperationAttribute(Operation *op,
                                         NamedAttribute attribute) {
  StringRef name = attribute.getName();
  const Annotation *known = llvm::find_if(
      annotations, [&](const Annotation &row) { return row.name == name; });
  if (known == std::end(annotations)) {
    const Annotation *nearest = &*llvm::min_element(
        annotations, [&](const Annotation &a, const Annotation &b) {
          return a.name.edit_distance(name) < b.name.edit_distance(name);
        });
    InFlightDiagnostic error = op->emitError("unknown attribute '")
                               << name << '\'';
    if (nearest->name.edit_distance(name) <= 3)
      error << "; did you mean '" << nearest->name << "'";
    return error;
  }
  if (!canHold(op, known->holder))
    return op->emitError("attribute '")
           << name << "' belongs to a "
           << (known->holder == Holder::Module ? "module" : "function");
  if (known->holds(attribute.getValue()))
    return success();
  bool isRecord = StringRef(known->words).starts_with("gpucost.");
  return op->emitError("attribute '")
         << name << "' expects " << (isRecord ? "a #" : "") << known->words
         << ", but got " << attribute.getValue();
}

LogicalResult
GpuCostDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned,
                                         NamedAttribute attribute) {
  return op->emitError("attribute '")
         << attribute.getName().strref() << "' does not belong to an argument";
}

LogicalResult
GpuCostDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                            NamedAttribute attribute) {
  return op->emitError("attribute '")
         << attribute.getName().strref() << "' does not belong to a result";
}
