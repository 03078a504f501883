//===- HostileModelTest.cpp - Broken files give errors, not crashes -------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelWriter.h"
#include "gpucost/Compiler/Import/OnnxImport.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include <gtest/gtest.h>

using namespace gpucost;
using namespace gpucost::wire;

namespace {

class HostileModel : public ::testing::Test {
protected:
  /// The error of importing `file`; empty if it is fine and verifies.
  std::string import(const std::string &file,
                     const ImportOptions &options = {}) {
    auto module = importOnnxBuffer(context, file, "m.onnx", options);
    if (!module)
      return llvm::toString(module.takeError());
    return mlir::succeeded(mlir::verify(**module)) ? "" : "does not verify";
  }
  void expectError(const std::string &file, const std::string &text,
                   const ImportOptions &options = {}) {
    std::string error = import(file, options);
    EXPECT_NE(error.find(text), std::string::npos) << error;
    EXPECT_EQ(error.substr(0, 8), "m.onnx: ");
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

/// A small model that has everything: input, weights inline and sparse,
/// attributes of all kinds, a subgraph with a capture, a function, value_info.
std::string makeModel() {
  std::string attributes =
      bytes(5, bytes(1, "i") + number(3, 5) + number(20, 2)) +
      bytes(5, bytes(1, "f") + floating(2, "abcd") + number(20, 1)) +
      bytes(5, bytes(1, "s") + bytes(4, "text\xff") + number(20, 3)) +
      bytes(5, bytes(1, "ints") + number(8, 1) + number(8, 2) + number(20, 7)) +
      bytes(5, bytes(1, "floats") + floating(7, "abcd") + number(20, 6)) +
      bytes(5, bytes(1, "strings") + bytes(9, "a") + number(20, 8)) +
      bytes(5, bytes(1, "tensor") +
                   bytes(5, tensor("", 7, {2}) + bytes(7, "\x01\x02")) +
                   number(20, 4)) +
      bytes(5, bytes(1, "type") + bytes(14, bytes(1, number(1, 1))));
  std::string branch =
      bytes(1, node("Relu", {"h"}, {"b"})) + bytes(12, bytes(1, "b"));
  std::string graph =
      bytes(11, valueInfo("x", {2, 3})) + bytes(12, valueInfo("y", {2, 3})) +
      bytes(13, valueInfo("h", {2, 3})) +
      bytes(5, tensor("w", 1, {3}) + bytes(9, std::string(12, '\x01'))) +
      bytes(5, tensor("k", 7, {2}) + bytes(7, "\x01\x02")) +
      bytes(15, bytes(1, tensor("sp", 1, {1}) + bytes(9, "abcd")) +
                    bytes(2, tensor("", 7, {1}) + bytes(7, "\x01")) +
                    number(3, 9)) +
      bytes(1, node("Mix", {"x", "w"}, {"h"},
                    attributes + bytes(3, "mix") + bytes(7, "other"))) +
      bytes(1, node("If", {"k"}, {"q"},
                    bytes(5, bytes(1, "then_branch") + bytes(6, branch)) +
                        bytes(5, bytes(1, "else_branch") + bytes(6, branch)))) +
      bytes(1, node("Constant", {}, {"c"},
                    bytes(5, bytes(1, "value_int") + number(3, 7)))) +
      bytes(1, node("f", {"h"}, {"g"}, bytes(7, "local"))) +
      bytes(1, node("Sum", {"g", "q", "c", "sp"}, {"y"}));
  return model(graph,
               bytes(25, function("f", "a", "b", {node("Neg", {"a"}, {"b"})})));
}

/// `Levels` functions; each one calls the previous one twice.
std::string makeDoubling(int levels) {
  std::string functions =
      bytes(25, function("f0", "a", "b", {node("Neg", {"a"}, {"b"})}));
  for (int i = 1; i <= levels; ++i) {
    std::string callee = "f" + std::to_string(i - 1);
    functions +=
        bytes(25, function("f" + std::to_string(i), "a", "b",
                           {node(callee, {"a"}, {"m"}, bytes(7, "local")),
                            node(callee, {"m"}, {"b"}, bytes(7, "local"))}));
  }
  std::string call =
      node("f" + std::to_string(levels), {"x"}, {"y"}, bytes(7, "local"));
  return model(bytes(11, valueInfo("x", {2})) + bytes(12, bytes(1, "y")) +
                   bytes(1, call),
               functions);
}

} // namespace

TEST_F(HostileModel, TheModelItselfIsFine) {
  EXPECT_EQ(import(makeModel()), "");
}

TEST_F(HostileModel, CutOffAnywhere) {
  std::string file = makeModel();
  int accepted = 0;
  for (size_t size = 0; size < file.size(); ++size) {
    std::string error = import(file.substr(0, size));
    accepted += error.empty();
    EXPECT_TRUE(error.empty() || error.substr(0, 8) == "m.onnx: ")
        << "cut off at " << size << ": " << error;
  }
  // Without the function the rest is a model still: the call is an unknown op.
  EXPECT_EQ(accepted, 1);
}

TEST_F(HostileModel, EachByteChanged) {
  std::string file = makeModel();
  for (size_t at = 0; at < file.size(); ++at)
    for (int change : {1, 0x7f, 0x80, 0xff}) {
      std::string mutant = file;
      mutant[at] = static_cast<char>(mutant[at] ^ change);
      std::string error = import(mutant);
      EXPECT_NE(error, "does not verify") << "byte " << at << " ^ " << change;
    }
}

TEST_F(HostileModel, EachByteMissingOrDoubled) {
  std::string file = makeModel();
  for (size_t at = 0; at < file.size(); ++at) {
    EXPECT_NE(import(file.substr(0, at) + file.substr(at + 1)),
              "does not verify");
    EXPECT_NE(import(file.substr(0, at + 1) + file.substr(at)),
              "does not verify");
  }
}

TEST_F(HostileModel, DoublingFunctionsAreRefusedBeforeInlining) {
  EXPECT_EQ(import(makeDoubling(4)), "");
  expectError(makeDoubling(40), "local functions grow to more than");
  expectError(makeDoubling(100), "nested deeper than 64 levels");
}

TEST_F(HostileModel, RecursiveFunctions) {
  std::string call = node("f", {"x"}, {"y"}, bytes(7, "local"));
  std::string graph = bytes(11, valueInfo("x", {2})) + bytes(1, call);
  expectError(model(graph, bytes(25, function("f", "x", "y", {call}))),
              "function 'f' calls itself");
  std::string other = node("g", {"x"}, {"y"}, bytes(7, "local"));
  expectError(model(graph, bytes(25, function("f", "x", "y", {other})) +
                               bytes(25, function("g", "x", "y", {call}))),
              "calls itself");
}

TEST_F(HostileModel, Shapes) {
  auto withWeight = [](const std::vector<int64_t> &dims,
                       const std::string &payload = "", int type = 1) {
    return model(bytes(5, tensor("w", type, dims) + payload) +
                 bytes(1, node("Neg", {"w"}, {"y"})));
  };
  expectError(withWeight({-2}), "initializer 'w': negative dimension -2");
  expectError(withWeight({1ll << 40, 1ll << 40}), "does not fit 64 bits");
  expectError(withWeight({0, 1ll << 40, 1ll << 40}), "does not fit 64 bits");
  expectError(withWeight(std::vector<int64_t>(65, 1)), "rank 65 is above");
  expectError(withWeight({2}, "", 99), "unknown element type 99");
  expectError(withWeight({2}, bytes(9, "abc")),
              "expected 8 bytes of contents, but got 3");
  expectError(withWeight({2}, bytes(9, std::string(4000, 'a'))),
              "expected 8 bytes of contents, but got 4000");
  EXPECT_EQ(import(withWeight({2}, bytes(9, std::string(8, 'a')))), "");
  EXPECT_EQ(import(withWeight({2})), "") << "a model without weights";
}

TEST_F(HostileModel, InputShapes) {
  auto withInput = [](const std::vector<int64_t> &dims) {
    return model(bytes(11, valueInfo("x", dims)) +
                 bytes(1, node("Neg", {"x"}, {"y"})));
  };
  EXPECT_EQ(import(withInput({-1, 0, 5})), "");
  expectError(withInput({1ll << 40, 1ll << 40}),
              "graph input 'x': the size in bits does not fit 64 bits");
  expectError(withInput(std::vector<int64_t>(65, 1)), "rank 65 is above");
}

TEST_F(HostileModel, OpsOfTheDialectThatAreNoOperators) {
  for (const char *type : {"Parameter", "None", "Custom", "FusedAttention"})
    EXPECT_EQ(import(model(bytes(1, node(type, {}, {"y"})))), "") << type;
}

TEST_F(HostileModel, EmptyConstants) {
  std::string empty = bytes(5, bytes(1, "value_ints") + number(20, 7));
  EXPECT_EQ(import(model(bytes(1, node("Constant", {}, {"y"}, empty)))), "");
  std::string tensorValue =
      bytes(5, bytes(1, "value") + bytes(5, tensor("", 7, {0})));
  EXPECT_EQ(import(model(bytes(1, node("Constant", {}, {"y"}, tensorValue)))),
            "");
}

TEST_F(HostileModel, Arity) {
  ImportOptions options;
  options.maxArity = 3;
  std::string graph = bytes(11, valueInfo("x", {2})) +
                      bytes(1, node("Sum", {"x", "x", "x", "x"}, {"y"}));
  expectError(model(graph), "node 0 (Sum): 4 inputs are above the limit of 3",
              options);
}
