//===- LinalgTraffic.cpp - Bytes of a structured op -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinalgTraffic.h"
#include "LinalgBody.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace gpucost;
using linalg::LinalgOp;

/// Whether `op` writes one value to all elements and reads no tensor.
static bool isFill(LinalgOp op) {
  if (op.getNumReductionLoops())
    return false;
  std::optional<BodyCost> body = countBody(*op.getBlock());
  return body && body->movesOnly() && !body->gatheredBits &&
         llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
           return !isa<ShapedType>(operand.get().getType()) ||
                  !op.payloadUsesValueFromOperand(&operand);
         });
}

static bool isDestination(OpOperand &use) {
  auto op = dyn_cast<LinalgOp>(use.getOwner());
  return op && op.isDpsInit(&use);
}

/// The last user of `buffer` before `op` (or the first one after it); a user
/// nested in another op of the block has the position of that op.
static Operation *neighbouringUser(Operation *op, Value buffer, bool before) {
  // In a kernel, the neighbours of the op are in the enclosing block.
  Operation *anchor = op;
  Block *block = op->getBlock();
  while (block != buffer.getParentBlock() && block->getParentOp()) {
    anchor = block->getParentOp();
    block = anchor->getBlock();
  }
  Operation *nearest = nullptr;
  Operation *nearestAncestor = nullptr;
  // Do not search buffers with very many users.
  constexpr unsigned mostUsers = 256;
  if (buffer.hasNUsesOrMore(mostUsers))
    return nullptr;
  for (Operation *user : buffer.getUsers()) {
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    if (!ancestor || ancestor == anchor ||
        ancestor->isBeforeInBlock(anchor) != before)
      continue;
    if (nearest && ancestor->isBeforeInBlock(nearestAncestor) == before)
      continue;
    nearest = user;
    nearestAncestor = ancestor;
  }
  return nearest;
}

/// The only input of `op` if it is broadcast along loops that it does not have,
/// in the order of the result's dimensions; null for other ops.
static OpOperand *findBroadcastInput(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() ||
      op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1)
    return nullptr;
  OpOperand *input = op.getDpsInputOperand(0);
  auto from = dyn_cast<RankedTensorType>(input->get().getType());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap map = maps[0], out = maps[1];
  // An element-wise copy.
  if (map == out && from == op.getDpsInitOperand(0)->get().getType())
    return nullptr;
  if (!from || !from.hasStaticShape() || !out.isIdentity())
    return nullptr;
  // Loops must be in the order of the result; constants repeat one element.
  int64_t last = -1;
  for (AffineExpr expr : map.getResults()) {
    if (isa<AffineConstantExpr>(expr))
      continue;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || static_cast<int64_t>(dim.getPosition()) <= last)
      return nullptr;
    last = dim.getPosition();
  }
  std::optional<BodyCost> body = countBody(*op.getBlock());
  if (!body || !body->movesOnly() || body->gatheredBits ||
      op.getBlock()->getTerminator()->getOperand(0) !=
          op.getMatchingBlockArgument(input))
    return nullptr;
  return input;
}

bool gpucost::isBroadcastView(LinalgOp op) {
  OpOperand *input = findBroadcastInput(op);
  // The broadcast must be written if it is returned, stored in memory, or
  // collapsed with the dimension that it repeats.
  return input && llvm::all_of(op->getUsers(), [](Operation *user) {
           if (isa<LinalgOp>(user))
             return true;
           return isa<WorkOpInterface>(user) &&
                  !isa<tensor::CollapseShapeOp>(user) &&
                  llvm::none_of(user->getUsers(), [](Operation *next) {
                    return next->hasTrait<OpTrait::IsTerminator>();
                  });
         });
}

/// Whether `use` is the destination of a structured op, directly or after
/// reshapes.
static bool isReshapedDestination(OpOperand &use) {
  constexpr unsigned mostUses = 64;
  SmallVector<OpOperand *> uses = {&use};
  for (size_t i = 0; i < uses.size(); ++i) {
    Operation *reader = uses[i]->getOwner();
    if (isDestination(*uses[i]))
      continue;
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(reader) ||
        reader->use_empty() || uses.size() > mostUses)
      return false;
    for (OpOperand &next : reader->getUses())
      uses.push_back(&next);
  }
  return true;
}

bool gpucost::onlyInitializesAccumulators(LinalgOp op) {
  if (!isFill(op))
    return false;
  if (op.hasPureTensorSemantics())
    return llvm::all_of(op->getUses(), isReshapedDestination);
  for (OpOperand &init : op.getDpsInitsMutable()) {
    Value buffer = init.get();
    Operation *next = neighbouringUser(op, buffer, /*before=*/false);
    // The slice of a tile.
    while (auto view = dyn_cast_or_null<ViewLikeOpInterface>(next)) {
      buffer = view->getResult(0);
      next = neighbouringUser(view, buffer, /*before=*/false);
    }
    // A kernel raised from loops reads the buffer as a tensor.
    if (auto tensor = dyn_cast_or_null<bufferization::ToTensorOp>(next)) {
      if (!llvm::all_of(tensor->getUses(), isDestination))
        return false;
      continue;
    }
    auto user = dyn_cast_or_null<LinalgOp>(next);
    if (!user || llvm::none_of(user->getOpOperands(), [&](OpOperand &use) {
          return use.get() == buffer && isDestination(use);
        }))
      return false;
  }
  return true;
}

/// Whether the contents of the destination need not be loaded: it was never
/// written, or it was filled with a scalar.
static bool isInitialized(LinalgOp op, Value destination) {
  Operation *def = destination.getDefiningOp();
  // Look through reshapes and slices of a filled tensor.
  for (int depth = 0; def && depth < 64; ++depth) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
             tensor::ExtractSliceOp>(def))
      break;
    destination = def->getOperand(0);
    def = destination.getDefiningOp();
  }
  Operation *reader = op;
  if (auto tensor = dyn_cast_or_null<bufferization::ToTensorOp>(def)) {
    reader = tensor;
    destination = tensor.getBuffer();
    def = destination.getDefiningOp();
  }
  if (isa<BaseMemRefType>(destination.getType())) {
    Operation *writer = neighbouringUser(reader, destination, /*before=*/true);
    if (!writer)
      return def && hasEffect<MemoryEffects::Allocate>(def, destination);
    auto fill = dyn_cast<LinalgOp>(writer);
    return fill && isFill(fill);
  }
  if (!def)
    return false;
  DenseElementsAttr constant;
  if (matchPattern(destination, m_Constant(&constant)))
    return constant.isSplat();
  if (auto fill = dyn_cast<LinalgOp>(def))
    return isFill(fill);
  return isa<tensor::EmptyOp, tensor::SplatOp>(def);
}

SmallVector<OpOperand *, 4> gpucost::operandsRead(LinalgOp op) {
  SmallVector<OpOperand *, 4> read;
  auto inits = static_cast<unsigned>(op.getNumDpsInputs());
  for (OpOperand &operand : op->getOpOperands()) {
    bool reads = isa<ShapedType>(operand.get().getType()) &&
                 op.payloadUsesValueFromOperand(&operand) &&
                 llvm::none_of(read, [&](OpOperand *each) {
                   return each->get() == operand.get();
                 });
    // Destinations follow the inputs.
    if (reads && (operand.getOperandNumber() < inits ||
                  !isInitialized(op, operand.get())))
      read.push_back(&operand);
  }
  return read;
}

std::optional<Traffic> gpucost::countTraffic(LinalgOp op, int64_t iterations,
                                             int64_t gatheredBits) {
  Traffic traffic;
  MutableArrayRef<OpOperand> inits =
      op->getOpOperands().drop_front(op.getNumDpsInputs());
  if (inits.empty())
    return std::nullopt;
  OpOperand *result = &inits.front();
  // Named ops compute their maps on every call.
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap resultMap = maps[result->getOperandNumber()];
  Type resultElement = getElementTypeOrSelf(result->get().getType());
  Type inputElement;
  for (OpOperand *operand : operandsRead(op)) {
    Value value = operand->get();
    if (!addBytes(traffic.bytesRead, storageBytes(value)))
      return std::nullopt;
    if (operand->getOperandNumber() >= result->getOperandNumber())
      continue;
    Type element = getElementTypeOrSelf(value.getType());
    if (!inputElement ||
        (!isa<FloatType>(inputElement) && isa<FloatType>(element)))
      inputElement = element;
    traffic.strided |= elementCount(value.getType()) != 1 &&
                       maps[operand->getOperandNumber()] != resultMap;
  }
  for (OpOperand &init : inits)
    if (isa<ShapedType>(init.get().getType()) &&
        !addBytes(traffic.bytesWritten, byteCount(init.get().getType())))
      return std::nullopt;
  std::optional<int64_t> gathered = checkedProduct({iterations, gatheredBits});
  if (!gathered || !addBytes(traffic.bytesRead, (*gathered + 7) / 8))
    return std::nullopt;
  if (!inputElement)
    inputElement = resultElement;
  traffic.inputElement = inputElement;
  traffic.format = formatOf(inputElement);
  traffic.inputBits = storedBits(inputElement).value_or(32);
  traffic.outputBits = storedBits(resultElement).value_or(32);
  return traffic;
}
