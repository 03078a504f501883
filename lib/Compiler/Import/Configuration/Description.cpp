//===- Description.cpp - What a configuration describes ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Description.h"
#include "Fields.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <limits>
#include <optional>

using namespace gpucost::configuration;
using llvm::StringRef;

/// Most blocks of a model: bounds the size of its graph.
static constexpr int64_t mostLayers = 1024;
/// Most experts of a layer.
static constexpr int64_t mostExperts = 1 << 16;

/// Fields that add something to a model that no graph here contains.
static constexpr llvm::StringLiteral refusedFields[] = {
    "add_cross_attention",      "altup_num_inputs",
    "attention_chunk_size",     "embedding_size",
    "is_encoder_decoder",       "num_hash_layers",
    "num_kv_shared_layers",     "use_mla",
    "_remove_final_layer_norm", "hidden_size_per_layer_input"};

/// Activations of feed-forward layers; the last one is only in Families.def.
static constexpr llvm::StringLiteral activations[] = {
    "silu",       "swish",     "relu", "relu2",       "gelu",
    "gelu_new",   "gelu_fast", "tanh", "gelu_python", "gelu_pytorch_tanh",
    "quick_gelu", "swiglu"};

namespace {
/// Fills an architecture from the properties of its model type.
class Reader {
public:
  Reader(Fields &fields, StringRef modelType)
      : fields(fields), properties(modelType, fields) {
    arch.modelType = modelType.str();
  }
  Description read();

private:
  void readSizes();
  void readWords();
  void readLayers();
  void readExperts();
  void readHead();
  void readFormat();
  void requireMultiple(StringRef name, int64_t size, StringRef divisorName,
                       int64_t divisor);
  std::vector<std::string> listOfLayers(StringRef name);
  std::vector<std::string> layerKinds();
  std::vector<std::string> listOfIndices(StringRef name);
  void readRecurrence();
  void readRotatedLayers();
  void readIndexers();
  std::optional<Layer> parseLayer(StringRef kind);
  bool seesWindow(int64_t index, StringRef pattern);
  template <typename Case>
  Case choose(StringRef property,
              std::initializer_list<std::pair<StringRef, Case>> cases);

  Fields &fields;
  Properties properties;
  Description arch;
  int64_t count = 0;
  std::vector<std::string> kinds; ///< of the layers, where the file has them
  StringRef kindsField;
};
} // namespace

template <typename Case>
Case Reader::choose(StringRef property,
                    std::initializer_list<std::pair<StringRef, Case>> cases) {
  std::string word = properties.word(property);
  for (const auto &[name, value] : cases)
    if (name == word)
      return value;
  assert(false && "an unknown word in Families.def");
  return cases.begin()->second;
}

void Reader::requireMultiple(StringRef name, int64_t size,
                             StringRef divisorName, int64_t divisor) {
  if (!fields.failed() && size % divisor != 0)
    fields.fail(name + ", " + llvm::Twine(size) + ", is not a multiple of " +
                divisorName + ", " + llvm::Twine(divisor));
}

/// A list with an entry for each layer; empty if it is missing or has another
/// length.
std::vector<std::string> Reader::listOfLayers(StringRef name) {
  std::vector<std::string> kinds = fields.list(name);
  if (kinds.empty() || kinds.size() == arch.layers.size())
    return kinds;
  fields.fail("'" + name + "' has " + llvm::Twine(kinds.size()) +
              " entries, but the model has " + llvm::Twine(count) + " layers");
  return {};
}

/// What each layer is, by the file; empty if the type has a rule.
std::vector<std::string> Reader::layerKinds() {
  for (StringRef name : {"layer_types", "layers_block_type"}) {
    kindsField = name;
    if (std::vector<std::string> listed = fields.list(name); !listed.empty())
      return listed;
  }
  kindsField = "hybrid_override_pattern";
  std::vector<std::string> letters;
  if (properties.flag("single") && fields.has("hybrid_override_pattern"))
    for (char letter : fields.text("hybrid_override_pattern"))
      letters.emplace_back(1, letter);
  return letters;
}

/// A list of indices of layers, as text.
std::vector<std::string> Reader::listOfIndices(StringRef name) {
  std::vector<std::string> listed = fields.list(name);
  for (const std::string &each : listed)
    if (int64_t index = -1;
        StringRef(each).getAsInteger(10, index) || index < 0 || index >= count)
      fields.fail("'" + name + "' has '" + StringRef(each).take_front(60) +
                  "'; expected layers from 0 to " + llvm::Twine(count - 1));
  return listed;
}

void Reader::readSizes() {
  arch.hidden = properties.size("hidden");
  kinds = layerKinds();
  if (kinds.empty() && properties.flag("mixed"))
    fields.fail("the kinds of the layers are missing: expected "
                "'layers_block_type' or 'hybrid_override_pattern'");
  count = properties.flag("single") && !kinds.empty()
              ? int64_t(kinds.size())
              : properties.size("layers");
  if (count > mostLayers)
    fields.fail("a model of " + llvm::Twine(count) +
                " layers is not supported; expected at most " +
                llvm::Twine(mostLayers));
  arch.heads = properties.size("heads");
  if (properties.has("q_rank")) {
    arch.isLatent = true;
    arch.qRank = properties.size("q_rank", 0);
    arch.kvRank = properties.size("kv_rank");
    arch.nope = properties.size("nope");
    arch.rope = properties.size("rope");
    arch.valueDim = properties.size("v_dim");
  }
  if (properties.has("index_heads")) {
    arch.indexHeads = properties.size("index_heads");
    arch.indexDim = properties.size("index_dim");
    arch.chosenKeys = properties.size("index_keys");
    if (!fields.failed() && (!arch.qRank || arch.indexDim < arch.rope))
      fields.fail("an indexer needs 'q_lora_rank', and heads of at least " +
                  llvm::Twine(arch.rope) + " channels ('index_head_dim')");
  }
  arch.kvHeads = properties.size("kv_heads");
  arch.headDim = properties.size("head_dim");
  requireMultiple("the number of attention heads", arch.heads,
                  "that of key and value heads", arch.kvHeads);
  arch.inner = properties.size("inter");
  arch.positions = properties.size("positions", 0);
  arch.positionOffset = properties.size("position_offset", 0);
  arch.embedding = properties.size("embed_size");
  arch.types = properties.size("types", 0);
  arch.position = choose<Position>("position", {{"rotary", Position::Rotary},
                                                {"learned", Position::Learned},
                                                {"alibi", Position::Alibi},
                                                {"none", Position::None}});
  if (arch.position == Position::None &&
      fields.text("position_embedding_type") == "rope")
    arch.position = Position::Rotary;
  if (properties.has("image")) {
    arch.image = properties.size("image");
    arch.patch = properties.size("patch");
    arch.channels = properties.size("channels");
    requireMultiple("image_size", arch.image, "patch_size", arch.patch);
    return;
  }
  arch.words = properties.size("vocab");
  if (arch.position != Position::Rotary)
    return;
  arch.rotary = properties.size("rotary_dims");
  int64_t most = arch.isLatent ? arch.rope : arch.headDim;
  if (!fields.failed() && (arch.rotary % 2 != 0 || arch.rotary > most))
    fields.fail("the rotary embedding has " + llvm::Twine(arch.rotary) +
                " channels; expected an even number of at most " +
                llvm::Twine(most) + " (the head size)");
}

void Reader::readWords() {
  using Norms = std::initializer_list<std::pair<StringRef, Norm>>;
  Norms norms = {{"rms", Norm::Rms},
                 {"layer", Norm::Layer},
                 {"layer-weight", Norm::LayerWeight},
                 {"plain", Norm::Plain}};
  arch.norm = choose<Norm>("norm", norms);
  arch.qkKind = properties.word("qk_kind") == "norm"
                    ? arch.norm
                    : choose<Norm>("qk_kind", norms);
  arch.order = choose<Order>("order", {{"pre", Order::Pre},
                                       {"after", Order::After},
                                       {"sandwich", Order::Sandwich},
                                       {"post", Order::Post},
                                       {"parallel", Order::Parallel},
                                       {"parallel2", Order::Parallel2}});
  arch.qkNorm = choose<QkNorm>("qk_norm", {{"none", QkNorm::None},
                                           {"head", QkNorm::Head},
                                           {"full", QkNorm::Full},
                                           {"each", QkNorm::Each}});
  arch.activation = properties.word("act");
  if (!fields.failed() && !llvm::is_contained(activations, arch.activation))
    fields.fail("activation '" + StringRef(arch.activation).take_front(60) +
                "' is not supported; expected one of " +
                llvm::join(llvm::drop_end(activations), ", "));
  arch.isGated = properties.word("mlp") == "gated";
  std::string joined = properties.word("joined");
  arch.joinsQkv = joined == "qkv" || joined == "both";
  arch.joinsGate = joined == "gate_up" || joined == "both";
  arch.isCausal = properties.flag("causal");
  arch.isTied = properties.flag("tie");
  arch.qkvBias = properties.flag("qkv_bias");
  arch.outBias = properties.flag("o_bias");
  arch.mlpBias = properties.flag("mlp_bias");
  arch.headBias = properties.flag("head_bias");
  arch.embedNorm = properties.flag("embed_norm");
  arch.embedScale = properties.flag("embed_scale");
  arch.finalNorm = properties.flag("final_norm");
  arch.softcap = properties.flag("softcap");
  arch.sinks = properties.flag("sinks");
  arch.gatesAttention = properties.flag("gate");
  arch.scalesLogits = properties.flag("logit_scale");
  arch.scalesResiduals = properties.flag("residual_scale");
  arch.isRoberta = properties.flag("roberta");
}

std::optional<Layer> Reader::parseLayer(StringRef kind) {
  Layer layer;
  if (kind == "sliding_attention") {
    layer.window = properties.size("window", 0);
    if (!layer.window)
      fields.fail("'layer_types' has sliding_attention, but there is no "
                  "'sliding_window'");
    return layer;
  }
  if (kind == "chunked_attention" && properties.flag("chunks")) {
    layer.window = properties.size("window", 0);
    return layer;
  }
  bool isSingle = properties.flag("single");
  layer.feeds = !isSingle;
  if ((kind == "linear_attention" || kind == "mamba" ||
       (isSingle && kind == "M")) &&
      properties.flag("linear")) {
    layer.linear = true;
    return layer;
  }
  if (kind == "full_attention" || kind == "attention" ||
      (kind == "indexed_attention" && properties.has("index_heads")) ||
      (isSingle && kind == "*"))
    return layer;
  if (!isSingle)
    return std::nullopt;
  layer.feeds = true;
  layer.mixes = false;
  layer.hasExperts = kind == "moe" || kind == "E";
  if (layer.hasExperts || kind == "mlp" || kind == "-")
    return layer;
  return std::nullopt;
}

bool Reader::seesWindow(int64_t index, StringRef pattern) {
  int64_t period = 0;
  if (pattern == "all")
    return true;
  if (pattern == "from")
    return index >= properties.size("window_from", 0);
  if (pattern == "none" || pattern.getAsInteger(10, period) || period < 1)
    return false;
  return (index + 1) % period != 0;
}

/// Llama 4: layers that rotate see a chunk of the tokens, the others all.
void Reader::readRotatedLayers() {
  std::vector<std::string> stated = listOfLayers("no_rope_layers");
  int64_t period = properties.size("rotate_step");
  for (auto [index, layer] : llvm::enumerate(arch.layers))
    layer.rotates = stated.empty() ? (int64_t(index) + 1) % period != 0
                                   : stated[index] != "0";
}

/// GLM-5: some layers attend to the keys that an earlier one chose.
void Reader::readIndexers() {
  std::vector<std::string> stated = listOfLayers("indexer_types");
  int64_t step = std::max<int64_t>(properties.size("index_step", 0), 1);
  int64_t first = properties.size("index_first", 0);
  for (auto [index, layer] : llvm::enumerate(arch.layers)) {
    int64_t later = std::max<int64_t>(int64_t(index) - first + 1, 0);
    layer.chooses =
        stated.empty() ? later % step == 0 : stated[index] == "full";
    if (!stated.empty() && !layer.chooses && stated[index] != "shared")
      fields.fail("'indexer_types' has '" +
                  StringRef(stated[index]).take_front(60) +
                  "'; expected full or shared");
  }
  if (!arch.layers.empty() && !arch.layers.front().chooses)
    fields.fail("the first layer shares keys that no layer chose "
                "('indexer_types')");
}

void Reader::readLayers() {
  arch.layers.resize(size_t(std::min(count, mostLayers)));
  if (!kinds.empty() && int64_t(kinds.size()) != count) {
    fields.fail("'" + kindsField + "' has " + llvm::Twine(kinds.size()) +
                " entries, but the model has " + llvm::Twine(count) +
                " layers");
    return;
  }
  for (auto [index, kind] : llvm::enumerate(kinds)) {
    std::optional<Layer> layer = parseLayer(kind);
    if (!layer) {
      fields.fail("layer type '" + StringRef(kind).take_front(60) +
                  "' of layer " + llvm::Twine(index) +
                  " is not supported for model type '" + arch.modelType + "'");
      return;
    }
    arch.layers[index] = *layer;
  }
  arch.chunks = properties.flag("chunks");
  if (arch.chunks)
    readRotatedLayers();
  if (properties.has("index_step"))
    readIndexers();
  if (!kinds.empty())
    return;
  if (properties.flag("linear") && !properties.has("full_every")) {
    std::vector<std::string> full = listOfIndices("attn_layer_indices");
    bool isSingle = properties.flag("single");
    for (auto [index, layer] : llvm::enumerate(arch.layers)) {
      layer.linear = !llvm::is_contained(full, std::to_string(index));
      layer.feeds = !isSingle;
    }
    return;
  }
  if (properties.flag("linear")) {
    int64_t period = properties.size("full_every");
    for (auto [index, layer] : llvm::enumerate(arch.layers))
      layer.linear = (int64_t(index) + 1) % period != 0;
    return;
  }
  int64_t window =
      properties.flag("uses_window") ? properties.size("window", 0) : 0;
  std::string pattern = properties.word("pattern");
  for (auto [index, layer] : llvm::enumerate(arch.layers))
    layer.window = window && seesWindow(int64_t(index), pattern) ? window : 0;
}

void Reader::readExperts() {
  arch.experts = properties.size("experts", 0);
  if (arch.experts > mostExperts)
    fields.fail(llvm::Twine(arch.experts) +
                " experts are not supported; expected at most " +
                llvm::Twine(mostExperts));
  if (!arch.experts || fields.failed())
    return;
  arch.topK = properties.size("top_k");
  if (arch.topK > arch.experts)
    fields.fail("each token chooses " + llvm::Twine(arch.topK) + " of only " +
                llvm::Twine(arch.experts) + " experts");
  arch.expertInner = properties.size("expert_inter");
  arch.sharedInner = properties.size("shared_inter", 0);
  arch.sharedGate = properties.flag("shared_gate");
  arch.routerBias = properties.flag("router_bias");
  arch.expertBias = properties.flag("expert_bias");
  arch.usesSigmoid = properties.flag("sigmoid");
  arch.expertWidth = properties.size("expert_width");
  if (properties.flag("single"))
    return;
  std::vector<std::string> sparse = listOfIndices("moe_layers");
  std::vector<std::string> branches = listOfLayers("mlp_layer_types");
  std::vector<std::string> plain = fields.list("mlp_only_layers");
  bool isFrom = properties.word("sparse") == "from";
  int64_t dense = properties.size("dense", 0);
  int64_t step = properties.size("step");
  for (auto [index, layer] : llvm::enumerate(arch.layers)) {
    auto i = int64_t(index);
    if (index < branches.size())
      layer.hasExperts = branches[index] == "sparse";
    else if (fields.has("moe_layers"))
      layer.hasExperts = llvm::is_contained(sparse, std::to_string(i));
    else
      layer.hasExperts =
          isFrom ? i >= dense
                 : (i + 1) % step == 0 &&
                       !llvm::is_contained(plain, std::to_string(i));
  }
}

void Reader::readHead() {
  std::vector<std::string> classes = fields.list("architectures");
  bool isEncoder = !arch.isCausal;
  bool hasPooler = properties.flag("pooler");
  if (const llvm::json::Object *names = fields.nested("id2label"))
    arch.labels = std::max<int64_t>(int64_t(names->size()), 1);
  else if (fields.has("num_labels"))
    arch.labels = std::max<int64_t>(int64_t(fields.number("num_labels")), 1);
  Head base = hasPooler ? Head::Pooler : Head::None;
  arch.head = isEncoder ? base : Head::Words;
  if (classes.empty())
    return;
  StringRef name = classes.front();
  auto head = llvm::StringSwitch<std::optional<Head>>(name)
                  .EndsWith("LMHeadModel", Head::Words)
                  .EndsWith("ForCausalLM", Head::Words)
                  .EndsWith("ForConditionalGeneration", Head::Words)
                  .EndsWith("ForMaskedLM", Head::Masked)
                  .EndsWith("ForSequenceClassification", Head::Classes)
                  .EndsWith("ForImageClassification", Head::Classes)
                  .EndsWith("ForTokenClassification", Head::Tokens)
                  .EndsWith("ForQuestionAnswering", Head::Spans)
                  .EndsWith("Model", base)
                  .Default(std::nullopt);
  bool fits =
      head && (*head == base || (*head == Head::Words) == arch.isCausal);
  if (fits && isEncoder && arch.isImage())
    fits = *head == base || *head == Head::Classes;
  if (!fits)
    fields.fail("architecture '" + name.take_front(60) +
                "' is not supported for model type '" + arch.modelType +
                "'; expected " +
                (arch.isCausal ? "a ...ForCausalLM or ...Model"
                               : "a ...Model, or a masked language model, "
                                 "classifier or question answering"));
  else
    arch.head = *head;
}

void Reader::readFormat() {
  std::string type =
      fields.text(fields.has("dtype") ? "dtype" : "torch_dtype", "float32");
  StringRef name = type;
  name.consume_front("torch.");
  arch.format = llvm::StringSwitch<StringRef>(name)
                    .Case("bfloat16", "bf16")
                    .Case("float16", "fp16")
                    .Cases({"float32", "auto"}, "fp32")
                    .Default("")
                    .str();
  if (arch.format.empty())
    fields.fail("unknown type '" + name.take_front(60) +
                "' of parameters; expected bfloat16, float16 or float32");
}

void Reader::readRecurrence() {
  arch.recurrence =
      choose<Recurrence>("recurrence", {{"delta", Recurrence::Delta},
                                        {"space", Recurrence::StateSpace}});
  arch.linearKeyHeads = properties.size("lin_k_heads");
  arch.linearValueHeads = properties.size("lin_v_heads");
  arch.linearKeyDim = properties.size("lin_k_dim");
  arch.linearValueDim = properties.size("lin_v_dim");
  arch.taps = properties.size("lin_taps");
  arch.linearBias = properties.flag("lin_bias");
  arch.tapsBias = properties.flag("lin_taps_bias");
  requireMultiple("the number of value heads of the recurrence",
                  arch.linearValueHeads, "that of its key heads",
                  arch.linearKeyHeads);
}

Description Reader::read() {
  readSizes();
  readWords();
  if (!fields.failed())
    readLayers();
  if (properties.flag("linear"))
    readRecurrence();
  if (!fields.failed())
    readExperts();
  readHead();
  readFormat();
  arch.isPredictor = fields.isTruthy(predictorField);
  if (arch.isPredictor && !arch.layers.empty())
    arch.layers = {arch.layers.back()};
  bool predictsMore = fields.isTruthy("num_nextn_predict_layers");
  std::vector<std::string> unread = fields.unread();
  for (StringRef name : refusedFields)
    if (llvm::is_contained(unread, name))
      fields.fail("field '" + name +
                  "' describes a part that is not supported for model type '" +
                  arch.modelType + "'");
  if (predictsMore)
    arch.notes.push_back("the layers that predict further tokens "
                         "('num_nextn_predict_layers') are not part of the "
                         "model");
  llvm::erase_if(unread, isIgnoredField);
  constexpr size_t most = 8;
  if (unread.size() > most) {
    unread.resize(most);
    unread.push_back("...");
  }
  if (!unread.empty())
    arch.notes.push_back("fields of the configuration that are not used: " +
                         llvm::join(unread, ", "));
  return std::move(arch);
}

llvm::Expected<Description> gpucost::configuration::readDescription(
    const llvm::json::Object &configuration) {
  // A model of several parts: the language model is one of them.
  if (const llvm::json::Object *text = configuration.getObject("text_config")) {
    llvm::json::Object inner = *text;
    std::string type = configuration.getString("model_type").value_or("").str();
    inner.try_emplace("model_type", type + "_text");
    for (StringRef name : {"architectures", "torch_dtype", "dtype"})
      if (const llvm::json::Value *value = configuration.get(name))
        inner.try_emplace(name, *value);
    inner.erase("text_config");
    llvm::Expected<Description> arch = readDescription(inner);
    if (arch)
      arch->notes.push_back("only the language model of '" + type +
                            "' ('text_config') is predicted");
    return arch;
  }
  Fields fields(configuration);
  if (!fields.has("model_type"))
    return llvm::createStringError(
        "field 'model_type' is missing: this is not the config.json of a "
        "model");
  std::string type = fields.text("model_type");
  if (fields.failed())
    return fields.takeError();
  Description arch = Reader(fields, type).read();
  if (llvm::Error error = fields.takeError())
    return std::move(error);
  return arch;
}
