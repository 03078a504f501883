//===- LinalgRules.cpp - Cost rules of linalg structured ops --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinalgRules.h"
#include "LinalgTraffic.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace gpucost;
using linalg::LinalgOp;

namespace {

/// Loops of a contraction by the tensors that they index: `batch` loops index
/// both operands and the result, `m` loops the left operand and the result, `n`
/// loops the right operand and the result. `k` loops are summed.
struct ContractionLoops {
  SmallVector<unsigned> batch, m, n, k;
};

/// Everything that a work attribute requires in addition to the problem.
struct OpCounts {
  mutable LinalgOp op; ///< a handle, whose getters are not const
  SmallVector<int64_t> ranges;
  int64_t iterations = 0;
  BodyCost body;
  Traffic traffic;
};

} // namespace

//===----------------------------------------------------------------------===//
// Classification
//===----------------------------------------------------------------------===//

/// The map of the broadcast that produces an input of `op`, or null.
static AffineMap findBroadcastOf(LinalgOp op, unsigned input) {
  auto source = op.getDpsInputOperand(input)->get().getDefiningOp<LinalgOp>();
  if (!source || !isBroadcastView(source))
    return {};
  return source.getMatchingIndexingMap(source.getDpsInputOperand(0));
}

/// Whether the elements that `map` reads from a `broadcast` are the same in all
/// iterations of `loop`.
static bool isRepeatedAlong(AffineMap broadcast, AffineMap map, unsigned loop) {
  if (!broadcast)
    return false;
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    if (expr.isFunctionOfDim(loop))
      return !broadcast.isFunctionOfDim(i);
  return false;
}

/// The loops of two operands and a result that plain loops index, with rows or
/// columns to reuse. A row-wise dot product has none and is a reduction.
static std::optional<ContractionLoops> findContractionLoops(LinalgOp op) {
  if (op.getNumDpsInputs() < 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || !isMultiplyAccumulate(*op.getBlock()))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap a = maps[0], b = maps[1], out = maps.back();
  if (!llvm::all_of(maps,
                    [](AffineMap m) { return m.isProjectedPermutation(); }))
    return std::nullopt;
  // Computed only if both operands have the loop: few matmuls have a batch.
  std::optional<std::pair<AffineMap, AffineMap>> broadcasts;
  ContractionLoops loops;
  for (unsigned loop = 0, end = op.getNumLoops(); loop < end; ++loop) {
    bool inA = a.isFunctionOfDim(loop), inB = b.isFunctionOfDim(loop);
    if (!out.isFunctionOfDim(loop))
      loops.k.push_back(loop);
    else if (inA == inB) {
      if (!broadcasts)
        broadcasts.emplace(findBroadcastOf(op, 0), findBroadcastOf(op, 1));
      // If one operand is repeated, the other one has more rows or columns.
      if (isRepeatedAlong(broadcasts->second, b, loop))
        loops.m.push_back(loop);
      else if (isRepeatedAlong(broadcasts->first, a, loop))
        loops.n.push_back(loop);
      else
        loops.batch.push_back(loop);
    } else
      (inA ? loops.m : loops.n).push_back(loop);
  }
  if (loops.m.empty() && loops.n.empty())
    return std::nullopt;
  return loops;
}

/// `op` with only its first two inputs and without a body, to query its maps;
/// the caller erases it.
static linalg::GenericOp withTwoInputs(LinalgOp op) {
  SmallVector<Value> inputs = op.getDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  inputs.resize(2);
  maps = {maps[0], maps[1], maps.back()};
  OpBuilder builder(op.getContext());
  return linalg::GenericOp::create(builder, op.getLoc(), op->getResultTypes(),
                                   inputs, ValueRange(op.getDpsInits()), maps,
                                   op.getIteratorTypesArray());
}

/// A convolution without loops over its windows, which have one element; the
/// steps between them are factors of the image's indices.
static std::optional<linalg::ConvolutionDimensions> findPointwise(LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap image = maps[0], filter = maps[1], result = maps.back();
  if (!filter.isProjectedPermutation() || !result.isProjectedPermutation())
    return std::nullopt;
  SmallVector<int64_t> steps(op.getNumLoops(), 0); // 0: not in the image
  for (AffineExpr expr : image.getResults()) {
    int64_t step = 1;
    if (auto scaled = dyn_cast<AffineBinaryOpExpr>(expr);
        scaled && scaled.getKind() == AffineExprKind::Mul)
      if (auto factor = dyn_cast<AffineConstantExpr>(scaled.getRHS())) {
        step = factor.getValue();
        expr = scaled.getLHS();
      }
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || step < 1 || steps[loop.getPosition()])
      return std::nullopt;
    steps[loop.getPosition()] = step;
  }
  linalg::ConvolutionDimensions dims;
  for (auto [loop, step] : llvm::enumerate(steps)) {
    bool inFilter = filter.isFunctionOfDim(loop);
    if (!result.isFunctionOfDim(loop)) {
      if (step != 1 || !inFilter)
        return std::nullopt;
      dims.inputChannel.push_back(loop);
    } else if (step == 0) {
      dims.outputChannel.push_back(loop);
    } else if (step == 1) {
      (inFilter ? dims.depth : dims.batch).push_back(loop);
    } else if (inFilter) {
      return std::nullopt;
    } else {
      dims.outputImage.push_back(loop);
      dims.strides.push_back(step);
      dims.dilations.push_back(1);
    }
  }
  if (dims.inputChannel.empty() || dims.outputImage.empty())
    return std::nullopt;
  return dims;
}

/// Image, window and result of a convolution or a pooling. Upstream infers the
/// loops from the maps and accepts any body.
static std::optional<linalg::ConvolutionDimensions> findWindow(LinalgOp op) {
  if (op.getNumDpsInputs() < 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 ||
      op.getMatchingIndexingMap(op.getDpsInputOperand(0))
          .isProjectedPermutation())
    return std::nullopt;
  FailureOr<linalg::ConvolutionDimensions> dims = failure();
  if (op.getNumDpsInputs() == 2) {
    dims = linalg::inferConvolutionDims(op);
  } else {
    // Zero points and scales: upstream expects only two inputs.
    linalg::GenericOp window = withTwoInputs(op);
    dims = linalg::inferConvolutionDims(window);
    window->erase();
  }
  if (failed(dims))
    return findPointwise(op);
  return *dims;
}

/// A permutation that only matmuls read, which index the original tensor.
static bool isTransposeOfProducts(LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || op->use_empty() ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isPermutation(); }) ||
      op.getBlock()->getTerminator()->getOperand(0) !=
          op.getMatchingBlockArgument(op.getDpsInputOperand(0)))
    return false;
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : op->getUses())
    uses.push_back(&use);
  // Reshapes in between keep the order of elements.
  for (size_t i = 0; i < uses.size() && uses.size() < 64; ++i) {
    Operation *user = uses[i]->getOwner();
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(
            user)) {
      if (user->use_empty())
        return false;
      for (OpOperand &use : user->getUses())
        uses.push_back(&use);
      continue;
    }
    auto product = dyn_cast<LinalgOp>(user);
    if (!product || product.isDpsInit(uses[i]))
      return false;
    // Named ops compute their maps on every call.
    if (isa<linalg::MatmulOp, linalg::BatchMatmulOp>(product) ||
        findContractionLoops(product))
      continue;
    // A broadcast of a weight to the batch of a matmul.
    if (!isBroadcastView(product) || product->use_empty())
      return false;
    for (OpOperand &use : product->getUses())
      uses.push_back(&use);
  }
  return true;
}

CostClass gpucost::classifyStructuredOp(LinalgOp op) {
  std::optional<BodyCost> body = countBody(*op.getBlock());
  if (!body)
    return CostClass::Opaque;
  if (body->gatheredBits)
    return CostClass::Gather;
  if (op.getNumReductionLoops()) {
    if (findContractionLoops(op))
      return CostClass::Contraction;
    if (findWindow(op)) {
      if (isMultiplyAccumulate(*op.getBlock()))
        return CostClass::Convolution;
      // A pooling window only defines a shape: its elements are not read.
      if (!op.payloadUsesValueFromOperand(op.getDpsInputOperand(1)))
        return CostClass::Pooling;
    }
    return CostClass::Reduction;
  }
  if (!body->movesOnly())
    return CostClass::Elementwise;
  if (onlyInitializesAccumulators(op))
    return CostClass::Metadata;
  return isBroadcastView(op) || isTransposeOfProducts(op)
             ? CostClass::View
             : CostClass::DataMovement;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

static std::optional<int64_t> extent(const OpCounts &c,
                                     ArrayRef<unsigned> loops) {
  return checkedProductOf(
      llvm::map_range(loops, [&](unsigned loop) { return c.ranges[loop]; }));
}

static FailureOr<WorkAttr> makeWork(const OpCounts &c, KernelFamily family,
                                    InstructionClass instructions,
                                    const Problem &problem, int64_t tensorFlops,
                                    int64_t fp32PerIteration) {
  std::optional<int64_t> fp32 =
      checkedProduct({c.iterations, fp32PerIteration});
  std::optional<int64_t> special =
      checkedProduct({c.iterations, c.body.specialOps});
  if (!fp32 || !special)
    return failure();
  return WorkAttr::get(c.op.getContext(), {family,
                                           instructions,
                                           c.traffic.format,
                                           c.traffic.inputBits,
                                           c.traffic.outputBits,
                                           problem,
                                           {tensorFlops,
                                            *fp32,
                                            *special,
                                            c.traffic.bytesRead,
                                            c.traffic.bytesWritten,
                                            {}}});
}

/// Whether every input after the first two is one number (zero points).
static bool hasScalarExtras(LinalgOp op) {
  SmallVector<OpOperand *> inputs = op.getDpsInputOperands();
  return inputs.size() > 2 &&
         llvm::all_of(llvm::drop_begin(inputs, 2), [&](OpOperand *input) {
           return op.getMatchingIndexingMap(input).getNumResults() == 0;
         });
}

int64_t gpucost::flopsBesidesProduct(LinalgOp op, const BodyCost &body) {
  return hasScalarExtras(op) ? 0 : std::max<int64_t>(body.fp32Flops - 2, 0);
}

Type gpucost::getProductElement(LinalgOp op, Type inputElement) {
  Type element = inputElement;
  for (unsigned i = 0; i < 2; ++i)
    if (Type each =
            getElementTypeOrSelf(op.getDpsInputOperand(i)->get().getType());
        each.isF32())
      element = each;
  return element;
}

static FailureOr<WorkAttr> makeMatrixWork(OpCounts c, KernelFamily family,
                                          const Problem &problem) {
  if (Type element = getProductElement(c.op, c.traffic.inputElement);
      element != c.traffic.inputElement) {
    c.traffic.format = formatOf(element);
    c.traffic.inputBits = storedBits(element).value_or(c.traffic.inputBits);
  }
  std::optional<int64_t> flops = checkedProduct({2, c.iterations});
  if (!flops)
    return failure();
  return makeWork(c, family, InstructionClass::None, problem, *flops,
                  flopsBesidesProduct(c.op, c.body));
}

static FailureOr<WorkAttr> contractionWork(const OpCounts &c) {
  std::optional<ContractionLoops> loops = findContractionLoops(c.op);
  if (!loops)
    return failure();
  std::optional<int64_t> batch = extent(c, loops->batch);
  std::optional<int64_t> m = extent(c, loops->m), n = extent(c, loops->n);
  std::optional<int64_t> k = extent(c, loops->k);
  if (!batch || !m || !n || !k)
    return failure();
  // If the right operand has no batch, it is a weight matrix: the batch of the
  // left operand is already part of the rows.
  return makeMatrixWork(c, KernelFamily::Matmul,
                        MatmulProblem{*batch, *m, *n, *k,
                                      /*linear=*/*batch == 1,
                                      /*weight_bits=*/0});
}

/// Size of the image along the dimension that output loop `loop` iterates over.
static int64_t imageExtent(LinalgOp op, unsigned loop) {
  OpOperand *image = op.getDpsInputOperand(0);
  AffineMap map = op.getMatchingIndexingMap(image);
  ArrayRef<int64_t> shape = op.getShape(image);
  // Padding is not part of the image.
  if (auto pad = image->get().getDefiningOp<tensor::PadOp>();
      pad && pad.getSourceType().hasStaticShape())
    shape = pad.getSourceType().getShape();
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    if (expr.isFunctionOfDim(loop))
      return shape[i];
  return 1;
}

static bool isChannelsLast(LinalgOp op,
                           const linalg::ConvolutionDimensions &dims) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  auto last = dyn_cast<AffineDimExpr>(map.getResults().back());
  return last && (llvm::is_contained(dims.inputChannel, last.getPosition()) ||
                  llvm::is_contained(dims.depth, last.getPosition()));
}

/// One to three spatial dimensions. As for onnx ops, the third one is folded
/// into the batch (output positions) and the kernel height (taps). A depth loop
/// indexes image, filter and result and counts the groups; a depthwise
/// convolution has one channel per group.
static FailureOr<WorkAttr> convolutionWork(const OpCounts &c) {
  std::optional<linalg::ConvolutionDimensions> dims = findWindow(c.op);
  if (!dims)
    return failure();
  unsigned spatial = dims->outputImage.size();
  if (spatial < 1 || spatial > 3 ||
      (!dims->filterLoop.empty() && dims->filterLoop.size() != spatial) ||
      dims->strides.size() != spatial || dims->dilations.size() != spatial)
    return failure();
  bool folded = spatial == 3;
  auto fromEnd = [&](ArrayRef<unsigned> loops, unsigned i) {
    return i < loops.size() ? c.ranges[loops[loops.size() - 1 - i]] : 1;
  };
  auto image = [&](unsigned i) {
    return i < spatial ? imageExtent(c.op, dims->outputImage[spatial - 1 - i])
                       : 1;
  };
  std::optional<int64_t> batch = extent(c, dims->batch);
  std::optional<int64_t> groups = extent(c, dims->depth);
  std::optional<int64_t> channels = extent(c, dims->inputChannel);
  std::optional<int64_t> filters = extent(c, dims->outputChannel);
  if (!batch || !groups || !channels || !filters)
    return failure();
  batch = checkedProduct({*batch, folded ? fromEnd(dims->outputImage, 2) : 1});
  channels = checkedProduct({*channels, *groups});
  filters = checkedProduct({*filters, *groups});
  std::optional<int64_t> kernelHeight =
      checkedProduct({fromEnd(dims->filterLoop, 1),
                      folded ? fromEnd(dims->filterLoop, 2) : 1});
  if (!batch || !channels || !filters || !kernelHeight)
    return failure();
  return makeMatrixWork(
      c, KernelFamily::Convolution,
      ConvolutionProblem{*batch, *channels, image(1), image(0), *filters,
                         fromEnd(dims->outputImage, 1),
                         fromEnd(dims->outputImage, 0), *kernelHeight,
                         fromEnd(dims->filterLoop, 0),
                         spatial >= 2 ? dims->strides[spatial - 2] : 1,
                         dims->strides[spatial - 1], *groups,
                         isChannelsLast(c.op, *dims), ConvolutionPass::Forward,
                         spatial >= 2 ? dims->dilations[spatial - 2] : 1,
                         dims->dilations[spatial - 1], folded ? 3 : 2});
}

static FailureOr<WorkAttr> elementsWork(const OpCounts &c, KernelFamily family,
                                        InstructionClass instructions,
                                        bool strided) {
  SmallVector<unsigned> parallel;
  c.op.getParallelDims(parallel);
  std::optional<int64_t> results = extent(c, parallel);
  if (!results)
    return failure();
  ElementsProblem problem{*results, strided};
  return makeWork(c, family, instructions, problem, /*tensorFlops=*/0,
                  c.body.fp32Flops);
}

static FailureOr<WorkAttr> reductionWork(const OpCounts &c) {
  SmallVector<unsigned> parallel, summed;
  c.op.getParallelDims(parallel);
  c.op.getReductionDims(summed);
  std::optional<int64_t> rows = extent(c, parallel), cols = extent(c, summed);
  if (!rows || !cols)
    return failure();
  RowsProblem problem{*rows, *cols};
  return makeWork(c, KernelFamily::Reduction, InstructionClass::Reduce, problem,
                  /*tensorFlops=*/0, c.body.fp32Flops);
}

FailureOr<WorkAttr> gpucost::computeStructuredWork(LinalgOp op) {
  OpCounts c;
  c.op = op;
  c.ranges = op.getStaticLoopRanges();
  if (llvm::any_of(c.ranges, ShapedType::isDynamic))
    return failure();
  std::optional<int64_t> iterations = checkedProductOf(c.ranges);
  std::optional<BodyCost> body = countBody(*op.getBlock());
  if (!iterations || !body)
    return failure();
  c.iterations = *iterations;
  c.body = *body;
  std::optional<Traffic> traffic =
      countTraffic(op, *iterations, body->gatheredBits);
  if (!traffic)
    return failure();
  c.traffic = *traffic;
  switch (classifyStructuredOp(op)) {
  case CostClass::Contraction:
    return contractionWork(c);
  case CostClass::Convolution:
    return convolutionWork(c);
  case CostClass::Pooling:
    return elementsWork(c, KernelFamily::Pooling, InstructionClass::Pool,
                        /*strided=*/true);
  case CostClass::Reduction:
    return reductionWork(c);
  case CostClass::Elementwise:
    return elementsWork(c, KernelFamily::Elementwise, c.body.instructions,
                        c.traffic.strided);
  case CostClass::DataMovement:
    return elementsWork(c, KernelFamily::DataMovement, InstructionClass::Copy,
                        c.traffic.strided);
  case CostClass::Gather:
    return elementsWork(c, KernelFamily::Embedding, InstructionClass::Gather,
                        /*strided=*/true);
  case CostClass::Metadata:
    c.traffic.bytesRead = c.traffic.bytesWritten = 0;
    return elementsWork(c, KernelFamily::DataMovement, InstructionClass::None,
                        /*strided=*/false);
  default:
    return failure();
  }
}
