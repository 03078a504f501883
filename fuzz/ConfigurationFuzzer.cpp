//===- ConfigurationFuzzer.cpp - Any text as the config.json of a model ---===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A configuration gives a valid module in each form, or an error that names the
// file. A random byte hardly ever leaves a JSON object with the fields of a
// model, so half of the changes replace a value or a model type.
//
//===----------------------------------------------------------------------===//

#include "CheckedAnalysis.h"
#include "SharedContext.h"
#include "gpucost/Compiler/Import/Configuration.h"
#include "gpucost/Compiler/Support/Json.h"
#include "mlir/IR/Verifier.h"
#include <algorithm>
#include <cstdlib>
#include <random>

using namespace gpucost;
namespace json = llvm::json;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// A value as no seed has it.
static json::Value drawValue(const json::Value &old, std::mt19937 &random) {
  static const json::Value values[] = {0,
                                       1,
                                       2,
                                       3,
                                       7,
                                       64,
                                       1000,
                                       1 << 30,
                                       0.25,
                                       -1,
                                       1e300,
                                       true,
                                       "",
                                       "silu",
                                       "gelu",
                                       nullptr,
                                       json::Array{},
                                       json::Object{}};
  if (std::optional<int64_t> number = old.getAsInteger();
      number && random() % 2)
    return std::max<int64_t>(*number, 2) / 2 * int64_t(random() % 5);
  return values[random() % std::size(values)];
}

static void changeObject(json::Object &object, std::mt19937 &random) {
  if (random() % 4 == 0) {
    static const std::vector<llvm::StringRef> types = supportedModelTypes();
    object["model_type"] = types[random() % types.size()];
    return;
  }
  if (object.empty())
    return;
  auto member = object.begin();
  std::advance(member, random() % object.size());
  json::Object *inner = member->second.getAsObject();
  if (inner && random() % 4)
    return changeObject(*inner, random);
  if (random() % 8 == 0)
    object.erase(member);
  else
    member->second = drawValue(member->second, random);
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  std::mt19937 random(seed);
  llvm::Expected<json::Value> value =
      parseJson({reinterpret_cast<const char *>(data), size});
  if (!value)
    llvm::consumeError(value.takeError());
  json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object || random() % 2)
    return LLVMFuzzerMutate(data, size, maxSize);
  for (unsigned changes = 1 + random() % 3; changes > 0; --changes)
    changeObject(*object, random);
  std::string text;
  llvm::raw_string_ostream(text) << *value;
  if (text.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::copy_n(text.data(), text.size(), data);
  return text.size();
}

[[noreturn]] static void reportFinding(const llvm::Twine &what) {
  llvm::errs() << "finding: " << what << '\n';
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  (void)describesModel(text);
  if (auto stored = readQuantization(text); !stored)
    llvm::consumeError(stored.takeError());
  mlir::MLIRContext &context = sharedContext(toolDialects());
  ImportOptions options;
  options.maxNodes = 3'000;
  for (GraphForm form :
       {GraphForm::Cache, GraphForm::Training, GraphForm::Prompt}) {
    auto module = importConfiguration(context, text, "m", form, {}, options);
    if (!module) {
      std::string error = llvm::toString(module.takeError());
      constexpr size_t longest = 4096;
      if (!llvm::StringRef(error).starts_with("m: ") || error.size() > longest)
        reportFinding("error '" + error + "'");
      continue;
    }
    if (failed(mlir::verify(**module)))
      reportFinding("the module is invalid");
    if (form == GraphForm::Prompt)
      analyzeAndCheck(**module, size);
  }
  return 0;
}
