//===- LinalgTiles.cpp - Work of a tile of a structured op ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinalgTiles.h"
#include "LinalgBody.h"
#include "LinalgRules.h"
#include "LinalgTraffic.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gpucost;
using linalg::LinalgOp;

namespace {

/// Arithmetic of one iteration.
struct BodyArithmetic {
  llvm::MapVector<Type, int64_t> flops;
  llvm::MapVector<std::pair<OperationName, Type>, int64_t> functions;
};

} // namespace

/// A function that needs special results is one call, whatever it expands to.
static std::optional<BodyCost> readBody(Block &body,
                                        BodyArithmetic &arithmetic) {
  return countBody(body, [&](Operation *op, const ScalarCost &cost) {
    if (cost.fp32Flops == 0 && cost.specialOps == 0)
      return;
    Type format = op->getOperands().back().getType();
    if (cost.specialOps)
      ++arithmetic.functions[{op->getName(), format}];
    else
      arithmetic.flops[format] += cost.fp32Flops;
  });
}

/// The arithmetic of `iterations`; failure if a count overflows.
static LogicalResult addArithmetic(LinalgOp op, int64_t iterations,
                                   opwork::Work &work) {
  BodyArithmetic each;
  std::optional<BodyCost> body = readBody(*op.getBlock(), each);
  if (!body)
    return failure();
  CostClass shape = classifyStructuredOp(op);
  if (shape == CostClass::Opaque)
    return failure();
  auto add = [&](opwork::Unit unit, Type format, int64_t perIteration) {
    std::optional<int64_t> flops = checkedProduct({iterations, perIteration});
    if (flops && *flops)
      work.arithmetic.push_back({unit, format, *flops});
    return success(flops.has_value());
  };
  if (shape == CostClass::Contraction || shape == CostClass::Convolution) {
    Type left = getElementTypeOrSelf(op.getDpsInputOperand(0)->get().getType());
    if (failed(add(opwork::Unit::Matrix, getProductElement(op, left), 2)))
      return failure();
    int64_t product = body->fp32Flops - flopsBesidesProduct(op, *body);
    // The multiply-add is in the accumulator's format, unless it is widened.
    auto take = [&](int64_t &flops) {
      int64_t taken = std::min(flops, product);
      flops -= taken;
      product -= taken;
    };
    take(each.flops[op.getBlock()->getArguments().back().getType()]);
    for (auto &[format, flops] : each.flops)
      take(flops);
  }
  for (auto [format, flops] : each.flops)
    if (failed(add(opwork::Unit::Vector, format, flops)))
      return failure();
  for (auto &[function, count] : each.functions) {
    std::optional<int64_t> calls = checkedProduct({iterations, count});
    if (!calls)
      return failure();
    work.functions.push_back({function.first, function.second, *calls});
  }
  std::optional<int64_t> bits =
      checkedProduct({iterations, body->gatheredBits});
  if (!bits)
    return failure();
  work.gatheredBytes = (*bits + 7) / 8;
  return success();
}

/// Whether the tile starts in the middle of a sum, whose accumulators it loads.
static bool continuesSum(LinalgOp op, const opwork::Tile &tile) {
  SmallVector<unsigned> summed;
  op.getReductionDims(summed);
  return llvm::any_of(summed, [&](unsigned loop) {
    return !tile.offsetIsKnown[loop] || tile.loops[loop].first != 0;
  });
}

/// Bytes of the elements of `operand` in the tile; nullopt if unknown.
static std::optional<int64_t> bytesInTile(OpOperand &operand, AffineMap map,
                                          const opwork::Tile &tile,
                                          ArrayRef<int64_t> ranges) {
  auto type = cast<ShapedType>(operand.get().getType());
  std::optional<int64_t> bits = storedBits(type.getElementType());
  auto sizes = opwork::footprintOf(map, type.getShape(), tile.loops, ranges);
  if (!bits || !sizes)
    return std::nullopt;
  sizes->push_back(*bits);
  std::optional<int64_t> total = checkedProductOf(*sizes);
  if (!total)
    return std::nullopt;
  return (*total + 7) / 8;
}

/// The bytes of all operands.
static LogicalResult addOperands(LinalgOp op, const opwork::Tile &tile,
                                 ArrayRef<int64_t> ranges, opwork::Work &work) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<OpOperand *, 4> once = operandsRead(op);
  bool continues = continuesSum(op, tile);
  // Parts of a tensor that several operands read: equal parts are one, and all
  // together are at most the tensor.
  llvm::DenseMap<Value, int64_t> bytesOf;
  llvm::DenseSet<std::pair<Value, AffineMap>> parts;
  for (OpOperand &operand : op->getOpOperands()) {
    opwork::OperandBytes &bytes = work.operands.emplace_back();
    bytes.operand = operand.getOperandNumber();
    if (!isa<ShapedType>(operand.get().getType()))
      continue;
    AffineMap map = maps[bytes.operand];
    std::optional<int64_t> touched = bytesInTile(operand, map, tile, ranges);
    if (!touched)
      return failure();
    bool isInit = op.isDpsInit(&operand);
    if (isInit)
      bytes.written = *touched;
    bool isRead = isInit ? llvm::is_contained(once, &operand) || continues
                         : op.payloadUsesValueFromOperand(&operand);
    if (!isRead || !parts.insert({operand.get(), map}).second)
      continue;
    int64_t &all = bytesOf[operand.get()];
    bytes.read = *touched;
    if (std::optional<int64_t> whole = storageBytes(operand.get()))
      bytes.read = std::min(bytes.read, std::max<int64_t>(*whole - all, 0));
    all += bytes.read;
  }
  return success();
}

FailureOr<opwork::Work> gpucost::computeTileWork(LinalgOp op,
                                                 ArrayRef<OpFoldResult> offsets,
                                                 ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  std::optional<opwork::Tile> tile = opwork::readTile(offsets, sizes, ranges);
  if (!tile || op.getNumDpsInits() == 0)
    return failure();
  std::optional<int64_t> iterations = checkedProductOf(llvm::map_range(
      tile->loops, [](const opwork::Span &loop) { return loop.size(); }));
  if (!iterations)
    return failure();
  opwork::Work work;
  work.iterations = *iterations;
  if (failed(addArithmetic(op, *iterations, work)) ||
      failed(addOperands(op, *tile, ranges, work)))
    return failure();
  if (classifyStructuredOp(op) == CostClass::Metadata) // accumulators
    for (opwork::OperandBytes &bytes : work.operands)
      bytes.read = bytes.written = 0;
  return work;
}
