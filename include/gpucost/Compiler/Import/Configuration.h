//===- Configuration.h - Models without a file ---------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a model from the `config.json` of a Hugging Face repository, which
// states its type and sizes. No weights exist. The model types and their blocks
// are in lib/Compiler/Import/Configuration/Families.def, docs/Configurations.md
// describes what the graphs contain.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_IMPORT_CONFIGURATION_H
#define GPUCOST_COMPILER_IMPORT_CONFIGURATION_H

#include "gpucost/Compiler/Dialect/Onnx/IR/ConfigurationAttr.h"
#include "gpucost/Compiler/Import/OnnxImport.h"
#include "gpucost/Core/Vocabulary/Enums.h"
#include <optional>
#include <string>
#include <vector>

namespace gpucost {

/// The graphs of one model; all have the same parameters.
enum class GraphForm {
  Prompt,   ///< sequences from their start
  Training, ///< the same with ops that have a backward pass
  Cache     ///< new tokens after cached ones
};

/// Trained adapters (LoRA) in a graph whose other parameters are frozen.
struct Adapters {
  int64_t rank = 0; ///< 0: none
  /// Linears with adapters: "all-linear", "attention", or names, as
  /// --lora-modules.
  std::string modules = "all-linear";
  /// Storage of all linears of the blocks.
  LoraBase base = LoraBase::AsIs;
};

/// Patterns of the names of adapters, as --trainable.
inline constexpr llvm::StringLiteral adapterPatterns = "*.lora_A.*,*.lora_B.*";

/// Whether the contents of a file are a JSON object.
bool isConfiguration(llvm::StringRef contents);

/// Whether `json` is an object with the fields of a configuration, as opposed
/// to a report.
bool describesModel(llvm::StringRef json);

/// The file of a configuration: `path`, or config.json in the folder `path`.
std::string configurationFile(llvm::StringRef path);

/// Reads the configuration at `path`, a file or a folder. A quantisation file
/// beside it (hf_quant_config.json, quantize_config.json, quant_config.json)
/// becomes its `quantization_config` if it has none.
llvm::Expected<std::string> readConfiguration(llvm::StringRef path);

/// The configuration of the module of `path` that predicts a further token from
/// a token and a hidden state: its last layer, with the embedding and the LM
/// head. Fails without 'num_nextn_predict_layers'.
llvm::Expected<std::string> readPredictor(llvm::StringRef path);

/// Imports the model that `json` describes, as importOnnx does. `name` is used
/// in locations and errors, which name the field. The module has
/// `configurationAttrName`.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importConfiguration(mlir::MLIRContext &context, llvm::StringRef json,
                    llvm::StringRef name, GraphForm form,
                    const Adapters &adapters = {},
                    const ImportOptions &options = {});

/// The model as the bytes of an ONNX file without weights.
llvm::Expected<std::string> buildOnnx(llvm::StringRef json,
                                      llvm::StringRef name, GraphForm form,
                                      const Adapters &adapters = {});

/// The configuration `json` of a model with `layers` repeated blocks, with
/// `fewer` of them; nullopt if it does not state one number for all blocks.
std::optional<std::string> shortenConfiguration(llvm::StringRef json,
                                                int64_t layers, int64_t fewer);

/// How a checkpoint stores its weights.
struct StoredWeights {
  std::optional<StorageFormat> weights, cache;
  std::optional<int64_t> group; ///< weights that share a scale
  /// The storage that bitsandbytes trains adapters on.
  std::optional<LoraBase> base;
};

/// The quantisation that `json` states; an error names a method that is not
/// supported.
llvm::Expected<StoredWeights> readQuantization(llvm::StringRef json);

/// The supported values of `model_type`, sorted.
std::vector<llvm::StringRef> supportedModelTypes();

} // namespace gpucost

#endif // GPUCOST_COMPILER_IMPORT_CONFIGURATION_H
