//===- AnnotateTest.cpp - Metadata for ONNX files -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelWriter.h"
#include "gpucost/Compiler/Import/OnnxAnnotate.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::wire;

static std::string entry(unsigned field, const std::string &key,
                         const std::string &value) {
  return bytes(field, bytes(1, key) + bytes(2, value));
}

/// `file` with the entry "p.at = graph:index" of each node but `skipped`.
static std::string annotate(const std::string &file,
                            const std::string &model = "m",
                            uint32_t skipped = ~0u) {
  auto ofNode = [&](OnnxPosition at) -> OnnxProperties {
    if (at.index == skipped)
      return {};
    return {{"at", std::to_string(at.graph) + ":" + std::to_string(at.index)}};
  };
  OnnxAnnotations annotations{"p.", {{"total", model}}, ofNode};
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::Error error = annotateOnnx(file, annotations, os);
  return error ? llvm::toString(std::move(error)) : text;
}

TEST(Annotate, EntriesFollowWhatIsThere) {
  std::string relu = node("Relu", {"x"}, {"y"});
  std::string file = model(bytes(1, relu));
  std::string noted = bytes(1, relu + entry(9, "p.at", "0:0"));
  EXPECT_EQ(annotate(file), model(noted, entry(14, "p.total", "m")));
}

TEST(Annotate, UnknownFieldsAndForeignEntriesStay) {
  std::string odd =
      number(1000, 7) + floating(77, "abcd") + entry(9, "other.at", "kept");
  std::string relu = node("Relu", {"x"}, {"y"}, odd);
  std::string file = model(bytes(1, relu) + bytes(99, "kept"), odd);
  EXPECT_EQ(annotate(file),
            model(bytes(1, relu + entry(9, "p.at", "0:0")) + bytes(99, "kept"),
                  odd + entry(14, "p.total", "m")));
}

TEST(Annotate, AgainReplacesItsOwn) {
  std::string file = model(bytes(1, node("Relu", {"x"}, {"y"})) +
                           bytes(1, node("Relu", {"y"}, {"z"})));
  std::string first = annotate(file, "one");
  EXPECT_EQ(annotate(first, "one"), first);
  EXPECT_EQ(annotate(first, "another"), annotate(file, "another"));
  // Entries that are not written any more are removed.
  EXPECT_EQ(annotate(first, "one", 1), annotate(file, "one", 1));
}

TEST(Annotate, SubgraphsAreNumbered) {
  auto branch = [](const std::string &name, const std::string &nodes) {
    return bytes(5, bytes(1, name) + bytes(6, nodes));
  };
  std::string inner = bytes(1, node("Neg", {}, {"i"}));
  std::string nested =
      bytes(1, node("If", {"c"}, {"n"}, branch("then_branch", inner)));
  std::string file = model(bytes(1, node("Relu", {}, {"a"})) +
                           bytes(1, node("If", {"c"}, {"b"},
                                         branch("then_branch", nested) +
                                             branch("else_branch", inner))));
  std::vector<std::string> found;
  llvm::Error error = visitOnnxNodes(
      file, [&](OnnxPosition at, llvm::ArrayRef<llvm::StringRef> outputs) {
        found.push_back(std::to_string(at.graph) + ":" +
                        std::to_string(at.index) + " " + outputs[0].str());
      });
  ASSERT_FALSE(bool(error));
  EXPECT_EQ(found, (std::vector<std::string>{"0:0 a", "2:0 i", "1:0 n", "3:0 i",
                                             "0:1 b"}));
  EXPECT_NE(annotate(file).find("3:0"), std::string::npos);
}

TEST(Annotate, LongLengthsGrow) {
  // 120 bytes have a length of one byte, with an entry two.
  std::string relu = node("Relu", {"x"}, {std::string(110, 'y')});
  ASSERT_LT(relu.size(), 128u);
  std::string noted = relu + entry(9, "p.at", "0:0");
  ASSERT_GT(noted.size(), 128u);
  EXPECT_EQ(annotate(model(bytes(1, relu))),
            model(bytes(1, noted), entry(14, "p.total", "m")));
}

TEST(Annotate, MalformedFilesAreErrors) {
  std::string file = model(bytes(1, node("Relu", {"x"}, {"y"})));
  EXPECT_NE(annotate(file.substr(0, file.size() - 1)).find("byte "),
            std::string::npos);
  std::string deep;
  for (int i = 0; i < 200; ++i)
    deep = bytes(1, bytes(5, bytes(6, deep)));
  EXPECT_NE(annotate(model(deep)).find("nested too deep"), std::string::npos);
}
