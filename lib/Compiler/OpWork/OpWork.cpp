//===- OpWork.cpp - Work of ops and tiles, for any target -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/OpWork/OpWork.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir;
using namespace opwork;

#include "gpucost/Compiler/OpWork/OpWorkInterface.cpp.inc"

int64_t Work::flopsOn(Unit unit) const {
  int64_t sum = 0;
  for (const Arithmetic &each : arithmetic)
    if (each.unit == unit)
      sum += each.flops;
  return sum;
}

int64_t Work::bytesRead() const {
  int64_t sum = gatheredBytes;
  for (const OperandBytes &each : operands)
    sum += each.read;
  return sum;
}

int64_t Work::bytesWritten() const {
  int64_t sum = 0;
  for (const OperandBytes &each : operands)
    sum += each.written;
  return sum;
}

static std::optional<Span> sumOf(Span a, Span b) {
  Span sum;
  if (llvm::AddOverflow(a.first, b.first, sum.first) ||
      llvm::AddOverflow(a.last, b.last, sum.last))
    return std::nullopt;
  return sum;
}

static std::optional<Span> productOf(Span a, int64_t factor) {
  Span product;
  if (llvm::MulOverflow(a.first, factor, product.first) ||
      llvm::MulOverflow(a.last, factor, product.last))
    return std::nullopt;
  if (factor < 0)
    std::swap(product.first, product.last);
  return product;
}

std::optional<Span> opwork::spanOf(AffineExpr expr, ArrayRef<Span> loops) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Span{constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition() < loops.size()
               ? std::optional<Span>(loops[dim.getPosition()])
               : std::nullopt;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<Span> a = spanOf(binary.getLHS(), loops),
                      b = spanOf(binary.getRHS(), loops);
  if (!a || !b)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return sumOf(*a, *b);
  if (b->size() != 1) // the factor may be on either side
    std::swap(a, b);
  if (b->size() != 1)
    return std::nullopt;
  int64_t number = b->first;
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    return productOf(*a, number);
  case AffineExprKind::FloorDiv:
    if (number < 1)
      return std::nullopt;
    return Span{llvm::divideFloorSigned(a->first, number),
                llvm::divideFloorSigned(a->last, number)};
  case AffineExprKind::CeilDiv:
    if (number < 1)
      return std::nullopt;
    return Span{llvm::divideCeilSigned(a->first, number),
                llvm::divideCeilSigned(a->last, number)};
  case AffineExprKind::Mod: {
    if (number < 1)
      return std::nullopt;
    int64_t period = llvm::divideFloorSigned(a->first, number);
    if (period != llvm::divideFloorSigned(a->last, number))
      return Span{0, number - 1};
    return Span{a->first - period * number, a->last - period * number};
  }
  default:
    return std::nullopt;
  }
}

std::optional<SmallVector<int64_t>>
opwork::footprintOf(AffineMap map, ArrayRef<int64_t> shape,
                    ArrayRef<Span> loops, ArrayRef<int64_t> ranges) {
  SmallVector<int64_t> sizes;
  for (auto [expr, size] : llvm::zip_equal(map.getResults(), shape)) {
    bool isComplete = !ShapedType::isDynamic(size);
    for (size_t loop = 0; loop < loops.size(); ++loop)
      isComplete &= loops[loop].size() == ranges[loop] ||
                    !expr.isFunctionOfDim(static_cast<unsigned>(loop));
    if (isComplete) {
      sizes.push_back(size);
      continue;
    }
    std::optional<Span> span = spanOf(expr, loops);
    if (!span)
      return std::nullopt;
    sizes.push_back(ShapedType::isDynamic(size) ? span->size()
                                                : std::min(span->size(), size));
  }
  return sizes;
}

std::optional<Tile> opwork::readTile(ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes,
                                     ArrayRef<int64_t> ranges) {
  if (offsets.size() != ranges.size() || sizes.size() != ranges.size())
    return std::nullopt;
  Tile tile;
  for (auto [offset, size, range] : llvm::zip(offsets, sizes, ranges)) {
    std::optional<int64_t> most = getConstantIntValue(size);
    if (!most) {
      FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::UB, size, /*stopCondition=*/nullptr,
          /*closedUB=*/true);
      if (succeeded(bound))
        most = *bound;
      else if (!ShapedType::isDynamic(range))
        most = range; // a tile is never larger than the op
      else
        return std::nullopt;
    }
    std::optional<int64_t> first = getConstantIntValue(offset);
    int64_t end;
    if (*most < 0 || first.value_or(0) < 0 ||
        llvm::AddOverflow(first.value_or(0), *most, end) ||
        (!ShapedType::isDynamic(range) && end > range))
      return std::nullopt;
    tile.loops.push_back({first.value_or(0), end - 1});
    tile.offsetIsKnown.push_back(first.has_value());
  }
  return tile;
}

FailureOr<Work> opwork::detail::getWorkOfAllIterations(Operation *op) {
  auto interface = cast<OpWorkInterface>(op);
  Builder builder(op->getContext());
  SmallVector<OpFoldResult> offsets, sizes;
  for (int64_t range : interface.getWorkLoops()) {
    if (ShapedType::isDynamic(range))
      return failure();
    offsets.push_back(builder.getIndexAttr(0));
    sizes.push_back(builder.getIndexAttr(range));
  }
  return interface.getTileWork(offsets, sizes);
}
