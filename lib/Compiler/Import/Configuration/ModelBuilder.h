//===- ModelBuilder.h - Graph of an architecture -------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One graph for each form. All have the same parameters:
//
//   Prompt    sequences from their start, without a cache; experts are one op
//   Training  the same with experts as matmuls, which have a backward pass
//   Cache     new tokens after cached ones, as servers and exporters write them
//
// Norms, rotary embeddings and attention are one op each, as in files of ONNX
// Runtime GenAI.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_MODELBUILDER_H
#define GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_MODELBUILDER_H

#include "AdapterPlacer.h"
#include "Description.h"
#include "GraphWriter.h"
#include "gpucost/Compiler/Import/Configuration.h"
#include "llvm/ADT/Twine.h"

namespace gpucost::configuration {

class ModelBuilder {
public:
  /// `adapters`: null without.
  ModelBuilder(const Description &arch, GraphForm form, AdapterPlacer *adapters,
               GraphWriter &writer)
      : arch(arch), form(form), adapters(adapters), w(writer) {}

  void build();

private:
  using Name = const llvm::Twine &;

  bool hasCache() const { return form == GraphForm::Cache; }

  // ModelBuilder.cpp
  void statePast();
  Tensor embed();
  Tensor embedImage();
  Tensor block(const Tensor &x, size_t index);
  void finish(Tensor x);
  void finishEncoder(const Tensor &x);
  Tensor words(const Tensor &x);
  Tensor norm(const Tensor &x, Name name, int64_t size, Norm kind);
  Tensor norm(const Tensor &x, Name name) {
    return norm(x, name, arch.hidden, arch.norm);
  }
  Tensor linear(const Tensor &x, Name name, int64_t from, int64_t to,
                bool hasBias);
  /// Linears of x whose paths are `name` and one of `parts`, with the width of
  /// their results. `joint`: they are one linear of this name in transformers,
  /// with one adapter; "": they are not.
  std::vector<Tensor>
  linears(const Tensor &x, Name name, int64_t from,
          llvm::ArrayRef<std::pair<llvm::StringRef, int64_t>> parts,
          bool hasBias, llvm::StringRef joint);
  /// The result of the adapter of a linear.
  Tensor adapter(const Tensor &x, Name name, int64_t from, int64_t to);
  /// The linear of `name` with its bias, whose result has the name `result`.
  Tensor plainLinear(const Tensor &x, Name name, int64_t from, int64_t to,
                     bool hasBias, Name result);
  /// The weight [from, to] of a linear, dequantised if it is stored so.
  Tensor linearWeight(Name name, int64_t from, int64_t to);
  Tensor add(const Tensor &a, const Tensor &b, Name name);
  /// A scalar factor that some models have.
  Tensor scale(const Tensor &x, Name name);
  Tensor activate(const Tensor &x, Name name);
  Tensor activate(const Tensor &x, Name name, llvm::StringRef function);
  Tensor firstToken(const Tensor &x, Name name);
  /// A constant list of integers, made once for each value.
  Tensor ints(llvm::ArrayRef<int64_t> values);
  Tensor reshape(const Tensor &x, Name name, llvm::ArrayRef<int64_t> shape);
  Tensor transpose(const Tensor &x, Name name, std::vector<int64_t> order);
  /// A parameter that the graph does not read.
  void unused(Name name, llvm::ArrayRef<int64_t> shape);

  // Attention.cpp
  Tensor attention(const Tensor &x, Name name, size_t index);
  Tensor latentAttention(const Tensor &x, Name name, size_t index);
  void chooseKeys(const Tensor &x, const Tensor &queries, Name name,
                  size_t index);
  Tensor attend(llvm::ArrayRef<Tensor> operands, Name name);
  Tensor cachedLatent(const Tensor &query, const Tensor &latent,
                      const Tensor &rotated, Name name, size_t index);
  Tensor normHeads(const Tensor &x, Name name, int64_t heads);
  Tensor rotate(const Tensor &x, Name name, int64_t heads, int64_t size);
  std::pair<Tensor, Tensor> split(const Tensor &x, Name name, int64_t first,
                                  int64_t second);
  /// Input and output of a cache; returns the names of both.
  std::pair<Tensor, Tensor> cache(size_t index, llvm::StringRef part,
                                  int64_t heads, int64_t size);
  Tensor lengths();
  Tensor totalLengths();
  /// Makes the tables of the rotary embedding once.
  void makeTables();

  // Recurrence.cpp
  Tensor linearAttention(const Tensor &x, Name name, size_t index);
  Tensor stateSpace(const Tensor &x, Name name, size_t index);
  /// The short convolution over `channels` columns of x [batch, length,
  /// channels], with its cache.
  Tensor convolve(const Tensor &x, Name name, int64_t channels, size_t index);
  /// One LinearAttention op with its state.
  Tensor recur(std::vector<Tensor> operands, Name name, llvm::StringRef rule,
               size_t index);

  // FeedForward.cpp
  Tensor feedForward(const Tensor &x, Name name, int64_t inner);
  Tensor experts(const Tensor &x, Name name);
  Tensor expertOp(const Tensor &x, const Tensor &scores, Name name);
  Tensor expertProducts(const Tensor &x, const Tensor &scores, Name name);

  const Description &arch;
  GraphForm form;
  AdapterPlacer *adapters;
  GraphWriter &w;
  std::vector<std::pair<std::vector<int64_t>, Tensor>> constants;
  bool hasTables = false;
};

} // namespace gpucost::configuration

#endif // GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_MODELBUILDER_H
