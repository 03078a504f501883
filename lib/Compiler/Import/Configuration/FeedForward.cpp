//===- FeedForward.cpp - Dense layers and experts -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelBuilder.h"

using namespace gpucost;
using namespace gpucost::configuration;

Tensor ModelBuilder::feedForward(const Tensor &x, Name name, int64_t inner) {
  bool hasBias = arch.mlpBias;
  if (!arch.isGated) {
    Tensor up = linear(x, name + ".up_proj", arch.hidden, inner, hasBias);
    return linear(activate(up, name + ".act"), name + ".down_proj", inner,
                  arch.hidden, hasBias);
  }
  std::vector<Tensor> halves = linears(
      x, name, arch.hidden, {{".gate_proj", inner}, {".up_proj", inner}},
      hasBias, arch.joinsGate ? ".gate_up_proj" : "");
  Tensor product = w.node(
      "Mul", {activate(halves[0], name + ".act"), halves[1]}, name + ".mul");
  return linear(product, name + ".down_proj", inner, arch.hidden, hasBias);
}

/// One op: each token visits its experts.
Tensor ModelBuilder::expertOp(const Tensor &x, const Tensor &scores,
                              Name name) {
  int64_t count = arch.experts, size = arch.expertWidth,
          inner = arch.expertInner;
  Tensor rows = reshape(scores, name + ".router.rows", {-1, count});
  std::string function = arch.activation == "swish" ? "silu" : arch.activation;
  // Gate and up weights of one expert are one matrix.
  if (arch.activation == "swiglu") {
    auto bias = [&](llvm::StringRef part, int64_t width) {
      return arch.expertBias
                 ? w.weight(name + ".experts." + part + ".bias", {count, width})
                 : Tensor();
    };
    Tensor first = w.weight(name + ".experts.gate_up_proj.weight",
                            {count, size, 2 * inner});
    Tensor firstBias = bias("gate_up_proj", 2 * inner);
    Tensor second =
        w.weight(name + ".experts.down_proj.weight", {count, inner, size});
    return w.node("MoE",
                  {x, rows, first, firstBias, second, bias("down_proj", size)},
                  name + ".experts",
                  {{"activation_type", function},
                   {"k", arch.topK},
                   {"swiglu_fusion", int64_t(1)},
                   {"normalize_routing_weights", int64_t(1)}},
                  {}, importer::microsoftDomain);
  }
  auto weight = [&](llvm::StringRef part, int64_t from, int64_t to) {
    return w.weight(name + ".experts." + part + ".weight", {count, from, to});
  };
  std::vector<Tensor> operands = {x, rows};
  if (arch.isGated)
    operands.insert(operands.end(), {weight("gate_proj", size, inner), ""});
  Tensor down = weight("down_proj", inner, size);
  Tensor up = weight("up_proj", size, inner);
  if (arch.isGated)
    operands.insert(operands.end(), {down, "", up});
  else
    operands.insert(operands.end(), {up, "", down});
  return w.node("MoE", operands, name + ".experts",
                {{"activation_type", function},
                 {"k", arch.topK},
                 {"normalize_routing_weights", int64_t(1)}},
                {}, importer::microsoftDomain);
}

/// The tokens of each expert, sorted, in equal groups that are padded to whole
/// numbers of tokens: the grouped products of PyTorch, with a backward pass.
Tensor ModelBuilder::expertProducts(const Tensor &x, const Tensor &scores,
                                    Name name) {
  int64_t count = arch.experts, size = arch.expertWidth,
          inner = arch.expertInner;
  std::string path = (name + ".experts").str();
  Tensor tokens = reshape(x, path + ".tokens", {-1, size});
  Tensor rows = reshape(scores, name + ".router.rows", {-1, count});
  Tensor chosen = w.node("TopK", {rows, ints({arch.topK})}, path + ".topk", {},
                         {path + ".topk.indices"});
  Tensor weights = reshape(chosen, path + ".topk.weights", {-1, 1});
  Tensor indices = reshape(path + ".topk.indices", path + ".indices", {-1});
  // Rows of all experts: tokens times choices, rounded up to equal groups.
  Tensor pairs = w.node("Shape", {indices}, path + ".pairs");
  Tensor more = w.node("Add", {pairs, ints({count - 1})}, path + ".rounded");
  Tensor each = w.node("Div", {more, ints({count})}, path + ".each");
  Tensor all = w.node("Mul", {each, ints({count})}, path + ".all");
  Tensor missing = w.node("Sub", {all, pairs}, path + ".missing");
  Tensor sorted = w.node("Gather", {tokens, indices}, path + ".gather");
  Tensor pads = w.node("Concat", {ints({0, 0}), missing, ints({0})},
                       path + ".pads", {{"axis", int64_t(0)}});
  Tensor padded = w.node("Pad", {sorted, pads}, path + ".padded");
  auto group = [&](const Tensor &in, llvm::StringRef part, int64_t width) {
    Tensor shape = w.node("Concat", {ints({count}), each, ints({width})},
                          path + part + ".shape", {{"axis", int64_t(0)}});
    return w.node("Reshape", {in, shape}, path + part);
  };
  auto product = [&](const Tensor &in, llvm::StringRef part, int64_t from,
                     int64_t to) {
    Tensor weight = w.weight(path + part + ".weight", {count, from, to});
    if (!arch.expertBias)
      return w.node("MatMul", {in, weight}, path + part);
    Tensor result = w.node("MatMul", {in, weight}, path + part + ".matmul");
    return w.node("Add",
                  {result, w.weight(path + part + ".bias", {count, 1, to})},
                  path + part);
  };
  Tensor grouped = group(padded, ".groups", size);
  Tensor mixed;
  if (arch.activation == "swiglu") {
    Tensor both = product(grouped, ".gate_up_proj", size, 2 * inner);
    auto [gate, up] = split(both, path + ".halves", inner, inner);
    mixed = w.node("Mul", {activate(gate, path + ".act", "silu"), up},
                   path + ".mul");
  } else if (!arch.isGated) {
    mixed = activate(product(grouped, ".up_proj", size, inner), path + ".act");
  } else {
    Tensor gate = product(grouped, ".gate_proj", size, inner);
    Tensor up = product(grouped, ".up_proj", size, inner);
    mixed = w.node("Mul", {activate(gate, path + ".act"), up}, path + ".mul");
  }
  Tensor down = product(mixed, ".down_proj", inner, size);
  Tensor flat = reshape(down, path + ".rows", {-1, size});
  Tensor cut =
      w.node("Slice", {flat, ints({0}), pairs, ints({0})}, path + ".cut");
  Tensor scaled = w.node("Mul", {cut, weights}, path + ".scaled");
  Tensor ofToken = reshape(scaled, path + ".of_token", {-1, arch.topK, size});
  Tensor sum = w.node("ReduceSum", {ofToken, ints({1})}, path + ".sum",
                      {{"keepdims", int64_t(0)}});
  Tensor shape = w.node("Shape", {x}, path + ".shape");
  return w.node("Reshape", {sum, shape}, path);
}

Tensor ModelBuilder::experts(const Tensor &x, Name name) {
  Tensor logits =
      linear(x, name + ".router", arch.hidden, arch.experts, arch.routerBias);
  Tensor scores = logits;
  if (arch.usesSigmoid) {
    scores = w.node("Sigmoid", {logits}, name + ".router.scores");
    scores = w.node(
        "Add",
        {scores, w.weight(name + ".router.correction.buffer", {arch.experts})},
        name + ".router.choice");
  } else if (form == GraphForm::Training) {
    scores = w.node("Softmax", {logits}, name + ".router.scores",
                    {{"axis", int64_t(-1)}});
  }
  bool isNarrow = arch.expertWidth != arch.hidden;
  Tensor tokens = isNarrow ? linear(x, name + ".fc1_latent_proj", arch.hidden,
                                    arch.expertWidth, arch.mlpBias)
                           : x;
  Tensor routed = form == GraphForm::Training
                      ? expertProducts(tokens, scores, name)
                      : expertOp(tokens, scores, name);
  if (isNarrow)
    routed = linear(routed, name + ".fc2_latent_proj", arch.expertWidth,
                    arch.hidden, arch.mlpBias);
  if (!arch.sharedInner)
    return routed;
  Tensor shared = feedForward(x, name + ".shared_experts", arch.sharedInner);
  if (arch.sharedGate) {
    Tensor gate =
        w.node("Sigmoid",
               {linear(x, name + ".shared_expert_gate", arch.hidden, 1, false)},
               name + ".shared_expert_gate.sigmoid");
    shared = w.node("Mul", {shared, gate}, name + ".shared_experts.gated");
  }
  return add(routed, shared, name + ".sum");
}
