//===- OnnxImport.cpp - Imports ONNX files into the onnx dialect ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The boundary of the library: exceptions of protobuf are caught here.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Import/OnnxImport.h"
#include "Domains.h"
#include "Emitter.h"
#include "Flatten.h"
#include "ImportModel.h"
#include "ModelFile.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/ExportAttrs.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include <algorithm>
#include <exception>
#include <new>

using namespace gpucost;
using namespace gpucost::importer;

using Result = llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>;

namespace {

/// The properties in the metadata of a file of gpucost.export().
struct ExportProperties {
  llvm::SmallVector<std::pair<llvm::StringRef, int64_t>> sizes;
  llvm::StringRef trainingSettings;
  llvm::SmallVector<llvm::StringRef> notes, trainingNotes;
};

} // namespace

static llvm::Expected<ExportProperties>
readExportProperties(const pb::ModelProto &model) {
  ExportProperties found;
  for (const auto &entry : model.metadata_props()) {
    llvm::StringRef key = entry.key(), value = entry.value();
    if (!key.consume_front(exportKeyPrefix))
      continue;
    if (key == "notes") {
      value.split(found.notes, '\n');
    } else if (key == "training_notes") {
      value.split(found.trainingNotes, '\n');
    } else if (key == "training") {
      found.trainingSettings = value;
    } else if (key == "batch" || key == "sequence") {
      int64_t size = 0;
      if (value.getAsInteger(10, size) || size < 1)
        return llvm::createStringError("metadata '" + exportKeyPrefix + key +
                                       "' is " + quoted(value) +
                                       ", expected a positive integer");
      found.sizes.emplace_back(key, size);
    }
  }
  return found;
}

static void setExportProperties(mlir::ModuleOp module,
                                const ExportProperties &properties) {
  mlir::Builder builder(module.getContext());
  mlir::NamedAttrList sizes;
  for (auto [name, size] : properties.sizes)
    sizes.set(name, builder.getI64IntegerAttr(size));
  if (!sizes.empty())
    module->setAttr(exampleSizesAttrName,
                    sizes.getDictionary(module.getContext()));
  if (!properties.trainingSettings.empty())
    module->setAttr(trainingSettingsAttrName,
                    builder.getStringAttr(properties.trainingSettings));
  if (!properties.trainingNotes.empty())
    module->setAttr(importTrainingNotesAttrName,
                    builder.getStrArrayAttr(properties.trainingNotes));
}

Result gpucost::importer::importModel(mlir::MLIRContext &context,
                                      const pb::ModelProto &model,
                                      llvm::StringRef name,
                                      const ImportOptions &options) {
  context.getOrLoadDialect<mlir::func::FuncDialect>();
  context.getOrLoadDialect<gpucost::onnx::OnnxDialect>();
  auto isKnown = [&](llvm::StringRef domain, llvm::StringRef type,
                     int64_t opset) {
    return findHome(domain, type, opset).op != nullptr;
  };
  auto graph = flattenModel(model, options, isKnown);
  if (!graph)
    return graph.takeError();
  auto properties = readExportProperties(model);
  if (!properties)
    return properties.takeError();
  for (llvm::StringRef note : properties->notes)
    (*graph)->notes.push_back(note.str());
  auto module = Emitter(context, **graph, name, options).emit();
  if (module)
    setExportProperties(**module, *properties);
  return module;
}

static Result import(mlir::MLIRContext &context, llvm::StringRef contents,
                     bool isMapped, llvm::StringRef name,
                     const ImportOptions &options) {
  if (contents.empty())
    return llvm::createStringError("the file is empty");
  WireLimits limits;
  limits.nodes = options.maxNodes;
  limits.graphDepth = options.maxSubgraphDepth;
  // Limits for tensors that become constants: no element has more than 16
  // bytes, and no integer that decides shapes more than 8.
  limits.payloadBytes = 16 * options.maxConstantFloats;
  limits.integerPayloadBytes =
      8 * std::max(options.maxInitializerInts, options.maxConstantNodeInts);
  llvm::Expected<ModelFile> file = parseModel(contents, isMapped, limits);
  if (!file)
    return file.takeError();
  return importModel(context, *file->model, name, options);
}

/// Adds the file name as a prefix to an error.
static Result withName(llvm::StringRef name, Result result) {
  if (result)
    return result;
  return llvm::createStringError(name + ": " +
                                 llvm::toString(result.takeError()));
}

/// Runs `function`; converts an exception to an error.
template <typename Function>
static Result withoutExceptions(Function function) {
  try {
    return function();
  } catch (const std::bad_alloc &) {
    return llvm::createStringError("out of memory");
  } catch (const std::exception &exception) {
    return llvm::createStringError(llvm::Twine("cannot be read: ") +
                                   exception.what());
  } catch (...) {
    return llvm::createStringError("cannot be read");
  }
}

Result gpucost::importOnnxBuffer(mlir::MLIRContext &context,
                                 llvm::StringRef contents, llvm::StringRef name,
                                 const ImportOptions &options) {
  return withName(name, withoutExceptions([&] {
                    return import(context, contents, /*isMapped=*/false, name,
                                  options);
                  }));
}

Result gpucost::importOnnx(mlir::MLIRContext &context, llvm::StringRef path,
                           const ImportOptions &options) {
  return withName(path, withoutExceptions([&]() -> Result {
                    auto buffer = mapModelFile(path);
                    if (!buffer)
                      return buffer.takeError();
                    return import(context, (*buffer)->getBuffer(),
                                  /*isMapped=*/true, path, options);
                  }));
}
