//===- InferenceContext.h - State of type inference -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state that one op's inference reads and writes: operand types, values of
// small tensors that shapes depend on, the opset, and the results. All shapes
// are concrete, because symbols are bound before inference starts; only
// dimensions that depend on data (NonZero) are dynamic.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_ONNX_INFERENCE_INFERENCECONTEXT_H
#define GPUCOST_COMPILER_DIALECT_ONNX_INFERENCE_INFERENCECONTEXT_H

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

namespace gpucost::onnx {

/// Contents of a small tensor, row-major. Integers (and bool) are exact in
/// `ints`; floating tensors use `floats`. Elements may be unknown: a vector
/// such as [batch, ?, 64] keeps its known elements.
struct SmallTensor {
  /// Folded tensors never exceed this many elements.
  static constexpr int64_t maxElements = 65536;

  SmallTensor() = default;
  /// A tensor of known zeros. `type` is static, of integer or float elements,
  /// with at most `maxElements` elements.
  explicit SmallTensor(mlir::RankedTensorType type);

  mlir::RankedTensorType type;
  bool isFloat = false;
  std::vector<int64_t> ints;
  std::vector<double> floats;
  /// Empty = all known; else one flag per element.
  std::vector<bool> known;

  int64_t size() const { return isFloat ? floats.size() : ints.size(); }
  bool isKnown(int64_t i) const { return known.empty() || known[i]; }
  bool allKnown() const;
  void setUnknown(int64_t i);
  /// Element `i` as a float, whatever the element type.
  double getDouble(int64_t i) const { return isFloat ? floats[i] : ints[i]; }
  /// Copies element `from` of `source`, including the state unknown.
  void copyElement(int64_t to, const SmallTensor &source, int64_t from);
};

/// The constant in an attribute; nullopt if it cannot be a SmallTensor.
std::optional<SmallTensor> getSmallTensor(mlir::Attribute attribute);
/// Dense elements with the contents of `tensor`, which must all be known.
mlir::Attribute getElementsAttr(const SmallTensor &tensor);

/// State that one forward pass over a function carries from op to op.
struct InferenceState {
  /// Total number of elements that all folded tensors of a function may have.
  static constexpr int64_t maxTotalElements = int64_t(1) << 24;

  /// Version of the default domain.
  int64_t opset = 20;
  /// Bound symbols, for diagnostics: "batch = 2, seq = 128".
  std::string bindings;
  /// Contradictions are warnings that leave results unknown, because the sizes
  /// are the user's choice. Only the first one is reported.
  bool keepsGoing = false;
  bool hasContradiction = false;
  /// Known values.
  llvm::DenseMap<mlir::Value, SmallTensor> values;
  int64_t elementsLeft = maxTotalElements;
};

/// Inference context of one op's `inferTypes`.
class InferenceContext {
public:
  InferenceContext(mlir::Operation *op, InferenceState &state)
      : op(op), state(state) {}

  mlir::Operation *getOperation() const { return op; }
  mlir::MLIRContext *getMLIRContext() const { return op->getContext(); }
  int64_t getOpset() const { return state.opset; }

  unsigned getNumInputs() const { return op->getNumOperands(); }
  unsigned getNumOutputs() const { return op->getNumResults(); }
  /// True when operand `i` exists and is not `onnx.None`.
  bool hasInput(unsigned i) const;
  /// Ranked type of operand `i`, in rare cases with dynamic dimensions; null
  /// when unknown or absent.
  mlir::RankedTensorType getInputType(unsigned i) const;
  /// Element type of operand `i`; null when unknown or absent.
  mlir::Type getInputElementType(unsigned i) const;
  /// Contents of operand `i`, possibly with unknown elements, or null.
  const SmallTensor *getInputValue(unsigned i) const;
  /// All elements of operand `i` as integers; nullopt unless all are known.
  std::optional<llvm::SmallVector<int64_t>> getInputInts(unsigned i) const;
  /// Elements of operand `i`, `ShapedType::kDynamic` where unknown; nullopt if
  /// their number is unknown.
  std::optional<llvm::SmallVector<int64_t>> getInputDims(unsigned i) const;
  /// Integers that newer opsets pass as operand `i` and older ones as attribute
  /// `name`; either form is accepted whatever the opset.
  std::optional<llvm::SmallVector<int64_t>>
  getInputOrAttrInts(unsigned i, llvm::StringRef name) const;

  // Attributes or their declared defaults, as in OnnxAttributes.h.
  bool hasAttr(llvm::StringRef name) const { return op->hasAttr(name); }
  int64_t getInt(llvm::StringRef name) const { return onnx::getInt(op, name); }
  std::optional<int64_t> findInt(llvm::StringRef name) const {
    return onnx::findInt(op, name);
  }
  double getFloat(llvm::StringRef name) const {
    return onnx::getFloat(op, name);
  }
  llvm::StringRef getString(llvm::StringRef name) const {
    return onnx::getString(op, name);
  }
  std::optional<llvm::SmallVector<int64_t>> getInts(llvm::StringRef name) const;

  /// Sets the type of result `i`, if it exists. Dimensions that cannot be
  /// inferred are dynamic. Sizes that overflow are an error.
  llvm::LogicalResult setType(unsigned i, llvm::ArrayRef<int64_t> shape,
                              mlir::Type elementType);
  /// Whether a type has been set.
  bool hasInferred() const { return inferred; }
  /// Type of result `i`; null when not (yet) known.
  mlir::RankedTensorType getOutputType(unsigned i) const;
  /// A zeroed tensor with the type of result `i`, if it can be folded.
  std::optional<SmallTensor> makeOutput(unsigned i) const;
  /// A result that is computed from `in`; nullopt if that is null.
  std::optional<SmallTensor> makeOutput(unsigned i,
                                        const SmallTensor *in) const {
    return in ? makeOutput(i) : std::nullopt;
  }
  /// Records the contents of result `i`, whose type is `value.type`.
  void setValue(unsigned i, SmallTensor value);

  /// Error at the op's location, with its name and a note on the bindings. With
  /// `keepsGoing` the first one is a warning, later ones are remarks.
  mlir::InFlightDiagnostic emitError();

private:
  mlir::Operation *op;
  InferenceState &state;
  bool inferred = false;
};

} // namespace gpucost::onnx

#endif // GPUCOST_COMPILER_DIALECT_ONNX_INFERENCE_INFERENCECONTEXT_H
