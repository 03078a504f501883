//===- ElementTypes.cpp - Sizes and formats of element types --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Interfaces/CastInterfaces.h"

using namespace mlir;
using namespace gpucost;

std::optional<int64_t> gpucost::storedBits(Type elementType) {
  if (auto integer = dyn_cast<IntegerType>(elementType))
    return integer.getWidth() == 1 ? 8 : integer.getWidth();
  if (elementType.isBF16() || elementType.isF16())
    return 16;
  if (elementType.isF32())
    return 32;
  if (auto floating = dyn_cast<FloatType>(elementType))
    return floating.getWidth();
  if (auto complex = dyn_cast<ComplexType>(elementType)) {
    std::optional<int64_t> bits = storedBits(complex.getElementType());
    return bits ? std::optional<int64_t>(2 * *bits) : std::nullopt;
  }
  if (isa<IndexType>(elementType))
    return 64;
  return std::nullopt;
}

NumericFormat gpucost::formatOf(Type elementType) {
  if (elementType.isBF16())
    return NumericFormat::BF16;
  if (elementType.isF16())
    return NumericFormat::FP16;
  if (elementType.isF64())
    return NumericFormat::FP64;
  if (auto floating = dyn_cast<FloatType>(elementType)) {
    if (floating.getWidth() > 8)
      return NumericFormat::FP32;
    llvm::SmallString<16> text;
    llvm::raw_svector_ostream(text) << elementType;
    for (const FormatInfo &info : formatInfos)
      if (info.type == std::string_view(text.data(), text.size()))
        return info.format;
    return NumericFormat::FP8;
  }
  if (auto integer = dyn_cast<IntegerType>(elementType))
    if (integer.getWidth() <= 8 && integer.getWidth() > 1)
      return NumericFormat::INT8;
  return NumericFormat::FP32;
}

Type gpucost::elementTypeOf(MLIRContext *context, NumericFormat format) {
  return parseType(infoOf(format).type, context);
}

bool gpucost::hasDynamicSize(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() && !shaped.hasStaticShape();
}

bool gpucost::isFloatScalar(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0 &&
         isa<FloatType>(tensor.getElementType());
}

std::optional<int64_t> gpucost::elementCount(Type type) {
  // Fast path for ranked tensors, because interface lookups are slow.
  if (auto tensor = dyn_cast_or_null<RankedTensorType>(type))
    return tensor.hasStaticShape() ? checkedProductOf(tensor.getShape())
                                   : std::nullopt;
  auto shaped = dyn_cast_or_null<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape())
    return std::nullopt;
  return checkedProductOf(shaped.getShape());
}

std::optional<int64_t> gpucost::byteCount(Type type) {
  std::optional<int64_t> elements = elementCount(type);
  if (!elements)
    return std::nullopt;
  std::optional<int64_t> bits =
      storedBits(cast<ShapedType>(type).getElementType());
  if (!bits)
    return std::nullopt;
  std::optional<int64_t> total = checkedProduct({*elements, *bits});
  if (!total)
    return std::nullopt;
  return (*total + 7) / 8;
}

std::optional<int64_t> gpucost::storageBytes(Value value) {
  std::optional<int64_t> bytes = byteCount(value.getType());
  // A cast may hide the sizes of its operand.
  if (!bytes && isa<ShapedType>(value.getType()))
    if (auto cast = value.getDefiningOp<CastOpInterface>();
        cast && cast->getNumOperands() == 1) {
      value = cast->getOperand(0);
      bytes = byteCount(value.getType());
    }
  // Views come in short chains; the limit guards against malicious depth.
  for (int depth = 0; bytes && depth < 64; ++depth) {
    auto view = dyn_cast_or_null<WorkOpInterface>(value.getDefiningOp());
    if (!view || view.getCostClass() != CostClass::View ||
        view->getNumOperands() == 0)
      break;
    value = view->getOperand(0);
    if (std::optional<int64_t> behind = byteCount(value.getType()))
      bytes = std::min(*bytes, *behind);
  }
  return bytes;
}
