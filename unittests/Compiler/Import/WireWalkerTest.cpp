//===- WireWalkerTest.cpp - Payloads go, structure stays ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WireWalker.h"
#include "ModelWriter.h"
#include <gtest/gtest.h>

using namespace gpucost::importer;
using namespace gpucost::wire;

static StrippedModel strip(const std::string &file, WireLimits limits = {}) {
  llvm::Expected<StrippedModel> stripped = stripPayloads(file, limits);
  if (!stripped) {
    ADD_FAILURE() << llvm::toString(stripped.takeError());
    return {};
  }
  return std::move(*stripped);
}

static std::string getError(const std::string &file, WireLimits limits = {}) {
  llvm::Expected<StrippedModel> stripped = stripPayloads(file, limits);
  return stripped ? "" : llvm::toString(stripped.takeError());
}

/// A graph with one initializer that has `payload`.
static std::string withPayload(const std::string &payload, int dataType = 1) {
  return bytes(7, bytes(5, tensor("w", dataType, {1000}) + payload));
}

TEST(WireWalker, RawPayloadLeavesItsPlaceAndLength) {
  std::string file = withPayload(bytes(9, std::string(4000, '\x7f')));
  StrippedModel model = strip(file);
  EXPECT_EQ(model.droppedBytes, 4000u);
  EXPECT_EQ(model.bytes.find('\x7f'), std::string::npos);
  // An empty raw_data, then segment {begin, end}: the payload ends the file.
  std::string left = bytes(9, "") + bytes(3, number(1, file.size() - 4000) +
                                                 number(2, file.size()));
  EXPECT_NE(model.bytes.find(left), std::string::npos);
}

TEST(WireWalker, SmallPayloadStays) {
  std::string payload = bytes(9, std::string(16, '\x7f'));
  StrippedModel model = strip(withPayload(payload));
  EXPECT_EQ(model.droppedBytes, 0u);
  EXPECT_NE(model.bytes.find(payload), std::string::npos);
}

TEST(WireWalker, IntegersThatMayDecideShapesStay) {
  std::string payload = bytes(9, std::string(8000, '\x7f'));
  EXPECT_EQ(strip(withPayload(payload, /*int64=*/7)).droppedBytes, 0u);
  EXPECT_EQ(strip(withPayload(payload, /*bool=*/9)).droppedBytes, 0u);
  EXPECT_EQ(strip(withPayload(payload, /*int8=*/3)).droppedBytes, 8000u);
}

TEST(WireWalker, TypedPayloads) {
  // Packed float_data, double_data, int32_data, int64_data, uint64_data.
  for (unsigned field : {4, 10, 5, 7, 11})
    EXPECT_EQ(
        strip(withPayload(bytes(field, std::string(800, 1)))).droppedBytes,
        800u)
        << "field " << field;
  // One record per element, as old writers do it.
  std::string unpacked;
  for (int i = 0; i < 100; ++i)
    unpacked += floating(4, "abcd");
  StrippedModel model = strip(withPayload(unpacked));
  EXPECT_EQ(model.droppedBytes, 400u);
  EXPECT_EQ(model.bytes.find("abcd"), std::string::npos);
  // string_data.
  EXPECT_EQ(strip(withPayload(bytes(6, std::string(300, 's')), 8)).droppedBytes,
            300u);
}

TEST(WireWalker, TensorsEverywhere) {
  std::string heavy =
      tensor("t", 1, {1000}) + bytes(9, std::string(4000, '\x7f'));
  std::string attribute = bytes(5, bytes(1, "value") + bytes(5, heavy));
  std::string list = bytes(5, bytes(1, "values") + bytes(10, heavy));
  std::string sparse = bytes(1, heavy) + bytes(2, heavy);
  std::string sparseAttribute = bytes(5, bytes(1, "s") + bytes(22, sparse));
  std::string heavyNode =
      node("N", {}, {"y"}, attribute + list + sparseAttribute);
  std::string subgraph =
      bytes(5, bytes(1, "body") + bytes(6, bytes(1, heavyNode)));
  std::string graph = bytes(1, heavyNode) +
                      bytes(1, node("If", {}, {}, subgraph)) + bytes(5, heavy) +
                      bytes(15, sparse);
  std::string file =
      model(graph, bytes(25, function("f", "x", "y", {heavyNode})));
  // Four tensors a node, three nodes; one initializer; one sparse with two.
  StrippedModel stripped = strip(file);
  EXPECT_EQ(stripped.droppedBytes, (4 * 3 + 1 + 2) * 4000u);
  EXPECT_EQ(stripped.bytes.find('\x7f'), std::string::npos);
  EXPECT_EQ(stripped.nodes, 4u);
}

TEST(WireWalker, DocumentationGoes) {
  std::string doc(500, 'd');
  StrippedModel stripped =
      strip(model(bytes(1, node("A", {}, {}, bytes(6, doc))) + bytes(10, doc),
                  bytes(6, doc)));
  EXPECT_EQ(stripped.bytes.find("dd"), std::string::npos);
}

TEST(WireWalker, LongStringAttributeGoes) {
  std::string engine =
      bytes(5, bytes(1, "engine") + bytes(4, std::string(100000, 'e')));
  EXPECT_EQ(strip(model(bytes(1, node("A", {}, {}, engine)))).droppedBytes,
            100000u);
}

/// A graph in a graph in a graph.
static std::string nested(unsigned levels) {
  std::string graph = bytes(1, node("A", {}, {}));
  for (unsigned i = 0; i < levels; ++i)
    graph = bytes(1, node("If", {}, {}, bytes(5, bytes(6, graph))));
  return bytes(7, graph);
}

TEST(WireWalker, NestingIsLimited) {
  EXPECT_EQ(getError(nested(32)), "");
  EXPECT_NE(getError(nested(33)).find("deeper than 32 levels"),
            std::string::npos);
  EXPECT_NE(getError(nested(3000)).find("deeper than 32 levels"),
            std::string::npos);
}

TEST(WireWalker, CountsAreLimited) {
  std::string graph;
  for (int i = 0; i < 100; ++i)
    graph += bytes(1, "");
  WireLimits limits;
  limits.nodes = 99;
  EXPECT_NE(getError(model(graph), limits).find("more than 99 nodes"),
            std::string::npos);
  limits = {};
  limits.records = 50;
  EXPECT_NE(getError(model(graph), limits).find("more than 50 fields"),
            std::string::npos);
  limits = {};
  limits.outputBytes = 50;
  EXPECT_NE(getError(model(graph), limits).find("more than 50 bytes"),
            std::string::npos);
}

TEST(WireWalker, MalformedRecordsHaveAnOffset) {
  // A length past the end, also one that would wrap around.
  EXPECT_EQ(
      getError(number(1, 8) + "\x3a\x05" + "ab"),
      "byte 2: field 7 of 5 bytes runs past the end of its message, where "
      "2 bytes are left");
  EXPECT_NE(getError("\x3a" + varint(UINT64_MAX)).find("byte 0: field 7 of"),
            std::string::npos);
  // A nested length past the end of its parent, though inside the file.
  EXPECT_EQ(getError(bytes(7, "\x0a\x05") + std::string(20, '\0')).substr(0, 7),
            "byte 2:");
  // Numbers: cut off, and too long.
  EXPECT_EQ(getError("\x08\x80"),
            "byte 1: number is cut off by the end of its message");
  EXPECT_EQ(getError("\x08" + std::string(11, '\xff')),
            "byte 1: number is longer than 10 bytes");
  // Field 0, and groups.
  EXPECT_EQ(getError(std::string("\x02\x00", 2)),
            "byte 0: expected a field, but got tag 2");
  EXPECT_EQ(getError("\x0b"), "byte 0: field 1 has unsupported wire type 3");
}

TEST(WireWalker, EmptyFileIsAnEmptyModel) { EXPECT_EQ(strip("").bytes, ""); }
