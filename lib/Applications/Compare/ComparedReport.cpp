//===- ComparedReport.cpp - A report read for a comparison ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Compare/ComparedReport.h"
#include "gpucost/Applications/Compare/JsonInput.h"
#include "gpucost/Applications/Report/NumberText.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::compare;
using llvm::StringRef;
namespace json = llvm::json;

static std::string textOf(const json::Value &value) {
  if (std::optional<StringRef> text = value.getAsString())
    return printable(*text);
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return printable(text);
}

static ComparedKernel readKernel(const JsonObjectInput &input) {
  ComparedKernel kernel;
  kernel.name = input.text("name");
  kernel.op = input.requiredText("op");
  kernel.label = input.text("label");
  // Schema 1 called it `rule`.
  kernel.origin = input.text(input.get().get("origin") ? "origin" : "rule");
  kernel.family = input.requiredText("family");
  kernel.phase = input.text("phase");
  kernel.format = input.text("format");
  kernel.shape = input.requiredText("shape");
  kernel.tile = input.text("tile");
  kernel.bound = input.text("bound");
  kernel.splitK =
      static_cast<int64_t>(std::min(input.number("split_k").value_or(0), 1e15));
  kernel.count = input.requiredCount("count");
  kernel.timeUs = input.requiredNumber("time_us");
  kernel.energyJ = input.number("energy_j").value_or(0);
  kernel.computeUs = input.number("compute_us").value_or(0);
  kernel.l2Us = input.number("l2_us").value_or(0);
  kernel.dramUs = input.number("dram_us").value_or(0);
  kernel.fixedUs = input.number("fixed_us").value_or(0);
  return kernel;
}

/// Calls `read` with every element of the array `key`, which must be objects.
template <typename Read>
static void forEachObject(const JsonObjectInput &input, StringRef key,
                          std::string &error, Read read) {
  const json::Array *list = input.list(key);
  for (size_t i = 0; list && i < list->size() && error.empty(); ++i) {
    std::string path = input.pathOf(key) + "[" + std::to_string(i) + "]";
    if (const json::Object *element = (*list)[i].getAsObject())
      read(JsonObjectInput(*element, path, error));
    else
      error = "'" + path + "' expects an object";
  }
}

static void readSettingTexts(const JsonObjectInput &root,
                             ComparedReport &report) {
  for (const char *key : {"software", "runtime", "attention", "precision",
                          "parallelism", "format", "mode"})
    if (std::string text = root.text(key); !text.empty())
      report.settings[key] = printable(text);
  if (const json::Object *settings = root.child("settings"))
    for (const auto &[name, value] : *settings)
      if (name != "given" && value.kind() != json::Value::Null)
        report.settings[printable(name)] = textOf(value);
  if (const json::Object *bindings = root.child("bindings"))
    for (const auto &[name, value] : *bindings)
      report.settings["dimension " + printable(name)] = textOf(value);
  // Files contain the requested name; the name of the GPU is in `target`.
  report.settings.erase("target");
  report.settings.erase("bind");
}

llvm::Expected<ComparedReport> compare::readReport(StringRef text,
                                                   StringRef file) {
  constexpr StringRef noReport =
      "no report of --report=json: it has no 'iteration' and 'kernels'";
  llvm::Expected<json::Object> object = parseJsonObject(text, file, noReport);
  if (!object)
    return object.takeError();
  if (!object->get("iteration") || !object->get("kernels"))
    return refuseFile(file, noReport);
  std::string error;
  JsonObjectInput root(*object, "", error);
  ComparedReport report;
  report.file = file.str();
  report.model = root.text("model");
  report.target = root.text("target");
  report.format = root.text("format");
  report.mode = root.text("mode");
  readSettingTexts(root, report);
  if (const json::Object *totals = root.child("iteration"))
    for (const auto &[name, number] : *totals) {
      std::optional<double> found = number.getAsNumber();
      if ((found && std::isfinite(*found)) ||
          number.kind() == json::Value::Null)
        report.iteration[name.str()] = found;
    }
  forEachObject(root, "phases", error, [&](const JsonObjectInput &input) {
    report.phases.push_back(
        {input.requiredText("phase"), input.requiredNumber("time_ms"),
         input.number("energy_j").value_or(0), input.requiredCount("kernels")});
  });
  forEachObject(root, "kernels", error, [&](const JsonObjectInput &input) {
    report.kernels.push_back(readKernel(input));
  });
  if (const json::Object *coverage = root.child("coverage"))
    for (const char *part : {"fallback", "unmodelled"}) {
      JsonObjectInput parts(*coverage, "coverage", error);
      if (const json::Object *totals = parts.child(part))
        forEachObject(JsonObjectInput(*totals, parts.pathOf(part), error),
                      "list", error, [&](const JsonObjectInput &input) {
                        report.coverage[input.requiredText("op")] =
                            input.text("reason");
                      });
    }
  if (const json::Array *notes = root.list("notes"))
    for (const json::Value &note : *notes)
      report.notes.push_back(textOf(note));
  if (!error.empty())
    return refuseFile(file, error);
  return report;
}
