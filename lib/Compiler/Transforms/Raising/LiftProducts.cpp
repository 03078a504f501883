//===- LiftProducts.cpp - Structured products as operators ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lifting.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;
using linalg::LinalgOp;

/// Whether the body only adds a * b, perhaps of extended numbers, to the
/// result.
static bool multipliesAndAdds(LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || !op.hasPureTensorSemantics() ||
      op.hasDynamicShape())
    return false;
  Block *body = op.getBlock();
  auto sum =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  Value out = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  if (!sum || (sum.getLhs() != out && sum.getRhs() != out))
    return false;
  auto product = (sum.getLhs() == out ? sum.getRhs() : sum.getLhs())
                     .getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  llvm::SmallDenseSet<Value, 2> factors;
  for (Value factor : product->getOperands()) {
    while (auto extension = factor.getDefiningOp<arith::ExtFOp>())
      factor = extension.getIn();
    factors.insert(factor);
  }
  return factors.contains(body->getArgument(0)) &&
         factors.contains(body->getArgument(1)) && factors.size() == 2;
}

/// The format of both inputs; null if it is not one float format.
static Type getFactorType(LinalgOp op) {
  Type type = getElementTypeOrSelf(op->getOperand(0));
  return isa<FloatType>(type) && type == getElementTypeOrSelf(op->getOperand(1))
             ? type
             : Type();
}

/// The dimensions of a value in an order of loops.
static std::optional<SmallVector<int64_t>> orderBy(AffineMap map,
                                                   ArrayRef<unsigned> loops) {
  SmallVector<int64_t> order;
  for (unsigned loop : loops) {
    std::optional<int64_t> at;
    for (auto [i, expression] : llvm::enumerate(map.getResults()))
      if (expression.isFunctionOfDim(loop)) {
        if (at)
          return std::nullopt;
        at = i;
      }
    if (!at)
      return std::nullopt;
    order.push_back(*at);
  }
  return order.size() == map.getNumResults() ? std::optional(order)
                                             : std::nullopt;
}

template <typename... Groups>
static SmallVector<unsigned> join(const Groups &...groups) {
  SmallVector<unsigned> all;
  (all.append(groups.begin(), groups.end()), ...);
  return all;
}

/// The permutation that undoes `order`.
static SmallVector<int64_t> invert(ArrayRef<int64_t> order) {
  SmallVector<int64_t> inverse(order.size());
  for (auto [i, source] : llvm::enumerate(order))
    inverse[source] = i;
  return inverse;
}

/// Whether the accumulator starts at zero.
static bool startsAtZero(LinalgOp op) {
  return getFill(op.getDpsInitOperand(0)->get()) == 0.0;
}

/// The loops of a product in the order in which `map` reads them.
static SmallVector<unsigned> sortBy(ArrayRef<unsigned> loops, AffineMap map) {
  SmallVector<unsigned> sorted;
  for (AffineExpr expression : map.getResults())
    for (unsigned loop : loops)
      if (expression.isFunctionOfDim(loop))
        sorted.push_back(loop);
  return sorted;
}

/// The vector per channel that `value` broadcasts over a result with channels
/// at `channelDim`; null for anything else.
static Value findChannelVector(Value value, int64_t channelDim) {
  auto expand = value.getDefiningOp<onnx::ExpandOp>();
  if (!expand)
    return {};
  auto whole = cast<RankedTensorType>(value.getType());
  Value vector = expand->getOperand(0);
  auto narrow = cast<RankedTensorType>(vector.getType());
  int64_t skipped = whole.getRank() - narrow.getRank();
  for (int64_t i = 0; i < narrow.getRank(); ++i)
    if (narrow.getDimSize(i) !=
        (i + skipped == channelDim ? whole.getDimSize(channelDim) : 1))
      return {};
  if (skipped > channelDim)
    return {};
  while (auto reshape = vector.getDefiningOp<onnx::ReshapeOp>())
    vector = reshape->getOperand(0);
  auto type = cast<RankedTensorType>(vector.getType());
  return type.getRank() == 1 ? vector : Value();
}

/// `value`, whose dimensions follow `map`, in the order of `loops`.
/// Neighbouring dimensions that stay neighbours are merged first, so that a
/// weight with several reduced dimensions is a transposed matrix.
static Value arrange(Value value, AffineMap map, ArrayRef<unsigned> loops,
                     LiftBuilder &builder) {
  ArrayRef<int64_t> sizes = cast<RankedTensorType>(value.getType()).getShape();
  SmallVector<int64_t> places, merged;
  int64_t last = -2;
  for (auto [expression, size] : llvm::zip_equal(map.getResults(), sizes)) {
    unsigned loop = cast<AffineDimExpr>(expression).getPosition();
    int64_t place = llvm::find(loops, loop) - loops.begin();
    if (place == last + 1) {
      merged.back() *= size;
    } else {
      places.push_back(place);
      merged.push_back(size);
    }
    last = place;
  }
  if (llvm::is_sorted(places))
    return value;
  SmallVector<int64_t> permutation;
  for (size_t i = 0; i < places.size(); ++i)
    permutation.push_back(i);
  llvm::sort(permutation,
             [&](int64_t a, int64_t b) { return places[a] < places[b]; });
  return builder.createTranspose(builder.createReshape(value, merged),
                                 permutation);
}

Value raising::liftProduct(LinalgOp op, LiftBuilder &builder) {
  if (!multipliesAndAdds(op) || !getFactorType(op))
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!llvm::all_of(maps,
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return {};
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.empty() || dims->n.empty() || dims->k.empty())
    return {};
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> batch = sortBy(dims->batch, maps[2]),
                        m = sortBy(dims->m, maps[2]),
                        n = sortBy(dims->n, maps[2]),
                        k = sortBy(dims->k, maps[0]);
  auto left = orderBy(maps[0], join(batch, m, k));
  auto right = orderBy(maps[1], join(batch, k, n));
  auto out = orderBy(maps[2], join(batch, m, n));
  if (!left || !right || !out)
    return {};
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value vector;
  if (!startsAtZero(op)) {
    Value init = op.getDpsInitOperand(0)->get();
    vector = findChannelVector(init, type.getRank() - 1);
    // One row that is added to is a vector too.
    if (!vector && type.getRank() && isa<BlockArgument>(init) &&
        type.getNumElements() == type.getShape().back())
      vector = builder.createKnown(init);
    if (!vector)
      return {};
  }
  auto sizesOf = [&](ArrayRef<unsigned> loops) {
    return llvm::map_to_vector(loops,
                               [&](unsigned loop) { return ranges[loop]; });
  };
  auto productOf = [&](ArrayRef<unsigned> loops) {
    int64_t product = 1;
    for (unsigned loop : loops)
      product *= ranges[loop];
    return product;
  };
  // Without a batch, the rows keep their dimensions.
  bool isBatched = productOf(batch) != 1;
  SmallVector<int64_t> leftShape, rightShape;
  if (isBatched)
    leftShape = rightShape = sizesOf(batch);
  SmallVector<int64_t> rows =
      isBatched ? SmallVector<int64_t>{productOf(m)} : sizesOf(m);
  leftShape.append(rows);
  leftShape.push_back(productOf(k));
  rightShape.append({productOf(k), productOf(n)});
  SmallVector<int64_t> productShape(leftShape);
  productShape.back() = productOf(n);
  Value a = builder.createReshape(
      arrange(op->getOperand(0), maps[0], join(batch, m, k), builder),
      leftShape);
  Value b = builder.createReshape(
      arrange(op->getOperand(1), maps[1], join(batch, k, n), builder),
      rightShape);
  Value result = builder.create<onnx::MatMulOp>(
      RankedTensorType::get(productShape, getElementTypeOrSelf(a)), {a, b});
  result = builder.createCast(result, type.getElementType());
  result = builder.createReshape(result, sizesOf(join(batch, m, n)));
  result = builder.createTranspose(result, invert(*out));
  return vector ? builder.create<onnx::AddOp>(type, {result, vector}) : result;
}

namespace {
/// The source of a padding with a neutral number, and its sizes.
struct Padded {
  Value source;
  SmallVector<int64_t> low, high;
};
} // namespace

static Padded findPadding(Value image, bool isLowest = false) {
  auto type = cast<RankedTensorType>(image.getType());
  SmallVector<int64_t> none(type.getRank(), 0);
  auto pad = image.getDefiningOp<tensor::PadOp>();
  Value fill = pad ? pad.getConstantPaddingValue() : Value();
  std::optional<double> number = fill ? getNumber(fill) : std::nullopt;
  bool isNeutral = isLowest ? isMaskValue(number) : number == 0.0;
  if (!isNeutral || !pad.getSourceType().hasStaticShape() ||
      llvm::any_of(pad.getStaticLow(), ShapedType::isDynamic) ||
      llvm::any_of(pad.getStaticHigh(), ShapedType::isDynamic))
    return {image, none, none};
  return {pad.getSource(), SmallVector<int64_t>(pad.getStaticLow()),
          SmallVector<int64_t>(pad.getStaticHigh())};
}

/// Whether a body combines an element of the first input, perhaps in a wider
/// format, with the result and does nothing else.
static bool combinesOnly(LinalgOp op, Operation *combiner) {
  Value out = op.getMatchingBlockArgument(op.getDpsInitOperand(0));
  if (!llvm::is_contained(combiner->getOperands(), out))
    return false;
  Value element = combiner->getOperand(combiner->getOperand(0) == out ? 1 : 0);
  while (auto extension = element.getDefiningOp<arith::ExtFOp>())
    element = extension.getIn();
  return element == op.getBlock()->getArgument(0);
}

/// Whether a sum starts at zero, a maximum at the lowest number.
static bool startsNeutral(LinalgOp op, bool isMax) {
  if (!isMax)
    return startsAtZero(op);
  return isMaskValue(getFill(op.getDpsInitOperand(0)->get()));
}

/// Window sums and maxima. A sum is an LpPool with p = 1, of which a division
/// makes an average.
Value raising::liftPooling(LinalgOp op, LiftBuilder &builder) {
  if (op.getNumDpsInputs() != 2 || !op.hasPureTensorSemantics() ||
      op.hasDynamicShape() || op.getNumReductionLoops() == 0 ||
      op.payloadUsesValueFromOperand(op.getDpsInputOperand(1)))
    return {};
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->batch.size() != 2 || !dims->depth.empty() ||
      dims->outputImage.empty() ||
      dims->outputImage.size() != dims->filterLoop.size())
    return {};
  Operation *combiner =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  bool isMax = isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(combiner);
  if ((!isMax && !isa_and_nonnull<arith::AddFOp>(combiner)) ||
      !combinesOnly(op, combiner) || !startsNeutral(op, isMax))
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto image = orderBy(maps[0], join(dims->batch, dims->outputImage));
  auto out = orderBy(maps[2], join(dims->batch, dims->outputImage));
  if (!image || !out)
    return {};
  Padded padded = findPadding(op->getOperand(0), isMax);
  SmallVector<int64_t> pads, window, shape;
  for (const auto *side : {&padded.low, &padded.high})
    for (int64_t dim : ArrayRef(*image).drop_front(2))
      pads.push_back((*side)[dim]);
  for (unsigned loop : dims->filterLoop)
    window.push_back(ranges[loop]);
  for (unsigned loop : join(dims->batch, dims->outputImage))
    shape.push_back(ranges[loop]);
  for (int64_t dim : ArrayRef(*image).take_front(2))
    if (padded.low[dim] || padded.high[dim])
      return {};
  Value in = builder.createTranspose(padded.source, *image);
  auto type = RankedTensorType::get(shape, getElementTypeOrSelf(in));
  NamedAttribute attributes[] = {
      builder.integers("kernel_shape", window), builder.integers("pads", pads),
      builder.integers("strides", dims->strides),
      builder.integers("dilations", dims->dilations), builder.integer("p", 1)};
  Value result = isMax ? builder.create<onnx::MaxPoolOp>(
                             type, in, ArrayRef(attributes).drop_back())
                       : builder.create<onnx::LpPoolOp>(type, in, attributes);
  result = builder.createCast(result,
                              getElementTypeOrSelf(op->getResult(0).getType()));
  return builder.createTranspose(result, invert(*out));
}

/// A convolution of an image with zeros between its elements: the gradient form
/// that front ends lower transposed convolutions to. Null for other images.
static Value liftTransposedConvolution(LinalgOp op, ArrayRef<int64_t> filter,
                                       LiftBuilder &builder) {
  auto spread = op->getOperand(0).getDefiningOp<tensor::InsertSliceOp>();
  if (!spread || !(getFill(spread.getDest()) == 0.0) ||
      spread.getSourceType().getRank() != spread.getDestType().getRank() ||
      llvm::any_of(spread.getStaticOffsets(), ShapedType::isDynamic) ||
      llvm::any_of(spread.getStaticStrides(), ShapedType::isDynamic))
    return {};
  Value x = spread.getSource();
  auto out = cast<RankedTensorType>(op->getResult(0).getType());
  ArrayRef<int64_t> kernel =
      cast<RankedTensorType>(op->getOperand(1).getType()).getShape();
  ArrayRef<int64_t> in = spread.getSourceType().getShape();
  SmallVector<int64_t> strides, low, high, window;
  for (int64_t dim = 2, rank = out.getRank(); dim < rank; ++dim) {
    int64_t size = kernel[filter[dim]], stride = spread.getStaticStrides()[dim];
    int64_t begin = size - 1 - spread.getStaticOffsets()[dim];
    int64_t end = (in[dim] - 1) * stride + size - begin - out.getDimSize(dim);
    if (begin < 0 || end < 0)
      return {};
    strides.push_back(stride);
    window.push_back(size);
    low.push_back(begin);
    high.push_back(end);
  }
  if (llvm::all_of(strides, [](int64_t stride) { return stride == 1; }))
    return {};
  low.append(high);
  // [filters, channels, window] as [channels, filters, window].
  SmallVector<int64_t> order(filter);
  std::swap(order[0], order[1]);
  SmallVector<Value> operands = {
      x, builder.createTranspose(op->getOperand(1), order)};
  if (!startsAtZero(op)) {
    Value vector = findChannelVector(op.getDpsInitOperand(0)->get(), 1);
    if (!vector)
      return {};
    operands.push_back(vector);
  }
  auto type = out.clone(getElementTypeOrSelf(x));
  Value result = builder.create<onnx::ConvTransposeOp>(
      type, operands,
      {builder.integer("group", 1), builder.integers("kernel_shape", window),
       builder.integers("pads", low), builder.integers("strides", strides)});
  return builder.createCast(result, out.getElementType());
}

Value raising::liftConvolution(LinalgOp op, LiftBuilder &builder) {
  if (!multipliesAndAdds(op) || !getFactorType(op))
    return {};
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->batch.size() != 1 || dims->depth.size() > 1 ||
      dims->inputChannel.size() > 1 || dims->outputChannel.size() > 1 ||
      dims->outputImage.empty() ||
      dims->outputImage.size() != dims->filterLoop.size() ||
      dims->strides.size() != dims->outputImage.size() ||
      dims->dilations.size() != dims->outputImage.size())
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  auto image = orderBy(maps[0], join(dims->batch, dims->depth,
                                     dims->inputChannel, dims->outputImage));
  auto filter = orderBy(maps[1], join(dims->depth, dims->outputChannel,
                                      dims->inputChannel, dims->filterLoop));
  auto out = orderBy(maps[2], join(dims->batch, dims->depth,
                                   dims->outputChannel, dims->outputImage));
  if (!image || !filter || !out)
    return {};
  auto sizeOf = [&](ArrayRef<unsigned> loops) {
    return loops.empty() ? 1 : ranges[loops[0]];
  };
  int64_t groups = sizeOf(dims->depth);
  auto isOne = [](int64_t number) { return number == 1; };
  if (groups == 1 && dims->inputChannel.size() == 1 &&
      llvm::all_of(dims->strides, isOne) &&
      llvm::all_of(dims->dilations, isOne) && llvm::is_sorted(*image) &&
      llvm::is_sorted(*out))
    if (Value result = liftTransposedConvolution(op, *filter, builder))
      return result;
  int64_t channels = groups * sizeOf(dims->inputChannel);
  int64_t filters = groups * sizeOf(dims->outputChannel);
  size_t leading = image->size() - dims->outputImage.size();

  Padded padded = findPadding(op->getOperand(0));
  SmallVector<int64_t> pads;
  for (const auto *side : {&padded.low, &padded.high})
    for (int64_t dim : ArrayRef(*image).drop_front(leading))
      pads.push_back((*side)[dim]);
  for (int64_t dim : ArrayRef(*image).take_front(leading))
    if (padded.low[dim] || padded.high[dim])
      return {};
  Value in = builder.createTranspose(padded.source, *image);
  SmallVector<int64_t> imageShape{ranges[dims->batch[0]], channels};
  llvm::append_range(
      imageShape,
      cast<RankedTensorType>(in.getType()).getShape().drop_front(leading));
  in = builder.createReshape(in, imageShape);
  Value weight = builder.createTranspose(op->getOperand(1), *filter);
  SmallVector<int64_t> filterShape{filters, sizeOf(dims->inputChannel)};
  for (unsigned loop : dims->filterLoop)
    filterShape.push_back(ranges[loop]);
  weight = builder.createReshape(weight, filterShape);

  SmallVector<Value> operands = {in, weight};
  size_t outLeading = out->size() - dims->outputImage.size();
  if (!startsAtZero(op)) {
    Value vector =
        outLeading == 2
            ? findChannelVector(op.getDpsInitOperand(0)->get(), (*out)[1])
            : Value();
    if (!vector)
      return {};
    operands.push_back(vector);
  }
  SmallVector<int64_t> outShape{ranges[dims->batch[0]], filters};
  for (unsigned loop : dims->outputImage)
    outShape.push_back(ranges[loop]);
  Value result = builder.create<onnx::ConvOp>(
      RankedTensorType::get(outShape, getElementTypeOrSelf(in)), operands,
      {builder.integers("dilations", dims->dilations),
       builder.integer("group", groups),
       builder.integers("kernel_shape", ArrayRef(filterShape).drop_front(2)),
       builder.integers("pads", pads),
       builder.integers("strides", dims->strides)});
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  result = builder.createCast(result, type.getElementType());
  SmallVector<int64_t> split;
  for (int64_t dim : *out)
    split.push_back(type.getDimSize(dim));
  result = builder.createReshape(result, split);
  return builder.createTranspose(result, invert(*out));
}
