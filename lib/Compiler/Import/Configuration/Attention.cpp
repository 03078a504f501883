//===- Attention.cpp - Attention of a block -------------------------------===//
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
static constexpr char lengthName[] = "sequence_length";
static constexpr char pastName[] = "past_sequence_length";
static constexpr char totalName[] = "total_sequence_length";

std::pair<Tensor, Tensor> ModelBuilder::cache(size_t index, StringRef part,
                                              int64_t heads, int64_t size) {
  Tensor past = ("past_key_values." + Twine(index) + "." + part).str();
  Tensor present = ("present." + Twine(index) + "." + part).str();
  w.input(past, GraphWriter::Type::Weights, {batchName, heads, pastName, size});
  w.output(present, GraphWriter::Type::Weights,
           {batchName, heads, totalName, size});
  return {past, present};
}

std::pair<Tensor, Tensor> ModelBuilder::split(const Tensor &x, Name name,
                                              int64_t first, int64_t second) {
  Tensor rest = (name + ".rest").str();
  Tensor start = w.node("Split", {x, ints({first, second})}, name,
                        {{"axis", int64_t(-1)}}, {rest});
  return {start, rest};
}

void ModelBuilder::makeTables() {
  if (std::exchange(hasTables, true))
    return;
  int64_t rows = std::max<int64_t>(arch.positions, 1);
  w.weight("rotary.cos.buffer", {rows, arch.rotary / 2});
  w.weight("rotary.sin.buffer", {rows, arch.rotary / 2});
}

/// Rotates x [batch, heads, length, size], or rows of all heads.
Tensor ModelBuilder::rotate(const Tensor &x, Name name, int64_t heads,
                            int64_t size) {
  if (!w.hasInput("position_ids"))
    w.input("position_ids", GraphWriter::Type::Int64, {batchName, lengthName});
  makeTables();
  Tensor cosines = "rotary.cos.buffer", sines = "rotary.sin.buffer";
  int64_t part = arch.rotary == size ? 0 : arch.rotary;
  return w.node("RotaryEmbedding", {x, cosines, sines, "position_ids"}, name,
                {{"num_heads", heads}, {"rotary_embedding_dim", part}});
}

/// The norm of queries or keys [batch, length, heads * size].
Tensor ModelBuilder::normHeads(const Tensor &x, Name name, int64_t heads) {
  if (arch.qkNorm == QkNorm::None)
    return x;
  if (arch.qkNorm == QkNorm::Full)
    return norm(x, name, heads * arch.headDim, arch.qkKind);
  Tensor parts = reshape(x, name + ".heads", {0, 0, heads, arch.headDim});
  Tensor normed;
  if (arch.qkNorm == QkNorm::Head) {
    normed = norm(parts, name, arch.headDim, arch.qkKind);
  } else {
    Tensor ones = w.weight(name + ".ones.buffer", {arch.headDim});
    Tensor plain = w.node("LayerNormalization", {parts, ones}, name + ".plain");
    normed = w.node("Mul",
                    {plain, w.weight(name + ".weight", {heads, arch.headDim})},
                    name);
  }
  return reshape(normed, name + ".rows", {0, 0, heads * arch.headDim});
}

Tensor ModelBuilder::lengths() {
  if (!w.hasInput("seqlens_k")) {
    w.input("seqlens_k", GraphWriter::Type::Int32, {batchName});
    w.input("total_length", GraphWriter::Type::Int32, {});
  }
  return "seqlens_k";
}

Tensor ModelBuilder::attention(const Tensor &x, Name name, size_t index) {
  int64_t size = arch.heads * arch.headDim,
          kvSize = arch.kvHeads * arch.headDim;
  int64_t window = arch.layers[index].window;
  bool rotates = arch.position == Position::Rotary && arch.isCausal &&
                 arch.layers[index].rotates;
  std::vector<Tensor> projected =
      linears(x, name, arch.hidden,
              {{".q_proj", arch.gatesAttention ? 2 * size : size},
               {".k_proj", kvSize},
               {".v_proj", kvSize}},
              arch.qkvBias, arch.joinsQkv ? ".qkv_proj" : "");
  Tensor query = projected[0], key = projected[1], value = projected[2];
  Tensor gate;
  if (arch.gatesAttention)
    std::tie(query, gate) = split(query, name + ".q_proj.parts", size, size);
  // Llama 4 norms the vectors that it rotates, without parameters.
  if (arch.layers[index].rotates || arch.qkKind != Norm::Plain) {
    query = normHeads(query, name + ".q_norm", arch.heads);
    key = normHeads(key, name + ".k_norm", arch.kvHeads);
  }
  if (arch.sinks)
    unused(name + ".sinks", {arch.heads});
  if (rotates && !hasCache()) {
    query = rotate(query, name + ".q_rotary", arch.heads, arch.headDim);
    key = rotate(key, name + ".k_rotary", arch.kvHeads, arch.headDim);
  }
  // Any value costs the same; Gemma has 50.
  constexpr float cap = 50;
  Tensor mixed;
  if (hasCache()) {
    auto [pastKey, presentKey] =
        cache(index, "key", arch.kvHeads, arch.headDim);
    auto [pastValue, presentValue] =
        cache(index, "value", arch.kvHeads, arch.headDim);
    std::vector<Tensor> operands = {
        query, key, value, pastKey, pastValue, lengths(), "total_length"};
    if (rotates) {
      makeTables();
      operands.insert(operands.end(),
                      {"rotary.cos.buffer", "rotary.sin.buffer"});
    }
    mixed = w.node("GroupQueryAttention", operands, name,
                   {{"num_heads", arch.heads},
                    {"kv_num_heads", arch.kvHeads},
                    {"do_rotary", int64_t(rotates)},
                    {"local_chunks", int64_t(window && arch.chunks)},
                    {"local_window_size", window ? window : int64_t(-1)},
                    {"softcap", arch.softcap ? cap : 0.0f}},
                   {presentKey, presentValue}, importer::microsoftDomain);
  } else {
    mixed = w.node("Attention", {query, key, value}, name,
                   {{"q_num_heads", arch.heads},
                    {"kv_num_heads", arch.kvHeads},
                    {"is_causal", int64_t(arch.isCausal)},
                    {"left_window_size", window ? window - 1 : int64_t(-1)},
                    {"softcap", arch.softcap ? cap : 0.0f}});
  }
  if (arch.gatesAttention)
    mixed = w.node("Mul",
                   {mixed, w.node("Sigmoid", {gate}, name + ".gate.sigmoid")},
                   name + ".gated");
  return linear(mixed, name + ".o_proj", size, arch.hidden, arch.outBias);
}

/// Latent attention: to all keys, or to those that an indexer chose.
Tensor ModelBuilder::attend(llvm::ArrayRef<Tensor> operands, Name name) {
  if (!arch.indexHeads)
    return w.node("Attention", operands, name, {{"is_causal", int64_t(1)}});
  return w.node("Attention", operands, name,
                {{"is_causal", int64_t(1)},
                 {"left_window_size", arch.chosenKeys - 1},
                 {"selects_keys", int64_t(1)}},
                {}, importer::ownDomain);
}

/// The indexer of sparse attention (DeepSeek-V3.2): a score for each query and
/// key, and the best keys. Serving stacks compute the scores in one kernel,
/// whose work is that of attention with values of size 1: per head a product
/// with the key, and a weighted sum. The addition stands for writing them.
void ModelBuilder::chooseKeys(const Tensor &x, const Tensor &queries, Name name,
                              size_t index) {
  int64_t heads = arch.indexHeads, size = arch.indexDim;
  Tensor query =
      linear(queries, name + ".wq_b", arch.qRank, heads * size, false);
  Tensor key = norm(linear(x, name + ".wk", arch.hidden, size, false),
                    name + ".k_norm", size, Norm::Layer);
  Tensor factors = linear(x, name + ".weights_proj", arch.hidden, heads, false);
  query =
      rotate(transpose(reshape(query, name + ".q_heads", {0, 0, heads, size}),
                       name + ".q", {0, 2, 1, 3}),
             name + ".q_rotary", heads, size);
  key = rotate(w.node("Unsqueeze", {key, ints({1})}, name + ".k"),
               name + ".k_rotary", 1, size);
  std::vector<Tensor> lengths;
  if (hasCache()) {
    auto [past, present] = cache(index, "index", 1, size);
    key = w.node("Concat", {past, key}, present, {{"axis", int64_t(2)}});
    lengths = {"", "", "", totalLengths()};
  }
  Tensor values =
      w.node("Slice", {key, ints({0}), ints({1}), ints({3})}, name + ".values");
  std::vector<Tensor> operands = {query, key, values};
  operands.insert(operands.end(), lengths.begin(), lengths.end());
  Tensor sums =
      w.node("Attention", operands, name, {{"is_causal", int64_t(1)}});
  Tensor byToken = reshape(transpose(sums, name + ".sums", {0, 2, 1, 3}),
                           name + ".by_token", {0, 0, heads});
  Tensor column =
      w.node("ReduceSum",
             {w.node("Mul", {byToken, factors}, name + ".weighted"), ints({2})},
             name + ".column");
  Tensor row = reshape(values, name + ".row", {0, 1, -1});
  Tensor scores = w.node("Add", {column, row}, name + ".scores");
  Tensor count = w.node("Min",
                        {ints({arch.chosenKeys}),
                         w.node("Shape", {scores}, name + ".keys",
                                {{"start", int64_t(2)}, {"end", int64_t(3)}})},
                        name + ".count");
  Tensor chosen = (name + ".chosen_keys").str();
  w.node("TopK", {scores, count}, name + ".chosen",
         {{"selects_keys", int64_t(1)}}, {chosen}, importer::ownDomain);
  w.output(chosen, GraphWriter::Type::Int64,
           {batchName, lengthName, "chosen_keys"});
}

Tensor ModelBuilder::totalLengths() {
  if (!w.hasInput("total_lengths"))
    w.input("total_lengths", GraphWriter::Type::Int64, {batchName});
  return "total_lengths";
}

/// Attention of all heads to one latent vector per token and its rotated part:
/// the projections of keys and values are applied to queries and results.
Tensor ModelBuilder::cachedLatent(const Tensor &query, const Tensor &latent,
                                  const Tensor &rotated, Name name,
                                  size_t index) {
  int64_t rank = arch.kvRank;
  Tensor heads = reshape(query, name + ".q_heads",
                         {0, 0, arch.heads, arch.nope + arch.rope});
  auto [content, position] =
      split(heads, name + ".q_parts", arch.nope, arch.rope);
  Tensor absorbed =
      w.node("Einsum",
             {content, w.weight(name + ".kv_b_proj.keys.weight",
                                {arch.heads, arch.nope, rank})},
             name + ".q_absorb", {{"equation", std::string("bshn,hnk->bhsk")}});
  Tensor turned = rotate(transpose(position, name + ".q_rope", {0, 2, 1, 3}),
                         name + ".q_rotary", arch.heads, arch.rope);
  Tensor whole = w.node("Concat", {absorbed, turned}, name + ".q",
                        {{"axis", int64_t(-1)}});
  Tensor fresh = w.node(
      "Concat",
      {w.node("Unsqueeze", {latent, ints({1})}, name + ".latent"), rotated},
      name + ".kv", {{"axis", int64_t(-1)}});
  auto [past, present] = cache(index, "latent", 1, rank + arch.rope);
  w.node("Concat", {past, fresh}, present, {{"axis", int64_t(2)}});
  Tensor values = w.node("Slice", {present, ints({0}), ints({rank}), ints({3})},
                         name + ".values");
  Tensor mixed =
      attend({whole, present, values, "", "", "", totalLengths()}, name);
  Tensor expanded =
      w.node("Einsum",
             {mixed, w.weight(name + ".kv_b_proj.values.weight",
                              {arch.heads, rank, arch.valueDim})},
             name + ".expand", {{"equation", std::string("bhsk,hkv->bshv")}});
  return reshape(expanded, name + ".rows", {0, 0, arch.heads * arch.valueDim});
}

Tensor ModelBuilder::latentAttention(const Tensor &x, Name name, size_t index) {
  int64_t width = arch.nope + arch.rope, heads = arch.heads;
  Tensor query;
  if (arch.qRank > 0) {
    Tensor down =
        linear(x, name + ".q_a_proj", arch.hidden, arch.qRank, arch.qkvBias);
    Tensor normed = norm(down, name + ".q_a_layernorm", arch.qRank, arch.norm);
    query =
        linear(normed, name + ".q_b_proj", arch.qRank, heads * width, false);
    if (arch.indexHeads && arch.layers[index].chooses)
      chooseKeys(x, normed, name + ".indexer", index);
  } else {
    query = linear(x, name + ".q_proj", arch.hidden, heads * width, false);
  }
  Tensor both = linear(x, name + ".kv_a_proj_with_mqa", arch.hidden,
                       arch.kvRank + arch.rope, arch.qkvBias);
  auto [down, position] =
      split(both, name + ".kv_parts", arch.kvRank, arch.rope);
  Tensor latent = norm(down, name + ".kv_a_layernorm", arch.kvRank, arch.norm);
  Tensor turned =
      rotate(w.node("Unsqueeze", {position, ints({1})}, name + ".k_rope"),
             name + ".k_rotary", 1, arch.rope);
  Tensor mixed;
  if (hasCache()) {
    mixed = cachedLatent(query, latent, turned, name, index);
  } else {
    auto byHead = [&](const Tensor &rows, StringRef part, int64_t size) {
      return transpose(
          reshape(rows, name + part + ".heads", {0, 0, heads, size}),
          name + part, {0, 2, 1, 3});
    };
    auto [content, toTurn] = split(byHead(query, ".q_split", width),
                                   name + ".q_parts", arch.nope, arch.rope);
    Tensor q =
        w.node("Concat",
               {content, rotate(toTurn, name + ".q_rotary", heads, arch.rope)},
               name + ".q", {{"axis", int64_t(-1)}});
    Tensor up = linear(latent, name + ".kv_b_proj", arch.kvRank,
                       heads * (arch.nope + arch.valueDim), false);
    auto [keys, values] =
        split(byHead(up, ".kv_split", arch.nope + arch.valueDim),
              name + ".kv_b_parts", arch.nope, arch.valueDim);
    // The rotated part is the same for all heads.
    Tensor shape = w.node("Concat",
                          {w.node("Shape", {keys}, name + ".k_shape",
                                  {{"start", int64_t(0)}, {"end", int64_t(3)}}),
                           ints({arch.rope})},
                          name + ".k_rope_shape", {{"axis", int64_t(0)}});
    Tensor spread = w.node("Expand", {turned, shape}, name + ".k_spread");
    Tensor k =
        w.node("Concat", {keys, spread}, name + ".k", {{"axis", int64_t(-1)}});
    Tensor out = attend({q, k, values}, name);
    mixed = reshape(transpose(out, name + ".by_token", {0, 2, 1, 3}),
                    name + ".rows", {0, 0, heads * arch.valueDim});
  }
  return linear(mixed, name + ".o_proj", heads * arch.valueDim, arch.hidden,
                arch.outBias);
}
