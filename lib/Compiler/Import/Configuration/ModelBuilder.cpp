//===- ModelBuilder.cpp - Graph of an architecture ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelBuilder.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/UnusedParameters.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpucost;
using namespace gpucost::configuration;
using llvm::StringRef;
using llvm::Twine;

static constexpr char batchName[] = "batch_size";
static constexpr char lengthName[] = "sequence_length";

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Tensor ModelBuilder::ints(llvm::ArrayRef<int64_t> values) {
  for (const auto &[known, name] : constants)
    if (llvm::ArrayRef<int64_t>(known) == values)
      return name;
  Tensor name = w.integers("constant." + Twine(constants.size()), values);
  constants.emplace_back(values.vec(), name);
  return name;
}

Tensor ModelBuilder::reshape(const Tensor &x, Name name,
                             llvm::ArrayRef<int64_t> shape) {
  return w.node("Reshape", {x, ints(shape)}, name);
}

Tensor ModelBuilder::transpose(const Tensor &x, Name name,
                               std::vector<int64_t> order) {
  return w.node("Transpose", {x}, name, {{"perm", std::move(order)}});
}

void ModelBuilder::unused(Name name, llvm::ArrayRef<int64_t> shape) {
  w.weight(name + onnx::unusedParameterSuffix, shape);
}

Tensor ModelBuilder::norm(const Tensor &x, Name name, int64_t size, Norm kind) {
  if (kind == Norm::Rms)
    return w.node("RMSNormalization", {x, w.weight(name + ".weight", {size})},
                  name);
  std::vector<Tensor> operands = {x};
  operands.push_back(kind == Norm::Plain
                         ? w.weight(name + ".ones.buffer", {size})
                         : w.weight(name + ".weight", {size}));
  if (kind == Norm::Layer)
    operands.push_back(w.weight(name + ".bias", {size}));
  return w.node("LayerNormalization", operands, name);
}

/// The kernels of bitsandbytes: scales in 8 bits are dequantised and
/// shifted by their mean, then the weights.
Tensor ModelBuilder::linearWeight(Name name, int64_t from, int64_t to) {
  Tensor weight = (name + ".weight").str();
  if (!adapters || !adapters->storesNarrow(name))
    return w.weight(weight, {from, to});
  using Type = pb::TensorProto;
  auto inGroups = [](int64_t count, int64_t size) {
    return (count + size - 1) / size;
  };
  int64_t blocks = inGroups(from, AdapterPlacer::weightsOfScale);
  Tensor scales = weight + ".absmax.buffer";
  std::vector<int64_t> shape = {blocks, to};
  if (adapters->base() == LoraBase::NF4Double) {
    Tensor outer = weight + ".nested_absmax.buffer",
           mean = weight + ".nested_offset.buffer";
    int64_t count = blocks * to;
    w.tensor(scales, {count}, GraphWriter::float8);
    w.tensor(outer, {inGroups(count, AdapterPlacer::scalesOfScale)},
             Type::FLOAT);
    w.tensor(mean, {}, Type::FLOAT);
    Tensor wide =
        w.node("DequantizeLinear", {scales, outer}, weight + ".absmax.wide",
               {{"axis", int64_t(0)},
                {"block_size", AdapterPlacer::scalesOfScale},
                {"output_dtype", int64_t(Type::FLOAT)}});
    scales = reshape(w.node("Add", {wide, mean}, weight + ".absmax.shifted"),
                     weight + ".absmax", shape);
  } else {
    w.tensor(scales, shape, Type::FLOAT);
  }
  Tensor stored = w.tensor(weight, {from, to}, GraphWriter::int4);
  return w.node("DequantizeLinear", {stored, scales}, weight + ".wide",
                {{"axis", int64_t(0)},
                 {"block_size", AdapterPlacer::weightsOfScale},
                 {"output_dtype", w.format()}});
}

Tensor ModelBuilder::plainLinear(const Tensor &x, Name name, int64_t from,
                                 int64_t to, bool hasBias, Name result) {
  Tensor weight = linearWeight(name, from, to);
  if (!hasBias)
    return w.node("MatMul", {x, weight}, result);
  Tensor product = w.node("MatMul", {x, weight}, name + ".matmul");
  return w.node("Add", {product, w.weight(name + ".bias", {to})}, result);
}

/// As peft: times alpha over the rank.
Tensor ModelBuilder::adapter(const Tensor &x, Name name, int64_t from,
                             int64_t to) {
  int64_t rank = adapters->rank();
  Tensor down =
      w.node("MatMul", {x, w.weight(name + ".lora_A.weight", {from, rank})},
             name + ".lora_A");
  Tensor up =
      w.node("MatMul", {down, w.weight(name + ".lora_B.weight", {rank, to})},
             name + ".lora_B");
  return scale(up, name + ".lora_scaled");
}

Tensor ModelBuilder::linear(const Tensor &x, Name name, int64_t from,
                            int64_t to, bool hasBias) {
  if (!adapters || !adapters->adapts(name))
    return plainLinear(x, name, from, to, hasBias, name);
  Tensor plain = plainLinear(x, name, from, to, hasBias, name + ".base_layer");
  return add(plain, adapter(x, name, from, to), name);
}

std::vector<Tensor>
ModelBuilder::linears(const Tensor &x, Name name, int64_t from,
                      llvm::ArrayRef<std::pair<StringRef, int64_t>> parts,
                      bool hasBias, StringRef joint) {
  std::vector<Tensor> results;
  bool isJoint = adapters && !joint.empty();
  if (!isJoint || !adapters->adapts(name + joint)) {
    for (auto [part, to] : parts)
      results.push_back(
          isJoint ? plainLinear(x, name + part, from, to, hasBias, name + part)
                  : linear(x, name + part, from, to, hasBias));
    return results;
  }
  int64_t all = 0;
  std::vector<int64_t> sizes;
  std::vector<Tensor> deltas;
  for (auto [part, to] : parts) {
    all += to;
    sizes.push_back(to);
    deltas.push_back((name + part + ".lora").str());
  }
  w.node("Split", {adapter(x, name + joint, from, all), ints(sizes)},
         deltas.front(), {{"axis", int64_t(-1)}},
         llvm::ArrayRef(deltas).drop_front());
  for (auto [part, delta] : llvm::zip(parts, deltas))
    results.push_back(
        add(plainLinear(x, name + part.first, from, part.second, hasBias,
                        name + part.first + ".base_layer"),
            delta, name + part.first));
  return results;
}

Tensor ModelBuilder::add(const Tensor &a, const Tensor &b, Name name) {
  return w.node("Add", {a, b}, name);
}

Tensor ModelBuilder::scale(const Tensor &x, Name name) {
  return w.node("Mul", {x, w.scalar(name + ".factor")}, name);
}

Tensor ModelBuilder::activate(const Tensor &x, Name name) {
  return activate(x, name, arch.activation);
}

Tensor ModelBuilder::activate(const Tensor &x, Name name, StringRef function) {
  if (function == "silu" || function == "swish")
    return w.node("Swish", {x}, name);
  if (function == "relu")
    return w.node("Relu", {x}, name);
  if (function == "relu2") {
    Tensor positive = w.node("Relu", {x}, name + ".relu");
    return w.node("Mul", {positive, positive}, name);
  }
  if (function == "tanh")
    return w.node("Tanh", {x}, name);
  if (function == "quick_gelu")
    return w.node("QuickGelu", {x}, name, {}, {}, importer::microsoftDomain);
  if (function == "gelu")
    return w.node("Gelu", {x}, name);
  return w.node("Gelu", {x}, name, {{"approximate", std::string("tanh")}});
}

Tensor ModelBuilder::firstToken(const Tensor &x, Name name) {
  Tensor index = w.node("Squeeze", {ints({0})}, name + ".index");
  return w.node("Gather", {x, index}, name, {{"axis", int64_t(1)}});
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

Tensor ModelBuilder::embed() {
  w.input("input_ids", GraphWriter::Type::Int64, {batchName, lengthName});
  auto look = [&](StringRef name, int64_t rows, int64_t size, StringRef index) {
    if (!w.hasInput(index))
      w.input(index, GraphWriter::Type::Int64, {batchName, lengthName});
    return w.node(
        "Gather",
        {w.weight(Twine(name) + ".weight", {rows, size}), index.str()}, name);
  };
  Tensor x = look("embed_tokens", arch.words, arch.embedding, "input_ids");
  if (arch.embedScale)
    x = scale(x, "embed_tokens.scaled");
  if (arch.embedding != arch.hidden)
    x = linear(x, "project_in", arch.embedding, arch.hidden, false);
  if (arch.position == Position::Learned)
    x = add(x,
            look("embed_positions", arch.positions + arch.positionOffset,
                 arch.hidden, "position_ids"),
            "embed_positions.sum");
  if (arch.types > 0)
    x = add(x, look("embed_types", arch.types, arch.hidden, "token_type_ids"),
            "embed_types.sum");
  if (arch.embedNorm)
    x = norm(x, "embed_norm");
  if (!arch.isPredictor)
    return x;
  w.input("previous_hidden_states", GraphWriter::Type::Weights,
          {batchName, lengthName, arch.hidden});
  Tensor both = w.node(
      "Concat", {norm(x, "enorm"), norm("previous_hidden_states", "hnorm")},
      "eh_cat", {{"axis", int64_t(2)}});
  return linear(both, "eh_proj", 2 * arch.hidden, arch.hidden, false);
}

Tensor ModelBuilder::embedImage() {
  w.input("pixel_values", GraphWriter::Type::Weights,
          {batchName, arch.channels, arch.image, arch.image});
  std::vector<int64_t> square = {arch.patch, arch.patch};
  Tensor patches =
      w.node("Conv",
             {"pixel_values",
              w.weight("patches.weight",
                       {arch.hidden, arch.channels, arch.patch, arch.patch}),
              w.weight("patches.bias", {arch.hidden})},
             "patches", {{"kernel_shape", square}, {"strides", square}});
  int64_t side = arch.image / arch.patch, count = side * side;
  Tensor rows =
      transpose(reshape(patches, "patches.rows", {0, arch.hidden, count}),
                "patches.tokens", {0, 2, 1});
  Tensor batch = w.node("Shape", {"pixel_values"}, "batch",
                        {{"start", int64_t(0)}, {"end", int64_t(1)}});
  Tensor shape = w.node("Concat", {batch, ints({1, arch.hidden})},
                        "cls_token.shape", {{"axis", int64_t(0)}});
  Tensor first = w.node(
      "Expand", {w.weight("cls_token.weight", {1, 1, arch.hidden}), shape},
      "cls_token");
  Tensor all =
      w.node("Concat", {first, rows}, "tokens", {{"axis", int64_t(1)}});
  return add(all,
             w.weight("embed_positions.weight", {1, count + 1, arch.hidden}),
             "embed_positions");
}

Tensor ModelBuilder::block(const Tensor &x, size_t index) {
  std::string path = "layers." + std::to_string(index);
  const Layer &layer = arch.layers[index];
  auto attend = [&](const Tensor &in) {
    if (layer.linear)
      return arch.recurrence == Recurrence::StateSpace
                 ? stateSpace(in, path + ".mixer", index)
                 : linearAttention(in, path + ".linear_attn", index);
    return arch.isLatent ? latentAttention(in, path + ".self_attn", index)
                         : attention(in, path + ".self_attn", index);
  };
  auto feed = [&](const Tensor &in) {
    return layer.hasExperts ? experts(in, path + ".mlp")
                            : feedForward(in, path + ".mlp", arch.inner);
  };
  // The sum with a branch, which some models scale.
  auto join = [&](const Tensor &sum, const Tensor &branch, StringRef name) {
    return add(sum,
               arch.scalesResiduals ? scale(branch, path + name + ".scaled")
                                    : branch,
               path + name);
  };
  std::string first = path + ".input_layernorm",
              second = path + ".post_attention_layernorm";
  // A block of one branch.
  if (!layer.feeds)
    return join(x, attend(norm(x, first)), ".output");
  if (!layer.mixes)
    return join(x, feed(norm(x, first)), ".output");
  switch (arch.order) {
  case Order::Pre: {
    Tensor sum = join(x, attend(norm(x, first)), ".residual");
    return join(sum, feed(norm(sum, second)), ".output");
  }
  case Order::After: {
    Tensor sum = join(x, norm(attend(x), first), ".residual");
    return join(sum, norm(feed(sum), second), ".output");
  }
  case Order::Sandwich: {
    Tensor sum = join(x, norm(attend(norm(x, first)), second), ".residual");
    Tensor fed = feed(norm(sum, path + ".pre_feedforward_layernorm"));
    return join(sum, norm(fed, path + ".post_feedforward_layernorm"),
                ".output");
  }
  case Order::Post: {
    Tensor sum = norm(join(x, attend(x), ".residual"), first);
    return norm(join(sum, feed(sum), ".output"), second);
  }
  case Order::Parallel:
  case Order::Parallel2: {
    Tensor normed = norm(x, first);
    Tensor other = arch.order == Order::Parallel ? normed : norm(x, second);
    Tensor mixed = attend(normed);
    return join(join(x, mixed, ".residual"), feed(other), ".output");
  }
  }
  return x;
}

Tensor ModelBuilder::words(const Tensor &x) {
  if (arch.isTied)
    return w.node(
        "MatMul",
        {x, transpose("embed_tokens.weight", "lm_head.weight", {1, 0})},
        arch.headBias || arch.scalesLogits ? "lm_head" : "logits");
  return w.node("MatMul",
                {x, w.weight("lm_head.weight", {arch.embedding, arch.words})},
                arch.headBias || arch.scalesLogits ? "lm_head" : "logits");
}

void ModelBuilder::finish(Tensor x) {
  using Type = GraphWriter::Type;
  if (arch.finalNorm)
    x = norm(x, "norm");
  if (arch.embedding != arch.hidden)
    x = linear(x, "project_out", arch.hidden, arch.embedding, false);
  if (arch.head != Head::Words) {
    w.output(x, Type::Weights, {batchName, lengthName, arch.embedding});
    return;
  }
  x = words(x);
  if (arch.headBias)
    x = w.node("Add", {x, w.weight("lm_head.bias", {arch.words})},
               arch.scalesLogits ? "lm_head.sum" : "logits");
  if (arch.scalesLogits)
    x = scale(x, "logits");
  w.output(x, Type::Weights, {batchName, lengthName, arch.words});
}

void ModelBuilder::finishEncoder(const Tensor &hidden) {
  using Type = GraphWriter::Type;
  Tensor x = arch.finalNorm ? norm(hidden, "norm") : hidden;
  int64_t size = arch.hidden;
  Dim length =
      arch.isImage()
          ? Dim((arch.image / arch.patch) * (arch.image / arch.patch) + 1)
          : Dim(lengthName);
  switch (arch.head) {
  case Head::None:
    w.output(x, Type::Weights, {batchName, length, size});
    return;
  case Head::Pooler: {
    Tensor pooled = activate(
        linear(firstToken(x, "pooler.token"), "pooler.dense", size, size, true),
        "pooler_output", "tanh");
    w.output(x, Type::Weights, {batchName, length, size});
    w.output(pooled, Type::Weights, {batchName, size});
    return;
  }
  case Head::Words:
  case Head::Masked: {
    Tensor dense = linear(x, "cls.dense", size, size, true);
    Tensor normed = norm(activate(dense, "cls.act"), "cls.norm");
    Tensor product = w.node(
        "MatMul",
        {normed, transpose("embed_tokens.weight", "lm_head.weight", {1, 0})},
        "lm_head");
    w.output(w.node("Add", {product, w.weight("lm_head.bias", {arch.words})},
                    "logits"),
             Type::Weights, {batchName, length, arch.words});
    return;
  }
  case Head::Classes: {
    Tensor pooled = firstToken(x, "pooler.token");
    if (!arch.isImage()) {
      pooled = linear(pooled, "pooler.dense", size, size, true);
      pooled = activate(pooled, "pooler.act",
                        arch.modelType == "distilbert" ? "relu" : "tanh");
    }
    w.output(linear(pooled, "logits", size, arch.labels, true), Type::Weights,
             {batchName, arch.labels});
    return;
  }
  case Head::Tokens:
  case Head::Spans: {
    int64_t count = arch.head == Head::Spans ? 2 : arch.labels;
    w.output(linear(x, "logits", size, count, true), Type::Weights,
             {batchName, length, count});
    return;
  }
  }
}

/// The length of the past is part of the graph even if no layer reads it: the
/// work of a state does not depend on it.
void ModelBuilder::statePast() {
  bool attends = llvm::any_of(arch.layers, [](const Layer &layer) {
    return layer.mixes && !layer.linear;
  });
  if (hasCache() && !attends)
    w.input("past_mask", GraphWriter::Type::Int32,
            {batchName, "past_sequence_length"});
}

void ModelBuilder::build() {
  statePast();
  Tensor x = arch.isImage() ? embedImage() : embed();
  for (size_t index = 0; index < arch.layers.size(); ++index)
    x = block(x, index);
  if (arch.isCausal)
    finish(x);
  else
    finishEncoder(x);
}
