//===- OnnxImportTest.cpp - Paths and files that are no models ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// test/Import tests the imported IR; these tests need the API.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Import/OnnxImport.h"
#include "ModelWriter.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace gpucost;
using namespace gpucost::wire;

namespace {

class OnnxImport : public ::testing::Test {
protected:
  std::string importPath(llvm::StringRef path) {
    auto module = importOnnx(context, path);
    return module ? "" : llvm::toString(module.takeError());
  }
  std::string importBytes(llvm::StringRef contents) {
    auto module = importOnnxBuffer(context, contents, "m.onnx");
    return module ? "" : llvm::toString(module.takeError());
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

} // namespace

TEST_F(OnnxImport, Paths) {
  EXPECT_EQ(
      importPath("/nowhere/m.onnx"),
      "/nowhere/m.onnx: cannot open the model: No such file or directory");
  EXPECT_EQ(importPath("/"), "/: cannot open the model: it is a directory");
  EXPECT_EQ(importPath("/dev/zero"),
            "/dev/zero: cannot open the model: it is not a regular file");
}

TEST_F(OnnxImport, FilesThatAreNoModels) {
  EXPECT_EQ(importBytes(""), "m.onnx: the file is empty");
  EXPECT_NE(importBytes("version https://git-lfs.github.com/spec/v1\n")
                .find("the file is a Git LFS pointer"),
            std::string::npos);
  EXPECT_NE(importBytes("<html>no such page</html>").find("the file is text"),
            std::string::npos);
  EXPECT_NE(
      importBytes("PK\x03\x04" + std::string(30, '\0')).find("zip archive"),
      std::string::npos);
  EXPECT_EQ(importBytes(number(1, 8)),
            "m.onnx: not an ONNX model: it has no graph");
  EXPECT_EQ(
      importBytes(number(1, 1u << 20) + bytes(7, "")),
      "m.onnx: expected an IR version between 1 and 1000, but got 1048576");
}

// A single file of 3 GiB, mostly a hole that must not be read.
TEST_F(OnnxImport, MoreThanTwoGigabytes) {
  constexpr uint64_t payload = 3ull << 30;
  std::string header = tensor("w", 1, {payload / 4});
  std::string rawTag = varint(9 << 3 | 2) + varint(payload);
  uint64_t tensorSize = header.size() + rawTag.size() + payload;
  std::string rest =
      bytes(1, node("Neg", {"w"}, {"y"})) + bytes(12, bytes(1, "y"));
  std::string initializer = varint(5 << 3 | 2) + varint(tensorSize);
  uint64_t graphSize = rest.size() + initializer.size() + tensorSize;
  std::string start = number(1, 8) + bytes(8, number(2, 17)) +
                      varint(7 << 3 | 2) + varint(graphSize) + rest +
                      initializer + header + rawTag;

  llvm::SmallString<128> path;
  int file;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("gpucost-large", "onnx", file, path));
  llvm::FileRemover remover(path);
  {
    llvm::raw_fd_ostream stream(file, /*shouldClose=*/true);
    stream << start;
  }
  ASSERT_FALSE(llvm::sys::fs::openFileForWrite(path, file,
                                               llvm::sys::fs::CD_OpenExisting));
  std::error_code error =
      llvm::sys::fs::resize_file_sparse(file, start.size() + payload);
  llvm::sys::fs::closeFile(file);
  if (error)
    GTEST_SKIP() << "no room for a sparse file: " << error.message();
  EXPECT_EQ(importPath(path), "");
}

// The name that diagnostics show is the node's; file and node index are below
// it.
TEST_F(OnnxImport, Locations) {
  std::string call =
      node("f", {"x"}, {"y"}, bytes(3, "call") + bytes(7, "local"));
  std::string named = node("Relu", {"y"}, {"z"}, bytes(3, "block/relu"));
  auto module = importOnnxBuffer(
      context,
      model(bytes(11, valueInfo("x", {2})) + bytes(1, call) + bytes(1, named),
            bytes(25, function("f", "a", "b", {node("Neg", {"a"}, {"b"})}))),
      "m.onnx");
  ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
  std::vector<std::string> locations;
  (**module).walk([&](mlir::Operation *op) {
    if (op->getName().getDialectNamespace() != "onnx")
      return;
    locations.emplace_back();
    llvm::raw_string_ostream(locations.back()) << op->getLoc();
  });
  ASSERT_EQ(locations.size(), 2u);
  EXPECT_EQ(locations[0],
            R"(loc(callsite("Neg_0"("m.onnx":0:0) at "call"("m.onnx":0:0))))");
  EXPECT_EQ(locations[1], R"(loc("block/relu"("m.onnx":1:0)))");
}

// Reports only need the names of nodes and outputs.
TEST_F(OnnxImport, WithoutOrigins) {
  ImportOptions options;
  options.keepOrigins = false;
  std::string nodes = bytes(1, node("Neg", {"x"}, {"y"})) +
                      bytes(1, node("Relu", {"y"}, {"z"})) +
                      bytes(12, bytes(1, "z"));
  auto module =
      importOnnxBuffer(context, model(bytes(11, valueInfo("x", {2})) + nodes),
                       "m.onnx", options);
  ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
  std::vector<std::string> lines;
  (**module).walk([&](mlir::Operation *op) {
    if (op->getName().getDialectNamespace() != "onnx")
      return;
    lines.emplace_back();
    llvm::raw_string_ostream(lines.back())
        << op->getAttr("onnx.values") << ' ' << op->getLoc();
  });
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], R"(<<NULL ATTRIBUTE>> loc("Neg_0"("m.onnx":0:0)))");
  EXPECT_EQ(lines[1], R"(["z"] loc("Relu_1"("m.onnx":0:0)))");
}
