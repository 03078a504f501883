//===- DescribeIteration.cpp - Describes an iteration ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescribeIteration.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/ExportAttrs.h"

using namespace mlir;
using namespace gpucost;

/// Readable description of the tensor formats.
static std::string describePrecision(ModuleOp module,
                                     const Settings &settings) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto cast = module->getAttrOfType<TypeAttr>(precisionAttrName);
  auto autocast = module->getAttrOfType<TypeAttr>(autocastAttrName);
  if (autocast)
    os << "automatic mixed precision (" << autocast.getValue()
       << ", parameters f32)";
  else if (cast)
    os << "tensors cast to " << cast.getValue();
  else
    os << "tensors in the formats of the file";
  if (settings.weights != StorageFormat::AsIs)
    os << ", matmul and convolution weights in "
       << stringifyStorageFormat(settings.weights);
  if (bitsOf(settings.activations) <= 8)
    os << ", activations in " << stringifyStorageFormat(settings.activations);
  if (settings.kv != StorageFormat::AsIs)
    os << ", KV cache in " << stringifyStorageFormat(settings.kv);
  if (settings.tf32 != Tf32Mode::Off)
    os << ", TF32 tensor cores for "
       << (settings.tf32 == Tf32Mode::Conv ? "convolution"
                                           : "matmul and convolution");
  return text;
}

/// Value of the first binding with a known name; 0 if there is none.
static int64_t findBinding(const PreparedModel &model,
                           std::initializer_list<llvm::StringLiteral> names) {
  for (const auto &[name, value] : model.bindings)
    for (llvm::StringRef known : names)
      if (llvm::StringRef(name).equals_insensitive(known))
        return value;
  return 0;
}

/// Samples and tokens that one iteration processes on all GPUs.
static void countSamples(PreparedModel &model) {
  const Settings &settings = model.settings;
  int64_t batch = settings.batch.value_or(0);
  if (batch <= 0)
    batch = findBinding(model, {"batch", "batch_size", "n", "b"});
  int64_t length = settings.seq.value_or(0);
  if (length <= 0)
    length = findBinding(
        model, {"sequence", "seq", "seq_len", "seq_length", "sequence_length"});
  int64_t passes = settings.microBatches();
  model.samples =
      saturatingProduct(saturatingProduct(batch, passes), settings.plan().data);
  model.tokens = saturatingProduct(model.samples, length);
}

static void appendNotes(ModuleOp module, StringRef attribute,
                        PreparedModel &model) {
  if (auto notes = module->getAttrOfType<ArrayAttr>(attribute))
    for (auto note : notes.getAsRange<StringAttr>())
      model.notes.push_back(note.str());
}

static void addTrainingNotes(ModuleOp module, PreparedModel &model) {
  const Settings &settings = model.settings;
  std::string text = "training step: ";
  if (settings.optimizer == OptimizerKind::None)
    text += "no parameter update";
  else
    text += std::string(stringifyEnum(settings.optimizer)) + " (" +
            std::string(stringifyOptimizerVariant(settings.optimizerVariant)) +
            ")";
  if (settings.zeroGrad != ZeroGradMode::SetToNone)
    text +=
        ", gradients " + std::string(stringifyZeroGradMode(settings.zeroGrad));
  if (settings.gradAccum > 1)
    text += ", " + std::to_string(settings.gradAccum) + " accumulated passes";
  if (settings.recompute.mode != RecomputeMode::None)
    text += ", recompute " + toText(settings.recompute);
  text += settings.dropout == DropoutMode::Off ? ", dropout off"
                                               : ", dropout as in the file";
  model.notes.push_back(text);
  appendNotes(module, trainingNotesAttrName, model);
}

/// (Q1)
static bool hasDequantisingProduct(const PreparedModel &model) {
  return llvm::any_of(model.works, [](const KernelWork &work) {
    return work.is<MatmulProblem>() && work.as<MatmulProblem>().weightBits > 0;
  });
}

void gpucost::describeIteration(ModuleOp module, PreparedModel &model) {
  model.given = getScenario(module);
  model.settings = getSettings(module);
  if (auto bindings = module->getAttrOfType<DictionaryAttr>(bindingsAttrName))
    for (NamedAttribute binding : bindings)
      if (auto value = dyn_cast<IntegerAttr>(binding.getValue()))
        model.bindings.emplace_back(binding.getName().str(), value.getInt());
  model.precision = describePrecision(module, model.settings);
  countSamples(model);
  appendNotes(module, importNotesAttrName, model);
  appendNotes(module, notesAttrName, model);
  appendNotes(module, formatNotesAttrName, model);
  appendNotes(module, parallelNotesAttrName, model);
  appendNotes(module, stageNotesAttrName, model);
  if (auto layers = module->getAttrOfType<IntegerAttr>(stageLayersAttrName))
    model.stageLayers = layers.getInt();
  if (hasDequantisingProduct(model))
    model.notes.push_back(
        "low-precision weights: one kernel dequantises and multiplies, as in "
        "Marlin and TensorRT-LLM; a runtime that dequantises first takes "
        "longer");
  model.notes.push_back(
      model.settings.trains()
          ? "FLOP = 2 x MAC; causal attention counts the half it computes"
          : "FLOP = 2 x MAC; causal attention counts the half it computes; "
            "dropout is off in inference");
  if (model.settings.trains())
    addTrainingNotes(module, model);
}
