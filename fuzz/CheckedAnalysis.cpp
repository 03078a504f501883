//===- CheckedAnalysis.cpp - An analysis with a sound report --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckedAnalysis.h"
#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Compiler/Session/Session.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <cstdlib>

using namespace gpucost;

[[noreturn]] static void reportFinding(const llvm::Twine &what) {
  llvm::errs() << "finding: " << what << '\n';
  abort();
}

/// Fields that docs/JsonSchema.md allows to be null.
static bool mayBeUnknown(llvm::StringRef field) {
  return field.contains("_low_") || field.contains("_high_") ||
         field.ends_with("_low") || field.ends_with("_high") ||
         field.ends_with("_error_percent") ||
         llvm::is_contained(
             {"tile", "split_k", "ctas", "ctas_per_sm", "waves",
              "sm_utilization", "hint", "power_limit_w", "iterations", "total",
              "per_million_samples", "per_million_tokens", "money", "co2e_kg",
              "samples_per_s", "tokens_per_s", "energy_per_sample_j"},
             field);
}

static bool isShare(llvm::StringRef field) {
  return field.ends_with("_fraction");
}

/// Totals of an iteration without any known kernel.
static bool isTotal(llvm::StringRef field) {
  return llvm::is_contained({"time_ms", "gpu_busy_ms", "host_ms", "kernel_ms",
                             "gap_ms", "host_wait_ms", "energy_j",
                             "avg_power_w", "mfu", "energy_all_gpus_j"},
                            field);
}

/// Writers print a number that is not finite as null. `field` is the name of
/// the innermost object's member that holds `value`.
static void checkNumbers(const llvm::json::Value &value, llvm::StringRef field,
                         bool isUnknown) {
  switch (value.kind()) {
  case llvm::json::Value::Null:
    if (!mayBeUnknown(field) && !(isUnknown && isTotal(field)))
      reportFinding("'" + field + "' is not a number");
    return;
  case llvm::json::Value::Number: {
    double number = *value.getAsNumber();
    if (number < 0)
      reportFinding("'" + field + "' is negative");
    if (isShare(field) && number > 1 + 1e-6)
      reportFinding("'" + field + "' is more than all");
    return;
  }
  case llvm::json::Value::Array:
    for (const llvm::json::Value &element : *value.getAsArray())
      checkNumbers(element, field, isUnknown);
    return;
  case llvm::json::Value::Object: {
    const llvm::json::Object &object = *value.getAsObject();
    bool communicates = object.getString("family") == "collective" ||
                        object.getString("phase") == "communication";
    for (const auto &[name, member] : object)
      // Bindings and settings come from the user; a setting may have no value.
      // Collectives overlap the kernels that make the busy time.
      if (name != "bindings" && name != "settings" &&
          !(communicates && (name == "time_fraction" || name == "avg_power_w")))
        checkNumbers(member, name, isUnknown);
    return;
  }
  case llvm::json::Value::Boolean:
  case llvm::json::Value::String:
    return;
  }
}

const mlir::DialectRegistry &gpucost::toolDialects() {
  static const mlir::DialectRegistry registry = [] {
    mlir::DialectRegistry result;
    registerDialects(result);
    return result;
  }();
  return registry;
}

void gpucost::analyzeAndCheck(mlir::ModuleOp module, size_t variant,
                              llvm::StringRef entry) {
  std::string lastError;
  mlir::ScopedDiagnosticHandler handler(
      module.getContext(), [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
          lastError = diagnostic.str();
        return mlir::success();
      });
  Scenario scenario;
  scenario.target = variant % 3 ? "a100-bf16" : "h100-fp32";
  scenario.bind = NamedValues{{"*", 3}};
  if (!entry.empty())
    scenario.entry = entry.str();
  if (variant % 7 == 0)
    scenario.mode = IterationMode::Training;
  else if (variant % 5 == 0)
    scenario.kvCache = variant % 2 ? KvCacheMode::InPlace : KvCacheMode::Paged;
  if (variant % 5 == 0)
    scenario.runtime = Runtime::Compiled;
  if (variant % 4 == 0)
    scenario.attention = AttentionMode::Flash;
  // An invalid module is told from a refused one by verifying it afterwards.
  mlir::FailureOr<IterationReport> report =
      annotateModule(module, scenario, /*verifyEach=*/false);
  if (failed(report)) {
    if (lastError.empty())
      reportFinding("failed without a diagnostic");
    return;
  }
  if (failed(mlir::verify(module)))
    reportFinding("the analyzed module is invalid: " + lastError);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = writeReport("json", *report, {}, os))
    reportFinding(llvm::toString(std::move(error)));
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json)
    reportFinding(llvm::toString(json.takeError()));
  checkNumbers(*json, "", report->isUnknown());
}
