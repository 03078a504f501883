//===- Recurrence.cpp - Layers with a state -------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelBuilder.h"

using namespace gpucost;
using namespace gpucost::configuration;
using llvm::StringRef;
using llvm::Twine;

static constexpr char batchName[] = "batch_size";

Tensor ModelBuilder::convolve(const Tensor &x, Name name, int64_t channels,
                              size_t index) {
  Tensor past;
  std::vector<Tensor> more;
  if (hasCache()) {
    past = ("past_conv." + Twine(index)).str();
    Tensor present = ("present_conv." + Twine(index)).str();
    for (bool isInput : {true, false})
      (w.*(isInput ? &GraphWriter::input : &GraphWriter::output))(
          isInput ? past : present, GraphWriter::Type::Weights,
          {batchName, channels, arch.taps - 1});
    more = {present};
  }
  Tensor columns = transpose(x, name + ".columns", {0, 2, 1});
  Tensor bias =
      arch.tapsBias ? w.weight(name + ".conv1d.bias", {channels}) : Tensor();
  Tensor convolved = w.node(
      "CausalConvWithState",
      {columns, w.weight(name + ".conv1d.weight", {channels, 1, arch.taps}),
       bias, past},
      name + ".conv1d", {{"activation", std::string("silu")}}, more);
  return transpose(convolved, name + ".conv_rows", {0, 2, 1});
}

Tensor ModelBuilder::recur(std::vector<Tensor> operands, Name name,
                           StringRef rule, size_t index) {
  std::vector<Tensor> more;
  if (hasCache()) {
    Tensor past = ("past_state." + Twine(index)).str(),
           present = ("present_state." + Twine(index)).str();
    std::vector<Dim> shape = {batchName, arch.linearValueHeads,
                              arch.linearKeyDim, arch.linearValueDim};
    w.input(past, GraphWriter::Type::Weights, shape);
    w.output(present, GraphWriter::Type::Weights, shape);
    operands[3] = past;
    more = {present};
  }
  return w.node("LinearAttention", operands, name,
                {{"q_num_heads", arch.linearKeyHeads},
                 {"kv_num_heads", arch.linearValueHeads},
                 {"update_rule", rule.str()}},
                more);
}

/// Gated delta rule (Qwen3-Next): a short convolution over queries, keys and
/// values, then a state of key size times value size per head.
Tensor ModelBuilder::linearAttention(const Tensor &x, Name name, size_t index) {
  int64_t keys = arch.linearKeyHeads * arch.linearKeyDim,
          values = arch.linearValueHeads * arch.linearValueDim,
          channels = 2 * keys + values, heads = arch.linearValueHeads;
  Tensor all =
      linear(x, name + ".in_proj_qkvz", arch.hidden, channels + values, false);
  auto [mixed, gate] = split(all, name + ".qkvz_parts", channels, values);
  Tensor rates = linear(x, name + ".in_proj_ba", arch.hidden, 2 * heads, false);
  auto [beta, decay] = split(rates, name + ".ba_parts", heads, heads);
  Tensor rows = convolve(mixed, name, channels, index);
  auto [queryKey, value] = split(rows, name + ".conv_parts", 2 * keys, values);
  auto [query, key] = split(queryKey, name + ".qk_parts", keys, keys);
  Tensor write = w.node("Sigmoid", {beta}, name + ".beta");
  Tensor rate = w.node(
      "Softplus",
      {w.node("Add", {decay, w.weight(name + ".dt_bias.weight", {heads})},
              name + ".dt")},
      name + ".dt_softplus");
  Tensor forget =
      w.node("Mul",
             {rate, w.node("Exp", {w.weight(name + ".A_log.weight", {heads})},
                           name + ".A")},
             name + ".decay");
  Tensor out =
      recur({query, key, value, "", forget, write}, name, "gated_delta", index);
  Tensor parts =
      reshape(out, name + ".heads", {0, 0, heads, arch.linearValueDim});
  Tensor normed = norm(parts, name + ".norm", arch.linearValueDim, Norm::Rms);
  Tensor gates = activate(
      reshape(gate, name + ".gate_heads", {0, 0, heads, arch.linearValueDim}),
      name + ".gate", "silu");
  Tensor gated = w.node("Mul", {normed, gates}, name + ".gated");
  return linear(reshape(gated, name + ".rows", {0, 0, values}),
                name + ".out_proj", values, arch.hidden, false);
}

/// State space (Mamba-2): a short convolution over x, B and C, then a state
/// that decays by one factor per head; C, B and x are queries, keys and values.
Tensor ModelBuilder::stateSpace(const Tensor &x, Name name, size_t index) {
  int64_t heads = arch.linearValueHeads, inner = heads * arch.linearValueDim,
          keys = arch.linearKeyHeads * arch.linearKeyDim,
          channels = inner + 2 * keys;
  Tensor all = linear(x, name + ".in_proj", arch.hidden,
                      inner + channels + heads, arch.linearBias);
  auto [gate, rest] = split(all, name + ".in_parts", inner, channels + heads);
  auto [mixed, step] = split(rest, name + ".xbc_parts", channels, heads);
  Tensor rows = convolve(mixed, name, channels, index);
  auto [value, both] = split(rows, name + ".conv_parts", inner, 2 * keys);
  auto [key, query] = split(both, name + ".bc_parts", keys, keys);
  Tensor time =
      w.node("Softplus",
             {w.node("Add", {step, w.weight(name + ".dt_bias.weight", {heads})},
                     name + ".dt")},
             name + ".dt_softplus");
  Tensor decay =
      w.node("Mul",
             {time, w.node("Exp", {w.weight(name + ".A_log.weight", {heads})},
                           name + ".A")},
             name + ".decay");
  std::vector<int64_t> byHead = {0, 0, heads, arch.linearValueDim};
  auto scaled = [&](const Tensor &rows, const Tensor &factor, StringRef part) {
    Tensor product =
        w.node("Mul", {reshape(rows, name + part + ".heads", byHead), factor},
               name + part + ".product");
    return reshape(product, name + part, {0, 0, inner});
  };
  Tensor column = w.node("Unsqueeze", {time, ints({-1})}, name + ".dt_column");
  Tensor out = recur({query, key, scaled(value, column, ".stepped"), "", decay},
                     name, "gated", index);
  Tensor skip =
      scaled(value, w.weight(name + ".D.weight", {heads, 1}), ".skip");
  Tensor gated = w.node(
      "Mul",
      {add(out, skip, name + ".sum"), activate(gate, name + ".gate", "silu")},
      name + ".gated");
  // The norm of each group of channels has weights for all of them.
  int64_t groups = arch.linearKeyHeads;
  Tensor parts =
      reshape(gated, name + ".groups", {0, 0, groups, inner / groups});
  Tensor ones = w.weight(name + ".ones.buffer", {inner / groups});
  Tensor plain =
      w.node("RMSNormalization", {parts, ones}, name + ".norm.plain");
  Tensor normed = w.node("Mul",
                         {reshape(plain, name + ".norm.rows", {0, 0, inner}),
                          w.weight(name + ".norm.weight", {inner})},
                         name + ".norm");
  return linear(normed, name + ".out_proj", inner, arch.hidden,
                arch.linearBias);
}
