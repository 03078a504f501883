//===- Annotate.cpp - Metadata for ONNX files -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Edits are replacements of byte ranges in file order: removed entries, added
// entries, and the lengths of the enclosing messages.
//
//===----------------------------------------------------------------------===//

#include "WireReader.h"
#include "WireWalker.h"
#include "gpucost/Compiler/Import/OnnxAnnotate.h"

using namespace gpucost;
using namespace gpucost::importer;
using llvm::StringRef;

namespace {

/// The messages that contain nodes.
enum class Message : uint8_t { Model, Graph, Node, Attribute };

/// Field numbers of onnx.proto (IR version 13).
namespace field {
static constexpr uint32_t modelGraph = 7, modelMetadata = 14, graphNode = 1,
                          nodeOutput = 2, nodeAttribute = 5, nodeMetadata = 9,
                          attributeGraph = 6, attributeGraphs = 11,
                          entryKey = 1, entryValue = 2;
} // namespace field

/// Replaces the bytes [begin, end) of the file with `text`.
struct Edit {
  uint64_t begin = 0, end = 0;
  std::string text;
};

class Annotator {
public:
  Annotator(StringRef file, const OnnxAnnotations &annotations)
      : file(file), annotations(annotations) {}

  llvm::Error run() {
    return edit(Message::Model, 0, file.size(), {}, 0).takeError();
  }
  void write(llvm::raw_ostream &os) const;

private:
  /// Creates the edits of the message in [begin, end); returns its growth.
  llvm::Expected<int64_t> edit(Message kind, uint64_t begin, uint64_t end,
                               OnnxPosition position, unsigned depth);
  llvm::Expected<int64_t> editNested(Message kind, const WireRecord &record,
                                     OnnxPosition position, unsigned depth);
  llvm::Expected<bool> isOwn(const WireRecord &entry) const;
  int64_t addEntries(uint32_t field, const OnnxProperties &properties,
                     uint64_t at);

  StringRef file;
  const OnnxAnnotations &annotations;
  std::vector<Edit> edits;
  uint32_t graphs = 0;
};

} // namespace

static std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7)
    bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

static std::string lengthField(uint32_t number, StringRef content) {
  return varint(static_cast<uint64_t>(number) << 3 | 2) +
         varint(content.size()) + content.str();
}

/// Offset of a record's length: after its tag.
static uint64_t lengthOf(StringRef file, const WireRecord &record) {
  uint64_t at = record.begin;
  while (static_cast<uint8_t>(file[at]) >= 0x80)
    ++at;
  return at + 1;
}

/// The message in a field, if it contains nodes.
static std::optional<Message> nestedIn(Message kind, uint32_t number) {
  switch (kind) {
  case Message::Model:
    return number == field::modelGraph ? std::optional(Message::Graph)
                                       : std::nullopt;
  case Message::Graph:
    return number == field::graphNode ? std::optional(Message::Node)
                                      : std::nullopt;
  case Message::Node:
    return number == field::nodeAttribute ? std::optional(Message::Attribute)
                                          : std::nullopt;
  case Message::Attribute:
    return number == field::attributeGraph || number == field::attributeGraphs
               ? std::optional(Message::Graph)
               : std::nullopt;
  }
  return std::nullopt;
}

/// The field number of metadata entries; 0 without entries of this tool.
static uint32_t metadataOf(Message kind) {
  return kind == Message::Model  ? field::modelMetadata
         : kind == Message::Node ? field::nodeMetadata
                                 : 0;
}

/// Whether an entry is from an earlier run.
llvm::Expected<bool> Annotator::isOwn(const WireRecord &entry) const {
  WireRecord record;
  for (WireReader reader(file, entry.valueBegin, entry.end); !reader.atEnd();) {
    if (llvm::Error error = reader.next(record))
      return std::move(error);
    if (record.field == field::entryKey && record.type == WireType::Length)
      return file.slice(record.valueBegin, record.end)
          .starts_with(annotations.prefix);
  }
  return false;
}

int64_t Annotator::addEntries(uint32_t field, const OnnxProperties &properties,
                              uint64_t at) {
  std::string text;
  for (const auto &[key, value] : properties)
    text += lengthField(field,
                        lengthField(field::entryKey, annotations.prefix + key) +
                            lengthField(field::entryValue, value));
  auto size = static_cast<int64_t>(text.size());
  if (size > 0)
    edits.push_back({at, at, std::move(text)});
  return size;
}

llvm::Expected<int64_t> Annotator::editNested(Message kind,
                                              const WireRecord &record,
                                              OnnxPosition position,
                                              unsigned depth) {
  if (depth > WireLimits().graphDepth * 3 + 3)
    return wireError(record.begin, "graphs are nested too deep");
  // The length precedes the contents.
  uint64_t lengthBegin = lengthOf(file, record);
  size_t slot = edits.size();
  edits.emplace_back();
  auto growth = edit(kind, record.valueBegin, record.end, position, depth + 1);
  if (!growth)
    return growth.takeError();
  if (*growth == 0 && edits.size() == slot + 1) {
    edits.pop_back();
    return 0;
  }
  std::string length = varint(static_cast<uint64_t>(
      static_cast<int64_t>(record.valueSize()) + *growth));
  int64_t more = static_cast<int64_t>(length.size()) -
                 static_cast<int64_t>(record.valueBegin - lengthBegin);
  edits[slot] = {lengthBegin, record.valueBegin, std::move(length)};
  return *growth + more;
}

llvm::Expected<int64_t> Annotator::edit(Message kind, uint64_t begin,
                                        uint64_t end, OnnxPosition position,
                                        unsigned depth) {
  int64_t growth = 0;
  uint32_t nodes = 0, metadata = metadataOf(kind);
  WireRecord record;
  for (WireReader reader(file, begin, end); !reader.atEnd();) {
    if (llvm::Error error = reader.next(record))
      return std::move(error);
    if (record.type != WireType::Length)
      continue;
    if (metadata != 0 && record.field == metadata) {
      llvm::Expected<bool> own = isOwn(record);
      if (!own)
        return own.takeError();
      if (*own) {
        edits.push_back({record.begin, record.end, ""});
        growth -= static_cast<int64_t>(record.end - record.begin);
      }
      continue;
    }
    std::optional<Message> nested = nestedIn(kind, record.field);
    if (!nested)
      continue;
    OnnxPosition inner = position;
    if (*nested == Message::Node)
      inner.index = nodes++;
    else if (kind == Message::Attribute)
      inner = {++graphs, 0};
    auto more = editNested(*nested, record, inner, depth);
    if (!more)
      return more.takeError();
    growth += *more;
  }
  if (kind == Message::Model)
    growth += addEntries(metadata, annotations.model, end);
  else if (kind == Message::Node)
    growth += addEntries(metadata, annotations.ofNode(position), end);
  return growth;
}

void Annotator::write(llvm::raw_ostream &os) const {
  uint64_t at = 0;
  for (const Edit &edit : edits) {
    os << file.slice(at, edit.begin) << edit.text;
    at = edit.end;
  }
  os << file.substr(at);
}

llvm::Error gpucost::annotateOnnx(StringRef file,
                                  const OnnxAnnotations &annotations,
                                  llvm::raw_ostream &os) {
  Annotator annotator(file, annotations);
  if (llvm::Error error = annotator.run())
    return error;
  annotator.write(os);
  return llvm::Error::success();
}

using VisitOutputs =
    llvm::function_ref<void(OnnxPosition, llvm::ArrayRef<StringRef>)>;

static llvm::Error visitMessage(StringRef file, Message kind, uint64_t begin,
                                uint64_t end, OnnxPosition position,
                                unsigned depth, uint32_t &graphs,
                                VisitOutputs visit) {
  if (depth > WireLimits().graphDepth * 3 + 3)
    return wireError(begin, "graphs are nested too deep");
  uint32_t nodes = 0;
  std::vector<StringRef> outputs;
  WireRecord record;
  for (WireReader reader(file, begin, end); !reader.atEnd();) {
    if (llvm::Error error = reader.next(record))
      return error;
    if (record.type != WireType::Length)
      continue;
    if (kind == Message::Node && record.field == field::nodeOutput)
      outputs.push_back(file.slice(record.valueBegin, record.end));
    std::optional<Message> nested = nestedIn(kind, record.field);
    if (!nested)
      continue;
    OnnxPosition inner = position;
    if (*nested == Message::Node)
      inner.index = nodes++;
    else if (kind == Message::Attribute)
      inner = {++graphs, 0};
    if (llvm::Error error =
            visitMessage(file, *nested, record.valueBegin, record.end, inner,
                         depth + 1, graphs, visit))
      return error;
  }
  if (kind == Message::Node)
    visit(position, outputs);
  return llvm::Error::success();
}

llvm::Error gpucost::visitOnnxNodes(StringRef file, VisitOutputs visit) {
  uint32_t graphs = 0;
  return visitMessage(file, Message::Model, 0, file.size(), {}, 0, graphs,
                      visit);
}
