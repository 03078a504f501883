//===- Configuration.cpp - Models without a file --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Import/Configuration.h"
#include "../Onnx/ImportModel.h"
#include "AdapterPlacer.h"
#include "Description.h"
#include "Fields.h"
#include "ModelBuilder.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/ExportAttrs.h"
#include "gpucost/Compiler/Support/Json.h"
#include "gpucost/Core/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace gpucost;
using namespace gpucost::configuration;
using llvm::StringRef;
namespace json = llvm::json;

bool gpucost::describesModel(StringRef text) {
  // Reports are large, so those without the words are not parsed.
  if (!text.ltrim().starts_with("{") ||
      (!text.contains("\"model_type\"") && !text.contains("\"text_config\"")))
    return false;
  llvm::Expected<json::Value> value = parseJson(text);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const json::Object *object = value->getAsObject();
  return object && (object->get("model_type") || object->get("text_config"));
}

bool gpucost::isConfiguration(StringRef contents) {
  // MLIR begins like this only with an alias or op, never with a brace and a
  // quote.
  contents = contents.ltrim();
  return contents.consume_front("{") && contents.ltrim().starts_with("\"");
}

std::string gpucost::configurationFile(StringRef path) {
  if (!llvm::sys::fs::is_directory(path))
    return path.str();
  llvm::SmallString<128> file(path);
  llvm::sys::path::append(file, "config.json");
  return file.str().str();
}

static llvm::Error withName(StringRef name, llvm::Error error) {
  return llvm::createStringError(name + ": " +
                                 llvm::toString(std::move(error)));
}

static llvm::Expected<std::string> readText(const std::string &path) {
  Expected<std::string> text = readInput(path, mostBytesOfText);
  if (!text)
    return llvm::createStringError(text.error().message);
  return std::move(*text);
}

static llvm::Expected<json::Object> parseObject(StringRef text) {
  llvm::Expected<json::Value> value = parseJson(text);
  if (!value)
    return value.takeError();
  if (json::Object *object = value->getAsObject())
    return std::move(*object);
  return llvm::createStringError("expected a JSON object");
}

/// The object with the quantisation of a file beside the configuration.
static llvm::Error addQuantization(StringRef folder, json::Object &object) {
  for (StringRef name :
       {"hf_quant_config.json", "quantize_config.json", "quant_config.json"}) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, name);
    if (!llvm::sys::fs::exists(path))
      continue;
    llvm::Expected<std::string> text = readText(path.str().str());
    if (!text)
      return text.takeError();
    llvm::Expected<json::Object> read = parseObject(*text);
    if (!read)
      return withName(path, read.takeError());
    // ModelOpt has the method in an object, the others are the object.
    const json::Object *inner = read->getObject("quantization");
    object["quantization_config"] =
        json::Value(json::Object(inner ? *inner : *read));
    return llvm::Error::success();
  }
  return llvm::Error::success();
}

llvm::Expected<std::string> gpucost::readConfiguration(StringRef path) {
  std::string file = configurationFile(path);
  if (file != path && !llvm::sys::fs::exists(file))
    return llvm::createStringError(
        path + ": the folder has no config.json of a model");
  llvm::Expected<std::string> text = readText(file);
  if (!text)
    return text.takeError();
  if (llvm::sys::path::filename(file) != "config.json")
    return text;
  llvm::Expected<json::Object> object = parseObject(*text);
  if (!object)
    return withName(file, object.takeError());
  const json::Value *stated = object->get("quantization_config");
  if (stated && stated->kind() != json::Value::Null)
    return text;
  if (llvm::Error error =
          addQuantization(llvm::sys::path::parent_path(file), *object))
    return std::move(error);
  std::string joined;
  llvm::raw_string_ostream(joined) << json::Value(std::move(*object));
  return joined;
}

llvm::Expected<std::string> gpucost::readPredictor(StringRef path) {
  auto refuse = [&] {
    return llvm::createStringError(
        path + ": the model has no module that predicts further tokens "
               "('num_nextn_predict_layers' of a configuration); give a draft "
               "model with --draft");
  };
  if (!llvm::sys::fs::is_directory(path) && !path.ends_with(".json"))
    return refuse();
  llvm::Expected<std::string> text = readConfiguration(path);
  if (!text)
    return text.takeError();
  llvm::Expected<json::Object> object = parseObject(*text);
  if (!object)
    return withName(path, object.takeError());
  json::Object *inner = object->getObject("text_config");
  json::Object &model = inner ? *inner : *object;
  std::optional<int64_t> modules = model.getInteger("num_nextn_predict_layers");
  if (!modules || *modules < 1)
    return refuse();
  model.erase("num_nextn_predict_layers");
  model[predictorField] = true;
  std::string result;
  llvm::raw_string_ostream(result) << json::Value(std::move(*object));
  return result;
}

/// Whether a list of `value` may have one element per layer.
static bool hasListOf(const json::Value &value, int64_t layers) {
  if (const json::Array *list = value.getAsArray())
    return static_cast<int64_t>(list->size()) == layers ||
           llvm::any_of(*list, [&](const json::Value &each) {
             return hasListOf(each, layers);
           });
  const json::Object *object = value.getAsObject();
  return object && llvm::any_of(*object, [&](const auto &member) {
           return hasListOf(member.second, layers);
         });
}

std::optional<std::string>
gpucost::shortenConfiguration(StringRef text, int64_t layers, int64_t fewer) {
  llvm::Expected<json::Object> root = parseObject(text);
  if (!root) {
    llvm::consumeError(root.takeError());
    return std::nullopt;
  }
  // The object of the language model, and its type, as in readDescription.
  json::Object *part = root->getObject("text_config");
  json::Object &object = part ? *part : *root;
  std::string type = root->getString("model_type").value_or("").str();
  if (part)
    type = part->getString("model_type").value_or(type + "_text").str();
  Fields fields(object);
  std::string field = Properties(type, fields).fieldOf("layers");
  if (fields.failed() || object.getInteger(field) != layers)
    return std::nullopt;
  object[field] = fewer;
  json::Value shorter(std::move(*root));
  if (hasListOf(shorter, layers))
    return std::nullopt;
  std::string written;
  llvm::raw_string_ostream(written) << shorter;
  return written;
}

static llvm::Expected<Description> parse(StringRef text) {
  llvm::Expected<json::Object> object = parseObject(text);
  if (!object)
    return object.takeError();
  return readDescription(*object);
}

static llvm::Error build(StringRef text, StringRef name, GraphForm form,
                         const Adapters &adapters,
                         std::optional<GraphWriter> &writer,
                         std::vector<std::string> &notes) {
  llvm::Expected<Description> arch = parse(text);
  if (!arch)
    return arch.takeError();
  if (form == GraphForm::Cache && !arch->isCausal)
    return llvm::createStringError(
        "a model of type '" + arch->modelType +
        "' has no decode step: its attention is not causal");
  writer.emplace(name, arch->format);
  notes = arch->notes;
  if (!adapters.rank) {
    ModelBuilder(*arch, form, nullptr, *writer).build();
    return llvm::Error::success();
  }
  llvm::Expected<AdapterPlacer> placer = AdapterPlacer::create(adapters, *arch);
  if (!placer)
    return placer.takeError();
  if (form == GraphForm::Cache)
    return llvm::createStringError(
        "adapters are for training; a graph with a cache has merged weights");
  ModelBuilder(*arch, form, &*placer, *writer).build();
  llvm::append_range(notes, placer->notes());
  return placer->checkNames();
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> gpucost::importConfiguration(
    mlir::MLIRContext &context, StringRef text, StringRef name, GraphForm form,
    const Adapters &adapters, const ImportOptions &options) {
  std::optional<GraphWriter> writer;
  std::vector<std::string> notes;
  if (llvm::Error error = build(text, name, form, adapters, writer, notes))
    return withName(name, std::move(error));
  if (writer->model().graph().node_size() > options.maxNodes)
    return llvm::createStringError(name + ": more than " +
                                   llvm::Twine(options.maxNodes) + " nodes");
  auto module = importer::importModel(context, writer->model(), name, options);
  if (!module)
    return withName(name, module.takeError());
  mlir::Builder builder(&context);
  (*module)->getOperation()->setAttr(configurationAttrName,
                                     builder.getStringAttr(text));
  if (!notes.empty()) {
    llvm::SmallVector<StringRef> words(notes.begin(), notes.end());
    (*module)->getOperation()->setAttr(importNotesAttrName,
                                       builder.getStrArrayAttr(words));
  }
  return module;
}

llvm::Expected<std::string> gpucost::buildOnnx(StringRef text, StringRef name,
                                               GraphForm form,
                                               const Adapters &adapters) {
  std::optional<GraphWriter> writer;
  std::vector<std::string> notes;
  if (llvm::Error error = build(text, name, form, adapters, writer, notes))
    return withName(name, std::move(error));
  return writer->model().SerializeAsString();
}

std::vector<StringRef> gpucost::supportedModelTypes() { return modelTypes(); }
