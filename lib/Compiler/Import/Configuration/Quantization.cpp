//===- Quantization.cpp - Quantisation of a checkpoint --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fields.h"
#include "gpucost/Compiler/Import/Configuration.h"
#include "gpucost/Compiler/Support/Json.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpucost;
using namespace gpucost::configuration;
using llvm::StringRef;
namespace json = llvm::json;

/// Weights of `bits` bits in groups: GPTQ, AWQ and the like.
static llvm::Error readBits(Fields &fields, StringRef name,
                            StoredWeights &stored) {
  double bits = fields.has(name) ? fields.number(name) : 4;
  if (llvm::Error error = fields.takeError())
    return error;
  if (bits != 4 && bits != 8)
    return llvm::createStringError("field '" + name +
                                   "': expected 4 or 8 bits, but got " +
                                   llvm::Twine(int64_t(bits)));
  stored.weights = bits == 4 ? StorageFormat::INT4 : StorageFormat::INT8;
  for (StringRef group : {"group_size", "q_group_size"})
    if (const json::Value *value = fields.value(group)) {
      std::optional<int64_t> size = value->getAsInteger();
      if (!size)
        return llvm::createStringError("field '" + group +
                                       "': expected an integer");
      // -1: one scale per row.
      if (*size > 0)
        stored.group = size;
    }
  return llvm::Error::success();
}

/// fp8 with a scale for each block of 128 x 128 elements, or without blocks.
static llvm::Expected<StorageFormat> readBlocks(const json::Object &object) {
  static constexpr int64_t edge = 128;
  for (StringRef field : {"weight_block_size", "block_structure"}) {
    const json::Value *value = object.get(field);
    if (!value || value->getAsNull())
      continue;
    const json::Array *block = value->getAsArray();
    if (block && block->size() == 2 &&
        llvm::all_of(*block, [](const json::Value &size) {
          return size.getAsInteger() == std::optional<int64_t>(edge);
        }))
      return StorageFormat::FP8BLOCK;
    return llvm::createStringError(
        "field '" + field + "': fp8 has blocks of [128, 128], but got " +
        llvm::formatv("{0}", *value).str().substr(0, 60));
  }
  return StorageFormat::FP8;
}

/// The first group of compressed-tensors.
static llvm::Error readGroups(const json::Object &object,
                              StoredWeights &stored) {
  const json::Object *groups = object.getObject("config_groups");
  const json::Object *weights = nullptr;
  if (groups && !groups->empty())
    if (const json::Object *group = groups->begin()->second.getAsObject())
      weights = group->getObject("weights");
  if (!weights)
    return llvm::createStringError(
        "quantization_config of compressed-tensors has no 'weights' in "
        "'config_groups'");
  Fields fields(*weights);
  std::string type = fields.text("type", "int");
  double bits = fields.has("num_bits") ? fields.number("num_bits") : 8;
  if (llvm::Error error = fields.takeError())
    return error;
  if (type != "float")
    return readBits(fields, "num_bits", stored);
  if (bits != 8 && bits != 4)
    return llvm::createStringError("field 'num_bits': expected 4 or 8 bits");
  double group = fields.has("group_size") ? fields.number("group_size") : 16;
  constexpr double groupOfMxfp4 = 32;
  stored.weights =
      group == groupOfMxfp4 ? StorageFormat::MXFP4 : StorageFormat::NVFP4;
  return bits == 8 ? readBlocks(*weights).moveInto(stored.weights)
                   : llvm::Error::success();
}

llvm::Expected<StoredWeights> gpucost::readQuantization(StringRef text) {
  StoredWeights stored;
  llvm::Expected<json::Value> value = parseJson(text);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  if (!object)
    return stored;
  Fields all(*object);
  object = all.nested("quantization_config");
  if (llvm::Error error = all.takeError())
    return std::move(error);
  if (!object)
    return stored;
  Fields fields(*object);
  std::string method =
      fields.text(fields.has("quant_algo") ? "quant_algo" : "quant_method", "");
  if (llvm::Error error = fields.takeError())
    return std::move(error);
  std::string name = StringRef(method).lower();
  if (StringRef(fields.text("kv_cache_quant_algo")).lower() == "fp8")
    stored.cache = StorageFormat::FP8;
  if (name == "fp8_pb_wo")
    stored.weights = StorageFormat::FP8BLOCK;
  else if (name == "fp8" || name == "fbgemm_fp8") {
    if (llvm::Error error = readBlocks(*object).moveInto(stored.weights))
      return std::move(error);
  } else if (name == "nvfp4" || name == "modelopt_fp4")
    stored.weights = StorageFormat::NVFP4;
  else if (name == "mxfp4")
    stored.weights = StorageFormat::MXFP4;
  else if (name == "mxfp8")
    stored.weights = StorageFormat::MXFP8;
  else if (name == "w4a16_awq" || name == "w4a16")
    stored.weights = StorageFormat::INT4;
  else if (name == "gptq" || name == "awq" || name == "auto-round" ||
           name.empty()) {
    if (llvm::Error error =
            readBits(fields, fields.has("w_bit") ? "w_bit" : "bits", stored))
      return std::move(error);
  } else if (name == "bitsandbytes") {
    bool isNarrow = fields.flag("load_in_4bit", false);
    stored.weights = isNarrow ? StorageFormat::INT4 : StorageFormat::INT8;
    if (isNarrow)
      stored.base = fields.flag("bnb_4bit_use_double_quant", false)
                        ? LoraBase::NF4Double
                        : LoraBase::NF4;
  } else if (name == "compressed-tensors") {
    if (llvm::Error error = readGroups(*object, stored))
      return std::move(error);
  } else if (name != "none") {
    return llvm::createStringError(
        "quantisation '" + name.substr(0, 60) +
        "' is not supported; expected fp8, mxfp4, mxfp8, nvfp4, gptq, awq, "
        "bitsandbytes or compressed-tensors");
  }
  return stored;
}
