//===- WireWalker.cpp - Removes weights from model files ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WireWalker.h"
#include "WireReader.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/ExportAttrs.h"
#include "llvm/ADT/Twine.h"

using namespace gpucost::importer;

namespace {

/// The messages that contain tensors. All others are copied unchanged.
enum class Message : uint8_t {
  Model,
  Graph,
  Node,
  Attribute,
  Tensor,
  SparseTensor,
  Function,
};

/// Handling of a field.
struct Rule {
  enum Action : uint8_t { Copy, Drop, KeepExport, LimitLength, Rewrite } action;
  Message message = Message::Model;
};

/// Field numbers of TensorProto.
enum TensorField : uint32_t {
  DataType = 2,
  Segment = 3,
  FloatData = 4,
  Int32Data = 5,
  StringData = 6,
  Int64Data = 7,
  RawData = 9,
  DoubleData = 10,
  Uint64Data = 11,
};

/// Writes a stripped copy of one file.
class Walker {
public:
  Walker(llvm::StringRef file, const WireLimits &limits, StrippedModel &model)
      : file(file), limits(limits), model(model) {}

  llvm::Error rewrite(Message kind, uint64_t begin, uint64_t end,
                      unsigned graphDepth);

private:
  llvm::Error rewriteNested(Message kind, const WireRecord &record,
                            unsigned graphDepth);
  llvm::Error rewriteTensor(uint64_t begin, uint64_t end);
  llvm::Error count(const WireRecord &record);
  llvm::Expected<bool> isOfExport(const WireRecord &entry) const;
  void copy(const WireRecord &record);
  void appendVarint(uint64_t value);
  /// Starts a length-delimited field; the caller appends its length.
  void appendTag(uint32_t field) {
    appendVarint(static_cast<uint64_t>(field) << 3 | 2);
  }

  llvm::StringRef file;
  const WireLimits &limits;
  StrippedModel &model;
  uint64_t records = 0;
};

} // namespace

static constexpr uint32_t key(Message message, uint32_t field) {
  return static_cast<uint32_t>(message) << 16 | field;
}

/// The field numbers of onnx.proto (IR version 13) that need special handling.
static Rule ruleFor(Message message, uint32_t field) {
  if (field > UINT16_MAX)
    return {Rule::Drop};
  switch (key(message, field)) {
  case key(Message::Model, 7): // graph
    return {Rule::Rewrite, Message::Graph};
  case key(Message::Model, 25): // functions
    return {Rule::Rewrite, Message::Function};
  case key(Message::Model, 14): // metadata_props
    return {Rule::KeepExport};
  case key(Message::Model, 6):  // doc_string
  case key(Message::Model, 20): // training_info
    return {Rule::Drop};
  case key(Message::Graph, 1): // node
    return {Rule::Rewrite, Message::Node};
  case key(Message::Graph, 5): // initializer
    return {Rule::Rewrite, Message::Tensor};
  case key(Message::Graph, 15): // sparse_initializer
    return {Rule::Rewrite, Message::SparseTensor};
  case key(Message::Graph, 10): // doc_string
  case key(Message::Graph, 14): // quantization_annotation
  case key(Message::Graph, 16): // metadata_props
    return {Rule::Drop};
  case key(Message::Node, 5): // attribute
    return {Rule::Rewrite, Message::Attribute};
  case key(Message::Node, 6):  // doc_string
  case key(Message::Node, 9):  // metadata_props
  case key(Message::Node, 10): // device_configurations
    return {Rule::Drop};
  case key(Message::Attribute, 4): // s
  case key(Message::Attribute, 9): // strings
    return {Rule::LimitLength};
  case key(Message::Attribute, 5):  // t
  case key(Message::Attribute, 10): // tensors
    return {Rule::Rewrite, Message::Tensor};
  case key(Message::Attribute, 6):  // g
  case key(Message::Attribute, 11): // graphs
    return {Rule::Rewrite, Message::Graph};
  case key(Message::Attribute, 22): // sparse_tensor
  case key(Message::Attribute, 23): // sparse_tensors
    return {Rule::Rewrite, Message::SparseTensor};
  case key(Message::Attribute, 13): // doc_string
    return {Rule::Drop};
  case key(Message::SparseTensor, 1): // values
  case key(Message::SparseTensor, 2): // indices
    return {Rule::Rewrite, Message::Tensor};
  case key(Message::Function, 7): // node
    return {Rule::Rewrite, Message::Node};
  case key(Message::Function, 11): // attribute_proto
    return {Rule::Rewrite, Message::Attribute};
  case key(Message::Function, 8):  // doc_string
  case key(Message::Function, 14): // metadata_props
    return {Rule::Drop};
  case key(Message::Tensor, 12): // doc_string
  case key(Message::Tensor, 16): // metadata_props
  case key(Message::Tensor, Segment):
    return {Rule::Drop};
  default:
    return {Rule::Copy};
  }
}

static bool isPayload(uint32_t field) {
  switch (field) {
  case FloatData:
  case Int32Data:
  case StringData:
  case Int64Data:
  case RawData:
  case DoubleData:
  case Uint64Data:
    return true;
  default:
    return false;
  }
}

/// Element types of shape computations: int32, int64, bool.
static bool mayDecideShapes(uint64_t dataType) {
  return dataType == 6 || dataType == 7 || dataType == 9;
}

void Walker::appendVarint(uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    model.bytes.push_back(static_cast<char>(value | 0x80));
  model.bytes.push_back(static_cast<char>(value));
}

void Walker::copy(const WireRecord &record) {
  model.bytes.append(file.data() + record.begin, record.end - record.begin);
}

/// Whether a metadata entry is a property that gpucost.export() writes.
llvm::Expected<bool> Walker::isOfExport(const WireRecord &entry) const {
  constexpr uint32_t keyField = 1;
  if (entry.type != WireType::Length)
    return false;
  WireRecord record;
  for (WireReader reader(file, entry.valueBegin, entry.end); !reader.atEnd();) {
    if (llvm::Error error = reader.next(record))
      return std::move(error);
    if (record.field == keyField && record.type == WireType::Length)
      return file.slice(record.valueBegin, record.end)
          .starts_with(gpucost::exportKeyPrefix);
  }
  return false;
}

llvm::Error Walker::count(const WireRecord &record) {
  if (++records > limits.records)
    return wireError(record.begin,
                     "more than " + llvm::Twine(limits.records) + " fields");
  if (model.bytes.size() > limits.outputBytes)
    return wireError(record.begin, "more than " +
                                       llvm::Twine(limits.outputBytes) +
                                       " bytes in addition to the weights");
  return llvm::Error::success();
}

llvm::Error Walker::rewriteNested(Message kind, const WireRecord &record,
                                  unsigned graphDepth) {
  if (kind == Message::Graph && graphDepth++ > limits.graphDepth)
    return wireError(record.begin, "graphs are nested deeper than " +
                                       llvm::Twine(limits.graphDepth) +
                                       " levels");
  if (kind == Message::Node && ++model.nodes > limits.nodes)
    return wireError(record.begin,
                     "more than " + llvm::Twine(limits.nodes) + " nodes");

  // The length is unknown, so a varint padded to five bytes reserves its place.
  appendTag(record.field);
  size_t lengthAt = model.bytes.size();
  model.bytes.append(5, '\0');
  llvm::Error error =
      kind == Message::Tensor
          ? rewriteTensor(record.valueBegin, record.end)
          : rewrite(kind, record.valueBegin, record.end, graphDepth);
  if (error)
    return error;
  uint64_t length = model.bytes.size() - lengthAt - 5;
  for (unsigned i = 0; i < 5; ++i, length >>= 7)
    model.bytes[lengthAt + i] =
        static_cast<char>((length & 0x7f) | (i < 4 ? 0x80 : 0));
  return llvm::Error::success();
}

llvm::Error Walker::rewrite(Message kind, uint64_t begin, uint64_t end,
                            unsigned graphDepth) {
  WireReader reader(file, begin, end);
  WireRecord record;
  while (!reader.atEnd()) {
    if (llvm::Error error = reader.next(record))
      return error;
    if (llvm::Error error = count(record))
      return error;
    Rule rule = ruleFor(kind, record.field);
    bool isLength = record.type == WireType::Length;
    if (rule.action == Rule::Drop)
      continue;
    if (rule.action == Rule::KeepExport) {
      llvm::Expected<bool> keep = isOfExport(record);
      if (!keep)
        return keep.takeError();
      if (!*keep)
        continue;
    }
    if (rule.action == Rule::LimitLength && isLength &&
        record.valueSize() > limits.stringBytes) {
      model.droppedBytes += record.valueSize();
      appendTag(record.field);
      appendVarint(0);
      continue;
    }
    if (rule.action != Rule::Rewrite || !isLength) {
      copy(record);
      continue;
    }
    if (llvm::Error error = rewriteNested(rule.message, record, graphDepth))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Walker::rewriteTensor(uint64_t begin, uint64_t end) {
  // First pass: determine size and type of the payload, which may be split into
  // any number of records.
  uint64_t dataType = 0, payloadBegin = 0, payloadBytes = 0;
  bool hasRaw = false;
  WireRecord record;
  for (WireReader reader(file, begin, end); !reader.atEnd();) {
    if (llvm::Error error = reader.next(record))
      return error;
    if (record.field == DataType && record.type == WireType::Varint)
      dataType = record.varint;
    if (!isPayload(record.field))
      continue;
    if (payloadBytes == 0)
      payloadBegin = record.valueBegin;
    payloadBytes += record.valueSize();
    hasRaw |= record.field == RawData && record.type == WireType::Length;
  }
  uint64_t limit = mayDecideShapes(dataType) ? limits.integerPayloadBytes
                                             : limits.payloadBytes;
  bool drop = payloadBytes > limit;

  for (WireReader reader(file, begin, end); !reader.atEnd();) {
    if (llvm::Error error = reader.next(record))
      return error;
    if (drop && isPayload(record.field))
      continue;
    if (llvm::Error error = count(record))
      return error;
    if (ruleFor(Message::Tensor, record.field).action != Rule::Drop)
      copy(record);
  }
  if (!drop)
    return llvm::Error::success();

  model.droppedBytes += payloadBytes;
  if (hasRaw) {
    appendTag(RawData);
    appendVarint(0);
  }
  // Both offsets take at most ten bytes, so the length fits one byte.
  appendTag(Segment);
  size_t lengthAt = model.bytes.size();
  model.bytes.push_back('\0');
  appendVarint(1 << 3); // begin
  appendVarint(payloadBegin);
  appendVarint(2 << 3); // end
  appendVarint(payloadBegin + payloadBytes);
  model.bytes[lengthAt] = static_cast<char>(model.bytes.size() - lengthAt - 1);
  return llvm::Error::success();
}

llvm::Expected<StrippedModel>
gpucost::importer::stripPayloads(llvm::StringRef file,
                                 const WireLimits &limits) {
  StrippedModel model;
  Walker walker(file, limits, model);
  if (llvm::Error error = walker.rewrite(Message::Model, 0, file.size(), 0))
    return std::move(error);
  if (model.bytes.size() > limits.outputBytes)
    return wireError(file.size(), "more than " +
                                      llvm::Twine(limits.outputBytes) +
                                      " bytes in addition to the weights");
  return model;
}
