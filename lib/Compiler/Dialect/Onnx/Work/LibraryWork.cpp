//===- LibraryWork.cpp - Work of kernels with dedicated formulas ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpShapes.h"
#include "WorkRules.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

/// `count` items with `flops` and `special` each, and the bytes of `s`.
static FailureOr<WorkAttr> itemsWork(const OpShapes &s, ElementCost element,
                                     int64_t count,
                                     std::optional<int64_t> flops,
                                     std::optional<int64_t> special = 0,
                                     bool strided = true) {
  return makeWork(s, KernelFamily::Elementwise, element,
                  ElementsProblem{count, strided}, 0, flops, special);
}

//===----------------------------------------------------------------------===//
// Signals and matrices
//===----------------------------------------------------------------------===//

namespace {
/// Size of Fourier transforms over complex data.
struct Transforms {
  int64_t length = 0; ///< points of one transform
  int64_t bins = 0;   ///< results of it that are kept
  int64_t results = 0;
  bool real = false;
};
} // namespace

/// `last` is the last dimension of the complex side: 1 or 2.
static FailureOr<WorkAttr> transformsWork(OpShapes &s, ElementCost element,
                                          const Transforms &t, int64_t last) {
  if (t.bins <= 0 || t.length < 0 || last <= 0)
    return failure();
  int64_t points = std::max<int64_t>(t.length, 1);
  int64_t transforms = t.results / last / t.bins;
  int64_t halves = t.real ? 5 : 10;
  std::optional<int64_t> flops = checkedProduct(
      {transforms, points, static_cast<int64_t>(llvm::Log2_64_Ceil(points)),
       halves});
  std::optional<int64_t> items = checkedProduct({transforms, points});
  if (!flops || !items)
    return failure();
  return itemsWork(s, element, *items, *flops / 2);
}

/// The op with its bytes; nullopt unless operand and result are known and have
/// the dimensions of a transform.
static std::optional<OpShapes> measureTransform(Operation *op,
                                                CostClass shape) {
  auto s = OpShapes::measure(op, shape);
  return s && s->input(0) && s->input(0).hasStaticShape() &&
                 elementCount(s->output()) && s->input(0).getRank() >= 2 &&
                 s->output().getRank() >= 1
             ? s
             : std::nullopt;
}

FailureOr<WorkAttr> gpucost::onnx::stftWork(Operation *op, CostClass shape,
                                            ElementCost element) {
  auto s = measureTransform(op, shape);
  if (!s || s->output().getRank() < 3)
    return failure();
  RankedTensorType in = s->input(0), out = s->output();
  Transforms t;
  t.bins = out.getDimSize(2);
  t.length = s->getInt("onesided") ? 2 * (t.bins - 1) : t.bins;
  t.real = in.getRank() < 3 || in.getShape().back() == 1;
  t.results = *elementCount(out);
  return transformsWork(*s, element, t, out.getShape().back());
}

/// `complex` is the complex side of a real transform.
static FailureOr<WorkAttr> realTransformWork(OpShapes &s, ElementCost element,
                                             RankedTensorType complex,
                                             int64_t last) {
  if (complex.getRank() < 2)
    return failure();
  Transforms t;
  t.bins = complex.getDimSize(complex.getRank() - 2);
  t.length = 2 * (t.bins - 1);
  t.real = true;
  t.results = *elementCount(complex);
  return transformsWork(s, element, t, last);
}

FailureOr<WorkAttr> gpucost::onnx::rfftWork(Operation *op, CostClass shape,
                                            ElementCost element) {
  auto s = measureTransform(op, shape);
  if (!s)
    return failure();
  return realTransformWork(*s, element, s->output(),
                           s->output().getShape().back());
}

FailureOr<WorkAttr> gpucost::onnx::irfftWork(Operation *op, CostClass shape,
                                             ElementCost element) {
  auto s = measureTransform(op, shape);
  if (!s)
    return failure();
  return realTransformWork(*s, element, s->input(0), 2);
}

FailureOr<WorkAttr> gpucost::onnx::dftWork(Operation *op, CostClass shape,
                                           ElementCost element) {
  auto s = measureTransform(op, shape);
  if (!s)
    return failure();
  RankedTensorType in = s->input(0), out = s->output();
  Transforms t;
  for (int64_t i = 0; i + 1 < in.getRank() && i < out.getRank(); ++i)
    if (in.getDimSize(i) != out.getDimSize(i))
      t.length = t.bins = out.getDimSize(i);
  int64_t axis =
      in.getRank() > 2 || op->hasAttr("axis") ? s->getInt("axis") : 0;
  axis += axis < 0 ? in.getRank() : 0;
  if (t.bins == 0 && axis >= 0 && axis < in.getRank() && axis < out.getRank())
    t.length = t.bins = out.getDimSize(axis);
  if (s->getInt("onesided") != 0 && s->getInt("inverse") == 0)
    t.length = 2 * (t.bins - 1);
  t.real = in.getShape().back() == 1;
  t.results = *elementCount(out);
  return transformsWork(*s, element, t, out.getShape().back());
}

/// [..., n, n]: each element takes part in n steps with `thirds` / 3 FLOP.
static FailureOr<WorkAttr> eliminationWork(Operation *op, CostClass shape,
                                           ElementCost element,
                                           int64_t thirds) {
  OpShapes s(op);
  std::optional<int64_t> in = elementCount(s.input(0));
  if (!in || s.input(0).getRank() < 2 || !s.countBytes(shape))
    return failure();
  std::optional<int64_t> flops =
      checkedProduct({*in, thirds, s.input(0).getShape().back()});
  return itemsWork(s, element, *in,
                   flops ? std::optional(*flops / 3) : std::nullopt);
}

/// LU factors: 2/3 n^3.
FailureOr<WorkAttr> gpucost::onnx::determinantWork(Operation *op,
                                                   CostClass shape,
                                                   ElementCost element) {
  return eliminationWork(op, shape, element, /*thirds=*/2);
}

/// 2 n^3.
FailureOr<WorkAttr> gpucost::onnx::inverseWork(Operation *op, CostClass shape,
                                               ElementCost element) {
  return eliminationWork(op, shape, element, /*thirds=*/6);
}

FailureOr<WorkAttr> gpucost::onnx::multinomialWork(Operation *op,
                                                   CostClass shape,
                                                   ElementCost element) {
  OpShapes s(op);
  std::optional<int64_t> in = elementCount(s.input(0));
  if (!in || !s.countBytes(shape))
    return failure();
  return itemsWork(s, element, *in, checkedProduct({*in, element.fp32Flops}),
                   checkedProduct({*in, element.specialOps}));
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

FailureOr<WorkAttr> gpucost::onnx::overlapWork(Operation *op, CostClass shape,
                                               ElementCost element) {
  OpShapes s(op);
  std::optional<int64_t> in = elementCount(s.input(0));
  if (!in || !s.countBytes(shape))
    return failure();
  return itemsWork(s, element, *in, checkedProduct({*in, element.fp32Flops}));
}

/// `taps` neighbours are weighted and summed for each result.
static FailureOr<WorkAttr> samplingWork(OpShapes &s, CostClass shape,
                                        ElementCost element,
                                        std::optional<int64_t> taps) {
  std::optional<int64_t> results = elementCount(s.output());
  if (!results || !taps || !s.countBytes(shape))
    return failure();
  return itemsWork(s, element, *results,
                   checkedProduct({*results, *taps, element.fp32Flops}));
}

FailureOr<WorkAttr> gpucost::onnx::gridSampleWork(Operation *op,
                                                  CostClass shape,
                                                  ElementCost element) {
  OpShapes s(op);
  if (!s.input(0))
    return failure();
  StringRef name = onnx::getString(op, "mode");
  int64_t along = name == "nearest" ? 1 : name.ends_with("cubic") ? 4 : 2;
  int64_t taps = 1;
  for (int64_t i = 2; i < s.input(0).getRank() && i < 8; ++i)
    taps *= along;
  return samplingWork(s, shape, element, taps);
}

FailureOr<WorkAttr> gpucost::onnx::roiAlignWork(Operation *op, CostClass shape,
                                                ElementCost element) {
  OpShapes s(op);
  int64_t ratio = s.getInt("sampling_ratio");
  ratio = ratio > 0 ? ratio : 2;
  return samplingWork(s, shape, element, checkedProduct({ratio, ratio}));
}

//===----------------------------------------------------------------------===//
// Tables, quantisation, updates
//===----------------------------------------------------------------------===//

/// Operands: ids, segment ids, three tables, scale, shift: one row of each
/// table for each result row.
FailureOr<WorkAttr> gpucost::onnx::embedNormWork(Operation *op, CostClass,
                                                 ElementCost element) {
  OpShapes s(op);
  std::optional<int64_t> results = elementCount(s.output());
  std::optional<int64_t> bytes = byteCount(s.output());
  if (!results || !bytes || s.output().getRank() != 3)
    return failure();
  int64_t cols = s.output().getShape().back();
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    RankedTensorType type = s.input(i);
    if (!type)
      continue;
    bool table = i >= 2 && i <= 4;
    if (!addBytes(s.bytesRead, table ? bytes : byteCount(type)))
      return failure();
  }
  for (OpResult result : op->getResults())
    if (!isa<::gpucost::onnx::NoneType>(result.getType()) &&
        (result.getResultNumber() == 0 || !result.use_empty()))
      if (!addBytes(s.bytesWritten, byteCount(result.getType())))
        return failure();
  return makeWork(s, KernelFamily::Normalization, element,
                  RowsProblem{cols ? *results / cols : 0, cols}, 0,
                  checkedProduct({*results, element.fp32Flops}), 0);
}

/// Rows of a quantised table, with a scale for each block of `block_size`.
FailureOr<WorkAttr> gpucost::onnx::blockGatherWork(Operation *op, CostClass,
                                                   ElementCost element) {
  OpShapes s(op);
  std::optional<int64_t> results = elementCount(s.output());
  std::optional<int64_t> table = byteCount(s.input(0));
  std::optional<int64_t> scales = byteCount(s.input(2));
  if (!results || !table || !scales || !s.input(1))
    return failure();
  int64_t bits = bitsOf(s.input(0));
  if (bits == 8)
    bits = s.getInt("bits");
  int64_t block = std::max<int64_t>(s.getInt("block_size"), 1);
  std::optional<int64_t> rows = checkedProduct({*results, bits});
  std::optional<int64_t> factors =
      checkedProduct({*results / block, bitsOf(s.input(2)) / 8});
  if (bits <= 0 || bits > 8 || !rows || !factors)
    return failure();
  s.bytesRead = std::min(llvm::divideCeil(*rows, 8), uint64_t(*table));
  if (!addBytes(s.bytesRead, std::min(*factors, *scales)) ||
      !addBytes(s.bytesRead, byteCount(s.input(1))) ||
      !addBytes(s.bytesWritten, byteCount(s.output())))
    return failure();
  return makeWork(s, KernelFamily::Embedding, element,
                  ElementsProblem{*results, /*strided=*/true}, 0,
                  checkedProduct({*results, element.fp32Flops}), 0);
}

/// Operand 0 is read once for its range and once for quantisation.
FailureOr<WorkAttr> gpucost::onnx::dynamicQuantizeWork(Operation *op,
                                                       CostClass shape,
                                                       ElementCost element) {
  OpShapes s(op);
  std::optional<int64_t> in = elementCount(s.input(0));
  if (!in || !s.countBytes(shape) ||
      !addBytes(s.bytesRead, byteCount(s.input(0))))
    return failure();
  return itemsWork(s, element, *in, checkedProduct({*in, element.fp32Flops}), 0,
                   /*strided=*/false);
}

/// Points [m, d] and [n, d]: a difference, its square, the sum.
FailureOr<WorkAttr> gpucost::onnx::pairwiseDistanceWork(Operation *op,
                                                        CostClass shape,
                                                        ElementCost element) {
  OpShapes s(op);
  std::optional<int64_t> pairs = elementCount(s.output());
  if (!pairs || !s.input(0) || s.input(0).getRank() != 2 ||
      !s.countBytes(shape))
    return failure();
  std::optional<int64_t> items =
      checkedProduct({*pairs, s.input(0).getDimSize(1)});
  if (!items)
    return failure();
  return itemsWork(s, element, *items,
                   checkedProduct({*items, element.fp32Flops}));
}

/// Operands: rate, count, then `kinds` lists of equal length: parameters,
/// gradients and states.
static FailureOr<WorkAttr> updateWork(Operation *op, CostClass shape,
                                      ElementCost element, unsigned kinds) {
  OpShapes s(op);
  int64_t parameters = 0;
  unsigned tensors = op->getNumOperands() < 2 ? 0 : op->getNumOperands() - 2;
  for (unsigned i = 0; i < tensors / kinds; ++i)
    if (!addBytes(parameters, elementCount(op->getOperand(2 + i).getType())))
      return failure();
  if (tensors == 0 || tensors % kinds || !s.countBytes(shape))
    return failure();
  // Every result is written, even if unused: updates are in place.
  s.bytesWritten = 0;
  for (Value result : op->getResults())
    if (!addBytes(s.bytesWritten, byteCount(result.getType())))
      return failure();
  return makeWork(s, KernelFamily::Optimizer, element,
                  ElementsProblem{parameters, false}, 0,
                  checkedProduct({parameters, element.fp32Flops}),
                  checkedProduct({parameters, element.specialOps}));
}

FailureOr<WorkAttr> gpucost::onnx::parameterUpdateWork(Operation *op,
                                                       CostClass shape,
                                                       ElementCost element) {
  return updateWork(op, shape, element, /*kinds=*/3);
}

/// Two moments.
FailureOr<WorkAttr> gpucost::onnx::adamWork(Operation *op, CostClass shape,
                                            ElementCost element) {
  return updateWork(op, shape, element, /*kinds=*/4);
}
