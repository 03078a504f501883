//===- Tensors.cpp - ONNX types and small tensors in MLIR -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tensors.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace gpucost;
using namespace gpucost::importer;
using mlir::RankedTensorType;
using mlir::Type;

TensorBuilder::TensorBuilder(mlir::MLIRContext *context,
                             const ImportOptions &options)
    : unknownType(gpucost::onnx::UnknownType::get(context)),
      noneType(gpucost::onnx::NoneType::get(context)),
      stringType(gpucost::onnx::StringType::get(context)), context(context),
      options(options) {}

/// Storage bits of an element in ONNX.
static unsigned getStorageBits(Type type) {
  if (type.isInteger(1))
    return 8;
  if (type.isIntOrFloat())
    return type.getIntOrFloatBitWidth();
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  return 0;
}

llvm::Expected<RankedTensorType>
TensorBuilder::getStaticType(llvm::ArrayRef<int64_t> shape,
                             int32_t dataType) const {
  Type elementType = gpucost::onnx::getElementType(context, dataType);
  if (!elementType)
    return llvm::createStringError("unknown element type " +
                                   llvm::Twine(dataType));
  if (static_cast<int64_t>(shape.size()) > options.maxRank)
    return llvm::createStringError("rank " + llvm::Twine(shape.size()) +
                                   " is above the limit of " +
                                   llvm::Twine(options.maxRank));
  // The size in bits must fit 64 bits, independent of the multiplication order.
  int64_t bits = std::max(getStorageBits(elementType), 1u);
  for (int64_t dim : shape) {
    if (dim < 0)
      return llvm::createStringError("negative dimension " + llvm::Twine(dim));
    if (llvm::MulOverflow(bits, std::max<int64_t>(dim, 1), bits))
      return llvm::createStringError("the size in bits does not fit 64 bits");
  }
  return RankedTensorType::get(shape, elementType);
}

llvm::Expected<RankedTensorType>
TensorBuilder::getType(const pb::TensorProto &tensor) const {
  return getStaticType(
      {tensor.dims().data(), static_cast<size_t>(tensor.dims_size())},
      tensor.data_type());
}

llvm::Expected<RankedTensorType>
TensorBuilder::getType(const pb::SparseTensorProto &tensor) const {
  return getStaticType(
      {tensor.dims().data(), static_cast<size_t>(tensor.dims_size())},
      tensor.values().data_type());
}

llvm::Expected<Type> TensorBuilder::getType(const pb::TypeProto &type) const {
  auto getTensor =
      [&](int32_t dataType, bool hasShape,
          const pb::TensorShapeProto &shape) -> llvm::Expected<Type> {
    Type elementType = gpucost::onnx::getElementType(context, dataType);
    if (!elementType)
      return unknownType;
    if (!hasShape)
      return mlir::UnrankedTensorType::get(elementType);
    if (shape.dim_size() > options.maxRank)
      return llvm::createStringError("rank " + llvm::Twine(shape.dim_size()) +
                                     " is above the limit of " +
                                     llvm::Twine(options.maxRank));
    llvm::SmallVector<int64_t> dims;
    int64_t bits = std::max(getStorageBits(elementType), 1u);
    for (const pb::TensorShapeProto::Dimension &dim : shape.dim()) {
      dims.push_back(dim.dim_value() > 0 ? dim.dim_value()
                                         : mlir::ShapedType::kDynamic);
      if (llvm::MulOverflow(bits, std::max<int64_t>(dim.dim_value(), 1), bits))
        return llvm::createStringError("the size in bits does not fit 64 bits");
    }
    return RankedTensorType::get(dims, elementType);
  };
  switch (type.value_case()) {
  case pb::TypeProto::kTensorType:
    return getTensor(type.tensor_type().elem_type(),
                     type.tensor_type().has_shape(),
                     type.tensor_type().shape());
  case pb::TypeProto::kSparseTensorType:
    return getTensor(type.sparse_tensor_type().elem_type(),
                     type.sparse_tensor_type().has_shape(),
                     type.sparse_tensor_type().shape());
  case pb::TypeProto::kSequenceType: {
    // The parser limits the nesting depth of types.
    auto element = getType(type.sequence_type().elem_type());
    if (!element)
      return element.takeError();
    return gpucost::onnx::SequenceType::get(context, *element);
  }
  case pb::TypeProto::kOptionalType: {
    auto element = getType(type.optional_type().elem_type());
    if (!element)
      return element.takeError();
    return gpucost::onnx::OptionalType::get(context, *element);
  }
  default:
    return unknownType;
  }
}

/// The typed payload of `tensor`, with the element type's number of bytes per
/// entry; 16-bit and narrower types have one element per entry in `int32_data`.
static std::string getTypedPayload(const pb::TensorProto &tensor,
                                   unsigned elementBytes) {
  std::string bytes;
  auto append = [&](const auto &entries, size_t entryBytes) {
    for (auto entry : entries)
      bytes.append(reinterpret_cast<const char *>(&entry), entryBytes);
  };
  append(tensor.float_data(), sizeof(float));
  append(tensor.double_data(), sizeof(double));
  append(tensor.int64_data(), sizeof(int64_t));
  // Supported hosts are little-endian, so the low bytes come first.
  append(tensor.int32_data(), std::min<size_t>(elementBytes, sizeof(int32_t)));
  append(tensor.uint64_data(),
         std::min<size_t>(elementBytes, sizeof(uint64_t)));
  return bytes;
}

/// Unpacks elements of `bits` (2 or 4) bits to one byte each.
static std::string unpack(llvm::StringRef packed, unsigned bits,
                          int64_t elements) {
  std::string bytes;
  unsigned perByte = 8 / bits;
  for (int64_t i = 0; i < elements; ++i)
    bytes.push_back(static_cast<char>(
        packed[i / perByte] >> (i % perByte * bits) & ((1 << bits) - 1)));
  return bytes;
}

llvm::Expected<mlir::DenseElementsAttr>
TensorBuilder::getContents(const pb::TensorProto &tensor, RankedTensorType type,
                           int64_t maxInts) const {
  constexpr mlir::DenseElementsAttr none;
  unsigned bits = getStorageBits(type.getElementType());
  int64_t elements = type.getNumElements();
  if (bits == 0 || tensor.data_location() == pb::TensorProto::EXTERNAL)
    return none;
  // Cannot overflow: elements * bits fits 64 bits, see getStaticType.
  int64_t expectedBytes = llvm::divideCeil(elements * int64_t(bits), 8);
  auto checkLength = [&](int64_t bytes) {
    return bytes == expectedBytes
               ? llvm::Error::success()
               : llvm::createStringError(
                     "expected " + llvm::Twine(expectedBytes) +
                     " bytes of contents, but got " + llvm::Twine(bytes));
  };
  if (tensor.has_segment()) {
    // The wire walker dropped the payload; only raw payloads keep their length.
    if (tensor.has_raw_data())
      if (llvm::Error error =
              checkLength(tensor.segment().end() - tensor.segment().begin()))
        return std::move(error);
    return none;
  }

  std::string typed;
  if (!tensor.has_raw_data())
    typed = getTypedPayload(tensor, std::max(bits / 8, 1u));
  llvm::StringRef payload = tensor.has_raw_data() ? tensor.raw_data() : typed;
  if (payload.empty() && elements != 0)
    return none; // A model without weights.
  if (llvm::Error error = checkLength(payload.size()))
    return std::move(error);

  Type elementType = type.getElementType();
  bool isInt =
      elementType.isInteger(1) || (elementType.isInteger() && bits >= 16);
  int64_t limit = isInt ? maxInts
                  : llvm::isa<mlir::FloatType>(elementType)
                      ? options.maxConstantFloats
                      : 1;
  if (elements > limit)
    return none;
  if (elementType.isInteger(1)) {
    llvm::SmallVector<bool> flags;
    for (char byte : payload)
      flags.push_back(byte != 0);
    return mlir::DenseElementsAttr::get(type, flags);
  }
  std::string unpacked;
  if (bits < 8) {
    unpacked = unpack(payload, bits, elements);
    payload = unpacked;
  }
  llvm::ArrayRef<char> raw(payload.data(), payload.size());
  if (!elements)
    return mlir::DenseElementsAttr::get(type,
                                        llvm::ArrayRef<mlir::Attribute>());
  return mlir::DenseElementsAttr::getFromRawBuffer(type, raw);
}
